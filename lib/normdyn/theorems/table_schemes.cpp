#include "normdyn/theorems/table_schemes.hpp"

#include <cmath>

namespace normdyn::theorems {

std::vector<schemes::AnyScheme> table_schemes(double tau, double alpha) {
  return {schemes::PostLn{}, schemes::PreLn{},     schemes::MixLn(tau),
          schemes::PeriLn{}, schemes::NGpt(alpha), schemes::SqrtScaling{}};
}

namespace {

using Function = std::function<double(const double&)>;

auto constant(double value) {
  return [value](double, double, double) { return value; };
}

TableRow ngpt_row(const char* alpha_text, const core::Schedule& schedule, Function alpha, Function integral,
                  Function inverse) {
  return {std::string("ngpt (alpha = ") + alpha_text + ")", schemes::NGpt(schedule),
          [alpha](double, double norm, double t) { return norm / alpha(t); }, constant(0.0),
          reduced::ngpt_pace<double>(std::move(integral), std::move(inverse))};
}

} // namespace

std::vector<TableRow> table_rows(double tau) {
  const auto identity = [](double t) { return t; };
  return {{"post_ln", schemes::PostLn{}, constant(1.0), constant(0.0), reduced::post_pace<double>()},
          {"pre_ln", schemes::PreLn{}, [](double r, double, double) { return r; },
           [](double radial, double, double) { return radial; }, reduced::pre_pace<double>()},
          {"mix_ln", schemes::MixLn(tau), [tau](double r, double, double t) { return t <= tau ? 1.0 : r; },
           [tau](double radial, double, double t) { return t <= tau ? 0.0 : radial; }, reduced::mix_pace(tau)},
          {"peri_ln", schemes::PeriLn{}, [](double r, double norm, double) { return r * norm; },
           [](double radial, double norm, double) { return radial / norm; }, reduced::peri_pace<double>()},
          ngpt_row(
              "1", 1.0, [](double) { return 1.0; }, identity, identity),
          ngpt_row(
              "2/5", 0.4, [](double) { return 0.4; }, [](double t) { return 0.4 * t; },
              [](double worth) { return worth / 0.4; }),
          ngpt_row(
              "1/(1+t)", core::Schedule::power(1.0, 1.0, -1.0), [](double t) { return 1.0 / (1.0 + t); },
              [](double t) { return std::log1p(t); }, [](double worth) { return std::expm1(worth); }),
          {"sqrt_scaling", schemes::SqrtScaling{}, [](double, double, double t) { return std::sqrt(1.0 + t); },
           constant(0.0), reduced::sqrt_pace<double>()}};
}

} // namespace normdyn::theorems
