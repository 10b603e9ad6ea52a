// PitchVotes: estimates the distance between the rows of an array that no declaration gives. Requests vote
// for the distance that their addresses imply.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "analysis/memory/stored_request.h"

namespace warplens::analysis {

class PitchVotes {
  public:
    void hear(const StoredRequest& request);
    /// One vote of a caller that knows two positions one row apart.
    void add(std::uint64_t pitch) { ++strong_[pitch]; }

    /// In bytes; 0: not known. Without a better vote, rows that follow each other without a gap count only if
    /// `adjacent_rows`: every array that is divided among warps looks like them.
    std::uint64_t pitch(bool adjacent_rows = true);

  private:
    static std::uint64_t winner(const std::map<std::uint64_t, std::size_t>& votes);

    std::vector<std::uint64_t> addresses_;
    /// Bases of dense requests, by site and by their length in bytes.
    std::map<std::pair<SiteId, std::uint64_t>, std::vector<std::uint64_t>> rows_;
    std::map<std::uint64_t, std::size_t> strong_;
};

}  // namespace warplens::analysis
