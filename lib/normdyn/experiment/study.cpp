#include "normdyn/experiment/study.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/experiment/study_sections.hpp"
#include "normdyn/files/matrix_file.hpp"
#include "normdyn/files/sha256.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace normdyn::experiment {
namespace {

using core::Settings;
using core::Value;

// Features that the config language has and this version has not: refused by name, all at once.
void refuse_what_is_not_available(const Settings& root, const Value& written) {
  std::vector<std::string> missing;
  std::string first;
  const auto note = [&](const char* section, const char* key, const std::string& shown) {
    const Value* table = written.find(section);
    if (!table || (*key && !table->find(key)))
      return;
    if (first.empty())
      first = root.place(section) + (*key ? std::string(".") + key : "");
    missing.push_back(shown);
  };
  note("ensemble", "", "[ensemble]");
  note("output", "store", "output.store");
  note("output", "quantiles", "output.quantiles");
  if (missing.empty())
    return;
  std::string names;
  for (std::size_t i = 0; i < missing.size(); ++i)
    names += (i == 0 ? "" : i + 1 == missing.size() ? " and " : ", ") + missing[i];
  throw core::InputError(first,
                         fmt::format("{} {} not available in this version", names, missing.size() > 1 ? "are" : "is"),
                         fmt::format("remove {}", missing.size() > 1 ? "them" : "it"));
}

// The bytes of every input count for the run id and for repeating the run; the config's own text names it.
std::vector<storage::RunInput> hashed_inputs(const Study& study) {
  std::vector<storage::RunInput> inputs;
  const auto add = [&](const std::string& key, const std::string& path) {
    const std::string file = files::split_spec(path).path;
    for (const storage::RunInput& known : inputs)
      if (known.key == key && known.path == path)
        return;
    inputs.push_back({key, path, files::sha256_of_file(file)});
  };
  for (const auto& input : study.initial.inputs)
    add(input.key, input.path);
  for (const auto& input : study.model.weights->inputs())
    add(input.key, input.path);
  for (storage::RunInput& input : inputs) {
    const std::filesystem::path path(input.path);
    if (path.is_absolute() == std::filesystem::path(study.folder).is_absolute())
      if (const auto relative = path.lexically_relative(study.folder); !relative.empty())
        input.path = relative.generic_string(); // as the config writes it, without the folder of this machine
  }
  return inputs;
}

void read_output_path(Study& study, Settings& output, const StudyOptions& options) {
  namespace fs = std::filesystem;
  std::string fallback = fs::path(study.source_name).stem().string();
  for (const Varied& varied : study.varied)
    fallback += "-{" + varied.path + "}";
  const std::string pattern = output.text("file", "out/" + fallback + ".h5");

  std::vector<std::pair<std::string, std::string>> names;
  const auto add = [&](const std::string& name, std::string text) {
    std::replace(text.begin(), text.end(), '/', '_');
    if (std::none_of(names.begin(), names.end(), [&](const auto& known) { return known.first == name; }))
      names.emplace_back(name, std::move(text));
  };
  for (const Varied& varied : study.varied) {
    add(varied.path, varied.text);
    add(varied.name, varied.text);
  }
  add("scheme", study.scheme);
  add("label", study.label);
  const bool is_given = !options.output.empty();
  const std::string name =
      filled(is_given ? options.output : pattern, names, is_given ? "--output" : output.place("file"));
  const fs::path path = is_given || fs::path(name).is_absolute() ? fs::path(name) : fs::path(study.folder) / name;
  study.output.path = path.lexically_normal().string();
  if (fs::path(study.output.path).filename().empty())
    output.refuse("file", fmt::format("'{}' names no file", name), "e.g. file = \"out/run.h5\"");
}

void refuse_input_as_output(const Study& study, Settings& output) {
  const auto refuse_same = [&](const std::string& input) {
    std::error_code ignored;
    if (std::filesystem::equivalent(files::split_spec(input).path, study.output.path, ignored))
      output.refuse("file", fmt::format("'{}' is an input of this study", study.output.path), "choose another name");
  };
  for (const auto& input : study.initial.inputs)
    refuse_same(input.path);
  for (const auto& input : study.model.weights->inputs())
    refuse_same(input.path);
  refuse_same(study.source_name);
}

// A kernel that was asked for by name and cannot take this study would give way to another without a word.
void refuse_other_kernel(const Study& study, Settings& solver) {
  const std::string &asked = study.model.kernel, text = kernel_in_use(study), used = text.substr(0, text.find(','));
  if (asked == "auto" || asked == used)
    return;
  solver.refuse("kernel",
                fmt::format("'{}' cannot take these tokens, weights, mask and beta; it would be '{}'", asked, used),
                fmt::format("kernel = \"{}\" or \"auto\"", used));
}

} // namespace

Study read_study(const Case& one, const Config& config, const StudyOptions& options) {
  Settings root(one.root, config.source);
  refuse_what_is_not_available(root, one.root);
  Study study;
  study.source_text = config.text;
  study.source_name = config.source;
  study.folder = config.folder;
  study.varied = one.varied;
  study.title = root.text("title", "");
  study.seed = static_cast<std::uint64_t>(root.integer("seed", {.fallback = 0, .at_least = 0}));
  study.initial = initial::read_initial(
      root, {.seed = study.seed, .folder = config.folder, .without_tokens = options.without_tokens});

  Settings time = root.section("time");
  study.time.span.begin = time.number("begin", {.fallback = 0.0});
  read_attention(study, root);
  read_scheme(study, root);
  read_time(study, time);
  Settings solver = root.section("solver");
  read_solver(study, solver);
  Settings output = root.section("output");
  read_output_path(study, output, options);
  read_output(study, output, time);
  root.refuse_unread();
  refuse_input_as_output(study, output);
  check_breakpoints(study, root);
  refuse_other_kernel(study, solver);

  study.inputs = hashed_inputs(study);
  study.resolved = root.resolved();
  study.changed = root.resolved(true);
  return study;
}

dynamics::TokenEquation make_equation(const Study& study) {
  return {study.model, study.initial.n_tokens, study.initial.dim, study.initial.radius};
}

std::vector<double> breakpoints(const Study& study) {
  return core::inner_breakpoints(make_equation(study).breakpoints(study.time.span), study.time.span);
}

std::string kernel_in_use(const Study& study) {
  const core::Interval first = core::pieces(study.time.span, breakpoints(study)).front();
  const attention::KernelCase at{.n_tokens = study.initial.n_tokens,
                                 .dim = study.initial.dim,
                                 .beta = study.model.beta.on(first)(first.begin),
                                 .mask = study.model.attention.mask,
                                 .precision = study.model.attention.precision};
  return attention::attention_kernel(study.model.weights->on(first), at, study.model.kernel);
}

} // namespace normdyn::experiment
