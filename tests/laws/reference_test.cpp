// Every row of data/reference, computed as a run of particles.
#include "support/checks.hpp"
#include "support/recording.hpp"
#include "support/reference_scheme.hpp"

#include <algorithm>
#include <set>

using namespace normdyn;
using normdyn::testing::CsvRow;
using normdyn::testing::number;
using normdyn::testing::read_csv;

namespace {

// Rows of one run, keyed by everything but time and token.
std::map<std::string, std::vector<CsvRow>> grouped(const std::vector<CsvRow>& rows,
                                                   const std::vector<std::string>& keys) {
  std::map<std::string, std::vector<CsvRow>> groups;
  for (const CsvRow& row : rows) {
    std::string key;
    for (const std::string& name : keys)
      key += row.at(name) + " ";
    groups[key].push_back(row);
  }
  return groups;
}

std::vector<double> times_of(const std::vector<CsvRow>& rows) {
  std::set<double> times;
  for (const CsvRow& row : rows)
    times.insert(number(row, "t"));
  return {times.begin(), times.end()};
}

class FixedWeights final : public attention::WeightSchedule {
 public:
  explicit FixedWeights(attention::Weights weights) : weights_(std::move(weights)) {}
  [[nodiscard]] std::vector<double> breakpoints(core::Interval) const override { return {}; }
  [[nodiscard]] attention::Weights on(core::Interval) const override { return weights_; }
  [[nodiscard]] bool is_identity() const override { return weights_.is_identity(); }
  [[nodiscard]] std::string text() const override { return "fixed"; }
  [[nodiscard]] std::vector<attention::WeightInput> inputs() const override { return {}; }

 private:
  attention::Weights weights_;
};

constexpr std::size_t n = 6, d = 4;

std::shared_ptr<const attention::WeightSchedule> general_weights() {
  attention::Weights weights;
  for (attention::Projection* projection : {&weights.query, &weights.key, &weights.value})
    projection->matrix = attention::Matrix(d, d);
  for (const CsvRow& row : read_csv("reference/particles-qkv.csv")) {
    attention::Projection& projection = row.at("matrix") == "Q"   ? weights.query
                                        : row.at("matrix") == "K" ? weights.key
                                                                  : weights.value;
    for (std::size_t i = 0; i < d; ++i)
      (*projection.matrix)(std::stol(row.at("row")), long(i)) = number(row, "c" + std::to_string(i));
  }
  return std::make_shared<FixedWeights>(std::move(weights));
}

} // namespace

BOOST_AUTO_TEST_SUITE(laws)

BOOST_AUTO_TEST_CASE(all_840_particle_rows_within_1e_10_at_rtol_1e_12) {
  geometry::State theta(n * d), radius(n);
  for (const CsvRow& row : read_csv("reference/particles-init.csv")) {
    const std::size_t j = std::stoul(row.at("j"));
    for (std::size_t i = 0; i < d; ++i)
      theta[j * d + i] = number(row, "theta" + std::to_string(i));
    radius[j] = number(row, "r");
  }
  const auto weights = general_weights();
  std::size_t checked = 0;
  for (const auto& [key, rows] :
       grouped(read_csv("reference/particles-ref.csv"), {"scheme", "mask", "qkv", "tau", "alpha"})) {
    const std::vector<double> times = times_of(rows);
    const dynamics::TokenModel model{
        .scheme = normdyn::testing::scheme_of(rows.front()),
        .attention = {.mask = rows.front().at("mask") == "causal" ? attention::Mask::causal : attention::Mask::full},
        .weights = rows.front().at("qkv") == "general" ? weights : nullptr,
        .beta = number(rows.front(), "beta")};
    const auto result = normdyn::testing::run(model, theta, radius, d, {0.0, times.back()}, times,
                                              normdyn::testing::with_tolerance(1e-12));
    BOOST_TEST_CONTEXT(key << result.summary.brief_report()) {
      double worst = 0.0;
      for (const CsvRow& row : rows) {
        const auto state = std::find_if(result.record.states.begin(), result.record.states.end(),
                                        [&](const auto& s) { return s.time == number(row, "t"); });
        BOOST_REQUIRE(state != result.record.states.end());
        const std::size_t j = std::stoul(row.at("j"));
        for (std::size_t i = 0; i < d; ++i)
          worst = std::max(worst, std::abs(state->theta[j * d + i] - number(row, "theta" + std::to_string(i))));
        if (!state->radius.empty())
          worst = std::max(worst, std::abs(state->radius[j] - number(row, "r")));
        ++checked;
      }
      BOOST_TEST(worst < 1e-10);
    }
  }
  BOOST_TEST(checked == 840u);
}

BOOST_AUTO_TEST_CASE(equiangular_rows_as_particle_runs_from_orthogonal_starts_within_1e_9) {
  std::size_t checked = 0;
  for (const auto& [key, rows] :
       grouped(read_csv("reference/equiangular.csv"), {"scheme", "beta", "n", "r0", "tau", "alpha"})) {
    const std::size_t count = std::stoul(rows.front().at("n"));
    if (count > 64)
      continue;
    geometry::State theta(count * count, 0.0);
    for (std::size_t j = 0; j < count; ++j)
      theta[j * count + j] = 1.0;
    const geometry::State radius(count, number(rows.front(), "r0"));
    const std::vector<double> times = times_of(rows);
    const dynamics::TokenModel model{.scheme = normdyn::testing::scheme_of(rows.front()),
                                     .beta = number(rows.front(), "beta")};
    const auto result = normdyn::testing::run(model, theta, radius, count, {0.0, times.back()}, times,
                                              normdyn::testing::with_tolerance(1e-11));
    BOOST_TEST_CONTEXT(key << result.summary.brief_report())
    for (const CsvRow& row : rows) {
      const auto state = std::find_if(result.record.states.begin(), result.record.states.end(),
                                      [&](const auto& s) { return s.time == number(row, "t"); });
      BOOST_REQUIRE(state != result.record.states.end());
      double worst = 0.0; // over all pairs: equiangular stays equiangular
      for (std::size_t j = 0; j < count; ++j)
        for (std::size_t k = 0; k < j; ++k) {
          double cosine = 0.0;
          for (std::size_t i = 0; i < count; ++i)
            cosine += state->theta[j * count + i] * state->theta[k * count + i];
          worst = std::max(worst, std::abs(cosine - number(row, "gamma")));
        }
      BOOST_TEST(worst < 1e-9);
      for (const double r : state->radius)
        BOOST_TEST(normdyn::testing::close(r, number(row, "r"), 1e-9));
      ++checked;
    }
  }
  BOOST_TEST(checked == 160u);
}

BOOST_AUTO_TEST_SUITE_END()
