#include "normdyn/report/bar.hpp"
#include "normdyn/report/display_text.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace normdyn::report;

namespace {

const BarFacts facts = {.label = "post_ln",
                        .begin = 0.0,
                        .time = 12.0,
                        .end = 30.0,
                        .step = 0.0523,
                        .rejected = 3,
                        .n_clusters = 28,
                        .elapsed_seconds = 2.0};

} // namespace

BOOST_AUTO_TEST_SUITE(report)

BOOST_AUTO_TEST_CASE(progress_says_time_step_clusters_and_time_left) {
  BOOST_TEST(progress_bar(facts) ==
             "post_ln  [########------------]   40 %  t = 12 of 30  h = 0.052  3 rejected  28 clusters  ETA 3.00 s");
}

BOOST_AUTO_TEST_CASE(progress_fits_any_width_and_keeps_the_time_longest) {
  for (std::size_t width = 0; width < 120; ++width)
    BOOST_TEST(display_width(progress_bar(facts, width)) <= width);
  BOOST_TEST(progress_bar(facts, 40) == "post_ln   40 %  t = 12 of 30  ETA 3.00 s");
  BOOST_TEST(progress_bar(facts, 12) == "t = 12 of 30");
}

BOOST_AUTO_TEST_CASE(progress_is_complete_only_at_the_end) {
  BarFacts late = facts;
  late.time = 29.9999;
  BOOST_TEST(progress_bar(late).find(" 99 %") != std::string::npos);
  late.time = 30.0;
  BOOST_TEST(progress_bar(late).find("[####################]  100 %") != std::string::npos);
  BOOST_TEST(progress_bar(late).find("ETA 0.00 s") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(unknown_ends_are_left_out) {
  BarFacts start = facts;
  start.time = 0.0;
  BOOST_TEST(std::isnan(remaining_seconds(start)));
  BOOST_TEST(progress_bar(start).find("ETA") == std::string::npos);
  BarFacts endless = facts;
  endless.end = INFINITY;
  endless.n_clusters.reset();
  endless.rejected = 0;
  BOOST_TEST(progress_bar(endless) == "post_ln  t = 12 of inf  h = 0.052");
}

BOOST_AUTO_TEST_CASE(work_without_simulated_time_has_a_bar_too) {
  BOOST_TEST(work_bar("NA-8 (3/19)", 0.4, 125.0) == "NA-8 (3/19)  [########------------]   40 %  ETA 2 min 05 s");
  BOOST_TEST(work_bar("NA-8 (3/19)", 0.4, 125.0, 40) == "NA-8 (3/19)   40 %  ETA 2 min 05 s");
  BOOST_TEST(work_bar("NA-8", 0.999, NAN) == "NA-8  [###################-]   99 %");
  for (std::size_t width = 0; width < 80; ++width)
    BOOST_TEST(display_width(work_bar("NA-8 (3/19)", 2.0, 1.0, width)) <= width);
}

BOOST_AUTO_TEST_SUITE_END()
