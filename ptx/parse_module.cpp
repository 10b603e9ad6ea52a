// Module scope: .version, .target, .file, .section, variables, and the way into functions.
#include "ptx/parse_state.h"

namespace warplens::ptx {

namespace {

constexpr std::uint64_t largest_header_number = 0xffffffff;

bool is_linkage(std::string_view word) {
    return word == ".visible" || word == ".extern" || word == ".weak" || word == ".common";
}

void parse_target(ParseState& state) {
    do {
        const Token first = state.token;
        if (first.kind != TokenKind::identifier) return state.unexpected("a target such as sm_90");
        state.module.targets.emplace_back(state.take().text);
    } while (state.accept(','));
}

/// `.file 1 "name"`, with a time stamp and a size, which are not used.
void parse_file(ParseState& state) {
    FileEntry file;
    file.number = static_cast<std::uint32_t>(parse_count(state, largest_header_number, "a file number"));
    if (state.token.kind != TokenKind::string) return state.unexpected("a file name in quotes");
    const std::string_view quoted = state.take().text;
    file.name = quoted.substr(1, quoted.size() - 2);
    while (state.accept(',')) parse_constant(state);
    state.module.files.push_back(std::move(file));
}

/// `.section .debug_str { … }`: kept as written, up to the closing brace.
void parse_section(ParseState& state) {
    const Token first = state.take();
    while (!state.at_end() && !state.at('{')) state.take();
    std::uint64_t open = 0;
    do {
        if (state.at('{')) ++open;
        if (state.at('}')) --open;
        if (state.at_end()) return state.unexpected("\"}\" after the section's data");
        state.take();
    } while (open > 0);
    state.module.directives.push_back({std::string(state.text_since(first)), {first.line}});
}

/// `.alias a, b;` and `.pragma "…";`: kept as written.
void parse_kept_directive(ParseState& state) {
    const Token first = state.take();
    while (!state.at_end() && !state.at(';')) state.take();
    state.expect(';', "after a directive");
    state.module.directives.push_back({std::string(state.text_since(first)), {first.line}});
}

void parse_module_variables(ParseState& state, std::string linkage) {
    VariableDeclaration first;
    first.linkage = std::move(linkage);
    first.space = space_of(state.take().text);
    first.functions_before = static_cast<std::uint32_t>(state.module.functions.size());
    for (VariableDeclaration& variable : parse_variables(state, std::move(first))) {
        state.module_names.add(variable.name);
        state.module.variables.push_back(std::move(variable));
    }
    state.expect(';', "after a variable");
}

void parse_statement(ParseState& state) {
    if (state.accept(';')) return;
    if (state.token.kind != TokenKind::dotted)
        return state.unexpected("a directive such as .version, .global or .entry");
    std::string linkage;
    if (is_linkage(state.token.text)) linkage = state.take().text.substr(1);
    const std::string_view word = state.token.text;
    if (word == ".entry" || word == ".func") return parse_function(state, std::move(linkage));
    if (space_of(word) != Space::none && word != ".param")
        return parse_module_variables(state, std::move(linkage));
    if (!linkage.empty()) return state.unexpected(".entry, .func or a state space such as .global");
    if (word == ".section") return parse_section(state);
    if (word == ".alias" || word == ".pragma") return parse_kept_directive(state);

    if (state.accept_dotted(".version")) {
        if (state.token.kind != TokenKind::number) return state.unexpected("a version such as 8.0");
        state.module.version = state.take().text;
    } else if (state.accept_dotted(".target")) {
        parse_target(state);
    } else if (state.accept_dotted(".address_size")) {
        const Token where = state.token;
        if (parse_count(state, 64, "the address size") != 64)
            state.fail_at(where, "an .address_size other than 64, the only one that is taken");
    } else if (state.accept_dotted(".file")) {
        parse_file(state);
    } else {
        state.unexpected("a directive of module scope such as .global, .entry, .func, .file or .section");
    }
}

}  // namespace

Result<Module> parse(std::string_view text, std::string_view name) {
    ParseState state(text, name);
    if (!state.at_dotted(".version")) state.unexpected("PTX, which begins with .version,");
    while (!state.at_end()) parse_statement(state);
    if (state.error) return tl::unexpected(std::move(*state.error));
    return std::move(state.module);
}

}  // namespace warplens::ptx
