// Functions: header, and the statements of the body other than instructions.
#include <algorithm>

#include "ptx/function_state.h"
#include "ptx/printer.h"

namespace warplens::ptx {

namespace {

constexpr std::size_t deepest_scope = 256;
constexpr std::uint64_t largest_position = 0xffffffff;

// ---- .loc -----------------------------------------------------------------------------------------------

std::uint32_t parse_position(ParseState& state) {
    return static_cast<std::uint32_t>(parse_count(state, largest_position, "a source position"));
}

/// A .loc before which another one stands with no instruction between is kept as a directive where it stood:
/// the positions of inlined calls form a chain (see Directive).
void keep_pending_location(FunctionState& f) {
    if (!f.pending_location) return;
    const auto at = f.function.body.begin() + static_cast<std::ptrdiff_t>(f.pending_location->statement);
    f.function.body.insert(at,
                           Directive{to_string(f.pending_location->location), f.pending_location->ptx_line});
    f.pending_location.reset();
}

void parse_loc(FunctionState& f) {
    const Token first = f.state.take();
    SourceLocation location = parse_location(f.state);
    if (location.file == 0) return;  // no position: says nothing
    keep_pending_location(f);
    f.pending_location = PendingLocation{std::move(location), f.function.body.size(), {first.line}};
}

// ---- declarations ---------------------------------------------------------------------------------------

void declare_register(FunctionState& f, const Token& where, std::string_view name, Type type) {
    const auto index = static_cast<std::uint32_t>(f.function.registers.size());
    if (names_special_register(name)) f.names.reserve(name);  // elsewhere in the function it may mean that
    std::string unique_name = f.names.declare(name, FunctionNames::Kind::reg, index);
    if (unique_name.empty())
        return f.state.fail_at(where, fmt::format("\"{}\" is declared twice in this scope", name));
    f.function.registers.push_back({std::move(unique_name), type});
}

/// Whether `.reg .b32 prefix<…>` may declare the name of a special register: %pm0, %clock64, %pm0_64.
bool range_may_hold_special_register(std::string_view prefix) {
    return names_special_register(fmt::format("{}0", prefix)) ||
           names_special_register(fmt::format("{}64", prefix));
}

void declare_register_range(FunctionState& f, const Token& where, Type type) {
    const std::uint64_t count = parse_count(f.state, largest_position, "a number of registers");
    f.state.expect('>', "after a number of registers");
    const std::uint64_t cost =
        1 + where.text.size() / 16;  // so that long names cannot fill the memory either
    if (count > f.state.registers_left / cost)
        return f.state.fail_at(where,
                               fmt::format("{} registers \"{}\" are more than a text of this size uses; "
                                           "at most {} can be declared here",
                                           count, where.text.substr(0, 40), f.state.registers_left / cost));
    f.state.registers_left -= count * cost;
    const auto first = static_cast<std::uint32_t>(f.function.registers.size());
    const bool at_once =
        !range_may_hold_special_register(where.text) && f.names.declare_range(where.text, count, first);
    std::string name(where.text);
    for (std::uint64_t i = 0; i < count && !f.state.error; ++i) {
        name.resize(where.text.size());
        name += fmt::format_int(i).c_str();
        if (at_once) f.function.registers.push_back({name, type});
        else declare_register(f, where, name, type);
    }
}

/// `.reg .b32 %r<5>, t;`
void parse_registers(FunctionState& f) {
    ParseState& state = f.state;
    state.take();
    const Token word = state.token;
    const auto type = word.kind == TokenKind::dotted ? type_from(word.text.substr(1)) : std::nullopt;
    if (!type) return state.unexpected("a register's type such as .b32");
    state.take();
    do {
        const Token name = state.token;
        if (state.expect_identifier("a register's name").empty()) return;
        if (state.accept('<')) declare_register_range(f, name, *type);
        else declare_register(f, name, name.text, *type);
    } while (state.accept(','));
    state.expect(';', "after the registers");
}

void parse_local_variables(FunctionState& f, std::string linkage) {
    VariableDeclaration first;
    first.linkage = std::move(linkage);
    const Token where = f.state.take();
    first.space = space_of(where.text);
    for (VariableDeclaration& variable : parse_variables(f.state, std::move(first))) {
        if (f.state.error) return;
        std::string unique_name = f.names.declare(variable.name, FunctionNames::Kind::variable);
        if (unique_name.empty())
            return f.state.fail_at(where,
                                   fmt::format("\"{}\" is declared twice in this scope", variable.name));
        variable.name = std::move(unique_name);
        f.function.body.emplace_back(std::move(variable));
    }
    f.state.expect(';', "after a variable");
}

// ---- scopes and labels ----------------------------------------------------------------------------------

void open_scope(FunctionState& f) {
    if (f.names.depth() > deepest_scope)
        return f.state.unexpected(fmt::format("scopes nested at most {} deep", deepest_scope));
    f.state.take();
    f.names.open_scope();
}

void close_scope(FunctionState& f) {
    for (const auto& [reference, unique_name] : f.names.close_scope()) {
        if (unique_name == reference.where.text) continue;
        auto& instruction = std::get<Instruction>(f.function.body[reference.statement]);
        std::get<Label>(instruction.operands[reference.operand].value).name = unique_name;
    }
}

void parse_label(FunctionState& f, const Token& name) {
    const std::string unique_name = f.names.declare_label(name.text);
    if (unique_name.empty())
        return f.state.fail_at(name,
                               fmt::format("the label \"{}\" is defined twice in this scope", name.text));
    f.function.body.emplace_back(LabelStatement{unique_name, {name.line}});
}

// ---- statements -----------------------------------------------------------------------------------------

/// .pragma, .callprototype, .branchtargets, .calltargets: kept as written.
void parse_kept_directive(FunctionState& f) {
    ParseState& state = f.state;
    const Token first = state.take();
    while (!state.at_end() && !state.at(';')) state.take();
    state.expect(';', "after a directive");
    f.function.body.emplace_back(Directive{std::string(state.text_since(first)), {first.line}});
}

void parse_directive(FunctionState& f) {
    const std::string_view word = f.state.token.text;
    if (word == ".loc") return parse_loc(f);
    if (word == ".reg") return parse_registers(f);
    if (space_of(word) != Space::none) return parse_local_variables(f, {});
    if (word == ".extern") {
        f.state.take();
        if (space_of(f.state.token.text) == Space::none)
            return f.state.unexpected("a state space such as .shared");
        return parse_local_variables(f, "extern");
    }
    if (word == ".pragma" || word == ".callprototype" || word == ".branchtargets" || word == ".calltargets")
        return parse_kept_directive(f);
    f.state.unexpected("an instruction, or a directive of function scope such as .reg, .local or .loc,");
}

/// One statement; false at the brace that ends the body.
bool parse_statement(FunctionState& f) {
    ParseState& state = f.state;
    if (state.at('}')) {
        close_scope(f);
        if (f.names.depth() == 1) return false;
        state.take();
        f.function.body.emplace_back(ScopeMark{false});
    } else if (state.at('{')) {
        open_scope(f);
        f.function.body.emplace_back(ScopeMark{true});
    } else if (state.token.kind == TokenKind::dotted) {
        parse_directive(f);
    } else if (state.at('@')) {
        const Token first = state.token;
        const Guard guard = parse_guard(f);
        const Token opcode = state.token;
        if (!state.expect_identifier("an opcode").empty()) parse_instruction(f, first, guard, opcode);
    } else if (!state.accept(';')) {
        const Token word = state.token;
        if (state.expect_identifier("an instruction, a label or \"}\"").empty()) return false;
        if (state.accept(':')) parse_label(f, word);
        else parse_instruction(f, word, std::nullopt, word);
    }
    return true;
}

void parse_body(FunctionState& f) {
    f.state.take();
    f.names.open_scope();
    while (!f.state.at_end() && parse_statement(f)) {
    }
    if (f.state.error) return;
    if (!f.state.at('}')) return f.state.unexpected("\"}\" at the end of the function");
    keep_pending_location(f);
    close_scope(f);  // that of the parameters
    if (!f.names.unresolved().empty()) {
        const Token& where = f.names.unresolved().front().where;
        return f.state.fail_at(where,
                               fmt::format("the label \"{}\" is not defined in this scope", where.text));
    }
    const bool does_something = std::any_of(
        f.function.body.begin(), f.function.body.end(),
        [](const Statement& statement) { return std::holds_alternative<Instruction>(statement); });
    if (!does_something)
        return f.state.fail_at(
            f.state.token, fmt::format("\"{}\" has no instruction; write at least ret;", f.function.name));
    f.state.take();
}

// ---- header ---------------------------------------------------------------------------------------------

/// `.maxntid 256, 1, 1` and its like, up to the body or the semicolon of a declaration.
void parse_performance_directives(ParseState& state, Function& function) {
    while (state.token.kind == TokenKind::dotted) {
        const Token first = state.take();
        const bool is_pragma = first.text == ".pragma";
        while (!state.at_end() && !state.at('{') && !state.at(';') && state.token.kind != TokenKind::dotted)
            state.take();
        if (is_pragma) state.expect(';', "after .pragma");
        function.performance_directives.emplace_back(state.text_since(first));
    }
}

void bind_parameters(FunctionState& f, const Token& where, std::vector<VariableDeclaration>& parameters) {
    for (VariableDeclaration& parameter : parameters) {
        if (parameter.name == "_") continue;
        std::string unique_name = f.names.declare(parameter.name, FunctionNames::Kind::variable);
        if (unique_name.empty())
            return f.state.fail_at(where,
                                   fmt::format("the parameter \"{}\" is declared twice", parameter.name));
        parameter.name = std::move(unique_name);
    }
}

}  // namespace

SourceLocation parse_location(ParseState& state) {
    SourceLocation location;
    location.file = parse_position(state);
    location.line = parse_position(state);
    location.column = parse_position(state);
    while (state.accept(',')) {
        const Token word = state.token;
        state.expect_identifier("function_name or inlined_at");
        if (word.text == "function_name") {
            const Token first = state.token;
            state.expect_identifier("a label of .debug_str");
            if (state.accept('+')) parse_count(state, largest_position, "an offset in .debug_str");
            location.function_name = state.text_since(first);
        } else if (word.text == "inlined_at") {
            location.inlined_file = parse_position(state);
            location.inlined_line = parse_position(state);
            location.inlined_column = parse_position(state);
        } else {
            state.fail_at(word, "only function_name and inlined_at may follow the position in .loc");
        }
    }
    if (location.inlined_file == 0) location.inlined_line = location.inlined_column = 0;
    return location;
}

std::optional<SourceLocation> location_of(const Directive& directive) {
    ParseState state(directive.text, "");
    if (!state.accept_dotted(".loc")) return std::nullopt;
    SourceLocation location = parse_location(state);
    if (state.error) return std::nullopt;
    return location;
}

void parse_function(ParseState& state, std::string linkage) {
    const Token first = state.take();
    Function function;
    function.linkage = std::move(linkage);
    function.is_entry = first.text == ".entry";
    function.ptx_line = {first.line};
    if (!function.is_entry && state.at('(')) function.results = parse_parameters(state);
    const Token name = state.token;
    function.name = state.expect_identifier("a function's name");
    state.module_names.add(function.name);
    if (state.at('(')) function.parameters = parse_parameters(state);
    parse_performance_directives(state, function);

    if (state.accept(';')) {
        function.is_declaration = true;
    } else if (state.at('{')) {
        FunctionState f(state, function);
        bind_parameters(f, name, function.results);
        bind_parameters(f, name, function.parameters);
        parse_body(f);
    } else {
        state.unexpected("\"{\" or \";\" after a function's header");
    }
    if (!state.error) state.module.functions.push_back(std::move(function));
}

}  // namespace warplens::ptx
