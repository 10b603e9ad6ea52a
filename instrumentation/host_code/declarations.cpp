// Walk: declarations of variables, and how objects, containers and arrays come to be.
#include <algorithm>
#include <cmath>
#include <utility>

#include "instrumentation/host_code/arithmetic.h"
#include "instrumentation/host_code/walk.h"

namespace warplens::instrumentation::host_code {

namespace {

using Kind = Value::Kind;

/// "float" of "std::vector<float>", "float,4" of "array<float,4>".
std::string inside_angles(const std::string& type) {
    const std::size_t open = type.find('<'), close = type.rfind('>');
    if (open == std::string::npos || close == std::string::npos || close < open) return {};
    return type.substr(open + 1, close - open - 1);
}

/// { 'A', 'C' } of "AC".
Value list_of_text(std::string_view text) {
    Value list;
    list.kind = Kind::list;
    for (const char c : text) list.list.push_back(Value::of(c));
    return list;
}

}  // namespace

void Walk::declare(const std::string& type, const std::string& name, Value given, Origin origin) {
    Value value = loaded(given);
    if (!value.known() && !value.text.empty() && (type == "char*" || type == "auto"))
        value = memory_of_text("char*", value.text, true, origin);
    auto slot = std::make_shared<Value>();
    slot->type = type == "auto" ? value.type : type;
    slot->origin = origin;
    Value to;
    to.slot = slot;
    const bool second = std::exchange(second_branch_, false), uncertain = std::exchange(uncertain_, false);
    if (value.known() || value.random || value.fields) assign(to, value, origin);
    second_branch_ = second, uncertain_ = uncertain;
    if (value.side != 0) *slot = side_of_tensor(*slot, value.side);
    slot->varies = value.varies;
    slot->random = value.random;
    slot->formula = value.formula;
    if (slot->formula && size_of_type(slot->type))
        slot->formula = converted(slot->formula, number_type_of(slot->type));
    if (slot->storage && slot->storage->name.empty()) slot->storage->name = name;
    slot->slot = nullptr;
    assume_container(slot, name);
    frames_.back().scopes.back()[name] = slot;
}

/// A reference: the variable, or the element of memory, by another name.
void Walk::bind(const std::string& name, Value value) {
    const Slot slot = value.element ? nullptr : value.slot;
    value.slot = nullptr;
    frames_.back().scopes.back()[name] = slot ? slot : std::make_shared<Value>(std::move(value));
}

Value Walk::constructed(const std::string& type, const std::vector<Value>& arguments, Origin origin) {
    Value value;
    value.origin = origin;
    if (type == "dim3" || type == "uint3") {
        if (arguments.size() == 1 && arguments[0].kind == Kind::extent) return arguments[0];
        value.kind = Kind::extent;
        for (std::size_t i = 0; i < 3; ++i)
            value.sides[i] = formula_of(i < arguments.size() ? arguments[i] : Value::of(1));
        for (std::size_t i = 0; i < std::min<std::size_t>(arguments.size(), 3); ++i) {
            if (arguments[i].kind == Kind::integer) value.extent[i] = arguments[i].integer;
            else if (arguments[i].kind == Kind::real) value.extent[i] = integer_of(arguments[i].real);
            else value.extent[i] = std::nullopt;
            value.extent_roots[i] = arguments[i].roots;
            if (arguments[i].origin.line > value.origin.line && arguments[i].origin.file == origin.file)
                value.origin = arguments[i].origin;
        }
        return value;
    }
    if (is_vector(type)) {
        const std::string inside = inside_angles(type);
        std::string element = resolved(inside.substr(0, inside.find(',')));
        if (element.ends_with("[]")) element.resize(element.size() - 2);
        std::optional<std::int64_t> count;
        if (inside.find(',') != std::string::npos && type.find("array<") != std::string::npos) {
            const Tokens number = tokenize(std::string_view(inside).substr(inside.find(',') + 1));
            std::size_t at = 0;
            const Value extent = evaluate(number, at, number.size(), *this);
            if (extent.kind == Kind::integer) count = extent.integer;
        }
        if (arguments.size() == 1 && !arguments[0].text.empty() && element == "char") {  // of a string
            return memory_of_text(type, arguments[0].text, false, origin);
        }
        if (!arguments.empty() && arguments[0].kind == Kind::memory) {  // copied, or from begin to end
            value = arguments[0];
            value.slot = nullptr;
            if (type.find("unique_ptr<") != std::string::npos) return value;  // of the memory itself
            value.storage = std::make_shared<Storage>(*arguments[0].storage);
            value.storage->element = element;
            if (arguments.size() > 1 && arguments[1].offset > arguments[0].offset)  // p, p + n
                value.storage->bytes =
                    (arguments[1].offset - arguments[0].offset) * size_of(element).value_or(1);
            return value;
        }
        if (!arguments.empty() && arguments[0].kind == Kind::integer) count = arguments[0].integer;
        const auto size = size_of(element);
        constexpr std::int64_t most = std::int64_t{1} << 40;
        const bool fits = count && size && *count >= 0 && *count < most;
        value = memory_of(element, fits ? std::optional(*count * *size) : std::nullopt, origin,
                          arguments.empty() ? Roots() : arguments[0].roots);
        value.type = type;
        const bool filled = type.find("unique_ptr") == std::string::npos && (count || !arguments.empty());
        if (filled) fill_whole(value, arguments.size() > 1 ? arguments[1] : Value::of(0), origin);
        return value;
    }
    if (auto numbers = random_numbers(type, arguments)) return *numbers;
    const Item* const own = own_type(type);
    if (!own) return arguments.size() == 1 ? arguments[0] : value;
    value.kind = Kind::object;
    value.type = type;
    value.fields = std::make_shared<Fields>();
    if (frames_.size() > 48 || too_many_classes()) return value;
    frames_.push_back(frame_in(type));
    std::size_t index = 0;
    static constexpr int most_members = 64;
    for (const Item& member : inside_of(*own)) {
        if (member.kind != ItemKind::variable || member.is_local || index > most_members) continue;
        for (const std::string_view name : member.declares) {
            auto field = std::make_shared<Value>(fresh_member(member, name, origin));
            if (index < arguments.size()) set_member(field, arguments[index], origin);
            (*value.fields)[std::string(name)] = field;
            ++index;
        }
    }
    frames_.pop_back();
    return value;
}

/// What a list of initializers gives a member.
void Walk::set_member(const Slot& field, const Value& given, Origin origin) {
    if (is_array(*field) && given.kind == Kind::list) {
        fill_list(given.list, *field->storage, origin);
        return;
    }
    if (field->type.ends_with("[]") && given.kind == Kind::list) {
        const std::string element = field->type.substr(0, field->type.size() - 2);
        *field = given;
        for (Value& of : field->list)
            of = made(element, of.kind == Kind::list ? of.list : std::vector{of}, origin);
        return;
    }
    Value to;
    to.slot = field;
    const bool own = own_type(field->type) != nullptr;
    assign(to, own && given.kind == Kind::list ? made(field->type, given.list, origin) : given, origin);
}

/// With what the constructor does.
Value Walk::made(const std::string& type, const std::vector<Value>& arguments, Origin origin) {
    const bool copies = arguments.size() == 1 && arguments[0].kind == Kind::object;
    if (copies && own_type(arguments[0].type) == own_type(type)) {
        Value copy = arguments[0];
        copy.slot = nullptr;
        if (copy.fields) copy.fields = copied(*copy.fields);
        return copy;
    }
    Value value = constructed(type, arguments, origin);
    construct(value, type, arguments, origin);
    return value;
}

/// std::string s = "ACGT"; with the 0 at its end: const char* s = "ACGT".
Value Walk::memory_of_text(const std::string& type, std::string_view text, bool with_end, Origin origin) {
    Value list = list_of_text(text);
    if (with_end) list.list.push_back(Value::of(0));
    Value memory = listed("std::vector<char>", list.list, origin);
    memory.type = type;
    memory.text = text;
    if (text.find('\\') != std::string_view::npos)
        guess(*memory.storage, "a text that is not followed", origin);
    return memory;
}

/// std::vector<float> v{1, 2, 3}
Value Walk::listed(const std::string& type, const std::vector<Value>& list, Origin origin) {
    const std::string inside = resolved(inside_angles(type));
    Value objects;
    objects.list = list;
    if (make_objects(inside.substr(0, inside.find(',')), objects, origin)) return objects;
    Value value = memory_of(inside, std::nullopt, origin);
    if (const auto size = size_of(value.storage->element)) value.storage->bytes = *size * std::ssize(list);
    fill_list(list, *value.storage, origin);
    return value;
}

bool Walk::make_objects(const std::string& type, Value& list, Origin origin) {
    const auto has_kernel = [](const Value& element) {
        return std::ranges::any_of(element.list, [](const Value& part) { return !part.kernel.empty(); });
    };
    if (!own_type(type) || std::ranges::none_of(list.list, has_kernel)) return false;
    for (Value& element : list.list)
        if (element.kind == Kind::list) element = made(type, element.list, origin);
    list.kind = Kind::list;
    list.origin = origin;
    return true;
}

/// float a[N][M] = { … }
Value Walk::array(const Tokens& tokens, std::size_t& at, std::size_t end, const std::string& type,
                  const std::string& name, Origin origin) {
    std::int64_t count = 1;  // 0: not known
    std::vector<std::int64_t> extents;
    Roots roots;
    while (at < end && tokens[at].is("[")) {
        const std::size_t close = closing(tokens, at, end);
        std::size_t inside = at + 1;
        const Value extent = evaluate(tokens, inside, close, *this);
        const bool fits = extent.kind == Kind::integer && extent.integer > 0 && extent.integer < (1LL << 40);
        if (!fits || count > (1LL << 40) / extent.integer) count = 0;
        else count *= extent.integer;
        extents.push_back(fits ? extent.integer : 1);
        roots = merged(roots, extent.roots);
        at = std::min(close + 1, end);
    }
    Value list;
    if (at < end && tokens[at].is("=")) list = evaluate(tokens, ++at, end, *this);
    else if (at < end && tokens[at].is("{")) list = evaluate(tokens, at, end, *this);
    if (type == "char" && !list.text.empty() && list.text.find('\\') == std::string_view::npos) {
        list = list_of_text(list.text);
        list.list.push_back(Value::of(0));
    }
    if (list.kind == Kind::list && make_objects(type, list, origin)) return list;
    const bool elements_known = list.kind == Kind::list && !list.list.empty() &&
                                (type.ends_with('*') || count == 0 || std::ssize(list.list) == count);
    if (elements_known &&
        (type.ends_with('*') ||
         (!list.list[0].is_number() && list.list[0].kind != Kind::list && !list.list[0].formula))) {
        list.origin = origin;
        return list;
    }
    if (count == 0 && list.kind == Kind::list) count = std::ssize(list.list);
    const auto size = size_of(type);
    Value value;
    if (type.ends_with('*')) {
        value.type = type + "*";  // of pointers
        return value;
    }
    if (!size && !own_type(type)) {  // of structures of a library
        value.kind = Kind::object;
        value.type = type + "[]";
        value.fields = std::make_shared<Fields>();
        return value;
    }
    value = memory_of(type, count > 0 && size ? std::optional(count * *size) : std::nullopt, origin, roots);
    value.type = type;  // sizeof gives its bytes
    value.storage->name = name;
    value.storage->strides.assign(extents.size(), 1);
    for (std::size_t i = extents.size(); i-- > 1;)
        value.storage->strides[i - 1] = value.storage->strides[i] * extents[i];
    if (list.kind == Kind::list) fill_list(list.list, *value.storage, origin);
    return value;
}

/// True when the statement declares variables; they are bound then.
bool Walk::declaration(const Tokens& tokens, std::size_t at, std::size_t end) {
    std::size_t next = at;
    const std::string written = read_type(tokens, next, end, *this);
    // A pointer to a function, void (*kernel)(float*, int) = transpose, or an array of them.
    if (!written.empty() && next + 3 < end && tokens[next].is("(") && tokens[next + 1].is("*") &&
        tokens[next + 2].is_word() && (tokens[next + 3].is(")") || tokens[next + 3].is("["))) {
        const Token& name = tokens[next + 2];
        std::size_t after = std::min(closing(tokens, next, end) + 1, end);
        if (after < end && tokens[after].is("(")) after = closing(tokens, after, end) + 1;
        Value value;
        if (after < end && tokens[after].is("=")) value = evaluate(tokens, ++after, end, *this);
        declare("", std::string(name.text), std::move(value), {name.file, name.line});
        return true;
    }
    if (written.empty() || next >= end || !tokens[next].is_word() || next + 1 > end) return false;
    const auto ends_name = [&](std::size_t i) {
        for (const char* mark : {"=", ";", ",", "(", "[", "{"})
            if (i < end && tokens[i].is(mark)) return true;
        return i >= end || tokens[i].is(":");
    };
    if (!ends_name(next + 1)) return false;
    const bool reference = tokens[next - 1].is("&");
    std::string base = resolved(written);
    while (base.ends_with('*')) base.pop_back();
    std::string type = resolved(written);
    while (next < end && tokens[next].is_word()) {
        const Token& token = tokens[next];
        const std::string name(token.text);
        const Origin origin{token.file, token.line};
        ++next;
        Value value;
        if (next < end && tokens[next].is("[")) {
            value = array(tokens, next, end, type, name, origin);
            auto slot = std::make_shared<Value>(std::move(value));
            if (slot->type.empty()) slot->type = type;
            frames_.back().scopes.back()[name] = std::move(slot);
        } else {
            if (next < end && tokens[next].is("=")) {
                value = evaluate(tokens, ++next, end, *this);
                if (value.kind == Kind::list && is_vector(type)) value = listed(type, value.list, origin);
                else if (value.kind == Kind::list) value = made(type, value.list, origin);
                else if (is_vector(type) || type == "dim3") {
                    const bool made_by_call = is_vector(type) && !value.known() && value.text.empty();
                    value =
                        constructed(type, made_by_call ? std::vector<Value>() : std::vector{value}, origin);
                    if (made_by_call) guess(*value.storage, "an expression that is not followed", origin);
                }
            } else if (next < end && (tokens[next].is("(") || tokens[next].is("{"))) {
                const std::size_t close = closing(tokens, next, end);
                std::vector<Value> arguments;
                const bool braces = tokens[next].is("{");
                for (std::size_t i = next + 1; i < close;) {
                    const std::size_t before = i;
                    arguments.push_back(evaluate(tokens, i, close, *this));
                    while (i < close && !tokens[i].is(",")) ++i;
                    i = std::max(i, before) + 1;
                }
                if (braces && is_vector(type)) {
                    value = listed(type, arguments, origin);
                } else {
                    value = made(type, arguments, origin);
                }
                next = std::min(close + 1, end);
            } else if (type == "dim3" || own_type(type) || is_vector(type) || is_random(type)) {
                value = made(type, {}, origin);
            }
            if (reference && (value.element || value.slot)) bind(name, std::move(value));
            else declare(type, name, std::move(value), origin);
        }
        while (next < end && !tokens[next].is(",")) {
            if (tokens[next].is("(") || tokens[next].is("{")) next = closing(tokens, next, end);
            ++next;
        }
        if (next >= end) break;
        ++next;
        type = base;
        for (; next < end && (tokens[next].is("*") || tokens[next].is("&")); ++next)
            if (tokens[next].is("*")) type += '*';
    }
    return true;
}

}  // namespace warplens::instrumentation::host_code
