#include "instrumentation/rewrite/giving_way.h"

#include <algorithm>

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
        const std::size_t count = graph_.nodes.size();
        std::vector<bool> found(count, false), seen(count, false);
        for (BasicBlockId b = 0; b < count; ++b) {
            if (seen[b] || !graph_.reaches(b, b, no_index)) continue;
            std::vector<BasicBlockId> loop;
            for (BasicBlockId other = b; other < count; ++other)
                if (graph_.reaches(b, other, no_index) && graph_.reaches(other, b, no_index))
                    loop.push_back(other);
            for (const BasicBlockId each : loop) seen[each] = true;
            if (!gives_way(loop)) continue;
            for (const BasicBlockId each : loop) found[each] = true;
        }
        return found;
    }

  private:
    const ptx::Instruction& instruction(SiteId site) const {
        const ptx::SiteOrigin origin = numbered_.origins[site];
        return std::get<ptx::Instruction>(module_.functions[origin.function].body[origin.statement]);
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
