#include "normdyn/theorems/formulas.hpp"

namespace normdyn::theorems {

schemes::FormulaScheme formula_scheme(const std::string& speed_factor, const std::string& radial_rate) {
  core::Value section;
  section.set("s", speed_factor);
  if (!radial_rate.empty())
    section.set("dr", radial_rate);
  core::Settings settings(section, "claim");
  return schemes::FormulaScheme::read(settings, {});
}

} // namespace normdyn::theorems
