#include "normdyn/integrate/outcome.hpp"

#include "normdyn/core/error.hpp"

namespace normdyn::integrate {

const char* outcome_name(Outcome::Kind kind) {
  switch (kind) {
  case Outcome::Kind::completed:
    return "completed";
  case Outcome::Kind::event:
    return "event";
  case Outcome::Kind::stopped:
    return "stopped";
  case Outcome::Kind::step_underflow:
    return "step_underflow";
  case Outcome::Kind::singular:
    return "singular";
  case Outcome::Kind::non_finite:
    return "non_finite";
  }
  core::believe(false, "a known outcome");
  return "";
}

} // namespace normdyn::integrate
