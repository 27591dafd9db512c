#include "normdyn/files/matrix_file.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/files/csv_file.hpp"
#include "normdyn/files/hdf5.hpp"
#include "normdyn/files/npy_file.hpp"
#include "normdyn/files/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace normdyn::files {
namespace {

/// Numbers of any shape, with their shape.
struct Numbers {
  Shape shape;
  std::vector<double> values;
  std::string header{}; ///< of a CSV file
};

void require_finite(const Numbers& numbers, const std::string& place) {
  const std::size_t columns = numbers.shape.size() == 2 ? numbers.shape[1] : 1;
  for (std::size_t i = 0; i < numbers.values.size(); ++i)
    if (!std::isfinite(numbers.values[i])) {
      const std::string cell = numbers.shape.size() == 2 ? fmt::format("row {}, column {}", i / columns, i % columns)
                                                         : fmt::format("entry {}", i);
      throw core::FileError(place,
                            fmt::format("{} (counted from 0) is {}, which is not finite", cell, numbers.values[i]));
    }
}

bool has_hdf5_name(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  return extension == ".h5" || extension == ".hdf5" || extension == ".nc" || extension == ".hdf";
}

Numbers read_dataset(const FileSpec& spec) {
  const Hdf5File file = Hdf5File::open(spec.path);
  if (spec.dataset.empty())
    throw core::FileError(
        spec.path, "is an HDF5 file, but no dataset is named",
        fmt::format("write \"{}:/name\"; in the file: {}", spec.path, core::listed(file.root().names())));
  const Dataset dataset = file.root().dataset(spec.dataset);
  return {dataset.shape(), dataset.read<double>()};
}

Numbers read_numbers(const std::string& spec) {
  const FileSpec parts = split_spec(spec);
  Numbers numbers;
  const std::string extension = std::filesystem::path(parts.path).extension().string();
  if (!parts.dataset.empty() || has_hdf5_name(parts.path)) {
    numbers = read_dataset(parts);
  } else if (extension == ".npy") {
    NpyArray array = parse_npy(read_text(parts.path), parts.path);
    numbers = {std::move(array.shape), std::move(array.values), {}};
  } else if (extension == ".csv") {
    MatrixData matrix = parse_csv(read_text(parts.path), parts.path);
    numbers = {{matrix.rows, matrix.columns}, std::move(matrix.values), std::move(matrix.header)};
  } else {
    require_readable_file(parts.path);
    throw core::FileError(parts.path, fmt::format("has the unknown extension '{}'", extension),
                          "known: .csv, .npy, and HDF5 as \"file.h5:/dataset\"");
  }
  require_finite(numbers, spec);
  return numbers;
}

std::string shape_text(const Shape& shape) {
  std::string text;
  for (const std::size_t length : shape)
    text += (text.empty() ? "" : " x ") + std::to_string(length);
  return text.empty() ? "scalar" : text;
}

MatrixData read_member(const Dataset& dataset, bool is_bias) {
  const Numbers numbers{dataset.shape(), dataset.read<double>()};
  if (numbers.shape.size() != (is_bias ? 1u : 2u))
    throw core::FileError(dataset.place(), fmt::format("has shape {}, where a {} is expected",
                                                       shape_text(numbers.shape), is_bias ? "vector" : "matrix"));
  require_finite(numbers, dataset.place());
  return {numbers.shape[0], is_bias ? 0 : numbers.shape[1], numbers.values};
}

std::size_t heads_of(const Group& group) {
  for (const char* name : {"heads", "n_heads"})
    if (group.attributes().has(name)) {
      const std::int64_t heads = group.attributes().integer(name);
      if (heads < 1)
        throw core::FileError(group.place(), fmt::format("attribute '{}' is {}", name, heads), "it must be at least 1");
      return static_cast<std::size_t>(heads);
    }
  return 1;
}

} // namespace

FileSpec split_spec(std::string_view spec) {
  const std::size_t colon = spec.rfind(":/");
  if (colon == std::string_view::npos || colon == 0)
    return {std::string(spec), {}};
  return {std::string(spec.substr(0, colon)), std::string(spec.substr(colon + 1))};
}

std::string resolved_spec(std::string_view spec, std::string_view folder) {
  const FileSpec parts = split_spec(spec);
  const std::filesystem::path path(parts.path);
  const bool stays = path.is_absolute() || folder.empty() || folder == ".";
  const std::string resolved = stays ? parts.path : (std::filesystem::path(folder) / path).lexically_normal().string();
  return parts.dataset.empty() ? resolved : resolved + ":" + parts.dataset;
}

MatrixData read_matrix(const std::string& spec) {
  Numbers numbers = read_numbers(spec);
  if (numbers.shape.size() != 2)
    throw core::FileError(
        spec, fmt::format("has shape {}, where a matrix (rows x columns) is expected", shape_text(numbers.shape)));
  return {numbers.shape[0], numbers.shape[1], std::move(numbers.values), std::move(numbers.header)};
}

std::vector<double> read_vector(const std::string& spec) {
  Numbers numbers = read_numbers(spec);
  const Shape& shape = numbers.shape;
  const bool is_line = shape.size() == 2 && (shape[0] == 1 || shape[1] == 1);
  if (shape.size() != 1 && !is_line)
    throw core::FileError(spec, fmt::format("has shape {}, where a vector is expected", shape_text(shape)));
  return std::move(numbers.values);
}

std::vector<std::string> read_strings(const std::string& spec) {
  const FileSpec parts = split_spec(spec);
  if (!parts.dataset.empty()) {
    const Hdf5File file = Hdf5File::open(parts.path);
    const Dataset dataset = file.root().dataset(parts.dataset);
    if (dataset.shape().size() != 1)
      throw core::FileError(spec, fmt::format("has shape {}, where a list is expected", shape_text(dataset.shape())));
    return dataset.read_texts();
  }
  if (has_hdf5_name(parts.path)) // says which datasets there are
    static_cast<void>(read_dataset(parts));
  std::string text = read_text(parts.path);
  if (text.starts_with("\xef\xbb\xbf"))
    text.erase(0, 3);
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) { // a line ends with its newline: none follows the last one
    std::size_t end = text.find('\n', begin);
    if (end == std::string::npos)
      end = text.size();
    lines.push_back(text.substr(begin, end - begin));
    if (lines.back().ends_with('\r'))
      lines.back().pop_back();
    begin = end + 1;
  }
  return lines;
}

const MatrixData* WeightsGroup::find(std::string_view name) const {
  for (const auto& [part, data] : parts)
    if (part == name)
      return &data;
  return nullptr;
}

WeightsGroup read_weights_group(const std::string& spec) {
  const FileSpec parts = split_spec(spec);
  const Hdf5File file = Hdf5File::open(parts.path);
  const Group group = file.root().group(parts.dataset.empty() ? "/" : parts.dataset);
  WeightsGroup weights;
  weights.n_heads = heads_of(group);
  for (const std::string name : {"query", "key", "value", "output"}) {
    if (group.has(name))
      weights.parts.emplace_back(name, read_member(group.dataset(name), false));
    if (group.has(name + "_bias"))
      weights.parts.emplace_back(name + "_bias", read_member(group.dataset(name + "_bias"), true));
  }
  const auto is_matrix = [](const auto& part) { return part.second.columns > 0; };
  if (std::find_if(weights.parts.begin(), weights.parts.end(), is_matrix) == weights.parts.end())
    throw core::FileError(group.place(), "has none of the matrices query, key, value, output",
                          "in the group: " + core::listed(group.names()));
  return weights;
}

} // namespace normdyn::files
