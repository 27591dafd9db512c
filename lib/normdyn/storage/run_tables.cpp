#include "normdyn/storage/run_tables.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/storage/run_header.hpp"

#include <algorithm>
#include <limits>

namespace normdyn::storage {
namespace {

using files::Dataset;
using files::Group;
using files::Shape;
using files::Storage;

constexpr std::size_t series_block = 1024;
constexpr std::size_t largest_buffer = std::size_t{64} << 20;

/// Rows of a chunk of states: 32 frames, fewer where so many would take more than 64 MiB.
std::size_t state_block(const RunHeader& header) {
  const std::size_t planned = header.n_states > 0 ? static_cast<std::size_t>(header.n_states) : 32;
  const std::size_t frame_bytes = header.n_tokens * header.dim * sizeof(double);
  return std::clamp<std::size_t>(largest_buffer / frame_bytes, 1, std::min<std::size_t>(32, planned));
}

/// The attribute that tells readers which value stands for none, of the type of the data.
void set_fill_value(const Dataset& dataset, Element element) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  files::Attributes attributes = dataset.attributes();
  if (element == Element::real)
    attributes.set("_FillValue", nan);
  else if (element == Element::real32)
    attributes.set("_FillValue", static_cast<float>(nan));
  else if (element == Element::integer)
    attributes.set("_FillValue", std::int64_t{-1});
  else
    attributes.set("_FillValue", std::int32_t{-1});
}

/// The second axis of a histogram with its bounds; made once, several variables may lie on it.
Dataset axis_of(Group& root, const SeriesVariable& variable) {
  if (root.has(variable.axis))
    return root.dataset(variable.axis);
  const std::size_t width = variable.axis_values.size();
  Dataset axis = root.write<double>(variable.axis, {width}, variable.axis_values);
  axis.make_scale();
  axis.attributes().set("units", "1");
  if (variable.axis_bounds.empty())
    return axis;
  const std::string name = variable.axis + "_bounds";
  axis.attributes().set("bounds", name);
  const Dataset ends = root.has("bnds") ? root.dataset("bnds") : write_index(root, "bnds", 2);
  std::vector<double> pairs;
  for (std::size_t i = 0; i < width; ++i)
    pairs.insert(pairs.end(), {variable.axis_bounds[i], variable.axis_bounds[i + 1]});
  Dataset bounds = root.write<double>(name, {width, 2}, pairs);
  bounds.attach_scale(0, axis);
  bounds.attach_scale(1, ends);
  return axis;
}

} // namespace

RunTables::RunTables(Group& root, const RunHeader& header) : is_compressed_(header.deflate > 0) {
  time_.emplace(root, "", header, header.with_states ? state_block(header) : series_block, true);
  if (header.with_states)
    make_states(root, header);
  if (!header.series.empty()) {
    if (!series_lie_on_time(header))
      observable_time_.emplace(root, "observable_", header, series_block, false);
    make_series(root, header);
  }
  make_events(root);
}

void RunTables::make_states(Group& root, const RunHeader& header) {
  const std::size_t n = header.n_tokens, block = state_block(header);
  const std::string coordinates = time_->coordinates() + (header.labels.empty() ? "" : " token_label");
  const auto describe = [&](const std::string& name, const char* long_name, Element element) {
    Dataset dataset = root.dataset(name);
    dataset.attach_scale(1, root.dataset("token"));
    dataset.attributes().set("long_name", long_name);
    dataset.attributes().set("units", "1");
    dataset.attributes().set("coordinates", coordinates);
    set_fill_value(dataset, element);
  };
  const Element element = header.float32_states ? Element::real32 : Element::real;
  const Storage storage{.grows = true, .chunk = {block, (n + 31) / 32, header.dim}, .deflate = header.deflate};
  theta_ = time_->add(root, "theta", {n, header.dim}, element, storage);
  describe("theta", "direction of token on the unit sphere", element);
  root.dataset("theta").attach_scale(2, root.dataset("component"));
  if (!header.has_radius)
    return;
  radius_ =
      time_->add(root, "radius", {n}, Element::real, {.grows = true, .chunk = {block, n}, .deflate = header.deflate});
  describe("radius", "norm of token", Element::real);
}

void RunTables::make_series(Group& root, const RunHeader& header) {
  for (const SeriesVariable& variable : header.series) {
    const bool has_axis = !variable.axis.empty();
    const Element element = !variable.is_integer ? Element::real
                            : has_axis           ? Element::integer // counts of pairs
                                                 : Element::integer32;
    const Shape shape = has_axis ? Shape{variable.width()} : Shape{};
    std::optional<Dataset> axis;
    if (has_axis)
      axis = axis_of(root, variable);
    series_.emplace_back(series_axis().add(root, variable.name, shape, element, {}), variable.width());
    Dataset dataset = root.dataset(variable.name);
    if (axis)
      dataset.attach_scale(1, *axis);
    files::Attributes attributes = dataset.attributes();
    attributes.set("long_name", variable.long_name);
    attributes.set("units", "1");
    for (const auto& [name, value] : variable.attributes)
      std::visit([&, &key = name](const auto& v) { attributes.set(key, v); }, value);
    attributes.set("coordinates", series_axis().coordinates());
    set_fill_value(dataset, element);
  }
}

void RunTables::make_events(Group& root) {
  Group group = root.create_group("events");
  const Storage storage{.grows = true, .chunk = {64}};
  Dataset scale = group.create<std::int64_t>("event", {0}, storage);
  scale.make_scale();
  Dataset time = group.create<double>("t", {0}, storage);
  Dataset name = group.create_texts("name", {0}, storage);
  Dataset value = group.create<double>("value", {0}, storage);
  for (Dataset* dataset : {&time, &name, &value})
    dataset->attach_scale(0, scale);
  time.attributes().set("long_name", "time of event");
  time.attributes().set("units", "1");
  name.attributes().set("long_name", "name of event");
  value.attributes().set("long_name", "value that goes with the event");
  set_fill_value(value, Element::real);
  event_datasets_.push_back(std::move(scale));
  event_datasets_.push_back(std::move(time));
  event_datasets_.push_back(std::move(name));
  event_datasets_.push_back(std::move(value));
}

void RunTables::state(double time, std::int64_t layer, double wall_seconds, std::span<const double> theta,
                      std::span<const double> radius) {
  core::believe(theta_.has_value() && radius_.has_value() == !radius.empty(), "states are what the header announced");
  time_->begin_row(time, layer, wall_seconds);
  time_->rows().push(*theta_, theta);
  if (radius_)
    time_->rows().push(*radius_, radius);
}

void RunTables::series(double time, std::int64_t layer, double wall_seconds, std::span<const double> values) {
  if (series_.empty())
    return;
  series_axis().begin_row(time, layer, wall_seconds);
  for (const auto& [column, width] : series_) {
    series_axis().rows().push(column, values.first(width));
    values = values.subspan(width);
  }
  core::believe(values.empty(), "a row of series has a value for each variable");
}

void RunTables::write_blocks() {
  time_->rows().write(false);
  if (observable_time_)
    observable_time_->rows().write(false);
}

void RunTables::write_all(bool is_end) {
  time_->rows().write(is_end || !is_compressed_);
  if (observable_time_)
    observable_time_->rows().write(true);
  write_events();
}

void RunTables::write_events() {
  std::vector<std::int64_t> number;
  std::vector<double> time, value;
  std::vector<std::string> name;
  const auto first = static_cast<std::int64_t>(event_datasets_[0].shape()[0]);
  for (const EventRecord& event : events_) {
    number.push_back(first + static_cast<std::int64_t>(number.size()));
    time.push_back(event.time);
    name.push_back(event.name);
    value.push_back(event.value);
  }
  event_datasets_[0].append<std::int64_t>(number);
  event_datasets_[1].append<double>(time);
  event_datasets_[2].append_texts(name);
  event_datasets_[3].append<double>(value);
  events_.clear();
}

std::int64_t RunTables::n_series() const {
  if (series_.empty())
    return 0;
  return observable_time_ ? observable_time_->rows().n_written() : time_->rows().n_written();
}

} // namespace normdyn::storage
