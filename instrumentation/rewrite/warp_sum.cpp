#include "instrumentation/rewrite/warp_sum.h"

#include <fmt/format.h>

#include "instrumentation/rewrite/kept_words.h"
#include "instrumentation/rewrite/passes.h"
#include "instrumentation/rewrite/recording_space.h"

namespace warplens::instrumentation {

namespace {

// tally_sum() and address_sum() of recording_plan.h.
constexpr std::string_view mix_hash = R"(
.reg .b32 %mixed_{name}, %sum_{name};
mad.lo.u32 %mixed_{name}, {hash}, {factor}, {lane};
shr.u32 %sum_{name}, %mixed_{name}, 15;
xor.b32 %mixed_{name}, %mixed_{name}, %sum_{name};
selp.b32 %mixed_{name}, %mixed_{name}, 0, %out;
)";

// Where a warp is expected to be whole: nobody else leaves a sum, and one that is not is reported. At the
// only way out of a kernel all lanes can be waited for, elsewhere not. Otherwise those who leave together add
// theirs.
constexpr std::string_view add_over_all_lanes = R"(
redux.sync.add.u32 %sum_{name}, %mixed_{name}, {all};
{leave})";
constexpr std::string_view add_over_whole_warp = R"(
.reg .pred %few_{name};
setp.ne.u32 %few_{name}, %here, {whole};
@%few_{name} bra.uni summed_{name};
redux.sync.add.u32 %sum_{name}, %mixed_{name}, {all};
{leave}summed_{name}:
)";

constexpr std::string_view add_over_those_here = R"(
redux.sync.add.u32 %sum_{name}, %mixed_{name}, %here;
@%leads red.global.add.u32 [%at+{at}], %sum_{name};
)";
constexpr std::string_view add_each = "@%stores red.global.add.u32 [%at+{at}], %mixed_{name};\n";

/// Whether all lanes of a warp come to one place where they leave, and may wait for each other there.
bool all_meet(const Draft& draft) {
    if (!expects_whole(draft) || !draft.may_wait_at_exit) return false;
    std::size_t ways = draft.runs_off_its_end(draft.functions.front());
    for (SiteId site = 0; site < draft.numbered.origins.size(); ++site) {
        const ptx::Instruction& instruction = draft.instruction(site);
        const bool in_entry = draft.numbered.origins[site].function == draft.functions.front().index;
        if (instruction.opcode != "exit" && (instruction.opcode != "ret" || !in_entry)) continue;
        if (instruction.has_guard) return false;
        ++ways;
    }
    return ways == 1;
}

class WarpSum {
  public:
    /// `lane`: what is added to the hash of each.
    WarpSum(Draft& draft, std::string_view name, std::string_view hash, std::string_view lane,
            std::uint32_t at)
        : draft_(draft), name_(name), hash_(hash), lane_(lane), at_(at) {}

    std::string add() const {
        constexpr std::uint32_t factor = 0x85EBCA77u;
        static_assert(tally_sum(1) == (factor ^ factor >> 15));
        static_assert(address_sum(1, 0) == tally_sum(1) &&
                      address_sum(0, 1) == (0x9E3779B1u ^ 0x9E3779B1u >> 15));
        const bool redux = adds_up_lanes(draft_.module);
        return fmt::format(mix_hash, fmt::arg("name", name_), fmt::arg("hash", hash_),
                           fmt::arg("factor", factor), fmt::arg("lane", lane_)) +
               filled(redux && all_meet(draft_)        ? add_over_all_lanes
                      : redux && expects_whole(draft_) ? add_over_whole_warp
                      : redux && !draft_.calls         ? add_over_those_here
                                                       : add_each);
    }

  private:
    std::string filled(std::string_view text) const {
        const std::string whole = text == add_over_whole_warp ? whole_mask(draft_) : "";
        return fmt::format(fmt::runtime(text), fmt::arg("name", name_), fmt::arg("at", at_),
                           fmt::arg("whole", whole), fmt::arg("all", every_lane), fmt::arg("leave", leave()));
    }

    /// A word that the lanes keep, or one in memory.
    std::string leave() const {
        const std::uint32_t word = (at_ - draft_.chunks_begin()) / 4;
        if (word == offsetof(WarpHead, exit_mask) / 4) return {};  // it is stored with the head
        if (word < draft_.plan.kept_words)
            return keep_word_by("%of_lane", word, "%sum_" + std::string(name_));
        return fmt::format("@%leads st.global.b32 [%at+{}], %sum_{};\n", at_, name_);
    }

    Draft& draft_;
    std::string_view name_, hash_, lane_;
    std::uint32_t at_;
};

}  // namespace

bool expects_whole(const Draft& draft) { return relies_on_whole_warps(draft) && draft.leaves_whole; }

bool all_leave_at_once(const Draft& draft) {
    const BlockPlan& first = draft.plan.blocks.front();
    if (first.source == BlockPlan::Source::whole && !first.guards.empty()) return false;
    for (BasicBlockId b = 0; b < draft.graph.nodes.size(); ++b)
        if (draft.graph.nodes[b].leaves && draft.terminator(b).has_guard) return false;
    return true;
}

bool sums_ask_who_is_here(const Draft& draft) {
    return (draft.hashes_addresses() || draft.plan.warp_hash) && !all_meet(draft);
}

bool all_wait_at(const Draft& draft, BasicBlockId b) {
    if (b == draft.waits) return true;
    const bool adds_up = draft.hashes_addresses() || draft.plan.warp_hash;
    return draft.graph.nodes[b].leaves && draft.numbered.program.basic_blocks[b].site_count == 1 && adds_up &&
           adds_up_lanes(draft.module) && all_meet(draft);
}

std::string sum_of_addresses(Draft& draft) {
    constexpr std::uint32_t word = offsetof(WarpHead, block);
    return WarpSum(draft, "addresses", "%warplens_hash", "%lane_part", draft.chunks_begin() + word).add();
}

std::string sum_of_tallies(Draft& draft) {
    const std::size_t at =
        draft.plan.hash_in_head ? offsetof(WarpHead, exit_mask) : std::size_t{draft.plan.tally_offset};
    return WarpSum(draft, "tallies", "%all_lanes", "0", draft.chunks_begin() + static_cast<std::uint32_t>(at))
        .add();
}

}  // namespace warplens::instrumentation
