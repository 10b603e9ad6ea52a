// Collectives: the warp-wide instructions of one recorded warp — shuffles, votes, matches, reductions — for a
// picture: which lane received which lane's value, where predicates were true, and which shuffles are the
// steps of one sum or scan. Values are not recorded.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
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
/// "all" of vote.sync.all, and of the machine's VOTE.ALL.
bool has_modifier(const Site& site, std::string_view modifier);

/// One execution by one warp (or by its lanes with the same member mask).
struct Collective {
    CollectiveKind kind = CollectiveKind::shuffle_down;
    SiteId site = 0;
    std::uint64_t step = 0;  // of the warp
    LaneMask mask;           // participating lanes
    /// Whether the exchange is known, from BlockObserver::exchange. Not for reductions, and not in a GPU's
    /// recording.
    bool recorded = false;
    std::array<std::uint8_t, warp_size> lanes{};
    /// Shuffles with a common distance: the distance (in lane numbers, or as bits for a butterfly; for an
    /// index shuffle the lane that all read). -1: it differs between lanes or is not known.
    int distance = -1;
    int width = warp_size;  // lanes per segment: no lane reads outside its own

    /// Whether the source lane is outside the lane's segment, so that it kept its own value.
    bool reached_out(int lane) const;
    /// Votes: lanes whose predicate was true.
    LaneMask holds() const;
};

/// Those of a warp (index into Trace::warps), in order, at most `most`.
std::vector<Collective> warp_collectives(const trace::Trace& trace, std::uint32_t warp_record,
                                         std::size_t most = 100'000);

/// Collectives [begin, end) of one series: shuffles of one kind whose distances halve or double each time, as
/// in a sum or scan; otherwise a single one.
struct CollectiveSeries {
    std::size_t begin = 0, end = 0;
    std::size_t steps() const { return end - begin; }
};
std::vector<CollectiveSeries> collective_series(const std::vector<Collective>& all);

/// "Shuffle down by 16": what the instruction is.
std::string collective_name(const Collective& collective, const Site& site);
/// "lane i gets lane i + 16": its effect on the lanes.
std::string collective_rule(const Collective& collective);
/// "lane 5 gets lane 21: 5 + 16 = 21": the arithmetic of one lane.
std::string collective_arithmetic(const Collective& collective, const Site& site, int lane);

}  // namespace warplens::analysis
