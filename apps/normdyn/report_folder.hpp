#pragma once
#include "normdyn/storage/output_path.hpp"
#include "normdyn/theorems/dossier.hpp"

#include <memory>
#include <string>
#include <vector>

namespace normdyn::cli {

/// The folder of `normdyn reproduce --out`: reproduce.md, reproduce.html, reproduce.h5 and figures/. Every file gets
/// its name when it is complete.
class ReportFolder final {
 public:
  /// Makes the folder. Throws core::InputError if a file of an earlier report stands there, unless `overwrite`.
  ReportFolder(std::string folder, bool overwrite);

  /// Throws core::FileError.
  void write(const theorems::Dossier& dossier);

  /// What was written, for people; and why a figure could not be drawn, "" if all were.
  [[nodiscard]] std::string contents() const;
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  [[nodiscard]] std::string file(const std::string& name) const;
  std::string folder_;
  bool overwrite_;
  std::unique_ptr<storage::OutputPath> markdown_, html_, numbers_;
  std::size_t n_figures_ = 0, n_undrawn_ = 0;
  std::string problem_;
};

} // namespace normdyn::cli
