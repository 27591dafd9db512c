#pragma once
#include "normdyn/integrate/solve.hpp"

namespace normdyn::bench {

/// Runs of which only the end counts.
class NoOutput final : public integrate::Sink {
 public:
  void state(const observables::Frame&) override {}
  void series(const observables::Frame&, std::span<const double>) override {}
  void event(const integrate::EventHit&) override {}
  bool progress(const integrate::Progress&) override { return false; }
};

} // namespace normdyn::bench
