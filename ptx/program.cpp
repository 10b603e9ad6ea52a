#include "ptx/program.h"

#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/launch_limits.h"
#include "ptx/memory_layout.h"
#include "ptx/opcodes.h"
#include "ptx/printer.h"
#include "ptx/reachable.h"
#include "ptx/source_lines.h"

namespace warplens::ptx {

namespace {

using Names = std::unordered_set<std::string_view>;

/// Labels that a branch of the function can go to; all of them when it jumps through a table.
Names branch_targets(const Function& function) {
    Names targets, all;
    bool has_table = false;
    for (const Statement& statement : function.body) {
        if (const auto* label = std::get_if<LabelStatement>(&statement)) all.insert(label->name);
        const auto* instruction = std::get_if<Instruction>(&statement);
        if (instruction == nullptr || site_kind(*instruction) != SiteKind::branch) continue;
        has_table |= instruction->opcode == "brx";
        for (const Operand& operand : instruction->operands)
            if (const auto* label = std::get_if<Label>(&operand.value)) targets.insert(label->name);
    }
    return has_table ? all : targets;
}

std::string_view target_of(const Instruction& branch) {
    if (branch.operands.empty()) return {};
    const auto* label = std::get_if<Label>(&branch.operands[0].value);
    return label == nullptr ? std::string_view{} : std::string_view{label->name};
}

class Numbering {
  public:
    explicit Numbering(const Module& module) : module_(module) {
        for (std::uint32_t i = 0; i < module.files.size(); ++i) {
            source_of_file_.emplace(module.files[i].number, i);
            numbered.program.sources.push_back({module.files[i].name, ""});
        }
    }

    NumberedProgram numbered;

    void add_function(std::uint32_t index) {
        const Function& function = module_.functions[index];
        const Names targets = branch_targets(function);
        SourceLines lines(function);
        bool begins_block = true;
        const std::size_t first_block = numbered.program.basic_blocks.size();
        std::unordered_map<std::string_view, BasicBlockId> blocks;  // by the label that begins them
        std::vector<std::string_view> branches;                     // by block: the label it goes to
        Names pending;
        for (std::uint32_t i = 0; i < function.body.size(); ++i) {
            const Statement& statement = function.body[i];
            if (const auto* directive = std::get_if<Directive>(&statement)) lines.see(*directive);
            if (const auto* label = std::get_if<LabelStatement>(&statement)) {
                if (targets.contains(label->name)) {
                    begins_block = true;
                    pending.insert(label->name);
                }
            }
            const auto* instruction = std::get_if<Instruction>(&statement);
            if (instruction == nullptr) continue;
            add_site(function, *instruction, lines.position_of(instruction->location), begins_block);
            numbered.origins.push_back({index, i});
            begins_block = ends_basic_block(*instruction);
            const auto block = static_cast<BasicBlockId>(numbered.program.basic_blocks.size() - 1);
            for (const std::string_view name : pending) blocks.emplace(name, block);
            pending.clear();
            branches.resize(block - first_block + 1);
            if (instruction->opcode == "bra") branches.back() = target_of(*instruction);
        }
        for (const std::string_view label : branches) {
            const auto block = blocks.find(label);
            numbered.branch_targets.push_back(block == blocks.end() ? no_index : block->second);
        }
    }

  private:
    void add_site(const Function& function, const Instruction& instruction, SourcePosition position,
                  bool begins_block) {
        Program& program = numbered.program;
        const auto id = static_cast<SiteId>(program.sites.size());
        if (begins_block) program.basic_blocks.push_back({id, 0});
        ++program.basic_blocks.back().site_count;

        Site site;
        site.opcode = instruction.spelling;
        site.text = print(function, instruction);
        site.kind = site_kind(instruction);
        site.space = space_of(instruction);
        site.operation = operation_of(instruction);
        site.bytes_per_lane = bytes_per_lane(instruction);
        site.guarded = instruction.has_guard;
        if (const auto source = source_of_file_.find(position.file); source != source_of_file_.end()) {
            site.file = source->second;
            site.line = position.line;
        }
        site.ptx_line = instruction.ptx_line.value;
        site.basic_block = static_cast<BasicBlockId>(program.basic_blocks.size() - 1);
        program.sites.push_back(std::move(site));
    }

    const Module& module_;
    std::unordered_map<std::uint32_t, std::uint32_t> source_of_file_;
};

/// The function's own variables in local memory, with those of the module.
std::uint64_t local_bytes(const Module& module, const Function& function) {
    std::uint64_t bytes = 0;
    const auto add = [&](const VariableDeclaration& variable) {
        if (variable.space == Space::local) bytes += variable.bytes();
    };
    for (const VariableDeclaration& variable : module.variables) add(variable);
    for (const Statement& statement : function.body)
        if (const auto* variable = std::get_if<VariableDeclaration>(&statement)) add(*variable);
    return bytes;
}

}  // namespace

Result<NumberedProgram> number_sites(const Module& module, std::string_view entry, std::string ptx_text) {
    WARPLENS_TRY(const auto reachable, reachable_from(module, entry));
    for (const std::uint32_t function : reachable.functions)
        if (const std::uint64_t bytes = local_bytes(module, module.functions[function]);
            bytes > most_stack_bytes)
            return fail("\"{}\" has {} bytes of local memory; at most {} are possible",
                        module.functions[function].name, bytes, most_stack_bytes);
    Numbering numbering(module);
    for (const std::uint32_t function : reachable.functions) numbering.add_function(function);

    Program& program = numbering.numbered.program;
    program.entry = entry;
    program.variables = lay_out_variables(module, reachable);
    for (const Variable& variable : program.variables)
        if (variable.space == Space::shared &&
            !are_within(variable.offset, variable.bytes, most_shared_bytes))
            return fail("\"{}\" ends at byte {} of shared memory; at most {} are possible", variable.name,
                        variable.offset + variable.bytes, most_shared_bytes);
    program.parameters = lay_out_parameters(module.functions[reachable.functions.front()]);
    program.ptx = std::move(ptx_text);
    return std::move(numbering.numbered);
}

}  // namespace warplens::ptx
