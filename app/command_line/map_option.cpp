#include "app/command_line/map_option.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "analysis/memory/mapped_arrays.h"
#include "core/number_text.h"

namespace warplens::app {
namespace {

constexpr std::array<std::string_view, 3> scopes{"launch", "block", "warp"};
constexpr std::array<std::string_view, 5> colours{"block", "warp", "lane", "order", "count"};
constexpr std::array<std::string_view, 3> accesses{"all", "loads", "stores"};

Result<std::size_t> place_of(std::string_view name, std::string_view value,
                             std::span<const std::string_view> values) {
    const auto at = std::ranges::find(values, value);
    if (at == values.end())
        return fail("--map {}={}: {} is one of {}", name, value, name, fmt::join(values, ", "));
    return static_cast<std::size_t>(at - values.begin());
}

Status take(std::string_view name, std::string_view value, WantedMap& wanted) {
    if (name == "array") {
        wanted.array = value;
    } else if (name == "scope") {
        WARPLENS_TRY(const auto at, place_of(name, value, scopes));
        wanted.scope = static_cast<MapScope>(at);
    } else if (name == "color") {
        WARPLENS_TRY(const auto at, place_of(name, value, colours));
        wanted.colour = static_cast<MapColour>(at);
    } else if (name == "accesses") {
        WARPLENS_TRY(const auto at, place_of(name, value, accesses));
        wanted.loads = at != 2;
        wanted.stores = at != 1;
    } else if (name == "columns") {
        const auto columns = number_from<std::uint64_t>(value);
        if (!columns || *columns == 0) return fail("--map columns={}: a row has at least 1 element", value);
        wanted.columns = *columns;
    } else {
        return fail("--map {}: it takes array, scope, color, accesses and columns", name);
    }
    return {};
}

}  // namespace

Result<WantedMap> parse_map_option(std::string_view text) {
    WantedMap wanted;
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view part = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(part.size() + 1, rest.size()));
        const std::size_t equals = std::min(part.find('='), part.size());
        WARPLENS_TRY(take(part.substr(0, equals), part.substr(std::min(equals + 1, part.size())), wanted));
    }
    if (wanted.columns != 0 && wanted.array.empty())
        return fail("--map columns={}: name the array, array=NAME", wanted.columns);
    return wanted;
}

Status check_map(const WantedMap& wanted, const trace::Trace& trace) {
    if (wanted.array.empty()) return {};
    std::vector<std::string> names;
    for (const analysis::MappedArray& array : analysis::mapped_arrays(trace)) {
        if (array.name == wanted.array && wanted.columns <= array.elements()) return {};
        if (array.name == wanted.array)
            return fail("--map columns={}: {} has {} elements", wanted.columns, array.name, array.elements());
        names.push_back(array.name);
    }
    return fail("--map array={}: the accessed arrays are {}", wanted.array, fmt::join(names, ", "));
}

}  // namespace warplens::app
