#include "normdyn/theorems/table_schemes.hpp"

#include <cmath>

namespace normdyn::theorems {

std::vector<schemes::AnyScheme> table_schemes(double tau, double alpha) {
  return {schemes::PostLn{}, schemes::PreLn{},     schemes::MixLn(tau),
          schemes::PeriLn{}, schemes::NGpt(alpha), schemes::SqrtScaling{}};
}

std::vector<TableRow> table_rows(double tau) {
  const auto constant = [](double value) { return [value](double, double, double) { return value; }; };
  const auto none = constant(0.0);
  const auto ngpt = [&](const char* alpha_text, const core::Schedule& alpha, auto alpha_at) {
    return TableRow{std::string("ngpt (alpha = ") + alpha_text + ")", schemes::NGpt(alpha),
                    [alpha_at](double, double norm, double t) { return norm / alpha_at(t); }, none};
  };
  return {{"post_ln", schemes::PostLn{}, constant(1.0), none},
          {"pre_ln", schemes::PreLn{}, [](double r, double, double) { return r; },
           [](double radial, double, double) { return radial; }},
          {"mix_ln", schemes::MixLn(tau), [tau](double r, double, double t) { return t <= tau ? 1.0 : r; },
           [tau](double radial, double, double t) { return t <= tau ? 0.0 : radial; }},
          {"peri_ln", schemes::PeriLn{}, [](double r, double norm, double) { return r * norm; },
           [](double radial, double norm, double) { return radial / norm; }},
          ngpt("1", 1.0, [](double) { return 1.0; }),
          ngpt("2/5", 0.4, [](double) { return 0.4; }),
          ngpt("1/(1+t)", core::Schedule::power(1.0, 1.0, -1.0), [](double t) { return 1.0 / (1.0 + t); }),
          {"sqrt_scaling", schemes::SqrtScaling{}, [](double, double, double t) { return std::sqrt(1.0 + t); }, none}};
}

} // namespace normdyn::theorems
