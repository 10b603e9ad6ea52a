#include "ptx/run_dependence.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "ptx/control_flow.h"
#include "ptx/opcodes.h"
#include "ptx/open_rounding.h"
#include "ptx/value_flow.h"

namespace warplens::ptx {

namespace {

using Sources = RunDependence::Sources;

/// Each round follows all statements once. Values that run against the order of the text through more
/// statements than this are lost, which leaves a difference unexplained and hides none.
constexpr int most_rounds = 64;

// PTX ISA: Special Registers. Two runs need not read the same.
bool depends_on_the_run(std::string_view name) {
    static constexpr std::string_view names[] = {
        "clock", "clock_hi", "clock64", "globaltimer", "globaltimer_lo", "globaltimer_hi",
        "smid",  "nsmid",    "warpid",  "nwarpid",     "gridid",
    };
    return std::ranges::find(names, name) != std::end(names) || name.starts_with("pm");
}

/// Whether the memory after several such operations depends on their order; the value returned always does.
bool leaves_order_in_memory(const Instruction& instruction) {
    if (instruction.has("exch") || instruction.has("cas")) return true;
    const TypeClass kind = class_of(instruction.type());
    return instruction.has("add") && kind == TypeClass::floating;
}

/// Pointers: indices of the objects that a value may point into.
using Roots = std::vector<std::uint32_t>;

template <class Kept>
bool join(Kept& into, const Kept& more) {
    if constexpr (std::is_same_v<Kept, Sources>) {
        const Sources before = into;
        into |= more;
        return into != before;
    } else {
        bool changed = false;
        for (const std::uint32_t root : more) {
            if (std::ranges::find(into, root) != into.end()) continue;
            into.push_back(root);
            changed = true;
        }
        return changed;
    }
}

struct Value {
    Sources sources = 0;
    Roots roots;
};

class Analysis {
  public:
    Analysis(const Module& module, const NumberedProgram& numbered) : module_(module), numbered_(numbered) {
        for (const VariableDeclaration& variable : module.variables) module_variables_.insert(variable.name);
        objects_.emplace_back();  // memory that is reached in another way
        for (SiteId site = 0; site < numbered.origins.size(); ++site) add_site(site);
        add_roundings();
        result_.sites.resize(numbered.origins.size());
    }

    RunDependence run() {
        for (int round = 0; changed_ && round < most_rounds; ++round) {
            changed_ = false;
            for (SiteId site = 0; site < numbered_.origins.size(); ++site) follow(site);
            for (FunctionFlow& function : functions_) spread_control(function);
        }
        for (const BasicBlock& block : numbered_.program.basic_blocks)
            result_.basic_blocks.push_back(block.site_count == 0 ? 0
                                                                 : control(statements_[block.first_site]));
        return std::move(result_);
    }

  private:
    struct FunctionFlow {
        const Function* function = nullptr;
        ControlFlowGraph graph;
        std::vector<Value> registers;
        std::vector<Sources> reached;   // by flow block
        std::vector<Sources> branches;  // by flow block: what its last statement decides by
        Sources entered = 0;            // what the calls of the function depend on
    };
    struct Statement {
        const Instruction* instruction = nullptr;
        std::uint32_t function = 0;  // index into functions_
        FlowBlockId block = 0;
        Sources own = 0;  // the bit of the source that it is
        ValueFlow flow;
    };

    void add_site(SiteId site) {
        const SiteOrigin origin = numbered_.origins[site];
        const Function& function = module_.functions[origin.function];
        if (functions_.empty() || functions_.back().function != &function) {
            FunctionFlow& flow = functions_.emplace_back();
            flow.function = &function;
            flow.graph = build_control_flow(function);
            flow.registers.resize(function.registers.size());
            flow.reached.resize(flow.graph.blocks.size());
            flow.branches.resize(flow.graph.blocks.size());
            by_name_.emplace(function.name, static_cast<std::uint32_t>(functions_.size() - 1));
        }
        Statement& statement = statements_.emplace_back();
        statement.function = static_cast<std::uint32_t>(functions_.size() - 1);
        statement.instruction = &std::get<Instruction>(function.body[origin.statement]);
        statement.block = functions_.back().graph.block_of(origin.statement);
        statement.flow = value_flow(*statement.instruction);
        for (const std::string_view name : statement.flow.special)
            if (depends_on_the_run(name))
                statement.own |= add_source({site, "%" + std::string(name), RunDependence::Kind::reads});
        const std::string& opcode = statement.instruction->opcode;
        if (opcode == "atom" ||
            ((opcode == "red" || opcode == "sured") && leaves_order_in_memory(*statement.instruction)))
            statement.own |= add_source({site, statement.instruction->spelling, RunDependence::Kind::order});
    }

    /// After all others, which so keep bits of their own.
    void add_roundings() {
        std::unordered_map<const Instruction*, SiteId> sites;
        for (SiteId site = 0; site < statements_.size(); ++site)
            sites.emplace(statements_[site].instruction, site);
        for (const FunctionFlow& function : functions_)
            for (const std::size_t at : open_roundings(*function.function)) {
                const auto& instruction = std::get<Instruction>(function.function->body[at]);
                const auto found = sites.find(&instruction);
                if (found == sites.end()) continue;
                statements_[found->second].own |=
                    add_source({found->second, instruction.spelling, RunDependence::Kind::rounding});
            }
    }

    Sources add_source(RunDependence::Source source) {
        result_.sources.push_back(std::move(source));
        return RunDependence::bit(result_.sources.size() - 1);
    }

    Sources control(const Statement& statement) const {
        const FunctionFlow& function = functions_[statement.function];
        return function.entered | function.reached[statement.block];
    }

    template <class Kept>
    void add(Kept& into, const Kept& more) {
        changed_ |= join(into, more);
    }
    void add(Value& into, const Value& more) {
        add(into.sources, more.sources);
        add(into.roots, more.roots);
    }

    /// A variable or parameter of the function, or else of the module.
    std::uint32_t object(const Function& function, std::string_view name) {
        if (module_variables_.contains(name)) return object_of_key(std::string(name));
        return object_of_key(function.name + '\0' + std::string(name));
    }
    /// What a pointer among the entry's parameters points to.
    std::uint32_t pointee(std::string_view parameter) { return object_of_key("*" + std::string(parameter)); }
    std::uint32_t object_of_key(std::string key) {
        const auto [found, fresh] = object_numbers_.emplace(std::move(key), objects_.size());
        if (fresh) objects_.emplace_back();
        return static_cast<std::uint32_t>(found->second);
    }

    Roots objects_at(const Statement& statement, const Address& address) {
        const FunctionFlow& function = functions_[statement.function];
        Roots roots;
        if (const auto* base = std::get_if<RegisterOperand>(&address.base))
            roots = function.registers[base->index].roots;
        else if (const auto* symbol = std::get_if<Symbol>(&address.base))
            roots = {object(*function.function, symbol->name)};
        if (roots.empty()) roots.push_back(0);
        return roots;
    }

    bool is_entry_parameter(const Statement& statement, const Address& address) const {
        const Function& function = *functions_[statement.function].function;
        const auto* symbol = std::get_if<Symbol>(&address.base);
        return symbol && function.is_entry &&
               std::ranges::find(function.parameters, symbol->name, &VariableDeclaration::name) !=
                   function.parameters.end();
    }

    void follow(SiteId site) {
        const Statement& statement = statements_[site];
        const Instruction& instruction = *statement.instruction;
        FunctionFlow& function = functions_[statement.function];
        const auto sources_of = [&](const std::vector<std::uint32_t>& registers) {
            Sources all = 0;
            for (const std::uint32_t index : registers) all |= function.registers[index].sources;
            return all;
        };
        const Sources guard =
            instruction.has_guard ? function.registers[instruction.guard.predicate].sources : 0;
        const Sources address = sources_of(statement.flow.address_registers);
        const SiteKind kind = site_kind(instruction);
        RunDependence::SiteDependence& dependence = result_.sites[site];
        add(dependence.lanes, guard | (kind == SiteKind::branch ? sources_of(statement.flow.read) : 0));
        add(dependence.address, address);
        if (kind == SiteKind::branch || kind == SiteKind::exit)
            add(function.branches[statement.block], dependence.lanes);
        const Sources when = guard | control(statement);
        Value value{when | address | sources_of(statement.flow.read) | statement.own, {}};
        if (instruction.opcode == "call") return follow_call(statement, value);
        for (const std::uint32_t index : statement.flow.read)
            join(value.roots, function.registers[index].roots);
        for (const std::string_view symbol : statement.flow.symbols)
            join(value.roots, {object(*function.function, symbol)});
        follow_memory(statement, value);
        // A product or a comparison is not an address, and an integer that was read from memory may be one.
        const OpcodeRow* const row = find_opcode(instruction.opcode);
        const bool keeps_address = instruction.opcode != "mul" && row &&
                                   row->opcode_class != OpcodeClass::compare && kind != SiteKind::warp_wide;
        if (!keeps_address) value.roots.clear();
        for (const std::uint32_t index : statement.flow.written) add(function.registers[index], value);
    }

    /// Loads add to `value` what memory holds; stores, atomic operations and copies put it there.
    void follow_memory(const Statement& statement, Value& value) {
        const Instruction& instruction = *statement.instruction;
        const Operation operation = operation_of(instruction);
        const bool copies = instruction.opcode == "cp" && statement.flow.addresses.size() >= 2;
        for (std::size_t i = 0; i < statement.flow.addresses.size(); ++i) {
            const Address& address = *statement.flow.addresses[i];
            const bool reads = copies ? i == 1 : operation != Operation::store;
            if (!reads || instruction.opcode == "red") continue;
            if (is_entry_parameter(statement, address)) {
                if (size_of(instruction.type()) == 8)
                    join(value.roots, {pointee(std::get<Symbol>(address.base).name)});
                continue;
            }
            for (const std::uint32_t at : objects_at(statement, address)) {
                value.sources |= objects_[at].sources;
                join(value.roots, objects_[at].roots);
            }
        }
        if (!copies && operation != Operation::store && operation != Operation::atomic) return;
        if (statement.flow.addresses.empty()) return;
        Value left = value;
        if (operation == Operation::atomic && !leaves_order_in_memory(instruction))
            left.sources &= ~statement.own;
        for (const std::uint32_t at : objects_at(statement, *statement.flow.addresses.front()))
            add(objects_[at], left);
    }

    /// The call's parameters are variables of both functions; `value` holds what the call itself depends on.
    void follow_call(const Statement& statement, Value value) {
        const Function& caller = *functions_[statement.function].function;
        std::vector<std::uint32_t> results, arguments;
        const Symbol* callee = nullptr;
        for (const Operand& operand : statement.instruction->operands) {
            if (const auto* symbol = std::get_if<Symbol>(&operand.value); symbol && !callee) callee = symbol;
            const auto* list = std::get_if<List>(&operand.value);
            if (!list) continue;
            for (const Operand& element : list->elements)
                if (const auto* symbol = std::get_if<Symbol>(&element.value))
                    (callee ? arguments : results).push_back(object(caller, symbol->name));
        }
        const auto known = callee ? by_name_.find(callee->name) : by_name_.end();
        if (known == by_name_.end()) {
            for (const std::uint32_t at : arguments) value.sources |= objects_[at].sources;
            for (const std::uint32_t at : results) add(objects_[at].sources, value.sources);
            return;
        }
        FunctionFlow& called = functions_[known->second];
        add(called.entered, value.sources);
        const auto link = [&](const std::vector<VariableDeclaration>& declared,
                              const std::vector<std::uint32_t>& passed, bool inward) {
            for (std::size_t i = 0; i < std::min(declared.size(), passed.size()); ++i) {
                const std::uint32_t inside = object(*called.function, declared[i].name);
                const Value from = objects_[inward ? passed[i] : inside];
                add(objects_[inward ? inside : passed[i]], from);
            }
        };
        link(called.function->parameters, arguments, true);
        link(called.function->results, results, false);
    }

    /// What a branch decides by, decides whether the blocks are reached that some of its ways avoid: from
    /// each successor, the post-dominators up to the branch's own.
    void spread_control(FunctionFlow& function) {
        for (FlowBlockId id = 0; id < function.graph.blocks.size(); ++id) {
            const FlowBlock& block = function.graph.blocks[id];
            const Sources decides = function.branches[id] | function.reached[id];
            if (decides == 0) continue;
            for (FlowBlockId at : block.successors)
                for (; at != block.post_dominator && at != no_flow_block;
                     at = function.graph.blocks[at].post_dominator)
                    add(function.reached[at], decides);
        }
    }

    const Module& module_;
    const NumberedProgram& numbered_;
    RunDependence result_;
    std::vector<Statement> statements_;    // by SiteId
    std::vector<FunctionFlow> functions_;  // in the order of their sites
    std::unordered_map<std::string_view, std::uint32_t> by_name_;
    std::unordered_set<std::string_view> module_variables_;
    std::unordered_map<std::string, std::size_t> object_numbers_;
    std::vector<Value> objects_;
    bool changed_ = true;
};

}  // namespace

RunDependence find_run_dependence(const Module& module, const NumberedProgram& numbered) {
    return Analysis(module, numbered).run();
}

}  // namespace warplens::ptx
