#include "normdyn/experiment/canonical.hpp"

#include "normdyn/experiment/config.hpp"

#include <boost/test/unit_test.hpp>

using namespace normdyn;
using core::Value;
using experiment::config_text;
using experiment::parse_config;
using experiment::run_id;

BOOST_AUTO_TEST_SUITE(experiment)

BOOST_AUTO_TEST_CASE(the_text_of_a_config_reads_back_to_the_same_values) {
  const std::string text =
      "seed = 3\ntitle = \"a \\\"quoted\\\" title, \\u03b2\"\n[attention]\nbeta = 0.1\nmask = \"full\"\n"
      "[scheme]\nname = \"formula\"\nparams = { p = 0.30000000000000004, \"odd key\" = 1e-300 }\n"
      "[[weights]]\nfrom = 0.0\nquery = [[1.0, 2.0], [3.0, -0.0]]\n[[weights]]\nfrom = 2.0\n"
      "[output]\nrecord = [\"mean_cosine\"]\nstates = { spacing = \"log\", count = 3 }\n";
  const Value value = parse_config(text, "a.toml").root;
  const std::string written = config_text(value);
  BOOST_TEST(core::same_data(parse_config(written, "b.toml").root, value));
  BOOST_TEST(config_text(parse_config(written, "b.toml").root) == written);
}

BOOST_AUTO_TEST_CASE(the_id_depends_on_what_determines_the_numbers_and_on_nothing_else) {
  const auto id = [](const std::string& text, std::uint64_t seed = 1) {
    return run_id(parse_config(text, "a.toml").root, seed, {});
  };
  const std::string base = "[attention]\nbeta = 3.0\n[time]\nend = 5.0\n";
  BOOST_TEST(id(base).size() == 16u);
  BOOST_TEST(id(base) == id("[time]\nend = 5.0\n[attention]\nbeta = 3.0\n"));
  BOOST_TEST(id(base) ==
             id("title = \"t\"\n" + base + "[output]\nfile = \"x.h5\"\ndeflate = 4\n[scheme]\nlabel = \"L\"\n"));
  BOOST_TEST(id(base) != id(base, 2));
  BOOST_TEST(id(base) != id("[attention]\nbeta = 3.5\n[time]\nend = 5.0\n"));
  BOOST_TEST(id(base) != id(base + "[output]\nrecord = [\"clock\"]\n"));
}

BOOST_AUTO_TEST_CASE(inputs_count_by_their_bytes_and_not_by_their_path) {
  const auto id = [](const std::string& path, const std::string& dataset, const std::string& hash) {
    return run_id(parse_config("[initial]\nfile = \"" + path + dataset + "\"\n", "a.toml").root, 1,
                  {{"initial.file", path, hash}});
  };
  BOOST_TEST(id("../words.h5", ":/x", "ab") == id("elsewhere/w.h5", ":/x", "ab"));
  BOOST_TEST(id("../words.h5", ":/x", "ab") != id("../words.h5", ":/x", "cd"));
  BOOST_TEST(id("../words.h5", ":/x", "ab") != id("../words.h5", ":/y", "ab"));
}

BOOST_AUTO_TEST_SUITE_END()
