#pragma once
// A thin layer over the HDF5 C library: what a run file needs and nothing more. Links and attributes keep their order
// of creation; strings are UTF-8 of variable length; numbers are little-endian. Every failure is a core::FileError in
// one line that names the file, the object and the cause.
//
// Shapes are in C order, as HDF5 and h5py show them. Objects stay usable while the file is open.

#include "normdyn/files/hdf5_handle.hpp"

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace normdyn::files {

/// The element types that run files hold.
template <class T>
concept Number = std::same_as<T, double> || std::same_as<T, float> || std::same_as<T, std::int64_t> ||
    std::same_as<T, std::int32_t> || std::same_as<T, std::int8_t> || std::same_as<T, std::uint64_t>;

using Shape = std::vector<std::size_t>;

enum class Kind { integer, real, text, other };

/// Attributes of one group or dataset, which they keep open.
class Attributes final {
 public:
  Attributes(hid_t owner, std::string place);

  void set(std::string_view name, std::string_view text); ///< variable length; replaces
  void set(std::string_view name, const char* text) { set(name, std::string_view(text)); }
  /// A text that can be rewritten in place: exactly `bytes` bytes, padded with zeros.
  void set_fixed(std::string_view name, std::string_view text, std::size_t bytes);
  template <Number T>
  void set(std::string_view name, T value); ///< scalar; overwritten in place when it has the same type
  template <Number T>
  void set(std::string_view name, std::span<const T> values);

  [[nodiscard]] bool has(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> names() const; ///< in order of creation
  [[nodiscard]] Kind kind(std::string_view name) const;
  [[nodiscard]] std::string text(std::string_view name) const; ///< fixed or variable length
  [[nodiscard]] double number(std::string_view name) const;
  [[nodiscard]] std::int64_t integer(std::string_view name) const;
  [[nodiscard]] std::vector<std::int64_t> integers(std::string_view name) const;

 private:
  [[nodiscard]] Handle open(std::string_view name) const;
  [[nodiscard]] std::string place_of(std::string_view name) const;
  Handle owner_;
  std::string place_;
};

/// How a dataset is stored.
struct Storage {
  bool grows = false; ///< the first axis is unlimited
  Shape chunk{};      ///< of the shape's rank; empty: contiguous, or 1024 rows where it grows
  int deflate = 0;    ///< 0 none, 1-9: shuffle, deflate and checksum
  double fill = std::numeric_limits<double>::quiet_NaN(); ///< what missing values read as (integers: -1 when NaN)
};

class Dataset final {
 public:
  Dataset(Handle handle, std::string place) : handle_(std::move(handle)), place_(std::move(place)) {}

  [[nodiscard]] Shape shape() const;
  [[nodiscard]] Kind kind() const;
  [[nodiscard]] bool is_float32() const;
  [[nodiscard]] const std::string& place() const { return place_; } ///< "run.h5:/theta"
  [[nodiscard]] Attributes attributes() const { return {handle_.id(), place_}; }
  [[nodiscard]] hid_t id() const { return handle_.id(); }

  /// All values, converted to T. Throws if the dataset holds no numbers.
  template <Number T>
  [[nodiscard]] std::vector<T> read() const;
  /// Rows first .. first + count - 1 along the first axis.
  template <Number T>
  [[nodiscard]] std::vector<T> read_rows(std::size_t first, std::size_t count) const;
  template <Number T>
  void write(std::span<const T> values);
  /// Extends the first axis by values.size() / (size of a row) rows and writes them.
  template <Number T>
  void append(std::span<const T> values);

  [[nodiscard]] std::vector<std::string> read_texts() const; ///< fixed or variable length, any shape
  void write_texts(std::span<const std::string> texts);
  void append_texts(std::span<const std::string> texts);

  void make_scale(); ///< a dimension scale named like the dataset
  void attach_scale(unsigned axis, const Dataset& scale);
  [[nodiscard]] bool is_scale() const;
  /// The name of the scale of each axis; "" where there is none. A scale's own axis has its own name.
  [[nodiscard]] std::vector<std::string> dimensions() const;

 private:
  [[nodiscard]] std::size_t extend(std::size_t n_values);
  Handle handle_;
  std::string place_;
};

class Group final {
 public:
  Group(Handle handle, std::string place) : handle_(std::move(handle)), place_(std::move(place)) {}

  [[nodiscard]] const std::string& place() const { return place_; } ///< "run.h5:/events"
  [[nodiscard]] Attributes attributes() const { return {handle_.id(), place_}; }
  [[nodiscard]] bool has(const std::string& name) const;
  [[nodiscard]] bool is_dataset(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> names() const; ///< in order of creation where that is tracked, else by name

  Group create_group(const std::string& name);
  [[nodiscard]] Group group(const std::string& name) const; ///< throws, proposing the nearest name
  [[nodiscard]] Dataset dataset(const std::string& name) const;

  template <Number T>
  Dataset create(const std::string& name, const Shape& shape, const Storage& storage = {});
  Dataset create_texts(const std::string& name, const Shape& shape, const Storage& storage = {});
  template <Number T>
  Dataset write(const std::string& name, const Shape& shape, std::span<const T> values, const Storage& storage = {});
  template <Number T>
  Dataset write_scalar(const std::string& name, T value);
  Dataset write_text(const std::string& name, const std::string& text); ///< scalar
  Dataset write_texts(const std::string& name, std::span<const std::string> texts, const Storage& storage = {});
  /// A second name for an object of this file: a dimension scale is found in each group that uses it.
  void link(const std::string& name, const Group& from, const std::string& target);

 private:
  [[noreturn]] void no_such(const char* what, const std::string& name) const;
  Dataset create(const std::string& name, hid_t type, const Shape& shape, const Storage& storage, const void* fill);
  Handle handle_;
  std::string place_;
};

class Hdf5File final {
 public:
  /// A new file; fails if something of that name exists. Format bounds V18..V110. Data reach the disk when they are
  /// written, metadata in flush() and close() only: a killed program leaves the file as of its last flush.
  static Hdf5File create(const std::string& path);
  /// For reading. A file that another program is writing is read as of its last flush.
  static Hdf5File open(const std::string& path);
  Hdf5File(Hdf5File&&) noexcept = default;
  ~Hdf5File(); ///< closes; what cannot be written then is lost without a word: call close() to hear of it

  [[nodiscard]] Group root() const;
  [[nodiscard]] const std::string& path() const { return path_; }
  void rename(std::string path) { path_ = std::move(path); } ///< the name in messages, after the file was renamed
  /// Puts everything on the disk. Space is reserved first: on a full disk it fails before the file is touched.
  void flush();
  void close();
  /// Gives the file up after a failed write: nothing more reaches the disk, which keeps the state of the last flush.
  void abandon() noexcept;

 private:
  Hdf5File(Handle handle, std::string path) : handle_(std::move(handle)), path_(std::move(path)) {}
  Handle handle_;
  std::string path_;
};

} // namespace normdyn::files
