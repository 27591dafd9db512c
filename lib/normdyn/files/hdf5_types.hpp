#pragma once
// Element types of the HDF5 layer: for its .cpp files.

#include "normdyn/files/hdf5.hpp"

namespace normdyn::files {

template <Number T>
hid_t memory_type() {
  if constexpr (std::same_as<T, double>)
    return H5T_NATIVE_DOUBLE;
  else if constexpr (std::same_as<T, float>)
    return H5T_NATIVE_FLOAT;
  else if constexpr (std::same_as<T, std::int64_t>)
    return H5T_NATIVE_INT64;
  else if constexpr (std::same_as<T, std::int32_t>)
    return H5T_NATIVE_INT32;
  else if constexpr (std::same_as<T, std::int8_t>)
    return H5T_NATIVE_INT8;
  else
    return H5T_NATIVE_UINT64;
}

template <Number T>
hid_t file_type() {
  if constexpr (std::same_as<T, double>)
    return H5T_IEEE_F64LE;
  else if constexpr (std::same_as<T, float>)
    return H5T_IEEE_F32LE;
  else if constexpr (std::same_as<T, std::int64_t>)
    return H5T_STD_I64LE;
  else if constexpr (std::same_as<T, std::int32_t>)
    return H5T_STD_I32LE;
  else if constexpr (std::same_as<T, std::int8_t>)
    return H5T_STD_I8LE;
  else
    return H5T_STD_U64LE;
}

/// UTF-8 of variable length.
[[nodiscard]] Handle text_type();

[[nodiscard]] Kind kind_of(hid_t type);

/// A dataspace of this shape; scalar for the empty shape. The first axis is unlimited if `grows`.
[[nodiscard]] Handle make_space(const Shape& shape, bool grows, const std::string& place);

[[nodiscard]] Shape shape_of(hid_t space);

/// All texts of a dataset or attribute, whatever its kind of string type; throws core::FileError for other types.
/// `read(memory_type, buffer)` is H5Dread or H5Aread.
using ReadInto = herr_t (*)(hid_t object, hid_t memory_type, void* buffer);
[[nodiscard]] std::vector<std::string> read_texts_of(hid_t object, hid_t type, hid_t space, ReadInto read,
                                                     const std::string& place);

} // namespace normdyn::files

/// Instantiates a member template for all element types.
#define NORMDYN_FOR_NUMBERS(INSTANTIATE)                                                                               \
  INSTANTIATE(double)                                                                                                  \
  INSTANTIATE(float)                                                                                                   \
  INSTANTIATE(std::int64_t) INSTANTIATE(std::int32_t) INSTANTIATE(std::int8_t) INSTANTIATE(std::uint64_t)
