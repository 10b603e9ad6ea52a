// The dearest lines as a figure: those of the kernel's source whose waits leave the most issue slots empty,
// with a bar each. For pictures with room below what they are about.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/scene.h"
#include "app/ui/ink.h"
#include "core/provenance.h"

namespace warplens::app {

struct DearLine {
    std::uint32_t number = 0;  // 1-based
    std::string text;          // of the line, without blanks at its ends and its comment
    double share = 0;          // of all issue slots of the SM, 0 to 1
};

struct DearLines {
    std::vector<DearLine> lines;  // the dearest first
    double others = 0;            // the share that waits for other lines leave empty
    double issued = 0;            // the share of slots in which an instruction issues
    double without_warp = 0;      // the share of slots of schedulers without a warp
};

/// At most 8 lines of the kernel's own file with at least 1 % of the issue slots; none without a schedule.
/// Times are of the wanted level where they are known there.
DearLines dear_lines(const Scene& scene, Level wanted);

/// With all lines, each as high as is of use; 0 without lines.
float dear_lines_height(const Ink& ink, const DearLines& dear);

/// As many lines as fit, then where the other issue slots are. `chosen` is the number of the outlined line.
/// Nothing is drawn without lines, or where not even four rows fit. `whose`: the run's name, where there are
/// two; else empty.
void draw_dear_lines(const Ink& ink, Box box, const DearLines& dear, std::uint32_t chosen,
                     std::string_view whose);

}  // namespace warplens::app
