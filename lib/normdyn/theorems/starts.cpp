#include "normdyn/theorems/starts.hpp"

#include "normdyn/attention/draws.hpp"
#include "normdyn/core/error.hpp"
#include "normdyn/geometry/sphere.hpp"
#include "normdyn/initial/initial_state.hpp"

#include <Eigen/SVD>

namespace normdyn::theorems {
namespace {

// A section [initial] of a config, as the laws read it.
class Law {
 public:
  Law(const char* kind, std::size_t n_tokens, std::size_t dim) {
    root_.set("initial.kind", std::string(kind));
    root_.set("initial.tokens", static_cast<std::int64_t>(n_tokens));
    root_.set("initial.dim", static_cast<std::int64_t>(dim));
  }
  Law& with(const char* key, double value) {
    root_.set(std::string("initial.") + key, value);
    return *this;
  }
  [[nodiscard]] Cloud draw(std::uint64_t seed = 0, std::uint64_t member = 0) const {
    core::Settings settings(root_, "claim");
    initial::InitialState drawn = initial::read_initial(settings, {.seed = seed, .member = member});
    return {drawn.n_tokens, drawn.dim, std::move(drawn.theta), std::move(drawn.radius)};
  }

 private:
  core::Value root_;
};

} // namespace

Cloud uniform_cloud(std::size_t n_tokens, std::size_t dim, std::uint64_t seed, std::uint64_t member, double radius) {
  return Law("uniform", n_tokens, dim).with("norms", radius).draw(seed, member);
}

Cloud gaussian_cloud(std::size_t n_tokens, std::size_t dim, std::uint64_t seed, std::uint64_t member) {
  return Law("gaussian", n_tokens, dim).draw(seed, member);
}

Cloud cone_cloud(std::size_t n_tokens, std::size_t dim, double delta, std::uint64_t seed, std::uint64_t member,
                 double radius) {
  return Law("cone", n_tokens, dim).with("delta", delta).with("norms", radius).draw(seed, member);
}

Cloud orthogonal_cloud(std::size_t n_tokens, std::size_t dim, double radius) {
  return Law("orthogonal", n_tokens, dim).with("norms", radius).draw();
}

Cloud equiangular_cloud(std::size_t n_tokens, std::size_t dim, double cosine, double radius) {
  return Law("equiangular", n_tokens, dim).with("gamma0", cosine).with("norms", radius).draw();
}

Cloud cloud_of_rows(std::size_t dim, std::span<const double> rows) {
  core::believe(rows.size() % dim == 0, "whole rows");
  Cloud cloud{.n_tokens = rows.size() / dim,
              .dim = dim,
              .theta = geometry::State(rows.begin(), rows.end()),
              .radius = geometry::State(rows.size() / dim, 1.0)};
  for (std::size_t j = 0; j < cloud.n_tokens; ++j)
    geometry::normalize(std::span(cloud.theta).subspan(j * dim, dim));
  return cloud;
}

attention::Matrix random_matrix(std::size_t dim, double norm, core::Purpose purpose, std::uint64_t seed,
                                std::uint64_t member) {
  const auto size = static_cast<Eigen::Index>(dim);
  attention::Matrix matrix(size, size);
  const attention::DrawKey key{.seed = seed, .member = member, .purpose = purpose};
  for (Eigen::Index i = 0; i < size; ++i) {
    core::RandomStream stream = key.row_stream(i);
    for (Eigen::Index j = 0; j < size; ++j)
      matrix(i, j) = stream.normal();
  }
  const double spectral = Eigen::JacobiSVD<attention::Matrix>(matrix).singularValues()(0);
  return matrix * (norm / spectral);
}

} // namespace normdyn::theorems
