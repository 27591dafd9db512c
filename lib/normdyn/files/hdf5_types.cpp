#include "normdyn/files/hdf5_types.hpp"

#include "normdyn/core/error.hpp"

#include <algorithm>
#include <cstring>

namespace normdyn::files {

Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), H5T_VARIABLE);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

Kind kind_of(hid_t type) {
  switch (H5Tget_class(type)) {
  case H5T_INTEGER:
    return Kind::integer;
  case H5T_FLOAT:
    return Kind::real;
  case H5T_STRING:
    return Kind::text;
  default:
    return Kind::other;
  }
}

Handle make_space(const Shape& shape, bool grows, const std::string& place) {
  if (shape.empty())
    return {checked(H5Screate(H5S_SCALAR), place, "cannot describe a scalar"), H5Sclose};
  const std::vector<hsize_t> now(shape.begin(), shape.end());
  std::vector<hsize_t> most = now;
  if (grows)
    most[0] = H5S_UNLIMITED;
  return {checked(H5Screate_simple(static_cast<int>(now.size()), now.data(), most.data()), place,
                  "cannot describe the shape"),
          H5Sclose};
}

Shape shape_of(hid_t space) {
  std::vector<hsize_t> now(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
  H5Sget_simple_extent_dims(space, now.data(), nullptr);
  return Shape(now.begin(), now.end());
}

std::vector<std::string> read_texts_of(hid_t object, hid_t type, hid_t space, ReadInto read, const std::string& place) {
  if (H5Tget_class(type) != H5T_STRING)
    throw core::FileError(place, "holds no text");
  const auto count = static_cast<std::size_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space)));
  std::vector<std::string> texts(count);
  if (count == 0)
    return texts;
  // Memory type with the file's own character set: HDF5 converts no encodings and would refuse another.
  const Handle memory(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_cset(memory.id(), H5Tget_cset(type));
  if (H5Tis_variable_str(type) > 0) {
    H5Tset_size(memory.id(), H5T_VARIABLE);
    std::vector<char*> pointers(count, nullptr);
    checked(read(object, memory.id(), pointers.data()), place, "cannot be read");
    for (std::size_t i = 0; i < count; ++i)
      if (pointers[i] != nullptr) // HDF5 gives null for the empty text
        texts[i] = pointers[i];
    H5Dvlen_reclaim(memory.id(), space, H5P_DEFAULT, pointers.data());
    return texts;
  }
  const std::size_t width = H5Tget_size(type);
  H5Tset_size(memory.id(), width);
  H5Tset_strpad(memory.id(), H5Tget_strpad(type));
  std::vector<char> bytes(count * width);
  checked(read(object, memory.id(), bytes.data()), place, "cannot be read");
  for (std::size_t i = 0; i < count; ++i) {
    const char* const first = bytes.data() + i * width;
    texts[i].assign(first, strnlen(first, width));
    if (H5Tget_strpad(type) == H5T_STR_SPACEPAD)
      texts[i].erase(texts[i].find_last_not_of(' ') + 1);
  }
  return texts;
}

} // namespace normdyn::files
