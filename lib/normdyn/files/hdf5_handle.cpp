#include "normdyn/files/hdf5_handle.hpp"

#include "normdyn/core/error.hpp"

#include <string_view>

namespace normdyn::files {
namespace {

// The frames of the error stack, innermost first.
herr_t collect(unsigned, const H5E_error2_t* frame, void* out) {
  auto& cause = *static_cast<std::string*>(out);
  const std::string_view description = frame->desc != nullptr ? frame->desc : "";
  if (cause.empty())
    cause = description;
  constexpr std::string_view marker = "error message = '";
  const std::size_t begin = description.find(marker);
  if (begin == std::string_view::npos)
    return 0;
  const std::size_t end = description.find('\'', begin + marker.size());
  cause = description.substr(begin + marker.size(), end - begin - marker.size());
  return 1; // the system's words are the best there are
}

} // namespace

void silence_hdf5() {
  // Files are closed by their owners. What is left at exit was abandoned, and HDF5 would crash trying to close it.
  static const bool leaves_exit_alone = H5dont_atexit() >= 0;
  thread_local const bool silent = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
  static_cast<void>(leaves_exit_alone && silent);
}

std::string hdf5_cause() {
  std::string cause;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect, &cause);
  return cause;
}

void throw_hdf5(const std::string& place, const std::string& problem) {
  const std::string cause = hdf5_cause();
  throw core::FileError(place, cause.empty() ? problem : problem + " (" + cause + ")");
}

} // namespace normdyn::files
