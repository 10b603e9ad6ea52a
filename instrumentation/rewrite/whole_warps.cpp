#include "instrumentation/rewrite/whole_warps.h"

#include <algorithm>
#include <string_view>

#include "instrumentation/rewrite/giving_way.h"
#include "ptx/block_barrier.h"
#include "ptx/opcodes.h"
#include "ptx/value_flow.h"

namespace warplens::instrumentation {

namespace {

/// Special registers that differ between the lanes of a warp.
bool differs_by_lane(std::string_view special) {
    return special.starts_with("tid") || special.starts_with("lane");
}

/// Goes on only when other lanes have come, too, or have returned.
bool waits_for_others(const ptx::Instruction& at) {
    switch (ptx::site_kind(at)) {
        case SiteKind::warp_wide:
            return at.opcode != "activemask";
        case SiteKind::barrier:
            return at.opcode != "mbarrier";
        default:
            return at.has("sync");
    }
}

class Prediction {
  public:
    Prediction(const ptx::Module& module, const ptx::NumberedProgram& numbered, const BlockGraph& graph,
               bool bounds_hold, const std::vector<BasicBlockId>& parting)
        : module_(module),
          numbered_(numbered),
          graph_(graph),
          bounds_hold_(bounds_hold),
          parting_(parting),
          meetings_(immediate_post_dominators(graph)),
          gives_way_(blocks_that_give_way(module, numbered, graph)),
          whole_(graph.nodes.size(), true) {
        const ptx::Function& entry = module.functions[numbered.origins.front().function];
        differs_.assign(graph.nodes.size(), Registers(entry.registers.size(), false));
        parts_.assign(graph.nodes.size(), false);
        compares_bounds_.resize(entry.registers.size());
    }

    WholeWarps run() {
        const std::vector<bool> none(whole_.size(), false);
        WholeWarps found{none, none, none, none, no_index, std::vector<bool>(whole_.size(), true)};
        if (has_calls()) return found;
        do {
            changed_ = false;
            for (BasicBlockId b = 0; b < whole_.size(); ++b) follow(b);
        } while (changed_);
        for (BasicBlockId b = 0; b < whole_.size(); ++b) {
            found.together[b] = stays_together(b);
            found.united[b] = is_united(b);
        }
        found.whole = whole_;
        found.gives_way = gives_way_;
        found.waits = waits_;
        found.misses_returned = none;
        for (BasicBlockId b = 0; b < whole_.size(); ++b) found.misses_returned[b] = misses_returned(b);
        return found;
    }

  private:
    using Registers = std::vector<bool>;  // whose values differ between the lanes of a warp

    const ptx::Instruction& instruction(SiteId site) const {
        const ptx::SiteOrigin origin = numbered_.origins[site];
        return std::get<ptx::Instruction>(module_.functions[origin.function].body[origin.statement]);
    }

    bool has_calls() const {
        for (SiteId site = 0; site < numbered_.origins.size(); ++site)
            if (ptx::site_kind(instruction(site)) == SiteKind::call) return true;
        return numbered_.origins.front().function != numbered_.origins.back().function;
    }

    /// Loads of other memory than parameters give data, which may differ; votes and barriers that count give
    /// all lanes one result.
    static bool makes_a_difference(const ptx::Instruction& instruction, const ptx::ValueFlow& flow,
                                   const Registers& now) {
        if (instruction.opcode == "vote" || instruction.opcode == "activemask") return false;
        if (instruction.has("red") && ptx::block_barrier(instruction)) return false;
        if (ptx::site_kind(instruction) == SiteKind::memory && !instruction.has("param")) return true;
        if (ptx::site_kind(instruction) == SiteKind::warp_wide) return true;
        const auto differs = [&](std::uint32_t index) { return bool(now[index]); };
        return std::ranges::any_of(flow.special, differs_by_lane) ||
               std::ranges::any_of(flow.read, differs) ||
               std::ranges::any_of(flow.address_registers, differs) ||
               (instruction.has_guard && now[instruction.guard.predicate]);
    }

    bool stays_together(BasicBlockId b) const {
        const ptx::Instruction& last = instruction(last_site(b));
        if (!whole_[b] || last.opcode != "bra" || !last.has_guard) return false;
        return !parts_[b] || is_bounds_check(b, last);
    }

    /// Nothing parts the lanes, or a condition that is the same for all of them.
    bool is_united(BasicBlockId b) const {
        const ptx::Instruction& last = instruction(last_site(b));
        if (!whole_[b] || last.opcode == "brx") return false;
        if (!last.has_guard) return true;
        return last.opcode == "bra" && !parts_[b];
    }

    SiteId last_site(BasicBlockId b) const {
        const BasicBlock& block = numbered_.program.basic_blocks[b];
        return block.first_site + block.site_count - 1;
    }

    /// From what may differ where the block begins to what may differ where the next ones do. A register that
    /// a whole warp sets to one value differs no longer, whatever it held before.
    void follow(BasicBlockId b) {
        const BasicBlock& block = numbered_.program.basic_blocks[b];
        Registers now = differs_[b];
        for (SiteId site = block.first_site; site < block.first_site + block.site_count; ++site) {
            const ptx::Instruction& at = instruction(site);
            const ptx::ValueFlow flow = ptx::value_flow(at);
            const bool differs = !whole_[b] || makes_a_difference(at, flow, now);
            for (const std::uint32_t written : flow.written) {
                now[written] = differs || (at.has_guard && now[written]);
                compares_bounds_[written] = compares_bounds(at, flow);
            }
        }
        const ptx::Instruction& last = instruction(last_site(b));
        parts_[b] = last.has_guard && now[last.guard.predicate];
        if (may_part(b)) divide(b, last);
        for (const BasicBlockId next : graph_.nodes[b].successors)
            for (std::size_t reg = 0; reg < now.size(); ++reg) {
                changed_ |= now[reg] && !differs_[next][reg];
                if (now[reg]) differs_[next][reg] = true;
            }
    }

    /// An order of two numbers, or several of them put together: "x >= w || y >= h".
    bool compares_bounds(const ptx::Instruction& at, const ptx::ValueFlow& flow) const {
        if (at.opcode == "setp") return at.has("ge") || at.has("gt") || at.has("le") || at.has("lt");
        return (at.opcode == "or" || at.opcode == "and") && !flow.read.empty() &&
               std::ranges::all_of(flow.read, [&](std::uint32_t read) { return compares_bounds_[read]; });
    }

    bool may_part(BasicBlockId b) const {
        return !whole_[b] || parts_[b] || instruction(last_site(b)).opcode == "brx";
    }

    bool any_waits(const std::vector<bool>& blocks) const {
        for (SiteId site = 0; site < numbered_.origins.size(); ++site)
            if (blocks[numbered_.program.sites[site].basic_block] && waits_for_others(instruction(site)))
                return true;
        return false;
    }

    /// Of lanes that part, at bounds checks as well, and meet at the way out at the earliest, some may be
    /// there while others have yet to wait for them.
    bool misses_returned(BasicBlockId b) const {
        const BasicBlockId meeting = meetings_[b];
        const bool meets_before = meeting != no_index && !graph_.nodes[meeting].leaves;
        return may_part(b) && !meets_before && any_waits(leads_to(b, meeting));
    }

    /// Lanes part at the end of the block and meet again where all paths do, unless some give way before:
    /// then those that wait there go on without them, and nobody meets until the warp ends. Nor does anybody
    /// then, if lanes at its end could be missed elsewhere.
    void divide(BasicBlockId b, const ptx::Instruction& last) {
        if (whole_[b] && is_bounds_check(b, last)) return;
        std::vector<bool> apart = leads_to(b, meetings_[b]);
        const auto some_give_way = [&] {
            for (BasicBlockId at = 0; at < whole_.size(); ++at)
                if (apart[at] && gives_way_[at]) return true;
            return false;
        };
        if (some_give_way()) {
            waits_ = nobody_waits_ ? no_index : only_way_out();
            apart = leads_to(b, waits_);
            if (waits_ != no_index && any_waits(apart)) {
                nobody_waits_ = changed_ = true;
                waits_ = no_index;
                apart = leads_to(b, waits_);
            }
        }
        for (BasicBlockId at = 0; at < whole_.size(); ++at) {
            if (!apart[at]) continue;
            changed_ |= whole_[at];
            whole_[at] = false;
        }
    }

    /// The blocks on ways from the block's end, but for one and what comes after it.
    std::vector<bool> leads_to(BasicBlockId b, BasicBlockId end) const {
        std::vector<BasicBlockId> open = graph_.nodes[b].successors;
        std::vector<bool> seen(whole_.size(), false);
        while (!open.empty()) {
            const BasicBlockId at = open.back();
            open.pop_back();
            if (at == end || seen[at]) continue;
            seen[at] = true;
            const auto& next = graph_.nodes[at].successors;
            open.insert(open.end(), next.begin(), next.end());
        }
        return seen;
    }

    /// A return that all ways lead to, and which is alone in its block; no_index if there is none.
    BasicBlockId only_way_out() const {
        BasicBlockId out = no_index;
        for (BasicBlockId b = 0; b < whole_.size(); ++b) {
            if (!graph_.nodes[b].leaves) continue;
            const bool alone =
                numbered_.program.basic_blocks[b].site_count == 1 && !instruction(last_site(b)).has_guard;
            if (out != no_index || !alone) return no_index;
            out = b;
        }
        return out;
    }

    /// "if (i >= n) return;"
    bool is_bounds_check(BasicBlockId b, const ptx::Instruction& last) const {
        if (!bounds_hold_ || !last.has_guard || !compares_bounds_[last.guard.predicate] ||
            std::ranges::find(parting_, b) != parting_.end())
            return false;
        if (ptx::site_kind(last) == SiteKind::exit) return true;
        const BasicBlockId target = graph_.nodes[b].jumps_to;
        return last.opcode == "bra" && target != no_index && graph_.nodes[target].leaves &&
               numbered_.program.basic_blocks[target].site_count == 1;
    }

    const ptx::Module& module_;
    const ptx::NumberedProgram& numbered_;
    const BlockGraph& graph_;
    const bool bounds_hold_;
    const std::vector<BasicBlockId>& parting_;
    const std::vector<BasicBlockId> meetings_;
    const std::vector<bool> gives_way_;
    BasicBlockId waits_ = no_index;
    bool nobody_waits_ = false;
    std::vector<bool> whole_;            // by block
    std::vector<Registers> differs_;     // by block: where it begins
    std::vector<bool> parts_;            // by block: its branch may send lanes different ways
    std::vector<bool> compares_bounds_;  // by register: an order was compared
    bool changed_ = false;
};

}  // namespace

WholeWarps predict_whole_warps(const ptx::Module& module, const ptx::NumberedProgram& numbered,
                               const BlockGraph& graph, bool bounds_hold,
                               const std::vector<BasicBlockId>& parting) {
    return Prediction(module, numbered, graph, bounds_hold, parting).run();
}

}  // namespace warplens::instrumentation
