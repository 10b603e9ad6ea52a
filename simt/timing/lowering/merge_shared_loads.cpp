#include "simt/timing/lowering/merge_shared_loads.h"

#include <algorithm>
#include <bit>
#include <map>

#include "ptx/opcodes.h"

namespace warplens::simt::lowering {

namespace {

constexpr std::uint32_t widest = 16;  // bytes of one access

std::uint32_t divisor_of(std::int64_t literal) {
    if (literal == 0) return widest;
    const auto power = std::uint64_t{1} << std::countr_zero(static_cast<std::uint64_t>(literal));
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(power, widest));
}

std::uint32_t alignment_of(Code& code, Value value, const std::vector<Variable>& variables, int depth) {
    constexpr int deepest = 16;
    const ValueInfo& info = code.values[value];
    if (info.kind == ValueKind::shared) {
        for (const Variable& variable : variables)
            if (variable.name == info.name)
                return variable.bytes == 0 ? 1 : divisor_of(std::int64_t(variable.offset));
        return 1;
    }
    const Operation* operation = code.definition(value);
    if (operation == nullptr || depth == deepest) return 1;
    const auto of = [&](Value source) { return alignment_of(code, source, variables, depth + 1); };
    const std::uint32_t literal = operation->immediate ? divisor_of(*operation->immediate) : 1;
    const std::string_view name = operation->name;
    const std::vector<Value>& sources = operation->sources;
    if (name == "add" || name == "sub" || name == "add3" || name == "or" || name == "mov") {
        std::uint32_t least = operation->immediate ? literal : widest;
        for (const Value source : sources) least = std::min(least, of(source));
        return least;
    }
    if (sources.empty() || !operation->immediate) return 1;
    const std::uint32_t shift =
        static_cast<std::uint32_t>(std::clamp<std::int64_t>(*operation->immediate, 0, 4));
    if (name == "mul" || name == "mul.wide") return std::min(widest, literal * of(sources[0]));
    if (name == "shl") return std::min(widest, of(sources[0]) << shift);
    if (name == "and") return std::max(literal, of(sources[0]));
    // In folds the product's operand is first and the addend last.
    const bool sum = sources.size() == 2;
    if (sum && (name == "mad" || name == "mad.wide"))
        return std::min(of(sources[1]), std::min(widest, literal * of(sources[0])));
    if (sum && name == "lea") return std::min(of(sources[1]), std::min(widest, of(sources[0]) << shift));
    return 1;
}

bool is_mergeable(const Operation& operation) {
    return operation.name == "ld" && operation.address && operation.address->space == Space::shared &&
           operation.guard == no_value && !operation.has_side_effect() && operation.merged.empty();
}

/// Whether loads must not be moved across it.
bool orders_shared_memory(const Operation& operation) {
    return operation.has_side_effect() &&
           !(operation.address && operation.address->space == Space::global && !operation.has("volatile"));
}

class Merging {
  public:
    Merging(Code& code, const std::vector<Variable>& variables) : code_(code), variables_(variables) {}

    void run() {
        for (CodeBlock& block : code_.blocks) {
            Groups groups;
            for (Operation& operation : block.operations) {
                if (is_mergeable(operation)) {
                    groups[{operation.address_values, window_of(operation)}].push_back(&operation);
                } else if (orders_shared_memory(operation)) {
                    merge(groups);
                }
                // A base that changes ends the groups that use it.
                for (const Value result : operation.results)
                    if (!code_.has_one_definition(result)) merge(groups);
            }
            merge(groups);
        }
        count_uses(code_);
    }

  private:
    /// Loads with the same address values, in the same 16 bytes counted from them.
    using Groups = std::map<std::pair<std::vector<Value>, std::int64_t>, std::vector<Operation*>>;

    static std::int64_t window_of(const Operation& operation) {
        return operation.address->offset >> std::countr_zero(widest);
    }

    void merge(Groups& groups) {
        for (auto& [key, loads] : groups)
            if (loads.size() > 1) merge_window(loads);
        groups.clear();
    }

    void merge_window(std::vector<Operation*>& loads) {
        std::uint32_t alignment = widest;
        for (const Value value : loads.front()->address_values)
            alignment = std::min(alignment, alignment_of(code_, value, variables_));
        std::stable_sort(loads.begin(), loads.end(), [](const Operation* a, const Operation* b) {
            return a->address->offset < b->address->offset;
        });
        for (std::uint32_t width = alignment; width >= 8; width /= 2) {
            for (std::size_t first = 0; first < loads.size();) first = merge_from(loads, first, width);
        }
    }

    /// Joins the loads that fill `width` bytes from loads[first] on, if they do; returns the next index.
    static std::size_t merge_from(std::vector<Operation*>& loads, std::size_t first, std::uint32_t width) {
        Operation& begin = *loads[first];
        if (begin.removed || !begin.merged.empty() || begin.address->offset % width != 0) return first + 1;
        std::int64_t end = begin.address->offset + begin.address->bytes;
        std::size_t next = first + 1;
        while (next < loads.size() && loads[next]->address->offset == end && !loads[next]->removed &&
               loads[next]->merged.empty() && end < begin.address->offset + width) {
            end += loads[next]->address->bytes;
            ++next;
        }
        if (next == first + 1 || end != begin.address->offset + width) return first + 1;
        join(loads, first, next, width);
        return next;
    }

    /// Merges the other loads into the first one in the code.
    static void join(std::vector<Operation*>& loads, std::size_t first, std::size_t end,
                     std::uint32_t width) {
        const auto from = loads.begin() + static_cast<std::ptrdiff_t>(first);
        const auto to = loads.begin() + static_cast<std::ptrdiff_t>(end);
        const auto site_order = [](const Operation* a, const Operation* b) { return a->site < b->site; };
        const std::int64_t lowest = (*from)->address->offset;
        std::sort(from, to, site_order);
        Operation& earliest = **from;
        for (auto it = from + 1; it != to; ++it) {
            earliest.results.insert(earliest.results.end(), (*it)->results.begin(), (*it)->results.end());
            earliest.merged.push_back((*it)->site);
            (*it)->removed = true;
        }
        earliest.address->offset = lowest;
        earliest.address->bytes = width;
    }

    Code& code_;
    const std::vector<Variable>& variables_;
};

}  // namespace

std::uint32_t alignment_of(Code& code, Value value, const std::vector<Variable>& variables) {
    return alignment_of(code, value, variables, 0);
}

void merge_shared_loads(Code& code, const std::vector<Variable>& variables) {
    Merging(code, variables).run();
}

}  // namespace warplens::simt::lowering
