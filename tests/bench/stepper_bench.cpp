// What stepping costs besides the vector field:
//   normdyn_stepper_bench [--repeats R]
// "overhead" is the time of a run without output / (its evaluations x the time of one evaluation) - 1. Post-LN from
// uniform tokens at beta = 5, one thread; both are the shortest processor times of R, taken in turn.
#include "normdyn/attention/simd.hpp"
#include "normdyn/core/random.hpp"
#include "normdyn/dynamics/token_equation.hpp"
#include "normdyn/geometry/product_sphere.hpp"
#include "normdyn/integrate/solve.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <string_view>

using namespace normdyn;
using integrate::Method;

namespace {

struct Case {
  std::size_t n, dim;
  Method method;
  double tolerance, end;
  int evaluations_at_once; ///< timed together
};

class SilentSink final : public integrate::Sink {
 public:
  void state(const observables::Frame&) override {}
  void series(const observables::Frame&, std::span<const double>) override {}
  void event(const integrate::EventHit&) override {}
  bool progress(const integrate::Progress&) override { return false; }
};

geometry::State uniform_tokens(std::size_t n, std::size_t dim) {
  geometry::State theta(n * dim);
  for (std::size_t j = 0; j < n; ++j) {
    core::RandomStream stream(5, core::Purpose::token_direction, 0, j);
    for (std::size_t c = 0; c < dim; ++c)
      theta[j * dim + c] = stream.normal();
  }
  geometry::ProductSphere(n, dim).retract(theta);
  return theta;
}

double seconds_since(std::clock_t begin) {
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

void measure(const Case& at, int repeats) {
  const dynamics::TokenModel model{.scheme = schemes::PostLn{}, .beta = core::Schedule(5.0)};
  const geometry::State theta = uniform_tokens(at.n, at.dim), radius(at.n, 1.0);
  const dynamics::TokenEquation equation(model, at.n, at.dim, radius);
  const geometry::State x = equation.state(theta, radius);
  const core::Interval span{0.0, at.end};
  const std::unique_ptr<dynamics::System> system = equation.on(span);
  integrate::SolveOptions options;
  options.method = at.method;
  options.tolerance = {at.tolerance, at.tolerance, at.tolerance, at.tolerance};

  geometry::State out(x.size());
  SilentSink sink;
  integrate::SolveSummary summary;
  double evaluation = 1e300, run = 1e300;
  for (int r = 0; r < repeats; ++r) {
    std::clock_t begin = std::clock();
    for (int i = 0; i < at.evaluations_at_once; ++i)
      (*system)(x, out, 0.0);
    evaluation = std::min(evaluation, seconds_since(begin) / at.evaluations_at_once);
    begin = std::clock();
    summary = integrate::solve(equation, x, span, options, {}, sink);
    run = std::min(run, seconds_since(begin));
  }
  const auto evaluations = static_cast<double>(summary.evaluations);
  fmt::print("{:8} {:6} {:4} {:9.0e} {:6} {:9} {:6} {:12.3f} {:11.3f} {:9.1f}\n", integrate::method_name(at.method),
             at.n, at.dim, at.tolerance, summary.steps_accepted, summary.steps_rejected, summary.evaluations,
             1e6 * evaluation, 1e3 * run, 100.0 * (run / (evaluations * evaluation) - 1.0));
}

} // namespace

int main(int argc, char** argv) {
  int repeats = 20;
  for (int i = 1; i + 1 < argc; i += 2)
    if (std::string_view(argv[i]) == "--repeats")
      repeats = std::atoi(argv[i + 1]);
  omp_set_num_threads(1);
  fmt::print("{}\n", attention::simd_target());
  fmt::print("{:8} {:>6} {:>4} {:>9} {:>6} {:>9} {:>6} {:>12} {:>11} {:>9}\n", "method", "n", "d", "tolerance", "steps",
             "rejected", "evals", "us per eval", "ms per run", "overhead");
  for (const Case& at :
       {Case{32, 2, Method::dopri5, 1e-6, 30.0, 1000}, Case{32, 2, Method::dop853, 1e-10, 30.0, 1000},
        Case{256, 3, Method::dopri5, 1e-10, 15.0, 100}, Case{256, 3, Method::dop853, 1e-10, 15.0, 100},
        Case{1056, 64, Method::dopri5, 1e-6, 10.0, 10}, Case{1056, 64, Method::dop853, 1e-10, 10.0, 10}})
    measure(at, repeats);
}
