#include "normdyn/attention/tile_schedule.hpp"

#include <algorithm>

namespace normdyn::attention {

// The circle method: in round r, i meets j where i + j = r modulo an odd m. The one tile with 2 i = r is left over: it
// meets itself if all tiles are in the circle, and the last tile if that one stands outside; then all meet themselves
// in a round of their own.
std::vector<TileMeeting> tile_schedule(std::size_t n_tiles) {
  std::vector<TileMeeting> meetings;
  const bool has_outsider = n_tiles % 2 == 0;
  const std::size_t m = has_outsider ? n_tiles - 1 : n_tiles;
  for (std::size_t round = 0; round < m; ++round)
    for (std::size_t i = 0; i < m; ++i) {
      const std::size_t j = (round + m - i) % m;
      if (i < j)
        meetings.push_back({i, j, static_cast<int>(round)});
      else if (i == j)
        meetings.push_back({i, has_outsider ? n_tiles - 1 : i, static_cast<int>(round)});
    }
  if (has_outsider)
    for (std::size_t i = 0; i < n_tiles; ++i)
      meetings.push_back({i, i, static_cast<int>(m)});
  return meetings;
}

} // namespace normdyn::attention
