#include "normdyn/integrate/solve.hpp"
#include "normdyn/schemes/registry.hpp"
#include "normdyn/theorems/citations.hpp"
#include "normdyn/theorems/claim.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

using namespace normdyn;
using namespace normdyn::theorems;

BOOST_AUTO_TEST_SUITE(theorems)

BOOST_AUTO_TEST_CASE(every_key_that_is_used_stands_in_the_table_once) {
  std::set<std::string> keys;
  for (const Citation& citation : all_citations()) {
    BOOST_TEST(keys.insert(citation.key).second, citation.key);
    BOOST_TEST(!citation.authors.empty());
    BOOST_TEST(!citation.title.empty());
    BOOST_TEST((!citation.where.empty() || !citation.arxiv.empty()), citation.key << " cannot be found");
  }
  const auto known = [&](const std::vector<std::string>& used, const std::string& user) {
    for (const std::string& key : used)
      BOOST_TEST(keys.contains(key), user << " cites '" << key << "'");
  };
  for (const Claim& claim : all_claims()) {
    BOOST_TEST(!claim.citations.empty(), claim.id);
    known(claim.citations, claim.id);
  }
  for (const std::string& method : integrate::method_names())
    known(citations_of_method(method), method);
  known(citations_of_libraries(), "the library");
}

BOOST_AUTO_TEST_CASE(every_scheme_of_the_literature_has_its_source) {
  for (const schemes::SchemeFacts& facts : schemes::all_schemes())
    BOOST_TEST(citations_of_scheme(facts.name).empty() == (facts.name == "formula"), facts.name);
}

BOOST_AUTO_TEST_CASE(citations_read_well_and_are_bibtex) {
  const Citation& paper = *find_citation("normalization-attention");
  BOOST_TEST(citation_text(paper) == "Nikita Karagodin, Shu Ge, Yury Polyanskiy, Philippe Rigollet. Normalization in "
                                     "Attention Dynamics (2025). arXiv:2510.22026");
  BOOST_TEST(citation_bibtex(paper) ==
             "@misc{normalization-attention,\n  author = {Nikita Karagodin and Shu Ge and Yury Polyanskiy and Philippe "
             "Rigollet},\n  title = {{Normalization in Attention Dynamics}},\n  year = {2025},\n  eprint = "
             "{2510.22026},\n  archiveprefix = {arXiv},\n}\n");
  BOOST_TEST(citation_text(*find_citation("hdf5")) ==
             "The HDF Group. Hierarchical Data Format, version 5. https://www.hdfgroup.org/HDF5/");
}

BOOST_AUTO_TEST_SUITE_END()
