#include "app/views/map/legend.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/ui/legend.h"
#include "app/ui/number.h"
#include "app/views/map/words.h"
#include "app/views/shared/two_runs.h"

namespace warplens::app {
namespace {

/// The colour is an amount: the legend begins with its strip.
bool has_strip(MapColour colour) {
    return colour == MapColour::lane || colour == MapColour::order || colour == MapColour::count;
}

std::vector<LegendEntry> entries_of(const MapLegend& of) {
    const Theme& theme = of.theme;
    const MapColour colour = of.colour;
    std::vector<LegendEntry> entries;
    if (colour == MapColour::block || colour == MapColour::warp) {
        const char* noun = colour == MapColour::block ? "block" : "warp";
        const bool differs = std::ranges::any_of(
            of.shown, [&](const MapPanel& panel) { return colour_in(panel, colour) != colour; });
        entries.push_back({theme.category(0),
                           fmt::format("color: the {} that accesses the element first{} (8 colors repeat)",
                                       noun, differs ? ", in shared arrays the warp" : "")});
        const bool mixed = std::ranges::any_of(of.shown, [&](const MapPanel& panel) {
            return std::ranges::any_of(
                panel.map.cells, [&](const auto& cell) { return is_mixed(cell, colour_in(panel, colour)); });
        });
        if (mixed)
            entries.push_back({theme.category(0),
                               fmt::format("by several {}s{}", noun, differs ? " or warps" : ""),
                               LegendEntry::Shape::filled_hatched});
    }
    entries.push_back({theme.raised, untouched_words(of.scene)});
    entries.push_back({theme.selected, "elements of this thread", LegendEntry::Shape::outlined});
    if (std::ranges::any_of(of.shown, [](const MapPanel& panel) { return !panel.of_request.empty(); }))
        entries.push_back({with_alpha(theme.selected, 0.75), "thin: of its warp in the same request",
                           LegendEntry::Shape::thin_outlined});
    if (of.paired) entries.push_back(change_entry(theme, "the other run"));
    return entries;
}

}  // namespace

float map_legend_height(const MapLegend& of, float width) {
    const std::vector<LegendEntry> entries = entries_of(of);
    // Beside the strip the others may need a line more.
    const float strip =
        has_strip(of.colour) ? legend_size(of.theme, std::span(entries).first(1), width).y : 0;
    return legend_size(of.theme, entries, width).y + strip;
}

void draw_map_legend(const MapLegend& of) {
    if (of.colour == MapColour::lane) amount_legend(of.theme, "color: lane 0", "lane 31");
    if (of.colour == MapColour::order)
        amount_legend(of.theme, "color: first request of the warp", "request " + grouped(of.orders));
    if (of.colour == MapColour::count)
        amount_legend(of.theme, "color: accessed once", grouped(of.most) + " times");
    if (has_strip(of.colour)) ImGui::SameLine(0, 16 * of.theme.fonts.scale);
    legend(of.theme, entries_of(of));
}

}  // namespace warplens::app
