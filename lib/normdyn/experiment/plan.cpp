#include "normdyn/experiment/plan.hpp"

#include "normdyn/core/error.hpp"

#include <fmt/format.h>

#include <map>

namespace normdyn::experiment {
namespace {

[[noreturn]] void refuse_shared_file(const Config& config, const PlannedCase& a, const PlannedCase& b) {
  std::string different;
  for (std::size_t i = 0; i < a.one.varied.size(); ++i)
    if (a.one.varied[i].text != b.one.varied[i].text && different.empty())
      different = a.one.varied[i].path;
  const core::Value* output = config.root.find("output");
  const core::Value* file = output ? output->find("file") : nullptr;
  throw core::InputError((file ? file->place.text() : config.source) + ": output.file",
                         fmt::format("'{}' would be the file of two cases, {} and {}", a.path, a.label, b.label),
                         fmt::format("put {{{}}} into the name", different));
}

} // namespace

std::string case_label(const std::string& label, const std::string& scheme, const std::vector<Varied>& varied) {
  std::string text = label;
  for (const Varied& value : varied)
    if (value.text != label && value.text != scheme)
      text += value.path == "scheme" ? " " + value.text : fmt::format(" {}={}", value.name, value.text);
  return text;
}

std::vector<PlannedCase> plan_cases(const Config& config, const StudyOptions& options,
                                    const std::function<void(const Study&)>& check) {
  std::vector<PlannedCase> planned;
  std::map<std::string, std::size_t> owner;
  for (Case& one : expand(config)) {
    const Study study = read_study(one, config, options);
    planned.push_back({std::move(one), study.output.path, case_label(study.label, study.scheme, study.varied)});
    const auto [known, is_new] = owner.emplace(study.output.path, planned.size() - 1);
    if (!is_new)
      refuse_shared_file(config, planned[known->second], planned.back());
    check(study);
  }
  return planned;
}

} // namespace normdyn::experiment
