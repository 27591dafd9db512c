#pragma once
#include "normdyn/storage/output_path.hpp"
#include "normdyn/theorems/dossier_markdown.hpp"

#include <memory>
#include <string>
#include <vector>

namespace normdyn::cli {

/// The folder of `normdyn reproduce --out`: reproduce.md, reproduce.html, reproduce.h5 and figures/. Every file gets
/// its name when it is complete.
class ReportFolder final {
 public:
  /// Makes the folder, and keeps other reports out of it until the end. Throws core::InputError if a file of an earlier
  /// report stands there, unless `overwrite`, or if another report is being written there; core::FileError if it cannot
  /// be made.
  ReportFolder(std::string folder, bool overwrite);
  ReportFolder(const ReportFolder&) = delete;
  ReportFolder& operator=(const ReportFolder&) = delete;
  ~ReportFolder(); ///< removes a folder that it made and that stayed empty

  /// Writes what can be written: numbers first, then pages, then figures. Figures of an earlier report that this one
  /// does not have are removed; other files are let alone.
  void write(const theorems::Dossier& dossier);

  /// What was written, for people.
  [[nodiscard]] std::string contents() const;
  /// Why a figure could not be drawn, "" if all were.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// Why a file could not be written, "" if all were.
  [[nodiscard]] const std::string& failure() const { return failure_; }

 private:
  [[nodiscard]] std::string file(const std::string& name) const;
  [[nodiscard]] std::unique_ptr<storage::OutputPath> output(const std::string& name, bool overwrite) const;
  template <class Write>
  bool attempt(std::unique_ptr<storage::OutputPath> path, const Write& write);
  bool write_pages(const theorems::Dossier& dossier, const theorems::DrawnFigures& drawn, bool again);
  std::size_t write_figures(theorems::DrawnFigures& drawn);
  void remove_old_figures(const theorems::DrawnFigures& drawn) const;

  std::string folder_;
  bool overwrite_, is_new_ = false;
  int lock_ = -1;
  std::vector<std::string> written_, old_figures_;
  std::size_t n_figures_ = 0;
  std::string problem_, failure_;
};

} // namespace normdyn::cli
