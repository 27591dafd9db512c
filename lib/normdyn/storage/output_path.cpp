#include "normdyn/storage/output_path.hpp"

#include "normdyn/core/error.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

namespace normdyn::storage {
namespace {

namespace fs = std::filesystem;

std::string error_text(int code) {
  return std::generic_category().message(code);
}

/// Whether a running program holds HDF5's write lock on the file.
bool is_being_written(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  const bool is_locked = ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  return is_locked;
}

void make_folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  std::error_code failed;
  if (!folder.empty())
    fs::create_directories(folder, failed);
  if (failed)
    throw core::FileError(path, fmt::format("its folder '{}' cannot be made ({})", folder.string(), failed.message()));
}

/// A rename that does not replace; systems and disks without one get a link instead.
int rename_if_free(const std::string& from, const std::string& to) {
#ifdef RENAME_NOREPLACE
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0)
    return 0;
  if (errno != EINVAL && errno != ENOSYS)
    return errno;
#endif
  if (::link(from.c_str(), to.c_str()) != 0)
    return errno;
  ::unlink(from.c_str());
  return 0;
}

} // namespace

OutputPath::OutputPath(std::string path, bool overwrite, std::span<const RunInput> inputs)
    : path_(std::move(path)), overwrite_(overwrite) {
  if (path_.empty())
    throw core::InputError("output.file", "is empty", "name the file that the run shall write");
  std::error_code ignored;
  for (const RunInput& input : inputs)
    if (fs::equivalent(input.found.empty() ? input.path : input.found, path_, ignored))
      throw core::InputError(path_, fmt::format("is also the input that {} names", input.key), "write to another file");
  require_free();
  make_folder_of(path_);
  static std::atomic<unsigned> n_made = 0;
  temporary_ = fmt::format("{}.{}-{}.part", path_, ::getpid(), n_made++);
  ::unlink(temporary_.c_str()); // of a process that died and had our number
}

OutputPath::~OutputPath() {
  if (!published_)
    ::unlink(temporary_.c_str());
}

void OutputPath::require_free() const {
  std::error_code ignored;
  const fs::file_status status = fs::status(path_, ignored);
  if (!fs::exists(status))
    return;
  if (fs::is_directory(status))
    throw core::InputError(path_, "is a folder", "name a file in it");
  if (!fs::is_regular_file(status))
    throw core::InputError(path_, "is no plain file", "write to another file");
  if (is_being_written(path_))
    throw core::InputError(path_, "is being written by another run", "wait for it, or write to another file");
  if (!overwrite_)
    throw core::InputError(path_, "exists already", "use --overwrite to replace it, or write to another file");
}

void OutputPath::publish() {
  require_free();
  int failed = 0;
  if (overwrite_)
    failed = ::rename(temporary_.c_str(), path_.c_str()) == 0 ? 0 : errno;
  else
    failed = rename_if_free(temporary_, path_);
  if (failed == EEXIST)
    throw core::InputError(path_, "exists already", "use --overwrite to replace it, or write to another file");
  if (failed != 0)
    throw core::FileError(path_, fmt::format("cannot be created ({})", error_text(failed)));
  published_ = true;
}

} // namespace normdyn::storage
