#include "normdyn/experiment/build_facts.hpp"
#include "normdyn/experiment/canonical.hpp"
#include "normdyn/experiment/run_case.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace normdyn::experiment {
namespace {

constexpr std::size_t most_weight_bytes = std::size_t{64}
                                          << 20; // of weights stored; drawn ones come again from the seed

storage::WeightRecord weight_record(const attention::Weights& weights, double from) {
  storage::WeightRecord record{from, weights.n_heads, {}};
  const auto add = [&](const std::string& name, const attention::Projection& projection) {
    if (const auto& m = projection.matrix)
      record.parts.push_back({name,
                              static_cast<std::size_t>(m->rows()),
                              static_cast<std::size_t>(m->cols()),
                              {m->data(), m->data() + m->size()}});
    if (const auto& b = projection.bias)
      record.parts.push_back(
          {name + "_bias", static_cast<std::size_t>(b->size()), 0, {b->data(), b->data() + b->size()}});
  };
  add("query", weights.query);
  add("key", weights.key);
  add("value", weights.value);
  add("output", weights.output);
  return record;
}

// All pieces as far as they fit; the fact "weights_pieces" says how many there are.
void add_weights(storage::RunHeader& header, const Study& study) {
  if (study.model.weights->is_identity())
    return;
  const auto pieces = core::pieces(
      study.time.span, core::inner_breakpoints(study.model.weights->breakpoints(study.time.span), study.time.span));
  std::size_t bytes = 0;
  for (const core::Interval piece : pieces) {
    storage::WeightRecord record = weight_record(study.model.weights->on(piece), piece.begin);
    for (const auto& part : record.parts)
      bytes += part.data.size() * sizeof(double);
    if (!header.weights.empty() && bytes > most_weight_bytes)
      break;
    header.weights.push_back(std::move(record));
  }
  header.provenance.emplace_back("weights_pieces", static_cast<std::int64_t>(pieces.size()));
}

// Where the config stood, seen from the run file, so that --from finds relative inputs again when both were moved
// together. Only if one lies in a folder of the other: a longer way around would tell the names of the user's folders.
std::string config_folder_from(const Study& study) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path folder = fs::weakly_canonical(study.folder, failed);
  const fs::path output = fs::weakly_canonical(fs::absolute(study.output.path), failed).parent_path();
  const std::string way = failed ? "" : folder.lexically_relative(output).generic_string();
  return way.find_first_not_of("./") == std::string::npos || way.find("..") == std::string::npos ? way : "";
}

std::vector<storage::SeriesVariable> series_variables(const Study& study) {
  std::vector<storage::SeriesVariable> series;
  for (const auto& observable : study.plan.observables)
    for (const observables::Variable& v : observable->variables())
      series.push_back({v.name, v.long_name, v.is_integer, v.attributes, v.axis, v.axis_values, v.axis_bounds});
  return series;
}

} // namespace

storage::RunHeader make_header(const Study& study, const RunOptions& options) {
  const bool has_radius = schemes::has_radius(study.model.scheme);
  storage::RunHeader header;
  header.title = study.title;
  header.source = "normdyn " + version();
  header.run_id = run_id(study.changed, study.seed, study.inputs);
  header.history = fmt::format("{} {}", utc_now(), options.command_line.empty() ? "normdyn" : options.command_line);
  header.scheme = study.scheme;
  header.label = study.label;
  header.beta = study.model.beta(study.time.span.begin);
  header.seed = study.seed;
  header.n_tokens = study.initial.n_tokens;
  header.dim = study.initial.dim;
  header.has_radius = has_radius;
  header.in_layers = study.time.in_layers;
  header.with_states = study.plan.save_states;
  header.shared_axis = study.plan.save_states && study.plan.states == study.plan.series;
  header.series = series_variables(study);
  header.theta0 = {study.initial.theta.begin(), study.initial.theta.end()};
  header.radius0 = std::vector<double>(study.initial.n_tokens, 1.0);
  header.labels = study.initial.labels;
  header.generator = study.initial.generator;
  header.initial_note = study.initial.note;
  header.config = config_text(study.resolved);
  header.config_source = study.source_text;
  header.command_line = options.command_line;
  header.inputs = study.inputs;
  header.provenance = build_facts();
  header.float32_states = study.output.float32;
  header.deflate = study.output.deflate;
  header.flush_seconds = study.output.flush_seconds;
  if (!options.note.empty())
    header.history += "  (" + options.note + ")";
  if (has_radius)
    header.radius0.assign(study.initial.radius.begin(), study.initial.radius.end());
  for (storage::Fact& fact : machine_facts(study.output.with_host))
    header.provenance.push_back(std::move(fact));
  header.provenance.emplace_back("attention_kernel", kernel_in_use(study));
  header.provenance.emplace_back("start_time", utc_now());
  if (const std::string way = config_folder_from(study); !way.empty())
    header.provenance.emplace_back("config_folder", way);
  add_weights(header, study);
  return header;
}

} // namespace normdyn::experiment
