// LoweredCode: the machine code that lower() makes from a PTX text in a test, as words: one "pipe" or kind
// per operation.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "ptx/parser.h"
#include "ptx/program.h"
#include "simt/timing/machine_code.h"
#include "trace/query.h"

namespace warplens::simt {

inline const SmTiming& h200() { return sm_timing(**find_gpu("H200")); }

inline Program program_of(const std::string& ptx, const std::string& entry) {
    const auto module = ptx::parse(ptx, "test.ptx");
    EXPECT_TRUE(module) << module.error().message;
    auto numbered = ptx::number_sites(*module, entry, ptx);
    EXPECT_TRUE(numbered) << numbered.error().message;
    return numbered->program;
}

struct LoweredCode {
    Program program;
    MachineProgram machine;

    /// `body` is in an entry `k`; registers of each kind are declared.
    explicit LoweredCode(const std::string& body, const std::string& parameters = ".param .u64 out",
                         const std::string& module_scope = "", std::uint32_t registers = 0)
        : program(program_of(".version 8.0\n.target sm_90\n.address_size 64\n" + module_scope +
                                 "\n.visible .entry k(" + parameters +
                                 ")\n{\n.reg .pred %p<16>;\n.reg .b16 %h<16>;\n.reg .b32 %r<64>;\n"
                                 ".reg .f32 %f<64>;\n.reg .b64 %d<32>;\n.reg .f64 %g<16>;\n" +
                                 body + "\n}\n",
                             "k")) {
        auto lowered = lower(program, h200(), registers);
        EXPECT_TRUE(lowered) << lowered.error().message;
        machine = std::move(*lowered);
    }

    std::vector<MachineOp> ops(BasicBlockId block) const { return in(machine.blocks[block].once); }
    std::vector<MachineOp> unrolled(BasicBlockId block) const { return in(machine.blocks[block].unrolled); }
    /// The operations of the sites whose opcode begins with `opcode`, without preceding ones that read
    /// parameters and special registers.
    std::vector<MachineOp> of_opcode(const std::string& opcode) const {
        std::vector<MachineOp> found;
        for (const MachineBlock& block : machine.blocks)
            for (const MachineOp& op : in(block.once))
                if (program.sites[op.site].opcode.starts_with(opcode) && !reads_constant(op))
                    found.push_back(op);
        return found;
    }
    static bool reads_constant(const MachineOp& op) {
        const bool from_memory = op.pipe == Pipe::mio && op.kind == MachineKind::variable;
        return op.pipe == Pipe::uniform || (from_memory && op.source_count == 0);
    }

  private:
    std::vector<MachineOp> in(OpRange range) const {
        return {machine.ops.begin() + range.begin, machine.ops.begin() + range.end};
    }
};

/// The invariants of every MachineProgram; the first violation, or nothing.
inline std::string check(const MachineProgram& machine, const Program& program) {
    const trace::RecordedSites recorded(program);
    if (machine.blocks.size() != program.basic_blocks.size()) return "a block is missing";
    for (BasicBlockId id = 0; id < machine.blocks.size(); ++id) {
        for (const OpRange range :
             {machine.blocks[id].once, machine.blocks[id].unrolled, machine.blocks[id].skipped}) {
            if (range.begin > range.end || range.end > machine.ops.size())
                return "a range leaves the operations";
            for (std::uint32_t i = range.begin; i < range.end; ++i) {
                const MachineOp& op = machine.ops[i];
                for (const auto operands : {machine.sources(op), machine.results(op)})
                    for (const std::uint16_t number : operands)
                        if (number >= machine.register_count) return "a register number is too large";
                if (program.sites[op.site].basic_block != id)
                    return "an operation stands for a site elsewhere";
                const bool memory = op.kind == MachineKind::load || op.kind == MachineKind::store ||
                                    op.kind == MachineKind::atomic || op.kind == MachineKind::reduction ||
                                    op.kind == MachineKind::copy;
                const auto entries = recorded.of(id);
                if (memory && (op.record >= entries.size() || !entries[op.record].memory))
                    return "an access without its record: " + program.sites[op.site].text;
                if (!memory && op.record != no_record) return "a record without an access";
            }
        }
    }
    return "";
}

}  // namespace warplens::simt
