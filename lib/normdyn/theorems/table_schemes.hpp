#pragma once
// The six schemes of the paper's Table 2, for claims that hold for all of them.

#include "normdyn/reduced/pace.hpp"

#include <functional>
#include <string>
#include <vector>

namespace normdyn::theorems {

/// post_ln, pre_ln, mix_ln (switch at tau), peri_ln, ngpt (constant alpha), sqrt_scaling.
[[nodiscard]] std::vector<schemes::AnyScheme> table_schemes(double tau = 3.0, double alpha = 1.0);

/// A row of Table 2, with s_j and r_j' written out once more: what claims predict with.
struct TableRow {
  std::string label; ///< "pre_ln", "ngpt (alpha = 1/(1+t))"
  schemes::AnyScheme scheme;
  std::function<double(double radius, double drift_norm, double time)> scale;        ///< s_j
  std::function<double(double radial_drift, double drift_norm, double time)> growth; ///< r_j', from <theta, A>, |A|
  reduced::SchemePace<double> pace; ///< how it spends its time along the equiangular curve
  /// int_0^t of the part of 1/s that depends on t alone: t, 2 (sqrt(1+t) - 1), int alpha.
  [[nodiscard]] double worth(double time) const { return pace.first.worth ? pace.first.worth(time) : time; }
  [[nodiscard]] bool has_radius() const { return schemes::has_radius(scheme); }
};

/// The six schemes, nGPT with alpha = 1, 2/5 and 1/(1+t).
[[nodiscard]] std::vector<TableRow> table_rows(double tau = 3.0);

} // namespace normdyn::theorems
