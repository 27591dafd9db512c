#include "normdyn/experiment/study_sections.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/experiment/score_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace normdyn::experiment {
namespace {

using core::Settings;
using core::Value;

constexpr double largest_exponent = 700.0; // exp(709.8) overflows; the rest is room for n tokens

bool needs_layer_grid(const Study& study) {
  return study.time.in_layers || study.solve.method == integrate::Method::author_euler;
}

double fixed_step(const Study& study) {
  return needs_layer_grid(study) ? study.solve.step : 0.0;
}

// Beta as frames see it: at a jump, the value of the piece that ends there, as all observables.
std::function<double(double)> beta_of_frames(const core::Schedule& beta, core::Interval span) {
  return [beta, jumps = core::inner_breakpoints(beta.breakpoints(), span), end = span.end](double t) {
    const bool at_jump = std::binary_search(jumps.begin(), jumps.end(), t) || t == end;
    return at_jump && !beta.is_constant() && !beta.breakpoints().empty()
               ? beta(std::nextafter(t, -std::numeric_limits<double>::infinity()))
               : beta(t);
  };
}

std::vector<std::string> default_record() {
  return {"mean_cosine", "n_clusters", "clock", "norm_error"};
}

std::vector<std::string> record_names(Settings& output) {
  const Value* written = output.raw("record");
  if (!written)
    return default_record();
  std::vector<std::string> names;
  const auto add = [&](const Value& item) {
    if (!item.is_text())
      output.refuse("record", core::toml_text(item) + " is no name of an observable",
                    "write record = [\"mean_cosine\", ...]");
    if (std::find(names.begin(), names.end(), item.text()) != names.end())
      output.refuse("record", fmt::format("'{}' is given twice", item.text()), "remove one");
    names.push_back(item.text());
  };
  if (!written->is_array())
    add(*written);
  else
    for (const Value& item : written->array())
      add(item);
  return names;
}

bool is_swept(const Study& study, std::string_view section) {
  return std::any_of(study.varied.begin(), study.varied.end(), [&](const Varied& varied) {
    return varied.path == section || varied.path.starts_with(std::string(section) + ".");
  });
}

// One record serves all cases of a sweep over schemes: what a scheme cannot have (radii) is left out of its file, and
// of its resolved config, so that the file repeats alone. Without such a sweep it is refused.
void read_record(Study& study, Settings& output, const observables::ObservableContext& context) {
  std::vector<std::string> names = record_names(output);
  if (is_swept(study, "scheme"))
    std::erase_if(names, [&](const std::string& name) {
      return observables::make_observables({name}, output, context, true).empty();
    });
  study.plan.observables = observables::make_observables(names, output, context, false);
  Value::Array kept(names.begin(), names.end());
  output.record("record", Value(std::move(kept)), names == default_record()); // written or not: the run id is the same
}

// What the kernels in float can keep: nobody gets a tolerance that they cannot.
void refuse_what_float32_misses(const Study& study, const Settings& solver) {
  constexpr double least_rtol = 1e-7; // about the relative error of the field
  const std::string remedy = "write kernel_precision = \"float64\"";
  if (!attention::has_float32(study.model.kernel))
    solver.refuse("kernel_precision", fmt::format("'float32' has no kernel '{}'", study.model.kernel),
                  remedy + ", or kernel = \"small_d\", \"tiles\" or \"auto\"");
  if (study.solve.step > 0.0) // no step control, no tolerance
    return;
  const dynamics::Tolerance& tolerance = study.solve.tolerance;
  for (const auto& [key, rtol] : {std::pair("rtol", tolerance.rtol), std::pair("radius_rtol", tolerance.radius_rtol)})
    if (rtol < least_rtol)
      solver.refuse("kernel_precision",
                    fmt::format("'float32' does not reach {} = {}: the error of its kernels is about 1e-7", key, rtol),
                    fmt::format("{}, or {} >= {}", remedy, key, least_rtol));
  if (study.solve.error_scale == integrate::ErrorScale::spread)
    solver.refuse("kernel_precision", "'float32' does not keep the relative accuracy of error_scale = \"spread\"",
                  remedy + ", or error_scale = \"radian\"");
}

void refuse_off_grid(const Settings& root, const char* key, const std::vector<double>& jumps, const Study& study) {
  const double step = fixed_step(study), begin = study.time.span.begin;
  for (const double t : core::inner_breakpoints(jumps, study.time.span)) {
    const double layers = (t - begin) / step;
    if (std::abs(layers - std::round(layers)) > 1e-9 * std::max(1.0, std::abs(layers)))
      root.refuse(key, fmt::format("jumps at t = {}, which is no multiple of the step {} from t = {}", t, step, begin),
                  fmt::format("the nearest multiple is {}", begin + std::round(layers) * step));
  }
}

} // namespace

void read_attention(Study& study, Settings& root) {
  Settings attention = root.section("attention");
  const std::vector<std::string> kinds = {"softmax", "unnormalized"}, masks = {"full", "causal"};
  study.model.attention.normalization = attention.choice("kind", kinds, "softmax") == "softmax"
                                            ? attention::Normalization::softmax
                                            : attention::Normalization::unnormalized;
  study.model.attention.mask =
      attention.choice("mask", masks, "full") == "full" ? attention::Mask::full : attention::Mask::causal;
  const std::int64_t heads = attention.integer("heads", {.fallback = 1, .at_least = 1, .at_most = 1 << 16});
  study.model.beta = core::read_schedule(attention, "beta", {.fallback = 1.0}, study.time.span.begin);
  root.define("beta", study.model.beta(study.time.span.begin));

  // The duration of a layer is known before the weights, which may be drawn anew in each.
  double layer_time = 1.0;
  if (Settings time = root.section("time"); time.has("step"))
    layer_time = time.number("step", {.above = 0.0});
  study.model.weights = attention::read_weights(root, {.dim = study.initial.dim,
                                                       .n_heads = static_cast<std::size_t>(heads),
                                                       .seed = study.seed,
                                                       .layer_time = layer_time,
                                                       .folder = study.folder});
}

void read_scheme(Study& study, Settings& root) {
  if (!root.has("scheme")) {
    std::vector<std::string> names;
    for (const auto& facts : schemes::all_schemes())
      names.push_back(facts.name);
    root.refuse("scheme", "the section [scheme] is missing", "write [scheme] and name = one of " + core::listed(names));
  }
  Settings scheme = root.section("scheme");
  study.model.scheme = schemes::read_scheme(scheme, {.n_tokens = study.initial.n_tokens,
                                                     .dim = study.initial.dim,
                                                     .beta = study.model.beta,
                                                     .begin = study.time.span.begin});
  study.scheme = std::string(schemes::name_of(study.model.scheme));
  study.label = scheme.text("label", study.scheme);
}

void read_time(Study& study, Settings& time) {
  const std::vector<std::string> modes = {"flow", "layers"};
  study.time.in_layers = time.choice("mode", modes, "flow") == "layers";
  core::Interval& span = study.time.span;
  if (study.time.in_layers) {
    time.foreign("end", "is an option of mode \"flow\"; this study's mode is \"layers\", which ends after time.layers");
    study.time.n_layers = time.integer("layers", {.at_least = 1, .at_most = std::int64_t{1} << 40});
    study.time.step = time.number("step", {.fallback = 1.0, .above = 0.0});
    span.end = span.begin + static_cast<double>(study.time.n_layers) * study.time.step;
    return;
  }
  time.foreign("layers", "is an option of mode \"layers\"; this study's mode is \"flow\", which ends at time.end");
  span.end = time.number("end");
  if (span.end < span.begin)
    time.refuse("end", fmt::format("{} is before the begin, {}", span.end, span.begin),
                "let time.end be at least time.begin");
}

void read_solver(Study& study, Settings& solver) {
  const std::vector<std::string> forms = {"polar", "cartesian"};
  if (study.time.in_layers) {
    for (const std::string& key : solver.keys())
      solver.foreign(key, "is an option of mode \"flow\"; this study's mode is \"layers\", which has no solver");
    study.solve.method = integrate::Method::layers;
    study.solve.step = study.time.step;
    return;
  }
  study.solve = integrate::read_solve_options(solver, study.time.span);
  study.model.kernel = solver.choice("kernel", attention::attention_kernel_names(), study.model.kernel);
  const std::vector<std::string> precisions = {"float64", "float32"};
  if (solver.choice("kernel_precision", precisions, "float64") == "float32") {
    study.model.attention.precision = attention::Precision::float32;
    refuse_what_float32_misses(study, solver);
  }
  if (solver.choice("variables", forms, "polar") == "cartesian") {
    if (!schemes::has_radius(study.model.scheme))
      solver.refuse("variables", fmt::format("'cartesian' needs radii, and scheme {} carries none", study.scheme),
                    "write variables = \"polar\"");
    if (study.solve.error_scale == integrate::ErrorScale::spread)
      solver.refuse("error_scale", "'spread' measures directions, which Cartesian variables do not have",
                    "write variables = \"polar\"");
    study.model.variables = dynamics::Variables::cartesian;
  }
}

void read_output(Study& study, Settings& output, Settings& time) {
  const observables::ObservableContext context{.n_tokens = study.initial.n_tokens,
                                               .dim = study.initial.dim,
                                               .has_radius = schemes::has_radius(study.model.scheme)};
  integrate::SolvePlan& plan = study.plan;
  const bool on_layers = needs_layer_grid(study);
  plan.states = integrate::read_save_schedule(output, "states", study.time.span, fixed_step(study),
                                              on_layers ? "every layer" : "ends");
  plan.series = integrate::read_save_schedule(output, "observables", study.time.span, fixed_step(study),
                                              on_layers ? "every layer" : "every step");
  plan.save_states = !plan.states.is_none();
  read_record(study, output, context);
  study.closing = observables::make_observables({"mean_cosine", "n_clusters"}, output, context, false);
  study.output.cluster_angle = output.angle("cluster_angle", "8 deg");

  plan.events = integrate::read_events(time, "stop", output, context, true);
  for (integrate::Event& event : integrate::read_events(output, "events", output, context, false))
    plan.events.push_back(std::move(event));
  plan.beta = beta_of_frames(study.model.beta, study.time.span);

  study.output.deflate = static_cast<int>(output.integer("deflate", {.fallback = 0, .at_least = 0, .at_most = 9}));
  study.output.float32 = output.flag("float32", false);
  study.output.flush_seconds = output.number("flush_seconds", {.fallback = 1.0, .at_least = 0.0});
  study.output.with_host = output.flag("host", false);
}

void check_breakpoints(const Study& study, Settings& root) {
  if (needs_layer_grid(study)) {
    const auto scheme_jumps = std::visit([](const auto& scheme) { return scheme.breakpoints(); }, study.model.scheme);
    refuse_off_grid(root, "scheme", scheme_jumps, study);
    refuse_off_grid(root, "attention", study.model.beta.breakpoints(), study);
    refuse_off_grid(root, "weights", study.model.weights->breakpoints(study.time.span), study);
  }
  if (study.model.attention.normalization == attention::Normalization::unnormalized) {
    const double exponent = largest_score(study);
    if (exponent > largest_exponent)
      root.section("attention")
          .refuse("beta",
                  fmt::format("scores reach {:.4g}, and exp of more than {} overflows without the "
                              "softmax's division",
                              exponent, largest_exponent),
                  "lower beta, or write kind = \"softmax\"");
  }
}

} // namespace normdyn::experiment
