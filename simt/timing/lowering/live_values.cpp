#include "simt/timing/lowering/live_values.h"

#include <algorithm>
#include <set>

namespace warplens::simt::lowering {

namespace {

using Values = std::set<Value>;

struct BlockValues {
    Values read_first;  // before the block writes them
    Values filled;
    Values live_in, live_out;
};

BlockValues values_of(const CodeBlock& block) {
    BlockValues values;
    const auto read = [&](Value value) {
        if (!values.filled.contains(value)) values.read_first.insert(value);
    };
    for (const Operation& operation : block.operations) {
        std::for_each(operation.sources.begin(), operation.sources.end(), read);
        std::for_each(operation.address_values.begin(), operation.address_values.end(), read);
        if (operation.guard != no_value) {
            read(operation.guard);
            // A guarded result keeps the old value if the guard is false.
            std::for_each(operation.results.begin(), operation.results.end(), read);
        }
        values.filled.insert(operation.results.begin(), operation.results.end());
    }
    return values;
}

}  // namespace

int registers_of(const Code& code, Value value) {
    const ValueKind kind = code.values[value].kind;
    if (kind == ValueKind::constant || kind == ValueKind::shared || kind == ValueKind::symbol) return 0;
    const ptx::Type type = code.values[value].type;
    return type == ptx::Type::pred ? 0 : std::max(1, ptx::size_of(type) / 4);
}

std::vector<int> registers_kept_through(const Code& code) {
    std::vector<BlockValues> blocks;
    for (const CodeBlock& block : code.blocks) blocks.push_back(values_of(block));
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = blocks.size(); i-- > 0;) {
            BlockValues& block = blocks[i];
            for (const std::uint32_t next : code.blocks[i].successors)
                block.live_out.insert(blocks[next].live_in.begin(), blocks[next].live_in.end());
            const std::size_t before = block.live_in.size();
            block.live_in.insert(block.read_first.begin(), block.read_first.end());
            for (const Value value : block.live_out)
                if (!block.filled.contains(value)) block.live_in.insert(value);
            changed |= block.live_in.size() != before;
        }
    }
    std::vector<int> kept;
    for (const BlockValues& block : blocks) {
        int registers = 0;
        for (const Value value : block.live_in) registers += registers_of(code, value);
        kept.push_back(registers);
    }
    return kept;
}

}  // namespace warplens::simt::lowering
