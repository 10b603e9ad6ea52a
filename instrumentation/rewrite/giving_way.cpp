#include "instrumentation/rewrite/giving_way.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "ptx/opcodes.h"
#include "ptx/value_flow.h"

namespace warplens::instrumentation {

namespace {

/// What it reads may be another thread's, and no copy of it may be used again.
bool reads_of_others(const ptx::Instruction& instruction) {
    if (instruction.opcode == "atom") return true;
    return instruction.opcode == "ld" &&
           (instruction.has("volatile") || instruction.has("relaxed") || instruction.has("acquire"));
}

class GivingWayFinder {
  public:
    GivingWayFinder(const ptx::Module& module, const ptx::NumberedProgram& numbered, const BlockGraph& graph)
        : module_(module), numbered_(numbered), graph_(graph) {}

    std::vector<bool> find() const {
        std::vector<bool> found(graph_.nodes.size(), false);
        std::vector<BasicBlockId> all(graph_.nodes.size());
        std::iota(all.begin(), all.end(), BasicBlockId{0});
        // Loops in these blocks alone: first the outermost, then those in each without where it begins.
        std::vector<std::vector<BasicBlockId>> open{std::move(all)};
        while (!open.empty()) {
            const std::vector<BasicBlockId> blocks = std::move(open.back());
            open.pop_back();
            for (const std::vector<BasicBlockId>& loop : loops_in(blocks)) {
                if (!gives_way(loop)) open.push_back(without_beginning(loop));
                else
                    for (const BasicBlockId each : loop) found[each] = true;
            }
        }
        return found;
    }

  private:
    const ptx::Instruction& instruction(SiteId site) const {
        const ptx::SiteOrigin origin = numbered_.origins[site];
        return std::get<ptx::Instruction>(module_.functions[origin.function].body[origin.statement]);
    }

    /// The largest loops of which no block is outside of these, each in ascending order.
    std::vector<std::vector<BasicBlockId>> loops_in(const std::vector<BasicBlockId>& blocks) const {
        std::vector<std::vector<BasicBlockId>> loops;
        std::vector<bool> inside(graph_.nodes.size(), false), seen(graph_.nodes.size(), false);
        for (const BasicBlockId b : blocks) inside[b] = true;
        for (const BasicBlockId b : blocks) {
            if (seen[b]) continue;
            const std::vector<bool> after = reached(b, inside, &BlockNode::successors);
            const std::vector<bool> before = reached(b, inside, &BlockNode::predecessors);
            if (!after[b]) continue;
            std::vector<BasicBlockId>& loop = loops.emplace_back();
            for (const BasicBlockId other : blocks) {
                if (!after[other] || !before[other]) continue;
                seen[other] = true;
                loop.push_back(other);
            }
        }
        return loops;
    }

    /// By block: what one comes to in one or more steps without leaving `inside`.
    std::vector<bool> reached(BasicBlockId from, const std::vector<bool>& inside,
                              std::vector<BasicBlockId> BlockNode::*steps) const {
        std::vector<bool> found(graph_.nodes.size(), false);
        std::vector<BasicBlockId> open{from};
        while (!open.empty()) {
            const BasicBlockId at = open.back();
            open.pop_back();
            for (const BasicBlockId next : graph_.nodes[at].*steps) {
                if (!inside[next] || found[next]) continue;
                found[next] = true;
                open.push_back(next);
            }
        }
        return found;
    }

    /// Without the blocks in which control comes into the loop, at least one.
    std::vector<BasicBlockId> without_beginning(const std::vector<BasicBlockId>& loop) const {
        std::vector<BasicBlockId> rest;
        for (const BasicBlockId b : loop) {
            const bool begins = graph_.nodes[b].begins_function ||
                                std::ranges::any_of(graph_.nodes[b].predecessors, [&](BasicBlockId before) {
                                    return !std::ranges::binary_search(loop, before);
                                });
            if (!begins) rest.push_back(b);
        }
        if (rest.size() == loop.size()) rest.erase(rest.begin());
        return rest;
    }

    /// Registers that follow from what the loop asks of memory, until there are no more; then whether one of
    /// them decides who leaves.
    bool gives_way(const std::vector<BasicBlockId>& loop) const {
        std::vector<bool> follows(module_.functions[graph_.nodes[loop.front()].function].registers.size(),
                                  false);
        for (bool changed = true; changed;) {
            changed = false;
            for (const BasicBlockId b : loop) {
                const BasicBlock& block = numbered_.program.basic_blocks[b];
                for (SiteId site = block.first_site; site < block.first_site + block.site_count; ++site)
                    changed |= follow(instruction(site), follows);
            }
        }
        return std::ranges::any_of(loop, [&](BasicBlockId b) {
            const BasicBlock& block = numbered_.program.basic_blocks[b];
            const ptx::Instruction& last = instruction(block.first_site + block.site_count - 1);
            const auto& next = graph_.nodes[b].successors;
            return last.has_guard && follows[last.guard.predicate] &&
                   (graph_.nodes[b].leaves || std::ranges::any_of(next, [&](BasicBlockId to) {
                        return std::ranges::find(loop, to) == loop.end();
                    }));
        });
    }

    static bool follow(const ptx::Instruction& at, std::vector<bool>& follows) {
        const ptx::ValueFlow flow = ptx::value_flow(at);
        const auto does = [&](std::uint32_t read) { return bool(follows[read]); };
        if (!reads_of_others(at) && std::ranges::none_of(flow.read, does) &&
            std::ranges::none_of(flow.address_registers, does))
            return false;
        bool changed = false;
        for (const std::uint32_t written : flow.written) {
            changed |= !follows[written];
            follows[written] = true;
        }
        return changed;
    }

    const ptx::Module& module_;
    const ptx::NumberedProgram& numbered_;
    const BlockGraph& graph_;
};

}  // namespace

std::vector<bool> blocks_that_give_way(const ptx::Module& module, const ptx::NumberedProgram& numbered,
                                       const BlockGraph& graph) {
    return GivingWayFinder(module, numbered, graph).find();
}

}  // namespace warplens::instrumentation
