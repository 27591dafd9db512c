#include "normdyn/core/random.hpp"

#include <Random123/philox.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace normdyn::core {

RandomStream::RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t member, std::uint64_t index)
    : key_{seed, static_cast<std::uint64_t>(purpose)}, counter_{0, index, member, 0} {}

std::uint64_t RandomStream::bits() {
  if (used_ == 4) {
    const r123::Philox4x64::ctr_type counter{{counter_[0], counter_[1], counter_[2], counter_[3]}};
    const r123::Philox4x64::key_type key{{key_[0], key_[1]}};
    const r123::Philox4x64::ctr_type out = r123::Philox4x64()(counter, key);
    std::copy(out.v, out.v + 4, block_.begin());
    ++counter_[0];
    used_ = 0;
  }
  return block_[used_++];
}

double RandomStream::uniform() {
  return (static_cast<double>(bits() >> 12) + 0.5) * 0x1p-52;
}

double RandomStream::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_normal_;
  }
  const double radius = std::sqrt(-2.0 * std::log(uniform()));
  const double angle = 2.0 * std::numbers::pi * uniform();
  spare_normal_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

} // namespace normdyn::core
