#pragma once
#include <cstdint>
#include <string>

namespace normdyn::integrate {

/// How a run ended: a value, never an exception. Everything computed before it is kept.
struct Outcome {
  enum class Kind {
    completed,      ///< reached the end time
    event,          ///< a terminal condition was met
    stopped,        ///< asked to stop (signal), or a step or wall-time budget ran out
    step_underflow, ///< t + h == t, or h below the smallest step
    singular,       ///< a vanishing drift or radius, named in the text
    non_finite,     ///< NaN or infinity that smaller steps did not cure
  };
  Kind kind = Kind::completed;
  double time = 0.0;
  std::string text; ///< a sentence: "reached t = 30", "peri_ln: token 1 at t = 0: ..."
  [[nodiscard]] bool is_failure() const {
    return kind == Kind::step_underflow || kind == Kind::singular || kind == Kind::non_finite;
  }
};

[[nodiscard]] const char* outcome_name(Outcome::Kind kind);

} // namespace normdyn::integrate
