#pragma once
// The order in which pairs of tiles meet when both sides gather sums: a tournament. In each round every tile has one
// partner (or meets itself), so no two pairs of a round touch the same sums, and every tile meets its partners in an
// order that depends on the number of tiles alone. No sums of one's own per thread are needed, and the threads do not
// show in the bits.

#include <cstddef>
#include <vector>

namespace normdyn::attention {

struct TileMeeting {
  std::size_t first = 0, second = 0; ///< first <= second
  int round = 0;
};

/// All n (n + 1) / 2 meetings, round after round.
[[nodiscard]] std::vector<TileMeeting> tile_schedule(std::size_t n_tiles);

} // namespace normdyn::attention
