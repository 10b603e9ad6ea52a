// Pipeline: what one block does over time — loads in flight, waiting, computing, stores — in batches between
// barriers. Two tiles in flight overlap, one does not.
#include <fmt/format.h>

#include <algorithm>

#include "app/scene/copy_pipeline.h"
#include "app/ui/empty_state.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/ink.h"
#include "app/ui/legend.h"
#include "app/ui/number.h"
#include "app/views/pipeline/drawing.h"
#include "app/views/shared/headline.h"
#include "app/views/shared/picture_area.h"
#include "app/views/shared/schedule_words.h"
#include "app/views/shared/title_line.h"
#include "app/views/shared/two_runs.h"
#include "app/views/view.h"

namespace warplens::app {
namespace {

/// Height of the lanes and their ruler, each lane with both lines of its caption: unscaled pixels. A lower
/// pane scrolls.
constexpr float lowest_lanes = 180;

class PipelineView : public View {
  private:
    ViewNeeds needs() const override {
        return {.report = true, .timed = "The pipeline appears here.", .launch = true};
    }

    void draw_scene(ViewFrame& frame) override {
        if (!frame.scene->timing->schedule)
            return empty_state(frame.theme, "The timing model has no answer for this run.",
                               absent_sentence(frame.scene->timing->absent));
        const CopyPipeline* pipeline = frame.scene->timing->pipeline.get();
        if (pipeline == nullptr || pipeline->end <= pipeline->begin) {
            empty_state(frame.theme,
                        fmt::format("`{}` loads nothing from global memory in the modelled block.",
                                    frame.scene->trace->launch.kernel),
                        "`matmul_tiled` and `matmul_double_buffered` load tile by tile.");
            return;
        }
        const Theme& theme = frame.theme;
        if (frame.baseline) {
            const CopyPipeline& before = *frame.baseline->timing->pipeline;
            title_line(theme, change_title(frame, before, *pipeline));
            headline(theme, fmt::format("{} → {}", percent(share(before), 0), percent(share(*pipeline), 0)),
                     "overlapped",
                     change_facts(before, *pipeline) +
                         (frame.scene->gpu == frame.baseline->gpu ? "" : " · cycles of different clocks"));
        } else {
            title_line(theme, title(*frame.scene, *pipeline));
            headline(theme, percent(share(*pipeline), 0), "overlapped", facts(*pipeline));
        }
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        PipelineSigns signs;
        add_signs(signs, *pipeline);
        if (frame.baseline) add_signs(signs, *frame.baseline->timing->pipeline);
        const auto entries = pipeline_legend(theme, signs);
        const float least = frame.baseline ? 2 * lowest_lanes : lowest_lanes;
        const PictureArea area = picture_area(ink, entries, 820, frame.interactive ? least : 0);
        if (frame.baseline) draw_both(frame, ink, *frame.baseline->timing->pipeline, *pipeline, area.box);
        else draw_one(frame, ink, *pipeline, area.box);
        hit_box("pipeline lanes", area.box.min(), area.box.max());
        ImGui::Dummy({area.width, area.height});
        legend(theme, entries);
        provenance_line(theme, *frame.scene,
                        fmt::format("times: modelled · barriers and requests: exact · {}",
                                    to_string(frame.scene->report->level)));
    }

    std::string cannot_compare(const ViewFrame& frame) override {
        const auto& timing = frame.baseline->timing;
        if (timing && timing->pipeline && timing->pipeline->end > timing->pipeline->begin) return {};
        if (!timing || !timing->schedule)
            return fmt::format("{} has no modelled times to compare with{}", frame.baseline_name,
                               reason_words(timing ? timing->absent : std::string()));
        return fmt::format("{} has no loads from global memory to compare with.", frame.baseline_name);
    }

    static void add_signs(PipelineSigns& signs, const CopyPipeline& pipeline) {
        signs.groups |= pipeline.groups;
        signs.batches |= pipeline.has_batches();
        signs.barriers |= !pipeline.barriers.empty();
    }
    static std::string barriers_words(const CopyPipeline& pipeline) {
        return pipeline.barriers.empty() ? "no barrier" : counted(pipeline.barriers.size(), "barrier");
    }

    static std::uint32_t length(const CopyPipeline& pipeline) { return pipeline.end - pipeline.begin; }

    static void draw_one(const ViewFrame& frame, const Ink& ink, const CopyPipeline& pipeline, Box box) {
        const PipelineDrawing drawing{pipeline, length(pipeline), pipeline.begin, "pipeline",
                                      frame.interactive};
        draw_pipeline_ruler(ink, drawing, box);
        draw_pipeline_lanes(ink, drawing, box);
    }

    /// Above each other from the arrival of their blocks on, to the end of the longer one.
    static void draw_both(const ViewFrame& frame, const Ink& ink, const CopyPipeline& before,
                          const CopyPipeline& after, Box box) {
        const Theme& theme = frame.theme;
        const std::uint32_t cycles = std::max(length(before), length(after));
        PipelineDrawing was{before, cycles, 0, "pipeline before", frame.interactive};
        PipelineDrawing now{after, cycles, 0, "pipeline", frame.interactive};
        const bool one_clock = frame.scene->gpu == frame.baseline->gpu;
        if (length(after) < length(before)) {
            now.after_words = one_clock ? cycles_words(cycles - length(after)) + " saved" : "";
            now.after_colour = one_clock ? theme.ideal : 0;
        } else {
            was.after_words = one_clock ? cycles_words(cycles - length(before)) + " less" : "";
        }
        draw_pipeline_ruler(ink, was, box);
        RunBoxes boxes = boxes_of_runs(ink, box, box.width());  // never beside each other
        run_headings(ink, boxes, {frame.baseline_name, {run_facts(before), run_share(before)}},
                     {frame.scene_name, {run_facts(after), run_share(after)}}, theme.text_dim);
        draw_pipeline_lanes(ink, was, boxes.before);
        draw_pipeline_lanes(ink, now, boxes.after);
    }

    static std::string run_share(const CopyPipeline& pipeline) {
        return fmt::format("{} of the load time overlapped", percent(share(pipeline), 0));
    }
    static std::string run_facts(const CopyPipeline& pipeline) {
        return fmt::format("{}, {} of block {}, {}", run_share(pipeline), cycles_words(length(pipeline)),
                           grouped(pipeline.block), barriers_words(pipeline));
    }

    static std::string change_title(const ViewFrame& frame, const CopyPipeline& before,
                                    const CopyPipeline& after) {
        const std::string was = percent(share(before), 0), now = percent(share(after), 0);
        const std::string words =
            fmt::format("{} → {}: a block computes in ", frame.baseline_name, frame.scene_name);
        if (was == now) return words + fmt::format("{} of its load time in both runs", now);
        return words + fmt::format("{} → {} of its load time", was, now);
    }

    static std::string change_facts(const CopyPipeline& before, const CopyPipeline& after) {
        const auto change = [&](std::uint32_t was, std::uint32_t now) {
            return was == now ? grouped(now) : fmt::format("{} → {}", grouped(was), grouped(now));
        };
        return fmt::format("cycles: block {} · loads {} · arithmetic {}",
                           change(length(before), length(after)),
                           change(before.load_cycles, after.load_cycles),
                           change(before.compute_cycles, after.compute_cycles));
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
            barriers_words(pipeline));
    }
};

}  // namespace

std::unique_ptr<View> make_pipeline_view() { return std::make_unique<PipelineView>(); }

}  // namespace warplens::app
