// lower(): runs the passes of this folder in order, numbers the registers and writes one MachineProgram.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "ptx/parser.h"
#include "ptx/program.h"
#include "simt/timing/lowering/divergence.h"
#include "simt/timing/lowering/fold_operations.h"
#include "simt/timing/lowering/forward_copies.h"
#include "simt/timing/lowering/live_values.h"
#include "simt/timing/lowering/materialize_constants.h"
#include "simt/timing/lowering/merge_shared_loads.h"
#include "simt/timing/lowering/predicate_branches.h"
#include "simt/timing/lowering/read_function.h"
#include "simt/timing/lowering/remove_dead_operations.h"
#include "simt/timing/lowering/schedule_block.h"
#include "simt/timing/lowering/select_operations.h"
#include "simt/timing/lowering/unroll_loop.h"
#include "simt/timing/machine_code.h"

namespace warplens::simt {

namespace lowering {
namespace {

/// Register numbers below 65536: dense within a function, consecutive across functions.
class Emitter {
  public:
    explicit Emitter(MachineProgram& machine) : machine_(machine) {}

    void begin_function(const Code& code) { registers_.assign(code.values.size(), no_value); }

    OpRange emit(const std::vector<Issue>& issues) {
        OpRange range;
        range.begin = static_cast<std::uint32_t>(machine_.ops.size());
        for (const Issue& issue : issues) {
            MachineOp op = issue.op;
            op.operands = static_cast<std::uint32_t>(machine_.operands.size());
            op.source_count = add_operands(issue.sources);
            op.result_count = add_operands(issue.results);
            op.merged = static_cast<std::uint8_t>(issue.merged_records.size());
            op.merged_begin = static_cast<std::uint32_t>(machine_.merged_records.size());
            machine_.merged_records.insert(machine_.merged_records.end(), issue.merged_records.begin(),
                                           issue.merged_records.end());
            machine_.ops.push_back(op);
        }
        range.end = static_cast<std::uint32_t>(machine_.ops.size());
        return range;
    }

  private:
    std::uint8_t add_operands(const std::vector<Value>& values) {
        constexpr std::size_t most = 255;
        std::set<Value> seen;
        for (const Value value : values) {
            if (seen.size() == most || !seen.insert(value).second) continue;
            machine_.operands.push_back(number_of(value));
        }
        return static_cast<std::uint8_t>(seen.size());
    }

    std::uint16_t number_of(Value value) {
        constexpr std::uint32_t most_registers = 0xffff;
        if (value >= registers_.size()) registers_.resize(value + 1, no_value);
        if (registers_[value] == no_value) {
            // Above the maximum, registers share the last number: only in code that no assembler accepts.
            registers_[value] = std::min(machine_.register_count, most_registers - 1);
            if (machine_.register_count < most_registers) ++machine_.register_count;
        }
        return static_cast<std::uint16_t>(registers_[value]);
    }

    MachineProgram& machine_;
    std::vector<Value> registers_;
};

class FunctionLowering {
  public:
    FunctionLowering(Code& code, const Program& program, SelectionContext& context, int registers)
        : code_(code), program_(program), context_(context), registers_(registers) {}

    void run(Emitter& emitter, MachineProgram& machine) {
        forward_copies(code_);
        fold_operations(code_);
        remove_dead_operations(code_);
        predicate_selections(code_);
        const std::vector<bool> divergent = find_divergent_values(code_);
        predicate_branches(code_, divergent);
        merge_shared_loads(code_, program_.variables);
        materialize_constants(code_);
        mark_reconvergence(code_, divergent);
        unroll_loops();
        emitter.begin_function(code_);
        const std::vector<int> kept = registers_kept_through(code_);
        for (std::size_t block = 0; block < code_.blocks.size(); ++block)
            emit_block(block, limits_beside(kept[block]), emitter, machine);
    }

  private:
    /// The registers for a block's own values beside `kept`; the assembler reserves two more registers.
    ScheduleLimits limits_beside(int kept) const {
        constexpr int usual = 32, held_back = 2, least = 4;
        return {std::max(least, (registers_ != 0 ? registers_ : usual) - held_back - kept)};
    }

    /// Unrolls loops where possible, and marks where such loops begin and end.
    void unroll_loops() {
        unrolled_.resize(code_.blocks.size());
        for (std::uint32_t block = 0; block < code_.blocks.size(); ++block)
            unrolled_[block] = unroll_loop(code_, block);
        for (std::uint32_t block = 0; block < code_.blocks.size(); ++block) {
            if (!unrolled_[block]) continue;
            for (const std::uint32_t before : code_.blocks[block].predecessors)
                if (before != block)
                    insert("loop.enter", before, end_of_body(code_.blocks[before]),
                           code_.blocks[before].last_site);
            for (const std::uint32_t behind : code_.blocks[block].successors)
                if (behind != block) insert("loop.leave", behind, 0, code_.blocks[behind].first_site);
        }
        count_uses(code_);
    }

    void insert(std::string_view name, std::uint32_t block, std::size_t position, SiteId site) {
        lowering::Operation control;
        control.name = name;
        control.site = site;
        auto& operations = code_.blocks[block].operations;
        operations.insert(operations.begin() + static_cast<std::ptrdiff_t>(position), std::move(control));
    }

    void emit_block(std::size_t block, ScheduleLimits limits, Emitter& emitter, MachineProgram& machine) {
        const CodeBlock& lowered = code_.blocks[block];
        MachineBlock& into = machine.blocks[lowered.id];
        into.once = emitter.emit(issue_order(lowered.operations, lowered.id, limits));
        if (unrolled_[block]) {
            into.unrolled = emitter.emit(issue_order(*unrolled_[block], lowered.id, limits));
            into.unroll = unroll_factor;
        }
        if (lowered.predicates_next) {
            const CodeBlock& next = code_.blocks[block + 1];
            into.skips = next.id;
            into.skipped = emitter.emit(
                predicated_off(issue_order(next.operations, next.id, limits), lowered.last_site));
        }
    }

    std::vector<Issue> issue_order(std::span<const lowering::Operation> operations, BasicBlockId block,
                                   ScheduleLimits limits) {
        std::vector<Issue> issues = schedule_block(
            code_, select_operations(code_, operations, block, context_), context_.timing, limits);
        hold_behind_control(code_, issues);
        return issues;
    }

    Code& code_;
    const Program& program_;
    SelectionContext& context_;
    std::vector<std::optional<std::vector<lowering::Operation>>> unrolled_;  // one per block
    int registers_;                                                          // per thread; 0: not known
};

/// The records' assumption: the same blocks with the same kinds of instruction.
bool same_instructions(const Program& a, const Program& b) {
    return std::ranges::equal(a.basic_blocks, b.basic_blocks,
                              [](const BasicBlock& one, const BasicBlock& other) {
                                  return one.first_site == other.first_site &&
                                         one.site_count == other.site_count;
                              }) &&
           std::ranges::equal(a.sites, b.sites, [](const Site& one, const Site& other) {
               return one.kind == other.kind && one.opcode == other.opcode && one.space == other.space &&
                      one.operation == other.operation && one.guarded == other.guarded &&
                      one.bytes_per_lane == other.bytes_per_lane;
           });
}

}  // namespace
}  // namespace lowering

Result<MachineProgram> lower(const Program& program, const SmTiming& timing,
                             std::uint32_t registers_per_thread) {
    using namespace lowering;
    WARPLENS_TRY(const auto module, ptx::parse(program.ptx, program.entry));
    WARPLENS_TRY(const auto numbered, ptx::number_sites(module, program.entry, program.ptx));
    if (!same_instructions(numbered.program, program))
        return fail("the PTX of {} does not match its {} recorded instructions", program.entry,
                    program.sites.size());

    MachineProgram machine;
    machine.blocks.resize(program.basic_blocks.size());
    const trace::RecordedSites recorded(numbered.program);
    SelectionContext context{timing, recorded, {}};
    Emitter emitter(machine);
    std::map<std::uint32_t, std::vector<BasicBlockId>> functions;
    for (BasicBlockId id = 0; id < program.basic_blocks.size(); ++id)
        if (const BasicBlock& block = numbered.program.basic_blocks[id]; block.site_count > 0)
            functions[numbered.origins[block.first_site].function].push_back(id);
    for (const auto& [function, blocks] : functions) {
        Code code = read_function(module, function, numbered, blocks);
        FunctionLowering(code, numbered.program, context, int(registers_per_thread)).run(emitter, machine);
    }
    for (const auto& [spelling, count] : context.unknown)
        machine.notes.push_back(fmt::format(
            "{} has no timing data and is timed as one logic operation ({} in the code)", spelling, count));
    return machine;
}

}  // namespace warplens::simt
