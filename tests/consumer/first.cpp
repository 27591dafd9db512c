// Random tokens on the sphere under Post-LN: how they gather, and by which law.
#include <normdyn/analysis/model_choice.hpp>
#include <normdyn/core/random.hpp>
#include <normdyn/dynamics/token_equation.hpp>
#include <normdyn/geometry/sphere.hpp>
#include <normdyn/integrate/solve.hpp>

#include <cstdio>
#include <variant>
#include <vector>

using namespace normdyn;

// A sink takes what a run gives: here the variance 1 - |mean of theta|^2, as a mean of squared distances.
class Variance final : public integrate::Sink {
 public:
  std::vector<double> times, values;

  void state(const observables::Frame& frame) override {
    std::vector<double> mean(frame.dim, 0.0);
    for (std::size_t j = 0; j < frame.n_tokens; ++j)
      for (std::size_t i = 0; i < frame.dim; ++i)
        mean[i] += frame.token(j)[i] / static_cast<double>(frame.n_tokens);
    double sum = 0.0;
    for (std::size_t j = 0; j < frame.n_tokens; ++j)
      for (std::size_t i = 0; i < frame.dim; ++i)
        sum += (frame.token(j)[i] - mean[i]) * (frame.token(j)[i] - mean[i]);
    times.push_back(frame.time);
    values.push_back(sum / static_cast<double>(frame.n_tokens));
  }
  void series(const observables::Frame&, std::span<const double>) override {}
  void event(const integrate::EventHit&) override {}
  bool progress(const integrate::Progress&) override { return false; } // true stops the run
};

int main() {
  const std::size_t n = 16, dim = 3;
  std::vector<double> theta(n * dim);
  core::RandomStream random(1, core::Purpose::token_direction, 0, 0);
  for (double& component : theta)
    component = random.normal();
  for (std::size_t j = 0; j < n; ++j)
    geometry::normalize(std::span(theta).subspan(j * dim, dim));

  const dynamics::TokenEquation equation({.scheme = schemes::PostLn{}, .beta = core::Schedule(1.0)}, n, dim, {});
  integrate::SolvePlan plan;
  plan.states = integrate::SaveSchedule::at(integrate::linear_grid(0.0, 16.0, 65));
  Variance sink;
  const integrate::SolveOptions options{.tolerance = {.rtol = 1e-10}, .error_scale = integrate::ErrorScale::spread};
  const auto summary = integrate::solve(equation, equation.state(theta, {}), {0.0, 16.0}, options, plan, sink);
  std::printf("%s\n", summary.outcome.text.c_str());
  for (std::size_t row = 0; row < sink.times.size(); row += 16)
    std::printf("t = %2.0f  variance %.3g\n", sink.times[row], sink.values[row]);

  const analysis::Decay decay = analysis::window(analysis::decay_of(sink.times, sink.values), 8.0, 16.0);
  const auto verdict = analysis::choose_model(decay);
  if (const auto* refusal = std::get_if<analysis::Refusal>(&verdict)) {
    std::printf("no rate: %s\n", refusal->text.c_str());
    return 1;
  }
  const auto& choice = std::get<analysis::ModelChoice>(verdict);
  std::printf("law: %s\n", analysis::model_name(choice.model));
  if (const auto* fit = std::get_if<analysis::ExponentialFit>(&choice.fit))
    std::printf("rate: %.3f\n", fit->rate.value);
}
