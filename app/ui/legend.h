// Legend: what the colours of a drawing mean, as a row of swatches with words that wraps, or as a strip for
// an amount. Drawn where the colours are used, never in a tooltip.
#pragma once

#include <span>
#include <string>

#include "app/ui/theme.h"

namespace warplens::app {

struct LegendEntry {
    enum class Shape {
        filled,
        hatched,
        filled_hatched,
        outlined,
        thin_outlined,
        cornered,
        line,
        upright,
        tick
    };
    ImU32 colour = 0;
    std::string words;
    Shape shape = Shape::filled;
};

void draw_swatch(ImDrawList& list, const Theme& theme, ImVec2 min, ImVec2 max, ImU32 colour,
                 LegendEntry::Shape shape);
/// At the cursor, over the width of the content region or the one given.
void legend(const Theme& theme, std::span<const LegendEntry> entries, float width = 0);
/// What legend will take of a width.
ImVec2 legend_size(const Theme& theme, std::span<const LegendEntry> entries, float width);
/// The amount map from `low` to `high`, as words: "1 word" … "32 words".
void amount_legend(const Theme& theme, const std::string& low, const std::string& high);
/// The 32 bank colours in order, with the numbers 0 and 31.
void bank_legend(const Theme& theme);

}  // namespace warplens::app
