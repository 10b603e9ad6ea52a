#include "instrumentation/host_code/expression.h"

#include <algorithm>

#include "instrumentation/host_code/arithmetic.h"
#include "instrumentation/host_code/lambdas.h"

namespace warplens::instrumentation::host_code {

namespace {

using Kind = Value::Kind;
constexpr int deepest_expression = 200;  // brackets in brackets
constexpr std::string_view assignments[] = {"+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="};

class Parser {
  public:
    Parser(const Tokens& tokens, std::size_t& at, std::size_t end, Names& names)
        : tokens_(tokens), at_(at), end_(std::min(end, tokens.size())), names_(names) {}

    Value comma() {
        Value value = assignment();
        while (take(",")) value = assignment();
        return value;
    }

    Value assignment() {
        if (++depth_ > deepest_expression) return --depth_, Value();
        Value value = assigned();
        --depth_;
        return value;
    }

  private:
    Value assigned() {
        const Value left = binary(1);
        if (at_ >= end_) return left;
        const Token& token = tokens_[at_];
        if (take("?")) {
            const Value yes = assignment();
            take(":");
            const Value no = assignment();
            return chosen(loaded(left), yes, no);
        }
        if (take("=")) return names_.assign(left, assignment(), origin(token));
        if (std::ranges::find(assignments, token.text) != std::end(assignments) &&
            token.kind == TokenKind::mark) {
            ++at_;
            const Value right = assignment();
            if (token.is("+=") && left.type == "std::vector<char>")  // a std::string
                return names_.call({"+=", "", {}, {right}, {}, left, origin(token)});
            return names_.assign(left, combine(token.text.substr(0, token.text.size() - 1), left, right),
                                 origin(token));
        }
        return left;
    }

    /// condition ? yes : no
    static Value chosen(const Value& condition, const Value& yes, const Value& no) {
        if (condition.is_number() && !condition.varies) return condition.number() != 0 ? yes : no;
        Value value = condition.is_number() && condition.number() == 0 ? no : yes;
        if (yes.kind == Kind::memory && !yes.element) return value;
        value = loaded(value);
        value.varies = true;
        value.random = condition.random || yes.random || no.random;
        value.formula = select_formula(formula_of(condition), formula_of(yes), formula_of(no));
        value.slot = nullptr;
        return value;
    }

    bool is(std::string_view text) const { return at_ < end_ && tokens_[at_].is(text); }
    bool take(std::string_view text) {
        if (!is(text)) return false;
        ++at_;
        return true;
    }
    static Origin origin(const Token& token) { return {token.file, token.line}; }

    Value binary(int least) {
        Value left = unary();
        while (at_ < end_) {
            const Token& token = tokens_[at_];
            const int precedence = precedence_of(token);
            if (precedence < least || precedence == 0) break;
            ++at_;
            const Value right = binary(precedence + 1);
            if (token.is(">>") && !left.is_number()) names_.read_from_stream(right, origin(token));
            left = combine(token.text, left, right);
        }
        return left;
    }

    Value unary() {
        if (at_ >= end_ || ++depth_ > deepest_expression) return {};
        Value value = prefixed();
        --depth_;
        return value;
    }

    Value prefixed() {
        const Token& token = tokens_[at_];
        if (take("!")) return negation(unary());
        if (take("-")) return combine("-", Value::of(0), unary());
        if (take("+") || take("typename")) return unary();
        if (take("~")) {
            const Value value = unary();
            return value.kind == Kind::integer && !value.varies ? Value::of(~value.integer) : Value();
        }
        if (is("++") || is("--")) {
            const bool up = take("++") || !take("--");
            const Value value = unary();
            return names_.assign(value, combine(up ? "+" : "-", value, Value::of(1)), origin(token));
        }
        if (take("&")) {
            Value value = unary();
            if (value.element) {  // where it is
                value.element = false;
                value.type += '*';
                value.slot = nullptr;
                return value;
            }
            if (!value.slot) return value;
            Value address;
            address.kind = Kind::address;
            address.target = value.slot;
            address.type = value.type.empty() ? "" : value.type + "*";
            return address;
        }
        if (take("*")) {
            const Value value = unary();
            if (!value.kernel.empty()) return value;  // of a pointer to it
            if (value.kind != Kind::address || !value.target) return names_.index(value, Value::of(0));
            Value pointed = *value.target;
            pointed.slot = value.target;
            return pointed;
        }
        if (is("sizeof")) return size();
        if (take("new")) return allocation(token);
        if (is("(")) return bracketed();
        return postfix(primary());
    }

    Value size() {
        const Token& token = tokens_[at_++];
        if (!take("(")) return with_size(bytes_of(unary()), token);
        const std::size_t close = closing(tokens_, at_ - 1, end_);
        std::size_t inside = at_;
        const std::string type = read_type(tokens_, inside, close, names_);
        const bool is_type =
            !type.empty() && inside == close && (names_.is_type(type) || type.ends_with('*'));
        const auto bytes = is_type ? names_.size_of(type) : bytes_of(assignment());
        at_ = std::min(close + 1, end_);
        return with_size(bytes, token);
    }

    std::optional<std::int64_t> bytes_of(const Value& value) {
        const bool array =
            value.kind == Kind::memory && value.storage && !value.element && !value.type.ends_with('*');
        return array ? value.storage->bytes : names_.size_of(value.type);
    }

    static Value with_size(std::optional<std::int64_t> bytes, const Token& token) {
        Value value = bytes ? Value::of(*bytes) : Value();
        value.type = "size_t";
        value.origin = {token.file, 0};
        return value;
    }

    /// new float[n], as calls of allocation are.
    Value allocation(const Token& token) {
        Call call{"new", "", {}, {}, {}, {}, origin(token)};
        call.template_arguments.push_back(read_type(tokens_, at_, end_, names_));
        if (is("[")) {
            const std::size_t close = closing(tokens_, at_, end_);
            ++at_;
            call.arguments.push_back(assignment());
            at_ = std::min(close + 1, end_);
            if (is("(") || is("{")) {  // new float[n](): zeros
                call.name = "make_unique";
                call.template_arguments.back() += "[]";
            }
        } else if (is("(") || is("{")) {
            call.name = "make_unique";
            const std::size_t close = closing(tokens_, at_++, end_);
            call.arguments = until(close);
        }
        if (is("(") || is("{")) at_ = std::min(closing(tokens_, at_, end_) + 1, end_);
        return names_.call(call);
    }

    /// (float*)x is a cast, (x) is not.
    Value bracketed() {
        const std::size_t close = closing(tokens_, at_, end_);
        std::size_t inside = at_ + 1;
        const std::string type = read_type(tokens_, inside, close, names_);
        const bool is_cast =
            !type.empty() && inside == close && close + 1 < end_ &&
            (names_.is_type(type) || type.ends_with('*')) &&
            (tokens_[close + 1].kind != TokenKind::mark || tokens_[close + 1].is("(") ||
             tokens_[close + 1].is("&") || tokens_[close + 1].is("-") || tokens_[close + 1].is("*"));
        if (is_cast) {
            at_ = close + 1;
            return cast(unary(), type);
        }
        ++at_;
        Value value = comma();
        at_ = std::min(close + 1, end_);
        return postfix(std::move(value));
    }

    Value cast(Value value, const std::string& type) const {
        return cast_to(std::move(value), names_.resolved(type));
    }

    Value primary() {
        const Token& token = tokens_[at_];
        if (token.kind != TokenKind::word && token.kind != TokenKind::mark)
            return literal_of(tokens_, at_, end_);
        if (is("{")) return list();
        if (is("[")) return lambda();
        if (is("::") && at_ + 1 < end_ && tokens_[at_ + 1].is_word()) ++at_;
        if (is_word()) return name();
        if (!is(")") && !is("]") && !is("}") && !is(";") && !is(",")) ++at_;
        return {};
    }

    bool is_word() const { return at_ < end_ && tokens_[at_].is_word(); }

    Value list() {
        const std::size_t close = closing(tokens_, at_, end_);
        ++at_;
        Value value;
        value.kind = Kind::list;
        while (at_ < close) {
            const std::size_t before = at_;
            value.list.push_back(assignment());
            if (!take(",") && at_ < close) at_ = std::max(at_, before + 1);
        }
        at_ = std::min(close + 1, end_);
        return value;
    }

    Value lambda() {
        auto function = std::make_shared<Function>();
        const std::size_t begin = at_;
        at_ = std::min(closing(tokens_, at_, end_) + 1, end_);
        for (; is("__device__") || is("__host__"); ++at_) function->is_device |= is("__device__");
        if (is("(")) {
            function->parameters = at_ - begin;
            at_ = std::min(closing(tokens_, at_, end_) + 1, end_);
        }
        while (at_ < end_ && !is("{") && !is(";") && !is(")")) ++at_;
        if (!is("{")) return {};
        function->body = at_ - begin;
        at_ = std::min(closing(tokens_, at_, end_) + 1, end_);
        function->tokens.assign(tokens_.begin() + static_cast<std::ptrdiff_t>(begin),
                                tokens_.begin() + static_cast<std::ptrdiff_t>(at_));
        Value value;
        value.kind = Kind::function;
        if (function->is_device) value.type = capture(*function, names_);
        return value.function = std::move(function), value;
    }

    Value name() {
        const Token& token = tokens_[at_];
        if (token.text.ends_with("_cast") && at_ + 1 < end_ && tokens_[at_ + 1].is("<")) {
            std::size_t inside = at_ + 2;
            const std::size_t after = after_template_arguments(tokens_, at_ + 1, end_);
            const std::string type = read_type(tokens_, inside, after, names_);
            at_ = after;
            Value value = is("(") ? bracketed() : Value();
            return type.empty() ? value : cast(std::move(value), type);
        }
        Call call{"", "", {}, {}, {}, {}, origin(token)};
        qualified(call);
        if (is("<<<")) return launch(std::move(call));
        if (is("(")) return arguments(std::move(call));
        const std::string whole = call.scope.empty() ? call.name : call.scope + "::" + call.name;
        if (is("{") && names_.is_type(whole)) {
            call.arguments = list().list;
            return names_.call(call);
        }
        if (call.name == "unsigned" || call.name == "long") {  // of `unsigned int(x)`
            while (is_word()) ++at_;
            if (is("(")) return arguments(std::move(call));
        }
        Value value = names_.look_up(whole, call.origin);
        if (!value.kernel.empty() && !call.template_arguments.empty())
            value.template_arguments = std::move(call.template_arguments);
        return value;
    }

    /// "a::b<float>" from here on.
    void qualified(Call& call) {
        while (at_ < end_) {
            call.name = tokens_[at_++].text;
            if (is("<")) {
                const std::size_t after = after_template_arguments(tokens_, at_, end_);
                if (after > at_ && after <= end_ && ends_template_name(tokens_, after, end_)) {
                    call.template_arguments = read_template_arguments(tokens_, at_ + 1, after - 1, names_);
                    at_ = after;
                }
            }
            if (!is("::") || at_ + 1 >= end_ || !tokens_[at_ + 1].is_word()) return;
            call.scope += (call.scope.empty() ? "" : "::") + call.name;
            ++at_;
        }
    }

    std::vector<Value> until(std::size_t close) {
        std::vector<Value> values;
        while (at_ < close) {
            const std::size_t before = at_;
            Parser inner(tokens_, at_, close, names_);
            inner.depth_ = depth_;
            values.push_back(inner.assignment());
            while (at_ < close && !is(",")) ++at_;  // what was not understood
            if (at_ < close) ++at_;
            at_ = std::max(at_, before + 1);
        }
        at_ = std::min(close + 1, end_);
        return values;
    }

    Value arguments(Call call) {
        const std::size_t close = closing(tokens_, at_, end_);
        ++at_;
        call.arguments = until(close);
        return names_.call(call);
    }

    Value launch(Call call) {
        std::size_t close = at_;
        int depth = 0;
        for (; close < end_; ++close) {
            if (tokens_[close].is("(") || tokens_[close].is("{")) ++depth;
            if (tokens_[close].is(")") || tokens_[close].is("}")) --depth;
            if (depth == 0 && tokens_[close].is(">>>")) break;
        }
        ++at_;
        call.launch = until(close);
        if (call.launch.empty()) call.launch.emplace_back();
        if (is("(")) return arguments(std::move(call));
        return {};
    }

    Value postfix(Value value) {
        while (at_ < end_) {
            const Token& token = tokens_[at_];
            if (is("[")) {
                const std::size_t close = closing(tokens_, at_, end_);
                ++at_;
                const std::vector<Value> at = until(close);
                value = names_.index(value, at.empty() ? Value() : at[0]);
            } else if ((is(".") || is("->")) && at_ + 1 < end_ && tokens_[at_ + 1].is_word()) {
                if (is("->") && value.kind == Kind::address && value.target) {
                    const Slot target = value.target;
                    value = *target;
                    value.slot = target;
                }
                if (value.kind == Kind::object && value.type.ends_with('*')) value.type.pop_back();
                ++at_;
                Call call{"", "", {}, {}, {}, value, origin(token)};
                qualified(call);
                if (is("<<<")) value = launch(std::move(call));
                else if (is("(")) value = arguments(std::move(call));
                else value = names_.member(value, call.name, origin(token));
            } else if (is("(") || (is("<<<") && !value.kernel.empty())) {
                Call call{"", "", {}, {}, {}, value, origin(token)};
                value = is("(") ? arguments(std::move(call)) : launch(std::move(call));
            } else if (is("++") || is("--")) {
                const bool up = is("++");
                ++at_;
                const Value before = value;
                names_.assign(value, combine(up ? "+" : "-", value, Value::of(1)), origin(token));
                value = before;
                value.slot = nullptr;
            } else {
                return value;
            }
        }
        return value;
    }

    const Tokens& tokens_;
    std::size_t& at_;
    std::size_t end_;
    Names& names_;
    int depth_ = 0;
};

}  // namespace

Value evaluate(const Tokens& tokens, std::size_t& at, std::size_t end, Names& names, bool with_commas) {
    Parser parser(tokens, at, end, names);
    return with_commas ? parser.comma() : parser.assignment();
}

}  // namespace warplens::instrumentation::host_code
