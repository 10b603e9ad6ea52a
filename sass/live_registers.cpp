#include "sass/live_registers.h"

#include <algorithm>
#include <bitset>

#include "sass/instruction_table.h"

namespace warplens::sass {

namespace {

using Registers = std::bitset<256>;

struct Effect {
    Registers read, written, killed;  // killed: written by all lanes
};

Registers registers_of(const std::vector<RegisterSpan>& spans) {
    Registers all;
    for (const RegisterSpan& span : spans)
        for (unsigned i = 0; i < span.count && span.first + i < register_zero; ++i) all.set(span.first + i);
    return all;
}

bool has_unknown_flow(const Instruction& instruction) {
    const Flow flow = flow_of(instruction);
    return flow == Flow::indirect || flow == Flow::call ||
           (flow == Flow::leave && instruction.row->mnemonic != "EXIT");
}

/// Empty: not known.
std::vector<Effect> effects_of(const MachineProgram& program) {
    std::vector<Effect> effects;
    for (const Instruction& instruction : program.instructions) {
        const auto use = register_use(instruction);
        if (!use || has_unknown_flow(instruction)) return {};
        Effect effect{registers_of(use->read), registers_of(use->written), {}};
        const bool guarded = instruction.guard != predicate_true || instruction.guard_negated;
        if (!guarded) effect.killed = effect.written;
        effects.push_back(effect);
    }
    return effects;
}

Registers before(const Effect& effect, const Registers& after) {
    return (after & ~effect.killed) | effect.read;
}

/// The registers that may have been written before each block.
std::vector<Registers> written_before(const MachineProgram& program, const std::vector<Effect>& effects) {
    std::vector<Registers> at_begin(program.blocks.size());
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t b = 0; b < program.blocks.size(); ++b) {
            Registers registers = at_begin[b];
            const MachineBlock& block = program.blocks[b];
            for (std::uint32_t i = 0; i < block.count; ++i) registers |= effects[block.first + i].written;
            for (const std::uint32_t next : block.successors) {
                changed = changed || (registers & ~at_begin[next]).any();
                at_begin[next] |= registers;
            }
        }
    }
    return at_begin;
}

/// The registers that may be read after the begin of each block before all lanes write them.
std::vector<Registers> read_later(const MachineProgram& program, const std::vector<Effect>& effects) {
    std::vector<Registers> at_begin(program.blocks.size());
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t b = program.blocks.size(); b-- > 0;) {
            const MachineBlock& block = program.blocks[b];
            Registers registers;
            for (const std::uint32_t next : block.successors) registers |= at_begin[next];
            for (std::uint32_t i = block.count; i-- > 0;)
                registers = before(effects[block.first + i], registers);
            changed = changed || registers != at_begin[b];
            at_begin[b] = registers;
        }
    }
    return at_begin;
}

}  // namespace

LiveRegisters live_registers(const MachineProgram& program) {
    LiveRegisters live;
    const std::vector<Effect> effects = effects_of(program);
    if (effects.empty() || program.blocks.empty()) return live;
    const auto needed = read_later(program, effects), written = written_before(program, effects);
    live.counts.resize(effects.size());
    Registers guarded;
    for (std::size_t b = 0; b < program.blocks.size(); ++b) {
        const MachineBlock& block = program.blocks[b];
        std::vector<Registers> known{written[b]};  // before each instruction, and after the last
        for (std::uint32_t i = 0; i < block.count; ++i)
            known.push_back(known.back() | effects[block.first + i].written);
        Registers registers;
        for (const std::uint32_t next : block.successors) registers |= needed[next];
        for (std::uint32_t i = block.count; i-- > 0;) {
            const Effect& effect = effects[block.first + i];
            const std::size_t after = ((registers & known[i + 1]) | effect.written).count();
            registers = before(effect, registers);
            live.counts[block.first + i] =
                static_cast<std::uint32_t>(std::max(after, (registers & known[i]).count()));
            guarded |= effect.written & ~effect.killed;
        }
    }
    const Registers unknown = needed.front() & ~guarded;
    for (std::uint16_t i = 0; i < register_zero; ++i)
        if (unknown.test(i)) live.read_before_written.push_back(i);
    return live;
}

}  // namespace warplens::sass
