#include "simt/timing/lowering/predicate_branches.h"

#include <algorithm>
#include <set>

#include "ptx/opcodes.h"
#include "simt/timing/lowering/divergence.h"

namespace warplens::simt::lowering {

namespace {

// The longest bodies that the assembler of CUDA 13 predicates for compute capability 9.0, found with bodies
// of increasing length: shorter if the condition is uniform, longer if the body loads from global memory.
constexpr std::size_t longest_body = 8, longest_uniform_body = 6, longest_loading_body = 18;

bool is_predicable(const Operation& operation) {
    if (operation.guard != no_value || operation.name == "atom" || operation.name == "red" ||
        operation.name == "clock" || operation.name == "div" || operation.name == "rem" ||
        operation.name == "sqrt")
        return false;
    if (operation.instruction == nullptr) return true;
    const SiteKind kind = ptx::site_kind(*operation.instruction);
    return kind == SiteKind::lanewise || kind == SiteKind::memory;
}

bool loads_global_memory(const Operation& operation) {
    return operation.name == "ld" && operation.address && operation.address->space == Space::global;
}

bool is_short_body(const CodeBlock& block, std::size_t count, bool divergent) {
    if (block.operations.size() < count) return false;
    const auto end = block.operations.begin() + static_cast<std::ptrdiff_t>(count);
    if (!std::all_of(block.operations.begin(), end, is_predicable)) return false;
    const bool loads = std::any_of(block.operations.begin(), end, loads_global_memory);
    return count <= (loads ? longest_loading_body : divergent ? longest_body : longest_uniform_body);
}

bool leaves_at_once(const CodeBlock& block) {
    return block.operations.size() == 1 &&
           (block.operations[0].name == "ret" || block.operations[0].name == "exit");
}

class BranchPredication {
  public:
    BranchPredication(Code& code, const std::vector<bool>& divergent) : code_(code), divergent_(divergent) {}

    void run() {
        for (std::uint32_t block = 0; block + 1 < code_.blocks.size(); ++block)
            if (!convert_if(block)) convert_if_else(block);
        count_uses(code_);
    }

  private:
    bool only_follows(std::uint32_t block, std::uint32_t before) const {
        const auto& from = code_.blocks[block].predecessors;
        return from.size() == 1 && from.front() == before;
    }

    const Operation* condition(std::uint32_t block) const {
        const auto& operations = code_.blocks[block].operations;
        if (operations.empty() || operations.back().name != "bra" || operations.back().guard == no_value)
            return nullptr;
        return &operations.back();
    }

    void predicate(std::uint32_t block, std::size_t count, Value guard) {
        for (std::size_t i = 0; i < count; ++i) code_.blocks[block].operations[i].guard = guard;
    }

    /// b: @p bra join;  body;  join:
    bool convert_if(std::uint32_t block) {
        const Operation* branch = condition(block);
        const std::uint32_t body = block + 1;
        const auto& after = code_.blocks[body].successors;
        if (branch == nullptr || !only_follows(body, block) || after.size() != 1) return false;
        const auto& targets = code_.blocks[block].successors;
        const bool skips_body = std::find(targets.begin(), targets.end(), after.front()) != targets.end();
        const std::size_t count = code_.blocks[body].operations.size();
        if (!skips_body || after.front() != body + 1 || leaves_at_once(code_.blocks[after.front()]) ||
            !is_short_body(code_.blocks[body], count, divergent_[branch->guard]))
            return false;
        predicate(body, count, branch->guard);
        remove_branch(block);
        return true;
    }

    /// b: @p bra other;  one; bra join;  other: two;  join:
    void convert_if_else(std::uint32_t block) {
        constexpr std::size_t longest_side = 6;
        const Operation* branch = condition(block);
        const std::uint32_t one = block + 1, other = block + 2;
        if (branch == nullptr || other + 1 >= code_.blocks.size()) return;
        const auto& from_one = code_.blocks[one].successors;
        const auto& from_other = code_.blocks[other].successors;
        if (!only_follows(one, block) || !only_follows(other, block) || from_one.size() != 1 ||
            from_other.size() != 1 || from_one.front() != from_other.front() || from_one.front() != other + 1)
            return;
        auto& operations = code_.blocks[one].operations;
        const bool jumps = !operations.empty() && operations.back().name == "bra";
        const std::size_t count = operations.size() - (jumps ? 1 : 0);
        const std::size_t other_count = code_.blocks[other].operations.size();
        const bool apart = divergent_[branch->guard];
        if (!jumps || count > longest_side || other_count > longest_side ||
            !is_short_body(code_.blocks[one], count, apart) ||
            !is_short_body(code_.blocks[other], other_count, apart))
            return;
        predicate(one, count, branch->guard);
        predicate(other, other_count, branch->guard);
        operations.back().removed = true;
        code_.blocks[one].predicates_next = true;
        remove_branch(block);
    }

    void remove_branch(std::uint32_t block) {
        code_.blocks[block].operations.back().removed = true;
        code_.blocks[block].predicates_next = true;
        // The block is now always followed by the next one; count_uses() drops the branch.
        code_.blocks[block].operations.back().guard = no_value;
    }

    Code& code_;
    const std::vector<bool>& divergent_;
};

class SelectionPredication {
  public:
    SelectionPredication(Code& code, CodeBlock& block) : code_(code), block_(block) {}

    void run() {
        for (std::size_t i = 0; i < block_.operations.size(); ++i) {
            const Operation& selection = block_.operations[i];
            const bool selects = selection.name == "selp" && selection.sources.size() == 3 &&
                                 ptx::size_of(selection.type) <= 4 && selection.guard == no_value;
            if (selects && selection.sources[0] != selection.sources[1] && is_own(selection.sources[0]) &&
                is_own(selection.sources[1]))
                predicate(i);
        }
    }

  private:
    /// Computed in this block by plain arithmetic and only used by this selection.
    bool is_own(Value value) const {
        if (code_.values[value].uses != 1) return false;
        for (const Operation& made : block_.operations)
            if (made.results.size() == 1 && made.results.front() == value)
                return !made.removed && !made.address && is_predicable(made) &&
                       code_.has_one_definition(value);
        return false;
    }

    void predicate(std::size_t index) {
        const Operation selection = block_.operations[index];
        const Value over = selection.sources[0], under = selection.sources[1];
        auto made = std::find_if(
            block_.operations.begin(), block_.operations.end(),
            [&](const Operation& one) { return one.results.size() == 1 && one.results.front() == under; });
        Operation predicated = *made;
        made->removed = true;
        predicated.guard = selection.sources[2];
        predicated.site = selection.site;
        predicated.results = selection.results;
        const Value result = selection.results.front();
        const bool reads_result = std::find(predicated.sources.begin(), predicated.sources.end(), result) !=
                                  predicated.sources.end();
        predicated.sources.push_back(over);
        if (!reads_result) {
            block_.operations[index] = std::move(predicated);
            return;
        }
        // It still reads the register that the selection replaces: the result uses a separate register and is
        // moved last.
        const Value kept = code_.add_value(selection.type);
        predicated.results = {kept};
        block_.operations[index] = std::move(predicated);
        for (std::size_t i = index + 1; i < block_.operations.size(); ++i)
            for (Value& source : block_.operations[i].sources)
                if (source == result) source = kept;
        Operation move;
        move.site = selection.site;
        move.name = "mov";
        move.type = selection.type;
        move.sources = {kept};
        move.results = {result};
        block_.operations.insert(block_.operations.begin() + static_cast<std::ptrdiff_t>(end_of_body(block_)),
                                 std::move(move));
    }

    Code& code_;
    CodeBlock& block_;
};

}  // namespace

void predicate_selections(Code& code) {
    for (CodeBlock& block : code.blocks) SelectionPredication(code, block).run();
    count_uses(code);
}

void predicate_branches(Code& code, const std::vector<bool>& divergent) {
    BranchPredication(code, divergent).run();
}

void mark_reconvergence(Code& code, const std::vector<bool>& divergent) {
    std::set<std::uint32_t> marked;
    const auto mark = [&](std::string_view name, std::uint32_t block, std::size_t position, SiteId site) {
        Operation operation;
        operation.site = site;
        operation.name = name;
        auto& operations = code.blocks[block].operations;
        operations.insert(operations.begin() + static_cast<std::ptrdiff_t>(position), std::move(operation));
    };
    for (std::uint32_t block = 0; block < code.blocks.size(); ++block) {
        const std::uint32_t meeting = code.blocks[block].post_dominator;
        if (!branches_apart(code.blocks[block], divergent) || meeting == no_index ||
            leaves_at_once(code.blocks[meeting]) || !marked.insert(meeting).second)
            continue;
        // A backward branch diverges at the loop's end, so the mark is before the loop.
        const auto& targets = code.blocks[block].successors;
        const std::uint32_t first = *std::min_element(targets.begin(), targets.end());
        const std::uint32_t home = first <= block && first > 0 ? first - 1 : block;
        mark("bssy", home, end_of_body(code.blocks[home]), code.blocks[home].last_site);
        mark("bsync", meeting, 0, code.blocks[meeting].first_site);
    }
    count_uses(code);
}

}  // namespace warplens::simt::lowering
