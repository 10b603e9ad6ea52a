// A formula as an expression of the header, which is Lua.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "instrumentation/host_code/formula.h"

namespace warplens::instrumentation::host_code {

namespace {

using FormulaKind = Formula::Kind;

/// "Precedence" of the Lua 5.4 Reference Manual; larger binds stronger.
int precedence(std::string_view word) {
    if (word == "or") return 1;
    if (word == "and") return 2;
    if (word == "<" || word == ">" || word == "<=" || word == ">=" || word == "~=" || word == "==") return 3;
    if (word == "|") return 4;
    if (word == "~") return 5;
    if (word == "&") return 6;
    if (word == "<<" || word == ">>") return 7;
    if (word == "+" || word == "-") return 8;
    return word == "^" ? 11 : 9;
}

struct Written {
    std::string text;
    int precedence = 12;  // of its outermost operator; 12: none

    std::string inside(int least) const { return precedence < least ? "(" + text + ")" : text; }
};

std::string number_text(const Formula& formula) {
    if (std::isinf(formula.number)) return formula.number < 0 ? "-math.huge" : "math.huge";
    if (!is_real(formula.type) ||
        (formula.number == std::trunc(formula.number) && std::abs(formula.number) < 1e15))
        return fmt::format("{}", static_cast<std::int64_t>(formula.number));
    if (formula.type == NumberType::f64) return fmt::format("{}", formula.number);
    const auto single = static_cast<float>(formula.number);
    const std::string shortest = fmt::format("{}", single);  // reads back as the same float
    const bool exact = std::stod(shortest) == formula.number;
    return exact ? shortest : "f32(" + shortest + ")";
}

Written written(const Formula& formula, NumberType stored);

Written binary(const Formula& formula) {
    const bool condition = formula.word == "and" || formula.word == "or";
    const auto operand = [&](std::size_t i) { return written(*formula.operands[i], NumberType::f64); };
    const bool integers = !is_real(formula.operands[0]->type) && !is_real(formula.operands[1]->type);
    std::string word = formula.word;
    if (word == "/" && integers) word = "//";
    if (word == "^") word = "~";
    if (word == "pow") word = "^";  // Lua's
    if (word == "!=") word = "~=";
    const int own = precedence(word);
    Written text{operand(0).inside(own) + " " + word + " " + operand(1).inside(condition ? own : own + 1),
                 own};
    return text;
}

Written written(const Formula& formula, NumberType stored) {
    switch (formula.kind) {
        case FormulaKind::number: {
            const std::string text = number_text(formula);
            // A negative number binds as the minus before it.
            return {stored == NumberType::f32 && text.starts_with("f32(") ? text.substr(4, text.size() - 5)
                                                                          : text,
                    formula.number < 0 ? 10 : 12};
        }
        case FormulaKind::index:
            return {"i"};
        case FormulaKind::loop:
            return {"0"};  // none is left in what is printed
        case FormulaKind::random:
            return {formula.word.empty()
                        ? "random()"
                        : fmt::format("random({})", static_cast<std::int64_t>(formula.most) + 1)};
        case FormulaKind::list: {
            std::string numbers;
            for (std::size_t i = 1; i < formula.operands.size(); ++i)
                numbers += (i == 1 ? "" : ", ") + written(*formula.operands[i], stored).text;
            return {"({" + numbers + "})[" + written(*formula.operands[0], NumberType::f64).inside(8) +
                        " + 1] or 0",
                    1};
        }
        case FormulaKind::sum:
            return {"sum(" + written(*formula.operands[0], NumberType::i64).text + ", [[" +
                    written(*formula.operands[1], NumberType::i64).text + "]])"};
        case FormulaKind::select: {
            const Written condition = written(*formula.operands[0], NumberType::f64);
            const Written yes = written(*formula.operands[1], stored),
                          no = written(*formula.operands[2], stored);
            return {condition.inside(2) + " and " + yes.inside(3) + " or " + no.inside(1), 1};
        }
        case FormulaKind::unary: {
            const Formula& of = *formula.operands[0];
            if (formula.word == "as") {
                // Integers up to 2^24 are exact in single precision.
                const bool rounds = formula.type == NumberType::f32 && stored != NumberType::f32 &&
                                    (of.type == NumberType::f64 || of.most > 0x1p24 || of.least < -0x1p24);
                const Written inner = written(of, stored);
                return rounds ? Written{"f32(" + inner.text + ")"} : inner;
            }
            if (formula.word == "bits_of") return {"bits_of(" + written(of, NumberType::f32).text + ")"};
            if (formula.word == "wrap") {
                return {written(of, NumberType::f64).inside(6) + " & 0xffffffff", 6};
            }
            const std::string call = "math." + formula.word + "(" + written(of, NumberType::f64).text + ")";
            const bool rounds = formula.type == NumberType::f32 && stored != NumberType::f32;
            return {rounds ? "f32(" + call + ")" : call};
        }
        case FormulaKind::binary:
            break;
    }
    const bool rounds = formula.type == NumberType::f32 && stored != NumberType::f32;
    const Written text = binary(formula);
    return rounds ? Written{"f32(" + text.text + ")"} : text;
}

}  // namespace

bool is_readable(const Formula& formula) {
    constexpr std::size_t most_listed = 64;
    if (formula.kind == FormulaKind::list && formula.operands.size() > most_listed + 1) return false;
    return std::ranges::all_of(formula.operands,
                               [](const FormulaPointer& operand) { return is_readable(*operand); });
}

std::string text_of(const FormulaPointer& formula, NumberType stored) {
    return formula ? written(*formula, stored).text : std::string();
}

}  // namespace warplens::instrumentation::host_code
