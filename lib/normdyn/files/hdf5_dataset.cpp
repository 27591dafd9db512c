#include "normdyn/core/error.hpp"
#include "normdyn/files/hdf5_types.hpp"

#include <hdf5_hl.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace normdyn::files {
namespace {

herr_t read_dataset(hid_t dataset, hid_t memory_type, void* buffer) {
  return H5Dread(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer);
}

std::size_t row_size(const Shape& shape) {
  return std::accumulate(shape.begin() + 1, shape.end(), std::size_t{1}, std::multiplies<>());
}

/// Rows first .. first + count - 1 of a dataset, selected in its file space.
struct Rows {
  Handle file, memory;
};

Rows select_rows(hid_t dataset, const Shape& shape, std::size_t first, std::size_t count, const std::string& place) {
  Rows rows{Handle(checked(H5Dget_space(dataset), place, "has no shape"), H5Sclose), Handle()};
  std::vector<hsize_t> offset(shape.size(), 0), extent(shape.begin(), shape.end());
  offset[0] = first;
  extent[0] = count;
  checked(H5Sselect_hyperslab(rows.file.id(), H5S_SELECT_SET, offset.data(), nullptr, extent.data(), nullptr), place,
          "rows cannot be selected");
  Shape selected = shape;
  selected[0] = count;
  rows.memory = make_space(selected, false, place);
  return rows;
}

void require_numbers(Kind kind, const std::string& place) {
  if (kind != Kind::integer && kind != Kind::real)
    throw core::FileError(place, kind == Kind::text ? "holds text, not numbers" : "holds no plain numbers");
}

} // namespace

Shape Dataset::shape() const {
  return shape_of(Handle(checked(H5Dget_space(id()), place_, "has no shape"), H5Sclose).id());
}

Kind Dataset::kind() const {
  return kind_of(Handle(checked(H5Dget_type(id()), place_, "has no type"), H5Tclose).id());
}

bool Dataset::is_float32() const {
  const Handle type(checked(H5Dget_type(id()), place_, "has no type"), H5Tclose);
  return kind_of(type.id()) == Kind::real && H5Tget_size(type.id()) == 4;
}

template <Number T>
std::vector<T> Dataset::read() const {
  silence_hdf5();
  require_numbers(kind(), place_);
  const Shape size = shape();
  std::vector<T> values(std::accumulate(size.begin(), size.end(), std::size_t{1}, std::multiplies<>()));
  if (!values.empty())
    checked(read_dataset(id(), memory_type<T>(), values.data()), place_, "cannot be read");
  return values;
}

template <Number T>
std::vector<T> Dataset::read_rows(std::size_t first, std::size_t count) const {
  silence_hdf5();
  require_numbers(kind(), place_);
  const Shape size = shape();
  if (size.empty() || first > size[0] || count > size[0] - first)
    throw core::FileError(place_, "has " + std::to_string(size.empty() ? 0 : size[0]) + " rows, too few for rows " +
                                      std::to_string(first) + " to " + std::to_string(first + count - 1));
  std::vector<T> values(count * row_size(size));
  if (values.empty())
    return values;
  const Rows rows = select_rows(id(), size, first, count, place_);
  checked(H5Dread(id(), memory_type<T>(), rows.memory.id(), rows.file.id(), H5P_DEFAULT, values.data()), place_,
          "cannot be read");
  return values;
}

template <Number T>
void Dataset::write(std::span<const T> values) {
  silence_hdf5();
  const Shape size = shape();
  core::believe(values.size() == std::accumulate(size.begin(), size.end(), std::size_t{1}, std::multiplies<>()),
                "a dataset is written whole");
  if (!values.empty())
    checked(H5Dwrite(id(), memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), place_,
            "cannot be written");
}

/// Extends the first axis for n_values more; returns the number of rows before.
std::size_t Dataset::extend(std::size_t n_values) {
  const Shape before = shape();
  core::believe(!before.empty() && n_values % row_size(before) == 0, "whole rows are appended");
  std::vector<hsize_t> after(before.begin(), before.end());
  after[0] += n_values / row_size(before);
  checked(H5Dset_extent(id(), after.data()), place_, "cannot be extended");
  return before[0];
}

template <Number T>
void Dataset::append(std::span<const T> values) {
  silence_hdf5();
  if (values.empty())
    return;
  const std::size_t first = extend(values.size());
  const Shape size = shape();
  const Rows rows = select_rows(id(), size, first, size[0] - first, place_);
  checked(H5Dwrite(id(), memory_type<T>(), rows.memory.id(), rows.file.id(), H5P_DEFAULT, values.data()), place_,
          "cannot be written");
}

std::vector<std::string> Dataset::read_texts() const {
  silence_hdf5();
  const Handle type(checked(H5Dget_type(id()), place_, "has no type"), H5Tclose);
  const Handle space(checked(H5Dget_space(id()), place_, "has no shape"), H5Sclose);
  return read_texts_of(id(), type.id(), space.id(), read_dataset, place_);
}

void Dataset::write_texts(std::span<const std::string> texts) {
  silence_hdf5();
  std::vector<const char*> pointers;
  for (const std::string& text : texts)
    pointers.push_back(text.c_str());
  if (!pointers.empty())
    checked(H5Dwrite(id(), text_type().id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()), place_,
            "cannot be written");
}

void Dataset::append_texts(std::span<const std::string> texts) {
  silence_hdf5();
  std::vector<const char*> pointers;
  for (const std::string& text : texts)
    pointers.push_back(text.c_str());
  if (pointers.empty())
    return;
  const std::size_t first = extend(pointers.size());
  const Rows rows = select_rows(id(), shape(), first, pointers.size(), place_);
  checked(H5Dwrite(id(), text_type().id(), rows.memory.id(), rows.file.id(), H5P_DEFAULT, pointers.data()), place_,
          "cannot be written");
}

void Dataset::make_scale() {
  silence_hdf5();
  const std::string name = place_.substr(place_.rfind('/') + 1);
  checked(H5DSset_scale(id(), name.c_str()), place_, "cannot be made a dimension scale");
}

void Dataset::attach_scale(unsigned axis, const Dataset& scale) {
  silence_hdf5();
  checked(H5DSattach_scale(id(), scale.id(), axis), place_, "cannot have its dimension scale attached");
}

bool Dataset::is_scale() const {
  silence_hdf5();
  return H5DSis_scale(id()) > 0;
}

std::vector<std::string> Dataset::dimensions() const {
  silence_hdf5();
  std::vector<std::string> names(shape().size());
  const auto note = [](hid_t, unsigned, hid_t scale, void* out) -> herr_t {
    std::string path(static_cast<std::size_t>(std::max<ssize_t>(0, H5Iget_name(scale, nullptr, 0))), '\0');
    H5Iget_name(scale, path.data(), path.size() + 1);
    *static_cast<std::string*>(out) = path.substr(path.rfind('/') + 1);
    return 1; // the first scale is the primary one
  };
  if (is_scale())
    return {place_.substr(place_.rfind('/') + 1)};
  for (unsigned axis = 0; axis < names.size(); ++axis)
    H5DSiterate_scales(id(), axis, nullptr, note, &names[axis]);
  return names;
}

#define INSTANTIATE(T)                                                                                                 \
  template std::vector<T> Dataset::read<T>() const;                                                                    \
  template std::vector<T> Dataset::read_rows<T>(std::size_t, std::size_t) const;                                       \
  template void Dataset::write<T>(std::span<const T>);                                                                 \
  template void Dataset::append<T>(std::span<const T>);
NORMDYN_FOR_NUMBERS(INSTANTIATE)
#undef INSTANTIATE

} // namespace normdyn::files
