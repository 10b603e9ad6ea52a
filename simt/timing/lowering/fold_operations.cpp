#include "simt/timing/lowering/fold_operations.h"

#include <algorithm>

namespace warplens::simt::lowering {

namespace {

bool is_logic(const Operation& operation) {
    return (operation.name == "and" || operation.name == "or" || operation.name == "xor" ||
            operation.name == "not" || operation.name == "lop3") &&
           ptx::size_of(operation.type) <= 4 && operation.type != ptx::Type::pred;
}

class Folding {
  public:
    explicit Folding(Code& code) : code_(code) {}

    void run() {
        for (int round = 0; round < rounds; ++round) {
            changed_ = false;
            for (CodeBlock& block : code_.blocks)
                for (Operation& operation : block.operations)
                    if (!operation.removed) fold(operation);
            count_uses(code_);
            if (!changed_) return;
        }
    }

  private:
    void fold(Operation& operation) {
        if (operation.address) fold_address(operation);
        if (operation.name == "add" && operation.is_integer() && !operation.has("cc")) fold_sum(operation);
        if (is_logic(operation)) fold_logic(operation);
        const bool joins = operation.name == "and" || operation.name == "or";
        if (joins && operation.type == ptx::Type::pred) fold_comparison(operation);
        if (operation.name == "setp") fold_bit_test(operation);
    }

    /// The operation that writes `value`, if its sources are unchanged when `value` is read.
    Operation* producer(Value value) {
        Operation* found = code_.definition(value);
        if (found == nullptr || found->removed || found->guard != no_value) return nullptr;
        const bool lasting = std::all_of(found->sources.begin(), found->sources.end(),
                                         [&](Value source) { return code_.has_one_definition(source); });
        return lasting ? found : nullptr;
    }
    /// The same in one block, where a source may be written again later, at the loop's end.
    bool is_used_once(Value value) const { return code_.values[value].uses == 1; }

    void read_instead(Operation& reader, std::size_t index, const Operation& producer, bool only_reader) {
        reader.sources.erase(reader.sources.begin() + static_cast<std::ptrdiff_t>(index));
        reader.sources.insert(reader.sources.begin(), producer.sources.begin(), producer.sources.end());
        if (only_reader) {
            const_cast<Operation&>(producer).removed = true;
        } else {
            for (const Value source : producer.sources) ++code_.values[source].uses;
        }
        changed_ = true;
    }

    void fold_address(Operation& operation) {
        for (int steps = 0; steps < rounds && operation.address_values.size() == 1; ++steps) {
            const Value base = operation.address_values.front();
            const Operation* sum = producer(base);
            if (sum == nullptr || sum->name != "add" || !sum->is_integer()) return;
            const bool with_literal = sum->sources.size() == 1 && sum->immediate;
            const bool with_variable =
                sum->sources.size() == 2 && operation.address->space == Space::shared &&
                std::any_of(sum->sources.begin(), sum->sources.end(),
                            [&](Value value) { return code_.values[value].kind == ValueKind::shared; });
            if (!with_literal && !with_variable) return;
            operation.address_values = sum->sources;
            for (const Value source : sum->sources) ++code_.values[source].uses;
            if (with_literal) operation.address->offset += *sum->immediate;
            changed_ = true;
        }
    }

    void fold_sum(Operation& sum) {
        for (std::size_t i = 0; i < sum.sources.size(); ++i) {
            const Value addend = sum.sources[i];
            const Operation* part = producer(addend);
            if (part == nullptr || (part->immediate && sum.immediate)) continue;
            const bool once = is_used_once(addend);
            const bool wide = ptx::size_of(sum.type) == 8;
            std::string_view fused;
            if (part->name == "mul.wide" && wide) fused = "mad.wide";
            else if (part->name == "mul" && part->is_integer() && !part->has("hi") && once && !wide)
                fused = "mad";
            else if (part->name == "shl" && part->immediate && part->sources.size() == 1) fused = "lea";
            else if (part->name == "shr" && part->immediate && once && !wide) fused = "lea.hi";
            else if (part->name == "add" && once && !wide && part->sources.size() + sum.sources.size() <= 4)
                fused = "add3";
            if (fused.empty()) continue;
            sum.name = fused;
            if (part->immediate) sum.immediate = part->immediate;
            read_instead(sum, i, *part, once);
            return;
        }
    }

    void fold_logic(Operation& operation) {
        for (std::size_t i = 0; i < operation.sources.size(); ++i) {
            const Operation* part = producer(operation.sources[i]);
            if (part == nullptr || !is_logic(*part) || !is_used_once(operation.sources[i])) continue;
            const std::size_t operands = operation.sources.size() - 1 + part->sources.size() +
                                         (operation.immediate ? 1u : 0u) + (part->immediate ? 1u : 0u);
            if (operands > 3 || (operation.immediate && part->immediate)) continue;
            operation.name = "lop3";
            if (part->immediate) operation.immediate = part->immediate;
            read_instead(operation, i, *part, true);
            return;
        }
    }

    /// A comparison can combine its outcome with one more predicate.
    void fold_comparison(Operation& operation) {
        for (std::size_t i = operation.sources.size(); i-- > 0;) {
            const Operation* comparison = code_.definition(operation.sources[i]);
            if (comparison == nullptr || comparison->removed || comparison->name != "setp" ||
                comparison->has("and") || comparison->has("or") || comparison->results.size() != 1 ||
                comparison->guard != no_value || !is_used_once(operation.sources[i]))
                continue;
            operation.name = "setp";
            operation.type = operation.source_type = comparison->type;
            operation.immediate = comparison->immediate;
            read_instead(operation, i, *comparison, true);
            return;
        }
    }

    /// (x & mask) != 0 is a logic operation with a predicate result.
    void fold_bit_test(Operation& comparison) {
        if (comparison.sources.size() != 1 || comparison.immediate != 0 ||
            !(comparison.has("eq") || comparison.has("ne")))
            return;
        const Operation* part = producer(comparison.sources.front());
        if (part == nullptr || !is_logic(*part) || !is_used_once(comparison.sources.front())) return;
        comparison.name = "lop3";
        comparison.type = part->type;
        comparison.immediate = part->immediate;
        read_instead(comparison, 0, *part, true);
    }

    static constexpr int rounds = 16;
    Code& code_;
    bool changed_ = false;
};

}  // namespace

void fold_operations(Code& code) { Folding(code).run(); }

}  // namespace warplens::simt::lowering
