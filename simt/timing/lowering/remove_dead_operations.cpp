#include "simt/timing/lowering/remove_dead_operations.h"

#include <set>

namespace warplens::simt::lowering {

namespace {

constexpr std::uint8_t low = 1, whole = 3;

/// Operations whose lower result half depends only on the lower halves of their sources.
bool keeps_halves(const Operation& operation) {
    static const std::set<std::string_view> names{"add", "sub",  "mul",  "mul.wide", "mad", "mad.wide",
                                                  "lea", "add3", "lop3", "shl",      "and", "or",
                                                  "xor", "not",  "mov",  "selp",     "neg", "cvt"};
    return names.contains(operation.name) && operation.is_integer() && !operation.has("hi");
}

class Demand {
  public:
    explicit Demand(Code& code) : code_(code), wanted_(code.values.size(), 0) {}

    void run() {
        do {
            changed_ = false;
            for (std::size_t block = code_.blocks.size(); block-- > 0;) {
                std::vector<Operation>& operations = code_.blocks[block].operations;
                for (std::size_t i = operations.size(); i-- > 0;) visit(operations[i]);
            }
        } while (changed_);
        for (CodeBlock& block : code_.blocks) {
            for (Operation& operation : block.operations) {
                const std::uint8_t result = wanted_of_results(operation);
                operation.removed = result == 0 && !operation.has_side_effect();
                operation.low_half_only = result == low && ptx::size_of(operation.type) == 8;
                if (!operation.low_half_only) continue;
                for (const Value value : operation.results) code_.values[value].type = ptx::Type::b32;
            }
        }
        // Jumps to a block that only jumps on go directly to its target.
        for (CodeBlock& block : code_.blocks) {
            const bool only_jumps = block.operations.size() == 1 && block.operations[0].name == "bra" &&
                                    block.operations[0].guard == no_value;
            if (only_jumps) block.operations[0].removed = true;
        }
        count_uses(code_);
    }

  private:
    std::uint8_t wanted_of_results(const Operation& operation) const {
        std::uint8_t sum = 0;
        for (const Value result : operation.results) sum |= wanted_[result];
        return sum;
    }

    void want(Value value, std::uint8_t halves) {
        if ((wanted_[value] | halves) == wanted_[value]) return;
        wanted_[value] |= halves;
        changed_ = true;
    }

    void visit(const Operation& operation) {
        const std::uint8_t result = wanted_of_results(operation);
        if (result == 0 && !operation.has_side_effect()) return;
        const bool narrows = operation.name == "cvt" && ptx::size_of(operation.type) <= 4;
        const std::uint8_t source = narrows && operation.is_integer()          ? low
                                    : keeps_halves(operation) && result == low ? low
                                                                               : whole;
        for (const Value value : operation.sources) want(value, source);
        if (operation.guard != no_value) want(operation.guard, whole);
        const bool short_address = operation.address && operation.address->space == Space::shared;
        for (const Value value : operation.address_values) want(value, short_address ? low : whole);
    }

    Code& code_;
    std::vector<std::uint8_t> wanted_;  // halves of each value that are read
    bool changed_ = false;
};

}  // namespace

void remove_dead_operations(Code& code) { Demand(code).run(); }

}  // namespace warplens::simt::lowering
