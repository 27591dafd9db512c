#include "normdyn/attention/weight_schedule.hpp"

#include "normdyn/core/error.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace normdyn;
using namespace normdyn::attention;
using core::Value;

namespace {

using Options = std::vector<std::pair<std::string, Value>>;

Value table(const Options& options) {
  Value value;
  for (const auto& [key, entry] : options)
    value.set(key, entry);
  return value;
}

Value rows(const std::vector<std::vector<double>>& numbers) {
  Value::Array array;
  for (const auto& row : numbers)
    array.emplace_back(Value::Array(row.begin(), row.end()));
  return Value(array);
}

Value draw(const std::string& law, const Options& more = {}) {
  Options options{{"draw", Value(law)}};
  options.insert(options.end(), more.begin(), more.end());
  return table(options);
}

core::Settings config(const Options& options) {
  return core::Settings(table(options), "study.toml");
}

std::shared_ptr<const WeightSchedule> read(const Options& options,
                                           const WeightContext& context = {.dim = 4, .seed = 8}) {
  core::Settings settings = config(options);
  settings.define("d", static_cast<double>(context.dim));
  (void)settings.section("attention").raw("heads");
  auto schedule = read_weights(settings, context);
  settings.refuse_unread();
  return schedule;
}

std::string refusal(const Options& options, const WeightContext& context = {.dim = 4, .seed = 8}) {
  try {
    (void)read(options, context);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return {};
}

Matrix query_at(const WeightSchedule& schedule, double begin, double end) {
  return schedule.on({begin, end}).query.matrix.value();
}

} // namespace

BOOST_AUTO_TEST_SUITE(attention)

BOOST_AUTO_TEST_CASE(no_section_means_identity) {
  const auto schedule = read({});
  BOOST_TEST(schedule->is_identity());
  BOOST_TEST(schedule->on({0.0, 1.0}).is_identity());
  BOOST_TEST(schedule->breakpoints({0.0, 10.0}).empty());
  BOOST_TEST(schedule->text() == "Q, K, V: identity");
  BOOST_TEST(!read({}, {.dim = 4, .n_heads = 2})->is_identity());
  BOOST_TEST(read({}, {.dim = 4, .n_heads = 2})->text() == "Q, K, V, W_O: identity");
}

BOOST_AUTO_TEST_CASE(matrices_and_biases_are_read_as_written) {
  const auto schedule = read({{"weights.query", rows({{1, 2}, {3, 4}})},
                              {"weights.value", rows({{0, 1}, {1, 0}})},
                              {"weights.key", "identity"},
                              {"weights.output_bias", Value(Value::Array{0.5, -0.5})}},
                             {.dim = 2});
  const Weights weights = schedule->on({0.0, 1.0});
  BOOST_TEST((*weights.query.matrix)(0, 1) == 2.0);
  BOOST_TEST((*weights.query.matrix)(1, 0) == 3.0);
  BOOST_TEST(weights.key.is_identity());
  BOOST_TEST((*weights.output.bias)[1] == -0.5);
  BOOST_TEST(!weights.output.matrix.has_value());
  BOOST_TEST(schedule->text() == "Q: given; K: identity; V: given; W_O: identity; W_O bias");
}

BOOST_AUTO_TEST_CASE(draws_have_defaults_and_formulas) {
  const auto schedule = read({{"weights.query", draw("gaussian")},
                              {"weights.key", draw("gaussian", {{"std", Value("1/sqrt(d)")}})},
                              {"weights.value", draw("kaiming_normal")},
                              {"weights.output", draw("goe", {{"scale", Value(0.1)}})}});
  BOOST_TEST(schedule->text() == "Q, K: gaussian (std 0.5); V: kaiming_normal (gain 1); W_O: goe (scale 0.1)");
  const Weights weights = schedule->on({0.0, 1.0});
  BOOST_TEST((*weights.query.matrix != *weights.key.matrix)); // same law, other streams
  BOOST_TEST((*weights.output.matrix == weights.output.matrix->transpose()));
  BOOST_TEST((query_at(*schedule, 0.0, 1.0) == query_at(*schedule, 7.0, 8.0)));
  BOOST_TEST(schedule->breakpoints({0.0, 10.0}).empty());
}

BOOST_AUTO_TEST_CASE(values_can_be_tied_to_queries_and_keys) {
  for (const std::int64_t sign : {1, -1}) {
    const auto schedule = read({{"weights.query", draw("gaussian")},
                                {"weights.key", draw("gaussian")},
                                {"weights.value", table({{"tie", Value("query_key")}, {"sign", Value(sign)}})},
                                {"weights.redraw", Value("layer")}});
    for (const double t : {0.0, 3.0}) {
      const Weights weights = schedule->on({t, t + 1.0});
      const Matrix expected = static_cast<double>(sign) * (weights.query.matrix->transpose() * *weights.key.matrix);
      BOOST_TEST((*weights.value.matrix - expected).cwiseAbs().maxCoeff() < 1e-15);
    }
  }
  BOOST_TEST(refusal({{"weights.value", table({{"tie", Value("query_key")}})}}, {.dim = 4, .n_heads = 2}) ==
             "study.toml: weights.value: V = +-(Q^T K) is defined for one head, and there are 2; set attention.heads = "
             "1, or give the value matrix");
  BOOST_TEST(refusal({{"weights.value", table({{"tie", Value("query_key")}, {"sign", Value(std::int64_t{2})}})}}) ==
             "study.toml: weights.value.sign: 2 is neither 1 nor -1");
  BOOST_TEST(refusal({{"weights.query", table({{"tie", Value("query_key")}})}})
                 .starts_with("study.toml: weights.query.draw: is missing"));
}

BOOST_AUTO_TEST_CASE(redrawn_weights_change_at_multiples_of_the_layer_time) {
  const Options options{{"weights.redraw", Value("layer")}, {"weights.query", draw("gaussian")}};
  const WeightContext context{.dim = 4, .seed = 8, .member = 3, .layer_time = 0.1};
  const auto schedule = read(options, context);
  const std::vector<double> times = schedule->breakpoints({0.0, 1.0});
  BOOST_TEST_REQUIRE(times.size() == 9U);
  for (std::size_t l = 0; l < 9; ++l)
    BOOST_TEST(times[l] == static_cast<double>(l + 1) * 0.1);
  BOOST_TEST(schedule->breakpoints({0.3, 0.6}) == (std::vector<double>{0.4, 0.5}), boost::test_tools::per_element());
  BOOST_TEST((query_at(*schedule, 0.0, 0.1) != query_at(*schedule, 0.1, 0.2)));
  BOOST_TEST((query_at(*schedule, 0.1, 0.2) == query_at(*schedule, 0.12, 0.13))); // pieces may be finer than layers
  // Whatever was asked before, by whomever.
  BOOST_TEST((query_at(*read(options, context), 0.7, 0.8) == query_at(*schedule, 0.7, 0.8)));
  BOOST_TEST((query_at(*read(options, {.dim = 4, .seed = 8, .member = 2, .layer_time = 0.1}), 0.7, 0.8) !=
              query_at(*schedule, 0.7, 0.8)));
  BOOST_TEST(schedule->text() == "Q: gaussian (std 0.5); K, V, W_O: identity; drawn in every layer");
}

BOOST_AUTO_TEST_CASE(a_list_switches_at_its_times) {
  const Value list(
      Value::Array{table({{"query", rows({{1.0}})}}), table({{"from", Value(2.0)}, {"query", rows({{2.0}})}}),
                   table({{"from", Value(5.0)}, {"query", draw("gaussian")}, {"redraw", Value("layer")}})});
  const auto schedule = read({{"weights", list}}, {.dim = 1});
  BOOST_TEST(schedule->breakpoints({0.0, 8.0}) == (std::vector<double>{2.0, 5.0, 6.0, 7.0}),
             boost::test_tools::per_element());
  BOOST_TEST(query_at(*schedule, -3.0, 2.0)(0, 0) == 1.0);
  BOOST_TEST(query_at(*schedule, 2.0, 5.0)(0, 0) == 2.0);
  BOOST_TEST((query_at(*schedule, 5.0, 6.0) != query_at(*schedule, 6.0, 7.0)));
  BOOST_TEST(!schedule->is_identity());
}

BOOST_AUTO_TEST_CASE(entries_of_a_list_draw_different_matrices) {
  const Value list(
      Value::Array{table({{"query", draw("gaussian")}}), table({{"from", Value(2.0)}, {"query", draw("gaussian")}})});
  const auto schedule = read({{"weights", list}});
  BOOST_TEST((query_at(*schedule, 0.0, 2.0) != query_at(*schedule, 2.0, 3.0)));
  BOOST_TEST((query_at(*schedule, 0.0, 2.0) == query_at(*read({{"weights.query", draw("gaussian")}}), 0.0, 1.0)));
}

BOOST_AUTO_TEST_CASE(lists_out_of_order_or_starting_late_are_refused) {
  const Options one{{"from", Value(1.0)}};
  const Value unordered(Value::Array{table({}), table(one), table(one)});
  BOOST_TEST(refusal({{"weights", unordered}}) ==
             "study.toml: weights[2].from: 1 does not come after 1, where the weights before it begin; list the tables "
             "in the order of their times");
  const auto late = read({{"weights", Value(Value::Array{table(one)})}});
  BOOST_CHECK_EXCEPTION((void)late->breakpoints({0.0, 3.0}), core::InputError, [](const core::InputError& error) {
    return error.what() == std::string("study.toml: weights: the first weights hold from t = 1, but are needed at t = "
                                       "0; leave out the first `from`, or set it to the begin of the run");
  });
  BOOST_TEST(late->breakpoints({1.0, 3.0}).empty());
  BOOST_TEST(refusal({{"weights", Value(Value::Array{table({}), table({})})}}) ==
             "study.toml: weights[1].from: is missing; a number is needed here");
  BOOST_TEST(refusal({{"weights.from", Value(1.0)}}) ==
             "study.toml: weights.from: belongs to a list of tables, [[weights]], whose entries switch at these times");
}

BOOST_AUTO_TEST_CASE(wrong_shapes_are_refused_with_both_shapes) {
  const Value wide = rows({{1, 2, 3}, {4, 5, 6}}), square = rows({{1, 2}, {3, 4}}), one = rows({{1, 2}});
  const WeightContext plane{.dim = 2};
  BOOST_TEST(refusal({{"weights.query", wide}}, plane) ==
             "study.toml: weights.query: query is 2 x 3, but tokens have dimension 2; it needs 2 columns");
  BOOST_TEST(refusal({{"weights.query", one}}, plane) ==
             "study.toml: weights.key: key is 2 x 2, but query is 1 x 2; they need the same number of rows");
  BOOST_TEST(refusal({{"weights.value", one}}, plane) ==
             "study.toml: weights.value: value is 1 x 2, and there is no output matrix; the result needs 2 rows");
  BOOST_TEST(refusal({{"weights.output", wide}}, plane) ==
             "study.toml: weights.output: output is 2 x 3, but value is 2 x 2; it needs 2 columns");
  BOOST_TEST(refusal({{"weights.output", one}}, plane) ==
             "study.toml: weights.output: output is 1 x 2, but tokens have dimension 2; the result needs 2 rows");
  BOOST_TEST(refusal({{"weights.query_bias", Value(Value::Array{1.0})}}, plane) ==
             "study.toml: weights.query_bias: query_bias has 1 numbers, but query is 2 x 2");
  BOOST_TEST(
      refusal({}, {.dim = 5, .n_heads = 2})
          .ends_with(
              "query is 5 x 5, which 2 heads cannot share evenly; the number of heads must divide the number of rows"));
  BOOST_TEST(
      refusal(
          {{"weights.query", one}, {"weights.key", one}, {"weights.value", one}, {"weights.output", rows({{1}, {2}})}},
          plane) == "");
  BOOST_TEST(refusal({{"weights.query", square}}, plane) == "");
}

BOOST_AUTO_TEST_CASE(wrong_keys_and_words_are_refused_with_the_place) {
  BOOST_TEST(refusal({{"weights.query", Value("identiy")}}) ==
             "study.toml: weights.query: \"identiy\" is no matrix; write \"identity\", rows [[1, 0], [0, 1]] or { draw "
             "= \"gaussian\" }");
  BOOST_TEST(refusal({{"weights.query", draw("gausian")}}) ==
             "study.toml: weights.query.draw: 'gausian' is not known; did you mean 'gaussian'?");
  BOOST_TEST(refusal({{"weights.query", draw("gaussian", {{"gain", Value(2.0)}})}}) ==
             "study.toml: weights.query.gain: is no parameter of the draw gaussian, which has std");
  BOOST_TEST(refusal({{"weights.query", draw("gaussian", {{"std", Value(-1.0)}})}}) ==
             "study.toml: weights.query.std: -1.0 is not above 0");
  BOOST_TEST(refusal({{"weights.querry", Value("identity")}}) ==
             "study.toml: weights.querry: unknown key; did you mean 'query'?");
  BOOST_TEST(refusal({{"weights.key_bia", Value("identity")}}) ==
             "study.toml: weights.key_bia: unknown key; did you mean 'key_bias'?");
  BOOST_TEST(refusal({{"weights.bias", Value(true)}}) ==
             "study.toml: weights.bias: says whether the biases of a file are used, but there is no file here");
  BOOST_TEST(refusal({{"weights.redraw", Value("layer")}}) ==
             "study.toml: weights.redraw: \"layer\", but no matrix is drawn; give a matrix as { draw = \"gaussian\" }, "
             "or leave redraw out");
  BOOST_TEST(refusal({{"weights.redraw", Value("layers")}}) ==
             "study.toml: weights.redraw: 'layers' is not known; did you mean 'layer'?");
}

BOOST_AUTO_TEST_CASE(resolved_values_are_recorded) {
  core::Settings settings = config({{"weights.query", draw("gaussian", {{"std", Value("1/sqrt(d)")}})}});
  settings.define("d", 4.0);
  (void)read_weights(settings, {.dim = 4});
  const Value resolved = settings.resolved();
  BOOST_TEST(core::toml_text(*resolved.find("weights")) ==
             "{ redraw = \"never\", query = { draw = \"gaussian\", std = 0.5 }, key = \"identity\", value = "
             "\"identity\", output = \"identity\" }");
  BOOST_TEST(core::toml_text(*settings.resolved(true).find("weights")) == "{ query = { draw = \"gaussian\" } }");
}

BOOST_AUTO_TEST_SUITE_END()
