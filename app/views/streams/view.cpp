// Streams: the copies, kernels and graph launches of a host's plan as spans on one clock, one variant of the
// work above the other: as a GPU measured them, or as a model schedules them (app/pipeline/model_streams.h).
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/ui/empty_state.h"
#include "app/ui/legend.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/shared/title_line.h"
#include "app/views/streams/drawing.h"
#include "app/views/view.h"
#include "core/stream_costs.h"

namespace warplens::app {
namespace {

class StreamsView : public View {
  private:
    void draw_scene(ViewFrame& frame) override {
        const Scene* scene = frame.scene;
        const bool is_modelled = scene->trace->activities.empty();
        if (is_modelled && !scene->modelled_streams) {
            draw_nothing(frame.theme, *scene);
            return;
        }
        if (!picture_ || trace_ != scene->trace) {
            trace_ = scene->trace;  // what the picture refers to
            modelled_ = scene->modelled_streams;
            if (is_modelled) picture_.emplace(*modelled_, Provenance::modelled);
            else picture_.emplace(trace_->activities);
        }
        title_line(frame.theme, picture_->sentence);
        legend(frame.theme, activity_legend(frame.theme, *picture_));
        draw_figures(frame);
    }

    static void draw_nothing(const Theme& theme, const Scene& scene) {
        const std::string& name = scene.trace->launch.kernel;
        if (scene.kernel && scene.kernel->streams) {
            empty_state(
                theme, fmt::format("The streams of `{}` have not been measured", name),
                fmt::format("This view shows copies, kernels and graph launches as spans on one clock, "
                            "for {} variants of the work, and the time that overlap saves. "
                            "On a machine with an NVIDIA GPU, `warplens record {} -o x.wltrace --engine "
                            "cuda` measures them; the file opens on any machine.",
                            scene.kernel->streams->variants.size(), name));
            return;
        }
        empty_state(theme, fmt::format("`{}` does not use streams", name),
                    "A kernel's header can declare the host's copies and launches, and their streams. "
                    "Choose `streams_pipeline` or `graph_replay` on the left.");
    }

    void draw_figures(ViewFrame& frame) {
        const Theme& theme = frame.theme;
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImVec2 room = ImGui::GetContentRegionAvail();
        room.y =
            std::max(room.y - provenance_line_height(theme) - ImGui::GetStyle().ItemSpacing.y, ink.px(160));
        const Box area{at.x, at.y + ink.px(6), at.x + room.x, at.y + room.y};
        const StreamsDrawing drawing(ink, *picture_, area);
        StreamsSpot hovered;
        if (frame.interactive && ImGui::IsWindowHovered()) hovered = drawing.spot_at(ImGui::GetMousePos());
        drawing.draw(hovered);
        if (hovered.any)
            tooltip_card(theme, spot_sentence(*picture_, hovered), spot_lines(*picture_, hovered));
        ImGui::Dummy(room);
        draw_source(theme, picture_->provenance == Provenance::modelled ? model_words() : measured_words());
    }

    static std::string model_words() {
        const StreamCosts costs;
        return fmt::format(
            "modelled: kernels by the timing model, one at a time · copies {:.0f} GB/s and {} each, and what "
            "host calls cost, as on an {}",
            costs.copy_in_bytes_per_us / 1000, analysis::microseconds(costs.copy_in_latency_us),
            costs.measured_on);
    }

    std::string measured_words() const {
        const trace::Activity& first = picture_->activities.front();
        double bound = 0;
        for (const trace::Activity& activity : picture_->activities)
            bound = std::max(bound, activity.timer_bound_us);
        std::string words = "measured";
        for (const std::string* part : {&first.device, &first.driver, &first.date})
            if (!part->empty()) words += " · " + *part;
        words += fmt::format(" · spans ± {} from events around each; hatched: inferred",
                             analysis::microseconds(bound));
        if (first.repeats > 0)
            words += fmt::format(" · totals and savings: median of {}, no events inside", first.repeats);
        return words;
    }

    /// The origin of the numbers; the Scene's line is about blocks, which do not apply here.
    static void draw_source(const Theme& theme, const std::string& words) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x, height = provenance_line_height(theme);
        draw_text(*ImGui::GetWindowDrawList(), theme.fonts.small, {at.x, at.y + 2}, theme.text_dim,
                  fit_text(theme.fonts.small, words, width));
        ImGui::Dummy({width, height});
    }

    std::shared_ptr<const trace::Trace> trace_;
    std::shared_ptr<const std::vector<trace::Activity>> modelled_;
    std::optional<StreamsPicture> picture_;
};

}  // namespace

std::unique_ptr<View> make_streams_view() { return std::make_unique<StreamsView>(); }

}  // namespace warplens::app
