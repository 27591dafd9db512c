#include "normdyn/files/text_file.hpp"

#include "normdyn/core/error.hpp"

#include <cerrno>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <vector>

namespace normdyn::files {
namespace {

std::string nearest_neighbor(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  std::error_code failed;
  std::vector<std::string> names;
  constexpr std::size_t enough = 2000; // a hint is not worth reading a folder of a million files
  for (std::filesystem::directory_iterator entry(folder, failed), end; !failed && entry != end && names.size() < enough;
       entry.increment(failed))
    names.push_back(entry->path().filename().string());
  const std::string near = core::nearest(path.filename().string(), names);
  if (near.empty())
    return {};
  return "did you mean '" + (path.has_parent_path() ? (path.parent_path() / near).string() : near) + "'?";
}

} // namespace

std::ifstream open_input(const std::string& path) {
  std::error_code failed;
  const std::filesystem::file_status status = std::filesystem::status(path, failed);
  if (status.type() == std::filesystem::file_type::not_found)
    throw core::FileError(path, "no such file", nearest_neighbor(path));
  if (std::filesystem::is_directory(status))
    throw core::FileError(path, "is a folder, not a file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    const int cause = errno;
    throw core::FileError(path, cause != 0 ? std::generic_category().message(cause) : "cannot be opened");
  }
  return file;
}

void require_readable_file(const std::string& path) {
  const std::ifstream opened = open_input(path);
}

std::string read_text(const std::string& path) {
  std::ifstream file = open_input(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (file.bad())
    throw core::FileError(path, "cannot be read to its end");
  return std::move(text).str();
}

} // namespace normdyn::files
