#include "instrumentation/host_code/lambdas.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens::instrumentation::host_code {

std::string capture(Function& lambda, Names& names) {
    const Tokens& tokens = lambda.tokens;
    const auto is_own = [&](std::string_view word) {  // a parameter
        for (std::size_t i = lambda.parameters; i < lambda.body && lambda.parameters != 0; ++i)
            if (tokens[i].text == word) return true;
        return false;
    };
    for (std::size_t i = lambda.body; i < tokens.size(); ++i) {
        const bool member = tokens[i - 1].is(".") || tokens[i - 1].is("->") || tokens[i - 1].is("::");
        if (!tokens[i].is_word() || member || is_own(tokens[i].text)) continue;
        const std::string name(tokens[i].text);
        const bool seen =
            std::ranges::any_of(lambda.captures, [&](const auto& of) { return of.first == name; });
        const Value value = names.look_up(name, {tokens[i].file, tokens[i].line});
        if (!seen && value.slot) lambda.captures.emplace_back(name, std::make_shared<Value>(value));
    }
    return fmt::format("{}{}", lambda_name, tokens[0].line);
}

std::string structure_of(const Value& lambda, const std::string& source) {
    const Function& function = *lambda.function;
    const Tokens& tokens = function.tokens;
    const char* const begin = source.data();
    const char* const end = begin + source.size();
    const auto stands_in = [&](const Token& token) {
        return std::less_equal<>()(begin, token.text.data()) &&
               std::less_equal<>()(token.text.data() + token.text.size(), end);
    };
    if (!std::ranges::all_of(tokens, stands_in)) return {};
    if (std::ranges::any_of(tokens, [](const Token& token) { return token.is("mutable"); })) return {};
    std::string members;
    for (const auto& [name, value] : function.captures) {
        const bool plain = !value->type.empty() && value->type != "auto" && !value->type.ends_with(']');
        const bool array = value->kind == Value::Kind::memory && !value->type.ends_with('*');
        if (!plain || array || value->kind == Value::Kind::function) return {};
        members += fmt::format("{} {}; ", value->type, name);
    }
    const auto text = [&](std::size_t from, std::size_t to) {  // tokens, the last one included
        const char* const first = tokens[from].text.data();
        return std::string(first, tokens[to].text.data() + tokens[to].text.size());
    };
    std::string call = "() const ";
    std::size_t rest = function.body, line = tokens[function.body].line;
    if (function.parameters != 0) {
        const std::size_t close = closing(tokens, function.parameters, tokens.size());
        call = text(function.parameters, close) + " const ";
        rest = close + 1;
        line = tokens[function.parameters].line;
    }
    return fmt::format("\n#line {}\nstruct {} {{ {}__device__ auto operator(){}{} }};\n", line, lambda.type,
                       members, call, text(rest, tokens.size() - 1));
}

}  // namespace warplens::instrumentation::host_code
