// Two tokens under Post-LN at beta = 0, orthogonal at first, have the cosine tanh(t). A matrix drawn by the library is
// freed here.
#include <normdyn/attention/weight_schedule.hpp>
#include <normdyn/dynamics/token_equation.hpp>
#include <normdyn/geometry/sphere.hpp>
#include <normdyn/integrate/solve.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

using namespace normdyn;

namespace {

class Quiet final : public integrate::Sink {
 public:
  void state(const observables::Frame&) override {}
  void series(const observables::Frame&, std::span<const double>) override {}
  void event(const integrate::EventHit&) override {}
  bool progress(const integrate::Progress&) override { return false; }
};

/// The cosine that two tokens, orthogonal at first, have at `end`.
double cosine_at(double end) {
  const std::vector<double> theta{1.0, 0.0, 0.0, 1.0};
  const dynamics::TokenEquation equation({.beta = core::Schedule(0.0)}, 2, 2, {});
  Quiet sink;
  const integrate::SolveOptions options{.tolerance = {.rtol = 1e-11, .atol = 0.0}};
  const auto summary = integrate::solve(equation, equation.state(theta, {}), {0.0, end}, options, {}, sink);
  const std::span<const double> x(summary.final_state);
  return geometry::dot(x.first(2), x.subspan(2, 2));
}

/// |V^T V - I| of an orthogonal value matrix.
double defect_of_drawn_weights() {
  core::Value root;
  root.set("weights.value.draw", core::Value("orthogonal"));
  core::Settings config(root, "consumer");
  const auto schedule = attention::read_weights(config, {.dim = 5, .seed = 3});
  const attention::Weights weights = schedule->on({0.0, 1.0});
  const attention::Matrix& value = *weights.value.matrix;
  return (value.transpose() * value - attention::Matrix::Identity(5, 5)).norm();
}

} // namespace

int main() {
  const double difference = cosine_at(2.0) - std::tanh(2.0), defect = defect_of_drawn_weights();
  std::printf("cosine - tanh(2) = %.3g, |V^T V - I| = %.3g\n", difference, defect);
  return std::abs(difference) < 1e-9 && defect < 1e-13 ? 0 : 1;
}
