#include "normdyn/theorems/laboratory.hpp"

namespace normdyn::theorems {
namespace {

class LibraryDynamics final : public Laboratory {
 public:
  Subject prepare(const dynamics::TokenModel& model, const Cloud& cloud) const override {
    auto equation = std::make_unique<dynamics::TokenEquation>(model, cloud.n_tokens, cloud.dim, cloud.radius);
    geometry::State start = equation->state(cloud.theta, cloud.radius);
    return {std::move(equation), std::move(start)};
  }
};

class FixedWeights final : public attention::WeightSchedule {
 public:
  explicit FixedWeights(attention::Weights weights) : weights_(std::move(weights)) {}
  std::vector<double> breakpoints(core::Interval) const override { return {}; }
  attention::Weights on(core::Interval) const override { return weights_; }
  bool is_identity() const override { return weights_.is_identity(); }
  std::string text() const override { return "fixed"; }
  std::vector<attention::WeightInput> inputs() const override { return {}; }

 private:
  attention::Weights weights_;
};

} // namespace

const Laboratory& library_dynamics() {
  static const LibraryDynamics dynamics;
  return dynamics;
}

std::shared_ptr<const attention::WeightSchedule> fixed_weights(attention::Weights weights) {
  return std::make_shared<FixedWeights>(std::move(weights));
}

} // namespace normdyn::theorems
