// Instructions: guard, opcode with its dotted words, operands ("PTX ISA: Instructions").
#include <array>

#include "ptx/block_barrier.h"
#include "ptx/function_state.h"
#include "ptx/opcodes.h"

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

/// bra's target, brx.idx's list and the prototype after a call's argument list are labels.
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

/// Where the operands of the current instruction begin.
struct Begin {
    Lexer lexer;
    Token token;
    std::size_t previous_end;
};

/// Whether operands that could not be parsed may be those of a form that PTX has got since the opcode table
/// was written: then the form is one to list. With a form of the table, and with names that nothing declares,
/// the text is wrong.
bool may_be_a_form_to_come(const ParseState& state, const Instruction& instruction) {
    const bool names_a_label = instruction.opcode == "bra" || instruction.opcode == "brx";
    return !state.names_failed && !names_a_label && instruction.opcode != "call" &&
           explain_unlisted(instruction).has_value();
}

/// Takes everything up to the semicolon as written, except for the names of registers and variables, which
/// become those of the function. Where no semicolon ends it, the error stays. A name that only another scope
/// declares is an error of its own.
void take_unread_operands(FunctionState& f, const Begin& begin, Instruction& instruction) {
    ParseState& state = f.state;
    const Begin failed{state.lexer, state.token, state.previous_end};
    state.lexer = begin.lexer;
    state.token = begin.token;
    state.previous_end = begin.previous_end;
    instruction.operands.clear();
    instruction.unread_operands.clear();
    std::size_t end = state.token.offset;
    int open_braces = 0;
    std::optional<Token> out_of_scope;
    while (!state.at(';') && !state.at_end() && state.token.kind != TokenKind::invalid && open_braces >= 0) {
        const Token token = state.take();
        open_braces += token.is('{') ? 1 : token.is('}') ? -1 : 0;
        std::string_view text = token.text;
        if (token.offset > end) instruction.unread_operands += ' ';
        end = token.offset + token.text.size();
        if (token.kind == TokenKind::identifier) {
            const auto meaning = f.names.find(text);
            if (meaning && meaning->kind == FunctionNames::Kind::reg) {
                text = f.function.registers[meaning->register_index].name;
                instruction.operands.push_back({RegisterOperand{meaning->register_index}, false});
            } else if (meaning || state.module_names.contains(text)) {
                if (meaning) text = meaning->unique_name;
                instruction.operands.push_back({Symbol{std::string(text), 0, false, 0}, false});
            } else if (!f.names.reserve(text) && !out_of_scope) {
                out_of_scope = token;
            }
        }
        instruction.unread_operands += text;
    }
    if (state.at(';') && open_braces == 0) {
        state.error.reset();
        if (out_of_scope)
            state.fail_at_name(*out_of_scope,
                               fmt::format("\"{}\" is not declared in this scope", out_of_scope->text));
        return;
    }
    state.lexer = failed.lexer;
    state.token = failed.token;
    state.previous_end = failed.previous_end;
}

/// Literals that no launch can have: readers of the module index with them.
void check_literals(ParseState& state, const Token& opcode, const Instruction& instruction) {
    if (const auto barrier = block_barrier(instruction); barrier && barrier->number) {
        const Immediate& number = *barrier->number;
        if (number.kind != Immediate::Kind::integer || !BarrierId::from(number.bits))
            state.fail_at(opcode, fmt::format("a barrier number outside 0 to {}, the {} barriers of a block",
                                              BarrierId::max, barriers_per_block));
    }
    if (bytes_per_lane(instruction) > most_bytes_per_lane)
        state.fail_at(opcode,
                      fmt::format("{} accesses {} bytes per lane; at most {} are possible",
                                  instruction.spelling, bytes_per_lane(instruction), most_bytes_per_lane));
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
        state.fail_at(name,
                      fmt::format("the guard \"{}\" is not a declared register; declare it with .reg .pred",
                                  name.text));
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

    const Begin begin{state.lexer, state.token, state.previous_end};
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
    if (!state.at(';')) state.unexpected(fmt::format("\",\" or \";\" after {}", instruction.spelling));
    if (state.error && may_be_a_form_to_come(state, instruction)) take_unread_operands(f, begin, instruction);
    if (!state.error) check_literals(state, opcode, instruction);
    state.accept(';');
    if (!state.error) f.function.body.emplace_back(std::move(instruction));
}

}  // namespace warplens::ptx
