#include "normdyn/reduced/digits.hpp"

#include "normdyn/core/value.hpp"
#include "normdyn/reduced/closed_forms.hpp"
#include "normdyn/reduced/decay.hpp"
#include "normdyn/reduced/table.hpp"
#include "reduced/reference.hpp"

using namespace normdyn;
using namespace normdyn::testing;
using namespace normdyn::reduced;

namespace {

using Digits100 = boost::multiprecision::cpp_bin_float_100;

DigitsModel model_of(const ReferenceKey& key) {
  DigitsModel model;
  model.scheme = scheme_named(key.scheme, key.tau.empty() ? 0.0 : std::stod(key.tau), key.alpha);
  if (key.alpha == "1/(1+t)")
    model.alpha = {1.0, 1.0, -1.0};
  model.n_tokens = std::stoul(key.n);
  model.beta = std::stod(key.beta);
  model.radius = std::stod(key.r0);
  return model;
}

// The same number in the same digits: 1e-4 and 0.00010 differ as texts only.
bool same_number(const std::string& text, const std::string& printed) {
  return Digits100(text) == Digits100(printed);
}

} // namespace

BOOST_AUTO_TEST_SUITE(reduced)

BOOST_AUTO_TEST_CASE(every_printed_digit_of_the_reference_is_given) {
  for (const auto& [key, rows] : equiangular_reference()) {
    std::vector<double> times;
    for (const ReferenceRow& row : rows)
      times.push_back(std::stod(row.time));
    const auto given = rows_in_digits(model_of(key), times, 25);
    BOOST_TEST_CONTEXT(key.text())
    for (std::size_t i = 0; i < rows.size(); ++i)
      BOOST_TEST_CONTEXT("t = " << rows[i].time) {
        BOOST_TEST(same_number(given[i].cosine, rows[i].cosine));
        BOOST_TEST(same_number(given[i].radius, rows[i].radius));
        BOOST_TEST(same_number(given[i].gap, rows[i].gap));
        BOOST_TEST(same_number(given[i].log_ratio, rows[i].log_ratio));
      }
  }
}

// No quadrature and no closed form: the equation itself.
BOOST_AUTO_TEST_CASE(attention_that_repels_agrees_with_the_integrated_table) {
  const std::vector<double> times{0.0, 0.5, 3.0, 20.0};
  for (const double beta : {-0.3, -5.0, -40.0})
    for (const char* scheme : {"post", "pre", "mix", "peri", "ngpt", "sqrt"})
      for (const double cosine : {-0.1, 0.0, 0.6}) {
        const DigitsModel model{
            .scheme = scheme_named(scheme, 1.0, "1"), .n_tokens = 8, .beta = beta, .cosine = cosine, .radius = 1.5};
        const EquiangularEquation equation({model.scheme, model.n_tokens, core::Schedule(beta)}, model.radius);
        const EquiangularTable table = tabulate(equation, cosine, 0.0, times);
        const std::vector<DigitsRow> rows = rows_in_digits(model, times, 25);
        BOOST_TEST_REQUIRE(table.rows.size() == rows.size());
        BOOST_TEST_CONTEXT(scheme << ", beta = " << beta << ", from " << cosine)
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const EquiangularRow& row = table.rows[i];
          BOOST_TEST(std::abs(row.log_ratio - std::stod(rows[i].log_ratio)) <= 1e-13 * (1.0 + std::abs(row.log_ratio)));
          BOOST_TEST(std::abs(row.radius / std::stod(rows[i].radius) - 1.0) <= 1e-13);
          BOOST_TEST(std::abs(row.clock - std::stod(rows[i].clock)) <= 1e-13 * (1.0 + row.clock));
        }
      }
}

BOOST_AUTO_TEST_CASE(a_table_ends_where_it_is_told_to) {
  const std::vector<double> times{0.0, 1.0, 2.0, 3.0};
  const DigitsModel model{.scheme = schemes::PreLn{}, .n_tokens = 8, .beta = 2.0};
  const auto after_two = [](std::size_t n_rows) { return n_rows == 2; };
  BOOST_TEST(rows_in_digits(model, times, 10, after_two).size() == 2U);
  const EquiangularEquation equation({model.scheme, model.n_tokens, core::Schedule(model.beta)}, 1.0);
  const EquiangularTable table = tabulate(equation, 0.0, 0.0, times, tight_options(), after_two);
  BOOST_TEST(table.rows.size() == 2U);
  BOOST_TEST((table.outcome.kind == integrate::Outcome::Kind::stopped));
}

// Closed forms in 100 digits use neither panels nor Newton in 60 digits.
BOOST_AUTO_TEST_CASE(fifty_digits_are_right) {
  const std::vector<double> times{0.1, 1.0, 7.5, 60.0};
  for (const double beta : {0.7, 5.0}) {
    DigitsModel model{.n_tokens = 16, .beta = beta, .cosine = 0.1, .radius = 1.5};
    const Equiangular<Digits100> family(16, Digits100(core::number_text(beta)));
    const Digits100 y0 = family.log_ratio(Digits100("0.1"));
    const auto post = rows_in_digits(model, times, 50);
    for (std::size_t i = 0; i < times.size(); ++i) {
      const Digits100 y = log_ratio_at_clock(family, y0, Digits100(core::number_text(times[i])));
      BOOST_TEST(post[i].log_ratio == y.str(50));
      BOOST_TEST(post[i].gap == family.position(y).gap.str(50));
      BOOST_TEST(post[i].time == core::number_text(times[i]));
    }
    // Pre-LN: radius and clock are closed forms of y, whose rounding to 50 digits is what is left
    model.scheme = schemes::PreLn{};
    for (const DigitsRow& row : rows_in_digits(model, times, 50)) {
      const Digits100 y(row.log_ratio);
      BOOST_TEST(
          agrees(Digits100(row.radius), Digits100(Digits100("1.5") * exp(log_radius_growth(family, y0, y))), 1e-48));
      BOOST_TEST(agrees(Digits100(row.clock), clock_between(family, y0, y), 1e-48));
    }
  }
}

BOOST_AUTO_TEST_CASE(uniform_attention_has_its_closed_form_to_fifty_digits) {
  const std::vector<double> times{0.25, 3.0, 100.0};
  const auto rows = rows_in_digits({.scheme = schemes::PreLn{}, .n_tokens = 5, .beta = 0.0, .cosine = 0.2}, times, 50);
  const Equiangular<Digits100> family(5, Digits100(0));
  for (std::size_t i = 0; i < times.size(); ++i)
    BOOST_TEST(
        agrees(uniform_pre_time(family, family.log_ratio(Digits100("0.2")), Digits100(1), Digits100(rows[i].log_ratio)),
               Digits100(times[i]), 1e-47));
}

BOOST_AUTO_TEST_CASE(log_derivatives_are_those_of_the_equation) {
  const std::vector<double> times{0.0, 0.5, 3.0, 40.0};
  for (const char* name : {"post", "pre", "mix", "peri", "ngpt", "sqrt"})
    for (const char* alpha : {"1", "1/(1+t)"}) {
      const ReferenceKey key{name, "3", "16", "1.5", "3", alpha};
      const auto rows = rows_in_digits(model_of(key), times, 20);
      const EquiangularEquation equation(
          {.scheme = scheme_named(name, 3.0, alpha), .n_tokens = 16, .beta = core::Schedule(3.0)}, 1.5);
      const auto expected = rates_at(equation, tabulate(equation, 0.0, 0.0, times).rows).log_gap;
      BOOST_TEST_CONTEXT(name << ", alpha = " << alpha)
      for (std::size_t i = 0; i < times.size(); ++i)
        BOOST_TEST(agrees(std::stod(rows[i].log_derivative), expected[i], 2e-12));
    }
}

BOOST_AUTO_TEST_CASE(a_power_of_alpha_is_integrated_exactly) {
  // alpha = 0.3/sqrt(0.5 + t)
  const core::Schedule alpha = core::Schedule::power(0.3, 0.5, -0.5);
  const std::vector<double> times{1.0, 9.0};
  const auto rows = rows_in_digits(
      {.scheme = schemes::NGpt(alpha), .alpha = {0.3, 0.5, -0.5}, .n_tokens = 8, .beta = 2.0}, times, 30);
  const EquiangularEquation equation({.scheme = schemes::NGpt(alpha), .n_tokens = 8, .beta = core::Schedule(2.0)}, 1.0);
  const auto expected = tabulate(equation, 0.0, 0.0, times).rows;
  for (std::size_t i = 0; i < times.size(); ++i) {
    BOOST_TEST(close(std::stod(rows[i].log_ratio), expected[i].log_ratio, 1e-12));
    BOOST_TEST(close(std::stod(rows[i].clock), expected[i].clock, 1e-12));
  }
}

BOOST_AUTO_TEST_CASE(what_has_no_quadrature_is_refused) {
  const std::vector<double> times{1.0};
  BOOST_TEST(refuses<core::InputError>([&] { return rows_in_digits({}, times, 51); }, "51 digits", "1 to 50"));
  BOOST_TEST(refuses<core::InputError>([&] { return rows_in_digits({.n_tokens = 3, .cosine = -0.5}, times, 20); },
                                       "do not move in y"));
}

BOOST_AUTO_TEST_SUITE_END()
