#pragma once
// A small run with something of everything, whose every number is known in closed form.

#include "normdyn/storage/run_writer.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace normdyn::test {

struct SampleOptions {
  std::size_t n_tokens = 2, dim = 3;
  std::int64_t n_rows = 5;
  bool has_radius = true;
  bool shared_axis = true;
  bool in_layers = false;
  bool with_extras = true; ///< labels, histogram, weights, inputs, events
};

/// Token j of frame k: rotates in the plane of the first two components; the third is 0.6 (the others shrink to fit).
inline std::vector<double> sample_theta(std::size_t n, std::size_t d, std::int64_t k) {
  std::vector<double> theta(n * d, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    const double angle = 0.25 * static_cast<double>(k) + static_cast<double>(j);
    const double size = d > 2 ? 0.8 : 1.0;
    theta[j * d] = size * std::cos(angle);
    theta[j * d + 1] = size * std::sin(angle);
    if (d > 2)
      theta[j * d + 2] = 0.6;
  }
  return theta;
}

inline std::vector<double> sample_radius(std::size_t n, std::int64_t k) {
  std::vector<double> radius(n);
  for (std::size_t j = 0; j < n; ++j)
    radius[j] = 1.0 + static_cast<double>(j) + 0.5 * static_cast<double>(k);
  return radius;
}

inline double sample_time(std::int64_t k) {
  return 0.125 * static_cast<double>(k);
}

inline std::vector<storage::SeriesVariable> sample_variables(bool with_histogram) {
  using Text = std::variant<double, std::string>;
  std::vector<storage::SeriesVariable> variables(2);
  variables[0].name = "mean_cosine";
  variables[0].long_name = "mean of <theta_j, theta_k> over j != k";
  variables[1].name = "n_clusters";
  variables[1].long_name = "number of clusters";
  variables[1].is_integer = true;
  variables[1].attributes = {{"threshold", Text(0.25)}, {"definition", Text(std::string("connected components"))}};
  if (with_histogram) {
    storage::SeriesVariable histogram;
    histogram.name = "cosine_histogram";
    histogram.long_name = "number of pairs j < k in each bin of <theta_j, theta_k>";
    histogram.is_integer = true;
    histogram.axis = "cosine_bin";
    histogram.axis_values = {-0.75, -0.25, 0.25, 0.75};
    histogram.axis_bounds = {-1.0, -0.5, 0.0, 0.5, 1.0};
    variables.push_back(histogram);
  }
  return variables;
}

/// The row of series at save k: mean_cosine is NaN and n_clusters is missing at save 3.
inline std::vector<double> sample_series(std::int64_t k, bool with_histogram) {
  const double x = static_cast<double>(k), missing = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> values{k == 3 ? missing : 1.0 / (1.0 + x), k == 3 ? missing : 2.0 + x};
  if (with_histogram)
    values.insert(values.end(), {x, 2 * x, 3 * x, 4 * x});
  return values;
}

inline storage::RunHeader sample_header(const SampleOptions& options) {
  storage::RunHeader header;
  header.title = "beta=\u221e \u00fc \u6f22\u5b57";
  header.run_id = "0123456789abcdef";
  header.history = "2026-01-01T00:00:00Z normdyn run a.toml";
  header.source = "normdyn 0.1.0";
  header.scheme = options.has_radius ? "pre_ln" : "post_ln";
  header.label = "beta=\u221e \u00fc \u6f22\u5b57";
  header.beta = 4.5;
  header.seed = 18'446'744'073'709'551'615u; // the largest: must survive
  header.member = 3;
  header.n_tokens = options.n_tokens;
  header.dim = options.dim;
  header.has_radius = options.has_radius;
  header.in_layers = options.in_layers;
  header.shared_axis = options.shared_axis;
  header.series = sample_variables(options.with_extras);
  header.theta0 = sample_theta(options.n_tokens, options.dim, 0);
  header.radius0 = options.has_radius ? sample_radius(options.n_tokens, 0) : std::vector(options.n_tokens, 1.0);
  header.generator = "by hand";
  header.config = std::string(70'000, 'c');
  header.config_source = "# \u00fc\nseed = 1\n";
  header.command_line = "normdyn run a.toml";
  header.provenance = {{"normdyn_version", std::string("0.1.0")}, {"git_dirty", std::int64_t{0}}};
  header.flush_seconds = 0.0;
  if (!options.with_extras)
    return header;
  for (std::size_t j = 0; j < options.n_tokens; ++j)
    header.labels.push_back(j == 1 ? "" : "\u6f22" + std::to_string(j)); // the empty label stays empty
  header.inputs = {{"initial.file", "words.h5:/x", std::string(64, 'a')}};
  const std::size_t d = options.dim;
  storage::WeightRecord piece;
  piece.n_heads = 2;
  piece.parts = {{"query", 4, d, std::vector<double>(4 * d, 0.5)},
                 {"output", d, 4, std::vector<double>(4 * d, 0.25)},
                 {"output_bias", d, 0, std::vector<double>(d, -1.0)},
                 {"key", 0, 0, {}}};
  for (std::size_t i = 0; i < 4 * d; ++i)
    piece.parts[0].data[i] = static_cast<double>(i + 1); // Q = [[1, 2, 3], [4, 5, 6], ...]
  header.weights = {piece, piece};
  header.weights[1].from = 0.25;
  return header;
}

/// Writes the rows first .. last - 1; observables twice as often as states where they have their own axis.
inline void write_rows(storage::RunWriter& writer, const SampleOptions& options, std::int64_t first,
                       std::int64_t last) {
  const std::size_t n = options.n_tokens;
  for (std::int64_t k = first; k < last; ++k) {
    writer.state(sample_time(k), 10 * k, sample_theta(n, options.dim, k),
                 options.has_radius ? sample_radius(n, k) : std::vector<double>());
    writer.series(sample_time(k), 10 * k, sample_series(k, options.with_extras));
    if (!options.shared_axis)
      writer.series(sample_time(k) + 0.0625, 10 * k + 5, sample_series(k, options.with_extras));
    writer.commit();
  }
}

inline storage::RunEnd sample_end() {
  return {storage::Status::completed,
          "reached the end time",
          {{"steps_accepted", std::int64_t{50}}, {"wall_seconds", 0.5}, {"exit_code", std::int64_t{0}}}};
}

/// A whole run.
inline void write_sample(const std::string& path, const SampleOptions& options, bool overwrite = false) {
  storage::RunWriter writer(path, sample_header(options), overwrite);
  write_rows(writer, options, 0, options.n_rows);
  if (options.with_extras) {
    writer.event({"merge", 0.25, 2.0});
    writer.event({"max_angle < 1e-6", 0.375, NAN});
  }
  writer.finish(sample_end());
}

} // namespace normdyn::test
