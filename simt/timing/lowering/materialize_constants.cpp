#include "simt/timing/lowering/materialize_constants.h"

#include <algorithm>
#include <set>

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
        // The stack pointer is always read.
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
        if (code_.values[value].kind == ValueKind::computed) return;
        const std::size_t home = home_of(block);
        const bool once = code_.innermost_loop(home) == nullptr;
        if (once ? done_[value] : !read_in_.insert({value, home}).second) return;
        if (once) done_[value] = true;
        insert(read_of(code_.values[value].kind), value, block, position);
    }

    void insert(std::string_view name, Value value, std::size_t block, std::size_t position) {
        const std::size_t home = home_of(block);
        const SiteId site = position < code_.blocks[block].operations.size()
                                ? code_.blocks[block].operations[position].site
                                : code_.blocks[block].last_site;
        if (home != block) position = end_of_body(code_.blocks[home]);
        Operation read;
        read.site = home == block ? site : code_.blocks[home].last_site;
        read.name = name;
        read.type = code_.values[value].type;
        read.results = {value};
        std::vector<Operation>& operations = code_.blocks[home].operations;
        operations.insert(operations.begin() + static_cast<std::ptrdiff_t>(position), std::move(read));
    }

    /// Before an innermost loop. An outer loop reads its constants again where it needs them; what its last
    /// block compares with is read in its first.
    std::size_t home_of(std::size_t block) const {
        const Loop* loop = code_.innermost_loop(block);
        if (loop == nullptr || loop->first == 0) return block;
        const bool holds_others = std::any_of(code_.loops.begin(), code_.loops.end(), [&](const Loop& other) {
            return loop->contains(other.first) && loop->contains(other.last) &&
                   other.last - other.first < loop->last - loop->first;
        });
        if (!holds_others) return loop->first - 1;
        return block == loop->last ? loop->first : block;
    }

    Code& code_;
    std::vector<bool> done_;
    std::set<std::pair<Value, std::size_t>> read_in_;  // inside loops: values and the blocks that read them
    bool has_descriptor_ = false;
};

}  // namespace

void materialize_constants(Code& code) { Materializing(code).run(code.function->is_entry); }

}  // namespace warplens::simt::lowering
