#include "core/symbol_name.h"

#include <cxxabi.h>

#include <cstdlib>

namespace warplens {
namespace {

/// The text with everything between matching brackets taken out: what they hold may contain spaces and
/// colons.
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
    int status = 0;
    char* text = abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status);
    if (status != 0 || text == nullptr) return std::string(symbol);
    std::string name(text);
    std::free(text);
    return name;
}

std::string plain_name(std::string_view symbol) {
    std::string name = without_brackets(demangled(symbol));
    if (const auto scope = name.rfind("::"); scope != std::string::npos) name.erase(0, scope + 2);
    if (const auto result = name.rfind(' '); result != std::string::npos) name.erase(0, result + 1);
    return name;
}

}  // namespace warplens
