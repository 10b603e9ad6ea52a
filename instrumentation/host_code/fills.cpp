// Walk: what host code puts into memory, element by element, in lists, in bytes and in copies.
#include <algorithm>
#include <array>
#include <utility>

#include "instrumentation/host_code/arithmetic.h"
#include "instrumentation/host_code/walk.h"

namespace warplens::instrumentation::host_code {

namespace {

using Kind = Value::Kind;

bool is_whole(const Value& memory) {
    return memory.index && memory.index->kind == Formula::Kind::number && memory.index->number == 0;
}

std::string element_type(const Value& memory) {
    if (memory.element) return memory.type;
    const std::string pointed = pointed_to(memory.type);
    const bool says = memory.type.ends_with('*') && !pointed.empty() && pointed != "void";
    return says ? pointed : memory.storage->element;
}

}  // namespace

/// An element is assigned, in every iteration of the loops around it.
void Walk::fill_element(const Value& to, const Value& assigned, Origin origin) {
    if (!to.storage) return;
    const bool is_list = assigned.kind == Kind::list && !assigned.list.empty();
    if (is_list || (assigned.kind == Kind::object && assigned.fields)) {  // member by member
        const auto members = members_of(to.type);
        constexpr std::size_t most_members = 64;
        if (members.empty() || members.size() > most_members || assigned.list.size() > members.size())
            return guess(*to.storage, "a structure that is not followed", origin);
        for (std::size_t i = 0; i < members.size(); ++i) {
            const Value place = member_of_element(to, members[i].first, origin);
            if (is_list) {
                fill_element(place, i < assigned.list.size() ? assigned.list[i] : Value::of(0), origin);
                continue;
            }
            const auto field = assigned.fields->find(members[i].first);
            fill_element(place, field == assigned.fields->end() ? Value() : *field->second, origin);
        }
        return;
    }
    const Value value = loaded(assigned);
    std::string unit = element_type(to);
    if (!size_of_type(unit)) unit = resolved(unit);
    FormulaPointer of = formula_of(value);
    const bool whole_structure =
        of && of->kind == Formula::Kind::number && of->number == 0 && !size_of_type(unit);
    if (whole_structure || to.index_bytes != 0) of = nullptr;
    fill(*to.storage, {unit, to.index, std::move(of), guard_, origin});
}

/// From the pointer to the end of its memory.
void Walk::fill_whole(const Value& to, const Value& value, Origin origin) {
    if (!to.storage) return;
    if (!is_whole(to) || !guard_.known || guard_.condition)
        return guess(*to.storage, "a part that is not followed", origin);
    fill_all(*to.storage, element_type(to), formula_of(loaded(value)), origin);
}

/// { 1, 2, 3 }, zero after them.
void Walk::fill_list(const std::vector<Value>& list, Storage& storage, Origin origin) {
    if (own_type(storage.element)) return fill_structures(list, storage, origin);
    constexpr std::size_t most_listed = 16384;  // constant memory has 64 KiB
    const NumberType type = number_type_of(storage.element);
    std::vector<FormulaPointer> all;
    const auto add = [&](const auto& self, const std::vector<Value>& from) -> void {
        for (const Value& value : from) {
            if (value.kind == Kind::list) self(self, value.list);
            else all.push_back(formula_of(loaded(value)));
        }
    };
    add(add, list);
    storage.contents = {Contents::Kind::known, number_formula(0, NumberType::i32), "", {}, origin};
    if (!size_of_type(storage.element)) return guess(storage, "an initializer that is not followed", origin);
    if (all.empty()) return;
    const auto known = [&](const FormulaPointer& value) {
        return value && value->kind == Formula::Kind::number;
    };
    if (!std::ranges::all_of(all, known))
        return guess(storage, "an initializer that is not followed", origin);
    const auto size = size_of_type(storage.element);
    const bool to_end = storage.bytes && std::ssize(all) * *size >= *storage.bytes;
    const auto same = [&](const FormulaPointer& value) { return value->number == all[0]->number; };
    if (to_end && std::ranges::all_of(all, same)) return fill_all(storage, storage.element, all[0], origin);
    bool ramp = to_end && all.size() > 2;
    for (std::size_t i = 0; i < all.size(); ++i)
        ramp = ramp &&
               all[i]->number == all[0]->number + static_cast<double>(i) * (all[1]->number - all[0]->number);
    if (ramp) {
        const FormulaPointer step = number_formula(all[1]->number - all[0]->number, type);
        const auto value =
            binary_formula("+", binary_formula("*", index_formula(std::ssize(all)), step), all[0]);
        return fill_all(storage, storage.element, value, origin);
    }
    if (all.size() <= most_listed) {
        storage.contents.formula = list_formula(all, type);
        storage.contents.unit = storage.element;
    }
    if (all.size() > most_listed || !storage.contents.formula)
        guess(storage, "an initializer that is not followed", origin);
}

void Walk::fill_bytes(const Value& to, const Value& byte, const Value& bytes, Origin origin) {
    const Value value = loaded(byte);
    const bool structure = to.kind == Kind::address && to.target && own_type(to.target->type);
    if (structure && value.kind == Kind::integer && !value.varies && value.integer == 0)  // memset(&s, 0, …)
        assign(look_at(to.target), zero_of(to.target->type, origin), origin);
    if (!to.storage) return;
    std::string unit = element_type(to);
    const bool is_zero = value.kind == Kind::integer && !value.varies && value.integer == 0;
    if (!is_zero && is_whole(to) && !size_of_type(unit)) unit = word_of(unit);
    if (!is_zero && unit == "float") unit = "unsigned int";  // bits, such as those of NAN
    const auto size = size_of_type(unit);
    const bool all = is_whole(to) && (bytes.kind != Kind::integer || !to.storage->bytes ||
                                      bytes.integer >= *to.storage->bytes);
    std::optional<std::int64_t> word;
    if (value.kind == Kind::integer && !value.varies) {
        if (is_zero) word = 0;
        else if (size && !is_real_word(unit) && *size < 8) {
            word = 0;
            for (std::int64_t i = 0; i < *size; ++i) word = *word << 8 | (value.integer & 255);
            if (unit == "int" && *word > INT32_MAX) word = *word - (std::int64_t{1} << 32);
        }
    }
    if (!word) return guess(*to.storage, "a memset that is not followed", origin);
    const FormulaPointer of =
        number_formula(static_cast<double>(*word), *word > INT32_MAX ? NumberType::i64 : NumberType::i32);
    if (all && guard_.known && !guard_.condition)
        return fill_all(*to.storage, unit.empty() ? "char" : unit, of, origin);
    if (!size || bytes.kind != Kind::integer || bytes.varies || bytes.integer <= 0)
        return guess(*to.storage, "a memset that is not followed", origin);
    const Loop loop{++loop_ids_, 0, 1, bytes.integer / *size};
    if (loop.count == 0) return;
    fill(*to.storage,
         {unit, binary_formula("+", to.index, loop_formula(loop, NumberType::i64)), of, guard_, origin});
}

void Walk::copy(const Value& to, const Value& from, const Value& bytes, Origin origin) {
    if (from.storage && from.storage->contents.kind == Contents::Kind::guessed) forget_number(to.target);
    if (!to.storage || to.storage == from.storage) return;
    if (!from.storage && !from.text.empty())
        return copy(to, memory_of_text("char*", from.text, true, origin), bytes, origin);
    if (!from.storage) {
        const bool one = from.kind == Kind::address && from.target;  // a variable's address
        if (!one) return guess(*to.storage, "a copy that is not followed", origin);
        if (Storage whole = *to.storage; own_type(element_type(to)) && is_whole(to) &&
                                         whole.bytes == size_of(element_type(to)) && guard_.known &&
                                         !guard_.condition) {
            fill_structures({*from.target}, whole, origin);
            if (whole.contents.kind == Contents::Kind::known) {
                to.storage->contents = std::move(whole.contents);
                return;
            }
        }
        Value element = to;
        element.element = true;
        element.type = element_type(to);
        return fill_element(element, *from.target, origin);
    }
    const auto start = [](const Value& pointer) -> std::optional<std::int64_t> {
        if (!pointer.index || pointer.index->kind != Formula::Kind::number) return std::nullopt;
        const auto index = static_cast<std::int64_t>(pointer.index->number);
        return index == 0 ? 0 : index * size_of_type(element_type(pointer)).value_or(1);
    };
    const auto to_start = start(to), from_start = start(from);
    if (!to_start || !from_start || !guard_.known || guard_.condition || bytes.varies) {
        // Copies of parts in a loop: of memory with the same number everywhere, or element by element the
        // same.
        const bool same_parts = to.index && from.index && guard_.known && !guard_.condition &&
                                text_of(to.index, NumberType::f64) == text_of(from.index, NumberType::f64);
        if (same_parts) return copy_contents(*to.storage, *from.storage, {0, 0, std::nullopt, origin});
        // The whole of it, from another place in each iteration: in the first one, as the launch in the loop.
        const bool whole = is_whole(to) && bytes.kind == Kind::integer && to.storage->bytes &&
                           bytes.integer >= *to.storage->bytes;
        const auto first = from.index && !counters_.empty() && guard_.known && !guard_.condition
                               ? value_at(*from.index, 0, LoopVariables::first)
                               : std::nullopt;
        if (whole && first && !from.index->has_random) {
            const std::int64_t size = size_of_type(element_type(from)).value_or(1);
            of_first_iteration_.emplace_back(to.storage, origin);
            return copy_contents(*to.storage, *from.storage,
                                 {0, static_cast<std::int64_t>(*first) * size, bytes.integer, origin});
        }
        return guess(*to.storage, "a copy that is not followed", origin);
    }
    const auto count = bytes.kind == Kind::integer ? std::optional(bytes.integer) : std::nullopt;
    copy_contents(*to.storage, *from.storage, {*to_start, *from_start, count, origin});
}

/// A number that a kernel may have computed.
void Walk::forget_number(const Slot& variable) const {
    if (!variable || !variable->is_number() || second_branch_) return;
    variable->kind = Kind::unknown;
    variable->varies = false;
    variable->formula = nullptr;
    variable->roots.clear();
}

/// cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, …)
void Walk::copy_2d(const std::vector<Value>& arguments, Origin origin) {
    if (arguments.size() < 6 || !arguments[0].storage) return;
    const auto number = [&](std::size_t i) {
        return arguments[i].kind == Kind::integer && !arguments[i].varies ? arguments[i].integer : 0;
    };
    Storage& to = *arguments[0].storage;
    const bool plain =
        arguments[2].storage && is_whole(arguments[0]) && is_whole(arguments[2]) && guard_.known;
    if (!plain) return guess(to, "a copy that is not followed", origin);
    copy_rows(to, *arguments[2].storage, number(4), number(1), number(3), origin);
}

/// Functions of the C and C++ libraries, thrust and cuRAND that fill memory.
std::optional<Value> Walk::call_of_fill(const Call& call) {
    const std::string& name = call.name;
    std::vector<Value> given = call.arguments;
    if (!given.empty() && (given[0].type.ends_with("policy") || name == "transform")) return std::nullopt;
    const auto at = [&](std::size_t i) { return i < given.size() ? given[i] : Value(); };
    if (name == "memset") return fill_bytes(at(0), at(1), at(2), call.origin), at(0);
    if (name == "memcpy" || name == "memmove") return copy(at(0), at(1), at(2), call.origin), at(0);
    if (name == "copy" && given.size() == 3) return copy(at(2), at(0), Value(), call.origin), Value();
    if (!at(0).storage) return std::nullopt;
    if (auto scanned = call_of_scan(call)) return scanned;
    if (name == "sort" || name == "stable_sort" || name == "shuffle" || name == "random_shuffle")
        return guess_as_before(*at(0).storage, "`" + name + "`", call.origin), Value();
    const bool counted = name.ends_with("_n");
    const auto partial = [&] {  // fill_n(p, n, x), or from another place than the beginning
        if (!is_whole(at(0))) return true;
        const auto size = size_of(element_type(at(0)));
        const Value count = at(1);
        if (!counted || !at(0).storage->bytes || !size) return false;
        return count.kind != Kind::integer || count.varies || count.integer * *size < *at(0).storage->bytes;
    };
    const auto put = [&](const Value& value) {
        if (!partial()) return fill_whole(at(0), value, call.origin);
        const Value count = at(1);
        if (!counted || count.kind != Kind::integer || count.varies || count.integer <= 0)
            return guess(*at(0).storage, "a part that is not followed", call.origin);
        Value element = at(0);
        element.type = element_type(at(0));
        element.element = true;
        element.index = binary_formula("+", at(0).index,
                                       loop_formula({++loop_ids_, 0, 1, count.integer}, NumberType::i64));
        fill_element(element, value, call.origin);
    };
    if (name == "fill" || name == "fill_n") return put(at(2)), Value();
    if (name == "iota" || name == "sequence") {
        Value value;
        value.varies = true;
        const FormulaPointer step = given.size() > 3 ? formula_of(at(3)) : number_formula(1, NumberType::i32);
        const FormulaPointer first =
            given.size() > 2 ? formula_of(at(2)) : number_formula(0, NumberType::i32);
        const std::int64_t size = size_of_type(element_type(at(0))).value_or(1);
        const std::int64_t count = at(0).storage->bytes.value_or(std::int64_t{1} << 31) / size;
        value.formula = binary_formula("+", binary_formula("*", index_formula(count), step), first);
        return fill_whole(at(0), value, call.origin), Value();
    }
    if (name == "generate" || name == "generate_n") {
        const Value generator = at(2);
        Value element = generator.function ? call_lambda(*generator.function, {}) : generator;
        return put(element), Value();
    }
    return std::nullopt;
}

void Walk::copy_to_symbol(const Call& call) {
    const auto at = [&](std::size_t i) { return i < call.arguments.size() ? call.arguments[i] : Value(); };
    Value symbol = at(0);
    Slot target = symbol.kind == Kind::address ? symbol.target : symbol.slot;
    if (!symbol.storage && target && !target->storage) {  // a variable that is not an array
        Value memory = memory_of(target->type, size_of(target->type), call.origin);
        memory.storage->name = device_variable(target);
        if (memory.storage->name.empty()) return;
        const std::string type = target->type;
        *target = memory;
        target->type = type;
    }
    if (target && target->storage) symbol = *target;
    if (!symbol.storage) return;
    symbol.slot = nullptr;
    Value to = symbol;
    to.index = number_formula(0, NumberType::i64);
    if (const Value offset = at(3); offset.kind == Kind::integer && offset.integer != 0)
        to.index = binary_formula(
            "/", formula_of(offset),
            number_formula(static_cast<double>(size_of_type(symbol.storage->element).value_or(1)),
                           NumberType::i64));
    copy(to, at(1), at(2), call.origin);
    symbol.storage->contents.origin = call.origin;
    symbol.storage->parts = parts_of(symbol.storage->element);
    const std::string& name = symbol.storage->name;
    const bool is_device = std::ranges::any_of(items_, [&](const Item& item) {
        return item.is_device && std::ranges::find(item.declares, name) != item.declares.end();
    });
    if (!is_device) return;
    // Kernels see what was there at their launch; one value is kept for all: the first kernel's.
    if (launches.empty()) copied_symbols[name] = *symbol.storage;
    else copied_symbols.emplace(name, *symbol.storage);
}

std::string Walk::device_variable(const Slot& slot) const {
    for (const auto& [name, variable] : globals_scope())
        if (variable == slot) return name;
    return {};
}

/// Counts only in one loop whose header counts.
void Walk::push_back(const Call& call) {
    Storage& storage = *call.object->storage;
    const auto size = size_of(storage.element);
    const auto given_up = [&] {
        storage.bytes = std::nullopt;
        guess(storage, "`" + call.name + "`", call.origin);
    };
    constexpr std::int64_t most = std::int64_t{1} << 40;
    if (!size || counters_.size() > 1 || call.arguments.size() != 1 || storage.bytes.value_or(0) > most)
        return given_up();
    const std::int64_t count = storage.bytes.value_or(0) / *size;
    FormulaPointer at = number_formula(static_cast<double>(count), NumberType::i64);
    std::int64_t added = 1;
    if (counters_.size() == 1) {
        if (!counters_[0] || counters_[0]->loop.step != 1 || guard_.condition || !guard_.known)
            return given_up();
        const Loop& loop = counters_[0]->loop;
        added = loop.count;
        at = binary_formula("+", counters_[0],
                            number_formula(static_cast<double>(count - loop.first), NumberType::i64));
    }
    storage.bytes = (count + added) * *size;
    storage.roots = merged(storage.roots, counters_.empty() ? Roots() : counter_roots_);
    Value element = *call.object;
    element.element = true;
    element.type = storage.element;
    element.index = at;
    fill_element(element, call.arguments[0], call.origin);
}

/// A function without a body here may write to the memory that it is given.
void Walk::escapes(const Call& call) {
    static constexpr std::array<std::string_view, 22> readers{
        "free",        "delete", "assert",  "accumulate", "reduce", "sort_check", "equal",    "max_element",
        "min_element", "fclose", "puts",    "fputs",      "fwrite", "size",       "cudaFree", "swap",
        "distance",    "printf", "fprintf", "isnan",      "strcmp", "memcmp"};
    if (std::ranges::find(readers, call.name) != readers.end()) return;
    for (const char* word :
         {"print", "Print", "check", "Check", "verify", "Verify", "compare", "Compare", "Free", "free"})
        if (call.name.find(word) != std::string::npos) return;
    for (const Value& argument : call.arguments) {
        const Value& pointed =
            argument.kind == Kind::address && argument.target ? *argument.target : argument;
        if (pointed.kind == Kind::memory && pointed.storage && !pointed.element)
            guess(*pointed.storage, "`" + (call.name.empty() ? std::string("a call") : call.name) + "`",
                  call.origin);
        if (argument.kind == Kind::address) read_from_elsewhere(argument.target);
    }
}

}  // namespace warplens::instrumentation::host_code
