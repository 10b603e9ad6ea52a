// Operands: registers, constants, addresses, vectors, pairs, lists ("PTX ISA: Operands").
#include <algorithm>
#include <array>

#include "ptx/function_state.h"

namespace warplens::ptx {

namespace {

constexpr int deepest_operand = 8;  // real ones reach 3: call's list, tex's list, its vector

// "PTX ISA: Special Registers", without the percent sign and the numbered families.
constexpr std::array<std::string_view, 37> special_registers{"tid",
                                                             "ntid",
                                                             "laneid",
                                                             "warpid",
                                                             "nwarpid",
                                                             "ctaid",
                                                             "nctaid",
                                                             "smid",
                                                             "nsmid",
                                                             "gridid",
                                                             "is_explicit_cluster",
                                                             "clusterid",
                                                             "nclusterid",
                                                             "cluster_ctaid",
                                                             "cluster_nctaid",
                                                             "cluster_ctarank",
                                                             "cluster_nctarank",
                                                             "lanemask_eq",
                                                             "lanemask_le",
                                                             "lanemask_lt",
                                                             "lanemask_ge",
                                                             "lanemask_gt",
                                                             "clock",
                                                             "clock_hi",
                                                             "clock64",
                                                             "globaltimer",
                                                             "globaltimer_lo",
                                                             "globaltimer_hi",
                                                             "reserved_smem_offset_begin",
                                                             "reserved_smem_offset_end",
                                                             "reserved_smem_offset_cap",
                                                             "reserved_smem_offset_0",
                                                             "reserved_smem_offset_1",
                                                             "total_smem_size",
                                                             "aggr_smem_size",
                                                             "dynamic_smem_size",
                                                             "current_graph_exec"};

/// %pm0 … %pm7, %pm0_64 …, %envreg0 … %envreg31
bool is_numbered_special(std::string_view name) {
    for (const std::string_view prefix : {std::string_view("envreg"), std::string_view("pm")}) {
        if (name.substr(0, prefix.size()) != prefix || name.size() == prefix.size()) continue;
        std::string_view number = name.substr(prefix.size());
        if (prefix == "pm" && number.size() == 4 && number.substr(1) == "_64") number.remove_suffix(3);
        return number.size() <= 2 && std::all_of(number.begin(), number.end(), is_digit);
    }
    return false;
}

bool is_component(std::string_view dotted) {
    return dotted == ".x" || dotted == ".y" || dotted == ".z" || dotted == ".w";
}

Operand make(auto&& value) { return Operand{std::forward<decltype(value)>(value), false}; }

/// The current token names a special register.
Operand parse_special_register(ParseState& state) {
    const Token word = state.take();
    std::string name(word.text == "WARP_SZ" ? word.text : word.text.substr(1));
    if (state.token.kind == TokenKind::dotted && is_component(state.token.text)) name += state.take().text;
    return make(SpecialRegister{std::move(name)});
}

Operand parse_name(FunctionState& f, OperandContext context) {
    ParseState& state = f.state;
    const Token word = state.token;
    if (word.text == "_") {
        state.take();
        return make(Sink{});
    }
    if (context.label_follows) {
        state.take();
        return make(Label{std::string(word.text)});
    }
    if (const auto meaning = f.names.find(word.text)) {
        state.take();
        if (meaning->kind == FunctionNames::Kind::reg) return make(RegisterOperand{meaning->register_index});
        return make(Symbol{std::string(meaning->unique_name)});
    }
    if (state.module_names.contains(word.text)) {
        state.take();
        return make(Symbol{std::string(word.text)});
    }
    if (names_special_register(word.text)) return parse_special_register(state);
    state.fail_at_name(word, fmt::format("\"{}\" is not a declared register, variable or function, and not a "
                                         "special register",
                                         word.text));
    return {};
}

std::vector<Operand> parse_elements(FunctionState& f, char close, OperandContext context, int depth) {
    std::vector<Operand> elements;
    while (!f.state.at_end() && !f.state.at(close)) {
        elements.push_back(parse_operand(f, context, depth + 1));
        if (!f.state.accept(',')) break;
    }
    f.state.expect(close, "after a list of operands");
    return elements;
}

/// [%rd1+4], [name], [64] — or, with a comma, the list of a texture or bulk copy: [name, {%f1, %f2}].
Operand parse_brackets(FunctionState& f, int depth) {
    ParseState& state = f.state;
    const Token open = state.take();
    Operand first = parse_operand(f, {}, depth + 1);
    if (state.at(',')) {
        List list{'[', {}};
        list.elements.push_back(std::move(first));
        state.take();
        // Without an element behind the comma it would print as an address.
        if (state.at(']')) state.unexpected("an operand after the comma, such as [name, {%f1, %f2}]");
        for (Operand& element : parse_elements(f, ']', {}, depth))
            list.elements.push_back(std::move(element));
        return make(std::move(list));
    }

    Address address;
    if (const auto* base = std::get_if<RegisterOperand>(&first.value)) {
        address.base = *base;
        address.offset = parse_offset(state);
    } else if (auto* symbol = std::get_if<Symbol>(&first.value)) {
        address.offset = symbol->offset;
        symbol->offset = 0;
        address.base = std::move(*symbol);
    } else if (const auto* immediate = std::get_if<Immediate>(&first.value)) {
        address.base = *immediate;
    } else {
        state.fail_at(open, "an address needs a register, a name or a number, such as [%rd1+4]");
    }
    if (first.negated) state.fail_at(open, "a negated address");
    state.expect(']', "after an address");
    return make(std::move(address));
}

/// ".h10" after a register; the whole register for any other word.
RegisterPart part_from(std::string_view dotted) {
    RegisterPart part;
    if (dotted.size() < 3 || dotted.size() > 2 + part.numbers.size()) return {};
    if (dotted[1] != 'b' && dotted[1] != 'h') return {};
    for (const char digit : dotted.substr(2)) {
        if (digit < '0' || digit > '7') return {};
        part.numbers[part.count++] = static_cast<std::uint8_t>(digit - '0');
    }
    part.unit = dotted[1];
    return part;
}

/// The second half of a pair whose first half precedes the current token, a |.
Operand parse_pair(FunctionState& f, Operand first) {
    ParseState& state = f.state;
    state.take();
    Pair pair;
    pair.elements.push_back(std::move(first));
    if (state.token.kind != TokenKind::identifier)
        state.unexpected("the second half of a pair such as %r1|%p1");
    else pair.elements.push_back(parse_name(f, {}));
    return make(std::move(pair));
}

/// A register or name, perhaps the first half of a pair p|q, or a name with an offset.
Operand parse_named_operand(FunctionState& f, OperandContext context) {
    ParseState& state = f.state;
    Operand operand = parse_name(f, context);
    if (auto* symbol = std::get_if<Symbol>(&operand.value)) symbol->offset = parse_offset(state);
    if (std::holds_alternative<RegisterOperand>(operand.value) && state.token.kind == TokenKind::dotted) {
        operand.part = part_from(state.token.text);
        if (operand.part.unit != 0) state.take();
    }
    if (std::holds_alternative<Label>(operand.value) || !state.at('|')) return operand;
    return parse_pair(f, std::move(operand));
}

/// -%r1: a minus before a name.
bool at_negated_name(const ParseState& state) {
    if (!state.at('-')) return false;
    Lexer ahead = state.lexer;
    return ahead.next().kind == TokenKind::identifier;
}

}  // namespace

bool names_special_register(std::string_view word) {
    if (word == "WARP_SZ") return true;
    if (word.front() != '%') return false;
    const std::string_view name = word.substr(1);
    return std::find(special_registers.begin(), special_registers.end(), name) != special_registers.end() ||
           is_numbered_special(name);
}

Operand parse_operand(FunctionState& f, OperandContext context, int depth) {
    ParseState& state = f.state;
    if (depth > deepest_operand) {
        state.unexpected(fmt::format("operands nested at most {} deep", deepest_operand));
        return {};
    }
    if (state.at('{')) {
        state.take();
        Operand vector = make(Vector{parse_elements(f, '}', {}, depth)});
        return depth == 0 && state.at('|') ? parse_pair(f, std::move(vector)) : vector;
    }
    if (state.at('[')) return parse_brackets(f, depth);
    if (state.at('(') && context.in_call) {
        state.take();
        return make(List{'(', parse_elements(f, ')', {}, depth)});
    }
    if (state.at('!')) {
        state.take();
        Operand operand;
        if (state.token.kind == TokenKind::identifier) operand = parse_name(f, {});
        else state.unexpected("a predicate register after \"!\"");
        operand.negated = true;
        return operand;
    }
    if (state.token.kind == TokenKind::identifier) return parse_named_operand(f, context);
    if (at_negated_name(state)) {
        state.take();
        Operand operand = parse_named_operand(f, {});
        operand.negated = true;
        return operand;
    }
    if (starts_constant(state.token)) return make(parse_constant(state));
    state.unexpected("an operand (a register, a number, a name, [address] or {vector})");
    return {};
}

}  // namespace warplens::ptx
