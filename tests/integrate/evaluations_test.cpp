// F80: what is counted is what was evaluated; and steps allocate nothing.
#include "normdyn/integrate/solve.hpp"
#include "problems/two_tokens.hpp"
#include "support/recording_sink.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::int64_t> allocations{0};

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  void* memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (!memory)
    throw std::bad_alloc();
  return memory;
}

[[gnu::noinline]] void release(void* memory) noexcept {
  std::free(memory);
}
} // namespace

void* operator new(std::size_t size) {
  return counted(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  release(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  release(memory);
}

using namespace normdyn;
using namespace normdyn::integrate;

namespace {

class SilentSink final : public Sink {
 public:
  std::int64_t at_first_step = 0, at_last_step = 0, n_states = 0;
  void state(const observables::Frame&) override { ++n_states; }
  void series(const observables::Frame&, std::span<const double>) override {}
  void event(const EventHit&) override {}
  bool progress(const Progress& progress) override {
    (progress.steps <= 20 ? at_first_step // the eight-step method has started by then
                          : at_last_step) = allocations;
    return false;
  }
};

SolveOptions with(Method method) {
  SolveOptions options;
  options.method = method;
  options.step = has_fixed_step(method) ? 0.01 : 0.0;
  return options;
}

} // namespace

BOOST_AUTO_TEST_SUITE(integrate)

BOOST_AUTO_TEST_CASE(dopri5_takes_six_evaluations_per_step_and_one_per_restart) {
  const problems::TwoTokens problem = problems::jumping_rate(0.8);
  SilentSink sink;
  const auto summary = solve(problem.equation, problem.exact(0.0), {0.0, 5.0}, with(Method::dopri5), {}, sink);
  const std::int64_t tried = summary.steps_accepted + summary.steps_rejected;
  BOOST_TEST(summary.evaluations == problem.equation.witness->evaluations);
  BOOST_TEST(summary.evaluations == 6 * tried + 2 + 1); // two pieces, one more to choose the first step
  BOOST_TEST(summary.output_evaluations == 0);
}

BOOST_AUTO_TEST_CASE(dop853_takes_eleven_evaluations_per_try_and_one_when_it_is_good) {
  const problems::TwoTokens problem = problems::jumping_rate(0.8);
  SilentSink sink;
  const auto summary = solve(problem.equation, problem.exact(0.0), {0.0, 5.0}, with(Method::dop853), {}, sink);
  const std::int64_t tried = summary.steps_accepted + summary.steps_rejected;
  BOOST_TEST(summary.evaluations == problem.equation.witness->evaluations);
  BOOST_TEST(summary.evaluations == 11 * tried + summary.steps_accepted + 2 + 1);
  BOOST_TEST(summary.output_evaluations == 0);
}

BOOST_AUTO_TEST_CASE(dop853_pays_three_evaluations_for_all_rows_inside_a_step) {
  const problems::TwoTokens problem = problems::constant_rate();
  SilentSink sink;
  SolvePlan plan;
  plan.states = SaveSchedule::at(linear_grid(0.0, 5.0, 1001));
  const auto summary = solve(problem.equation, problem.exact(0.0), {0.0, 5.0}, with(Method::dop853), plan, sink);
  BOOST_TEST(summary.output_evaluations == 3 * summary.steps_accepted);
  BOOST_TEST(sink.n_states == 1001);
}

BOOST_AUTO_TEST_CASE(every_evaluation_is_counted_once_for_steps_or_for_output) {
  for (const Method method :
       {Method::dopri5, Method::dop853, Method::cash_karp54, Method::fehlberg78, Method::bulirsch_stoer,
        Method::adams_bashforth_moulton, Method::rk4, Method::euler, Method::author_euler}) {
    const problems::TwoTokens problem = problems::jumping_rate(0.8);
    SolvePlan plan;
    plan.states = SaveSchedule::at(linear_grid(0.0, 5.0, method == Method::author_euler ? 101 : 78));
    plan.series = SaveSchedule::every(5);
    plan.observables.push_back(std::make_unique<support::FunctionObservable>(
        "speed", [](const observables::Frame& frame) { return frame.token_speed[0]; }, false, true));
    SilentSink sink;
    const auto summary = solve(problem.equation, problem.exact(0.0), {0.0, 5.0}, with(method), plan, sink);
    const support::Witness& witness = *problem.equation.witness;
    BOOST_TEST(summary.evaluations + summary.output_evaluations == witness.evaluations + witness.motions,
               method_name(method));
    BOOST_TEST(summary.output_evaluations >= witness.motions);
  }
}

BOOST_AUTO_TEST_CASE(a_step_allocates_nothing) {
  for (const Method method : {Method::dopri5, Method::dop853, Method::cash_karp54, Method::fehlberg78,
                              Method::bulirsch_stoer, Method::adams_bashforth_moulton, Method::rk4, Method::euler}) {
    const support::ToyEquation equation({.n_tokens = 1, .dim = 2, .has_radius = false},
                                        [](const geometry::State& x, geometry::State& dxdt, double, core::Interval) {
                                          dxdt[0] = -x[1];
                                          dxdt[1] = x[0];
                                          dxdt[2] = 1.0;
                                        });
    SolvePlan plan;
    plan.states = SaveSchedule::at(linear_grid(0.0, 200.0, 1234));
    SilentSink sink;
    (void)solve(equation, {1.0, 0.0, 0.0}, {0.0, 200.0}, with(method), plan, sink);
    BOOST_TEST(sink.n_states == 1234);
    BOOST_TEST(sink.at_last_step > 0); // there were more than 20 steps
    BOOST_TEST(sink.at_last_step - sink.at_first_step == 0, method_name(method));
  }
}

BOOST_AUTO_TEST_SUITE_END()
