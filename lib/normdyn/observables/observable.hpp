#pragma once
// An observable is a pure function of one frame. One file each; one line each in the registry (registry.cpp).

#include "normdyn/core/settings.hpp"
#include "normdyn/observables/frame.hpp"

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace normdyn::observables {

/// One variable of the run file that an observable fills.
struct Variable {
  std::string name;        ///< "mean_cosine"
  std::string long_name;   ///< "mean of <theta_j, theta_k> over j != k"
  bool is_integer = false; ///< stored as integer, missing value -1; else double, missing value NaN
  std::vector<std::pair<std::string, std::variant<double, std::string>>> attributes{}; ///< e.g. threshold
  std::string axis{};                ///< name of a second dimension ("cosine_bin"), or empty
  std::vector<double> axis_values{}; ///< its coordinates (bin centers)
  std::vector<double> axis_bounds{}; ///< count + 1 edges of bins, or empty
  [[nodiscard]] std::size_t width() const { return axis.empty() ? 1 : axis_values.size(); }
};

class Observable {
 public:
  virtual ~Observable() = default;
  [[nodiscard]] virtual const std::vector<Variable>& variables() const = 0;
  [[nodiscard]] virtual bool needs_motion() const { return false; }
  /// Fills the variables' values one after the other (sum of widths). Undefined values (pair statistics of one token)
  /// are NaN; -1 for integers.
  virtual void measure(const Frame& frame, std::span<double> out) const = 0;
};

/// What observables may know of the study when they are built.
struct ObservableContext {
  std::size_t n_tokens = 0;
  std::size_t dim = 0;
  bool has_radius = false;
};

/// Builds the named observables; reads their parameters (cluster_angle, close_angle, histogram_bins, ...) from the
/// [output] section. `names` may hold observables ("radius_range") or single variables ("radius_max").
/// An observable that the study cannot have (radius_range of Post-LN) is skipped if `skip_undefined`, else refused.
[[nodiscard]] std::vector<std::unique_ptr<Observable>> make_observables(const std::vector<std::string>& names,
                                                                        core::Settings& output,
                                                                        const ObservableContext& context,
                                                                        bool skip_undefined);

/// Every name that make_observables knows, observables first.
[[nodiscard]] std::vector<std::string> observable_names();

} // namespace normdyn::observables
