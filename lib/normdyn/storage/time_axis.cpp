#include "normdyn/storage/time_axis.hpp"

#include "normdyn/core/error.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace normdyn::storage {
namespace {

using files::Dataset;
using files::Group;
using files::Shape;
using files::Storage;

Dataset create(Group& root, const std::string& name, const Shape& shape, Element element, const Storage& storage) {
  switch (element) {
  case Element::real32:
    return root.create<float>(name, shape, storage);
  case Element::integer:
    return root.create<std::int64_t>(name, shape, storage);
  case Element::integer32:
    return root.create<std::int32_t>(name, shape, storage);
  default:
    return root.create<double>(name, shape, storage);
  }
}

} // namespace

TimeAxis::TimeAxis(Group& root, const std::string& prefix, const RunHeader& header, std::size_t block, bool with_wall)
    : rows_(block), scale_(root.create<double>(prefix + "time", {0}, {.grows = true, .chunk = {1024}})),
      coordinates_(scalar_coordinates) {
  scale_.make_scale();
  scale_.attributes().set("long_name", header.in_layers ? "time (depth: sum of the layers' steps)"
                                                        : "integration time (one unit = one residual block)");
  scale_.attributes().set("units", "1");
  if (prefix.empty())
    scale_.attributes().set("axis", "T");
  time_ = rows_.add(root.dataset(prefix + "time"), 1, Element::real);

  const std::string step = prefix + (header.in_layers ? "layer" : "step");
  if (header.in_layers)
    coordinates_ = step + " " + coordinates_;
  step_ = add(root, step, {}, Element::integer, {});
  root.dataset(step).attributes().set("long_name", header.in_layers ? "layers passed" : "steps taken");
  root.dataset(step).attributes().set("units", "1");
  if (with_wall) {
    wall_ = add(root, prefix + "wall_time", {}, Element::real, {});
    root.dataset(prefix + "wall_time").attributes().set("long_name", "time since the start of the program's run");
    root.dataset(prefix + "wall_time").attributes().set("units", "s");
  }
}

std::size_t TimeAxis::add(Group& root, const std::string& name, const Shape& shape, Element element, Storage storage) {
  Shape whole{0};
  whole.insert(whole.end(), shape.begin(), shape.end());
  const std::size_t width = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  storage.grows = true;
  if (storage.chunk.empty()) {
    storage.chunk = whole;
    storage.chunk[0] = std::clamp<std::size_t>(65536 / width, 1, 1024);
  }
  Dataset made = create(root, name, whole, element, storage);
  made.attach_scale(0, scale_);
  return rows_.add(std::move(made), width, element);
}

void TimeAxis::begin_row(double time, std::int64_t layer, double wall_seconds) {
  if (last_ && *last_ == time)
    return;
  core::believe(!last_ || *last_ < time, "times of output increase");
  last_ = time;
  rows_.push(time_, time);
  rows_.push(step_, static_cast<double>(layer));
  if (wall_)
    rows_.push(*wall_, wall_seconds);
}

} // namespace normdyn::storage
