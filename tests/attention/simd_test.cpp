#include "normdyn/attention/simd.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace normdyn::attention;

namespace {

struct EveryTarget {
  ~EveryTarget() { use_simd_target({}); }
};

} // namespace

BOOST_AUTO_TEST_SUITE(attention)

BOOST_AUTO_TEST_CASE(the_exponential_of_the_kernels_keeps_its_error_bound_on_every_target) {
  const EveryTarget restore;
  std::vector<double> x{0.0};
  for (int i = 0; i <= 20000; ++i) {
    x.push_back(-745.0 * i / 20000.0);
    x.push_back(-std::exp(-40.0 + 46.0 * i / 20000.0));
  }
  std::vector<double> got(x.size());
  for (const std::string& target : simd_targets()) {
    use_simd_target(target);
    BOOST_TEST(simd_target() == target);
    simd_exponentials(x.data(), got.data(), x.size());
    BOOST_TEST(got[0] == 1.0);
    double worst = 0.0; // beyond the two roundings of x, in units of the bound
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] < -690.0) {
        BOOST_TEST(got[i] == 0.0);
        continue;
      }
      const long double exact = std::exp(static_cast<long double>(x[i]));
      const auto error = static_cast<double>(std::abs(static_cast<long double>(got[i]) / exact - 1.0L));
      worst = std::max(worst, (error - std::abs(x[i]) * 0x1p-52) / 2e-15);
    }
    BOOST_TEST(worst < 1.0, target << ": " << worst);
  }
}

BOOST_AUTO_TEST_CASE(the_exponential_in_float_keeps_its_error_bound_on_every_target) {
  const EveryTarget restore;
  std::vector<float> x{0.0F};
  for (int i = 0; i <= 20000; ++i) {
    x.push_back(-110.0F * static_cast<float>(i) / 20000.0F);
    x.push_back(-std::exp(-20.0F + 24.0F * static_cast<float>(i) / 20000.0F));
  }
  for (const float far : {-1e3F, -1e6F, -1e30F, -std::numeric_limits<float>::infinity()})
    x.push_back(far);
  std::vector<float> got(x.size());
  for (const std::string& target : simd_targets()) {
    use_simd_target(target);
    simd_exponentials(x.data(), got.data(), x.size());
    BOOST_TEST(got[0] == 1.0F);
    double worst = 0.0; // beyond the two roundings of x, in units of the bound
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] < -70.0F) {
        BOOST_TEST(got[i] == 0.0F);
        continue;
      }
      const double exact = std::exp(double{x[i]});
      worst = std::max(worst, (std::abs(double{got[i]} / exact - 1.0) - std::abs(double{x[i]}) * 0x1p-23) / 2e-7);
    }
    BOOST_TEST(worst < 1.0, target << ": " << worst);
  }
}

BOOST_AUTO_TEST_CASE(the_best_target_is_the_default) {
  use_simd_target({});
  BOOST_REQUIRE(!simd_targets().empty());
  BOOST_TEST(simd_target() == simd_targets().front());
}

BOOST_AUTO_TEST_SUITE_END()
