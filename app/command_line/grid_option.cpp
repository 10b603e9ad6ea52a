#include "app/command_line/grid_option.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace warplens::app {
namespace {

Status take_grid_part(std::string_view name, std::string_view value, WantedGrid& wanted) {
    if (name == "color") {
        std::vector<std::string_view> names;
        for (int i = 0; i < analysis::grid_figure_count; ++i) {
            const auto figure = static_cast<analysis::GridFigure>(i);
            names.push_back(analysis::to_string(figure));
            if (names.back() != value) continue;
            wanted.figure = figure;
            return {};
        }
        return fail("--cells color={}: it is one of {}", value, fmt::join(names, ", "));
    }
    if (name == "fold") {
        if (value != "mean" && value != "worst") return fail("--cells fold={}: it is mean or worst", value);
        wanted.worst = value == "worst";
        return {};
    }
    if (name == "of") {
        if (value != "warps" && value != "threads")
            return fail("--cells of={}: it is warps or threads", value);
        wanted.threads = value == "threads";
        return {};
    }
    return fail("--cells {}: it takes color, fold and of", name);
}

}  // namespace

Result<WantedGrid> parse_grid_option(std::string_view text) {
    WantedGrid wanted;
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view part = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(part.size() + 1, rest.size()));
        const std::size_t equals = std::min(part.find('='), part.size());
        WARPLENS_TRY(
            take_grid_part(part.substr(0, equals), part.substr(std::min(equals + 1, part.size())), wanted));
    }
    return wanted;
}

}  // namespace warplens::app
