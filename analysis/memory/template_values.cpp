#include "analysis/memory/template_values.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "analysis/memory/source_words.h"
#include "core/symbol_name.h"

namespace warplens::analysis {
namespace {

/// "TILE" of "int TILE = 16", "T" of "typename T"; empty for "typename... T" and without a name.
std::string_view parameter_name(std::string_view parameter) {
    parameter = parameter.substr(0, parameter.find('='));
    if (parameter.find("...") != std::string_view::npos) return {};
    while (!parameter.empty() && !is_name(parameter.back())) parameter.remove_suffix(1);
    std::size_t begin = parameter.size();
    while (begin > 0 && is_name(parameter[begin - 1])) --begin;
    return parameter.substr(begin);
}

/// The parameters of the template that the function at `name` is: those of the last "template <…>" before it,
/// with no other function or type between them.
std::vector<std::string_view> parameters_before(std::string_view code, std::size_t name) {
    std::string_view before = code.substr(0, name);
    const std::size_t keyword = before.rfind("template");
    if (keyword == std::string_view::npos) return {};
    before.remove_prefix(keyword);
    const std::size_t begin = before.find('<');
    if (begin == std::string_view::npos || before.find_first_of(";}") != std::string_view::npos) return {};
    std::vector<std::string_view> parameters;
    int depth = 0;
    std::size_t from = begin + 1;
    for (std::size_t at = begin; at < before.size(); ++at) {
        const char c = before[at];
        if (c == '<' || c == '(') ++depth;
        if (c == '>' || c == ')') --depth;
        if ((c == ',' && depth == 1) || depth == 0) {
            parameters.push_back(before.substr(from, at - from));
            from = at + 1;
        }
        if (depth == 0) return parameters;
    }
    return {};
}

/// "16" of "16", "16u", "(unsigned int)16" and "(Mode)1"; empty for a type.
std::string number_in(std::string argument) {
    std::erase(argument, ' ');
    if (const std::size_t cast = argument.rfind(')'); cast != std::string::npos) argument.erase(0, cast + 1);
    while (argument.ends_with('u') || argument.ends_with('l')) argument.pop_back();
    if (argument == "true") return "1";
    if (argument == "false") return "0";
    const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    return std::ranges::all_of(argument, is_digit) ? argument : std::string();
}

}  // namespace

std::map<std::string, std::string> template_values(const Program& program) {
    const std::vector<std::string> arguments = template_arguments(qualified_name(program.entry));
    std::map<std::string, std::string> values;
    if (arguments.empty()) return values;
    const std::string kernel = plain_name(program.entry);
    for (const SourceFile& source : program.sources) {
        const std::string code = without_comments(source.text);
        for (std::size_t at = find_name(code, kernel, 0); at != std::string::npos;
             at = find_name(code, kernel, at + 1)) {
            const auto parameters = parameters_before(code, at);
            if (parameters.size() < arguments.size()) continue;
            for (std::size_t i = 0; i < arguments.size(); ++i) {
                const std::string_view name = parameter_name(parameters[i]);
                std::string number = number_in(arguments[i]);
                if (!name.empty() && !number.empty()) values.emplace(name, std::move(number));
            }
            return values;
        }
    }
    return values;
}

}  // namespace warplens::analysis
