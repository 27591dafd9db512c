#pragma once
// Predicates that print their operands.

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <string>

namespace normdyn::testing {

/// |a - b| <= tolerance * max(1, |b|)
inline boost::test_tools::predicate_result close(double a, double b, double tolerance) {
  boost::test_tools::predicate_result result(std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b)));
  if (!result) {
    result.message().stream().precision(17);
    result.message() << a << " differs from " << b << " by " << a - b << ", allowed " << tolerance;
  }
  return result;
}

/// Calls `action`, which must throw `Error` with a text that contains every one of `parts`.
template <class Error, class Action, class... Parts>
boost::test_tools::predicate_result refuses(Action action, const Parts&... parts) {
  std::string text;
  try {
    action();
  } catch (const Error& error) {
    text = error.what();
  }
  boost::test_tools::predicate_result result(true);
  if (text.empty()) {
    result = false;
    result.message() << "nothing was refused";
    return result;
  }
  for (const std::string& part : {std::string(parts)...})
    if (text.find(part) == std::string::npos) {
      result = false;
      result.message() << "'" << text << "' does not say '" << part << "'";
    }
  return result;
}

} // namespace normdyn::testing
