#include "instrumentation/host_code/walk.h"

#include <algorithm>
#include <utility>

#include "instrumentation/word_search.h"

namespace warplens::instrumentation::host_code {

namespace {

using Kind = Value::Kind;
constexpr std::size_t most_steps = 200'000;  // statements
/// Calls of functions that are open: one may call itself in several places, and each of these again.
constexpr int most_recursive_calls = 400;
constexpr std::size_t deepest_calls = 24;
constexpr std::ptrdiff_t deepest_recursion = 12;  // of one function

Origin origin_of(const Token& token) { return {token.file, token.line}; }

bool is_enum(const Tokens& tokens, const Item& item) {
    return std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(item.begin),
                       tokens.begin() + static_cast<std::ptrdiff_t>(item.body),
                       [](const Token& token) { return token.is("enum"); });
}

}  // namespace

bool has_launch(const Tokens& tokens, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
        if (tokens[i].is("<<<") || (tokens[i].is_word() && (tokens[i].text.starts_with("cudaLaunch") ||
                                                            tokens[i].text.starts_with("cuLaunch"))))
            return true;
    return false;
}

std::optional<std::string> deduced(const Tokens& tokens, const Item& function, std::string_view parameter,
                                   const std::vector<Value>& arguments) {
    const std::size_t close = closing(tokens, function.parameters, function.end);
    std::size_t index = 0;
    for (std::size_t i = function.parameters + 1; i < close; ++i) {
        if (tokens[i].is("(")) i = closing(tokens, i, close);
        else if (tokens[i].is(",")) ++index;
        else if (tokens[i].text == parameter && index < arguments.size()) {
            const Value& argument = arguments[index];
            const bool holds = i + 1 < close && (tokens[i + 1].is("*") || tokens[i + 1].is("const") ||
                                                 tokens[i + 1].is(">") || tokens[i + 1].is("["));
            std::string type = argument.type;
            if (argument.storage && !argument.storage->element.empty())
                type = argument.storage->element + "*";
            if (holds) type = type.ends_with('*') ? pointed_to(type) : "";
            if (!type.empty() && type != "void") return type;
        }
    }
    return std::nullopt;
}

Walk::Walk(const Tokens& tokens, const std::vector<Item>& items, Options options,
           const OccupancyQuery& occupancy)
    : tokens_(tokens), items_(items), options_(options), occupancy_(occupancy) {
    for (const Item& item : items) {
        if (item.is_kernel && item.name != 0) kernels_.emplace(tokens[item.name].text);
        if (item.kind == ItemKind::function && item.body != 0)
            functions_.emplace(tokens[item.name].text, &item);
        if (item.kind != ItemKind::type || item.body == 0 || is_enum(tokens, item)) continue;
        if (item.name != 0) types_.emplace(tokens[item.name].text, &item), add_class(item, 0);
        if (item.name != 0 && !tokens[item.begin].is("typedef")) continue;
        for (std::size_t i = closing(tokens, item.body, item.end) + 1; i < item.end; ++i)
            if (!tokens[i - 1].is("*") && !types_.contains(tokens[i].text) &&
                std::ranges::find(item.declares, tokens[i].text) != item.declares.end())
                types_.emplace(tokens[i].text, &item);
    }
    globals_.scopes.emplace_back();
}

void Walk::run() {
    frames_.emplace_back();
    frames_.back().scopes.emplace_back();
    frames_.back().types = {{"cuFloatComplex", "float2"},      {"cuComplex", "float2"},
                            {"cuDoubleComplex", "double2"},    {"cufftComplex", "float2"},
                            {"cufftDoubleComplex", "double2"}, {"std::string", "std::vector<char>"},
                            {"string", "std::vector<char>"}};
    for (const Item& item : items_) {
        if (item.is_kernel || (item.kind == ItemKind::function && item.body != 0)) continue;
        if (item.kind == ItemKind::type) constants_of(item);
        else statement(tokens_, item.begin, item.end);
    }
    globals_ = std::move(frames_.back());
    frames_.clear();
    const auto start = [&](const Item& item, const Call& call) {
        frames_.clear();
        second_branch_ = uncertain_ = false;
        guard_ = {};
        counters_.clear();
        loop_starts_.clear();
        body_of(item, call);
    };
    if (const auto main = functions_.find("main"); main != functions_.end()) {
        Call call;
        call.arguments.push_back(options_.arguments ? Value::of(1) : Value());  // argc
        start(*main->second, call);
    }
    for (const Item& item : items_)
        if (item.kind == ItemKind::function && item.body != 0 && !item.is_kernel &&
            !walked_.contains(&item) && has_launch(tokens_, item.body, item.end))
            start(item, {});
    for (const Item& member : members_) {
        if (walked_.contains(&member) || !has_launch(tokens_, member.body, member.end)) continue;
        const Item& of = *class_of(member);
        Call call;
        frames_.assign(1, Frame());
        call.object = constructed(qualified(tokens_[of.name].text), {}, origin_of(tokens_[member.name]));
        start(member, call);
    }
}

/// Enumerators, and static constants of a class as "Launch::tile".
void Walk::constants_of(const Item& item) {
    if (item.body == 0) return;
    const std::size_t close = closing(tokens_, item.body, item.end);
    if (is_enum(tokens_, item)) {
        Value next = Value::of(0);
        const std::string scope = item.scope.empty() ? "" : "::" + item.scope;
        const std::string type = item.name == 0 ? "int" : scope + "::" + std::string(tokens_[item.name].text);
        for (std::size_t at = item.body + 1; at < close;) {
            const Token& token = tokens_[at];
            if (at + 1 < close && tokens_[at + 1].is("=")) next = evaluate(tokens_, at += 2, close, *this);
            if (token.is_word()) declare(type, std::string(token.text), next, origin_of(token));
            if (next.kind == Kind::integer && next.integer < INT64_MAX) ++next.integer;
            while (at < close && !tokens_[at].is(",")) ++at;
            ++at;
        }
        return;
    }
    if (item.name == 0) return;
    for (const Item& member : items_of(tokens_, item.body + 1, close, {})) {
        if (member.kind != ItemKind::variable || !member.is_constant) continue;
        statement(tokens_, member.begin, member.end);
        auto& scope = frames_.back().scopes.back();
        for (const std::string_view name : member.declares)
            if (const auto found = scope.find(std::string(name)); found != scope.end())
                scope[std::string(tokens_[item.name].text) + "::" + found->first] = found->second;
    }
}

void Walk::body_of(const Item& item, const Call& call) {
    // A function that calls itself on conditions that are not known would go on for ever.
    const auto most_of_itself = uncertain_ || second_branch_ ? 1 : deepest_recursion;
    if (open_.size() >= deepest_calls || std::ranges::count(open_, &item) > most_of_itself)
        return forget_arguments(call);
    if (std::ranges::find(open_, &item) != open_.end() && ++recursive_calls_ > most_recursive_calls)
        return forget_arguments(call);
    walked_.insert(&item);
    open_.push_back(&item);
    Frame frame;
    frame.scopes.emplace_back();
    if (const Item* const of = class_of(item)) {
        // A call without an object is one of the object's own.
        const bool own = !call.object && !frames_.empty() && own_type(frames_.back().self) == of;
        const std::string type = call.object ? call.object->type : own ? frames_.back().self : "";
        if (own) frame.object = frames_.back().object;
        frame.types = frame_in(own_type(type) == of ? type : qualified(tokens_[of->name].text)).types;
        frame.self = type;
    }
    if (call.object && call.object->fields) frame.object = call.object->fields;
    const std::size_t given = std::min(call.template_arguments.size(), item.template_parameters.size());
    for (std::size_t i = 0; i < item.template_parameters.size(); ++i) {
        const std::string_view parameter = tokens_[item.template_parameters[i]].text;
        auto& type = frame.types[std::string(parameter)];
        if (i < given) type = call.template_arguments[i];
        else type = deduced(tokens_, item, parameter, call.arguments).value_or(std::string(parameter));
    }
    const bool uncertain = std::exchange(uncertain_, false);
    frames_.push_back(std::move(frame));
    for (const std::size_t parameter : item.template_parameters)
        if (auto& type = frames_.back().types[std::string(tokens_[parameter].text)];
            type == tokens_[parameter].text)
            if (std::string text = default_of(item, parameter); !text.empty()) type = std::move(text);
    const std::size_t close = closing(tokens_, item.parameters, item.end);
    parameters_of(tokens_, item.parameters + 1, close, call.arguments);
    // x_(x), of a constructor.
    for (std::size_t at = close + 1; at < item.body; ++at) {
        if (at + 1 >= item.body || !tokens_[at].is_word() || !frames_.back().object) continue;
        if (!tokens_[at + 1].is("(") && !tokens_[at + 1].is("{")) continue;
        const std::size_t end = closing(tokens_, at + 1, item.body);
        std::vector<Value> arguments;
        for (std::size_t inside = at + 2; inside < end; ++inside) {
            arguments.push_back(evaluate(tokens_, inside, end, *this));
            while (inside < end && !tokens_[inside].is(",")) ++inside;
        }
        const Item* const own = class_of(item);
        if (own && own->name != 0 && tokens_[at].text == tokens_[own->name].text) {  // another constructor
            construct_this(arguments, origin_of(tokens_[at]));
            at = end;
            continue;
        }
        Slot& field = (*frames_.back().object)[std::string(tokens_[at].text)];
        if (!field) field = std::make_shared<Value>();
        Value to;
        to.slot = field;
        assign(to, made(field->type, arguments, origin_of(tokens_[at])), {});
        at = end;
    }
    block(tokens_, item.body + 1, closing(tokens_, item.body, item.end));
    uncertain_ = uncertain;
    open_.pop_back();
}

/// Binds them by their position; a reference stands for the variable that is passed.
void Walk::parameters_of(const Tokens& tokens, std::size_t begin, std::size_t end,
                         const std::vector<Value>& arguments) {
    std::size_t index = 0;
    for (std::size_t at = begin; at < end; ++index) {
        std::size_t next = at;
        const std::string type = resolved(read_type(tokens, next, end, *this));
        const bool reference = next > at && tokens[next - 1].is("&");
        std::size_t after = at, name = end, value = end;
        for (; after < end && !tokens[after].is(","); ++after) {
            if (tokens[after].is("=")) value = std::min(value, after + 1);
            else if (tokens[after].is("(") || tokens[after].is("{")) after = closing(tokens, after, end);
            else if (tokens[after].is("<"))
                after = std::max(after, after_template_arguments(tokens, after, end) - 1);
            else if (tokens[after].is_word() && value == end && after >= next) name = after;
        }
        if (name < end) {
            const std::string word(tokens[name].text);
            Value passed = index < arguments.size() ? arguments[index] : Value();
            if (index >= arguments.size() && value < end && !open_.empty() && !arguments.empty())
                passed = evaluate(tokens, value, after, *this);
            if (passed.kind == Kind::list && own_type(type)) passed = made(type, passed.list, passed.origin);
            if (!reference) passed = loaded(passed);
            if (reference && passed.element) {
                frames_.back().scopes.back()[word] = std::make_shared<Value>(std::move(passed));
            } else if (reference && passed.slot) {
                frames_.back().scopes.back()[word] = passed.slot;
            } else {
                const Origin set = passed.origin;
                declare(type, word, std::move(passed), set.line != 0 ? set : origin_of(tokens[name]));
            }
        }
        at = std::min(after + 1, end);
    }
}

void Walk::block(const Tokens& tokens, std::size_t begin, std::size_t end) {
    if (frames_.empty()) return;
    frames_.back().scopes.emplace_back();
    for (std::size_t at = begin; at < end && !frames_.back().left;)
        at = std::max(statement(tokens, at, end), at + 1);
    frames_.back().scopes.pop_back();
}

/// The index after the statement at `at`, without following it.
std::size_t Walk::passed(const Tokens& tokens, std::size_t at, std::size_t end) const {
    if (at >= end) return end;
    if (tokens[at].is("{")) return std::min(closing(tokens, at, end) + 1, end);
    const bool headed = tokens[at].is("if") || tokens[at].is("for") || tokens[at].is("while") ||
                        tokens[at].is("switch") || tokens[at].is("catch");
    if (headed) {
        std::size_t open = at + 1;
        while (open < end && !tokens[open].is("(")) ++open;
        std::size_t after = passed(tokens, closing(tokens, open, end) + 1, end);
        if (tokens[at].is("if") && after < end && tokens[after].is("else"))
            after = passed(tokens, after + 1, end);
        return after;
    }
    if (tokens[at].is("else")) return passed(tokens, at + 1, end);
    for (std::size_t i = at; i < end; ++i) {
        if (tokens[i].is(";")) return i + 1;
        if (tokens[i].is("(") || tokens[i].is("{") || tokens[i].is("["))
            i = std::min(closing(tokens, i, end), end - 1);
        else if (tokens[i].is("}")) return i + 1;
    }
    return end;
}

std::size_t Walk::statement(const Tokens& tokens, std::size_t at, std::size_t end) {
    if (at >= end || ++steps_ > most_steps || frames_.empty()) return end;
    const Token& token = tokens[at];
    if (token.is(";")) return at + 1;
    if (token.is("{")) {
        const std::size_t close = closing(tokens, at, end);
        block(tokens, at + 1, close);
        return std::min(close + 1, end);
    }
    if (token.is("if")) return branch(tokens, at, end);
    if (token.is("for") || token.is("while") || token.is("do")) return loop(tokens, at, end);
    if (token.is("switch")) return choice(tokens, at, end);
    if (token.is("try")) return statement(tokens, at + 1, end);
    if (token.is("catch")) return passed(tokens, at, end);
    if (token.is("else")) return statement(tokens, at + 1, end);
    if (token.is("template")) return alias_template(tokens, at, end);
    const std::size_t after = passed(tokens, at, end);
    const bool leaves = token.is("break") || token.is("continue") || token.is("goto") || token.is("throw") ||
                        token.is("exit");
    if (token.is("return") || leaves) {
        std::size_t from = at + 1;
        const bool has_value = token.is("return") || token.is("exit");
        Value result = has_value ? evaluate(tokens, from, after, *this, true) : Value();
        if (frames_.empty()) return end;
        if (!uncertain_ || !frames_.back().result.known()) frames_.back().result = std::move(result);
        if (!uncertain_) frames_.back().left = true, frames_.back().continues = token.is("continue");
        else if (token.is("break") || token.is("continue")) cut_ = true;
        return after;
    }
    if (token.is("case") || token.is("default")) {
        for (std::size_t i = at; i < after; ++i)
            if (tokens[i].is(":")) return i + 1;
        return after;
    }
    if (token.is("using") || token.is("typedef")) {
        std::size_t from = at + 1;
        std::string name, type;
        if (token.is("using") && at + 3 < after && tokens[at + 2].is("=")) {
            name = tokens[at + 1].text;
            from = at + 3;
            type = read_type(tokens, from, after, *this);
        } else if (token.is("typedef")) {
            type = read_type(tokens, from, after, *this);
            if (from < after && tokens[from].is_word()) name = tokens[from].text;
        }
        if (!name.empty() && !type.empty() && type != name) frames_.back().types[name] = resolved(type);
        return after;
    }
    if (declaration(tokens, at, after)) return after;
    std::size_t from = at;
    evaluate(tokens, from, after, *this, true);
    return after;
}

std::size_t Walk::branch(const Tokens& tokens, std::size_t at, std::size_t end) {
    std::size_t open = at + 1;
    while (open < end && !tokens[open].is("(")) ++open;
    const std::size_t close = closing(tokens, open, end);
    std::size_t from = open + 1;
    for (std::size_t i = from; i < close; ++i) {  // if (cudaError_t e = f(); e != cudaSuccess)
        if (tokens[i].is("(") || tokens[i].is("{") || tokens[i].is("[")) i = closing(tokens, i, close);
        else if (tokens[i].is(";")) from = statement(tokens, from, i + 1);
    }
    if (frames_.empty()) return end;
    const Value condition = loaded(evaluate(tokens, from, close, *this, true));
    const std::size_t first = std::min(close + 1, end);
    const std::size_t after_first = passed(tokens, first, end);
    const bool has_else = after_first < end && tokens[after_first].is("else");
    const std::size_t after = has_else ? passed(tokens, after_first + 1, end) : after_first;
    if (condition.is_number() && !condition.varies) {
        if (condition.number() != 0) statement(tokens, first, end);
        else if (has_else) statement(tokens, after_first + 1, end);
        return after;
    }
    const bool uncertain = std::exchange(uncertain_, true);
    const bool second = second_branch_;
    const Guard guard = guard_;
    const FormulaPointer holds = formula_of(condition);
    const auto guarded = [&](const FormulaPointer& by) {
        const FormulaPointer all = by ? both_conditions(guard.condition, by) : nullptr;
        return Guard{all, guard.known && all};
    };
    guard_ = guarded(holds);
    Alternatives sides(*this, condition.varies, origin_of(tokens[at]));
    statement(tokens, first, end);
    second_branch_ = true;
    guard_ = guarded(negated_condition(holds));
    if (has_else) {
        sides.next();
        statement(tokens, after_first + 1, end);
    }
    guard_ = guard;
    if (cut_) guard_.known = false;  // what follows in the loop is skipped in some iterations
    second_branch_ = second;
    uncertain_ = uncertain;
    return after;
}

}  // namespace warplens::instrumentation::host_code
