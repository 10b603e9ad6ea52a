#include "simt/functional/entry_liveness.h"

#include "ptx/opcodes.h"
#include "simt/functional/register_uses.h"

namespace warplens::simt {

namespace {

using Registers = std::vector<bool>;

struct BlockFacts {
    Registers read;     // before any write in the block
    Registers written;  // by an unguarded instruction
    std::vector<std::uint32_t> successors;
    Registers live;  // at the block's beginning
};

void note(const ptx::Instruction& instruction, BlockFacts& facts) {
    const ptx::OpcodeRow* row = ptx::find_opcode(instruction.opcode);
    const std::size_t results = row ? static_cast<std::size_t>(row->results) : 0;
    auto read = [&](std::uint32_t index) {
        if (!facts.written[index]) facts.read[index] = true;
    };
    if (instruction.has_guard) read(instruction.guard.predicate);
    for (std::size_t i = results; i < instruction.operands.size(); ++i)
        for_each_register(instruction.operands[i], read);
    if (instruction.has_guard) return;
    for (std::size_t i = 0; i < std::min(results, instruction.operands.size()); ++i)
        for_each_register(instruction.operands[i], [&](std::uint32_t index) { facts.written[index] = true; });
}

}  // namespace

std::vector<bool> read_before_written(const ptx::Module& module, const Program& program,
                                      std::span<const ptx::SiteOrigin> origins,
                                      const std::unordered_map<std::string_view, std::uint32_t>& labels) {
    const ptx::Function& entry = module.functions[origins.front().function];
    const std::size_t count = entry.registers.size();
    std::vector<BlockFacts> blocks;
    for (std::uint32_t b = 0; b < program.basic_blocks.size(); ++b) {
        const BasicBlock& block = program.basic_blocks[b];
        if (origins[block.first_site].function != origins.front().function) break;
        BlockFacts facts{Registers(count), Registers(count), {}, Registers(count)};
        const ptx::Instruction* last = nullptr;
        for (SiteId site = block.first_site; site < block.first_site + block.site_count; ++site) {
            last = &std::get<ptx::Instruction>(entry.body[origins[site].statement]);
            note(*last, facts);
        }
        if (last->opcode == "brx") return Registers(count, true);
        const bool leaves = last->opcode == "ret" || last->opcode == "exit" || last->opcode == "bra";
        if (!leaves || last->has_guard) facts.successors.push_back(b + 1);
        if (last->opcode == "bra" && !last->operands.empty())
            if (auto* label = std::get_if<ptx::Label>(&last->operands[0].value))
                if (auto at = labels.find(label->name); at != labels.end())
                    facts.successors.push_back(at->second);
        blocks.push_back(std::move(facts));
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t b = blocks.size(); b-- > 0;) {
            BlockFacts& facts = blocks[b];
            for (std::size_t r = 0; r < count; ++r) {
                bool live = facts.read[r];
                for (std::uint32_t next : facts.successors)
                    live = live || (next < blocks.size() && blocks[next].live[r] && !facts.written[r]);
                changed |= live != facts.live[r];
                facts.live[r] = live;
            }
        }
    }
    return blocks.front().live;
}

}  // namespace warplens::simt
