#include "normdyn/core/error.hpp"
#include "normdyn/files/hdf5_types.hpp"

#include <cstring>

namespace normdyn::files {
namespace {

herr_t read_attribute(hid_t attribute, hid_t memory_type, void* buffer) {
  return H5Aread(attribute, memory_type, buffer);
}

} // namespace

Attributes::Attributes(hid_t owner, std::string place) : owner_(owner, H5Idec_ref), place_(std::move(place)) {
  H5Iinc_ref(owner);
}

std::string Attributes::place_of(std::string_view name) const {
  return place_ + ", attribute '" + std::string(name) + "'";
}

Handle Attributes::open(std::string_view name) const {
  silence_hdf5();
  if (!has(name))
    throw core::FileError(place_, "has no attribute '" + std::string(name) + "'", core::suggestion(name, names()));
  return {checked(H5Aopen(owner_.id(), std::string(name).c_str(), H5P_DEFAULT), place_of(name), "cannot be opened"),
          H5Aclose};
}

bool Attributes::has(std::string_view name) const {
  silence_hdf5();
  return H5Aexists(owner_.id(), std::string(name).c_str()) > 0;
}

std::vector<std::string> Attributes::names() const {
  silence_hdf5();
  std::vector<std::string> found;
  const auto note = [](hid_t, const char* name, const H5A_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  hsize_t position = 0;
  if (H5Aiterate2(owner_.id(), H5_INDEX_CRT_ORDER, H5_ITER_INC, &position, note, &found) < 0) {
    found.clear(); // the order is not tracked in files of other programs
    position = 0;
    H5Aiterate2(owner_.id(), H5_INDEX_NAME, H5_ITER_INC, &position, note, &found);
  }
  return found;
}

Kind Attributes::kind(std::string_view name) const {
  const Handle attribute = open(name);
  return kind_of(Handle(H5Aget_type(attribute.id()), H5Tclose).id());
}

void Attributes::set(std::string_view name, std::string_view text) {
  silence_hdf5();
  const std::string key(name), value(text);
  const Handle type = text_type();
  Handle attribute;
  if (has(name)) {
    attribute = open(name);
  } else {
    const Handle space = make_space({}, false, place_);
    attribute = Handle(checked(H5Acreate2(owner_.id(), key.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
                               place_of(name), "cannot be created"),
                       H5Aclose);
  }
  const char* const pointer = value.c_str();
  checked(H5Awrite(attribute.id(), type.id(), &pointer), place_of(name), "cannot be written");
}

void Attributes::set_fixed(std::string_view name, std::string_view text, std::size_t bytes) {
  silence_hdf5();
  core::believe(text.size() < bytes, "a fixed text fits its attribute with a zero behind");
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), bytes);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  std::string padded(text);
  padded.resize(bytes, '\0');
  Handle attribute;
  if (has(name)) {
    attribute = open(name);
  } else {
    const Handle space = make_space({}, false, place_);
    attribute = Handle(
        checked(H5Acreate2(owner_.id(), std::string(name).c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
                place_of(name), "cannot be created"),
        H5Aclose);
  }
  checked(H5Awrite(attribute.id(), type.id(), padded.data()), place_of(name), "cannot be written");
}

template <Number T>
void Attributes::set(std::string_view name, T value) {
  silence_hdf5();
  if (has(name)) {
    const Handle attribute = open(name);
    checked(H5Awrite(attribute.id(), memory_type<T>(), &value), place_of(name), "cannot be written");
    return;
  }
  const Handle space = make_space({}, false, place_);
  const Handle attribute(
      checked(H5Acreate2(owner_.id(), std::string(name).c_str(), file_type<T>(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
              place_of(name), "cannot be created"),
      H5Aclose);
  checked(H5Awrite(attribute.id(), memory_type<T>(), &value), place_of(name), "cannot be written");
}

template <Number T>
void Attributes::set(std::string_view name, std::span<const T> values) {
  silence_hdf5();
  core::believe(!values.empty(), "an attribute array is not empty");
  const Handle space = make_space({values.size()}, false, place_);
  const Handle attribute(
      checked(H5Acreate2(owner_.id(), std::string(name).c_str(), file_type<T>(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
              place_of(name), "cannot be created"),
      H5Aclose);
  checked(H5Awrite(attribute.id(), memory_type<T>(), values.data()), place_of(name), "cannot be written");
}

std::string Attributes::text(std::string_view name) const {
  const Handle attribute = open(name);
  const Handle type(H5Aget_type(attribute.id()), H5Tclose);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose);
  const std::vector<std::string> texts =
      read_texts_of(attribute.id(), type.id(), space.id(), read_attribute, place_of(name));
  if (texts.size() != 1)
    throw core::FileError(place_of(name), "holds " + std::to_string(texts.size()) + " texts where one is expected");
  return texts[0];
}

std::vector<std::int64_t> Attributes::integers(std::string_view name) const {
  const Handle attribute = open(name);
  if (kind(name) != Kind::integer)
    throw core::FileError(place_of(name), "holds no integers");
  const Handle space(H5Aget_space(attribute.id()), H5Sclose);
  std::vector<std::int64_t> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.id())));
  if (!values.empty())
    checked(H5Aread(attribute.id(), H5T_NATIVE_INT64, values.data()), place_of(name), "cannot be read");
  return values;
}

std::int64_t Attributes::integer(std::string_view name) const {
  const std::vector<std::int64_t> values = integers(name);
  if (values.size() != 1)
    throw core::FileError(place_of(name), "holds " + std::to_string(values.size()) + " numbers where one is expected");
  return values[0];
}

double Attributes::number(std::string_view name) const {
  const Handle attribute = open(name);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose);
  const Kind found = kind(name);
  if ((found != Kind::real && found != Kind::integer) || H5Sget_simple_extent_npoints(space.id()) != 1)
    throw core::FileError(place_of(name), "is not a number");
  double value = 0.0;
  checked(H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, &value), place_of(name), "cannot be read");
  return value;
}

#define INSTANTIATE(T)                                                                                                 \
  template void Attributes::set<T>(std::string_view, T);                                                               \
  template void Attributes::set<T>(std::string_view, std::span<const T>);
NORMDYN_FOR_NUMBERS(INSTANTIATE)
#undef INSTANTIATE

} // namespace normdyn::files
