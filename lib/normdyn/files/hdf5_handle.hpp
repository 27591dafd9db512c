#pragma once
// Ownership of HDF5 identifiers, and the cause of a failed call in words. HDF5's own printing of error stacks is off.

#include <hdf5.h>

#include <string>
#include <utility>

namespace normdyn::files {

/// Owns one identifier of the C library; closing errors are ignored (the file's own close is checked elsewhere).
class Handle final {
 public:
  using Closer = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Closer closer) : id_(id), closer_(closer) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), closer_(other.closer_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(closer_, other.closer_);
    return *this;
  }
  ~Handle() { reset(); }
  void reset() noexcept {
    if (id_ >= 0)
      closer_(id_);
    id_ = -1;
  }
  [[nodiscard]] hid_t release() { return std::exchange(id_, -1); }
  [[nodiscard]] hid_t id() const { return id_; }

 private:
  hid_t id_ = -1;
  Closer closer_ = nullptr;
};

/// Turns off HDF5's printing for the calling thread; cheap after the first call.
void silence_hdf5();

/// Why the last HDF5 call of this thread failed: the system's own words ("No space left on device") where there are
/// some, else HDF5's innermost description.
[[nodiscard]] std::string hdf5_cause();

/// Throws core::FileError "place: problem (cause)".
[[noreturn]] void throw_hdf5(const std::string& place, const std::string& problem);

/// Passes on a result that is not negative, else throws core::FileError as above.
template <class Result>
Result checked(Result result, const std::string& place, const char* problem) {
  if (result < 0)
    throw_hdf5(place, problem);
  return result;
}

} // namespace normdyn::files
