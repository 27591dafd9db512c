#include "report_folder.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/theorems/dossier_file.hpp"
#include "normdyn/theorems/dossier_html.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace normdyn::cli {
namespace {

namespace fs = std::filesystem;

void publish_text(storage::OutputPath& path, const std::string& text) {
  std::ofstream out(path.temporary(), std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out)
    throw core::FileError(path.path(), fmt::format("cannot be written ({})", std::generic_category().message(errno)));
  path.publish();
}

} // namespace

ReportFolder::ReportFolder(std::string folder, bool overwrite) : folder_(std::move(folder)), overwrite_(overwrite) {
  if (folder_.empty())
    throw core::InputError("--out", "is empty", "name a folder");
  std::error_code ignored;
  if (fs::exists(folder_, ignored) && !fs::is_directory(folder_, ignored))
    throw core::InputError(folder_, "is no folder", "name a folder for the report");
  const fs::path figures = file("figures");
  if (!overwrite_ && fs::is_directory(figures, ignored) && !fs::is_empty(figures, ignored))
    throw core::InputError(figures.string(), "has figures already",
                           "use --overwrite to replace them, or another --out");
  const auto output = [&](const char* name) {
    return std::make_unique<storage::OutputPath>(file(name), overwrite_, std::span<const storage::RunInput>{});
  };
  markdown_ = output("reproduce.md");
  html_ = output("reproduce.html");
  numbers_ = output("reproduce.h5");
}

std::string ReportFolder::file(const std::string& name) const {
  return (fs::path(folder_) / name).string();
}

void ReportFolder::write(const theorems::Dossier& dossier) {
  const theorems::DrawnFigures drawn = theorems::draw_figures(dossier);
  for (const auto& of_claim : drawn)
    for (const theorems::DrawnFigure& figure : of_claim) {
      if (figure.drawing.svg.empty()) {
        ++n_undrawn_;
        problem_ = figure.drawing.problem;
        continue;
      }
      storage::OutputPath path(file(figure.file), overwrite_, {});
      publish_text(path, figure.drawing.svg);
      ++n_figures_;
    }
  theorems::write_dossier(numbers_->temporary(), dossier);
  numbers_->publish();
  publish_text(*html_, theorems::dossier_html(dossier, drawn));
  publish_text(*markdown_, theorems::dossier_markdown(dossier, drawn));
  if (n_undrawn_ > 0)
    problem_ = fmt::format("{} of {} figures could not be drawn: {}", n_undrawn_, n_undrawn_ + n_figures_, problem_);
}

std::string ReportFolder::contents() const {
  std::string text = "report:\n";
  for (const auto* path : {&markdown_, &html_, &numbers_})
    text += "  " + (*path)->path() + "\n";
  return n_figures_ == 0 ? text : text + fmt::format("  {} ({} figures)\n", file("figures"), n_figures_);
}

} // namespace normdyn::cli
