// A trained attention block against its float64 reference, through the config.

#include "normdyn/attention/attention.hpp"
#include "normdyn/attention/weight_schedule.hpp"
#include "normdyn/core/error.hpp"
#include "normdyn/files/hdf5.hpp"
#include "normdyn/files/matrix_file.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace normdyn;
using namespace normdyn::attention;

namespace {

const std::string block = std::string(NORMDYN_DATA_DIR) + "/use-lite-layer1.h5";

std::shared_ptr<const WeightSchedule> read_block(const std::string& file, std::optional<bool> bias, std::int64_t heads,
                                                 std::size_t dim = 512, const std::string& folder = ".") {
  core::Value root;
  root.set("weights.file", file);
  if (bias)
    root.set("weights.bias", *bias);
  if (heads > 0)
    root.set("attention.heads", heads);
  core::Settings settings(root, "study.toml");
  const auto n_heads = static_cast<std::size_t>(settings.section("attention").integer("heads", {.fallback = 1}));
  auto schedule = read_weights(settings, {.dim = dim, .n_heads = n_heads, .folder = folder});
  settings.refuse_unread();
  BOOST_TEST(core::toml_text(*settings.resolved().find("attention")) == "{ heads = 4 }");
  return schedule;
}

// Largest difference from the reference, relative to its largest entry and to each token's largest entry.
void check_output(bool with_bias, const std::string& reference_name) {
  const files::MatrixData tokens = files::read_matrix(block + ":/text/alice/normalized");
  const files::MatrixData reference = files::read_matrix(block + ":/text/alice/" + reference_name);
  const double beta = files::Hdf5File::open(block).root().group("attention").attributes().number("score_scale");
  const auto schedule = read_block(block + ":/attention", with_bias, 4);
  const auto attention = make_attention({}, schedule->on({0.0, 1.0}));
  std::vector<double> drift(tokens.values.size());
  attention->evaluate({tokens.values, 512}, {tokens.values, 512}, beta, {.drift = drift});
  for (std::size_t j = 0; j < reference.rows; ++j) {
    double worst = 0.0, largest = 0.0;
    for (std::size_t c = 0; c < 512; ++c) {
      worst = std::max(worst, std::abs(drift[j * 512 + c] - reference.values[j * 512 + c]));
      largest = std::max(largest, std::abs(reference.values[j * 512 + c]));
    }
    BOOST_TEST(worst < 1e-12 * largest, "token " << j << ": " << worst / largest);
  }
}

} // namespace

BOOST_AUTO_TEST_SUITE(attention)

BOOST_AUTO_TEST_CASE(a_trained_block_gives_its_reference_output_with_biases) {
  check_output(true, "attention_out_f64");
}

BOOST_AUTO_TEST_CASE(a_trained_block_gives_its_reference_output_without_biases) {
  check_output(false, "attention_out_nobias_f64");
}

BOOST_AUTO_TEST_CASE(a_file_brings_its_number_of_heads_unless_the_config_states_it) {
  const auto schedule = read_block("use-lite-layer1.h5:/attention", {}, 0, 512, NORMDYN_DATA_DIR);
  BOOST_TEST(schedule->on({0.0, 1.0}).n_heads == 4U);
  BOOST_TEST_REQUIRE(schedule->inputs().size() == 1U);
  BOOST_TEST(schedule->inputs()[0].path == block);
  BOOST_TEST(schedule->inputs()[0].key == "weights.file");
  BOOST_TEST(schedule->text() == "use-lite-layer1.h5:/attention, with biases");
  BOOST_CHECK_EXCEPTION((void)read_block(block + ":/attention", {}, 2), core::InputError,
                        [](const core::InputError& error) {
                          return error.place() == "study.toml: weights.file" &&
                                 error.problem() == "'" + block + ":/attention' has 4 heads, but attention.heads is 2";
                        });
}

BOOST_AUTO_TEST_CASE(a_file_of_another_dimension_is_refused_with_both_shapes) {
  BOOST_CHECK_EXCEPTION((void)read_block(block + ":/attention", {}, 4, 100), core::InputError,
                        [](const core::InputError& error) {
                          return error.problem() == "query is 512 x 512, but tokens have dimension 100";
                        });
  BOOST_CHECK_THROW((void)read_block(block + ":/attentoin", {}, 4), core::FileError);
}

BOOST_AUTO_TEST_CASE(a_file_and_matrices_are_not_mixed) {
  core::Value root;
  root.set("weights.file", block + ":/attention");
  root.set("weights.query", "identity");
  core::Settings settings(root, "study.toml");
  (void)read_weights(settings, {.dim = 512, .n_heads = 1});
  BOOST_CHECK_EXCEPTION(settings.refuse_unread(), core::InputError, [](const core::InputError& error) {
    return error.problem() == "stands beside file, but the weights come either from a file or from the config";
  });
}

BOOST_AUTO_TEST_SUITE_END()
