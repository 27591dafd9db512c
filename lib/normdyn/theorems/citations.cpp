#include "normdyn/theorems/citations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

namespace normdyn::theorems {
namespace {

struct Use {
  std::string_view name;
  std::vector<std::string> keys;
};

std::vector<std::string> keys_of(const std::vector<Use>& uses, std::string_view name) {
  const auto found = std::find_if(uses.begin(), uses.end(), [&](const Use& use) { return use.name == name; });
  return found == uses.end() ? std::vector<std::string>{} : found->keys;
}

} // namespace

const Citation* find_citation(std::string_view key) {
  const auto& all = all_citations();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Citation& one) { return one.key == key; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> citations_of_scheme(std::string_view scheme) {
  static const std::vector<Use> uses{{"post_ln", {"pre-post-ln"}}, {"pre_ln", {"pre-post-ln"}},
                                     {"mix_ln", {"mix-ln"}},       {"peri_ln", {"peri-ln"}},
                                     {"ngpt", {"ngpt"}},           {"sqrt_scaling", {"layernorm-scaling"}}};
  return keys_of(uses, scheme);
}

std::vector<std::string> citations_of_method(std::string_view method) {
  static const std::vector<Use> uses{
      {"dopri5", {"dormand-prince"}},         {"dop853", {"hairer-norsett-wanner"}},
      {"cash_karp54", {"cash-karp"}},         {"fehlberg78", {"fehlberg"}},
      {"bulirsch_stoer", {"bulirsch-stoer"}}, {"adams_bashforth_moulton", {"hairer-norsett-wanner", "fehlberg"}}};
  return keys_of(uses, method);
}

std::vector<std::string> citations_of_libraries() {
  return {"odeint", "eigen", "hdf5", "random123"};
}

std::string citation_text(const Citation& citation) {
  const bool has_others = citation.authors.size() > 1 && citation.authors.back() == "others"; // as BibTeX has them
  const auto named = std::span(citation.authors).first(citation.authors.size() - (has_others ? 1 : 0));
  std::string text = fmt::format("{}{}. {}", fmt::join(named, ", "), has_others ? " and others" : "", citation.title);
  std::erase_if(text,
                [](char letter) { return letter == '{' || letter == '}'; }); // of names that BibTeX must not split
  if (!citation.where.empty())
    text += ". " + citation.where;
  if (citation.year > 0)
    text += fmt::format(" ({})", citation.year);
  return text + (citation.arxiv.empty() ? "" : ". arXiv:" + citation.arxiv);
}

std::string citation_bibtex(const Citation& citation) {
  std::string text = fmt::format("@{}{{{},\n", citation.type, citation.key);
  const auto field = [&text](std::string_view name, std::string_view value) {
    text += fmt::format("  {} = {{{}}},\n", name, value);
  };
  field("author", fmt::format("{}", fmt::join(citation.authors, " and ")));
  field("title", "{" + citation.title + "}");
  for (const auto& [name, value] : citation.fields)
    field(name, value);
  if (citation.year > 0)
    field("year", fmt::format("{}", citation.year));
  if (!citation.arxiv.empty()) {
    field("eprint", citation.arxiv);
    field("archiveprefix", "arXiv");
  }
  return text + "}\n";
}

} // namespace normdyn::theorems
