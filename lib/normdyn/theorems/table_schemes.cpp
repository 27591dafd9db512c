#include "normdyn/theorems/table_schemes.hpp"

namespace normdyn::theorems {

std::vector<schemes::AnyScheme> table_schemes(double tau, double alpha) {
  return {schemes::PostLn{}, schemes::PreLn{},     schemes::MixLn(tau),
          schemes::PeriLn{}, schemes::NGpt(alpha), schemes::SqrtScaling{}};
}

} // namespace normdyn::theorems
