#include "normdyn/experiment/config.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/core/settings.hpp"

#include <boost/test/unit_test.hpp>

#include <clocale>

using namespace normdyn;
using experiment::apply_environment;
using experiment::apply_set;
using experiment::Config;
using experiment::parse_config;

namespace {

std::string problem_of(const std::string& text) {
  try {
    (void)parse_config(text, "study.toml");
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "";
}

bool mentions(const std::string& text, std::initializer_list<std::string> words) {
  for (const std::string& word : words)
    if (text.find(word) == std::string::npos) {
      BOOST_TEST_MESSAGE("'" << text << "' lacks '" << word << "'");
      return false;
    }
  return true;
}

} // namespace

BOOST_AUTO_TEST_SUITE(experiment)

BOOST_AUTO_TEST_CASE(values_keep_their_order_their_type_and_their_line) {
  const Config config =
      parse_config("title = \"words\"\n[time]\nend = 30\nbegin = 0.5\n[attention]\nbeta = [1, 2.5, true]\n", "a.toml");
  const auto& sections = config.root.table();
  BOOST_REQUIRE(sections.size() == 3u);
  BOOST_TEST(sections[0].first == "title");
  BOOST_TEST(sections[1].first == "time");
  BOOST_TEST(sections[2].first == "attention");
  const core::Value& time = sections[1].second;
  BOOST_TEST(time.table()[0].first == "end");
  BOOST_TEST(time.table()[1].first == "begin");
  BOOST_TEST(time.find("begin")->place.text() == "a.toml:4");
  BOOST_TEST(std::get<std::int64_t>(time.find("end")->data) == 30);
  BOOST_TEST(core::toml_text(*sections[2].second.find("beta")) == "[1, 2.5, true]");
}

BOOST_AUTO_TEST_CASE(a_syntax_error_names_file_and_line_and_quotes_the_line) {
  BOOST_TEST(mentions(problem_of("seed = 1\n[time]\nend = 1,5e-8\n"), {"study.toml:3", "end = 1,5e-8"}));
  BOOST_TEST(mentions(problem_of("rtol = 0x1p-27\n"), {"study.toml:1", "rtol = 0x1p-27"}));
  BOOST_TEST(mentions(problem_of("rtol = .00000001\n"), {"study.toml:1", "rtol = .00000001"}));
}

BOOST_AUTO_TEST_CASE(a_key_given_twice_is_refused) {
  BOOST_TEST(mentions(problem_of("[attention]\nbeta = 1\nbeta = 2\n"), {"study.toml:3", "beta"}));
  BOOST_TEST(mentions(problem_of("[time]\nend = 1\n[time]\nbegin = 2\n"), {"study.toml:3", "time"}));
}

BOOST_AUTO_TEST_CASE(the_valid_forms_of_a_number_give_the_same_double) {
  for (const char* form : {"1e-8", "1.0e-8", "1E-8", "\"1e-8\"", "0.00000001"}) {
    core::Settings settings(parse_config(std::string("rtol = ") + form, "a.toml").root, "a.toml");
    BOOST_TEST(settings.number("rtol") == 1e-8, form);
  }
  for (const char* form : {"nan", "inf", "-inf", "\"1e-8x\"", "\"1,5e-8\"", "\"\"", "true", "[1]"}) {
    core::Settings settings(parse_config(std::string("rtol = ") + form, "a.toml").root, "a.toml");
    BOOST_CHECK_THROW(settings.number("rtol"), core::InputError);
  }
}

BOOST_AUTO_TEST_CASE(a_comma_locale_changes_no_number) {
  const char* old = std::setlocale(LC_ALL, "de_DE.UTF-8"); // does nothing where the locale is not installed
  core::Settings settings(parse_config("a = 0.04\nb = \"0.5 + 1e-1\"\n", "a.toml").root, "a.toml");
  BOOST_TEST(settings.number("a") == 0.04);
  BOOST_TEST(settings.number("b") == 0.6);
  BOOST_TEST(core::toml_text(core::Value(0.04)) == "0.04");
  if (old)
    std::setlocale(LC_ALL, "C");
}

BOOST_AUTO_TEST_CASE(settings_from_outside_replace_values_and_know_their_place) {
  Config config = parse_config("[attention]\nbeta = 1.0\n", "a.toml");
  apply_set(config, "attention.beta=3");
  apply_set(config, "attention.mask=causal");
  apply_set(config, "time.stop={ when = \"max_angle < 1e-6\" }");
  apply_set(config, "attention.kind = \"softmax\"");
  BOOST_TEST(std::get<std::int64_t>(config.root.find("attention")->find("beta")->data) == 3);
  BOOST_TEST(config.root.find("attention")->find("mask")->text() == "causal");
  BOOST_TEST(config.root.find("attention")->find("kind")->text() == "softmax");
  BOOST_TEST(config.root.find("time")->find("stop")->find("when")->text() == "max_angle < 1e-6");
  BOOST_TEST(config.root.find("attention")->find("beta")->place.text() == "--set attention.beta=3");
}

BOOST_AUTO_TEST_CASE(malformed_settings_from_outside_are_refused) {
  Config config = parse_config("[attention]\nbeta = 1.0\n", "a.toml");
  for (const char* bad :
       {"attention.beta", "=3", ".beta=3", "attention.=3", "attention..beta=3", "attention.beta=[1, 2",
        "attention.beta={ times = [1 }", "attention.beta=\"x", "attention.beta.deeper=1"})
    BOOST_CHECK_THROW(apply_set(config, bad), core::InputError);
}

BOOST_AUTO_TEST_CASE(the_environment_comes_before_set_and_after_the_file) {
  Config config = parse_config("seed = 1\n[attention]\nbeta = 1.0\nmask = \"full\"\n", "a.toml");
  apply_environment(config, {"NORMDYN_ATTENTION__BETA=2.5", "NORMDYN_ATTENTION__MASK=causal", "NORMDYN__SEED=9",
                             "NORMDYN=/bin/x", "NORMDYN_SOURCE=/src", "PATH=/bin"});
  apply_set(config, "attention.beta=4.5");
  BOOST_TEST(config.root.find("attention")->find("beta")->number() == 4.5);
  BOOST_TEST(config.root.find("attention")->find("mask")->text() == "causal");
  BOOST_TEST(config.root.find("seed")->number() == 9.0);
  BOOST_TEST(config.root.table().size() == 2u);
}

BOOST_AUTO_TEST_CASE(an_environment_that_names_a_key_with_one_underscore_is_refused_with_the_right_name) {
  const auto text_of = [](const std::string& entry) -> std::string {
    Config config = parse_config("", "study.toml");
    try {
      apply_environment(config, {entry});
    } catch (const core::InputError& error) {
      return error.what();
    }
    return "";
  };
  BOOST_TEST(mentions(text_of("NORMDYN_SEED=3"), {"environment NORMDYN_SEED", "NORMDYN__SEED"}));
  BOOST_TEST(mentions(text_of("NORMDYN_ATTENTION_BETA=3"), {"NORMDYN_ATTENTION__BETA"}));
  BOOST_TEST(mentions(text_of("NORMDYN_OUTPUT_CLUSTER_ANGLE=3"), {"NORMDYN_OUTPUT__CLUSTER_ANGLE"}));
  for (const char* other : {"NORMDYN_DATA_DIR=/data", "NORMDYN_SOURCE=/src", "NORMDYN_BUILD=/b", "NORMDYN_TIMEOUT=3",
                            "NORMDYN_OUTPUT_=x", "NORMDYN_ARCH=native"})
    BOOST_TEST(text_of(other) == "");
}

BOOST_AUTO_TEST_SUITE_END()
