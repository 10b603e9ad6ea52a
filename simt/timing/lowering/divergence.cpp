#include "simt/timing/lowering/divergence.h"

#include <algorithm>
#include <set>

#include "ptx/opcodes.h"

namespace warplens::simt::lowering {

namespace {

bool is_source_of_divergence(const Operation& operation) {
    if (operation.address && operation.address->space != Space::param &&
        operation.address->space != Space::constant)
        return true;
    return operation.instruction != nullptr &&
           (operation.instruction->opcode == "call" ||
            ptx::site_kind(*operation.instruction) == SiteKind::warp_wide);
}

class Divergence {
  public:
    explicit Divergence(const Code& code) : code_(code), divergent_(code.values.size(), false) {
        for (std::size_t i = 0; i < code.values.size(); ++i)
            divergent_[i] =
                code.values[i].kind == ValueKind::special && !code.values[i].name.starts_with("ctaid");
    }

    std::vector<bool> run() {
        find_readers();
        do {
            changed_ = false;
            for (std::size_t block = 0; block < code_.blocks.size(); ++block) {
                for (const Operation& operation : code_.blocks[block].operations) visit(operation);
                if (!parted_.contains(block) && branches_apart(code_.blocks[block], divergent_)) {
                    parted_.insert(block);
                    part_lanes(block);
                }
            }
        } while (changed_);
        return divergent_;
    }

  private:
    void mark(Value value) {
        if (divergent_[value]) return;
        divergent_[value] = true;
        changed_ = true;
    }

    void find_readers() {
        readers_.resize(code_.values.size());
        for (std::size_t block = 0; block < code_.blocks.size(); ++block) {
            for (const Operation& operation : code_.blocks[block].operations) {
                for (const Value value : operation.sources) readers_[value].insert(block);
                for (const Value value : operation.address_values) readers_[value].insert(block);
                if (operation.guard != no_value) readers_[operation.guard].insert(block);
            }
        }
    }

    void visit(const Operation& operation) {
        const auto is_divergent = [&](Value value) { return divergent_[value]; };
        const bool reads = std::any_of(operation.sources.begin(), operation.sources.end(), is_divergent) ||
                           (operation.guard != no_value && divergent_[operation.guard]);
        if (!reads && !is_source_of_divergence(operation)) return;
        for (const Value result : operation.results) mark(result);
    }

    /// Lanes are diverged between a branch and the join of its paths: values written there and read elsewhere
    /// may differ between lanes.
    void part_lanes(std::size_t branch) {
        std::vector<std::uint32_t> open(code_.blocks[branch].successors);
        const std::uint32_t meeting = code_.blocks[branch].post_dominator;
        std::set<std::size_t> region;
        while (!open.empty()) {
            const std::uint32_t block = open.back();
            open.pop_back();
            if (block == meeting || !region.insert(block).second) continue;
            const auto& next = code_.blocks[block].successors;
            open.insert(open.end(), next.begin(), next.end());
        }
        for (const std::size_t block : region)
            for (const Operation& operation : code_.blocks[block].operations)
                for (const Value result : operation.results)
                    if (std::any_of(readers_[result].begin(), readers_[result].end(),
                                    [&](std::size_t reader) { return !region.contains(reader); }))
                        mark(result);
    }

    const Code& code_;
    std::vector<bool> divergent_;
    std::vector<std::set<std::size_t>> readers_;  // blocks that read each value
    std::set<std::size_t> parted_;                // blocks whose branch diverges
    bool changed_ = false;
};

}  // namespace

std::vector<bool> find_divergent_values(const Code& code) { return Divergence(code).run(); }

bool branches_apart(const CodeBlock& block, const std::vector<bool>& divergent) {
    if (block.operations.empty()) return false;
    const Operation& last = block.operations.back();
    return last.name == "bra" && last.guard != no_value && divergent[last.guard];
}

}  // namespace warplens::simt::lowering
