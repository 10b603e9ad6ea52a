#include "ptx/block_barrier.h"

namespace warplens::ptx {

namespace {

const Immediate* literal(const Instruction& instruction, std::size_t index) {
    if (index >= instruction.operands.size()) return nullptr;
    return std::get_if<Immediate>(&instruction.operands[index].value);
}

}  // namespace

std::optional<BlockBarrier> block_barrier(const Instruction& instruction) {
    const bool is_barrier = instruction.opcode == "bar" || instruction.opcode == "barrier";
    if (!is_barrier || instruction.has("warp") || instruction.has("cluster")) return std::nullopt;
    // bar.red d, a{, b}, p: the result is first, and the predicate last.
    const bool reduces = instruction.has("red");
    const std::size_t first = reduces ? 1 : 0;
    const bool has_threads = instruction.operands.size() > first + (reduces ? 2 : 1);
    return BlockBarrier{literal(instruction, first), has_threads ? literal(instruction, first + 1) : nullptr};
}

}  // namespace warplens::ptx
