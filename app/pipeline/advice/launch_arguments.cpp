#include "app/pipeline/advice/launch_arguments.h"

#include <algorithm>

#include "app/pipeline/advice/kernel_definition.h"
#include "app/pipeline/advice/kernel_words.h"

namespace warplens::app {
namespace {

using instrumentation::host_code::closing;
using instrumentation::host_code::Tokens;

/// The first number of `dim3(x, …)`, of `dim3 name(x, …)` where the range is that name, or the range.
std::optional<TokenRange> width_of(const Tokens& tokens, TokenRange grid, std::size_t launch) {
    const auto first_of = [&](std::size_t open) -> std::optional<TokenRange> {
        const std::size_t close = closing(tokens, open, tokens.size());
        if (close >= tokens.size() || close == open + 1) return std::nullopt;
        return parts_between(tokens, {open + 1, close}).front();
    };
    if (tokens[grid.begin].is("dim3"))
        return tokens[grid.begin + 1].is("(") ? first_of(grid.begin + 1) : std::nullopt;
    if (grid.end != grid.begin + 1 || !tokens[grid.begin].is_word()) return grid;
    // The last definition before the launch.
    for (std::size_t at = launch; at-- > 1;) {
        if (tokens[at].text != tokens[grid.begin].text || !tokens[at + 1].is("(")) continue;
        std::size_t type = at - 1;
        while (type > 0 && !tokens[type].is(";") && !tokens[type].is("{") && !tokens[type].is("dim3")) --type;
        if (tokens[type].is("dim3")) return first_of(at + 1);
    }
    return grid;
}

}  // namespace

std::vector<std::vector<TokenRange>> launch_arguments(const Tokens& tokens, std::string_view entry) {
    std::vector<std::vector<TokenRange>> launches;
    for (std::size_t at = 1; at < tokens.size(); ++at) {
        if (!tokens[at].is("<<<")) continue;
        std::size_t name = at - 1;
        while (name > 0 && !tokens[name].is(entry) && !tokens[name].is(";") && !tokens[name].is("{")) --name;
        if (!tokens[name].is(entry)) continue;
        std::size_t end = at + 1;
        while (end < tokens.size() && !tokens[end].is(">>>")) ++end;
        if (end < tokens.size()) launches.push_back(parts_between(tokens, {at + 1, end}));
    }
    return launches;
}

std::optional<std::vector<TokenRange>> grid_widths(const Tokens& tokens, std::string_view entry) {
    std::vector<TokenRange> widths;
    for (const auto& arguments : launch_arguments(tokens, entry)) {
        if (arguments.front().empty()) return std::nullopt;
        const auto width = width_of(tokens, arguments.front(), arguments.front().begin);
        if (!width || width->empty() || tokens[width->begin].line != tokens[width->end - 1].line)
            return std::nullopt;
        const bool is_there =
            std::ranges::any_of(widths, [&](const TokenRange& other) { return other.begin == width->begin; });
        if (!is_there) widths.push_back(*width);
    }
    if (widths.empty()) return std::nullopt;
    return widths;
}

std::optional<std::vector<Insertion>> changed_grids(const Tokens& tokens, const std::string& source,
                                                    std::string_view entry, const std::string& before,
                                                    const std::string& after) {
    const auto widths = grid_widths(tokens, entry);
    if (!widths) return std::nullopt;
    std::vector<Insertion> changes;
    for (const TokenRange& width : *widths) {
        const auto &first = tokens[width.begin], &last = tokens[width.end - 1];
        const bool is_one = width.end == width.begin + 1;
        changes.push_back({offset_of(first, source), first.line, before + (is_one ? "" : "(")});
        changes.push_back(
            {offset_of(last, source) + last.text.size(), last.line, (is_one ? "" : ")") + after});
    }
    return changes;
}

}  // namespace warplens::app
