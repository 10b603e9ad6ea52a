// Collectives: the warp-wide instructions of one recorded warp — shuffles, votes, matches, reductions — as a
// picture needs them: which lane got whose value, which lanes held, and which shuffles belong together as the
// steps of one sum or scan. Values are not recorded: what was added up nobody here knows.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace warplens::analysis {

enum class CollectiveKind : std::uint8_t {
    shuffle_up,
    shuffle_down,
    shuffle_butterfly,
    shuffle_index,
    ballot,
    vote,  // all, any, uniform
    match,
    reduce,
};
bool is_shuffle(CollectiveKind kind);

/// One execution by one warp (or by the lanes of it that named the same member mask).
struct Collective {
    CollectiveKind kind = CollectiveKind::shuffle_down;
    SiteId site = 0;
    std::uint64_t step = 0;  // of the warp
    LaneMask mask;           // lanes that took part
    /// As BlockObserver::exchange tells it. Reductions tell nothing, and a GPU's recording has none of it.
    bool told = false;
    std::array<std::uint8_t, warp_size> lanes{};
    /// Of shuffles whose lanes all reach equally far: how far (by lane number, or in bits for a butterfly; of
    /// an index shuffle the one lane that all read). -1: each lane chose for itself, or nothing is told.
    int distance = -1;
    int width = warp_size;  // lanes of a segment: none reads out of its own

    /// The shuffle would have read another lane, but that lies out of its segment: it got its own value.
    bool reached_out(int lane) const;
    /// Votes: lanes whose predicate held.
    LaneMask holds() const;
};

/// Of a warp (index into Trace::warps), in order, at most `most`.
std::vector<Collective> warp_collectives(const trace::Trace& trace, std::uint32_t warp_record,
                                         std::size_t most = 100'000);

/// Collectives [begin, end) that belong together: shuffles of one kind whose distances halve or double from
/// one to the next, as in a sum or scan; else one alone.
struct CollectiveSeries {
    std::size_t begin = 0, end = 0;
    std::size_t steps() const { return end - begin; }
};
std::vector<CollectiveSeries> collective_series(const std::vector<Collective>& all);

/// "Shuffle down by 16": what the instruction is.
std::string collective_name(const Collective& collective, const Site& site);
/// "lane i gets lane i + 16": what it does with the lanes.
std::string collective_rule(const Collective& collective);
/// "lane 5 gets lane 21: 5 + 16 = 21": the arithmetic of one lane.
std::string collective_arithmetic(const Collective& collective, const Site& site, int lane);

}  // namespace warplens::analysis
