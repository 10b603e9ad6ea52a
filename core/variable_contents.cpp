#include "core/variable_contents.h"

#include <algorithm>

#include "core/symbol_name.h"

namespace warplens {
namespace {

std::string without_hidden_scopes(std::string_view symbol) {
    std::string name = demangled(symbol);
    constexpr std::string_view hidden = "(anonymous namespace)::";
    for (std::size_t at = name.find(hidden); at != std::string::npos; at = name.find(hidden))
        name.erase(at, hidden.size());
    return name;
}

}  // namespace

bool is_variable(std::string_view symbol, std::string_view name) {
    if (symbol == name) return true;
    if (name.empty() || name.starts_with("_Z")) return false;
    const std::string whole = without_hidden_scopes(symbol);
    return whole == name || (whole.size() > name.size() + 2 && whole.ends_with(name) &&
                             whole.compare(whole.size() - name.size() - 2, 2, "::") == 0);
}

const VariableContents* contents_of(std::string_view symbol, std::span<const VariableContents> all) {
    const auto found =
        std::ranges::find_if(all, [&](const VariableContents& one) { return is_variable(symbol, one.name); });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace warplens
