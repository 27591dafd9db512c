#include "normdyn/schemes/formula_scheme.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace normdyn::schemes {
namespace {

const std::vector<std::string> fixed_variables = {"r", "A_r", "norm_A", "A_t", "t", "beta", "n", "d"};

} // namespace

FormulaScheme FormulaScheme::read(core::Settings& settings, const SchemeContext& context) {
  std::vector<std::string> variables = fixed_variables;
  std::vector<double> constants = {static_cast<double>(context.n_tokens), static_cast<double>(context.dim)};
  core::Settings params = settings.section("params");
  for (const std::string& key : params.keys()) {
    if (std::find(variables.begin(), variables.end(), key) != variables.end() || key == "s" || key == "dr" ||
        key == "h")
      params.refuse(key, "the name is taken by a variable of the formulas", "choose another name");
    variables.push_back(key);
    constants.push_back(params.number(key));
  }

  FormulaScheme scheme(core::Formula(settings.text("s"), variables, settings.place("s")), context.beta);
  scheme.needs_drift_ = scheme.speed_factor_.uses("norm_A");
  variables.push_back("s");
  if (settings.has("dr")) {
    scheme.radial_ = core::Formula(settings.text("dr"), variables, settings.place("dr"));
    scheme.needs_drift_ = scheme.needs_drift_ || scheme.radial_->uses("norm_A");
  }
  variables.insert(variables.end(), {"dr", "h"});
  if (settings.has("layer")) {
    core::Settings layer = settings.section("layer");
    scheme.keep_ = core::Formula(layer.text("keep"), variables, layer.place("keep"));
    scheme.push_ = core::Formula(layer.text("push"), variables, layer.place("push"));
    scheme.layer_moves_radius_ = layer.flag("moves_radius", scheme.has_radius());
    if (scheme.layer_moves_radius_ && !scheme.has_radius())
      layer.refuse("moves_radius", "true, but the scheme carries no radius", "give the radial rate dr");
  }
  scheme.values_.assign(variables.size(), 0.0);
  std::copy(constants.begin(), constants.end(), scheme.values_.begin() + 6);
  return scheme;
}

FormulaScheme FormulaScheme::on(core::Interval piece) const {
  FormulaScheme part = *this;
  part.beta_ = beta_.on(piece);
  return part;
}

void FormulaScheme::fill(const Drift<double>& drift, double t) const {
  values_[0] = drift.radius;
  values_[1] = drift.radial;
  values_[2] = drift.norm;
  values_[3] = drift.tangential;
  values_[4] = t;
  values_[5] = beta_(t);
}

Rates<double> FormulaScheme::rates(const Drift<double>& drift, double t) const {
  fill(drift, t);
  const std::size_t s_index = values_.size() - 3;
  const std::span<const double> values(values_);
  const double s = speed_factor_(values.first(s_index));
  values_[s_index] = s;
  // A speed factor that is not positive and finite has no meaning: NaN lets the step be retried, then the run end with
  // a reason.
  const double speed = s > 0.0 && std::isfinite(s) ? 1.0 / s : std::numeric_limits<double>::quiet_NaN();
  return {speed, radial_ ? (*radial_)(values.first(s_index + 1)) : 0.0};
}

Layer<double> FormulaScheme::layer(const Drift<double>& drift, double t, double h) const {
  const Rates<double> rate = rates(drift, t);
  if (keep_) {
    values_[values_.size() - 2] = rate.radial;
    values_[values_.size() - 1] = h;
    return {(*keep_)(values_), (*push_)(values_), layer_moves_radius_};
  }
  const double push = h * drift.radius * rate.speed;
  return {drift.radius + h * rate.radial - push * drift.radial, push, has_radius()};
}

} // namespace normdyn::schemes
