// BlockRuns: the bytes of an array that one block accesses, as runs without gaps. A block that works on a
// part of a matrix leaves the same gap in every row, so the distance from run to run is the length of a row,
// however its threads divide the part among them.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/memory/stored_request.h"

namespace warplens::analysis {

class BlockRuns {
  public:
    /// Only requests of the first block that it hears count.
    void hear(const StoredRequest& request, std::uint64_t block);
    /// In bytes, from the start of one run to the start of the next; 0: there are fewer than three runs, or
    /// they are not equally far apart.
    std::uint64_t pitch() const;

  private:
    std::optional<std::uint64_t> block_;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> parts_;  // first address, end
};

}  // namespace warplens::analysis
