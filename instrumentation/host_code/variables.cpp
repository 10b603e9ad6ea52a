// Walk: declarations, and what names, members, elements and assignments mean.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "instrumentation/host_code/walk.h"

namespace warplens::instrumentation::host_code {

namespace {

using Kind = Value::Kind;

/// Of an H200, the default GPU, as cudaGetDeviceProperties gives them.
constexpr std::pair<std::string_view, std::int64_t> device_properties[] = {
    {"multiProcessorCount", 132},
    {"maxThreadsPerBlock", 1024},
    {"warpSize", 32},
    {"maxThreadsPerMultiProcessor", 2048},
    {"major", 9},
    {"minor", 0},
    {"sharedMemPerBlock", 49152},
    {"sharedMemPerMultiprocessor", 233472},
    {"concurrentKernels", 1},
    {"managedMemory", 1},
    {"cooperativeLaunch", 1},
    {"concurrentManagedAccess", 1},
    {"deviceOverlap", 1},
    {"asyncEngineCount", 3},
    {"canMapHostMemory", 1},
    {"maxThreadsPerBlockOptin", 1024},
    {"sharedMemPerBlockOptin", 232448}};

constexpr std::pair<std::string_view, std::int64_t> known_constants[] = {{"NULL", 0},
                                                                         {"nullptr", 0},
                                                                         {"true", 1},
                                                                         {"false", 0},
                                                                         {"cudaSuccess", 0},
                                                                         {"EXIT_SUCCESS", 0},
                                                                         {"EXIT_FAILURE", 1},
                                                                         {"RAND_MAX", 2147483647},
                                                                         {"INT_MAX", 2147483647},
                                                                         {"CHAR_BIT", 8},
                                                                         {"cudaMemcpyHostToDevice", 1},
                                                                         {"cudaMemcpyDeviceToHost", 2}};

bool is_vector(const std::string& type) {
    for (const char* name : {"vector<", "device_vector<", "host_vector<", "array<", "unique_ptr<"})
        if (const auto at = type.find(name);
            at != std::string::npos && (at == 0 || type[at - 1] == ':' || type[at - 1] == '_'))
            return type.find('<') + 1 == at + std::string_view(name).size();
    return false;
}

/// "float" of "std::vector<float>", "float,4" of "array<float,4>".
std::string inside_angles(const std::string& type) {
    const std::size_t open = type.find('<'), close = type.rfind('>');
    if (open == std::string::npos || close == std::string::npos || close < open) return {};
    return type.substr(open + 1, close - open - 1);
}

std::string number_text(double number) { return fmt::format("{}", number); }

/// What all elements of a list have in common, as the filling of what it initializes.
void fill_from(const std::vector<Value>& list, Storage& storage) {
    const bool numbers = !list.empty() && std::ranges::all_of(list, &Value::is_number);
    const bool equal = numbers && std::ranges::all_of(list, [&](const Value& value) {
                           return value.number() == list[0].number();
                       });
    if (equal && list[0].number() == 0) storage.filling = Filling::zero;
    else if (numbers) storage.filling = Filling::ramp;
}

}  // namespace

Value memory_of(const std::string& element, std::optional<std::int64_t> bytes, Origin origin) {
    Value value;
    value.kind = Kind::memory;
    value.storage = std::make_shared<Storage>();
    value.storage->element = element;
    value.storage->bytes = bytes;
    value.storage->origin = origin;
    value.type = element.empty() ? "" : element + "*";
    value.origin = origin;
    return value;
}

std::string Walk::resolved(const std::string& type) {
    std::string plain = type, stars;
    while (!plain.empty() && plain.back() == '*') stars += plain.back(), plain.pop_back();
    const auto found_in = [&](const Frame& frame) {
        const auto found = frame.types.find(plain);
        return found == frame.types.end() ? std::string() : found->second;
    };
    std::string known = frames_.empty() ? std::string() : found_in(frames_.back());
    if (known.empty()) known = found_in(globals_);
    return (known.empty() ? plain : known) + stars;
}

bool Walk::is_type(const std::string& name) {
    if (size_of_type(name) || name.ends_with('*') || name == "void" || name == "auto") return true;
    if (types_.contains(name) || is_vector(name)) return true;
    return resolved(name) != name;
}

std::optional<std::int64_t> Walk::size_of(const std::string& written) {
    const std::string type = resolved(written);
    if (const auto known = size_of_type(type)) return known;
    const auto found = types_.find(type);
    if (found == types_.end() || open_.size() > 40) return std::nullopt;
    const Item& item = *found->second;
    std::int64_t bytes = 0, alignment = 1;
    const std::size_t close = closing(tokens_, item.body, item.end);
    for (const Item& member : items_of(tokens_, item.body + 1, close, {})) {
        if (member.kind != ItemKind::variable) continue;
        std::size_t at = member.begin;
        const std::string of = read_type(tokens_, at, member.end, *this);
        const auto size = of == type ? std::nullopt : size_of_type(resolved(of));
        if (!size || *size <= 0) return std::nullopt;
        const std::int64_t aligned = std::min<std::int64_t>(of.ends_with('3') ? *size / 3 : *size, 16);
        for (; at < member.end; ++at) {
            if (!tokens_[at].is_word()) continue;
            std::int64_t count = 1;
            if (at + 1 < member.end && tokens_[at + 1].is("[")) {
                std::size_t inside = at + 2;
                const Value extent = evaluate(tokens_, inside, member.end, *this);
                if (extent.kind != Kind::integer || extent.integer <= 0 || extent.integer > 1 << 20)
                    return std::nullopt;
                count = extent.integer;
                at = closing(tokens_, at + 1, member.end);
            }
            bytes = (bytes + aligned - 1) / aligned * aligned + *size * count;
            alignment = std::max(alignment, aligned);
        }
    }
    if (bytes == 0) return std::nullopt;
    return (bytes + alignment - 1) / alignment * alignment;
}

std::vector<std::pair<std::string, std::string>> Walk::members_of(const std::string& type) {
    std::vector<std::pair<std::string, std::string>> members;
    const auto found = types_.find(type);
    if (found == types_.end()) return members;
    const Item& item = *found->second;
    for (const Item& member : items_of(tokens_, item.body + 1, closing(tokens_, item.body, item.end), {})) {
        if (member.kind != ItemKind::variable) continue;
        std::size_t at = member.begin;
        std::string of = resolved(read_type(tokens_, at, member.end, *this));
        for (; at < member.end; ++at) {
            if (!tokens_[at].is_word()) continue;
            if (at + 1 < member.end && tokens_[at + 1].is("[")) return {};
            const bool star = tokens_[at - 1].is("*") && !of.ends_with('*');
            members.emplace_back(tokens_[at].text, star ? of + "*" : of);
        }
    }
    return members;
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
        Value value = *slot;
        value.slot = slot;
        return value;
    }
    for (const auto& [word, number] : known_constants)
        if (word == name) return Value::of(number);
    if (const auto colons = name.rfind("::"); colons != std::string::npos) {
        const std::string outer = name.substr(0, colons);
        const std::string type = outer.substr(outer.rfind(':') + 1);  // npos + 1: all of it
        if (const auto field = globals_scope().find(type + name.substr(colons));
            field != globals_scope().end())
            return look_at(field->second);
        return look_up(name.substr(colons + 2), origin);
    }
    // A template parameter that is a number.
    const std::string stands_for = resolved(name);
    if (stands_for != name) {
        if (stands_for == "true" || stands_for == "false") return Value::of(stands_for == "true" ? 1 : 0);
        const Tokens number = tokenize(stands_for);
        if (number.size() == 1 && number[0].kind == TokenKind::number)
            return Value::of(std::strtoll(stands_for.c_str(), nullptr, 0));
    }
    Value unknown;
    unknown.origin = origin;
    return unknown;
}

Value Walk::member(const Value& object, const std::string& name, Origin origin) {
    if (object.kind == Kind::extent && name.size() == 1) {
        const auto axis = static_cast<std::size_t>(name[0] - 'x');
        if (axis < 3 && object.extent[axis]) {
            Value value = Value::of(*object.extent[axis]);
            value.origin = object.origin;
            return value;
        }
        return {};
    }
    for (const auto& [word, number] : device_properties)
        if (word == name && !object.fields) return Value::of(number);
    if (!object.slot) {
        if (object.fields)
            if (const auto field = object.fields->find(name); field != object.fields->end())
                return *field->second;
        return {};
    }
    // A variable of a structure gets its members as they are met.
    if (!object.slot->fields) object.slot->fields = std::make_shared<Fields>();
    if (object.slot->kind == Kind::unknown) object.slot->kind = Kind::object;
    Slot& field = (*object.slot->fields)[name];
    if (!field) field = std::make_shared<Value>();
    Value value = *field;
    value.slot = field;
    if (!value.origin.line) value.origin = origin;
    return value;
}

Value Walk::index(const Value& of, const Value& at) {
    if (of.kind == Kind::list && at.kind == Kind::integer && at.integer >= 0 &&
        at.integer < static_cast<std::int64_t>(of.list.size()))
        return of.list[static_cast<std::size_t>(at.integer)];
    if (of.kind != Kind::memory) {
        // An array of pointers: each element is the same variable.
        if (of.kind == Kind::object || of.slot) return member(of, "[]", of.origin);
        return {};
    }
    Value element = of;
    element.slot = nullptr;
    element.offset += at.kind == Kind::integer && !at.varies ? at.integer : 0;
    element.varies = at.varies;
    return element;
}

/// How the elements of an array are set: by what is assigned to one of them in a loop.
void fill_element(const Value& to, const Value& value) {
    Storage& storage = *to.storage;
    if (value.random) {
        storage.filling = Filling::random;
        storage.below = value.below;
    } else if (value.varies && value.below) {
        storage.filling = Filling::random;
        storage.below = value.below;
    } else if (value.varies) {
        storage.filling = Filling::ramp;
    } else if (value.is_number()) {
        if (storage.filling == Filling::ramp || storage.filling == Filling::random) return;
        const bool zero = value.number() == 0;
        storage.filling = zero ? Filling::zero : Filling::constant;
        storage.constant =
            value.kind == Kind::integer ? std::to_string(value.integer) : number_text(value.real);
    } else if (value.kind == Kind::memory && value.storage && value.storage != to.storage) {
        storage.filling = value.storage->filling;
        storage.below = value.storage->below;
        storage.constant = value.storage->constant;
    }
}

Value Walk::assign(const Value& to, const Value& value, Origin origin) {
    Value stored = value;
    stored.slot = nullptr;
    if (!to.slot) {
        if (to.kind == Kind::memory && to.storage) fill_element(to, value);
        if (to.kind == Kind::address && to.target) return assign(look_at(to.target), value, origin);
        return stored;
    }
    if (second_branch_ && to.slot->known()) return *to.slot;
    const std::string type = to.slot->type;
    const auto fields = to.slot->fields;
    if (value.kind == Kind::object && value.fields) {
        stored.fields = std::make_shared<Fields>();  // members are copied
        for (const auto& [name, field] : *value.fields)
            (*stored.fields)[name] = std::make_shared<Value>(*field);
    }
    if (origin.line != 0) stored.origin = origin;
    if (!type.empty() && type != "auto") {
        stored.type = type;
        if (stored.kind == Kind::memory && stored.storage->element.empty())
            stored.storage->element = pointed_to(type);
        if (stored.is_number() && is_real_word(type) && stored.kind == Kind::integer)
            stored.kind = Kind::real, stored.real = static_cast<double>(stored.integer);
        else if (stored.kind == Kind::real && size_of_type(type) && !is_real_word(type) &&
                 std::abs(stored.real) < 9e18)
            stored.kind = Kind::integer, stored.integer = static_cast<std::int64_t>(stored.real);
    }
    *to.slot = stored;
    stored.slot = to.slot;
    return stored;
}

Value Walk::look_at(const Slot& slot) {
    Value value = *slot;
    value.slot = slot;
    return value;
}

void Walk::declare(const std::string& type, const std::string& name, Value value, Origin origin) {
    auto slot = std::make_shared<Value>();
    slot->type = type == "auto" ? value.type : type;
    slot->origin = origin;
    Value to;
    to.slot = slot;
    const bool second = std::exchange(second_branch_, false);
    if (value.known() || value.random || value.fields) assign(to, value, origin);
    second_branch_ = second;
    slot->varies = value.varies;
    slot->random = value.random;
    slot->below = value.below;
    if (slot->storage && slot->storage->name.empty()) slot->storage->name = name;
    slot->slot = nullptr;
    frames_.back().scopes.back()[name] = slot;
}

Value Walk::constructed(const std::string& type, const std::vector<Value>& arguments, Origin origin) {
    Value value;
    value.origin = origin;
    if (type == "dim3" || type == "uint3") {
        if (arguments.size() == 1 && arguments[0].kind == Kind::extent) return arguments[0];
        value.kind = Kind::extent;
        for (std::size_t i = 0; i < std::min<std::size_t>(arguments.size(), 3); ++i) {
            if (arguments[i].kind == Kind::integer) value.extent[i] = arguments[i].integer;
            else if (arguments[i].kind == Kind::real)
                value.extent[i] = static_cast<std::int64_t>(arguments[i].real);
            else value.extent[i] = std::nullopt;
            if (arguments[i].origin.line > value.origin.line && arguments[i].origin.file == origin.file)
                value.origin = arguments[i].origin;
        }
        return value;
    }
    if (is_vector(type)) {
        const std::string inside = inside_angles(type);
        const std::string element = resolved(inside.substr(0, inside.find(',')));
        std::optional<std::int64_t> count;
        if (inside.find(',') != std::string::npos && type.find("array<") != std::string::npos) {
            const Tokens number = tokenize(std::string_view(inside).substr(inside.find(',') + 1));
            std::size_t at = 0;
            const Value extent = evaluate(number, at, number.size(), *this);
            if (extent.kind == Kind::integer) count = extent.integer;
        }
        if (!arguments.empty() && arguments[0].kind == Kind::memory) {  // copied, or from begin to end
            value = arguments[0];
            value.slot = nullptr;
            value.storage = std::make_shared<Storage>(*arguments[0].storage);
            value.storage->element = element;
            return value;
        }
        if (!arguments.empty() && arguments[0].kind == Kind::integer) count = arguments[0].integer;
        const auto size = size_of(element);
        value = memory_of(element, count && size ? std::optional(*count * *size) : std::nullopt, origin);
        value.type = type;
        if (count) value.storage->filling = Filling::zero;
        if (arguments.size() > 1) {
            Value whole = value;
            fill_element(whole, arguments[1]);
        }
        return value;
    }
    const auto known = types_.find(type.substr(0, type.find('<')));
    if (arguments.size() == 1 && known == types_.end()) return arguments[0];
    if (known == types_.end()) return value;
    value.kind = Kind::object;
    value.type = type;
    value.fields = std::make_shared<Fields>();
    const Item& item = *known->second;
    const std::size_t close = closing(tokens_, item.body, item.end);
    std::size_t index = 0;
    static constexpr int most_members = 64;
    for (const Item& member : items_of(tokens_, item.body + 1, close, {})) {
        if (member.kind != ItemKind::variable || index > most_members) continue;
        for (const std::string_view name : member.declares) {
            auto field = std::make_shared<Value>();
            std::size_t at = member.begin;
            field->type = resolved(read_type(tokens_, at, member.end, *this));
            if (index < arguments.size()) {
                Value to;
                to.slot = field;
                assign(to, arguments[index], origin);
            }
            (*value.fields)[std::string(name)] = field;
            ++index;
        }
    }
    return value;
}

/// float a[N][M] = { … }
Value Walk::array(const Tokens& tokens, std::size_t& at, std::size_t end, const std::string& type,
                  const std::string& name, Origin origin) {
    std::int64_t count = 1;  // 0: not known
    while (at < end && tokens[at].is("[")) {
        const std::size_t close = closing(tokens, at, end);
        std::size_t inside = at + 1;
        const Value extent = evaluate(tokens, inside, close, *this);
        const bool fits = extent.kind == Kind::integer && extent.integer > 0 && extent.integer < (1LL << 40);
        if (!fits || count > (1LL << 40) / extent.integer) count = 0;
        else count *= extent.integer;
        at = std::min(close + 1, end);
    }
    Value list;
    if (at < end && tokens[at].is("=")) list = evaluate(tokens, ++at, end, *this);
    else if (at < end && tokens[at].is("{")) list = evaluate(tokens, at, end, *this);
    const bool elements_known = list.kind == Kind::list && !list.list.empty() &&
                                (type.ends_with('*') || count == 0 || std::ssize(list.list) == count);
    if (elements_known && (type.ends_with('*') || list.list[0].kind != Kind::integer)) {
        list.origin = origin;
        return list;
    }
    if (count == 0 && list.kind == Kind::list) count = std::ssize(list.list);
    const auto size = size_of(type);
    if (type.ends_with('*')) return {};
    Value value = memory_of(type, count > 0 && size ? std::optional(count * *size) : std::nullopt, origin);
    value.type = type;  // sizeof gives its bytes
    value.storage->name = name;
    if (list.kind == Kind::list) fill_from(list.list, *value.storage);
    return value;
}

/// True when the statement declares variables; they are bound then.
bool Walk::declaration(const Tokens& tokens, std::size_t at, std::size_t end) {
    std::size_t next = at;
    const std::string written = read_type(tokens, next, end, *this);
    if (written.empty() || next >= end || !tokens[next].is_word() || next + 1 > end) return false;
    const auto ends_name = [&](std::size_t i) {
        for (const char* mark : {"=", ";", ",", "(", "[", "{"})
            if (i < end && tokens[i].is(mark)) return true;
        return i >= end || tokens[i].is(":");
    };
    if (!ends_name(next + 1)) return false;
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
                if (value.kind == Kind::list) value = constructed(type, value.list, origin);
                else if (is_vector(type) || type == "dim3") value = constructed(type, {value}, origin);
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
                    value = memory_of(resolved(inside_angles(type)), std::nullopt, origin);
                    if (const auto size = size_of(value.storage->element))
                        value.storage->bytes = *size * std::ssize(arguments);
                    fill_from(arguments, *value.storage);
                } else {
                    value = constructed(type, arguments, origin);
                    construct(value, type, arguments, origin);
                }
                next = std::min(close + 1, end);
            } else if (type == "dim3" || types_.contains(type) || is_vector(type)) {
                value = constructed(type, {}, origin);
            }
            declare(type, name, std::move(value), origin);
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
