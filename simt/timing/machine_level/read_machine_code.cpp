#include "simt/timing/machine_level/read_machine_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "sass/instruction_table.h"
#include "sass/live_registers.h"
#include "sass/number_text.h"
#include "sass/row_language.h"
#include "simt/timing/machine_operations.h"
#include "trace/query.h"

namespace warplens::simt {

namespace {

using sass::OperandKind;

std::string_view name_by_pipe(sass::Pipe pipe) {
    switch (pipe) {
        case sass::Pipe::fma:
            return "ffma";
        case sass::Pipe::alu:
            return "lop3";
        case sass::Pipe::fp16:
            return "hfma2";
        case sass::Pipe::fp64:
            return "dfma";
        case sass::Pipe::special:
            return "mufu";
        case sass::Pipe::tensor:
            return "hmma";
        case sass::Pipe::load_store:
            return "mioop";
        case sass::Pipe::uniform:
            return "ulea";
        case sass::Pipe::texture:
        case sass::Pipe::control:
            break;
    }
    return "none";
}

using Timed = std::map<std::string_view, const MachineRow*>;

/// By mnemonic, so that the rows of all generations are timed alike.
Timed read_timed_rows() {
    const std::map<sass::InstructionId, const MachineRow*> named{
#define WARPLENS_TIMED(ID, OPERATION) {sass::InstructionId::ID, find_machine_row(#OPERATION)},
#include "simt/timing/machine_level/instruction_operations.def"
#undef WARPLENS_TIMED
    };
    Timed timed;
    for (const sass::Row& row : sass::rows())
        if (const auto found = named.find(row.id); found != named.end())
            timed.emplace(row.mnemonic, found->second);
    return timed;
}

const MachineRow& row_of(const sass::Instruction& instruction) {
    static const Timed timed = read_timed_rows();
    if (!instruction.known()) return *find_machine_row("none");
    const auto found = timed.find(instruction.row->mnemonic);
    return found != timed.end() ? *found->second : *find_machine_row(name_by_pipe(instruction.row->pipe));
}

/// Registers of all files as numbers without gaps. Only the first register of a vector is named.
std::optional<std::uint16_t> number_of(OperandKind kind, std::uint16_t index) {
    constexpr std::uint16_t general = 256, uniform = 256, predicates = 8;
    switch (kind) {
        case OperandKind::general_register:
            if (index >= sass::register_zero) return std::nullopt;
            return index;
        case OperandKind::uniform_register:
            if (index + 1 >= uniform) return std::nullopt;
            return static_cast<std::uint16_t>(general + index);
        case OperandKind::predicate:
            if (index >= sass::predicate_true) return std::nullopt;
            return static_cast<std::uint16_t>(general + uniform + index);
        case OperandKind::uniform_predicate:
            if (index >= sass::predicate_true) return std::nullopt;
            return static_cast<std::uint16_t>(general + uniform + predicates + index);
        default:
            return std::nullopt;
    }
}
constexpr std::uint32_t register_numbers = 256 + 256 + 8 + 8;

class Reader {
  public:
    Reader(const sass::MachineProgram& code, const SmTiming& timing)
        : code_(code), timing_(timing), recorded_(code.program) {}

    MachineProgram read() {
        machine_.has_control_fields = true;
        machine_.register_count = register_numbers;
        machine_.ops.reserve(code_.instructions.size());
        for (BasicBlockId id = 0; id < code_.blocks.size(); ++id) {
            const sass::MachineBlock& block = code_.blocks[id];
            MachineBlock& into = machine_.blocks.emplace_back();
            into.once.begin = static_cast<std::uint32_t>(machine_.ops.size());
            for (std::uint32_t i = 0; i < block.count; ++i) add(block.first + i, id);
            into.once.end = static_cast<std::uint32_t>(machine_.ops.size());
        }
        for (const auto& [opcode, count] : unknown_)
            machine_.notes.push_back(
                fmt::format("{} is not in the table of machine instructions and is timed as one that takes "
                            "no pipe ({} in the code)",
                            opcode, count));
        return std::move(machine_);
    }

  private:
    void add(SiteId site, BasicBlockId block) {
        const sass::Instruction& instruction = code_.instructions[site];
        if (!instruction.known()) ++unknown_[code_.program.sites[site].opcode];
        const MachineRow& row = row_of(instruction);
        MachineOp op;
        op.site = site;
        op.kind = row.kind;
        op.pipe = row.pipe;
        op.latency = row.latency(timing_);
        op.guarded = code_.program.sites[site].guarded;
        op.counts_lanes = instruction.known() && instruction.row->id == sass::InstructionId::ATOMS_POPC;
        op.looks_up = row.name == "s2r" || row.name == "ldc" || row.name == "s2ur";
        op.thread_index = reads_thread_index(instruction);
        op.record = record_of(site, block);
        op.control = {std::max<std::uint8_t>(instruction.control.stall, 1),
                      instruction.control.write_scoreboard, instruction.control.read_scoreboard,
                      instruction.control.wait_mask, instruction.control.yield};
        if (row.kind == MachineKind::block_barrier) read_barrier(instruction, op);
        if (row.kind == MachineKind::scoreboard_wait) read_scoreboard_wait(instruction, op);
        for (const sass::Operand& operand : instruction.operands)
            if (operand.kind == OperandKind::constant && !operand.destination)
                op.constant = constant_line(operand.bank, static_cast<std::uint64_t>(operand.value));
        op.passes_barriers = passes_barriers(instruction, op);
        op.reads = register_reads(instruction, op);
        op.product = wide_product(instruction);
        if (op.pipe == Pipe::lsu) op.address = address_of(instruction);
        add_operands(instruction, op);
        machine_.ops.push_back(op);
    }

    static bool reads_thread_index(const sass::Instruction& instruction) {
        return std::ranges::any_of(instruction.operands, [](const sass::Operand& operand) {
            return operand.kind == OperandKind::special_register &&
                   sass::special_register_text(operand.index).starts_with("SR_TID");
        });
    }

    /// A barrier blocks its warp only at the first instruction that is not plain arithmetic, and at UMOV
    /// (samples of 150 kernels: of the uniform datapath UMOV and ULDC wait there, UIADD3, ULEA, USHF and
    /// UIMAD do not).
    static bool passes_barriers(const sass::Instruction& instruction, const MachineOp& op) {
        if (!instruction.known()) return false;
        const sass::InstructionId id = instruction.row->id;
        if (id == sass::InstructionId::VOTE) return true;
        if (op.kind != MachineKind::arithmetic) return false;
        if (id == sass::InstructionId::NOP || id == sass::InstructionId::ULDC ||
            id == sass::InstructionId::UMOV)
            return false;
        return op.pipe == Pipe::fma || op.pipe == Pipe::fma_heavy || op.pipe == Pipe::alu ||
               op.pipe == Pipe::fp16 || op.pipe == Pipe::fp64 || op.pipe == Pipe::uniform;
    }

    /// Only instructions of fixed latency read as they issue; the queues of the others read when ports are
    /// free.
    static RegisterReads register_reads(const sass::Instruction& instruction, const MachineOp& op) {
        RegisterReads reads;
        if (op.kind != MachineKind::arithmetic) return reads;
        const auto use = sass::register_use(instruction);
        if (!use) return reads;
        auto read = use->read.begin();
        std::size_t position = 0;
        for (const sass::Operand& operand : instruction.operands) {
            if (operand.destination || operand.kind != OperandKind::general_register) continue;
            constexpr int first_reuse_bit = 122;
            if (operand.spec != nullptr && operand.spec->reuse >= first_reuse_bit)
                position = static_cast<std::size_t>(operand.spec->reuse - first_reuse_bit);
            const bool named = operand.index < sass::register_zero;
            if (named && position < reads.size())
                reads[position] = {read->first, static_cast<std::uint8_t>(read->count), operand.reuse};
            if (named) ++read;
            ++position;
        }
        return reads;
    }

    static RegisterRead address_of(const sass::Instruction& instruction) {
        for (const sass::Operand& operand : instruction.operands)
            if (operand.kind == OperandKind::address && operand.index < sass::register_zero)
                return {operand.index, static_cast<std::uint8_t>(operand.wide_register ? 2 : 1)};
        return {};
    }

    static RegisterRead wide_product(const sass::Instruction& instruction) {
        if (!instruction.known()) return {};
        const sass::InstructionId id = instruction.row->id;
        if (id != sass::InstructionId::IMAD_WIDE && id != sass::InstructionId::IMAD_HI) return {};
        for (const sass::Operand& operand : instruction.operands)
            if (operand.destination && operand.kind == OperandKind::general_register &&
                operand.index < sass::register_zero)
                return {operand.index,
                        static_cast<std::uint8_t>(id == sass::InstructionId::IMAD_WIDE ? 2 : 1)};
        return {};
    }

    std::uint16_t record_of(SiteId site, BasicBlockId block) const {
        const auto entries = recorded_.of(block);
        const auto found = std::ranges::find(entries, site, &trace::RecordedSites::Entry::site);
        return found == entries.end() || !found->memory ? no_record
                                                        : static_cast<std::uint16_t>(found - entries.begin());
    }

    /// Barriers named by registers are taken for barrier 0 of the whole block.
    static void read_barrier(const sass::Instruction& instruction, MachineOp& op) {
        constexpr unsigned arrive = 1;
        if (instruction.modifier("barrier_action") == arrive) op.kind = MachineKind::barrier_arrive;
        int position = 0;
        for (const sass::Operand& operand : instruction.operands) {
            if (operand.kind == OperandKind::predicate) continue;
            const bool literal = operand.kind == OperandKind::immediate;
            if (position == 0 && literal) op.barrier = BarrierId::clamped(operand.value);
            if (position == 1 && literal)
                op.barrier_warps = static_cast<std::uint8_t>(operand.value / warp_size);
            ++position;
        }
    }

    static void read_scoreboard_wait(const sass::Instruction& instruction, MachineOp& op) {
        for (const sass::Operand& operand : instruction.operands) {
            if (operand.kind == OperandKind::scoreboard)
                op.awaited = static_cast<std::uint8_t>(operand.index);
            if (operand.kind == OperandKind::immediate)
                op.left_over = static_cast<std::uint8_t>(operand.value);
            if (operand.kind == OperandKind::scoreboards)
                op.control.wait_mask |= static_cast<std::uint8_t>(operand.value);
        }
    }

    void add_operands(const sass::Instruction& instruction, MachineOp& op) {
        op.operands = static_cast<std::uint32_t>(machine_.operands.size());
        const auto name = [&](OperandKind kind, std::uint16_t index, std::uint8_t& count) {
            const auto number = number_of(kind, index);
            if (!number) return;
            machine_.operands.push_back(*number);
            ++count;
        };
        const bool guarded = instruction.guard != sass::predicate_true;
        if (guarded)
            name(instruction.guard_uniform ? OperandKind::uniform_predicate : OperandKind::predicate,
                 instruction.guard, op.source_count);
        for (const sass::Operand& operand : instruction.operands) {
            if (operand.destination) continue;
            const bool address =
                operand.kind == OperandKind::address || operand.kind == OperandKind::constant;
            name(address ? OperandKind::general_register : operand.kind, operand.index, op.source_count);
            if (address) name(OperandKind::uniform_register, operand.uniform, op.source_count);
        }
        for (const sass::Operand& operand : instruction.operands)
            if (operand.destination) name(operand.kind, operand.index, op.result_count);
    }

    const sass::MachineProgram& code_;
    const SmTiming& timing_;
    trace::RecordedSites recorded_;
    std::map<std::string, int> unknown_;
    MachineProgram machine_;
};

}  // namespace

MachineProgram read_machine_code(const sass::MachineProgram& code, const SmTiming& timing) {
    return Reader(code, timing).read();
}

}  // namespace warplens::simt
