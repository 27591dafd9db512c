#include "verb.hpp"

namespace normdyn::cli {

std::vector<std::unique_ptr<Verb>> all_verbs() {
  std::vector<std::unique_ptr<Verb>> verbs;
  verbs.push_back(make_run_verb());
  verbs.push_back(make_explain_verb());
  verbs.push_back(make_template_verb());
  verbs.push_back(make_inspect_verb());
  verbs.push_back(make_rates_verb());
  verbs.push_back(make_reduced_verb());
  verbs.push_back(make_reproduce_verb());
  verbs.push_back(make_cite_verb());
  verbs.push_back(make_doctor_verb());
  return verbs;
}

} // namespace normdyn::cli
