#pragma once
// What to cite: the literature behind claims, schemes, methods and libraries. Facts that are not certain are left out
// rather than guessed; the arXiv number always leads to them.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace normdyn::theorems {

struct Citation {
  std::string key;  ///< of Claim::citations, and of the BibTeX entry: "normalization-attention"
  std::string type; ///< of the BibTeX entry: article, inproceedings, book, misc, techreport
  std::vector<std::string> authors;
  std::string title;
  /// Journal, proceedings, publisher or series, with volume and pages for people: "Numerische Mathematik 8, 1-13".
  std::string where{};
  /// The same as BibTeX fields: {"journal", "Numerische Mathematik"}, {"volume", "8"}, {"pages", "1--13"}.
  std::vector<std::pair<std::string, std::string>> fields{};
  int year = 0;
  std::string arxiv{}; ///< "2510.22026"
};

[[nodiscard]] const std::vector<Citation>& all_citations();

/// nullptr if there is none of that key.
[[nodiscard]] const Citation* find_citation(std::string_view key);

/// Keys of what introduced a scheme ("post_ln"), a method ("dopri5"); empty where there is nothing to cite.
[[nodiscard]] std::vector<std::string> citations_of_scheme(std::string_view scheme);
[[nodiscard]] std::vector<std::string> citations_of_method(std::string_view method);
/// Keys of the libraries that every run uses.
[[nodiscard]] std::vector<std::string> citations_of_libraries();

/// "A. Author, B. Author. Title. Journal 1, 2-3 (2020). arXiv:2001.00001"
[[nodiscard]] std::string citation_text(const Citation& citation);
[[nodiscard]] std::string citation_bibtex(const Citation& citation);

} // namespace normdyn::theorems
