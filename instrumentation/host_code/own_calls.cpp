// Walk: calls of the file's own functions, lambdas and constructors.
#include <algorithm>
#include <utility>

#include "instrumentation/host_code/walk.h"

namespace warplens::instrumentation::host_code {

using Kind = Value::Kind;

Value Walk::call_lambda(const Function& function, const std::vector<Value>& arguments) {
    if (open_.size() >= 24 || frames_.size() > 48 || lambdas_ > 8) return {};
    ++lambdas_;
    const bool uncertain = std::exchange(uncertain_, false);
    frames_.back().scopes.emplace_back();  // what it captures is in the scopes around it
    const Tokens& tokens = function.tokens;
    if (function.parameters != 0) {
        const std::size_t close = closing(tokens, function.parameters, tokens.size());
        parameters_of(tokens, function.parameters + 1, close, arguments);
    }
    block(tokens, function.body + 1, closing(tokens, function.body, tokens.size()));
    Frame& frame = frames_.back();
    frame.scopes.pop_back();
    frame.left = false;
    uncertain_ = uncertain;
    --lambdas_;
    return std::exchange(frame.result, Value());
}

/// `return { … };` makes what the function returns; its frame is the last one.
Value Walk::returned(const Item& function, Value list) {
    std::size_t at = function.begin;
    if (tokens_[at].is("template")) at = after_template_arguments(tokens_, at + 1, function.name);
    const std::string type = resolved(read_type(tokens_, at, function.name, *this));
    if (is_vector(type)) return listed(type, list.list, list.origin);
    if (type == "dim3" || own_type(type)) return made(type, list.list, list.origin);
    return list;
}

Value Walk::call_of_user(const Call& call) {
    const Item* best = nullptr;
    const auto [first, last] = functions_.equal_range(call.name);
    const auto parameters_of_item = [&](const Item& item) {
        std::size_t count = 0;
        const std::size_t close = closing(tokens_, item.parameters, item.end);
        for (std::size_t i = item.parameters + 1; i < close; ++i) {
            if (count == 0) count = 1;
            if (tokens_[i].is("<")) i = std::max(i, after_template_arguments(tokens_, i, close) - 1);
            else if (tokens_[i].is("(")) i = closing(tokens_, i, close);
            else if (tokens_[i].is(",")) ++count;
        }
        return count;
    };
    // A member function of the object's class, or of the class that is followed, before others.
    const Item* const of = call.object       ? own_type(call.object->type)
                           : frames_.empty() ? nullptr
                                             : own_type(frames_.back().self);
    const bool any = of != nullptr && std::any_of(first, last, [&](const auto& found) {
                         return class_of(*found.second) == of;
                     });
    int most = -1;
    for (auto found = first; found != last; ++found) {
        const Item& item = *found->second;
        if (item.is_kernel || (any && class_of(item) != of)) continue;
        if (call.object && call.object->kind == Kind::object && item.scope.empty() &&
            tokens_[item.name - 1].is("::") == false)
            continue;
        if (!best) best = &item;
        const std::size_t count = parameters_of_item(item);  // the last ones may have defaults
        if (count < call.arguments.size()) continue;
        const int agree = 2 * agreement(item, call.arguments) + (count == call.arguments.size() ? 1 : 0);
        if (agree > most) best = &item, most = agree;
    }
    if (best == nullptr) {
        if (auto extent = extent_of_tensor(call)) return *extent;
        escapes(call);
        if (call.name.empty() && call.object && call.object->random)
            return *call.object;  // of a distribution
        // Whoever it is given to calls it. AT_DISPATCH_FLOATING_TYPES(…) does so with scalar_t, float first.
        if (call.name.starts_with("AT_DISPATCH")) frames_.back().types["scalar_t"] = "float";
        for (const Value& argument : call.arguments)
            if (argument.kind == Kind::function && argument.function) call_lambda(*argument.function, {});
        Value unknown;
        unknown.origin = call.origin;
        for (const Value& argument : call.arguments) {
            unknown.varies = unknown.varies || argument.varies;
            unknown.random = unknown.random || argument.random;
        }
        const auto sounds_random = [&](const std::string& name) {
            return name.find("rand") != std::string::npos || name.find("Rand") != std::string::npos ||
                   name.find("dist") != std::string::npos || name.find("uniform") != std::string::npos;
        };
        unknown.random = unknown.random || sounds_random(call.name) ||
                         (call.name.empty() && call.object && !call.arguments.empty());
        unknown.varies = true;
        return unknown;
    }
    const std::size_t depth = frames_.size();
    body_of(*best, call);
    if (frames_.size() <= depth) return {};
    Value result = std::move(frames_.back().result);
    if (result.kind == Kind::list) result = returned(*best, std::move(result));
    frames_.resize(depth);
    if (!names_before(*best, "&")) result.slot = nullptr;  // else what it refers to can be assigned
    return result;
}

/// How many arguments are what the parameter's type says: a number, a container, memory or an object. Of
/// functions with one name, the one that is meant has the most.
int Walk::agreement(const Item& function, const std::vector<Value>& arguments) {
    int count = 0;
    std::size_t index = 0;
    const std::size_t close = closing(tokens_, function.parameters, function.end);
    for (std::size_t at = function.parameters + 1; at < close && index < arguments.size(); ++at, ++index) {
        const std::string type = read_type(tokens_, at, close, *this);
        const Value& given = arguments[index];
        const bool container = is_vector(type), pointer = type.ends_with('*');
        const bool object = !pointer && own_type(type) != nullptr;
        const bool typed = given.storage && !given.storage->element.empty();
        count += type == (typed ? given.storage->element + "*" : given.type);
        if (given.kind == Kind::memory) count += is_vector(given.type) ? container : pointer;
        else if (given.kind == Kind::object) count += object;
        else if (given.is_number() || given.formula) count += !container && !pointer && !object;
        while (at < close && !tokens_[at].is(",")) {
            if (tokens_[at].is("(") || tokens_[at].is("{")) at = closing(tokens_, at, close);
            ++at;
        }
    }
    return count;
}

Value Walk::as_pointer(const Value& object) {
    const Item* const own = object.kind == Kind::object && object.fields ? own_type(object.type) : nullptr;
    if (own == nullptr) return object;
    const auto [first, last] = functions_.equal_range("*");  // the last token of the name operator T*
    const auto converts = [&](const auto& found) {
        const Item& item = *found.second;
        return class_of(item) == own && closing(tokens_, item.parameters, item.end) == item.parameters + 1 &&
               item.name > 1 && !tokens_[item.name - 1].is("operator");
    };
    if (std::none_of(first, last, converts)) return object;
    const Value pointer = call_of_user({"*", "", {}, {}, {}, object, object.origin});
    return pointer.kind == Kind::memory ? pointer : object;
}

std::vector<std::string> Walk::parameter_types(const Item& function) {
    std::vector<std::string> types;
    const std::size_t close = closing(tokens_, function.parameters, function.end);
    for (std::size_t at = function.parameters + 1; at < close; ++at) {
        types.push_back(read_type(tokens_, at, close, *this));
        while (at < close && !tokens_[at].is(",")) {
            if (tokens_[at].is("(") || tokens_[at].is("{")) at = closing(tokens_, at, close);
            ++at;
        }
    }
    return types;
}

const Item* Walk::launched_kernel(const WalkedLaunch& launch) {
    const Item* best = nullptr;
    int most = -1;
    frames_.emplace_back().scopes.emplace_back();
    for (const Item& item : items_) {
        if (!item.is_kernel || item.name == 0 || item.parameters == 0 ||
            tokens_[item.name].text != launch.kernel ||
            (!launch.scope.empty() && !item.scope.ends_with(launch.scope)))
            continue;
        int agree = 0;
        if (parameter_types(item).size() == launch.arguments.size())
            agree += 1 + agreement(item, launch.arguments);
        if (agree > most) best = &item, most = agree;
    }
    frames_.pop_back();
    return best;
}

/// Another constructor of the object that is being made.
void Walk::construct_this(const std::vector<Value>& arguments, Origin origin) {
    Value object;
    object.kind = Kind::object;
    object.fields = frames_.back().object;
    object.type = frames_.back().self;
    construct(object, object.type, arguments, origin);
}

void Walk::construct(Value& object, const std::string& type, const std::vector<Value>& arguments,
                     Origin origin) {
    const Item* const own = own_type(type);
    if (object.kind != Kind::object || !own || own->name == 0) return;
    const std::string plain(tokens_[own->name].text);
    Call call{plain, "", {}, arguments, {}, object, origin};
    const auto [first, last] = functions_.equal_range(plain);
    if (std::any_of(first, last, [&](const auto& found) { return class_of(*found.second) == own; }))
        call_of_user(call);
}

}  // namespace warplens::instrumentation::host_code
