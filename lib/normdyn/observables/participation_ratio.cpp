#include "normdyn/observables/gram.hpp"
#include "normdyn/observables/quantity.hpp"

namespace normdyn::observables {

Quantity participation_ratio(core::Settings&, const ObservableContext&) {
  return {.variables = {{.name = "participation_ratio",
                         .long_name = "participation ratio of the Gram matrix of the tokens",
                         .attributes = {{"definition", "(tr G)^2 / tr G^2, G = (<theta_j, theta_k>)_jk"}}}},
          .measure = [](const Frame& frame, std::span<double> out) {
            const Eigen::MatrixXd gram = smaller_gram(frame);
            out[0] = gram.trace() * gram.trace() / gram.squaredNorm();
          }};
}

} // namespace normdyn::observables
