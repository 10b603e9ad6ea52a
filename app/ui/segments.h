// Segments: a choice among a few options, as words on one surface; the chosen one is underlined.
#pragma once

#include <span>
#include <string>

#include "app/ui/theme.h"

namespace warplens::app {

struct Segment {
    std::string name;  // of its hit box
    std::string words;
    std::string help;  // tooltip sentence, may be empty
};

float segments_width(const Theme& theme, std::span<const Segment> segments);
/// At the cursor. Returns the index chosen from now on.
std::size_t segments(const Theme& theme, std::span<const Segment> segments, std::size_t chosen);

}  // namespace warplens::app
