// Instructions: guard, opcode with its dotted words, operands ("PTX ISA: Instructions").
#include <array>

#include "ptx/function_state.h"

namespace warplens::ptx {

namespace {

constexpr std::size_t usual_operands = 4;

/// Sorts a dotted word into types, vector width or modifiers.
void add_word(Instruction& instruction, std::string_view word) {
    if (const auto type = type_from(word)) instruction.types.push_back(*type);
    else if (word == "v2" || word == "v4" || word == "v8") instruction.vector_width = word[1] - '0';
    else instruction.modifiers.emplace_back(word);
}

void parse_words(ParseState& state, Instruction& instruction, const Token& opcode) {
    instruction.opcode = opcode.text;
    std::size_t end = opcode.offset + opcode.text.size();
    bool contiguous = true;
    const auto is_word = [&] { return state.token.kind == TokenKind::dotted; };
    std::string joined;
    while (is_word()) {
        if (contiguous && state.token.offset != end) {
            joined = state.lexer.text().substr(opcode.offset, end - opcode.offset);
            contiguous = false;
        }
        const Token word = state.take();
        add_word(instruction, word.text.substr(1));
        end = word.offset + word.text.size();
        if (!contiguous) joined += word.text;
    }
    instruction.spelling =
        contiguous ? std::string(state.lexer.text().substr(opcode.offset, end - opcode.offset)) : joined;
}

/// bra's target, brx.idx's list and the prototype behind a call's argument list are labels.
OperandContext context_of(const Instruction& instruction) {
    OperandContext context;
    context.in_call = instruction.opcode == "call";
    if (instruction.opcode == "bra") context.label_follows = true;
    if (instruction.opcode == "brx") context.label_follows = instruction.operands.size() == 1;
    if (!context.in_call || instruction.operands.size() < 2) return context;
    // (results), callee, (arguments), label — or without results.
    const bool behind_arguments = std::holds_alternative<List>(instruction.operands.back().value);
    context.label_follows = behind_arguments;
    return context;
}

}  // namespace

Guard parse_guard(FunctionState& f) {
    ParseState& state = f.state;
    state.take();
    Guard guard;
    guard.negated = state.accept('!');
    const Token name = state.token;
    if (state.expect_identifier("a predicate register's name").empty()) return guard;
    const auto meaning = f.names.find(name.text);
    if (!meaning || meaning->kind != FunctionNames::Kind::reg)
        state.fail_at(
            name,
            fmt::format("the guard \"{}\" is no declared register; declare it with .reg .pred", name.text));
    else guard.predicate = meaning->register_index;
    return guard;
}

void parse_instruction(FunctionState& f, const Token& first, std::optional<Guard> guard,
                       const Token& opcode) {
    ParseState& state = f.state;
    Instruction instruction;
    instruction.ptx_line = {first.line};
    instruction.has_guard = guard.has_value();
    if (guard) instruction.guard = *guard;
    if (f.pending_location) {
        f.location = std::move(f.pending_location->location);
        f.pending_location.reset();
    }
    instruction.location = f.location;
    parse_words(state, instruction, opcode);

    if (!state.at(';') && !state.at_end()) {
        instruction.operands.reserve(usual_operands);
        do {
            const OperandContext context = context_of(instruction);
            const Token where = state.token;
            instruction.operands.push_back(parse_operand(f, context));
            if (std::holds_alternative<Label>(instruction.operands.back().value))
                f.names.refer_to_label({where, f.function.body.size(), instruction.operands.size() - 1});
        } while (state.accept(','));
    }
    if (!state.accept(';')) state.unexpected(fmt::format("\",\" or \";\" after {}", instruction.spelling));
    if (!state.error) f.function.body.emplace_back(std::move(instruction));
}

}  // namespace warplens::ptx
