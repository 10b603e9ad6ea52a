// Walk: the structures of a file, their sizes and members.
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>

#include "instrumentation/host_code/walk.h"

namespace warplens::instrumentation::host_code {

namespace {

/// "float" of float4, float3x2 is none; empty: it is no such type.
std::string side_of(const std::string& type) {
    if (type.size() < 4 || type.back() < '2' || type.back() > '4' || !size_of_type(type)) return {};
    const std::string plain = type.substr(0, type.size() - 1);
    if (plain == "uint") return "unsigned int";
    if (plain == "uchar") return "unsigned char";
    if (plain == "ushort") return "unsigned short";
    for (const char* known : {"float", "double", "int", "short", "char"})
        if (plain == known) return plain;
    return {};
}

}  // namespace

bool is_array(const Value& value) {
    return value.kind == Value::Kind::memory && value.storage && !value.type.ends_with('*');
}

std::optional<std::int64_t> Walk::size_of(const std::string& written) {
    const auto layout = layout_of(resolved(written));
    return layout && layout->bytes > 0 ? std::optional(layout->bytes) : std::nullopt;
}

std::optional<Layout> Walk::layout_of(const std::string& type) {
    if (const auto open = type.find('['); open != std::string::npos && type.ends_with(']')) {
        auto layout = layout_of(type.substr(0, open));
        const std::int64_t count = std::atoll(type.c_str() + open + 1);
        if (!layout || count < 1 ||
            count > (std::int64_t{1} << 40) / std::max<std::int64_t>(layout->bytes, 1))
            return std::nullopt;
        layout->bytes *= count;
        return layout;
    }
    if (const auto size = size_of_type(type)) {
        const bool three = type.ends_with('3');
        return Layout{*size, std::clamp<std::int64_t>(three ? *size / 3 : *size, 1, 16)};
    }
    const Item* const own = own_type(type);
    if (!own || open_.size() > 40 || frames_.size() > 56 || too_many_classes()) return std::nullopt;
    Layout whole;
    for (const auto& [name, of] : members_of(type)) {
        const auto member = of == type ? std::nullopt : layout_of(of);
        if (!member) return std::nullopt;
        whole.bytes = (whole.bytes + member->alignment - 1) / member->alignment * member->alignment;
        whole.bytes += member->bytes;
        whole.alignment = std::max(whole.alignment, member->alignment);
    }
    whole.bytes = (whole.bytes + whole.alignment - 1) / whole.alignment * whole.alignment;
    return whole;
}

std::vector<std::pair<std::string, std::string>> Walk::members_of(const std::string& type) {
    std::vector<std::pair<std::string, std::string>> members;
    if (const std::string side = side_of(type); !side.empty()) {
        for (char axis = '0'; axis < type.back(); ++axis)
            members.emplace_back(std::string(1, "xyzw"[axis - '0']), side);
        return members;
    }
    const Item* const own = own_type(type);
    if (!own || too_many_classes()) return members;
    const auto leave = [&] { frames_.pop_back(); };
    frames_.push_back(frame_in(type));
    for (const Item& member : inside_of(*own)) {
        if (member.kind != ItemKind::variable || member.is_local) continue;  // static
        std::size_t at = member.begin;
        const std::string of = resolved(read_type(tokens_, at, member.end, *this));
        for (; at < member.end; ++at) {
            while (at < member.end && !tokens_[at].is_word()) ++at;
            if (at >= member.end) break;
            const bool star = tokens_[at - 1].is("*") && !of.ends_with('*');
            const std::string name(tokens_[at].text), plain = star ? of + "*" : of;
            if (at + 1 >= member.end || !tokens_[at + 1].is("[")) {
                members.emplace_back(name, plain);
            } else {
                std::int64_t count = 1;
                for (++at; at < member.end && tokens_[at].is("[");) {
                    std::size_t inside = at + 1;
                    const Value extent = evaluate(tokens_, inside, member.end, *this);
                    const bool fits = extent.kind == Value::Kind::integer && extent.integer > 0 &&
                                      extent.integer <= (std::int64_t{1} << 30) / count;
                    if (!fits) return leave(), decltype(members)();
                    count *= extent.integer;
                    at = std::min(closing(tokens_, at, member.end) + 1, member.end);
                }
                members.emplace_back(name, plain + "[" + std::to_string(count) + "]");
            }
            while (at < member.end && !tokens_[at].is(",")) {  // = 0, {0}
                if (tokens_[at].is("(") || tokens_[at].is("{")) at = closing(tokens_, at, member.end);
                ++at;
            }
        }
    }
    leave();
    return members;
}

std::vector<std::string> Walk::parts_of(const std::string& type) {
    std::vector<std::string> parts;
    constexpr std::size_t most_parts = 256;
    std::int64_t bytes = 0;
    const auto add = [&](const auto& self, const std::string& of) -> bool {
        if (const auto open = of.find('['); open != std::string::npos) {
            for (std::int64_t left = std::atoll(of.c_str() + open + 1); left > 0; --left)
                if (!self(self, of.substr(0, open))) return false;
            return true;
        }
        const auto members = members_of(of);
        if (members.empty()) {
            const auto size = size_of_type(of);
            if (!size || of.ends_with('*') || parts.size() >= most_parts) return false;
            parts.push_back(of);
            bytes += *size;
            return true;
        }
        if (const Item* const own = own_type(of)) {
            if (own->body == 0) return false;
            const std::string_view name = own->name == 0 ? "" : tokens_[own->name].text;  // of a typedef
            for (std::size_t at = own->begin; at < own->end; ++at)
                if (tokens_[at].is("class") || tokens_[at].is("private") || tokens_[at].is("protected") ||
                    tokens_[at].is("virtual") || (at < own->body && tokens_[at].is(":")) ||
                    (tokens_[at].text == name && at + 1 < own->end && tokens_[at + 1].is("(")))
                    return false;
        }
        return std::ranges::all_of(members, [&](const auto& member) { return self(self, member.second); });
    };
    if (members_of(type).empty() || !add(add, type)) return {};
    const auto layout = layout_of(type);
    return layout && layout->bytes == bytes ? parts : std::vector<std::string>();
}

std::string Walk::unit_of(const std::string& structure) {
    if (size_of_type(structure)) return {};
    const auto parts = parts_of(resolved(structure));
    if (parts.empty()) return {};
    if (std::ranges::all_of(parts, [&](const std::string& part) { return part == parts[0]; }))
        return parts[0];
    const bool words =
        std::ranges::all_of(parts, [](const std::string& part) { return size_of_type(part) == 4; });
    return words ? "int" : "";
}

std::string Walk::word_of(const std::string& structure) {
    const auto parts = parts_of(resolved(structure));
    const auto size = parts.empty() ? std::nullopt : size_of_type(parts[0]);
    const bool same = size && std::ranges::all_of(
                                  parts, [&](const std::string& part) { return size_of_type(part) == size; });
    return !same        ? "unsigned char"
           : *size == 4 ? "unsigned int"
           : *size == 2 ? "unsigned short"
                        : "unsigned char";
}

bool Walk::add_numbers(const std::string& type, const Value& given, std::vector<FormulaPointer>& numbers) {
    constexpr std::size_t most_numbers = 4096;
    const Value value = loaded(given);
    std::vector<std::pair<std::string, std::string>> parts = members_of(type);
    if (const auto open = type.find('['); open != std::string::npos) {
        const std::int64_t count = std::atoll(type.c_str() + open + 1);
        if (count > static_cast<std::int64_t>(most_numbers)) return false;
        parts.assign(static_cast<std::size_t>(count), {"", type.substr(0, open)});
    }
    if (parts.empty()) {
        FormulaPointer number = formula_of(value);
        if (!number || number->kind != Formula::Kind::number || numbers.size() >= most_numbers) return false;
        numbers.push_back(converted(std::move(number), number_type_of(type)));
        return numbers.back() != nullptr;
    }
    const bool zero = value.kind == Value::Kind::integer && value.integer == 0 && !value.varies;
    const bool array = value.kind == Value::Kind::memory && value.storage && type.ends_with(']');
    if (!zero && !value.fields && !array &&
        (value.kind != Value::Kind::list || value.list.size() > parts.size()))
        return false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        Value part = Value::of(0);  // what a list leaves out
        if (array) {
            part = value;
            part.element = true;
            part.type = parts[i].second;
            part.index = number_formula(static_cast<double>(i), NumberType::i64);
        } else if (value.fields) {
            const auto field = value.fields->find(parts[i].first);
            part = field == value.fields->end() ? Value() : *field->second;
        } else if (i < value.list.size()) {
            part = value.list[i];
        }
        if (!add_numbers(parts[i].second, part, numbers)) return false;
    }
    return true;
}

Value Walk::zero_of(const std::string& type, Origin origin) {
    Value zero = own_type(type) ? constructed(type, {}, origin) : Value();
    zero.kind = Value::Kind::object;
    zero.type = type;
    zero.origin = origin;
    if (!zero.fields) zero.fields = std::make_shared<Fields>();
    for (const auto& [name, of] : members_of(type)) {
        Slot& field = (*zero.fields)[name];
        if (!field) field = std::make_shared<Value>();
        if (field->storage && is_array(*field)) {
            fill_all(*field->storage, field->storage->element, number_formula(0, NumberType::i32), origin);
        } else if (of != type && !of.ends_with(']') && !members_of(of).empty()) {
            *field = zero_of(of, origin);
        } else {
            *field = is_real_word(of) ? Value::of_real(0) : Value::of(0);
            field->type = of;
            field->origin = origin;
        }
    }
    return zero;
}

/// Sphere s[2] = { {{0, 1, 2}, 3}, … }, zero after them.
void Walk::fill_structures(const std::vector<Value>& list, Storage& storage, Origin origin) {
    const std::string unit = unit_of(storage.element);
    const std::vector<std::string> types = parts_of(resolved(storage.element));
    std::vector<FormulaPointer> numbers;
    const auto add = [&](const Value& value) { return add_numbers(storage.element, value, numbers); };
    if (unit.empty() || !std::ranges::all_of(list, add))
        return guess(storage, "an initializer that is not followed", origin);
    for (std::size_t i = 0; i < numbers.size() && unit == "int"; ++i)
        if (is_real_word(types[i % types.size()]))  // the bits of a real member among integers
            numbers[i] = number_formula(std::bit_cast<std::int32_t>(static_cast<float>(numbers[i]->number)),
                                        NumberType::i32);
    storage.contents = {Contents::Kind::known, number_formula(0, NumberType::i32), "", {}, origin};
    if (numbers.empty()) return;
    storage.contents.formula = list_formula(std::move(numbers), number_type_of(unit));
    storage.contents.unit = unit;
    if (!storage.contents.formula) guess(storage, "an initializer that is not followed", origin);
}

/// p[i].x: counted in elements of the member's type.
Value Walk::member_of_element(const Value& object, const std::string& name, Origin origin) {
    Value member = object;
    member.slot = nullptr;
    member.origin = origin;
    member.index = nullptr;
    member.type.clear();
    member.index_bytes = 0;
    const auto whole = size_of(object.type);
    std::int64_t place = 0;
    for (const auto& [word, type] : members_of(object.type)) {
        const auto layout = layout_of(type);
        if (!layout || layout->bytes <= 0) return member;
        place = (place + layout->alignment - 1) / layout->alignment * layout->alignment;
        if (word != name) {
            place += layout->bytes;
            continue;
        }
        member.type = type;
        if (!whole || type.ends_with(']')) return member;
        // Of a member that does not divide the structure, the index counts what divides both.
        const std::int64_t counted = object.index_bytes != 0 ? object.index_bytes : *whole;
        const std::int64_t unit = std::gcd(std::gcd(counted, place), layout->bytes);
        const auto number = [](std::int64_t n) {
            return number_formula(static_cast<double>(n), NumberType::i64);
        };
        member.index = binary_formula("+", binary_formula("*", object.index, number(counted / unit)),
                                      number(place / unit));
        if (unit != layout->bytes) member.index_bytes = unit;
        return member;
    }
    return member;
}

/// An object's member before anything is assigned to it but what its declaration says.
Value Walk::fresh_member(const Item& member, std::string_view name, Origin origin) {
    Value value;
    std::size_t at = member.begin;
    value.type = resolved(read_type(tokens_, at, member.end, *this));
    while (at < member.end && tokens_[at].text.data() != name.data()) ++at;
    if (at > member.begin && at < member.end && tokens_[at - 1].is("*") && !value.type.ends_with('*'))
        value.type += '*';
    if (++at >= member.end) return value;
    if (tokens_[at].is("[")) {
        if (!own_type(value.type))
            return array(tokens_, at, member.end, value.type, std::string(name), origin);
        value.type += "[]";  // its elements are objects
        return value;
    }
    const std::string type = value.type;
    if ((own_type(type) || is_vector(type)) && frames_.size() < 40) value = constructed(type, {}, origin);
    if (!tokens_[at].is("=") && !tokens_[at].is("{")) return value;
    const bool braces = tokens_[at].is("{");
    std::size_t from = braces ? at : at + 1;
    Value given = evaluate(tokens_, from, member.end, *this);
    if (given.kind == Value::Kind::list && own_type(type)) given = constructed(type, given.list, origin);
    else if (given.kind == Value::Kind::list && size_of_type(type) && side_of(type).empty())
        given = given.list.empty() ? Value::of(0) : given.list[0];
    if (!given.known()) return value;
    Value to;
    to.slot = std::make_shared<Value>(std::move(value));
    assign(to, given, origin);
    to.slot->slot = nullptr;
    return *to.slot;
}

}  // namespace warplens::instrumentation::host_code
