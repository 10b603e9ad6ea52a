// Pipeline: what one block does over time — loads in flight, waiting, computing, stores — in batches between
// barriers. Two tiles in flight overlap, one does not.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/scene/copy_pipeline.h"
#include "app/ui/empty_state.h"
#include "app/ui/hatch.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/ink.h"
#include "app/ui/legend.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/ui/tick_step.h"
#include "app/ui/tooltip.h"
#include "app/views/shared/headline.h"
#include "app/views/shared/picture_area.h"
#include "app/views/shared/title_line.h"
#include "app/views/view.h"

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
    {"Compute", "a warp issues arithmetic", &CopyPipeline::compute},
    {"Store", "to global memory, in flight", &CopyPipeline::store}};

/// Height of the lanes and their ruler, each lane with both lines of its caption: unscaled pixels. A lower
/// pane scrolls.
constexpr float lowest_lanes = 180;

class PipelineView : public View {
  private:
    ViewNeeds needs() const override {
        return {.report = true, .timed = "The pipeline appears here.", .launch = true};
    }

    void draw_scene(ViewFrame& frame) override {
        const CopyPipeline* pipeline = frame.scene->timing->pipeline.get();
        if (pipeline == nullptr || pipeline->end <= pipeline->begin) {
            empty_state(frame.theme,
                        fmt::format("`{}` loads nothing from global memory in the modelled block.",
                                    frame.scene->trace->launch.kernel),
                        "`matmul_tiled` and `matmul_double_buffered` load tile by tile.");
            return;
        }
        const Theme& theme = frame.theme;
        title_line(theme, title(*frame.scene, *pipeline));
        headline(theme, percent(share(*pipeline), 0), "overlapped", facts(*pipeline));
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        const auto entries = legend_entries(theme);
        const PictureArea area = picture_area(ink, entries, 820, frame.interactive ? lowest_lanes : 0);
        const Box box = area.box;
        draw_lanes(frame, ink, *pipeline, box);
        hit_box("pipeline lanes", box.min(), box.max());
        ImGui::Dummy({area.width, area.height});
        legend(theme, entries);
        provenance_line(theme, *frame.scene,
                        fmt::format("times: modelled · barriers and requests: exact · {}",
                                    to_string(frame.scene->report->level)));
    }

    /// Of the time in which loads are in flight.
    static double share(const CopyPipeline& pipeline) {
        return pipeline.load_cycles == 0 ? 0 : double(pipeline.overlapped_cycles) / pipeline.load_cycles;
    }

    static std::string title(const Scene& scene, const CopyPipeline& pipeline) {
        const double overlapped = share(pipeline);
        return fmt::format("`{}`: {} of the time in which block {} has loads in flight, it computes{}",
                           scene.trace->launch.kernel, percent(overlapped, 0), grouped(pipeline.block),
                           pipeline.copies > 0
                               ? fmt::format("; {} of {} loads are asynchronous copies",
                                             grouped(pipeline.copies), grouped(pipeline.loads))
                               : std::string());
    }

    static std::string facts(const CopyPipeline& pipeline) {
        return fmt::format(
            "{} with loads in flight, {} of them with arithmetic · {} with arithmetic · {} "
            "of the block · {}",
            cycles_words(pipeline.load_cycles), grouped(pipeline.overlapped_cycles),
            cycles_words(pipeline.compute_cycles), cycles_words(pipeline.end - pipeline.begin),
            counted(pipeline.barriers.size(), "barrier"));
    }

    struct Axis {
        float x0, x1;
        std::uint32_t begin, end;
        float x(double cycle) const {
            return x0 + (x1 - x0) * static_cast<float>((cycle - begin) / (double(end) - begin));
        }
    };

    static void draw_lanes(ViewFrame& frame, const Ink& ink, const CopyPipeline& pipeline, Box box) {
        const Theme& theme = ink.theme;
        const float small = text_height(theme.fonts.small), words = text_height(theme.fonts.words);
        const Box captions = box.take_left(std::clamp(box.width() * 0.18f, ink.px(110), ink.px(220)));
        box.take_left(ink.px(12));
        const Box ruler = box.take_bottom(small + ink.px(8));
        const Axis axis{box.x0, box.x1, pipeline.begin, pipeline.end};
        note_axis("cycle", pipeline.begin, pipeline.end, box.min(), box.max());
        const float pitch = box.height() / 4;
        const auto lane_box = [&](int i) {
            const float top = box.y0 + pitch * static_cast<float>(i);
            return Box{box.x0, top + ink.px(4), box.x1, top + pitch - ink.px(4)};
        };
        for (int i = 0; i < 4; ++i) ink.fill(lane_box(i), mix(theme.raised, theme.background, 0.5));
        for (const std::uint32_t barrier : pipeline.barriers)
            ink.line({axis.x(barrier), box.y0}, {axis.x(barrier), box.y1},
                     mix(theme.text_dim, theme.background, 0.5), ink.px(1));
        for (int i = 0; i < 4; ++i) {
            const PipelineLane& lane = pipeline_lanes[i];
            const float top = box.y0 + pitch * static_cast<float>(i);
            const bool both = pitch >= words + small;
            const float first = top + (pitch - words - (both ? small : 0)) / 2;
            ink.text({captions.x0, first, captions.x1, first + words}, lane.name, theme.fonts.words,
                     theme.text);
            if (both)
                ink.text({captions.x0, first + words, captions.x1, first + words + small}, lane.what,
                         theme.fonts.small, theme.text_dim);
            draw_lane(frame, ink, pipeline, lane, axis, lane_box(i));
            hit_box(fmt::format("pipeline {}", lane.name), lane_box(i).min(), lane_box(i).max());
        }
        draw_ruler(ink, axis, ruler);
    }

    /// Odd batches are in the lower half, so that batches at the same time stand below one another.
    static void draw_lane(ViewFrame& frame, const Ink& ink, const CopyPipeline& pipeline,
                          const PipelineLane& lane, const Axis& axis, const Box& box) {
        const Theme& theme = ink.theme;
        const float half = box.height() / 2;
        std::uint32_t labelled = no_index;
        for (const PipelineBar& bar : pipeline.*lane.bars) {
            const bool odd = bar.batch % 2 == 1;
            const float top = box.y0 + (odd ? half : 0) + 1;
            const Box at{axis.x(bar.begin), top, std::max(axis.x(bar.end), axis.x(bar.begin) + 1),
                         top + half - 2};
            const ImU32 colour = theme.category(odd ? 1 : 0);
            if (lane.bars == &CopyPipeline::wait) {
                ink.fill(at, mix(colour, theme.background, 0.7));
                ink.hatch(at, colour);
            } else {
                ink.fill(at, colour);
            }
            // Once in each batch, and where all can be read: those of the waits mostly cannot.
            const bool is_first =
                std::exchange(labelled, bar.batch) != bar.batch && lane.bars == &CopyPipeline::load;
            const std::string number = is_first ? grouped(bar.batch) : std::string();
            ink.text_if_fits(at, number, theme.fonts.small, theme.text_on(colour));
            if (frame.interactive && ImGui::IsWindowHovered() && at.has(ImGui::GetIO().MousePos))
                tooltip_card(theme, fmt::format("{}: batch {}, {}.", lane.name, bar.batch, lane.what),
                             fmt::format("cycles {} to {}", grouped(bar.begin), grouped(bar.end)));
        }
    }

    static void draw_ruler(const Ink& ink, const Axis& axis, const Box& box) {
        const Theme& theme = ink.theme;
        const double cycles = double(axis.end) - axis.begin;
        const double step = tick_step(cycles, axis.x1 - axis.x0, ink.px(90));
        for (double at = 0; at <= cycles; at += step) {
            const float x = axis.x(axis.begin + at);
            ink.line({x, box.y0}, {x, box.y0 + ink.px(4)}, theme.text_dim, 1);
            const std::string number = grouped(static_cast<std::uint64_t>(axis.begin + at));
            const std::string label = at == 0 ? "cycle " + number : number;
            const float width = text_width(theme.fonts.small, label);
            if (x + width > box.x1) continue;
            ink.text({x, box.y0 + ink.px(5), x + width + 1, box.y1}, label, theme.fonts.small,
                     theme.text_dim);
        }
    }

    static std::vector<LegendEntry> legend_entries(const Theme& theme) {
        using Shape = LegendEntry::Shape;
        return {{theme.category(0), "even batch, upper half"},
                {theme.category(1), "odd batch, lower half"},
                {theme.category(0), "hatched: waits", Shape::hatched},
                {theme.text_dim, "upright: barrier, the next batch begins", Shape::upright}};
    }
};

}  // namespace

std::unique_ptr<View> make_pipeline_view() { return std::make_unique<PipelineView>(); }

}  // namespace warplens::app
