#include "normdyn/attention/tile_schedule.hpp"

#include <boost/test/unit_test.hpp>

#include <set>
#include <utility>

using namespace normdyn::attention;

BOOST_AUTO_TEST_SUITE(attention)

BOOST_AUTO_TEST_CASE(all_tiles_meet_once_and_each_once_in_every_round) {
  for (std::size_t n = 1; n <= 24; ++n) {
    std::set<std::pair<std::size_t, std::size_t>> met;
    std::vector<int> rounds(n, 0); // rounds behind each tile
    for (const TileMeeting& meeting : tile_schedule(n)) {
      BOOST_TEST(meeting.first <= meeting.second);
      BOOST_TEST(meeting.second < n);
      BOOST_TEST(met.insert({meeting.first, meeting.second}).second);
      BOOST_TEST(rounds[meeting.first]++ == meeting.round);
      if (meeting.second != meeting.first)
        BOOST_TEST(rounds[meeting.second]++ == meeting.round);
    }
    BOOST_TEST(met.size() == n * (n + 1) / 2);
  }
}

BOOST_AUTO_TEST_SUITE_END()
