#include "simt/timing/lowering/divergence.h"

#include <algorithm>

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
        std::vector<bool> apart(code_.blocks.size(), false);  // only some lanes may be on
        do {
            changed_ = false;
            for (std::size_t block = 0; block < code_.blocks.size(); ++block) {
                for (const Operation& operation : code_.blocks[block].operations)
                    visit(operation, apart[block]);
                if (branches_apart(code_.blocks[block], divergent_)) part_lanes(block, apart);
            }
        } while (changed_);
        return divergent_;
    }

  private:
    void visit(const Operation& operation, bool apart) {
        const auto is_divergent = [&](Value value) { return divergent_[value]; };
        const bool reads = std::any_of(operation.sources.begin(), operation.sources.end(), is_divergent) ||
                           (operation.guard != no_value && divergent_[operation.guard]);
        for (const Value result : operation.results) {
            const bool joins_paths = apart && !code_.has_one_definition(result);
            if (divergent_[result] || !(reads || joins_paths || is_source_of_divergence(operation))) continue;
            divergent_[result] = true;
            changed_ = true;
        }
    }

    /// Marks the blocks between a branch and the place where its paths meet.
    void part_lanes(std::size_t branch, std::vector<bool>& apart) {
        std::vector<std::uint32_t> open(code_.blocks[branch].successors);
        const std::uint32_t meeting = code_.blocks[branch].post_dominator;
        while (!open.empty()) {
            const std::uint32_t block = open.back();
            open.pop_back();
            if (block == meeting || apart[block]) continue;
            apart[block] = true;
            changed_ = true;
            const auto& next = code_.blocks[block].successors;
            open.insert(open.end(), next.begin(), next.end());
        }
    }

    const Code& code_;
    std::vector<bool> divergent_;
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
