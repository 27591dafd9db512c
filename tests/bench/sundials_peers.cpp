// SUNDIALS with its serial vectors, as Debian builds it: CVODE's Adams methods with fixed-point iteration, and ARKODE's
// explicit Dormand-Prince 7-4-5.
#include "field.hpp"

#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <omp.h>
#include <sundials/sundials_context.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <chrono>
#include <memory>
#include <stdexcept>

namespace normdyn::bench {
namespace {

void require(bool is_good, const char* what) {
  if (!is_good)
    throw std::runtime_error(std::string("SUNDIALS: ") + what);
}

struct FreeContext {
  void operator()(SUNContext context) const { SUNContext_Free(&context); }
};
using Context = std::unique_ptr<_SUNContext, FreeContext>;
struct FreeVector {
  void operator()(N_Vector vector) const { N_VDestroy(vector); }
};
using OwnedVector = std::unique_ptr<_generic_N_Vector, FreeVector>;
struct FreeSolver {
  void operator()(SUNNonlinearSolver solver) const { SUNNonlinSolFree(solver); }
};
using OwnedSolver = std::unique_ptr<_generic_SUNNonlinearSolver, FreeSolver>;

Context make_context() {
  SUNContext context = nullptr;
  require(SUNContext_Create(nullptr, &context) == 0, "no context");
  return Context(context);
}

int right_hand_side(double, N_Vector y, N_Vector ydot, void* field) {
  (*static_cast<Field*>(field))(N_VGetArrayPointer(y), N_VGetArrayPointer(ydot));
  return 0;
}

OwnedVector start_vector(const Problem& problem, SUNContext context) {
  OwnedVector y(N_VNew_Serial(static_cast<sunindextype>(problem.start.size()), context));
  std::copy(problem.start.begin(), problem.start.end(), N_VGetArrayPointer(y.get()));
  return y;
}

constexpr long most_steps = 1'000'000;

// One whole solve; the state is left in y.
using Solve = void (*)(const Problem& problem, double tolerance, Field& field, N_Vector y, SUNContext context);

void solve_by_adams(const Problem& problem, double tolerance, Field& field, N_Vector y, SUNContext context) {
  void* memory = CVodeCreate(CV_ADAMS, context);
  const OwnedSolver iteration(SUNNonlinSol_FixedPoint(y, 0, context));
  require(CVodeInit(memory, right_hand_side, 0.0, y) == CV_SUCCESS, "CVodeInit");
  require(CVodeSStolerances(memory, tolerance, tolerance) == CV_SUCCESS, "CVodeSStolerances");
  require(CVodeSetUserData(memory, &field) == CV_SUCCESS, "CVodeSetUserData");
  require(CVodeSetNonlinearSolver(memory, iteration.get()) == CV_SUCCESS, "CVodeSetNonlinearSolver");
  require(CVodeSetMaxNumSteps(memory, most_steps) == CV_SUCCESS, "CVodeSetMaxNumSteps");
  require(CVodeSetStopTime(memory, problem.end) == CV_SUCCESS, "CVodeSetStopTime");
  double t = 0.0;
  const int end = CVode(memory, problem.end, y, &t, CV_NORMAL);
  CVodeFree(&memory);
  require(end >= 0, "CVode");
}

void solve_by_dormand_prince(const Problem& problem, double tolerance, Field& field, N_Vector y, SUNContext context) {
  void* memory = ERKStepCreate(right_hand_side, 0.0, y, context);
  require(ERKStepSStolerances(memory, tolerance, tolerance) == ARK_SUCCESS, "ERKStepSStolerances");
  require(ERKStepSetUserData(memory, &field) == ARK_SUCCESS, "ERKStepSetUserData");
  require(ERKStepSetTableNum(memory, ARKODE_DORMAND_PRINCE_7_4_5) == ARK_SUCCESS, "ERKStepSetTableNum");
  require(ERKStepSetMaxNumSteps(memory, most_steps) == ARK_SUCCESS, "ERKStepSetMaxNumSteps");
  require(ERKStepSetStopTime(memory, problem.end) == ARK_SUCCESS, "ERKStepSetStopTime");
  double t = 0.0;
  const int end = ERKStepEvolve(memory, problem.end, y, &t, ARK_NORMAL);
  ERKStepFree(&memory);
  require(end >= 0, "ERKStepEvolve");
}

WorkSeries run(const Problem& problem, std::string name, Solve solve, int repetitions) {
  WorkSeries series{std::move(name), {}};
  omp_set_num_threads(problem.n_threads);
  for (const double tolerance : tolerances) {
    const Context context = make_context();
    OwnedVector y;
    long evaluations = 0;
    const double seconds = quickest(repetitions, [&] {
      y = start_vector(problem, context.get());
      Field field(problem);
      const auto begin = std::chrono::steady_clock::now();
      solve(problem, tolerance, field, y.get(), context.get());
      evaluations = field.evaluations();
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    });
    series.points.push_back({tolerance, error_of(problem, N_VGetArrayPointer(y.get())), seconds, evaluations});
  }
  return series;
}

} // namespace

WorkSeries run_cvode_adams(const Problem& problem, int repetitions) {
  return run(problem, "CVODE Adams", solve_by_adams, repetitions);
}

WorkSeries run_arkode(const Problem& problem, int repetitions) {
  return run(problem, "ARKODE Dormand-Prince 7-4-5", solve_by_dormand_prince, repetitions);
}

} // namespace normdyn::bench
