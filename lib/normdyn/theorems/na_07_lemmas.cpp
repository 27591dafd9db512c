// NA-7: the two lemmas behind Theorem 3.1, as far as numbers can speak of them.
#include "normdyn/theorems/claims.hpp"
#include "normdyn/theorems/follow.hpp"
#include "normdyn/theorems/formulas.hpp"
#include "normdyn/theorems/starts.hpp"

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include <cmath>

namespace normdyn::theorems {
namespace {

using attention::Matrix;

// --- lem:matrix: D positive definite, A symmetric with a positive eigenvalue => D A has a positive real eigenvalue ---

constexpr std::size_t n_draws = 10'000;

Matrix normal_matrix(Eigen::Index size, core::Purpose purpose, std::uint64_t seed, std::uint64_t member) {
  Matrix matrix(size, size);
  core::RandomStream stream(seed, purpose, member, 0);
  for (Eigen::Index i = 0; i < size; ++i)
    for (Eigen::Index j = 0; j < size; ++j)
      matrix(i, j) = stream.normal();
  return matrix;
}

struct Draw {
  Matrix d; ///< symmetric
  Matrix a; ///< symmetric, one positive eigenvalue
};

// `sign` of the first eigenvalue of D: -1 takes away that it is positive definite.
Draw draw(std::uint64_t seed, std::uint64_t member, double sign) {
  const Eigen::Index size = 2 + static_cast<Eigen::Index>(member % 7);
  const auto basis = [&](core::Purpose purpose) -> Matrix {
    return Eigen::HouseholderQR<Matrix>(normal_matrix(size, purpose, seed, member)).householderQ();
  };
  const Matrix of_d = basis(core::Purpose::query_weights), of_a = basis(core::Purpose::key_weights);
  core::RandomStream stream(seed, core::Purpose::value_weights, member, 0);
  Eigen::VectorXd d(size), a(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    d(i) = std::pow(10.0, 4.0 * stream.uniform() - 2.0); // condition numbers to 1e4
    a(i) = -stream.uniform();
  }
  d(0) *= sign;
  a(0) = std::pow(10.0, -4.0 * stream.uniform());
  return {of_d * d.asDiagonal() * of_d.transpose(), of_a * a.asDiagonal() * of_a.transpose()};
}

// Between those of D, by Ostrowski: the largest eigenvalue of D A over that of A.
struct Spectrum {
  double ratio = 0.0, least = 0.0, greatest = 0.0;
  double imaginary = 0.0; ///< the largest imaginary part, over |D A|
  bool has_one_positive = false;
};

Spectrum spectrum_of(const Draw& one) {
  const Matrix product = one.d * one.a;
  const Eigen::VectorXcd eigenvalues = product.eigenvalues();
  const Eigen::VectorXd of_d = Eigen::SelfAdjointEigenSolver<Matrix>(one.d, Eigen::EigenvaluesOnly).eigenvalues();
  const Eigen::VectorXd of_a = Eigen::SelfAdjointEigenSolver<Matrix>(one.a, Eigen::EigenvaluesOnly).eigenvalues();
  const Eigen::Index last = of_d.size() - 1;
  return {.ratio = eigenvalues.real().maxCoeff() / of_a(last),
          .least = of_d(0),
          .greatest = of_d(last),
          .imaginary = eigenvalues.imag().cwiseAbs().maxCoeff() / product.norm(),
          .has_one_positive = (eigenvalues.real().array() > 0.0).count() == 1};
}

std::vector<Evidence> matrices(const Trial& trial, double sign) {
  std::vector<Spectrum> found(n_draws);
  trial.for_each(
      n_draws, [&](std::size_t i) { found[i] = spectrum_of(draw(trial.seed(), i, sign)); }, 0.0, 0.5);
  double over_least = 1e300, over_greatest = 0.0, imaginary = 0.0, n_others = 0.0;
  for (const Spectrum& one : found) {
    over_least = std::min(over_least, one.ratio / one.least);
    over_greatest = std::max(over_greatest, one.ratio / one.greatest);
    imaginary = std::max(imaginary, one.imaginary);
    n_others += one.has_one_positive ? 0.0 : 1.0;
  }
  const std::string all = fmt::format(", {} draws of size 2 ... 8", n_draws);
  // Rounding moves eigenvalues by 1e-16 times the condition of the eigenbasis, at most the root of 1e4, while the
  // positive one is as small as 1e-8 |D A|.
  return {at_least("lambda_max(D A)/(lambda_max(A) lambda_min(D)), smallest" + all, over_least, 1.0, 1e-5),
          at_most("lambda_max(D A)/(lambda_max(A) lambda_max(D)), largest" + all, over_greatest, 1.0, 1e-5),
          vanishing("draws in which D A has not exactly one positive eigenvalue" + all, n_others, 0.0),
          vanishing("imaginary parts of eigenvalues over |D A|" + all, imaginary, 1e-6)};
}

// --- lem:loj: a gradient flow whose rates are modulated converges to a critical point if they are not summable -------

struct Ending {
  double residual = 0.0; ///< max_j |P A_j|: 0 at critical points
  double movement = 0.0; ///< of any token between the clocks 2/3 and 1 of the end
  double variance = 0.0; ///< 0 at consensus
  std::vector<double> clocks{}, residuals{};
};

double largest_movement(std::span<const double> from, std::span<const double> to) {
  double largest = 0.0;
  for (std::size_t i = 0; i < from.size(); ++i)
    largest = std::max(largest, std::abs(to[i] - from[i]));
  return largest;
}

// Tokens under V = Q^T K = B symmetric follow -M(t) grad E with the scalars M_j = 1/(2 beta Z_j s_j).
Ending descend(const Trial& trial, const std::string& speed_factor, const std::vector<double>& times,
               std::uint64_t member) {
  constexpr std::size_t n_tokens = 8, dim = 3;
  const Matrix half = random_matrix(dim, 1.0, core::Purpose::key_weights, trial.seed(), member);
  const Matrix symmetric = half + half.transpose();
  attention::Weights weights;
  weights.key.matrix = weights.value.matrix = symmetric / symmetric.norm();
  const Subject subject =
      trial.laboratory().prepare({.scheme = formula_scheme(speed_factor), .weights = fixed_weights(weights)},
                                 uniform_cloud(n_tokens, dim, trial.seed(), member));
  Ending ending;
  std::vector<double> late;
  const auto see = [&](const observables::Frame& frame) {
    double residual = 0.0;
    for (std::size_t j = 0; j < n_tokens; ++j)
      residual = std::max(residual, frame.token_speed[j] / frame.speed[j]);
    ending.residual = residual;
    ending.variance = variance(frame.theta, dim);
    ending.clocks.push_back(frame.clock);
    ending.residuals.push_back(residual);
    if (3 * ending.clocks.size() == 2 * times.size())
      late.assign(frame.theta.begin(), frame.theta.end());
    ending.movement = late.empty() ? 1.0 : largest_movement(late, frame.theta);
    return false;
  };
  follow(subject, {0.0, times.back()}, trial.options(1e-10), {.times = times, .with_motion = true}, see);
  return ending;
}

std::vector<double> times_until(double log_end) {
  std::vector<double> times;
  for (int i = 1; i <= 60; ++i)
    times.push_back(std::expm1(log_end * i / 60.0));
  return times;
}

struct Flow {
  std::string text, speed_factor;
  double log_end;
};

Findings flows(const Trial& trial, const Flow& flow, std::size_t n_runs) {
  std::vector<Ending> endings(n_runs);
  trial.for_each(
      n_runs, [&](std::size_t i) { endings[i] = descend(trial, flow.speed_factor, times_until(flow.log_end), i); }, 0.5,
      1.0);
  double residual = 0.0, movement = 0.0;
  std::int64_t n_apart = 0;
  report::Figure figure{.name = "na-07-modulated-descent",
                        .title = "Distance from critical points, V = Q^T K symmetric, n = 8, d = 3, 1/s = " + flow.text,
                        .x = {.label = "int dt/s"},
                        .y = {.label = "max_j |P A_j|", .is_logarithmic = true},
                        .curves = {}};
  for (const Ending& one : endings) {
    residual = std::max(residual, one.residual);
    movement = std::max(movement, one.movement);
    n_apart += one.variance > 1e-3 ? 1 : 0;
    if (figure.curves.size() < 12)
      figure.curves.push_back({.name = "", .x = one.clocks, .y = one.residuals});
  }
  const std::string all = fmt::format(", 1/s = {}, {} runs", flow.text, n_runs);
  return {{at_most("max_j |P A_j| at the end" + all, residual, 1e-7),
           at_most("movement in the last third" + all, movement, 1e-6),
           recorded("runs that end at a critical point other than consensus" + all, static_cast<double>(n_apart))},
          {figure}};
}

Findings check(const Trial& trial) {
  Findings findings =
      flows(trial, {"(1 + 0.9 sin(3 log(1+t)))/(1+t)", "(1 + t)/(1 + 0.9 * sin(3 * log(1 + t)))", 240.0}, 40);
  const std::vector<Evidence> of_matrices = matrices(trial, 1.0);
  findings.evidence.insert(findings.evidence.begin(), of_matrices.begin(), of_matrices.end());
  return findings;
}

Findings control(const Trial& trial) {
  Findings findings = flows(trial, {"e^-t", "exp(t)", 5.0}, 10);
  const std::vector<Evidence> of_matrices = matrices(trial, -1.0);
  findings.evidence.insert(findings.evidence.begin(), of_matrices.begin(), of_matrices.end());
  return findings;
}

} // namespace

Claim lemmas_of_convergence() {
  return {.id = "NA-7",
          .aliases = {"lem:matrix", "lem:loj"},
          .title = "The lemmas behind Theorem 3.1",
          .source = "arXiv:2510.22026, lemmas to Theorem 3.1",
          .statement = "If D is positive definite and A symmetric with a positive eigenvalue, D A has a positive real "
                       "eigenvalue; x' = -M(t) grad E with E analytic, lambda(t) I < M(t) < C lambda(t) I and "
                       "int lambda = infinity converges to a critical point of E if it stays bounded",
          .hypotheses = "the second one is shown on tokens with V = Q^T K symmetric, whose energy is analytic; that "
                        "runs come to rest is no proof that all do",
          .citations = {"normalization-attention"},
          .is_quick = true,
          .cost_seconds = 2.0,
          .check = check,
          .control_text = "a D with a negative eigenvalue, and rates e^-t whose integral is finite",
          .control = control};
}

} // namespace normdyn::theorems
