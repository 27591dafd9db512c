#pragma once
// A user's expression in named variables, evaluated through muParser: + - * / ^, ( ), comparisons, ?:, sqrt, exp, log,
// sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, abs, min, max, ..., and the constants pi and e.

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace normdyn::core {

class Formula {
 public:
  /// Compiles `text`. Throws InputError at `place` with the text and a caret under the fault when it does not parse or
  /// uses a name that is not in `variables`.
  Formula(std::string text, std::vector<std::string> variables, std::string place);
  Formula(const Formula& other);
  Formula(Formula&&) noexcept;
  Formula& operator=(Formula other) noexcept;
  ~Formula();

  /// Value for the variables in the order given at construction. Not safe for concurrent calls on one object.
  [[nodiscard]] double operator()(std::span<const double> values) const;

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::vector<std::string>& variables() const { return variables_; }
  /// Whether the expression depends on the named variable.
  [[nodiscard]] bool uses(const std::string& variable) const;

 private:
  struct Compiled;
  std::string text_;
  std::vector<std::string> variables_;
  std::string place_;
  std::unique_ptr<Compiled> compiled_;
};

} // namespace normdyn::core
