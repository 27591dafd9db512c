#pragma once
// Progress in one line: "post_ln [########------------]  40 %  t = 12 of 30  h = 0.052  3 rejected  28 clusters ETA 4.1
// s". Text only: the program decides when and where to print it.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace normdyn::report {

struct BarFacts {
  std::string label;                         ///< of the study; may be empty
  double begin = 0.0, time = 0.0, end = 0.0; ///< simulated time
  double step = 0.0;                         ///< last step size
  std::int64_t rejected = 0;                 ///< steps; shown when not zero
  std::optional<std::int64_t> n_clusters{};
  double elapsed_seconds = 0.0; ///< wall time so far
};

/// Wall time left if simulated time goes on at the average pace so far: elapsed (end - time)/(time - begin). NaN before
/// the first progress and when the end is infinite.
[[nodiscard]] double remaining_seconds(const BarFacts& facts);

/// At most `width` columns: parts are left out in the order bar, rejected, step, clusters, label, percent, ETA until it
/// fits. Without newline.
[[nodiscard]] std::string progress_bar(const BarFacts& facts,
                                       std::size_t width = std::numeric_limits<std::size_t>::max());

/// Progress of work that has no simulated time: "NA-8 (3/19)  [########------------]   40 %  ETA 2 min 05 s". `share`
/// in [0, 1]; the ETA is left out when it is NaN. At most `width` columns, parts left out in the order bar, label,
/// percent.
[[nodiscard]] std::string work_bar(const std::string& label, double share, double seconds_left,
                                   std::size_t width = std::numeric_limits<std::size_t>::max());

} // namespace normdyn::report
