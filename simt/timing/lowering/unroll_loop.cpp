#include "simt/timing/lowering/unroll_loop.h"

#include <algorithm>
#include <functional>
#include <map>

#include "ptx/opcodes.h"

namespace warplens::simt::lowering {

namespace {

// Loops that the assembler of CUDA 13 unrolls for compute capability 9.0, found with bodies of increasing
// length: up to 18 operations without loads, up to 46 with loads. Loads and stores count twice.
constexpr int largest_body = 18, largest_body_with_loads = 46;

bool loops_on_itself(const Code& code, std::size_t block) {
    const std::vector<std::uint32_t>& successors = code.blocks[block].successors;
    return std::find(successors.begin(), successors.end(), block) != successors.end();
}

/// The statements between the block's label and its first instruction may forbid it.
bool is_forbidden(const Code& code, const CodeBlock& block) {
    const std::vector<ptx::Statement>& body = code.function->body;
    const ptx::Instruction* first = block.operations.front().instruction;
    // The statement that holds it is found by its address: a text may have as many loops as lines.
    const auto after = std::partition_point(body.begin(), body.end(), [&](const ptx::Statement& statement) {
        return !std::less<const void*>()(first, &statement);
    });
    if (first == nullptr || after == body.begin() || std::get_if<ptx::Instruction>(&*(after - 1)) != first)
        return false;
    for (auto at = after - 1; at != body.begin() && !std::holds_alternative<ptx::Instruction>(*(at - 1));
         --at)
        if (const auto* directive = std::get_if<ptx::Directive>(&*(at - 1)))
            if (directive->text.find("nounroll") != std::string::npos) return true;
    return false;
}

class Unrolling {
  public:
    Unrolling(Code& code, const CodeBlock& block) : code_(code), block_(block) {
        for (const Operation& operation : block.operations)
            for (const Value result : operation.results) ++filled_[result];
    }

    bool is_wanted() const {
        const Operation* comparison = exit_comparison();
        return comparison != nullptr && is_counter(*comparison) && has_small_body();
    }

    std::vector<Operation> run() {
        for (int copy = 0; copy < unroll_factor; ++copy) {
            for (const Operation& operation : block_.operations) add(operation, copy);
        }
        return std::move(unrolled_);
    }

  private:
    const Operation* find_definition(Value value) const {
        for (const Operation& operation : block_.operations)
            if (std::find(operation.results.begin(), operation.results.end(), value) !=
                operation.results.end())
                return &operation;
        return nullptr;
    }

    /// The comparison that only the backward branch reads.
    const Operation* exit_comparison() const {
        const Operation& branch = block_.operations.back();
        if (branch.name != "bra" || branch.guard == no_value) return nullptr;
        const Operation* comparison = find_definition(branch.guard);
        const bool compares = comparison != nullptr && comparison->name == "setp" && comparison->immediate &&
                              comparison->sources.size() == 1;
        return compares && code_.values[branch.guard].uses == 1 ? comparison : nullptr;
    }

    /// v = v + literal, once per visit.
    bool is_induction(const Operation& operation) const {
        return operation.name == "add" && operation.is_integer() && operation.immediate &&
               operation.sources.size() == 1 && operation.results.size() == 1 &&
               operation.sources.front() == operation.results.front() &&
               filled_.at(operation.results.front()) == 1;
    }

    bool is_counter(const Operation& comparison) const {
        const Operation* step = find_definition(comparison.sources.front());
        return step != nullptr && is_induction(*step);
    }

    bool has_small_body() const {
        int cost = 0, returned_atomics = 0;
        bool loads = false;
        for (const Operation& operation : block_.operations) {
            if (is_control(operation)) continue;
            const bool memory = operation.address.has_value();
            cost += memory ? 2 : 1;
            loads |= memory && operation.name == "ld";
            returned_atomics += operation.name == "atom" ? 1 : 0;
            const SiteKind kind = operation.instruction != nullptr ? ptx::site_kind(*operation.instruction)
                                                                   : SiteKind::lanewise;
            if (kind == SiteKind::call || kind == SiteKind::barrier || operation.name == "clock")
                return false;
        }
        return returned_atomics <= 1 && cost <= (loads ? largest_body_with_loads : largest_body);
    }

    bool is_control(const Operation& operation) const {
        return &operation == &block_.operations.back() || &operation == exit_comparison() ||
               is_induction(operation);
    }

    /// Whether all readers of the stepped value can use the value before the steps plus an offset.
    bool is_foldable(const Operation& induction) const {
        const Value value = induction.results.front();
        const Operation* comparison = exit_comparison();
        return std::none_of(block_.operations.begin(), block_.operations.end(), [&](const Operation& reader) {
            if (&reader == &induction || &reader == comparison) return false;
            const auto reads = [&](const std::vector<Value>& list) {
                return std::find(list.begin(), list.end(), value) != list.end();
            };
            return reads(reader.sources) && !is_base_of_folded_sum(reader, value);
        });
    }

    /// base + x where the sum is only an address: the step can also be folded into its offset.
    bool is_base_of_folded_sum(const Operation& reader, Value value) const {
        if (reader.name != "mad.wide" || reader.sources.empty() || reader.sources.back() != value)
            return false;
        return std::all_of(block_.operations.begin(), block_.operations.end(), [&](const Operation& user) {
            const Value sum = reader.results.front();
            return std::find(user.sources.begin(), user.sources.end(), sum) == user.sources.end();
        });
    }

    void add(const Operation& operation, int copy) {
        const bool last = copy + 1 == unroll_factor;
        if (is_induction(operation) && is_foldable(operation)) {
            const Value value = operation.results.front();
            stepped_[value] += *operation.immediate;
            if (!last) return;
            Operation whole = operation;
            whole.copy = static_cast<std::uint8_t>(copy);
            whole.immediate = stepped_[value];
            unrolled_.push_back(std::move(whole));
            stepped_.erase(value);
            return;
        }
        if (!last && (&operation == &block_.operations.back() || &operation == exit_comparison())) return;
        Operation one = operation;
        one.copy = static_cast<std::uint8_t>(copy);
        if (copy > 0 && repeats_folded_sum(one)) return;
        rename(one, last);
        unrolled_.push_back(std::move(one));
    }

    /// A sum over a folded step is computed once; later copies differ only in the offset.
    bool repeats_folded_sum(const Operation& operation) {
        if (operation.name != "mad.wide" || operation.sources.empty()) return false;
        const Value base = operation.sources.back();
        const auto step = stepped_.find(base);
        if (step == stepped_.end() || !is_base_of_folded_sum(operation, base)) return false;
        const bool same_product = std::none_of(operation.sources.begin(), operation.sources.end() - 1,
                                               [&](Value source) { return filled_.contains(source); });
        if (!same_product) return false;
        sum_offsets_[operation.results.front()] = step->second;
        return true;
    }

    void rename(Operation& operation, bool last) {
        if (operation.address)
            for (Value& value : operation.address_values) {
                if (const auto step = stepped_.find(value); step != stepped_.end())
                    operation.address->offset += step->second;
                if (const auto step = sum_offsets_.find(value); step != sum_offsets_.end())
                    operation.address->offset += step->second;
                value = current(value);
            }
        for (Value& value : operation.sources) value = current(value);
        if (operation.guard != no_value) operation.guard = current(operation.guard);
        for (Value& result : operation.results) {
            if (last) {
                current_.erase(result);
                continue;
            }
            const Value fresh = code_.add_value(code_.values[result].type);
            current_[result] = fresh;
            result = fresh;
        }
    }

    Value current(Value value) const {
        const auto found = current_.find(value);
        return found == current_.end() ? value : found->second;
    }

    Code& code_;
    const CodeBlock block_;  // a copy: adding values does not touch it
    std::map<Value, int> filled_;
    std::map<Value, Value> current_;         // a block's value to its value in this copy
    std::map<Value, std::int64_t> stepped_;  // literal steps not yet applied
    std::map<Value, std::int64_t> sum_offsets_;
    std::vector<Operation> unrolled_;
};

}  // namespace

std::optional<std::vector<Operation>> unroll_loop(Code& code, std::size_t block) {
    const CodeBlock& loop = code.blocks[block];
    if (loop.operations.empty() || !loops_on_itself(code, block)) return std::nullopt;
    Unrolling unrolling(code, loop);
    if (!unrolling.is_wanted() || is_forbidden(code, loop)) return std::nullopt;
    return unrolling.run();
}

}  // namespace warplens::simt::lowering
