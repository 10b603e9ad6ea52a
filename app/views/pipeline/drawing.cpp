#include "app/views/pipeline/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "app/ui/hatch.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/ui/tick_step.h"
#include "app/ui/tooltip.h"

namespace warplens::app {
namespace {

struct PipelineLane {
    const char* name;
    const char* what;
    std::vector<PipelineBar> CopyPipeline::*bars;
};
constexpr PipelineLane pipeline_lanes[] = {
    {"Load", "from global memory, in flight", &CopyPipeline::load},
    {"Wait", "a warp waits for data or a barrier", &CopyPipeline::wait},
    {"Compute", "a warp issues floating-point arithmetic", &CopyPipeline::compute},
    {"Store", "to global memory, in flight", &CopyPipeline::store}};

const char* words_of_lane(const PipelineLane& lane, const CopyPipeline& pipeline) {
    const bool integers = lane.bars == &CopyPipeline::compute && !pipeline.floating;
    return integers ? "a warp issues integer arithmetic" : lane.what;
}

/// Captions left of the lanes.
Box take_captions(const Ink& ink, Box& box) {
    const Box captions = box.take_left(std::clamp(box.width() * 0.18f, ink.px(110), ink.px(220)));
    box.take_left(ink.px(12));
    return captions;
}

/// Cycles of the block from its arrival on.
struct PipelineAxis {
    float x0, x1;
    std::uint32_t begin, cycles;
    float x(double cycle) const {
        return x0 + (x1 - x0) * static_cast<float>((cycle - begin) / std::max(double(cycles), 1.0));
    }
};

PipelineAxis axis_of(const PipelineDrawing& drawing, const Box& box) {
    return {box.x0, box.x1, drawing.pipeline.begin, drawing.cycles};
}

/// Odd batches are in the lower half, so that batches at the same time stand below one another.
void draw_lane(const Ink& ink, const PipelineDrawing& drawing, const PipelineLane& lane,
               const PipelineAxis& axis, const Box& box) {
    const Theme& theme = ink.theme;
    const float half = box.height() / 2;
    std::map<std::uint32_t, std::pair<Box, std::uint32_t>> batches;  // from the first bar to the last; bars
    const auto colour_of = [&](std::uint32_t batch) { return theme.category(batch % 2 == 1 ? 1 : 0); };
    for (const PipelineBar& bar : drawing.pipeline.*lane.bars) {
        const float top = box.y0 + (bar.batch % 2 == 1 ? half : 0) + 1;
        const Box at{axis.x(bar.begin), top, std::max(axis.x(bar.end), axis.x(bar.begin) + 1),
                     top + half - 2};
        const ImU32 colour = colour_of(bar.batch);
        if (lane.bars == &CopyPipeline::wait) {
            ink.fill(at, mix(colour, theme.background, 0.7));
            ink.hatch(at, colour);
        } else {
            ink.fill(at, colour);
        }
        auto& [whole, bars] = batches.try_emplace(bar.batch, at, 0).first->second;
        whole.x1 = std::max(whole.x1, at.x1);
        ++bars;
        if (drawing.interactive && ImGui::IsWindowHovered() && at.has(ImGui::GetIO().MousePos))
            tooltip_card(
                theme,
                fmt::format("{}: batch {}, {}.", lane.name, bar.batch, words_of_lane(lane, drawing.pipeline)),
                fmt::format("cycles {} to {}", grouped(bar.begin), grouped(bar.end)));
    }
    if (lane.bars != &CopyPipeline::load) return;  // the others are mostly too narrow for a number
    for (const auto& [batch, drawn] : batches) {
        const std::string number = grouped(batch);
        // As wide as the widest with as many digits: all of them are drawn, or none.
        const float wide = text_width(theme.fonts.small, std::string(number.size(), '0')) + ink.px(2);
        const float high = text_height(theme.fonts.small);
        const Box& whole = drawn.first;
        if (wide > whole.width() || high > whole.height()) continue;
        const ImVec2 middle = whole.centre();
        const Box plate{middle.x - wide / 2, middle.y - high / 2, middle.x + wide / 2, middle.y + high / 2};
        if (drawn.second > 1) ink.fill(plate, colour_of(batch));  // over the gaps
        ink.text(plate, number, theme.fonts.small, theme.text_on(colour_of(batch)), Align::centre);
    }
}

/// The room after the end of a block that ends before the axis.
void draw_rest(const Ink& ink, const PipelineDrawing& drawing, const Box& rest) {
    const Theme& theme = ink.theme;
    if (drawing.after_colour != 0) ink.fill(rest, with_alpha(drawing.after_colour, 0.14));
    ink.line({rest.x0, rest.y0}, {rest.x0, rest.y1}, theme.text, ink.px(1.5f));
    ink.text_if_fits(rest.inset(ink.px(6)), drawing.after_words, theme.fonts.words, theme.text);
}

}  // namespace

void draw_pipeline_ruler(const Ink& ink, const PipelineDrawing& drawing, Box& whole) {
    const Theme& theme = ink.theme;
    Box box = whole.take_bottom(text_height(theme.fonts.small) + ink.px(8));
    take_captions(ink, box);
    const PipelineAxis axis{box.x0, box.x1, 0, drawing.cycles};
    const double cycles = drawing.cycles;
    const double step = tick_step(cycles, axis.x1 - axis.x0, ink.px(90));
    for (double at = 0; at <= cycles; at += step) {
        const float x = axis.x(at);
        ink.line({x, box.y0}, {x, box.y0 + ink.px(4)}, theme.text_dim, 1);
        const std::string number = grouped(static_cast<std::uint64_t>(drawing.first + at));
        const std::string label = at == 0 ? "cycle " + number : number;
        const float width = text_width(theme.fonts.small, label);
        if (x + width > box.x1) continue;
        ink.text({x, box.y0 + ink.px(5), x + width + 1, box.y1}, label, theme.fonts.small, theme.text_dim);
    }
}

void draw_pipeline_lanes(const Ink& ink, const PipelineDrawing& drawing, Box box) {
    const Theme& theme = ink.theme;
    const CopyPipeline& pipeline = drawing.pipeline;
    const float small = text_height(theme.fonts.small), words = text_height(theme.fonts.words);
    const Box captions = take_captions(ink, box);
    const PipelineAxis axis = axis_of(drawing, box);
    const float end = axis.x(pipeline.end);
    const float pitch = box.height() / 4;
    const auto lane_box = [&](int i) {
        const float top = box.y0 + pitch * static_cast<float>(i), gap = std::min(ink.px(4), pitch * 0.15f);
        return Box{box.x0, top + gap, end, top + pitch - gap};
    };
    for (int i = 0; i < 4; ++i) ink.fill(lane_box(i), mix(theme.raised, theme.background, 0.5));
    for (const std::uint32_t barrier : pipeline.barriers)
        ink.line({axis.x(barrier), box.y0}, {axis.x(barrier), box.y1},
                 mix(theme.text_dim, theme.background, 0.5), ink.px(1));
    for (int i = 0; i < 4; ++i) {
        const PipelineLane& lane = pipeline_lanes[i];
        const float top = box.y0 + pitch * static_cast<float>(i);
        const std::array what{TextRun{words_of_lane(lane, pipeline), theme.fonts.small, theme.text_dim}};
        const float lines = text_width(theme.fonts.small, what.front().text) <= captions.width() ? 1 : 2;
        const bool both = pitch >= words + lines * small;
        const float first = top + (pitch - words - (both ? lines * small : 0)) / 2;
        ink.text({captions.x0, first, captions.x1, first + words}, lane.name, theme.fonts.words, theme.text);
        if (both)
            ink.paragraph({captions.x0, first + words}, captions.width(), what, static_cast<int>(lines));
        draw_lane(ink, drawing, lane, axis, lane_box(i));
        hit_box(fmt::format("{} {}", drawing.hits, lane.name), lane_box(i).min(), lane_box(i).max());
    }
    note_axis("cycle", drawing.first, drawing.first + double(drawing.cycles), box.min(), box.max());
    if (pipeline.end - pipeline.begin < drawing.cycles)
        draw_rest(ink, drawing, {end, box.y0, box.x1, box.y1});
}

std::vector<LegendEntry> pipeline_legend(const Theme& theme, const PipelineSigns& signs) {
    using Shape = LegendEntry::Shape;
    std::vector<LegendEntry> entries{
        {theme.category(0), signs.batches ? "even batch, upper half" : "work of the block, one batch"}};
    if (signs.batches) entries.push_back({theme.category(1), "odd batch, lower half"});
    entries.push_back({theme.category(0), "hatched: waits", Shape::hatched});
    if (signs.barriers)
        entries.push_back(
            {theme.text_dim,
             signs.groups ? "upright: barrier, the next batch begins; of loads, with each group of copies"
                          : "upright: barrier, the next batch begins",
             Shape::upright});
    return entries;
}

}  // namespace warplens::app
