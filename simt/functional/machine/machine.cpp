#include "simt/functional/machine/machine.h"

#include <algorithm>
#include <map>
#include <optional>

#include "core/launch_limits.h"
#include "sass/printer.h"
#include "sass/program.h"
#include "simt/functional/block/constant_banks.h"
#include "simt/functional/execute/auxiliary.h"
#include "simt/functional/machine/lowering.h"
#include "simt/functional/machine/machine_address.h"
#include "simt/functional/machine/machine_calls.h"
#include "simt/functional/machine/machine_link.h"
#include "simt/functional/machine/machine_registers.h"
#include "simt/functional/machine/machine_variables.h"
#include "simt/functional/machine/meaning.h"
#include "simt/functional/machine/operations.h"

namespace warplens::simt {

const Meaning* find_meaning(sass::InstructionId id) {
    static const std::map<sass::InstructionId, const Meaning*> all = [] {
        std::map<sass::InstructionId, const Meaning*> map;
        for (const Meanings& table :
             {integer_meanings(), bit_meanings(),         float_meanings(),    conversion_meanings(),
              memory_meanings(),  atomic_meanings(),      copy_meanings(),     move_meanings(),
              warp_meanings(),    convergence_meanings(), tensor_meanings(),   product_meanings(),
              texture_meanings(), special_meanings(),     mbarrier_meanings(), half_meanings(),
              packed_meanings(),  query_meanings(),       packing_meanings(),  blackwell_meanings()})
            for (const Meaning& meaning : table) map.emplace(meaning.id, &meaning);
        return map;
    }();
    const auto found = all.find(id);
    return found == all.end() ? nullptr : found->second;
}

namespace {

using sass::OperandKind;
using enum sass::InstructionId;

class MachineDecoder {
  public:
    MachineDecoder(sass::MachineProgram machine, DecodedKernel& kernel, u32 registers)
        : machine_(std::move(machine)),
          kernel_(kernel),
          rows_(kernel, registers_named(machine_, registers)),
          lowering_(kernel, rows_, machine_.sm) {}

    Status decode(const sass::Cubin& cubin, const sass::CubinFunction& function) {
        kernel_.machine->uniform_registers = rows_.uniform(0);
        kernel_.machine->predicates = rows_.predicate(0);
        WARPLENS_TRY(link_code(cubin, function, rows_, machine_.instructions, kernel_));
        add_variables(cubin, machine_.instructions, kernel_);
        if (calls_addresses(machine_))
            not_provided_ = provide_functions(cubin, machine_.instructions, rows_, kernel_);
        const u32 count = static_cast<u32>(machine_.blocks.size());
        std::vector<u32> block_at(machine_.instructions.size(), no_index);
        for (u32 b = 0; b < count; ++b) block_at[machine_.blocks[b].first] = b;
        for (u32 b = 0; b < count; ++b) decode_block(machine_.blocks[b], b, block_at);
        DecodedBlock end;
        end.control = Control::exit;
        end.first_op = end.end_op = static_cast<u32>(kernel_.ops.size());
        kernel_.blocks.push_back(end);
        kernel_.tables.push_back(std::move(block_at));
        rows_.finish();
        kernel_.numbered = std::move(machine_.program);
        return {};
    }

  private:
    void decode_block(const sass::MachineBlock& text, u32 number, const std::vector<u32>& block_at) {
        DecodedBlock block;
        block.first_op = static_cast<u32>(kernel_.ops.size());
        block.first_site = text.first;
        block.site_count = text.count;
        block.next = number + 1;
        std::optional<std::size_t> end;
        lowering_.begin_block(std::span(machine_.instructions).subspan(text.first, text.count), text.first);
        for (u32 i = 0; i < text.count; ++i) {
            const SiteId site = text.first + i;
            const sass::Instruction& instruction = machine_.instructions[site];
            lowering_.begin(instruction, site);
            const std::size_t before = kernel_.ops.size();
            if (i + 1 == text.count && instruction.known() && is_control(instruction)) {
                block.control_site = site;
                if (decode_control(instruction, block, block_at)) continue;
                block.control = Control::fall_through;
            } else {
                const Meaning* meaning = instruction.known() ? find_meaning(instruction.row->id) : nullptr;
                if (meaning && constants_are_known(instruction) && meaning->lower(lowering_)) continue;
            }
            kernel_.ops.resize(before);
            if (!end) refuse_op(site);
            end = end.value_or(kernel_.ops.size());
            list_refusal(site, instruction);
        }
        // What comes after an instruction that is not executed is never reached.
        if (end) kernel_.ops.resize(*end);
        block.end_op = static_cast<u32>(kernel_.ops.size());
        block.counter = lowering_.counter;
        kernel_.counts |= block.counter != no_index;
        kernel_.blocks.push_back(block);
    }

    static bool is_control(const sass::Instruction& instruction) {
        return instruction.row->id != ENDCOLLECTIVE && sass::flow_of(instruction) != sass::Flow::next;
    }

    bool constants_are_known(const sass::Instruction& instruction) const {
        return std::ranges::all_of(instruction.operands, [&](const sass::Operand& operand) {
            return operand.kind != OperandKind::constant || lowering_.knows(operand);
        });
    }

    /// The lanes for which guard and predicate hold, as one row.
    void set_guard(DecodedBlock& block) {
        Row guard = 0;
        bool negated = false;
        const bool guarded = lowering_.guard(guard, negated);
        Row condition = lowering_.rows().true_predicate();
        if (lowering_.has_predicate(87)) condition = lowering_.predicate(87);
        if (lowering_.has_predicate(24)) condition = both(condition, lowering_.predicate(24), false);
        block.guarded = guarded || condition != lowering_.rows().true_predicate();
        if (!block.guarded) return;
        if (condition == lowering_.rows().true_predicate()) {
            block.guard = guard;
            block.guard_negated = negated;
        } else {
            block.guard = guarded ? both(condition, guard, negated) : condition;
        }
    }

    Row both(Row a, Row b, bool b_negated) {
        const Row row = rows_.scratch_predicate();
        DecodedOp& op = lowering_.prepare(conjunction);
        op.rows[0] = row;
        op.rows[1] = a;
        op.rows[2] = b;
        op.flags = b_negated;
        return row;
    }

    bool decode_control(const sass::Instruction& instruction, DecodedBlock& block,
                        const std::vector<u32>& block_at) {
        const auto target_block = [&]() -> bool {
            const auto target = sass::target_of(instruction);
            if (!target || *target % sass::instruction_bytes != 0) return false;
            const u64 at = *target / sass::instruction_bytes;
            if (at >= block_at.size() || block_at[at] == no_index) return false;
            block.target = block_at[at];
            return true;
        };
        set_guard(block);
        switch (instruction.row->id) {
            case BRA:
            case BRA_75:
            case BRA_80:
            case BRA_U:
                block.control = Control::branch;
                return target_block() && set_divergence(block);
            case CALL_REL:
            case CALL_REL_75:
                block.control = Control::branch;
                return target_block();
            case CALL_ABS:
                return decode_address_call(block);
            case CALL_ABS_IMMEDIATE:
            case CALL_ABS_IMMEDIATE_75:
                return decode_linked_call(block);
            case RET:
            case RET_75:
            case BRX:
            case BRX_75:
                return decode_indirect(instruction, block);
            case EXIT:
                block.control = Control::exit;
                return true;
            case BAR:
            case BAR_R:
            case BAR_RI:
            case BAR_IR:
                return decode_barrier(block);
            case BSYNC:
                block.control = Control::converge;
                block.barrier = row_of_barrier(instruction);
                return true;
            case WARPSYNC:
            case WARPSYNC_75:
                block.control = Control::converge_named;
                block.barrier = lowering_.plain(0);
                return true;
            case WARPSYNC_ALL:
                block.control = Control::converge_named;
                block.barrier = rows_.constant(0xffffffffu);
                return true;
            case YIELD:
                block.control = Control::give_way;
                return true;
            case UCGABAR_ARV:
                block.control = Control::cluster_arrive;
                return true;
            case UCGABAR_WAIT:
                block.control = Control::cluster_wait;
                return true;
            default:
                return false;
        }
    }

    /// BRA.DIV: taken where lanes of the mask are missing; BRA.CONV: where none is. On Turing the mask is all
    /// lanes.
    bool set_divergence(DecodedBlock& block) {
        const std::string_view kind = lowering_.modifier_name("branch_uniform");
        if (kind == "U" && lowering_.modifier("ANY") != 0) return set_any(block);
        if (kind.empty() || kind == "U") return true;
        const bool turing = lowering_.id() == BRA_75, converged = kind == "CONV";
        if ((kind != "DIV" && !converged) || lowering_.modifier("ANY") != 0 ||
            lowering_.source_count() != (turing ? 0 : 1))
            return false;
        const Row expected = turing ? rows_.constant(0xffffffffu) : lowering_.source(0),
                  row = rows_.scratch_predicate();
        DecodedOp& op = lowering_.prepare(is_diverged);
        op.rows[0] = row;
        op.rows[1] = expected;
        const Row guard = block.guard;
        const bool guarded = block.guarded, negated = block.guard_negated;
        block.guarded = true;
        if (!guarded) {
            block.guard = row;
            block.guard_negated = converged;
            return true;
        }
        if (converged) {
            DecodedOp& inverse = lowering_.prepare(invert_predicate);
            inverse.rows[0] = inverse.rows[1] = row;
        }
        block.guard = both(row, guard, negated);
        block.guard_negated = false;
        return true;
    }

    /// BRA.U.ANY: all active lanes take it where the guard of one holds.
    bool set_any(DecodedBlock& block) {
        if (!block.guarded) return true;
        const Row row = rows_.scratch_predicate();
        DecodedOp& op = lowering_.prepare(any_of_predicate);
        op.rows[0] = row;
        op.rows[1] = block.guard;
        op.flags = block.guard_negated;
        block.guard = row;
        block.guard_negated = false;
        return true;
    }

    bool decode_indirect(const sass::Instruction& instruction, DecodedBlock& block) {
        const sass::Operand* base = lowering_.find(OperandKind::general_register);
        if (!base || base->index == sass::register_zero) return false;
        const sass::Operand* offset = lowering_.find(OperandKind::target);
        if (!offset) offset = lowering_.find(OperandKind::immediate);
        if (!offset) return false;
        block.control = Control::jump;
        block.target = 0;
        block.table_index = rows_.general(base->index);
        block.offset = static_cast<u64>(offset->value);
        // BRX adds a distance from the next instruction, RET the place itself.
        if (sass::flow_of(instruction) == sass::Flow::indirect)
            block.offset += (lowering_.site() + u64{1}) * sass::instruction_bytes;
        return true;
    }

    /// Functions of this module are not called so: their addresses in bank 4 are not known.
    bool decode_address_call(DecodedBlock& block) {
        const sass::Operand* pair = lowering_.find(OperandKind::general_register);
        if (!pair || pair->index == sass::register_zero || !not_provided_.empty()) return false;
        block.control = Control::call_address;
        block.target = 0;
        block.table_index = rows_.general(pair->index);
        return true;
    }

    bool decode_linked_call(DecodedBlock& block) {
        const sass::Operand* callee = lowering_.find(OperandKind::immediate);
        if (!callee || callee->value == 0) return false;
        block.control = Control::call_address;
        block.target = 0;
        block.table_index = rows_.constant(static_cast<u64>(callee->value), 2);
        return true;
    }

    bool decode_barrier(DecodedBlock& block) {
        const std::string_view action = lowering_.modifier_name("barrier_action");
        if (action == "SYNC") block.control = Control::barrier_sync;
        else if (action == "ARV") block.control = Control::barrier_arrive;
        else if (action == "RED") set_reduction(block);
        else return false;
        block.aligned = true;
        block.barrier = lowering_.plain(0);
        if (lowering_.source_count() > 1) {
            block.barrier_count = lowering_.plain(1);
            block.packed = block.barrier_count == block.barrier;
            block.counted = !block.packed;
        }
        return true;
    }

    /// B2R reads the result.
    void set_reduction(DecodedBlock& block) {
        const std::string_view name = lowering_.modifier_name("barrier_reduction");
        block.control = Control::barrier_reduce;
        block.reduction = name == "POPC" ? Reduction::count : name == "AND" ? Reduction::all : Reduction::any;
        block.reduced = lowering_.predicate(87);
        // That predicate is what is reduced, not a condition.
        block.guarded = lowering_.guard(block.guard, block.guard_negated);
        block.result = name == "POPC" ? rows_.reduced_count() : rows_.reduced_predicate();
    }

    Row row_of_barrier(const sass::Instruction& instruction) const {
        for (const sass::Operand& operand : instruction.operands)
            if (operand.kind == OperandKind::convergence_barrier) return rows_.barrier(operand.index);
        return rows_.sink();
    }

    void refuse_op(SiteId site) {
        DecodedOp op;
        op.site = site;
        op.execute = execute_unsupported;
        kernel_.ops.push_back(op);
    }

    void list_refusal(SiteId site, const sass::Instruction& instruction) {
        const Site& at = machine_.program.sites[site];
        const auto known = std::ranges::find(kernel_.missing, at.opcode, &Kernel::Unsupported::spelling);
        if (known != kernel_.missing.end()) {
            ++known->count;
            known->sites.push_back(site);
            return;
        }
        const std::string reason =
            instruction.known() && instruction.row->id == CALL_ABS && !not_provided_.empty()
                ? fmt::format("it may call {}, which the file does not contain and the engine does not have",
                              not_provided_)
            : sass::flow_of(instruction) == sass::Flow::call && lowering_.find(OperandKind::general_register)
                ? std::string("it calls a virtual function or through a table of functions, not followed yet")
            : instruction.known()
                ? fmt::format("this form of it, at {:#x}, has no meaning in the engine's tables",
                              site * sass::instruction_bytes)
                : fmt::format("the encoding at {:#x} is not in the table of machine instructions",
                              site * sass::instruction_bytes);
        kernel_.missing.push_back({at.opcode, at.ptx_line, 1, reason, {site}});
    }

    sass::MachineProgram machine_;
    DecodedKernel& kernel_;
    MachineRows rows_;
    Lowering lowering_;
    std::string not_provided_;  // functions that the kernel calls by address
};

}  // namespace

Result<std::shared_ptr<const Kernel>> load_machine_code(const sass::Cubin& cubin, std::string_view entry) {
    const sass::CubinFunction* function = cubin.find(entry);
    if (!function) return fail("the cubin has no function {}", entry);
    if (!executes_target(cubin.sm))
        return fail("machine code of sm_{} is read and listed, not executed; that of sm_75 to sm_120 is",
                    cubin.sm);
    if (function->stack_bytes > most_stack_bytes)
        return fail("{} has {} bytes of local memory; at most {} are possible", entry, function->stack_bytes,
                    most_stack_bytes);
    WARPLENS_TRY(auto machine, sass::number_machine_sites(cubin, entry));
    const bool calls = std::ranges::any_of(machine.instructions, [](const sass::Instruction& each) {
        return sass::flow_of(each) == sass::Flow::call && !sass::calls_address(each);
    });
    auto kernel = std::make_shared<DecodedKernel>();
    DecodedFunction of;
    of.name = entry;
    of.depot_bytes = (function->stack_bytes + 15) / 16 * 16;
    kernel->functions.push_back(of);
    kernel->local_bytes = of.depot_bytes;
    // Nobody knows how deep calls nest.
    kernel->recurses = calls;
    kernel->shared_bytes = function->shared_static_bytes;
    kernel->machine.emplace();
    kernel->machine->sm = cubin.sm;
    kernel->machine->parameter_base = function->parameter_base;
    kernel->machine->images[2] = bytes_of(function->constants);
    kernel->machine->images[3] = bytes_of(cubin.user_constants);
    kernel->constant_bytes = cubin.user_constants.size();
    kernel->launchable = launchable_kernels(cubin);
    for (const sass::CubinParameter& parameter : function->parameters)
        kernel->kernel_param_bytes = std::max(kernel->kernel_param_bytes, parameter.offset + parameter.bytes);
    WARPLENS_TRY(
        MachineDecoder(std::move(machine), *kernel, function->registers_per_thread).decode(cubin, *function));
    return kernel;
}

}  // namespace warplens::simt
