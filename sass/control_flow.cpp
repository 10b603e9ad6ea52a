#include "sass/control_flow.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "sass/instruction_table.h"

namespace warplens::sass {

namespace {

std::string_view base_name(const Instruction& instruction) {
    const std::string_view name = instruction.row->mnemonic;
    return name.substr(0, name.find('.'));
}

}  // namespace

Flow flow_of(const Instruction& instruction) {
    if (!instruction.known()) return Flow::next;
    const std::string_view name = base_name(instruction);
    if (name == "BRA") return Flow::branch;
    if (name == "BRX" || name == "BRXU") return Flow::indirect;
    if (name == "CALL") return Flow::call;
    if (name == "EXIT" || name == "RET") return Flow::leave;
    constexpr std::string_view barriers[] = {"BAR",           "BSYNC",       "WARPSYNC",    "YIELD",
                                             "ENDCOLLECTIVE", "UCGABAR_ARV", "UCGABAR_WAIT"};
    return std::find(std::begin(barriers), std::end(barriers), name) != std::end(barriers) ? Flow::barrier
                                                                                           : Flow::next;
}

bool may_be_executed_again(const Instruction& instruction) {
    if (!instruction.known()) return false;
    const std::string_view name = base_name(instruction);
    return name == "BSYNC" || name == "WARPSYNC";
}

bool calls_address(const Instruction& instruction) {
    return instruction.known() && instruction.row->mnemonic == "CALL.ABS";
}

std::optional<std::uint64_t> target_of(const Instruction& instruction) {
    for (const Operand& operand : instruction.operands)
        if (operand.kind == OperandKind::target && operand.value >= 0)
            return static_cast<std::uint64_t>(operand.value);
    return std::nullopt;
}

bool is_conditional(const Instruction& instruction) {
    if (instruction.guard != predicate_true || instruction.guard_negated) return true;
    if (flow_of(instruction) != Flow::branch) return false;
    for (const Operand& operand : instruction.operands)
        if (operand.kind != OperandKind::target) return true;  // a second predicate or a uniform mask
    return false;
}

std::vector<MachineBlock> build_control_flow(std::span<const Instruction> instructions,
                                             std::span<const IndirectBranch> indirect) {
    const std::uint64_t count = instructions.size();
    std::set<std::uint64_t> begins{0};
    for (std::uint64_t i = 0; i < count; ++i) {
        const Flow flow = flow_of(instructions[i]);
        if (flow != Flow::next) begins.insert(i + 1);
        if (may_be_executed_again(instructions[i])) begins.insert(i);
        const auto target = target_of(instructions[i]);
        if (target && *target % instruction_bytes == 0) begins.insert(*target / instruction_bytes);
    }
    for (const IndirectBranch& branch : indirect)
        for (const std::uint64_t target : branch.targets)
            if (target % instruction_bytes == 0) begins.insert(target / instruction_bytes);
    begins.erase(begins.lower_bound(count), begins.end());
    std::vector<MachineBlock> blocks;
    std::vector<std::uint32_t> block_at(count, 0);
    for (auto at = begins.begin(); at != begins.end(); ++at) {
        const std::uint64_t end = std::next(at) == begins.end() ? count : *std::next(at);
        std::fill(block_at.begin() + static_cast<std::ptrdiff_t>(*at),
                  block_at.begin() + static_cast<std::ptrdiff_t>(end),
                  static_cast<std::uint32_t>(blocks.size()));
        MachineBlock block;
        block.first = static_cast<std::uint32_t>(*at);
        block.count = static_cast<std::uint32_t>(end - *at);
        if (block.count > 0) blocks.push_back(block);
    }
    for (std::uint32_t b = 0; b < blocks.size(); ++b) {
        const Instruction& last = instructions[blocks[b].first + blocks[b].count - 1];
        const Flow flow = flow_of(last);
        const auto target = target_of(last);
        if (flow == Flow::branch && target && *target / instruction_bytes < count &&
            *target % instruction_bytes == 0) {
            blocks[b].target = block_at[*target / instruction_bytes];
            blocks[b].successors.push_back(*blocks[b].target);
        }
        const bool jumps = flow == Flow::branch || flow == Flow::indirect || flow == Flow::leave;
        if (flow == Flow::indirect)
            for (const IndirectBranch& branch : indirect) {
                if (branch.offset != (blocks[b].first + blocks[b].count - 1) * instruction_bytes) continue;
                for (const std::uint64_t to : branch.targets)
                    if (to % instruction_bytes == 0 && to / instruction_bytes < count)
                        blocks[b].successors.push_back(block_at[to / instruction_bytes]);
            }
        if ((!jumps || is_conditional(last)) && b + 1 < blocks.size()) blocks[b].successors.push_back(b + 1);
    }
    return blocks;
}

}  // namespace warplens::sass
