// The drawing of one block's pipeline: a lane each for loads in flight, waiting, computing and stores over an
// axis of cycles.
#pragma once

#include <string_view>
#include <vector>

#include "app/scene/copy_pipeline.h"
#include "app/ui/ink.h"
#include "app/ui/legend.h"

namespace warplens::app {

struct PipelineDrawing {
    const CopyPipeline& pipeline;
    std::uint32_t cycles = 0;            // of the axis, from the block's arrival: at least as many as it has
    std::uint32_t first = 0;             // number of the axis' first cycle
    std::string_view hits = "pipeline";  // what names of hit boxes begin with
    bool interactive = false;
    /// Of a block that ends before the axis: in the room after its end, and the colour of that room.
    std::string after_words = {};
    ImU32 after_colour = 0;
};

/// The lanes with their captions; the ruler takes its room off the bottom of the box first.
void draw_pipeline_ruler(const Ink& ink, const PipelineDrawing& drawing, Box& box);
void draw_pipeline_lanes(const Ink& ink, const PipelineDrawing& drawing, Box box);

/// What the picture has, of one run or of two.
struct PipelineSigns {
    bool batches = false, barriers = false;
    bool groups = false;  // of copies
};
std::vector<LegendEntry> pipeline_legend(const Theme& theme, const PipelineSigns& signs);

}  // namespace warplens::app
