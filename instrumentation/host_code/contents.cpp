#include "instrumentation/host_code/contents.h"

#include <algorithm>
#include <utility>

#include "instrumentation/host_code/value.h"

namespace warplens::instrumentation::host_code {

namespace {

using ContentsKind = Contents::Kind;
constexpr std::size_t most_roots = 24;

FormulaPointer whole(std::int64_t number) {
    return number_formula(static_cast<double>(number), NumberType::i64);
}

bool is_beyond(std::int64_t number, std::int64_t most) { return number > most || number < -most; }

/// A loop as positions 0 to count - 1, each `coefficient` elements after the one before.
struct Digit {
    Loop loop;
    std::int64_t coefficient = 0;
    bool reversed = false;
};

/// The index of a fill, taken apart: which position of each loop an element belongs to.
struct Positions {
    std::int64_t begin = 0, end = 0;  // elements; all in between where there is no condition
    FormulaPointer condition;         // null: none
    std::map<int, FormulaPointer> loops;
};

std::optional<Positions> positions_of(const FormulaPointer& index) {
    const auto affine = affine_of(index);
    if (!affine) return std::nullopt;
    Positions positions{affine->constant, affine->constant + 1, nullptr, {}};
    std::vector<Digit> digits;
    for (const auto& [id, term] : affine->terms) {
        const auto& [loop, factor] = term;
        constexpr std::int64_t most = std::int64_t{1} << 40;  // products of two that fit stay far below 2^63
        if (loop.count <= 0 || loop.count > most || is_beyond(loop.first, most) || is_beyond(loop.step, most))
            return std::nullopt;
        Digit digit{loop, 0, false};
        std::int64_t reach = 0, first = 0;
        if (__builtin_mul_overflow(factor, loop.step, &digit.coefficient) ||
            is_beyond(digit.coefficient, most) ||
            __builtin_mul_overflow(digit.coefficient, loop.count, &reach) || is_beyond(reach, most * 1024) ||
            __builtin_mul_overflow(factor, loop.first, &first) || is_beyond(first, most * 1024))
            return std::nullopt;
        positions.begin += first;
        if (digit.coefficient < 0) {
            positions.begin += digit.coefficient * (loop.count - 1);
            digit.coefficient = -digit.coefficient;
            digit.reversed = true;
        }
        digits.push_back(digit);
    }
    std::ranges::sort(digits, std::ranges::greater{}, &Digit::coefficient);
    for (std::size_t k = 0; k + 1 < digits.size(); ++k)
        if (digits[k].coefficient < digits[k + 1].coefficient * digits[k + 1].loop.count) return std::nullopt;
    positions.end = positions.begin + 1;
    for (const Digit& digit : digits) positions.end += digit.coefficient * (digit.loop.count - 1);
    FormulaPointer rest = binary_formula("-", index_formula(), whole(positions.begin));
    for (std::size_t k = 0; k < digits.size(); ++k) {
        const Digit& digit = digits[k];
        // Elements before the beginning are left out by the caller: what remains is not negative.
        FormulaPointer at = rest;
        if (positions.begin > 0 && at) {
            Formula from_zero = *at;
            from_zero.least = 0;
            at = std::make_shared<const Formula>(std::move(from_zero));
        }
        if (k > 0) at = binary_formula("%", at, whole(digits[k - 1].coefficient));
        if (k + 1 == digits.size() && digit.coefficient > 1)
            positions.condition =
                binary_formula("==", binary_formula("%", at, whole(digit.coefficient)), whole(0));
        at = binary_formula("/", at, whole(digit.coefficient));
        const bool gap = k > 0 && digits[k - 1].coefficient > digit.coefficient * digit.loop.count;
        if (gap)
            positions.condition =
                both_conditions(positions.condition, binary_formula("<", at, whole(digit.loop.count)));
        if (digit.reversed) at = binary_formula("-", whole(digit.loop.count - 1), at);
        at = binary_formula("+", binary_formula("*", at, whole(digit.loop.step)), whole(digit.loop.first));
        if (!at) return std::nullopt;
        positions.loops[digit.loop.id] = at;
    }
    return positions;
}

NumberType type_of_unit(const std::string& unit) { return number_type_of(unit); }

/// A real number and an integer in one place are not the same bits.
bool differ_in_kind(const std::string& a, const std::string& b) {
    return (type_of_unit(a) >= NumberType::f32) != (type_of_unit(b) >= NumberType::f32);
}

/// What a 32-bit number of this type is as an int.
FormulaPointer bits_in(const std::string& unit, FormulaPointer value) {
    return type_of_unit(unit) >= NumberType::f32 ? bits_of(std::move(value))
                                                 : converted(std::move(value), NumberType::i32);
}

/// Puts `value` where `condition` holds from element `begin` to `end`.
void put(Storage& storage, const Fill& fill, FormulaPointer value, FormulaPointer condition,
         std::int64_t begin, std::int64_t end) {
    Contents& contents = storage.contents;
    std::string unit = fill.unit;
    const auto size = size_of_type(unit);
    const bool conditional = condition != nullptr;
    const bool to_end = !storage.bytes || (size && end * *size >= *storage.bytes);
    if (!to_end) condition = both_conditions(binary_formula("<", index_formula(), whole(end)), condition);
    if (begin > 0)
        condition = both_conditions(binary_formula(">=", index_formula(), whole(begin)), condition);
    if (!condition && (conditional || begin > 0 || !to_end))
        return guess(storage, "a branch that is not followed", fill.origin);
    value = converted(std::move(value), type_of_unit(unit));
    const std::int64_t elements = storage.bytes && size ? *storage.bytes / *size : INT64_MAX / 64;
    if (condition) {
        if (contents.kind == ContentsKind::guessed) {
            contents.written = nullptr;
            return;
        }
        const bool filled = contents.kind == ContentsKind::known && !contents.unit.empty();
        const bool other_unit = filled && size_of_type(contents.unit) != size;
        FormulaPointer before = filled ? contents.formula : number_formula(0, NumberType::i32);
        if (filled && !other_unit && differ_in_kind(contents.unit, unit)) {  // members of a structure
            if (size != 4) return guess(storage, "members of several types", fill.origin);
            before = bits_in(contents.unit, std::move(before));
            value = bits_in(unit, std::move(value));
            unit = "int";
        }
        if (before) before = converted(before, type_of_unit(unit));
        value = other_unit
                    ? nullptr
                    : replaced_where(in_part(condition, 0, elements), std::move(value), std::move(before));
    }
    if (!value || !size) return guess(storage, "an expression that is not followed", fill.origin);
    contents = {ContentsKind::known, in_part(value, 0, elements), std::move(unit), {}, fill.origin};
}

}  // namespace

Roots merged(const Roots& a, const Roots& b) {
    if (b.empty()) return a;
    Roots both, all;
    std::ranges::set_union(a, b, std::back_inserter(both));
    for (const Root& root : both)
        if (all.empty() || all.back().place != root.place)
            all.push_back(root);  // one that divides comes last
    if (all.size() > most_roots) all.resize(most_roots);
    return all;
}

bool includes(const Roots& all, const Roots& some) {
    const auto has = [&](const Root& root) {
        const auto found = std::ranges::find(all, root.place, &Root::place);
        return found != all.end() && (!found->divides || root.divides);
    };
    return !some.empty() && std::ranges::all_of(some, has);
}

std::int64_t divisor_of(const Roots& all, const Roots& some) {
    if (!includes(all, some)) return 1;
    const auto divisor = [&](const Root& root) {
        return std::ranges::find(all, root.place, &Root::place)->divided_by / root.divided_by;
    };
    const std::int64_t first = divisor(some.front());
    const bool same = std::ranges::all_of(some, [&](const Root& root) { return divisor(root) == first; });
    return same ? first : 1;
}

Roots dividing(Roots roots) {
    for (Root& root : roots) root.divides = true;
    return roots;
}

Roots divided(Roots roots, std::int64_t divisor) {
    constexpr std::int64_t most = std::int64_t{1} << 31;
    for (Root& root : roots)
        if (divisor > 0 && divisor <= most && root.divided_by <= most) root.divided_by *= divisor;
    return roots;
}

void guess(Storage& storage, const std::string& by, Origin origin) {
    storage.contents = {ContentsKind::guessed, nullptr, {}, by, origin};
}

void guess_as_before(Storage& storage, const std::string& by, Origin origin) {
    Contents before = std::move(storage.contents);
    guess(storage, by, origin);
    if (before.unit.empty()) return;
    storage.contents.formula = std::move(before.formula);
    storage.contents.unit = std::move(before.unit);
}

void fill_all(Storage& storage, const std::string& unit, const FormulaPointer& value, Origin origin) {
    const FormulaPointer of_type = converted(value, type_of_unit(unit));
    const bool zero = of_type && of_type->kind == Formula::Kind::number && of_type->number == 0;
    if (!of_type || (!zero && !size_of_type(unit)))
        return guess(storage, "an expression that is not followed", origin);
    storage.contents = {ContentsKind::known, of_type, zero ? std::string() : unit, {}, origin};
}

void fill(Storage& storage, const Fill& fill) {
    const auto positions = positions_of(fill.index);
    if (!fill.guard.known) return guess(storage, "a branch that is not followed", fill.origin);
    if (!fill.value) return guess(storage, "an expression that is not followed", fill.origin);
    if (!positions || positions->begin < 0) return guess(storage, "a loop that is not followed", fill.origin);
    std::map<int, FormulaPointer> loops = positions->loops;
    std::map<int, Loop> of_guard, of_value;
    add_loops(fill.guard.condition, of_guard);
    for (const auto& [id, loop] : of_guard)
        if (!loops.contains(id)) return guess(storage, "a branch that is not followed", fill.origin);
    add_loops(fill.value, of_value);
    for (const auto& [id, loop] : of_value)  // of loops that write an element again, the last value stays
        if (!loops.contains(id)) loops[id] = whole(loop.first + loop.step * (loop.count - 1));
    const FormulaPointer value = substituted(fill.value, index_formula(), loops);
    FormulaPointer condition = positions->condition;
    if (fill.guard.condition) {
        const FormulaPointer guard = substituted(fill.guard.condition, index_formula(), loops);
        if (guard) condition = both_conditions(condition, guard);
        if (!guard || !condition) return guess(storage, "a branch that is not followed", fill.origin);
    }
    put(storage, fill, value, std::move(condition), positions->begin, positions->end);
}

void copy_contents(Storage& to, const Storage& from, const Copy& copy) {
    if (&to == &from) return;
    const std::string unit = !from.contents.unit.empty() ? from.contents.unit
                             : !from.element.empty()     ? from.element
                                                         : to.element;
    const std::int64_t size = size_of_type(unit).value_or(1);
    const auto left = [](const Storage& storage, std::int64_t offset) {
        return storage.bytes ? std::optional(std::max<std::int64_t>(*storage.bytes - offset, 0))
                             : std::nullopt;
    };
    const bool sensible = copy.bytes && *copy.bytes >= 0 && *copy.bytes < (std::int64_t{1} << 50);
    const auto bytes = sensible ? copy.bytes : left(from, copy.from);
    if (copy.to < 0 || copy.from < 0) return guess(to, "a copy that is not followed", copy.origin);
    const auto room = left(to, copy.to);
    const bool covers = copy.to == 0 && (!bytes || !room || *bytes >= *room);
    if (from.contents.kind == ContentsKind::unfilled) {
        if (covers) to.contents = {};
        return;
    }
    if (from.contents.kind == ContentsKind::guessed) {
        const Contents contents = from.contents;
        guess(to, contents.by, contents.origin);
        if (covers && copy.from == 0) to.contents = contents;  // with what it held before
        to.contents.written = nullptr;
        if (!covers || !bytes || !room || !contents.written) return;
        auto shifted = std::make_shared<KernelWrite>(*contents.written);
        shifted->offset += copy.from;
        to.contents.written = std::move(shifted);
        return;
    }
    if (covers && copy.from == 0) {
        to.contents = from.contents;
        if (room) to.contents.formula = in_part(from.contents.formula, 0, *room / size);
        return;
    }
    const bool fits = copy.to % size == 0 && copy.from % size == 0 && (!bytes || *bytes % size == 0);
    const FormulaPointer shifted = substituted(
        from.contents.formula, binary_formula("+", index_formula(), whole((copy.from - copy.to) / size)), {});
    if (!fits || !shifted) return guess(to, "a copy that is not followed", copy.origin);
    Fill fill{unit, nullptr, nullptr, {}, copy.origin};
    const std::int64_t begin = copy.to / size;
    put(to, fill, shifted, nullptr, begin, bytes ? begin + *bytes / size : INT64_MAX / 64);
}

void copy_rows(Storage& to, const Storage& from, std::int64_t width, std::int64_t to_pitch,
               std::int64_t from_pitch, Origin origin) {
    const bool plain = from.contents.kind != ContentsKind::known || from.contents.unit.empty() ||
                       to_pitch == from_pitch || from.contents.formula->kind == Formula::Kind::number;
    if (plain) {
        copy_contents(to, from, {0, 0, std::nullopt, origin});
        if (to_pitch != from_pitch || width != to_pitch) to.contents.written = nullptr;
        return;
    }
    const std::int64_t size = size_of_type(from.contents.unit).value_or(1);
    if (width <= 0 || to_pitch <= 0 || from_pitch <= 0 || width % size != 0 || to_pitch % size != 0 ||
        from_pitch % size != 0)
        return guess(to, "a copy that is not followed", origin);
    const FormulaPointer column = binary_formula("%", index_formula(), whole(to_pitch / size));
    const FormulaPointer row = binary_formula("/", index_formula(), whole(to_pitch / size));
    const FormulaPointer at = binary_formula("+", binary_formula("*", row, whole(from_pitch / size)), column);
    Fill fill{from.contents.unit, nullptr, nullptr, {}, origin};
    put(to, fill, substituted(from.contents.formula, at, {}),
        width < to_pitch ? binary_formula("<", column, whole(width / size)) : nullptr, 0, INT64_MAX / 64);
}

FormulaPointer element_of(const Storage& storage, const std::string& unit, const FormulaPointer& index) {
    const Contents& contents = storage.contents;
    if (contents.kind != ContentsKind::known || !index) return nullptr;
    if (contents.unit.empty()) return number_formula(0, number_type_of(unit));
    if (size_of_type(contents.unit) != size_of_type(unit) || differ_in_kind(contents.unit, unit))
        return nullptr;
    return substituted(contents.formula, index, {});
}

}  // namespace warplens::instrumentation::host_code
