#include "simt/timing/lowering/materialize_constants.h"

#include <algorithm>

namespace warplens::simt::lowering {

namespace {

std::string_view read_of(ValueKind kind) {
    switch (kind) {
        case ValueKind::constant:
            return "read.constant";
        case ValueKind::special:
            return "read.special";
        case ValueKind::shared:
            return "read.shared";
        case ValueKind::symbol:
            return "read.symbol";
        case ValueKind::computed:
            break;
    }
    return "mov";
}

class Materializing {
  public:
    explicit Materializing(Code& code) : code_(code), done_(code.values.size(), false) {}

    void run(bool is_entry) {
        for (std::size_t block = 0; block < code_.blocks.size(); ++block) {
            for (std::size_t i = 0; i < code_.blocks[block].operations.size(); ++i) {
                const Operation reader = code_.blocks[block].operations[i];
                const std::size_t before = code_.blocks[block].operations.size();
                for (const Value value : reader.sources) materialize(value, block, i);
                for (const Value value : reader.address_values)
                    if (reader.address && reader.address->space != Space::constant)
                        materialize(value, block, i);
                if (reads_global_memory(reader) && !has_descriptor_) {
                    has_descriptor_ = true;
                    insert("read.constant", add_constant(), block, i);
                }
                i += code_.blocks[block].operations.size() - before;
            }
        }
        // The stack pointer is read whether it is needed or not.
        if (is_entry && !code_.blocks.empty()) insert("read.constant", add_constant(), 0, 0);
        count_uses(code_);
    }

  private:
    static bool reads_global_memory(const Operation& operation) {
        return operation.address &&
               (operation.address->space == Space::global || operation.address->space == Space::none);
    }

    Value add_constant() {
        done_.push_back(true);
        return code_.add_value(ptx::Type::b64);
    }

    void materialize(Value value, std::size_t block, std::size_t position) {
        if (code_.values[value].kind == ValueKind::computed || done_[value]) return;
        done_[value] = true;
        insert(read_of(code_.values[value].kind), value, block, position);
    }

    void insert(std::string_view name, Value value, std::size_t block, std::size_t position) {
        const SiteId site = position < code_.blocks[block].operations.size()
                                ? code_.blocks[block].operations[position].site
                                : code_.blocks[block].last_site;
        const std::size_t home = outside_loops(block);
        std::vector<Operation>& operations = code_.blocks[home].operations;
        if (home != block) position = end_of_body(code_.blocks[home]);
        Operation read;
        read.site = home == block ? site : code_.blocks[home].last_site;
        read.name = name;
        read.type = code_.values[value].type;
        read.results = {value};
        operations.insert(operations.begin() + static_cast<std::ptrdiff_t>(position), std::move(read));
    }

    std::size_t outside_loops(std::size_t block) const {
        std::size_t home = block;
        while (home > 0 && code_.blocks[home].loop_depth > 0) --home;
        return code_.blocks[home].loop_depth == 0 ? home : block;
    }

    Code& code_;
    std::vector<bool> done_;
    bool has_descriptor_ = false;
};

}  // namespace

void materialize_constants(Code& code) { Materializing(code).run(code.function->is_entry); }

}  // namespace warplens::simt::lowering
