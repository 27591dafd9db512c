#pragma once
// What a claim is given to work with: a seed, the dynamics, the tolerance of this pass, and a way to do many
// independent runs on all cores with the same bits for any number of them.

#include "normdyn/integrate/solve.hpp"
#include "normdyn/theorems/laboratory.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>

namespace normdyn::theorems {

/// Thrown out of a claim when the watcher asks to stop.
class Interrupted final : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "stopped on request"; }
};

/// Called with the share of a claim that is done, in [0, 1]; true asks to stop. Never called concurrently.
using Watch = std::function<bool(double share)>;

/// Every claim that integrates is examined twice, at both tolerances: a verdict that changes is `unresolved`.
enum class Accuracy { usual, loose };

class Trial {
 public:
  Trial(std::uint64_t seed, Accuracy accuracy, const Laboratory& laboratory, Watch watch = {})
      : seed_(seed), accuracy_(accuracy), laboratory_(laboratory), watch_(std::move(watch)) {}

  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  [[nodiscard]] const Laboratory& laboratory() const { return laboratory_; }

  /// Options with one relative tolerance for directions, radii and clock, and atol = tolerance in radians; times 10 in
  /// the loose pass. `spread` measures errors against each token's spread, to follow a collapse.
  [[nodiscard]] integrate::SolveOptions options(double tolerance,
                                                integrate::ErrorScale scale = integrate::ErrorScale::radian) const;
  /// A fixed step, doubled in the loose pass.
  [[nodiscard]] double step(double h) const { return accuracy_ == Accuracy::usual ? h : 2.0 * h; }

  /// work(0) ... work(count - 1), on all cores, in any order; each writes to a place of its own. The first exception in
  /// the order of the index is thrown on. Reports progress between `from` and `to` of the claim.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& work, double from = 0.0,
                double to = 1.0) const;

 private:
  std::uint64_t seed_;
  Accuracy accuracy_;
  const Laboratory& laboratory_;
  Watch watch_;
};

} // namespace normdyn::theorems
