#include "normdyn/theorems/trial.hpp"

#include <atomic>
#include <exception>
#include <vector>

namespace normdyn::theorems {

integrate::SolveOptions Trial::options(double tolerance, integrate::ErrorScale scale) const {
  const double used = accuracy_ == Accuracy::usual ? tolerance : 10.0 * tolerance;
  integrate::SolveOptions options;
  options.method = integrate::Method::dopri5;
  options.tolerance = {.rtol = used, .atol = used, .radius_rtol = used, .radius_atol = used};
  options.error_scale = scale;
  return options;
}

void Trial::for_each(std::size_t count, const std::function<void(std::size_t)>& work, double from, double to) const {
  std::vector<std::exception_ptr> trouble(count);
  std::atomic<bool> is_stopped = false;
  std::size_t n_done = 0;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t i = 0; i < count; ++i) {
    if (is_stopped)
      continue;
    try {
      work(i);
    } catch (...) {
      trouble[i] = std::current_exception();
    }
#pragma omp critical(normdyn_trial_progress)
    {
      ++n_done;
      const double share = from + (to - from) * static_cast<double>(n_done) / static_cast<double>(count);
      if (watch_ && watch_(share))
        is_stopped = true;
    }
  }
  for (const std::exception_ptr& one : trouble)
    if (one)
      std::rethrow_exception(one);
  if (is_stopped)
    throw Interrupted();
}

} // namespace normdyn::theorems
