#pragma once
// Reading options. Each stage reads its own options from a Settings, a view of one table of the config that remembers
// what was asked of it. From that memory follow, without a list kept elsewhere: the resolved config (defaults
// included), which values are not default, and the error for a key that nobody read, with the nearest key that
// somebody would have.
//
//   Settings solver = config.section("solver");
//   options.rtol = solver.number("rtol", {.fallback = 1e-8, .above = 0.0});

#include "normdyn/core/value.hpp"

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace normdyn::core {

/// What a number must satisfy. Without fallback the key is required. NaN and infinities are always refused unless
/// `may_be_infinite`.
struct NumberRule {
  std::optional<double> fallback{};
  std::optional<double> above{};    ///< value > above
  std::optional<double> at_least{}; ///< value >= at_least
  std::optional<double> below{};
  std::optional<double> at_most{};
  bool may_be_infinite = false;
};

struct IntegerRule {
  std::optional<std::int64_t> fallback{};
  std::int64_t at_least = std::numeric_limits<std::int64_t>::min();
  std::int64_t at_most = std::numeric_limits<std::int64_t>::max();
};

class Settings {
 public:
  /// The root of a config. `source` names it in messages ("study.toml").
  explicit Settings(Value root, std::string source = "config");

  [[nodiscard]] bool has(std::string_view key) const;

  /// A number; a text is a formula in the variables known so far (n, d, beta), e.g. "1/sqrt(d)".
  double number(std::string_view key, const NumberRule& rule = {});
  std::int64_t integer(std::string_view key, const IntegerRule& rule = {});
  bool flag(std::string_view key, std::optional<bool> fallback = {});
  std::string text(std::string_view key, std::optional<std::string> fallback = {});
  /// One of the choices; the message of a refusal names the nearest.
  std::string choice(std::string_view key, std::span<const std::string> choices,
                     std::optional<std::string> fallback = {});
  std::vector<double> numbers(std::string_view key, const NumberRule& rule = {});
  /// A rectangular array of arrays of numbers, row by row.
  std::vector<std::vector<double>> rows(std::string_view key);

  /// Angles say their unit: "8 deg", "0.1 rad", "cos 0.999", "chord 0.26"; a formula without unit is in radians.
  /// Returned in radians, in [0, pi].
  double angle(std::string_view key, std::optional<std::string> fallback = {});

  /// The table under `key`; an empty one if there is none.
  Settings section(std::string_view key);
  /// A table, or each table of a list of tables; empty if there is none.
  std::vector<Settings> sections(std::string_view key);
  /// The value as written (null if there is none): for the few readers that accept several forms. Counts as read and
  /// records the value as it stands; a following record() replaces what is recorded.
  const Value* raw(std::string_view key);

  /// The keys of this table, in the order of writing.
  [[nodiscard]] std::vector<std::string> keys() const;
  /// Puts `value` into the resolved config under `key`.
  void record(std::string_view key, Value value, bool is_default);
  /// Makes formulas in numbers know a variable from now on, in the whole config.
  void define(const std::string& variable, double value);
  [[nodiscard]] const std::vector<std::pair<std::string, double>>& variables() const;

  /// If `key` is found here unread, the refusal says `why` ("an option of scheme mix_ln") instead of guessing.
  void foreign(std::string key, std::string why);

  /// "study.toml:12: attention.beta" (the section's own place when the key is absent).
  [[nodiscard]] std::string place(std::string_view key) const;
  [[nodiscard]] std::string path(std::string_view key) const;
  /// Throws InputError: place(key), problem, remedy.
  [[noreturn]] void refuse(std::string_view key, const std::string& problem, const std::string& remedy = {}) const;

  /// Throws InputError for the first key, at any depth below the root, that nobody read.
  void refuse_unread() const;

  /// The resolved config: everything that was read, with defaults. With `only_changed`, without those that have their
  /// default value.
  [[nodiscard]] Value resolved(bool only_changed = false) const;

 private:
  struct Node;
  struct Shared;
  Settings(std::shared_ptr<Shared> shared, std::shared_ptr<Node> node);
  const Value* ask(std::string_view key);
  [[noreturn]] void refuse_missing(std::string_view key, const std::string& need) const;
  double checked(std::string_view key, double value, const NumberRule& rule) const;
  double evaluated(std::string_view key, const Value& value) const;

  std::shared_ptr<Shared> shared_;
  std::shared_ptr<Node> node_;
};

} // namespace normdyn::core
