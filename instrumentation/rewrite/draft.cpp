#include "instrumentation/rewrite/draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "instrumentation/rewrite/carried_state.h"
#include "instrumentation/rewrite/lanes_meet.h"
#include "instrumentation/rewrite/take_chunk.h"
#include "instrumentation/word_search.h"
#include "ptx/opcodes.h"
#include "ptx/parser.h"
#include "ptx/reachable.h"

namespace warplens::instrumentation {

namespace {

constexpr std::string_view shared_prefix = "%warplens_";
constexpr std::string_view own_prefix = "%own";

/// The words of the text that begin with a percent sign.
std::vector<std::string> register_words(std::string_view text) {
    std::vector<std::string> words;
    for (std::size_t i = text.find('%'); i != std::string_view::npos; i = text.find('%', i + 1)) {
        std::size_t end = i + 1;
        while (end < text.size() && is_word(text[end])) ++end;
        words.emplace_back(text.substr(i, end - i));
    }
    return words;
}

/// Renames the names in a parsed piece of code to those of the function into which it goes.
class Transplant {
  public:
    Transplant(std::vector<std::uint32_t> registers, std::map<std::string, std::string> labels,
               ptx::SourceLocation location, std::uint32_t state)
        : registers_(std::move(registers)),
          labels_(std::move(labels)),
          location_(std::move(location)),
          state_(state) {}

    void operator()(ptx::Statement& statement) const {
        if (auto* label = std::get_if<ptx::LabelStatement>(&statement)) label->name = labels_.at(label->name);
        auto* instruction = std::get_if<ptx::Instruction>(&statement);
        if (instruction == nullptr) return;
        instruction->location = location_;
        if (state_ != no_index) take_space_from_state(*instruction);
        if (instruction->has_guard) instruction->guard.predicate = registers_[instruction->guard.predicate];
        for (ptx::Operand& operand : instruction->operands) rename(operand);
    }

  private:
    /// Functions find the kernel's parameter in the state that goes through them.
    void take_space_from_state(ptx::Instruction& instruction) const {
        for (ptx::Operand& operand : instruction.operands) {
            auto* address = std::get_if<ptx::Address>(&operand.value);
            const auto* symbol = address ? std::get_if<ptx::Symbol>(&address->base) : nullptr;
            if (symbol == nullptr || symbol->name != space_parameter_name) continue;
            address->offset += symbol->offset + static_cast<std::int64_t>(offsetof(CarriedState, space));
            address->base = ptx::RegisterOperand{state_};
            std::replace(instruction.modifiers.begin(), instruction.modifiers.end(), std::string("param"),
                         std::string("local"));
            const std::size_t word = instruction.spelling.find("param");
            instruction.spelling.replace(word, 5, "local");
        }
    }

    void rename(ptx::Operand& operand) const {
        if (auto* reg = std::get_if<ptx::RegisterOperand>(&operand.value))
            reg->index = registers_[reg->index];
        if (auto* label = std::get_if<ptx::Label>(&operand.value)) label->name = labels_.at(label->name);
        if (auto* address = std::get_if<ptx::Address>(&operand.value))
            if (auto* base = std::get_if<ptx::RegisterOperand>(&address->base))
                base->index = registers_[base->index];
        const auto all = [&](std::vector<ptx::Operand>& elements) {
            for (ptx::Operand& element : elements) rename(element);
        };
        if (auto* vector = std::get_if<ptx::Vector>(&operand.value)) all(vector->elements);
        if (auto* pair = std::get_if<ptx::Pair>(&operand.value)) all(pair->elements);
        if (auto* list = std::get_if<ptx::List>(&operand.value)) all(list->elements);
    }

    std::vector<std::uint32_t> registers_;  // by register of the piece
    std::map<std::string, std::string> labels_;
    ptx::SourceLocation location_;
    std::uint32_t state_;  // register of the piece that holds the state's address; no_index: in the entry
};

ptx::SourceLocation location_at(const ptx::Function& function, std::uint32_t statement) {
    for (; statement < function.body.size(); ++statement)
        if (const auto* instruction = std::get_if<ptx::Instruction>(&function.body[statement]))
            return instruction->location;
    return {};
}

bool is_target(const std::vector<ptx::Statement>& body, const std::string& label) {
    return std::any_of(body.begin(), body.end(), [&](const ptx::Statement& statement) {
        const auto* instruction = std::get_if<ptx::Instruction>(&statement);
        return instruction != nullptr &&
               std::any_of(instruction->operands.begin(), instruction->operands.end(),
                           [&](const ptx::Operand& operand) {
                               const auto* target = std::get_if<ptx::Label>(&operand.value);
                               return target != nullptr && target->name == label;
                           });
    });
}

bool can_fall_through(const std::vector<ptx::Statement>& body) {
    for (auto statement = body.rbegin(); statement != body.rend(); ++statement) {
        const auto* label = std::get_if<ptx::LabelStatement>(&*statement);
        if (label != nullptr && is_target(body, label->name)) return true;
        const auto* last = std::get_if<ptx::Instruction>(&*statement);
        if (last == nullptr) continue;
        return last->has_guard || (last->opcode != "ret" && last->opcode != "exit" && last->opcode != "bra" &&
                                   last->opcode != "trap");
    }
    return true;
}

/// Only this kernel and the functions that it reaches: other kernels could no longer call its functions.
void drop_unreached(ptx::Module& module, std::string_view entry) {
    const auto reachable = ptx::reachable_from(module, entry);
    if (!reachable) return;
    // Names of the module show what it reaches: decide all before moving any.
    std::vector<bool> keeps_function, keeps_variable;
    for (std::uint32_t i = 0; i < module.functions.size(); ++i)
        keeps_function.push_back(module.functions[i].is_declaration && !module.functions[i].is_entry
                                     ? reachable->uses(module.functions[i].name)
                                     : std::find(reachable->functions.begin(), reachable->functions.end(),
                                                 i) != reachable->functions.end());
    for (const ptx::VariableDeclaration& variable : module.variables) {
        const bool names_functions = std::any_of(
            variable.initial.begin(), variable.initial.end(),
            [](const ptx::InitialValue& value) { return std::holds_alternative<ptx::Symbol>(value); });
        keeps_variable.push_back(!names_functions || reachable->uses(variable.name));
    }

    std::vector<ptx::Function> functions;
    std::vector<std::uint32_t> kept_before{0};  // by old index: how many precede it
    for (std::size_t i = 0; i < module.functions.size(); ++i) {
        if (keeps_function[i]) functions.push_back(std::move(module.functions[i]));
        kept_before.push_back(static_cast<std::uint32_t>(functions.size()));
    }
    module.functions = std::move(functions);
    std::vector<ptx::VariableDeclaration> variables;
    for (std::size_t i = 0; i < module.variables.size(); ++i) {
        if (!keeps_variable[i]) continue;
        ptx::VariableDeclaration& variable = module.variables[i];
        variable.functions_before =
            kept_before[std::min<std::size_t>(variable.functions_before, kept_before.size() - 1)];
        variables.push_back(std::move(variable));
    }
    module.variables = std::move(variables);
}

/// The part after `cold:` is placed before `write:`, to which it leads, or else at the end; it is jumped
/// over.
std::string with_cold_in_place(std::string_view text) {
    constexpr std::string_view cold = "cold:\n", write = "\nwrite:\n";
    const std::size_t at = text.find(cold);
    if (at == std::string_view::npos) return std::string(text);
    const std::string hot(text.substr(0, at));
    std::string aside;
    for (text.remove_prefix(at + cold.size());;) {
        const std::size_t next = text.find(cold);
        aside += text.substr(0, next);
        if (next == std::string_view::npos) break;
        text.remove_prefix(next + cold.size());
    }
    if (const std::size_t label = hot.find(write); label != std::string::npos)
        return fmt::format("{}\nbra.uni write;\n{}{}", hot.substr(0, label), aside, hot.substr(label));
    return fmt::format("{}bra.uni over;\n{}\nover:\n", hot, aside);
}

bool is_own_label(const ptx::Function& function, const std::string& name) {
    return std::ranges::any_of(function.body, [&](const ptx::Statement& statement) {
        const auto* label = std::get_if<ptx::LabelStatement>(&statement);
        return label != nullptr && label->name == name;
    });
}

}  // namespace

Draft::Draft(const ptx::Module& original, const ptx::NumberedProgram& program,
             const InstrumentOptions& instrument_options)
    : module(original),
      numbered(program),
      graph(build_block_graph(original, program)),
      options(instrument_options) {
    plan.mode = options.mode;
    plan.blocks.resize(program.program.basic_blocks.size());
    for (const ptx::SiteOrigin& origin : program.origins) {
        if (!functions.empty() && functions.back().index == origin.function) continue;
        functions.emplace_back().index = origin.function;
        functions.back().is_entry = functions.size() == 1;
    }
    if (!functions.empty()) lanes_meet = blocks_where_lanes_meet(*this);
}

bool Draft::runs_off_its_end(const FunctionDraft& function) const {
    return can_fall_through(body_of(function).body);
}

Place Draft::last_place(const FunctionDraft& function) const {
    return {Place::Kind::behind, static_cast<std::uint32_t>(body_of(function).body.size() - 1)};
}

FunctionDraft& Draft::function_of(SiteId site) {
    const std::uint32_t index = numbered.origins[site].function;
    return *std::find_if(functions.begin(), functions.end(),
                         [&](const FunctionDraft& function) { return function.index == index; });
}

const ptx::Instruction& Draft::instruction(SiteId site) const {
    const ptx::SiteOrigin& origin = numbered.origins[site];
    return std::get<ptx::Instruction>(module.functions[origin.function].body[origin.statement]);
}

Place Draft::end_of(BasicBlockId block) const {
    const ptx::Instruction& last = terminator(block);
    if (!ptx::ends_basic_block(last)) return behind(last_site(block));
    return last.opcode == "call" ? begin_of(block) : before(last_site(block));
}

Place Draft::start_of_recording(BasicBlockId block) const {
    if (block == 0)
        return !graph.nodes.front().predecessors.empty() || holds_payload(0) ||
                       !plan.blocks.front().lane_values.empty()
                   ? Place{}
                   : end_of(0);
    const BlockPlan& at = plan.blocks[block];
    return at.source == BlockPlan::Source::checked || holds_payload(block) ? begin_of(block) : end_of(block);
}

Place Draft::begin_of(BasicBlockId block) const {
    SiteId site = first_site(block);
    if (graph.nodes[block].begins_function || terminator(block - 1).opcode != "call") return before(site);
    for (; site < last_site(block); ++site) {
        const ptx::Instruction& result = instruction(site);
        if (result.opcode != "ld" || !result.has("param")) break;
    }
    return before(site);
}

bool Draft::holds_payload(BasicBlockId block) const {
    const BlockPlan& at = plan.blocks[block];
    return !at.values.empty() || std::any_of(ballots.begin(), ballots.end(), [&](const GuardBallot& ballot) {
        return ballot.block == block;
    });
}

void Draft::share(FunctionDraft& function, const std::string& name, ptx::Type type) {
    auto& registers = body_of(function).registers;
    if (!function.registers.emplace(name, static_cast<std::uint32_t>(registers.size())).second) return;
    registers.push_back({name, type});
}

void Draft::put(FunctionDraft& function, Place place, std::string_view text,
                const std::vector<std::string>& symbols, const std::map<std::string, std::string>& named) {
    ptx::Function& body = body_of(function);
    std::string declarations;
    std::vector<std::string> words = register_words(text);
    if (!function.is_entry && text.find(space_parameter_name) != std::string_view::npos) {
        share(function, "%warplens_state", ptx::Type::b64);
        words.emplace_back("%warplens_state");
    }
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    for (const std::string& word : words) {
        std::uint32_t index = 0;
        if (word.compare(0, shared_prefix.size(), shared_prefix) == 0) {
            const auto shared = function.registers.find(word);
            if (shared == function.registers.end()) {
                if (status_) status_ = fail("a pass uses the register {}, which none has made", word);
                return;
            }
            index = shared->second;
        } else if (word.compare(0, own_prefix.size(), own_prefix) == 0)
            index = static_cast<std::uint32_t>(std::stoul(word.substr(own_prefix.size())));
        else continue;
        declarations += fmt::format(".reg .{} {};\n", to_string(body.registers[index].type), word);
    }
    std::string variables;
    if (text.find(take_chunk_name) != std::string_view::npos) {
        calls_take_chunk_ = true;
        variables += take_chunk_declaration();
    }
    for (const std::string& symbol : symbols) variables += fmt::format(".global .b8 {};\n", symbol);
    const std::string in_place = options.cold_in_place ? with_cold_in_place(text) : std::string();
    if (options.cold_in_place) text = in_place;
    const std::string piece = fmt::format(
        ".version 8.0\n.target sm_90\n.address_size 64\n{}"
        ".entry piece(.param .align 8 .b8 warplens_space[40], .param .b64 warplens_state)\n"
        "{{\n.local .align 8 .b8 warplens_own[64];\n{}{}\n}}\n",
        variables, declarations, text);
    auto parsed = ptx::parse(piece, "code to insert");
    if (!parsed) {
        if (status_) status_ = tl::unexpected(parsed.error());
        return;
    }
    ptx::Function& source = parsed->functions.back();
    std::vector<std::uint32_t> registers;
    for (const ptx::Register& reg : source.registers) {
        if (reg.name.compare(0, shared_prefix.size(), shared_prefix) == 0)
            registers.push_back(function.registers.at(reg.name));
        else if (reg.name.compare(0, own_prefix.size(), own_prefix) == 0)
            registers.push_back(static_cast<std::uint32_t>(std::stoul(reg.name.substr(own_prefix.size()))));
        else {
            registers.push_back(static_cast<std::uint32_t>(body.registers.size()));
            body.registers.push_back(
                {fmt::format("%warplens_{}_{}", reg.name.substr(1), fresh_++), reg.type});
        }
    }
    std::map<std::string, std::string> labels = named;
    for (const ptx::Statement& statement : source.body)
        if (const auto* label = std::get_if<ptx::LabelStatement>(&statement))
            labels.emplace(label->name, fmt::format("$warplens_{}_{}", label->name, fresh_++));

    std::uint32_t state = no_index;
    if (!function.is_entry) {
        for (std::uint32_t i = 0; i < source.registers.size(); ++i)
            if (source.registers[i].name == "%warplens_state") state = i;
    }
    const Transplant transplant(std::move(registers), std::move(labels),
                                location_at(body, place.kind == Place::Kind::head ? 0 : place.statement),
                                state);
    std::vector<ptx::Statement>* to = place.kind == Place::Kind::head     ? &function.head
                                      : place.kind == Place::Kind::before ? &function.before[place.statement]
                                                                          : &function.behind[place.statement];
    for (ptx::Statement& statement : source.body) {
        // Of variables only the arguments of calls are new.
        const auto* variable = std::get_if<ptx::VariableDeclaration>(&statement);
        if (variable != nullptr && variable->space != Space::param) continue;
        const auto* label = std::get_if<ptx::LabelStatement>(&statement);
        if (label != nullptr && label->name == "cold") {
            to = &function.tail;
            continue;
        }
        if (label != nullptr && named.contains(label->name) && is_own_label(body, named.at(label->name)))
            continue;
        transplant(statement);
        to->push_back(std::move(statement));
    }
}

ptx::Module Draft::weave() const {
    ptx::Module woven = module;
    for (const FunctionDraft& function : functions) {
        std::vector<ptx::Statement> body;
        const auto append = [&](const std::vector<ptx::Statement>& statements) {
            body.insert(body.end(), statements.begin(), statements.end());
        };
        const auto append_at = [&](const auto& by_statement, std::uint32_t statement) {
            const auto found = by_statement.find(statement);
            if (found != by_statement.end()) append(found->second);
        };
        const std::vector<ptx::Statement>& own = module.functions[function.index].body;
        // What the head names is declared before it; arguments of calls stay where they are.
        const auto is_own_variable = [](const ptx::Statement& statement) {
            const auto* variable = std::get_if<ptx::VariableDeclaration>(&statement);
            return variable != nullptr && variable->space != Space::param;
        };
        std::copy_if(own.begin(), own.end(), std::back_inserter(body), is_own_variable);
        append(function.head);
        for (std::uint32_t i = 0; i < own.size(); ++i) {
            if (is_own_variable(own[i])) continue;
            // Code at the function's end jumps back into scopes, and names are unique without them.
            if (std::holds_alternative<ptx::ScopeMark>(own[i])) continue;
            append_at(function.before, i);
            body.push_back(own[i]);
            append_at(function.behind, i);
        }
        if (!function.tail.empty() && can_fall_through(body)) {
            ptx::Instruction leave;
            leave.opcode = leave.spelling = "ret";
            body.push_back(std::move(leave));
        }
        append(function.tail);
        woven.functions[function.index].body = std::move(body);
    }
    if (calls_take_chunk_) {
        if (auto function = take_chunk_function(*this)) {
            for (ptx::VariableDeclaration& variable : woven.variables)
                if (variable.functions_before > 0) ++variable.functions_before;
            woven.functions.insert(woven.functions.begin(), *std::move(function));
        }
    }
    drop_unreached(woven, numbered.program.entry);
    return woven;
}

}  // namespace warplens::instrumentation
