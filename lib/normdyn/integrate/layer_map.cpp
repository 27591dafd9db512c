#include "normdyn/integrate/step_methods.hpp"

#include "normdyn/core/error.hpp"

#include <limits>

namespace normdyn::integrate {

namespace {

/// One layer is one step. There is nothing between layers.
class LayerMap final : public StepMethod {
 public:
  [[nodiscard]] int error_exponent() const override { return 0; }
  [[nodiscard]] bool has_dense_output() const override { return false; }
  void restart(BoundSystem&, StepData&) override {}
  double attempt(BoundSystem& system, StepData& data, const ErrorNorm&) override {
    system.system().layer(data.x, data.x_new, data.t, data.step());
    return system.system().met_singularity() ? std::numeric_limits<double>::infinity()
                                             : error_of_finiteness(data.x_new);
  }
  void finish(BoundSystem&, StepData&) override {}
  void interpolate(BoundSystem&, const StepData&, double, geometry::State&) override {
    core::believe(false, "layers are saved at layers only");
  }
};

} // namespace

std::unique_ptr<StepMethod> make_layer_map() {
  return std::make_unique<LayerMap>();
}

} // namespace normdyn::integrate
