#include "normdyn/core/error.hpp"
#include "normdyn/files/hdf5_types.hpp"
#include "normdyn/files/text_file.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace normdyn::files {
namespace {

Handle access_properties() {
  Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(properties.id(), H5F_LIBVER_V18, H5F_LIBVER_V110);
  H5Pset_fclose_degree(properties.id(), H5F_CLOSE_STRONG);
  return properties;
}

/// Metadata leaves memory in a flush only. It is small (an index entry per chunk), so the cache may grow freely.
void keep_metadata_until_flush(hid_t properties) {
  H5AC_cache_config_t config;
  config.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  if (H5Pget_mdc_config(properties, &config) < 0)
    return;
  config.evictions_enabled = false;
  config.incr_mode = H5C_incr__off;
  config.flash_incr_mode = H5C_flash_incr__off;
  config.decr_mode = H5C_decr__off;
  H5Pset_mdc_config(properties, &config);
}

[[noreturn]] void refuse(const std::string& path) {
  const std::string cause = hdf5_cause();
  if (cause.find("truncated file") != std::string::npos)
    throw core::FileError(path, "is truncated: bytes are missing at its end");
  throw core::FileError(path, "cannot be opened (" + cause + ")");
}

/// The file descriptor behind the file, or null.
int* descriptor_of(hid_t file) {
  void* descriptor = nullptr;
  return H5Fget_vfd_handle(file, H5P_DEFAULT, &descriptor) >= 0 ? static_cast<int*>(descriptor) : nullptr;
}

/// Whether the shell or the cluster limits the size of every file (ulimit -f), in memory or not.
bool is_file_size_limited() {
  struct rlimit limit {};
  return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/// Makes the file as long as HDF5 will need it. A flush that fails half way, or is killed, would leave a file that is
/// shorter than its first block says, and metadata of two ages.
void reserve_space(hid_t file, const std::string& path) {
  const int* const descriptor = descriptor_of(file);
  hsize_t needed = 0;
  struct stat now {};
  if (descriptor == nullptr || H5Fget_filesize(file, &needed) < 0 || ::fstat(*descriptor, &now) != 0)
    return;
  const auto size = static_cast<off_t>(needed);
  if (size <= now.st_size)
    return;
  int failed = ::fallocate(*descriptor, 0, now.st_size, size - now.st_size) == 0 ? 0 : errno;
  if (failed == EOPNOTSUPP || failed == ENOSYS || failed == EINVAL) // disks that cannot reserve
    failed = ::ftruncate(*descriptor, size) == 0 ? 0 : errno;
  if (failed != 0)
    throw core::FileError(path, "cannot be written (" + std::generic_category().message(failed) + ")");
}

} // namespace

Hdf5File Hdf5File::create(const std::string& path) {
  silence_hdf5();
  const Handle access = access_properties();
  keep_metadata_until_flush(access.id());
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_link_creation_order(creation.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_attr_creation_order(creation.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_attr_phase_change(creation.id(), 256, 0);
  // Metadata never straddle a page, and the system copies a page as a whole: a kill tears no block that has a checksum.
  constexpr hsize_t page_bytes = 4096;
  H5Pset_file_space_strategy(creation.id(), H5F_FSPACE_STRATEGY_PAGE, false, 1);
  H5Pset_file_space_page_size(creation.id(), page_bytes);
  return {Handle(checked(H5Fcreate(path.c_str(), H5F_ACC_EXCL, creation.id(), access.id()), path, "cannot be created"),
                 H5Fclose),
          path};
}

Hdf5File Hdf5File::open(const std::string& path) {
  silence_hdf5();
  require_readable_file(path);
  const Handle access = access_properties();
  hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id());
  if (file < 0 && hdf5_cause() == "Resource temporarily unavailable") { // locked by its writer
    H5Pset_file_locking(access.id(), false, true);
    file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id());
  }
  if (file < 0 && hdf5_cause() == "file signature not found")
    throw core::FileError(path, "is no HDF5 file");
  if (file < 0)
    refuse(path);
  return {Handle(file, H5Fclose), path};
}

Hdf5File::~Hdf5File() {
  if (handle_.id() < 0)
    return;
  try {
    close();
  } catch (const core::FileError&) {
    abandon();
  }
}

Group Hdf5File::root() const {
  silence_hdf5();
  return {Handle(checked(H5Gopen2(handle_.id(), "/", H5P_DEFAULT), path_, "cannot be read"), H5Gclose), path_ + ":/"};
}

void Hdf5File::flush() {
  silence_hdf5();
  reserve_space(handle_.id(), path_);
  checked(H5Fflush(handle_.id(), H5F_SCOPE_GLOBAL), path_, "cannot be written");
}

void Hdf5File::close() {
  silence_hdf5();
  flush();
  if (H5Fclose(handle_.id()) < 0)
    throw_hdf5(path_, "cannot be closed");
  static_cast<void>(handle_.release());
}

void Hdf5File::abandon() noexcept {
  const hid_t file = handle_.release();
  int* const descriptor = file >= 0 ? descriptor_of(file) : nullptr;
  if (descriptor == nullptr)
    return;
  // HDF5 cannot close a file without writing to it, and corrupts its memory if that fails. So its descriptor is turned
  // away from the file: to one in memory, where closing succeeds. Under a limit (ulimit -f), which holds there too,
  // everything written goes nowhere and the identifier stays open for good.
  hsize_t size = 0;
  int elsewhere = ::memfd_create("normdyn-abandoned", MFD_CLOEXEC);
  const bool can_close = elsewhere >= 0 && !is_file_size_limited() && H5Fget_filesize(file, &size) >= 0 &&
                         ::ftruncate(elsewhere, static_cast<off_t>(size)) == 0;
  if (!can_close) {
    if (elsewhere >= 0)
      ::close(elsewhere);
    elsewhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  }
  if (elsewhere < 0)
    return;
  ::dup2(elsewhere, *descriptor);
  ::close(elsewhere);
  if (can_close)
    H5Fclose(file);
}

} // namespace normdyn::files
