#include "report_folder.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/theorems/dossier_file.hpp"
#include "normdyn/theorems/dossier_html.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace normdyn::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* report_files[] = {"reproduce.h5", "reproduce.md", "reproduce.html"};

void write_text(const storage::OutputPath& path, const std::string& text) {
  std::ofstream out(path.temporary(), std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out)
    throw core::FileError(path.path(), fmt::format("cannot be written ({})", std::generic_category().message(errno)));
}

// Another report in the same folder is refused while this one is made. Disks without locks are let pass.
int locked(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(descriptor);
    throw core::InputError(folder, "a report is being written there by another normdyn",
                           "wait for it, or give another --out");
  }
  return descriptor;
}

// The figures that the report in this folder has, as its numbers tell.
std::vector<std::string> figures_of_report(const std::string& numbers) {
  std::error_code ignored;
  if (!fs::exists(numbers, ignored))
    return {};
  try {
    return theorems::figure_files(theorems::figure_names_in(numbers));
  } catch (const core::FileError&) {
    return {}; // no report of ours: nothing in the folder is known to be its own
  }
}

} // namespace

ReportFolder::ReportFolder(std::string folder, bool overwrite) : folder_(std::move(folder)), overwrite_(overwrite) {
  std::error_code failed;
  if (fs::exists(folder_, failed) && !fs::is_directory(folder_, failed))
    throw core::InputError(folder_, "is no folder", "name a folder for the report");
  is_new_ = fs::create_directories(folder_, failed);
  if (failed)
    throw core::FileError(folder_, fmt::format("the folder cannot be made ({})", failed.message()));
  lock_ = locked(folder_);
  try {
    const fs::path figures = file("figures");
    if (!overwrite_ && fs::is_directory(figures, failed) && !fs::is_empty(figures, failed))
      throw core::InputError(figures.string(), "has figures already",
                             "use --overwrite to replace them, or another --out");
    for (const char* name : report_files)
      static_cast<void>(output(name, overwrite_)); // refuses what stands in its place
    if (::access(folder_.c_str(), W_OK) != 0)
      throw core::FileError(folder_, fmt::format("cannot be written to ({})", std::generic_category().message(errno)));
  } catch (...) {
    ::close(lock_);
    throw;
  }
  old_figures_ = figures_of_report(file("reproduce.h5"));
}

ReportFolder::~ReportFolder() {
  std::error_code not_empty;
  if (is_new_ && written_.empty())
    fs::remove(folder_, not_empty);
  if (lock_ >= 0)
    ::close(lock_);
}

std::string ReportFolder::file(const std::string& name) const {
  return (fs::path(folder_) / name).string();
}

std::unique_ptr<storage::OutputPath> ReportFolder::output(const std::string& name, bool overwrite) const {
  return std::make_unique<storage::OutputPath>(file(name), overwrite, std::span<const storage::RunInput>{});
}

// A file that cannot be written does not take the others with it. The first trouble is told.
template <class Write>
bool ReportFolder::attempt(std::unique_ptr<storage::OutputPath> path, const Write& write) {
  try {
    write(*path);
    path->publish();
    if (std::find(written_.begin(), written_.end(), path->path()) == written_.end())
      written_.push_back(path->path());
    return true;
  } catch (const core::PlacedError& error) {
    if (failure_.empty())
      failure_ = error.what();
  }
  return false;
}

bool ReportFolder::write_pages(const theorems::Dossier& dossier, const theorems::DrawnFigures& drawn, bool again) {
  const bool has_markdown = attempt(output("reproduce.md", overwrite_ || again), [&](const storage::OutputPath& path) {
    write_text(path, theorems::dossier_markdown(dossier, drawn));
  });
  return attempt(output("reproduce.html", overwrite_ || again),
                 [&](const storage::OutputPath& path) { write_text(path, theorems::dossier_html(dossier, drawn)); }) &&
         has_markdown;
}

// How many could not be written; they count as not drawn.
std::size_t ReportFolder::write_figures(theorems::DrawnFigures& drawn) {
  std::size_t n_unwritten = 0;
  for (auto& of_claim : drawn)
    for (theorems::DrawnFigure& figure : of_claim) {
      if (figure.drawing.svg.empty())
        continue;
      try {
        const auto path = output(figure.file, overwrite_);
        write_text(*path, figure.drawing.svg);
        path->publish();
        ++n_figures_;
      } catch (const core::PlacedError& error) {
        figure.drawing = {"", error.problem()};
        ++n_unwritten;
        if (failure_.empty())
          failure_ = error.what();
      }
    }
  return n_unwritten;
}

void ReportFolder::remove_old_figures(const theorems::DrawnFigures& drawn) const {
  for (const std::string& old : old_figures_) {
    const bool is_current = std::any_of(drawn.begin(), drawn.end(), [&](const auto& of_claim) {
      return std::any_of(of_claim.begin(), of_claim.end(), [&](const theorems::DrawnFigure& figure) {
        return figure.file == old && !figure.drawing.svg.empty();
      });
    });
    std::error_code ignored;
    if (!is_current)
      fs::remove(file(old), ignored);
  }
}

void ReportFolder::write(const theorems::Dossier& dossier) {
  attempt(output("reproduce.h5", overwrite_),
          [&](const storage::OutputPath& path) { theorems::write_dossier(path.temporary(), dossier); });
  theorems::DrawnFigures drawn = theorems::draw_figures(dossier);
  std::size_t n_undrawn = 0, n_all = 0;
  std::string reason;
  for (const auto& of_claim : drawn)
    for (const theorems::DrawnFigure& figure : of_claim) {
      ++n_all;
      if (figure.drawing.svg.empty()) {
        ++n_undrawn;
        reason = figure.drawing.problem;
      }
    }
  if (n_undrawn > 0)
    problem_ = fmt::format("{} of {} figures could not be drawn: {}", n_undrawn, n_all, reason);
  const bool has_pages = write_pages(dossier, drawn, false);
  if (write_figures(drawn) > 0 && has_pages)
    write_pages(dossier, drawn, true); // they must not link to what is not there
  remove_old_figures(drawn);
}

std::string ReportFolder::contents() const {
  if (written_.empty())
    return "";
  std::string text = "report:\n";
  for (const std::string& path : written_)
    text += "  " + path + "\n";
  return n_figures_ == 0 ? text : text + fmt::format("  {} ({} figures)\n", file("figures"), n_figures_);
}

} // namespace normdyn::cli
