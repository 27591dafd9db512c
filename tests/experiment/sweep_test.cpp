#include "normdyn/experiment/sweep.hpp"

#include "normdyn/core/error.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace normdyn;
using experiment::Case;
using experiment::expand;
using experiment::filled;
using experiment::parse_config;

namespace {

std::vector<Case> cases_of(const std::string& text, std::initializer_list<const char*> sets = {}) {
  experiment::Config config = parse_config(text, "a.toml");
  for (const char* set : sets)
    experiment::apply_set(config, set);
  return expand(config);
}

} // namespace

BOOST_AUTO_TEST_SUITE(experiment)

BOOST_AUTO_TEST_CASE(without_a_sweep_there_is_one_case) {
  const auto cases = cases_of("seed = 3\n");
  BOOST_REQUIRE(cases.size() == 1u);
  BOOST_TEST(cases[0].varied.empty());
}

BOOST_AUTO_TEST_CASE(several_keys_make_the_product_in_the_order_of_writing) {
  const auto cases = cases_of("[sweep]\nscheme.params.q = [0.0, 1.0]\nattention.beta = [1, 2, 3]\n");
  BOOST_REQUIRE(cases.size() == 6u);
  BOOST_TEST(cases[0].varied[0].path == "scheme.params.q");
  BOOST_TEST(cases[0].varied[0].name == "q");
  BOOST_TEST(cases[1].varied[0].text == "0");
  BOOST_TEST(cases[1].varied[1].text == "2");
  BOOST_TEST(cases[3].varied[0].text == "1");
  BOOST_TEST(cases[5].root.find("attention")->find("beta")->number() == 3.0);
  BOOST_TEST(cases[5].root.find("scheme")->find("params")->find("q")->number() == 1.0);
  BOOST_TEST(cases[5].root.find("sweep") == nullptr);
}

BOOST_AUTO_TEST_CASE(a_grid_has_exact_ends_and_the_nearest_double_at_each_tenth) {
  const auto linear = cases_of("[sweep]\nscheme.params.p = { from = 0.0, to = 1.0, count = 11 }\n");
  BOOST_REQUIRE(linear.size() == 11u);
  for (int k = 0; k <= 10; ++k) {
    BOOST_TEST(linear[static_cast<std::size_t>(k)].root.find("scheme")->find("params")->find("p")->number() ==
               k / 10.0);
  }
  BOOST_TEST(linear[3].varied[0].text == "0.3");
  const auto log = cases_of("[sweep]\na.b = { from = 0.25, to = 4.0, count = 9, spacing = \"log\" }\n");
  BOOST_REQUIRE(log.size() == 9u);
  BOOST_TEST(log.front().root.find("a")->find("b")->number() == 0.25);
  BOOST_TEST(log.back().root.find("a")->find("b")->number() == 4.0);
  for (std::size_t k = 1; k < 9; ++k)
    BOOST_TEST(log[k].root.find("a")->find("b")->number() / log[k - 1].root.find("a")->find("b")->number() ==
                   std::pow(16.0, 1.0 / 8),
               boost::test_tools::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(a_list_of_tables_replaces_the_section) {
  const auto cases = cases_of("[scheme]\nname = \"post_ln\"\ntau = 9\n[sweep]\nscheme = [{ name = \"pre_ln\" }, { name "
                              "= \"mix_ln\", tau = 3.0 }]\n");
  BOOST_REQUIRE(cases.size() == 2u);
  BOOST_TEST(cases[0].root.find("scheme")->table().size() == 1u);
  BOOST_TEST(cases[0].varied[0].text == "pre_ln");
  BOOST_TEST(cases[1].root.find("scheme")->find("tau")->number() == 3.0);
}

BOOST_AUTO_TEST_CASE(tables_with_one_name_are_told_apart_by_their_options) {
  const auto cases =
      cases_of("[sweep]\nscheme = [{ name = \"ngpt\", alpha = 1.0 }, { name = \"ngpt\", alpha = 2.0 }]\n");
  BOOST_TEST(cases[0].varied[0].text == "ngpt-alpha1");
  BOOST_TEST(cases[1].varied[0].text == "ngpt-alpha2");
}

BOOST_AUTO_TEST_CASE(a_setting_from_outside_takes_the_place_of_its_axis) {
  const std::string text = "[sweep]\nattention.beta = [1, 2]\nscheme.name = [\"post_ln\", \"pre_ln\"]\n";
  BOOST_TEST(cases_of(text, {"attention.beta=5"}).size() == 2u);
  BOOST_TEST(cases_of(text, {"scheme={ name = \"ngpt\" }"}).size() == 2u);
  BOOST_TEST(cases_of(text, {"sweep.attention.beta=[1, 2, 3]"}).size() == 6u);
  BOOST_CHECK_THROW(cases_of("[sweep]\nscheme = [{ name = \"mix_ln\", tau = 1.0 }]\n", {"scheme.tau=2"}),
                    core::InputError);
}

BOOST_AUTO_TEST_CASE(an_empty_list_makes_no_case) {
  BOOST_TEST(cases_of("[sweep]\nattention.beta = []\n").empty());
}

BOOST_AUTO_TEST_CASE(what_is_no_list_and_no_grid_is_refused) {
  for (const char* bad :
       {"attention.beta = 3", "attention.beta = { from = 0.0, to = 1.0 }", "attention.beta = { from = 0.0, count = 3 }",
        "attention.beta = { from = 0.0, to = 1.0, count = 0 }", "attention.beta = { from = 0.0, to = 1.0, cuont = 3 }",
        "attention.beta = { from = 0.0, to = 1.0, count = 3, spacing = \"log\" }", "attention.beta = [1, 1]",
        "attention.beta = { from = 0.0, to = 1.0, count = 3, spacing = \"lin\" }"})
    BOOST_CHECK_THROW(cases_of(std::string("[sweep]\n") + bad + "\n"), core::InputError);
}

BOOST_AUTO_TEST_CASE(names_in_a_pattern_are_filled) {
  const std::vector<std::pair<std::string, std::string>> names = {{"scheme", "pre_ln"}, {"p", "0.5"}};
  BOOST_TEST(filled("out/{scheme}-{p}.h5", names, "here") == "out/pre_ln-0.5.h5");
  BOOST_TEST(filled("{{{p}}}", names, "here") == "{0.5}");
  for (const char* bad : {"{schme}", "{scheme", "scheme}"})
    BOOST_CHECK_THROW((void)filled(bad, names, "here"), core::InputError);
}

BOOST_AUTO_TEST_SUITE_END()
