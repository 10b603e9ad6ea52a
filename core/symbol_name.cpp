#include "core/symbol_name.h"

#include <cxxabi.h>

#include <cstdlib>

namespace warplens {
namespace {

/// The text without everything between matching brackets, which may contain spaces and colons.
std::string without_brackets(const std::string& text) {
    std::string kept;
    int depth = 0;
    for (const char c : text) {
        if (c == '(' || c == '<') ++depth;
        if (depth == 0) kept.push_back(c);
        if (c == ')' || c == '>') --depth;
    }
    return kept;
}

}  // namespace

std::string demangled(std::string_view symbol) {
    // Any other name is C's: "g" would be read as a type.
    if (!symbol.starts_with("_Z")) return std::string(symbol);
    int status = 0;
    char* text = abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status);
    if (status != 0 || text == nullptr) return std::string(symbol);
    std::string name(text);
    std::free(text);
    return name;
}

std::string qualified_name(std::string_view symbol) {
    const std::string name = demangled(symbol);
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        // "(anonymous namespace)::" is part of a name, any other bracket outside <> begins the arguments.
        const bool unnamed = name.compare(i, 11, "(anonymous ") == 0;
        if (unnamed) i = name.find(')', i);
        if (i == std::string::npos) break;
        if (unnamed) continue;
        if (depth == 0 && name[i] == '(') return name.substr(begin, i - begin);
        if (depth == 0 && name[i] == ' ') begin = i + 1;
        if (name[i] == '<' || name[i] == '(') ++depth;
        if (name[i] == '>' || name[i] == ')') --depth;
    }
    return name.substr(begin);
}

std::string plain_name(std::string_view symbol) {
    std::string name = without_brackets(demangled(symbol));
    if (const auto scope = name.rfind("::"); scope != std::string::npos) name.erase(0, scope + 2);
    if (const auto result = name.rfind(' '); result != std::string::npos) name.erase(0, result + 1);
    return name;
}

bool is_called(std::string_view symbol, std::string_view name) {
    const auto compared = [](std::string text) {
        for (std::size_t at = text.find("const"); at != std::string::npos; at = text.find("const"))
            text.erase(at, 5);
        std::erase(text, ' ');
        return text;
    };
    const std::string given = compared(std::string(name));
    return symbol == name || plain_name(symbol) == name || compared(qualified_name(symbol)) == given ||
           compared(demangled(symbol)) == given;
}

std::vector<std::string> template_arguments(std::string_view name) {
    std::vector<std::string> arguments;
    int depth = 0;
    for (const char c : name) {
        if (c == '(' && depth == 0) break;
        if (c == '<' && depth++ == 0) {
            arguments.emplace_back();
            continue;
        }
        if (c == '>' && --depth == 0) break;
        if (depth == 0) continue;
        if (c == ',' && depth == 1) arguments.emplace_back();
        else arguments.back() += c;
    }
    return arguments;
}

}  // namespace warplens
