#include "normdyn/core/formula.hpp"

#include "normdyn/core/error.hpp"

#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace normdyn::core {

struct Formula::Compiled {
  mu::Parser parser;
  std::vector<double> values;
};

namespace {

std::string with_caret(const std::string& text, std::size_t position) {
  return "\n  " + text + "\n  " + std::string(std::min(position, text.size()), ' ') + "^";
}

bool is_number_beyond_range(const std::string& token) {
  char* end = nullptr;
  return std::isinf(std::strtod(token.c_str(), &end)) && *end == '\0' && token.find_first_of("0123456789") == 0;
}

// muParser reports where its tokenizer stood, which for an unknown name is the name's begin.
[[noreturn]] void refuse(const std::string& text, const std::vector<std::string>& variables, const std::string& place,
                         const mu::Parser::exception_type& error) {
  const int position = error.GetPos();
  std::string message = error.GetMsg();
  while (!message.empty() && (message.back() == '.' || message.back() == '\n'))
    message.pop_back();
  std::string remedy;
  if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN && is_number_beyond_range(error.GetToken())) {
    message = "'" + error.GetToken() + "' is too large for a number";
    remedy = "the largest is about 1.8e308";
  } else if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN) {
    message = "unknown name '" + error.GetToken() + "' in the formula";
    remedy = variables.empty() ? "write a number" : "known here: " + listed(variables);
    if (const std::string near = nearest(error.GetToken(), variables); !near.empty())
      remedy = "did you mean '" + near + "'? " + remedy;
  }
  if (text.find_first_not_of(" \t") == std::string::npos)
    throw InputError(place, "is empty", "write a number or a formula, or leave the key out");
  const std::size_t at = position < 0 ? text.size() : static_cast<std::size_t>(position);
  throw InputError(place, message + with_caret(text, at) + (remedy.empty() ? "" : "\n  "), remedy);
}

} // namespace

Formula::Formula(std::string text, std::vector<std::string> variables, std::string place)
    : text_(std::move(text)), variables_(std::move(variables)), place_(std::move(place)),
      compiled_(std::make_unique<Compiled>()) {
  compiled_->values.resize(variables_.size());
  mu::Parser& parser = compiled_->parser;
  try {
    parser.ClearConst();
    parser.DefineConst("pi", std::numbers::pi);
    if (std::find(variables_.begin(), variables_.end(), "e") == variables_.end())
      parser.DefineConst("e", std::numbers::e);
    for (std::size_t i = 0; i < variables_.size(); ++i)
      parser.DefineVar(variables_[i], &compiled_->values[i]);
    if (const std::size_t assignment = text_.find('=');
        assignment != std::string::npos && text_.find_first_of("=<>!", assignment + 1) != assignment + 1 &&
        (assignment == 0 || std::string("=<>!").find(text_[assignment - 1]) == std::string::npos))
      throw InputError(place_, "a formula may not assign" + with_caret(text_, assignment));
    parser.SetExpr(text_);
    (void)parser.Eval();
    if (parser.GetNumResults() != 1)
      throw InputError(place_, "a formula has one value, '" + text_ + "' has several", "remove the comma");
  } catch (const mu::Parser::exception_type& error) {
    refuse(text_, variables_, place_, error);
  }
}

Formula::Formula(const Formula& other) : Formula(other.text_, other.variables_, other.place_) {}
Formula::Formula(Formula&&) noexcept = default;
Formula& Formula::operator=(Formula other) noexcept {
  text_.swap(other.text_);
  variables_.swap(other.variables_);
  place_.swap(other.place_);
  compiled_.swap(other.compiled_);
  return *this;
}
Formula::~Formula() = default;

double Formula::operator()(std::span<const double> values) const {
  believe(values.size() == compiled_->values.size(), "a formula is called with all its variables");
  std::copy(values.begin(), values.end(), compiled_->values.begin());
  return compiled_->parser.Eval();
}

bool Formula::uses(const std::string& variable) const {
  return compiled_->parser.GetUsedVar().contains(variable);
}

} // namespace normdyn::core
