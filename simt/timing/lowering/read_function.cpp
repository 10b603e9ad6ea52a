#include "simt/timing/lowering/read_function.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "ptx/control_flow.h"
#include "ptx/opcodes.h"

namespace warplens::simt::lowering {

namespace {

/// Special registers in the constant bank: the same for the whole launch.
bool is_launch_constant(std::string_view name) {
    return name.starts_with("ntid") || name.starts_with("nctaid") || name.starts_with("cluster_nctaid") ||
           name.starts_with("total_smem") || name.starts_with("dynamic_smem");
}

/// Special registers whose value changes between reads: each read is a separate operation.
bool is_counter(std::string_view name) {
    return name.starts_with("clock") || name.starts_with("globaltimer") || name.starts_with("pm");
}

class FunctionReader {
  public:
    FunctionReader(const ptx::Module& module, const ptx::Function& function) {
        code.function = &function;
        for (const ptx::Register& reg : function.registers) code.add_value(reg.type);
        for (const ptx::VariableDeclaration& variable : module.variables)
            spaces_.emplace(variable.name, variable.space);
        for (const ptx::Statement& statement : function.body)
            if (const auto* variable = std::get_if<ptx::VariableDeclaration>(&statement))
                spaces_.emplace(variable->name, variable->space);
        if (function.is_entry)
            for (const ptx::VariableDeclaration& parameter : function.parameters)
                spaces_.insert_or_assign(parameter.name, Space::constant);
    }

    Code code;

    Operation read(SiteId site, const ptx::Instruction& instruction) {
        Operation operation;
        operation.site = site;
        operation.instruction = &instruction;
        operation.name = instruction.opcode;
        operation.type = instruction.type(0);
        operation.source_type = instruction.type(instruction.types.size() > 1 ? 1 : 0);
        if (instruction.has_guard) operation.guard = instruction.guard.predicate;
        const std::size_t results = ptx::result_count(instruction);
        if (ptx::operation_of(instruction) != warplens::Operation::none)
            operation.address =
                MemoryAddress{0, ptx::space_of(instruction), ptx::bytes_per_lane(instruction)};
        for (std::size_t i = 0; i < instruction.operands.size(); ++i)
            add_operand(operation, instruction.operands[i], i < results);
        name_special_forms(operation);
        return operation;
    }

  private:
    /// Forms of one opcode that lower differently get separate names.
    void name_special_forms(Operation& operation) const {
        const ptx::Instruction& instruction = *operation.instruction;
        if (instruction.has("wide") && ptx::size_of(operation.type) == 4) {
            operation.name = instruction.opcode == "mad" ? "mad.wide" : "mul.wide";
            operation.type = ptx::Type::b64;
        }
        if (instruction.opcode == "mov" && !operation.sources.empty()) {
            const ValueInfo& source = code.values[operation.sources.front()];
            if (source.kind == ValueKind::special && is_counter(source.name)) {
                operation.name = "clock";
                operation.sources.clear();
            }
        }
        const bool reads_parameter =
            instruction.opcode == "ld" && operation.address && operation.address->space == Space::param;
        if (reads_parameter && operation.address_values.size() == 1 && operation.address->offset == 0) {
            const ValueInfo& base = code.values[operation.address_values.front()];
            if (base.kind == ValueKind::computed) return;  // an indexed parameter is a load like any other
            operation.name = "mov";
            operation.sources = std::move(operation.address_values);
            operation.address_values.clear();
            operation.address.reset();
        }
        if (instruction.opcode == "st" && operation.address && operation.address->space == Space::param) {
            operation.name = "st.param";
            operation.address_values.clear();
            operation.address.reset();
        }
    }

    void add_operand(Operation& operation, const ptx::Operand& operand, bool is_result) {
        std::vector<Value>& list = is_result ? operation.results : operation.sources;
        if (const auto* reg = std::get_if<ptx::RegisterOperand>(&operand.value)) {
            list.push_back(reg->index);
        } else if (const auto* literal = std::get_if<ptx::Immediate>(&operand.value)) {
            if (!operation.immediate) operation.immediate = static_cast<std::int64_t>(literal->bits);
        } else if (const auto* special = std::get_if<ptx::SpecialRegister>(&operand.value)) {
            list.push_back(root(is_launch_constant(special->name) ? ValueKind::constant : ValueKind::special,
                                special->name, operation.type));
        } else if (const auto* symbol = std::get_if<ptx::Symbol>(&operand.value)) {
            list.push_back(symbol_value(symbol->name, 0));
            if (symbol->offset != 0) operation.immediate = symbol->offset;
        } else if (const auto* address = std::get_if<ptx::Address>(&operand.value)) {
            add_address(operation, *address);
        } else if (const auto* vector = std::get_if<ptx::Vector>(&operand.value)) {
            for (const ptx::Operand& element : vector->elements) add_operand(operation, element, is_result);
        } else if (const auto* pair = std::get_if<ptx::Pair>(&operand.value)) {
            for (const ptx::Operand& element : pair->elements) add_operand(operation, element, is_result);
        } else if (const auto* several = std::get_if<ptx::List>(&operand.value)) {
            for (const ptx::Operand& element : several->elements) add_operand(operation, element, is_result);
        }
    }

    void add_address(Operation& operation, const ptx::Address& address) {
        const bool parameter = operation.address && operation.address->space == Space::param;
        const bool copies = operation.name == "cp" && !operation.address_values.empty();
        if (operation.address && !parameter && !copies) operation.address->offset = address.offset;
        if (const auto* reg = std::get_if<ptx::RegisterOperand>(&address.base)) {
            operation.address_values.push_back(reg->index);
        } else if (const auto* symbol = std::get_if<ptx::Symbol>(&address.base)) {
            operation.address_values.push_back(symbol_value(symbol->name, parameter ? address.offset : 0));
        }
    }

    Value symbol_value(const std::string& name, std::int64_t offset) {
        const auto found = spaces_.find(name);
        const Space space = found == spaces_.end() ? Space::none : found->second;
        if (space == Space::constant)
            return root(ValueKind::constant, name + "+" + std::to_string(offset), ptx::Type::b64);
        return root(space == Space::shared ? ValueKind::shared : ValueKind::symbol, name, ptx::Type::b64);
    }

    Value root(ValueKind kind, std::string name, ptx::Type type) {
        const auto [found, is_new] = roots_.try_emplace(name, 0);
        if (is_new) {
            found->second = code.add_value(type);
            code.values.back().kind = kind;
            code.values.back().name = std::move(name);
        }
        return found->second;
    }

    std::unordered_map<std::string, Space> spaces_;
    std::map<std::string, Value> roots_;
};

/// Edges between the trace's blocks, which are in the order of their statements: to the next one, or as the
/// flow graph's block that ends with it.
void connect_blocks(Code& code, const std::vector<std::uint32_t>& last_statements,
                    const std::vector<std::uint32_t>& first_statements) {
    const ptx::ControlFlowGraph graph = ptx::build_control_flow(*code.function);
    const auto first_block_from = [&](std::uint32_t statement) {
        return static_cast<std::uint32_t>(std::ranges::lower_bound(first_statements, statement) -
                                          first_statements.begin());
    };
    const auto count = static_cast<std::uint32_t>(code.blocks.size());
    for (std::uint32_t block = 0; block < count; ++block) {
        const std::uint32_t last = last_statements[block];
        const ptx::FlowBlock& flow = graph.blocks[graph.block_of(last)];
        std::vector<std::uint32_t>& successors = code.blocks[block].successors;
        const bool ends_flow = block + 1 == count || first_statements[block + 1] >= flow.end_statement;
        if (!ends_flow) {
            successors.push_back(block + 1);
        } else {
            for (const ptx::FlowBlockId next : flow.successors) {
                const std::uint32_t target = first_block_from(graph.blocks[next].first_statement);
                if (target < count) successors.push_back(target);
            }
        }
        if (ends_flow && flow.post_dominator != ptx::no_flow_block) {
            const std::uint32_t meeting = first_block_from(graph.blocks[flow.post_dominator].first_statement);
            if (meeting < count) code.blocks[block].post_dominator = meeting;
        }
        for (const std::uint32_t next : successors) code.blocks[next].predecessors.push_back(block);
    }
}

void find_loops(Code& code) {
    for (std::uint32_t from = 0; from < code.blocks.size(); ++from)
        for (const std::uint32_t to : code.blocks[from].successors)
            if (to <= from) code.loops.push_back({to, from});
}

}  // namespace

Code read_function(const ptx::Module& module, std::uint32_t function_index,
                   const ptx::NumberedProgram& numbered, std::span<const BasicBlockId> blocks) {
    const ptx::Function& function = module.functions[function_index];
    FunctionReader reader(module, function);
    std::vector<std::uint32_t> first_statements, last_statements;
    const Program& program = numbered.program;
    for (const BasicBlockId id : blocks) {
        const BasicBlock& block = program.basic_blocks[id];
        CodeBlock lowered;
        lowered.id = id;
        lowered.first_site = block.first_site;
        lowered.last_site = block.first_site + block.site_count - 1;
        for (SiteId site = block.first_site; site < block.first_site + block.site_count; ++site) {
            const std::uint32_t statement = numbered.origins[site].statement;
            lowered.operations.push_back(
                reader.read(site, std::get<ptx::Instruction>(function.body[statement])));
        }
        first_statements.push_back(numbered.origins[block.first_site].statement);
        last_statements.push_back(numbered.origins[block.first_site + block.site_count - 1].statement);
        reader.code.blocks.push_back(std::move(lowered));
    }
    connect_blocks(reader.code, last_statements, first_statements);
    find_loops(reader.code);
    count_uses(reader.code);
    return std::move(reader.code);
}

}  // namespace warplens::simt::lowering
