// lower(): the passes of this folder in their order, then registers are numbered and everything is written
// into one MachineProgram.
#include <fmt/format.h>

#include <set>

#include "ptx/parser.h"
#include "ptx/program.h"
#include "simt/timing/lowering/fold_operations.h"
#include "simt/timing/lowering/forward_copies.h"
#include "simt/timing/lowering/materialize_constants.h"
#include "simt/timing/lowering/read_function.h"
#include "simt/timing/lowering/remove_dead_operations.h"
#include "simt/timing/lowering/select_operations.h"
#include "simt/timing/machine_code.h"

namespace warplens::simt {

namespace {

using namespace lowering;

/// Register numbers below 65536: those of one function are dense, functions follow one another.
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
            // Past the last number registers share one: only ever in code that no assembler takes.
            registers_[value] = std::min(machine_.register_count, most_registers - 1);
            if (machine_.register_count < most_registers) ++machine_.register_count;
        }
        return static_cast<std::uint16_t>(registers_[value]);
    }

    MachineProgram& machine_;
    std::vector<Value> registers_;
};

void lower_function(Code& code, SelectionContext& context, Emitter& emitter, MachineProgram& machine) {
    forward_copies(code);
    fold_operations(code);
    remove_dead_operations(code);
    materialize_constants(code);
    emitter.begin_function(code);
    for (const CodeBlock& block : code.blocks) {
        const std::vector<Issue> issues = select_operations(code, block.operations, block.id, context);
        machine.blocks[block.id].once = emitter.emit(issues);
    }
}

}  // namespace

Result<MachineProgram> lower(const Program& program, const SmTiming& timing,
                             std::uint32_t /*registers_per_thread*/) {
    const auto module = ptx::parse(program.ptx, program.entry);
    if (!module) return tl::unexpected(module.error());
    const auto numbered = ptx::number_sites(*module, program.entry, program.ptx);
    if (!numbered) return tl::unexpected(numbered.error());
    if (numbered->program.sites.size() != program.sites.size() ||
        numbered->program.basic_blocks.size() != program.basic_blocks.size())
        return fail("the PTX of {} has {} instructions, its program {}", program.entry,
                    numbered->program.sites.size(), program.sites.size());

    MachineProgram machine;
    machine.blocks.resize(program.basic_blocks.size());
    const trace::RecordedSites recorded(numbered->program);
    SelectionContext context{timing, recorded, {}};
    Emitter emitter(machine);
    std::set<std::uint32_t> functions;
    for (const ptx::SiteOrigin& origin : numbered->origins) functions.insert(origin.function);
    for (const std::uint32_t function : functions) {
        Code code = read_function(*module, function, *numbered);
        lower_function(code, context, emitter, machine);
    }
    for (const auto& [spelling, count] : context.unknown)
        machine.notes.push_back(
            fmt::format("{} is timed as one logic operation, for lack of a better guess ({} in the code)",
                        spelling, count));
    return machine;
}

}  // namespace warplens::simt
