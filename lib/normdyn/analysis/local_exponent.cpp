#include "normdyn/analysis/local_exponent.hpp"

#include "normdyn/core/error.hpp"

#include <fmt/format.h>

#include <cmath>

namespace normdyn::analysis {

std::vector<double> local_exponents(const Decay& decay) {
  std::vector<double> exponents = log_slopes(decay);
  for (std::size_t i = 0; i < exponents.size(); ++i)
    exponents[i] *= decay.times[i];
  return exponents;
}

std::vector<double> exponents_by_radius(const Decay& decay, std::span<const double> radius,
                                        std::span<const double> radius_rates) {
  std::vector<double> logarithms, rates;
  for (std::size_t i = 0; i < radius.size(); ++i) {
    if (!(radius[i] > 0.0))
      throw core::InputError("decay", fmt::format("the radius {} is no length", radius[i]), "give radii > 0");
    logarithms.push_back(std::log(radius[i]));
    if (i < radius_rates.size())
      rates.push_back(radius_rates[i] / radius[i]);
  }
  return log_slopes(against(decay, logarithms, rates));
}

std::optional<std::size_t> last_deviation(std::span<const double> rates, double limit, double tolerance) {
  for (std::size_t i = rates.size(); i-- > 0;)
    if (!(std::abs(rates[i] - limit) <= tolerance * std::abs(limit)))
      return i;
  return std::nullopt;
}

} // namespace normdyn::analysis
