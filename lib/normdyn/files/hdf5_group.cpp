#include "normdyn/core/error.hpp"
#include "normdyn/files/hdf5_types.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace normdyn::files {
namespace {

// Attributes stay in the object header, where they are rewritten in place: no dense storage below this count.
constexpr unsigned most_compact_attributes = 256;

std::string absolute_name(const std::string& place, const std::string& name) {
  if (name.starts_with('/'))
    return place.substr(0, place.rfind(":/") + 1) + name;
  return place.ends_with('/') ? place + name : place + "/" + name;
}

/// Storage settings of a new dataset.
Handle creation_properties(hid_t type, const Shape& shape, const Storage& storage, const void* fill,
                           const std::string& place) {
  Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const hid_t id = properties.id();
  H5Pset_attr_creation_order(id, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_attr_phase_change(id, most_compact_attributes, 0);
  H5Pset_obj_track_times(id, false); // two runs of one study give the same bytes
  if (fill != nullptr)
    checked(H5Pset_fill_value(id, type, fill), place, "cannot have its fill value set");
  const std::size_t size = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  if (!storage.grows && (storage.deflate == 0 || size == 0 || shape.empty()))
    return properties;
  std::vector<hsize_t> chunk(storage.chunk.begin(), storage.chunk.end());
  if (chunk.empty()) {
    chunk.assign(shape.begin(), shape.end());
    if (storage.grows)
      chunk[0] = 1024;
  }
  for (hsize_t& length : chunk)
    length = std::max<hsize_t>(length, 1);
  checked(H5Pset_chunk(id, static_cast<int>(chunk.size()), chunk.data()), place, "cannot be cut into chunks");
  if (storage.deflate > 0) {
    H5Pset_shuffle(id);
    checked(H5Pset_deflate(id, static_cast<unsigned>(storage.deflate)), place, "cannot be compressed");
    H5Pset_fletcher32(id);
  }
  return properties;
}

template <Number T>
T fill_of(double fill) {
  if constexpr (std::floating_point<T>)
    return static_cast<T>(fill);
  else if constexpr (std::signed_integral<T>)
    return std::isnan(fill) ? T{-1} : static_cast<T>(fill);
  else
    return std::isnan(fill) ? std::numeric_limits<T>::max() : static_cast<T>(fill);
}

} // namespace

bool Group::has(const std::string& name) const {
  silence_hdf5();
  // H5Lexists wants every step of a path to exist.
  for (std::size_t end = name.find('/', 1); end != std::string::npos; end = name.find('/', end + 1))
    if (H5Lexists(handle_.id(), name.substr(0, end).c_str(), H5P_DEFAULT) <= 0)
      return false;
  return name == "/" || H5Lexists(handle_.id(), name.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::string> Group::names() const {
  silence_hdf5();
  std::vector<std::string> found;
  const auto note = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  hsize_t position = 0;
  if (H5Literate(handle_.id(), H5_INDEX_CRT_ORDER, H5_ITER_INC, &position, note, &found) < 0) {
    found.clear(); // the order is not tracked in files of other programs
    position = 0;
    H5Literate(handle_.id(), H5_INDEX_NAME, H5_ITER_INC, &position, note, &found);
  }
  return found;
}

bool Group::is_dataset(const std::string& name) const {
  if (!has(name))
    return false;
  const Handle object(H5Oopen(handle_.id(), name.c_str(), H5P_DEFAULT), H5Oclose);
  return H5Iget_type(object.id()) == H5I_DATASET;
}

void Group::no_such(const char* what, const std::string& name) const {
  const std::vector<std::string> there = names();
  throw core::FileError(place_, std::string("has no ") + what + " '" + name + "'", core::suggestion(name, there));
}

Group Group::create_group(const std::string& name) {
  silence_hdf5();
  const std::string place = absolute_name(place_, name);
  const Handle properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  H5Pset_link_creation_order(properties.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_attr_creation_order(properties.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_attr_phase_change(properties.id(), most_compact_attributes, 0);
  return {Handle(checked(H5Gcreate2(handle_.id(), name.c_str(), H5P_DEFAULT, properties.id(), H5P_DEFAULT), place,
                         "cannot be created"),
                 H5Gclose),
          place};
}

Group Group::group(const std::string& name) const {
  if (!has(name))
    no_such("group", name);
  const std::string place = absolute_name(place_, name);
  Handle handle(H5Gopen2(handle_.id(), name.c_str(), H5P_DEFAULT), H5Gclose);
  if (handle.id() < 0)
    throw core::FileError(place, "is no group");
  return {std::move(handle), place};
}

Dataset Group::dataset(const std::string& name) const {
  if (!has(name)) {
    const std::size_t slash = name.rfind('/');
    if (slash != std::string::npos && slash + 1 < name.size() && slash > 0 && has(name.substr(0, slash)))
      group(name.substr(0, slash)).no_such("dataset", name.substr(slash + 1));
    no_such("dataset", name.starts_with('/') && slash == 0 ? name.substr(1) : name);
  }
  const std::string place = absolute_name(place_, name);
  Handle handle(H5Dopen2(handle_.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (handle.id() < 0)
    throw core::FileError(place, "is no dataset");
  return {std::move(handle), place};
}

Dataset Group::create(const std::string& name, hid_t type, const Shape& shape, const Storage& storage,
                      const void* fill) {
  silence_hdf5();
  const std::string place = absolute_name(place_, name);
  const Handle space = make_space(shape, storage.grows, place);
  const Handle properties = creation_properties(type, shape, storage, fill, place);
  const Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  // No cache of chunks: rows come in whole chunks where it matters, and a flush has metadata to write only.
  H5Pset_chunk_cache(access.id(), H5D_CHUNK_CACHE_NSLOTS_DEFAULT, 0, H5D_CHUNK_CACHE_W0_DEFAULT);
  return {Handle(checked(H5Dcreate2(handle_.id(), name.c_str(), type, space.id(), H5P_DEFAULT, properties.id(),
                                    access.id()),
                         place, "cannot be created"),
                 H5Dclose),
          place};
}

template <Number T>
Dataset Group::create(const std::string& name, const Shape& shape, const Storage& storage) {
  const T fill = fill_of<T>(storage.fill);
  return create(name, file_type<T>(), shape, storage, storage.grows ? &fill : nullptr);
}

Dataset Group::create_texts(const std::string& name, const Shape& shape, const Storage& storage) {
  return create(name, text_type().id(), shape, storage, nullptr);
}

template <Number T>
Dataset Group::write(const std::string& name, const Shape& shape, std::span<const T> values, const Storage& storage) {
  Dataset made = create<T>(name, shape, storage);
  made.write(values);
  return made;
}

template <Number T>
Dataset Group::write_scalar(const std::string& name, T value) {
  return write<T>(name, {}, std::span<const T>(&value, 1));
}

Dataset Group::write_text(const std::string& name, const std::string& text) {
  Dataset made = create_texts(name, {});
  made.write_texts(std::span<const std::string>(&text, 1));
  return made;
}

Dataset Group::write_texts(const std::string& name, std::span<const std::string> texts, const Storage& storage) {
  Dataset made = create_texts(name, {texts.size()}, storage);
  made.write_texts(texts);
  return made;
}

void Group::link(const std::string& name, const Group& from, const std::string& target) {
  silence_hdf5();
  checked(H5Lcreate_hard(from.handle_.id(), target.c_str(), handle_.id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
          absolute_name(place_, name), "cannot be linked");
}

#define INSTANTIATE(T)                                                                                                 \
  template Dataset Group::create<T>(const std::string&, const Shape&, const Storage&);                                 \
  template Dataset Group::write<T>(const std::string&, const Shape&, std::span<const T>, const Storage&);              \
  template Dataset Group::write_scalar<T>(const std::string&, T);
NORMDYN_FOR_NUMBERS(INSTANTIATE)
#undef INSTANTIATE

} // namespace normdyn::files
