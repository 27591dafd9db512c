#pragma once
// The three voices for trouble: InputError (what the user gave is wrong), FileError (a file cannot be read or
// written), believe() (a broken belief of ours). Numerical ends are no errors: they are values, dynamics::Trouble and
// integrate::Outcome.

#include <source_location>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace normdyn::core {

/// An error whose text reads "place: problem; remedy". The remedy may be empty.
class PlacedError : public std::runtime_error {
 public:
  PlacedError(std::string place, std::string problem, std::string remedy);
  [[nodiscard]] const std::string& place() const { return place_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] const std::string& remedy() const { return remedy_; }

 private:
  std::string place_, problem_, remedy_;
};

/// Wrong input: quotes the value, names the place (file, line, key) and proposes the fix. Exit code 2.
class InputError final : public PlacedError {
 public:
  explicit InputError(std::string place, std::string problem, std::string remedy = {})
      : PlacedError(std::move(place), std::move(problem), std::move(remedy)) {}
};

/// A file that cannot be opened, read, written, or is not what it should be. Exit code 4.
class FileError final : public PlacedError {
 public:
  explicit FileError(std::string path, std::string problem, std::string remedy = {})
      : PlacedError(std::move(path), std::move(problem), std::move(remedy)) {}
};

/// Asserts a belief of ours; checked in debug and audit builds (NORMDYN_CHECK_BELIEFS), prints and aborts if broken.
#ifdef NORMDYN_CHECK_BELIEFS
void believe(bool holds, std::string_view belief, std::source_location where = std::source_location::current());
#else
inline void believe(bool, std::string_view) {}
#endif

/// The choice nearest to `word` by edit distance (swaps count once), or "" when none is near enough to propose.
[[nodiscard]] std::string nearest(std::string_view word, std::span<const std::string> choices);

/// "a, b or c"
[[nodiscard]] std::string listed(std::span<const std::string> words);

/// "did you mean 'x'?" when a choice is near, else "the choices are a, b or c".
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string> choices);

} // namespace normdyn::core
