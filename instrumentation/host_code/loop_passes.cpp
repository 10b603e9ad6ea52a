// Walk: of the launches that a loop makes, the one that stands for the program: that with the most threads,
// as of several launches the longest is shown.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "instrumentation/host_code/walk.h"

namespace warplens::instrumentation::host_code {

namespace {

using Kind = Value::Kind;
constexpr std::size_t most_evaluated = std::size_t{1} << 20;  // nodes of formulas, in all passes

/// The sides of a grid or a block, as functions of the loops around; null: not followed.
std::vector<FormulaPointer> sides_of(const Value& extent) {
    if (extent.kind == Kind::extent) return {extent.sides.begin(), extent.sides.end()};
    if (extent.kind != Kind::list) return {formula_of(extent)};
    std::vector<FormulaPointer> sides;
    for (const Value& side : extent.list) sides.push_back(formula_of(side));
    return sides;
}

/// Values in the passes of one loop; in those of the loops around it in the first.
class Passes {
  public:
    explicit Passes(const Loop& loop) : loop_(loop) {
        const auto number = [](std::int64_t of) {
            return number_formula(static_cast<double>(of), NumberType::i64);
        };
        variable_ = binary_formula("+", number(loop.first),
                                   binary_formula("*", number(loop.step), index_formula(loop.count)));
    }

    std::int64_t count() const { return loop_.count; }

    FormulaPointer by_pass(const FormulaPointer& formula) const {
        return substituted(formula, nullptr, {{loop_.id, variable_}});
    }

    static std::optional<std::int64_t> at(const FormulaPointer& by_pass, std::int64_t pass) {
        const auto number =
            by_pass ? value_at(*by_pass, static_cast<double>(pass), LoopVariables::first) : std::nullopt;
        if (!number || std::abs(*number) > 0x1p53 || *number != std::floor(*number)) return std::nullopt;
        return static_cast<std::int64_t>(*number);
    }

    /// Makes it that of the pass. False: what it is then is not followed.
    bool put(Value& value, std::int64_t pass) const {
        if (value.kind == Kind::memory) return put_pointer(value, pass);
        if (value.kind == Kind::list) {
            for (Value& element : value.list)
                if (!put(element, pass)) return false;
            return true;
        }
        if (value.kind == Kind::extent) return put_sides(value, pass);
        if (value.fields)
            for (const auto& [name, field] : *value.fields)
                if (!is_same(*field)) return false;
        if (value.function)
            for (const auto& [name, captured] : value.function->captures)
                if (!is_same(*captured)) return false;
        if (!value.varies) return true;
        const FormulaPointer formula = by_pass(value.formula);
        const auto number =
            formula ? value_at(*formula, static_cast<double>(pass), LoopVariables::first) : std::nullopt;
        if (!value.is_number() || !number || std::abs(*number) > 0x1p53) return false;
        value.integer = static_cast<std::int64_t>(*number);
        value.real = *number;
        return true;
    }

  private:
    /// In each pass.
    static bool is_same(const Value& value) {
        if (value.varies) return false;
        return value.kind != Kind::memory || !value.storage ||
               (value.index && value.index->kind == Formula::Kind::number);
    }

    bool put_pointer(Value& pointer, std::int64_t pass) const {
        if (!pointer.storage || is_same(pointer)) return true;
        const FormulaPointer formula = by_pass(pointer.index);
        const auto first = at(formula, 0), now = at(formula, pass);
        // Of an array of pointers the loop takes another one.
        const bool other = pointer.index && pointer.index->kind == Formula::Kind::number;
        if (other || pointer.index_bytes != 0 || !first || !now || *first != pointer.offset) return false;
        pointer.offset = *now;
        return true;
    }

    bool put_sides(Value& extent, std::int64_t pass) const {
        for (std::size_t i = 0; i < 3; ++i) {
            const auto side = at(by_pass(extent.sides[i]), pass);
            if (!side) return false;
            extent.extent[i] = *side;
        }
        return true;
    }

    Loop loop_;
    FormulaPointer variable_;
};

/// The loop whose variable sets the launch's extents; nothing where none or several do.
std::optional<Loop> loop_of(const std::vector<FormulaPointer>& sides) {
    std::map<int, Loop> loops;
    for (const FormulaPointer& side : sides) {
        if (!side) return std::nullopt;
        add_loops(side, loops);
    }
    return loops.size() == 1 ? std::optional(loops.begin()->second) : std::nullopt;
}

}  // namespace

/// Whether a loop with this body may end before its last pass.
bool Walk::breaks(const Tokens& tokens, std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) {
        if (tokens[i].is("break")) return true;
        const bool inner =
            tokens[i].is("for") || tokens[i].is("while") || tokens[i].is("do") || tokens[i].is("switch");
        if (inner) i = std::max(passed(tokens, i, end), i + 1) - 1;
    }
    return false;
}

/// Of equals the first pass, which finds memory as the host has left it.
bool Walk::take_largest_pass(WalkedLaunch& launch) const {
    if (launch.launch.size() < 2 || !guard_.known || cut_) return false;
    std::vector<FormulaPointer> sides = sides_of(launch.launch[0]);
    for (FormulaPointer& side : sides_of(launch.launch[1])) sides.push_back(std::move(side));
    const auto loop = loop_of(sides);
    if (!loop || left_early_.contains(loop->id)) return false;
    const Passes passes(*loop);
    const FormulaPointer holds = guard_.condition ? passes.by_pass(guard_.condition) : nullptr;
    std::size_t nodes = holds ? holds->size : 0;
    for (FormulaPointer& side : sides) {
        side = passes.by_pass(side);
        if (!side) return false;
        nodes += side->size;
    }
    if (static_cast<std::size_t>(loop->count) > most_evaluated / nodes) return false;
    std::int64_t largest = 0;
    double most = 0;
    for (std::int64_t pass = 0; pass < loop->count; ++pass) {
        if (guard_.condition && Passes::at(holds, pass).value_or(0) == 0) continue;
        double threads = 1;
        for (const FormulaPointer& side : sides)
            threads *= static_cast<double>(std::max<std::int64_t>(Passes::at(side, pass).value_or(0), 0));
        if (threads > most) largest = pass, most = threads;
    }
    if (largest == 0) return false;
    WalkedLaunch chosen = launch;
    for (std::size_t i = 0; i < std::min<std::size_t>(chosen.launch.size(), 3); ++i)
        if (!passes.put(chosen.launch[i], largest)) return false;
    for (Value& argument : chosen.arguments) {
        argument = loaded(argument);
        if (!passes.put(argument, largest)) return false;
    }
    launch = std::move(chosen);
    launch.pass = largest + 1;
    launch.passes = loop->count;
    return true;
}

}  // namespace warplens::instrumentation::host_code
