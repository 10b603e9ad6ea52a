#include "app/views/source/columns.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "app/views/source/listing.h"
#include "app/views/source/machine_listing.h"

namespace warplens::app {
namespace {

/// In the order in which they are left out.
constexpr std::array dropped_of_source{waited_column, lanes_column, sectors_column, ways_column};
constexpr std::array dropped_of_machine{live_column,          stall_column,      executed_column,
                                        machine_lanes_column, wavefronts_column, machine_sectors_column};

/// All lines that say something in the column say the same.
bool is_uniform(const CodeListing& listing, std::size_t column) {
    std::string_view said;
    for (const CodeLine& line : listing.lines) {
        const std::string& text = line.heat[column].text;
        if (text.empty()) continue;
        if (!said.empty() && said != text) return false;
        said = text;
    }
    return true;
}

/// No line wastes anything there.
bool is_quiet(const CodeListing& listing, std::size_t column) {
    return std::ranges::all_of(listing.lines,
                               [&](const CodeLine& line) { return line.heat[column].cost == 0; });
}

/// Lanes say little where all lines have all of them, sectors and ways where they are as few as possible.
bool says_little(const CodeListing& listing, CodeLevel level, std::size_t column) {
    if (level == CodeLevel::machine)
        return column == machine_lanes_column     ? is_uniform(listing, column)
               : column == machine_sectors_column ? is_quiet(listing, column)
                                                  : true;
    if (column == sectors_column || column == ways_column) return is_quiet(listing, column);
    return column != lanes_column || is_uniform(listing, column);
}

}  // namespace

const HeatTitles& all_columns(CodeLevel level) {
    return level == CodeLevel::machine ? machine_titles : heat_titles;
}

HeatTitles fewest_columns(const Theme& theme, const CodeListing& listing, CodeLevel level) {
    return columns_in(theme, listing, level, 0);
}

HeatTitles columns_in(const Theme& theme, const CodeListing& listing, CodeLevel level, float width) {
    const bool machine = level == CodeLevel::machine;
    const std::span<const std::size_t> dropped =
        machine ? std::span<const std::size_t>(dropped_of_machine) : dropped_of_source;
    HeatTitles titles = all_columns(level);
    const float code = width > 0 ? width_of_code(theme, listing) : 0;
    for (const std::size_t column : dropped) {
        if (width > 0 && gutter_width(theme, listing, titles) + code <= width) break;
        if (says_little(listing, level, column)) titles[column] = nullptr;
    }
    // Without room for both, code matters more than any column.
    if (!machine && width > 0 && width < 400 * theme.fonts.scale) titles[lanes_column] = nullptr;
    if (!machine && width > 0 && width < 340 * theme.fonts.scale) titles[exposed_column] = nullptr;
    return titles;
}

}  // namespace warplens::app
