#pragma once
// What `normdyn reproduce` prints for people.

#include "normdyn/theorems/dossier.hpp"

#include <span>
#include <string>

namespace normdyn::cli {

/// Rows with the columns of one call, printed one by one as claims are examined.
class ClaimRows final {
 public:
  /// `width`: columns of the terminal, for shortening; the largest number where output goes to a file.
  ClaimRows(const theorems::Dossier& dossier, bool with_details, bool in_color, std::size_t width);

  [[nodiscard]] std::string titles() const;
  /// A row: id, title, verdict, seconds, and the number that decides; beneath it the evidence that does not pass, or
  /// all of it with details.
  [[nodiscard]] std::string row(const theorems::Examination& examination) const;

 private:
  [[nodiscard]] std::string evidence_lines(const theorems::Examination& examination) const;
  [[nodiscard]] std::string columns(const std::string& id, const std::string& title, const std::string& verdict,
                                    const std::string& seconds) const;
  [[nodiscard]] std::size_t room_for_number() const;
  [[nodiscard]] const std::string& title_of(const theorems::Claim& claim) const;
  bool of_controls_, with_details_, in_color_;
  std::size_t width_, id_width_ = 5, title_width_ = 5;
};

/// The table of `--list`.
[[nodiscard]] std::string claim_list(std::span<const theorems::Claim* const> claims, bool in_color);

} // namespace normdyn::cli
