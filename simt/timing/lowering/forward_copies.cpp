#include "simt/timing/lowering/forward_copies.h"

#include <unordered_map>

namespace warplens::simt::lowering {

namespace {

/// An integer conversion that needs no operation: registers hold 32 bits, and a 64-bit value is a pair of
/// them, whose upper one is the zero register after widening an unsigned value.
bool is_free_conversion(const Operation& operation) {
    const auto is_integer = [](ptx::Type type) {
        const ptx::TypeClass type_class = ptx::class_of(type);
        return type_class == ptx::TypeClass::untyped || type_class == ptx::TypeClass::unsigned_integer ||
               type_class == ptx::TypeClass::signed_integer;
    };
    if (!is_integer(operation.type) || !is_integer(operation.source_type) || operation.has("sat"))
        return false;
    const int to = ptx::size_of(operation.type), from = ptx::size_of(operation.source_type);
    const bool is_signed = ptx::class_of(operation.source_type) == ptx::TypeClass::signed_integer;
    return to <= from || !is_signed;
}

bool is_sign_change(const Operation& operation) {
    return (operation.name == "neg" || operation.name == "abs") &&
           (operation.type == ptx::Type::f32 || operation.type == ptx::Type::f64);
}

struct Replacement {
    std::vector<Value> values;
    std::optional<std::int64_t> immediate;
};

class CopyForwarding {
  public:
    explicit CopyForwarding(Code& code) : code_(code) {}

    void run() {
        for (CodeBlock& block : code_.blocks)
            for (Operation& operation : block.operations) collect(operation);
        for (CodeBlock& block : code_.blocks)
            for (Operation& operation : block.operations) rewrite(operation);
        count_uses(code_);
    }

  private:
    void collect(Operation& operation) {
        if (!is_free_copy(code_, operation)) return;
        // A 64-bit register unpacked into two: each half refers to the whole.
        for (const Value result : operation.results)
            copies_.emplace(result, Replacement{operation.sources, operation.immediate});
        operation.removed = true;
    }

    void rewrite(Operation& operation) {
        replace(operation, operation.sources);
        replace(operation, operation.address_values);
        if (operation.guard != no_value) {
            const Replacement resolved = resolve(operation.guard);
            if (!resolved.values.empty()) operation.guard = resolved.values.front();
        }
    }

    void replace(Operation& operation, std::vector<Value>& values) {
        std::vector<Value> replaced;
        for (const Value value : values) {
            const Replacement resolved = resolve(value);
            replaced.insert(replaced.end(), resolved.values.begin(), resolved.values.end());
            if (resolved.values.empty() && resolved.immediate && !operation.immediate)
                operation.immediate = resolved.immediate;
        }
        values = std::move(replaced);
    }

    Replacement resolve(Value value, int depth = 0) {
        const auto found = copies_.find(value);
        if (found == copies_.end() || depth > longest_chain) return {{value}, std::nullopt};
        Replacement whole;
        whole.immediate = found->second.immediate;
        for (const Value source : found->second.values) {
            const Replacement part = resolve(source, depth + 1);
            whole.values.insert(whole.values.end(), part.values.begin(), part.values.end());
            if (part.values.empty()) whole.immediate = part.immediate;
        }
        return whole;
    }

    static constexpr int longest_chain = 64;
    Code& code_;
    std::unordered_map<Value, Replacement> copies_;
};

}  // namespace

bool is_free_copy(const Code& code, const Operation& operation) {
    const bool copies = operation.name == "mov" || operation.name == "cvta" || is_sign_change(operation) ||
                        (operation.name == "cvt" && is_free_conversion(operation));
    if (!copies || operation.guard != no_value || operation.results.empty()) return false;
    for (const Value result : operation.results)
        if (!code.has_one_definition(result)) return false;
    for (const Value source : operation.sources)
        if (!code.has_one_definition(source)) return false;
    return true;
}

void forward_copies(Code& code) { CopyForwarding(code).run(); }

}  // namespace warplens::simt::lowering
