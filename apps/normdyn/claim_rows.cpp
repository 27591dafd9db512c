#include "claim_rows.hpp"

#include "normdyn/report/display_text.hpp"
#include "normdyn/report/number_text.hpp"
#include "normdyn/report/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace normdyn::cli {
namespace {

using report::Tone;
using theorems::Claim;
using theorems::Evidence;
using theorems::Examination;
using theorems::Verdict;

constexpr std::size_t verdict_width = 12, seconds_width = 8, most_lines = 12;

Tone tone_of(Verdict verdict) {
  switch (verdict) {
  case Verdict::recorded:
    return Tone::faint;
  case Verdict::passes:
    return Tone::good;
  case Verdict::fails:
    return Tone::bad;
  default:
    return Tone::warning;
  }
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t used = report::display_width(text);
  return used < width ? text + std::string(width - used, ' ') : text;
}

std::string left_padded(const std::string& text, std::size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

// What is found stays whole as long as it fits: the name of the quantity is cut before it, in its middle.
std::string decisive_text(const Evidence& evidence, std::size_t room) {
  const std::string name = report::printable(evidence.quantity), found = report::printable(evidence.text);
  const std::size_t wanted = report::display_width(name), taken = report::display_width(found) + 2;
  constexpr std::size_t least_name = 8;
  if (wanted + taken <= room)
    return name + ": " + found;
  if (taken + least_name > room)
    return report::shortened(found, room);
  return report::shortened_in_middle(name, room - taken) + ": " + found;
}

std::string suites_of(const Claim& claim) {
  return fmt::format("{}{}all", claim.is_quick ? "quick " : "", claim.is_of_paper ? "paper " : "");
}

} // namespace

ClaimRows::ClaimRows(const theorems::Dossier& dossier, bool with_details, bool in_color, std::size_t width)
    : of_controls_(dossier.of_controls), with_details_(with_details), in_color_(in_color), width_(width) {
  for (const Claim* claim : dossier.asked) {
    id_width_ = std::max(id_width_, claim->id.size());
    title_width_ = std::max(title_width_, report::display_width(title_of(*claim)));
  }
  // The number that decides has the room it needs before the title has; a title of a few words is enough.
  constexpr std::size_t widest_title = 60, least_title = 12, room_of_number = 48;
  const std::size_t others = id_width_ + verdict_width + seconds_width + 8;
  const std::size_t left = width_ > others + room_of_number ? width_ - others - room_of_number : 0;
  title_width_ = std::min({title_width_, widest_title, std::max(left, least_title)});
}

const std::string& ClaimRows::title_of(const Claim& claim) const {
  return of_controls_ ? claim.control_text : claim.title;
}

std::string ClaimRows::columns(const std::string& id, const std::string& title, const std::string& verdict,
                               const std::string& seconds) const {
  return padded(id, id_width_) + "  " + padded(report::shortened(title, title_width_), title_width_) + "  " + verdict +
         "  " + left_padded(seconds, seconds_width) + "  ";
}

std::string ClaimRows::titles() const {
  const std::string title = of_controls_ ? "negative control: the claim is wrong for" : "title";
  return columns("claim", title, padded("verdict", verdict_width), "seconds") + "the number that decides\n";
}

std::string ClaimRows::row(const Examination& examination) const {
  const Claim& claim = *examination.claim;
  const std::string verdict = padded(std::string(verdict_name(examination.verdict)), verdict_width);
  const bool is_good_failure = of_controls_ && examination.verdict == Verdict::fails;
  const Tone tone = is_good_failure ? Tone::good : of_controls_ ? Tone::bad : tone_of(examination.verdict);
  const std::string seconds = fmt::format("{:.2f}", examination.seconds);
  std::string decides;
  if (const Evidence* evidence = decisive_evidence(examination.findings); evidence != nullptr)
    decides = decisive_text(*evidence, room_for_number());
  return columns(claim.id, title_of(claim), report::toned(verdict, tone, in_color_), seconds) + decides + "\n" +
         evidence_lines(examination);
}

std::size_t ClaimRows::room_for_number() const {
  const std::size_t used = id_width_ + title_width_ + verdict_width + seconds_width + 8;
  return width_ > used + 20 ? width_ - used : 20;
}

std::string ClaimRows::evidence_lines(const Examination& examination) const {
  std::string text;
  std::size_t n_shown = 0, n_left = 0;
  for (const Evidence& evidence : examination.findings.evidence) {
    const bool needs_a_look = evidence.verdict > Verdict::passes && !of_controls_;
    if (!with_details_ && !needs_a_look)
      continue;
    if (!with_details_ && n_shown == most_lines) {
      ++n_left;
      continue;
    }
    ++n_shown;
    const std::string verdict = padded(std::string(verdict_name(evidence.verdict)), verdict_width);
    text += fmt::format("    {}  {}\n", report::toned(verdict, tone_of(evidence.verdict), in_color_),
                        report::printable(evidence.quantity + ": " + evidence.text));
  }
  if (n_left > 0)
    text += fmt::format("    and {} more; --details shows all\n", n_left);
  return text;
}

std::string claim_list(std::span<const Claim* const> claims, bool in_color) {
  report::Table table({"claim", "title", "also called", "suites", "about", "source"});
  for (const Claim* claim : claims)
    table.add_row({{claim->id, Tone::strong},
                   claim->title,
                   fmt::format("{}", fmt::join(claim->aliases, " ")),
                   suites_of(*claim),
                   report::duration_text(claim->cost_seconds),
                   claim->source});
  return table.text(in_color);
}

} // namespace normdyn::cli
