#include "normdyn/core/error.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace normdyn::core {
namespace {

std::string sentence(const std::string& place, const std::string& problem, const std::string& remedy) {
  std::string text = place.empty() ? problem : place + ": " + problem;
  if (!remedy.empty())
    text += "; " + remedy;
  return text;
}

// Optimal string alignment: insert, delete, replace and swap of neighbours cost one each.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      const std::size_t replace = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

} // namespace

PlacedError::PlacedError(std::string place, std::string problem, std::string remedy)
    : std::runtime_error(sentence(place, problem, remedy)), place_(std::move(place)), problem_(std::move(problem)),
      remedy_(std::move(remedy)) {}

#ifdef NORMDYN_CHECK_BELIEFS
void believe(bool holds, std::string_view belief, std::source_location where) {
  if (holds)
    return;
  std::fprintf(stderr, "%s:%u: broken belief: %.*s\n", where.file_name(), static_cast<unsigned>(where.line()),
               static_cast<int>(belief.size()), belief.data());
  std::abort();
}
#endif

std::string nearest(std::string_view word, std::span<const std::string> choices) {
  std::string best;
  // A slip or two in a short word, one letter in three of a long one; a prefix counts at any length.
  std::size_t best_distance = std::max<std::size_t>(2, (word.size() + 1) / 3);
  for (const std::string& choice : choices) {
    const std::size_t distance = edit_distance(word, choice);
    const bool starts = word.size() >= 3 && choice.starts_with(word);
    if (distance < best_distance || (best.empty() && (starts || distance == best_distance))) {
      best = choice;
      best_distance = std::min(distance, best_distance);
    }
  }
  return best;
}

std::string listed(std::span<const std::string> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0)
      text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::string suggestion(std::string_view word, std::span<const std::string> choices) {
  const std::string near = nearest(word, choices);
  if (!near.empty())
    return "did you mean '" + near + "'?";
  return choices.empty() ? std::string() : "known here: " + listed(choices);
}

} // namespace normdyn::core
