// Walk: what names, members, elements and assignments mean.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "instrumentation/host_code/known_words.h"
#include "instrumentation/host_code/walk.h"

namespace warplens::instrumentation::host_code {

using Kind = Value::Kind;

bool is_vector(const std::string& type) {
    for (const char* name : {"vector<", "device_vector<", "host_vector<", "array<", "unique_ptr<"})
        if (const auto at = type.find(name);
            at != std::string::npos &&
            (at == 0 || type[at - 1] == ':' || (type[at - 1] == '_' && name[0] == 'v')))
            return type.find('<') + 1 == at + std::string_view(name).size();
    return false;
}

Value memory_of(const std::string& element, std::optional<std::int64_t> bytes, Origin origin,
                const Roots& roots) {
    Value value;
    value.kind = Kind::memory;
    value.storage = std::make_shared<Storage>();
    value.storage->element = element;
    value.storage->bytes = bytes;
    value.storage->origin = origin;
    value.storage->roots = roots;
    value.index = number_formula(0, NumberType::i64);
    value.type = element.empty() ? "" : element + "*";
    value.origin = origin;
    return value;
}

bool Walk::is_type(const std::string& name) {
    if (size_of_type(name) || name.ends_with('*') || name == "void" || name == "auto") return true;
    if (own_type(name) || is_vector(name) || alias_templates_.contains(name)) return true;
    return resolved(name) != name;
}

Value Walk::look_up(const std::string& name, Origin origin) {
    const auto in = [&](const Scope& scope) -> Slot {
        const auto found = scope.find(name);
        return found == scope.end() ? nullptr : found->second;
    };
    Slot slot;
    if (!frames_.empty()) {
        Frame& frame = frames_.back();
        for (auto scope = frame.scopes.rbegin(); scope != frame.scopes.rend() && !slot; ++scope)
            slot = in(*scope);
        if (!slot && frame.object)
            if (const auto field = frame.object->find(name); field != frame.object->end())
                slot = field->second;
    }
    for (auto scope = globals_.scopes.begin(); scope != globals_.scopes.end() && !slot; ++scope)
        slot = in(*scope);
    if (slot) {
        assume_size(slot, name);
        Value value = *slot;
        value.slot = slot;
        return value;
    }
    if (const auto known = known_word(name)) return *known;
    if (kernels_.contains(name)) {
        Value kernel;
        kernel.kind = Kind::function;
        kernel.kernel = name;
        return kernel;
    }
    if (name == "rand" || name == "std::rand") {  // given to generate()
        Call of_rand;
        of_rand.name = "rand";
        return *call_of_random(of_rand);
    }
    if (const auto colons = name.rfind("::"); colons != std::string::npos) {
        const std::string outer = name.substr(0, colons);
        const std::string type = outer.substr(outer.rfind(':') + 1);  // npos + 1: all of it
        if (const auto field = globals_scope().find(type + name.substr(colons));
            field != globals_scope().end() && field->second->known())
            return look_at(field->second);
        if (auto constant = constant_in(resolved(outer), name.substr(colons + 2))) return *constant;
        return look_up(name.substr(colons + 2), origin);
    }
    if (!frames_.empty() && frames_.back().object && name == "this") {
        Value object;
        object.kind = Kind::object;
        object.fields = frames_.back().object;
        object.type = frames_.back().self;
        return object;
    }
    if (!frames_.empty() && !frames_.back().self.empty())
        if (auto constant = constant_in(frames_.back().self, name)) return *constant;
    // A template parameter that is a number.
    const std::string stands_for = resolved(name);
    if (stands_for != name) {
        if (stands_for == "true" || stands_for == "false") return Value::of(stands_for == "true" ? 1 : 0);
        const Tokens number = tokenize(stands_for);
        if (number.size() == 1 && number[0].kind == TokenKind::number)
            return Value::of(std::strtoll(stands_for.c_str(), nullptr, 0));
    }
    // A macro of a header that is not found.
    const bool is_macro =
        std::ranges::all_of(name, [](char c) { return !std::islower(static_cast<unsigned char>(c)); });
    if (options_.sizes && is_macro) {
        slot = std::make_shared<Value>();
        slot->origin = origin;
        assume_size(slot, name);
        if (slot->known()) {
            globals_.scopes.front()[name] = slot;
            return look_at(slot);
        }
    }
    Value unknown;
    unknown.origin = origin;
    return unknown;
}

Value Walk::member(const Value& object, const std::string& name, Origin origin) {
    if (object.element) return member_of_element(object, name, origin);
    if (object.kind == Kind::extent && name.size() == 1) {
        const auto axis = static_cast<std::size_t>(name[0] - 'x');
        if (axis >= 3) return {};
        Value value;
        if (object.extent[axis]) value = Value::of(*object.extent[axis]);
        value.origin = object.origin;
        value.roots = object.extent_roots[axis];
        value.extent_slot = object.slot;
        value.axis = axis;
        return value;
    }
    if (const auto property = device_property(name); property && !object.fields) return Value::of(*property);
    if (!object.slot) {
        if (object.fields)
            if (const auto field = object.fields->find(name); field != object.fields->end())
                return look_at(field->second);
        return {};
    }
    // A variable of a structure gets its members as they are met.
    if (!object.slot->fields) object.slot->fields = std::make_shared<Fields>();
    if (object.slot->kind == Kind::unknown) object.slot->kind = Kind::object;
    Slot& field = (*object.slot->fields)[name];
    if (!field) field = std::make_shared<Value>();
    if (!field->origin.line) field->origin = origin;
    assume_size(field, name);
    Value value = *field;
    value.slot = field;
    if (!value.origin.line) value.origin = origin;
    return value;
}

/// The member that stands for an element of an array of pointers or structures: "[0]", or "[]" for all of
/// them, as a loop sets them. One that a loop has set becomes a variable of its own where its number is
/// known.
std::string Walk::element_name(const Value& array, const Value& at) {
    if (at.kind != Kind::integer || !array.slot) return "[]";
    const std::string name = "[" + std::to_string(at.integer) + "]";
    if (!array.slot->fields) return at.varies ? "[]" : name;
    Fields& elements = *array.slot->fields;
    if (elements.contains(name)) return name;
    const auto all = elements.find("[]");
    if (all == elements.end()) return at.varies ? "[]" : name;
    const Slot own = elements[name] = std::make_shared<Value>(*all->second);
    if (own->storage) own->storage = std::make_shared<Storage>(*own->storage);
    if (own->fields) own->fields = copied(*own->fields);
    return name;
}

/// To pointers to kernels in an element, those in the others.
void Walk::add_other_kernels(Value& element, const Value& list) {
    const auto add = [&](Value& pointer, const Value& other) {
        const bool same =
            other.kernel == pointer.kernel && other.template_arguments == pointer.template_arguments;
        if (!other.kernel.empty() && !same) pointer.others.push_back(other);
    };
    if (element.fields) element.fields = copied(*element.fields);
    for (const Value& other : list.list) {
        if (!element.kernel.empty()) add(element, other);
        if (!element.fields || !other.fields) continue;
        for (auto& [name, field] : *element.fields)
            if (const auto found = other.fields->find(name);
                !field->kernel.empty() && found != other.fields->end())
                add(*field, *found->second);
    }
}

Value Walk::index(const Value& of, const Value& at) {
    if (of.kind == Kind::list && at.kind == Kind::integer && at.integer >= 0 &&
        at.integer < static_cast<std::int64_t>(of.list.size())) {
        Value element = of.list[static_cast<std::size_t>(at.integer)];
        if (at.varies) add_other_kernels(element, of);
        if (element.kind == Kind::memory) element.varies = at.varies;
        return element;
    }
    if (of.kind == Kind::object && of.fields)
        if (const Item* const own = own_type(of.type)) {
            const auto [first, last] = functions_.equal_range("]");  // the last token of the name operator[]
            const auto is_own = [&](const auto& found) { return class_of(*found.second) == own; };
            if (std::any_of(first, last, is_own)) return call({"]", "", {}, {at}, {}, of, of.origin});
        }
    if (of.kind == Kind::unknown && !of.text.empty())  // "ACGT"[i]
        return index(constructed("std::vector<char>", {of}, of.origin), at);
    if (of.kind != Kind::memory) {
        if (of.kind != Kind::object && !of.slot) return {};
        Value element = member(of, element_name(of, at), of.origin);
        if (element.type.empty() && of.type.ends_with('*')) element.type = pointed_to(of.type);
        if (element.kind == Kind::memory) element.varies = element.varies || at.varies;
        return element;
    }
    Value element = of;
    element.slot = nullptr;
    element.varies = at.varies;
    const std::vector<std::int64_t>& strides = of.storage->strides;
    const bool row = of.subscripts + 1 < strides.size();
    const std::int64_t stride = of.subscripts < strides.size() ? strides[of.subscripts] : 1;
    constexpr std::int64_t most = std::int64_t{1} << 40;
    const bool fits =
        at.kind == Kind::integer && !at.varies && at.integer > -most / stride && at.integer < most / stride;
    if (fits && std::abs(element.offset) < most) element.offset += at.integer * stride;
    const FormulaPointer by = number_formula(static_cast<double>(stride), NumberType::i64);
    element.index =
        binary_formula("+", of.index, binary_formula("*", converted(formula_of(at), NumberType::i64), by));
    element.subscripts = of.subscripts + 1;
    if (row) return element;
    const std::string pointed = of.type.ends_with('*') ? pointed_to(of.type) : of.storage->element;
    element.type = resolved(pointed.empty() || pointed == "void" ? of.storage->element : pointed);
    element.element = true;
    return element;
}

/// Members are copied, with the arrays in them.
std::shared_ptr<Fields> copied(const Fields& fields) {
    auto copies = std::make_shared<Fields>();
    for (const auto& [name, field] : fields) {
        const Slot copy = (*copies)[name] = std::make_shared<Value>(*field);
        if (is_array(*copy)) copy->storage = std::make_shared<Storage>(*copy->storage);
        if (copy->kind == Kind::object && copy->fields) copy->fields = copied(*copy->fields);
    }
    return copies;
}

namespace {

/// A variable that holds itself, as after p = &p or p = {p, 1}, would never be freed.
void forget(Value& value, const Slot& variable) {
    if (value.slot == variable) value.slot = nullptr;
    if (value.target == variable) value.target = nullptr;
    for (Value& element : value.list) forget(element, variable);
}

}  // namespace

Value Walk::assign(const Value& to, const Value& given, Origin origin) {
    if (to.element) {
        fill_element(to, given, origin);
        return given;
    }
    const Value value = loaded(given);
    Value stored = value;
    stored.slot = stored.extent_slot = nullptr;
    if (to.extent_slot) {
        std::optional<std::int64_t>& side = to.extent_slot->extent[to.axis];
        if (second_branch_ && side) return to;
        side.reset();
        if (value.kind == Kind::integer) side = value.integer;
        to.extent_slot->extent_roots[to.axis] = value.roots;
        to.extent_slot->sides[to.axis] = uncertain_ ? nullptr : formula_of(value);
        if (origin.line != 0) to.extent_slot->origin = origin;
        return stored;
    }
    if (!to.slot) {
        if (to.kind == Kind::address && to.target) return assign(look_at(to.target), value, origin);
        return stored;
    }
    if (uncertain_) {
        const Value& before = *to.slot;
        const bool numbers = value.is_number() || value.formula;
        if (numbers && before.kind != Kind::memory) {
            const FormulaPointer chosen =
                guard_.known ? replaced_where(guard_.condition, formula_of(value), formula_of(before))
                             : nullptr;
            if (second_branch_ && before.known() && !before.assumed) {
                to.slot->varies = true;
                to.slot->formula = chosen;
                return *to.slot;
            }
            stored.varies = true;
            stored.formula = chosen;
        }
    }
    if (second_branch_ && to.slot->known() && !to.slot->assumed) {
        const auto is_same = [&](const Value& known) {
            return known.kernel == value.kernel && known.template_arguments == value.template_arguments;
        };
        std::vector<Value>& others = to.slot->others;
        const bool is_other = !value.kernel.empty() && !to.slot->kernel.empty() && !is_same(*to.slot);
        if (is_other && std::ranges::none_of(others, is_same)) others.push_back(value);
        return *to.slot;
    }
    const std::string type = to.slot->type;
    const auto fields = to.slot->fields;
    if (value.kind == Kind::object && value.fields && !value.type.ends_with("[]")) {  // else a pointer to it
        stored.fields = copied(*value.fields);
    }
    if (origin.line != 0) stored.origin = origin;
    if (!type.empty() && type != "auto") {
        stored.type = type;
        if (stored.kind == Kind::memory && stored.storage->element.empty())
            stored.storage->element = pointed_to(type);
        if (stored.is_number() && is_real_word(type) && stored.kind == Kind::integer)
            stored.kind = Kind::real, stored.real = static_cast<double>(stored.integer);
        else if (stored.kind == Kind::real && size_of_type(type)) stored = cast_to(std::move(stored), type);
    }
    forget(stored, to.slot);
    *to.slot = stored;
    stored.slot = to.slot;
    return stored;
}

Value Walk::look_at(const Slot& slot) {
    Value value = *slot;
    value.slot = slot;
    return value;
}

/// std::swap(a, b), a.swap(b). False: it is none of the library's.
bool Walk::swap_variables(const Call& call) {
    const std::size_t given = call.arguments.size();
    if (call.object ? given != 1 || own_type(call.object->type) != nullptr
                    : given != 2 || functions_.contains("swap"))
        return false;
    const Value a = call.object ? *call.object : call.arguments[0];
    const Value b = call.arguments[given - 1];
    const bool variables = a.slot && b.slot && !a.element && !b.element;
    if (variables && second_branch_) return true;
    if (variables) {
        std::swap(*a.slot, *b.slot);
        std::swap(a.slot->type, b.slot->type);
    }
    if (variables && !uncertain_ && guard_.known && !guard_.condition) return true;
    for (const Value* value : {&a, &b})
        if (value->storage) guess_as_before(*value->storage, "a swap that is not followed", call.origin);
    return true;
}

}  // namespace warplens::instrumentation::host_code
