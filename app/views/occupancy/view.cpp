// Occupancy: how many blocks of this launch an SM holds at once, what runs out first, and what would change
// it.
#include "analysis/warps/occupancy.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/ui/hit_boxes.h"
#include "app/ui/ink.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/occupancy/drawing.h"
#include "app/views/shared/headline.h"
#include "app/views/shared/title_line.h"
#include "app/views/view.h"

namespace warplens::app {
namespace {

using analysis::OccupancyInput;
using analysis::OccupancyKnob;

OccupancyInput input_of(const analysis::LaunchReport& report) {
    OccupancyInput input;
    input.threads_per_block = report.launch.geometry.threads_per_block();
    input.registers_per_thread = static_cast<int>(report.launch.resources.registers_per_thread);
    input.shared_bytes_per_block = static_cast<int>(report.launch.resources.shared_static_bytes +
                                                    report.launch.geometry.dynamic_shared_bytes);
    return input;
}

bool same(const OccupancyInput& a, const OccupancyInput& b) {
    return a.threads_per_block == b.threads_per_block && a.registers_per_thread == b.registers_per_thread &&
           a.shared_bytes_per_block == b.shared_bytes_per_block;
}

constexpr std::size_t least_gpus = 3;  // in the table of other GPUs

class OccupancyView : public View {
  private:
    ViewNeeds needs() const override {
        return {.report = true, .gpu = true, .of_two_levels = TwoLevels::either};
    }

    void draw_scene(ViewFrame& frame) override {
        const Scene* scene = frame.scene;
        if (scene->generation != generation_) {
            generation_ = scene->generation;
            kernel_ = what_if_ = input_of(*scene->report);
        }
        const analysis::Occupancy fit = analysis::occupancy(*scene->gpu, what_if_);
        draw_title(frame, fit);
        draw_figures(frame, fit);
        provenance_line(frame.theme, *scene,
                        same(kernel_, what_if_)
                            ? "theoretical occupancy: exact · machine level"
                            : "what if: theoretical occupancy, exact for the chosen values");
    }

    void draw_title(ViewFrame& frame, const analysis::Occupancy& fit) {
        const GpuSpec& gpu = *frame.scene->gpu;
        const std::string& name = frame.scene->report->launch.kernel;
        if (fit.blocks_per_sm == 0) {
            title_line(frame.theme, fmt::format("`{}` does not fit on {}: {}", name, gpu.name, fit.reason));
            return;
        }
        const std::string limits = analysis::limiters_in_words(fit);
        title_line(
            frame.theme,
            fmt::format("`{}` on {}: {} of {} threads fit on an SM, {} of {} warps, {}; {} run{} out first{}",
                        name, gpu.name, counted(static_cast<std::uint64_t>(fit.blocks_per_sm), "block"),
                        grouped(static_cast<std::uint64_t>(what_if_.threads_per_block)), fit.warps_per_sm,
                        gpu.max_warps_per_sm, percent(fit.theoretical), limits,
                        limits == analysis::to_string(analysis::Limiter::shared_memory) ? "s" : "",
                        change_words(frame, fit)));
        headline_with_room(frame.theme, {percent(fit.theoretical), "occupancy",
                                         fmt::format("{} of {} warps on an SM · limit: {}", fit.warps_per_sm,
                                                     gpu.max_warps_per_sm, limits)});
    }

    /// "; PAD=0 has 32 of 64 warps, 50 %": of a run beside this one.
    static std::string change_words(const ViewFrame& frame, const analysis::Occupancy& fit) {
        const std::optional<analysis::Occupancy> before = baseline_fit(frame);
        if (!before) return {};
        const int slots = frame.baseline->gpu->max_warps_per_sm;
        if (before->warps_per_sm == fit.warps_per_sm && slots == frame.scene->gpu->max_warps_per_sm)
            return fmt::format("; {} has as many warps", frame.baseline_name);
        return fmt::format("; {} has {} of {} warps, {}", frame.baseline_name, before->warps_per_sm, slots,
                           percent(before->theoretical));
    }

    void draw_figures(ViewFrame& frame, const analysis::Occupancy& fit) {
        const Theme& theme = frame.theme;
        const float scale = theme.fonts.scale, gutter = 32 * scale;
        const ImVec2 origin = ImGui::GetCursorScreenPos();
        ImVec2 room = ImGui::GetContentRegionAvail();
        room.y =
            std::max(room.y - provenance_line_height(theme) - ImGui::GetStyle().ItemSpacing.y, 200 * scale);
        const bool wide = room.x > 900 * scale;
        const float column = wide ? (room.x - gutter) / 2 : room.x;
        ImDrawList& list = *ImGui::GetWindowDrawList();

        const float left_least = least_left(theme, frame.baseline != nullptr);
        const float right_least = least_right(theme), between = 16 * scale;
        if (frame.interactive)  // a low pane scrolls to the rest
            room.y = std::max(room.y,
                              wide ? std::max(left_least, right_least) : left_least + between + right_least);
        const float left_height =
            wide ? room.y : std::max(std::min(room.y * 0.5f, room.y - between - right_least), left_least);
        draw_left(frame, list, fit, {origin, {origin.x + column, origin.y + left_height}});
        const ImVec2 right = wide ? ImVec2{origin.x + column + gutter, origin.y}
                                  : ImVec2{origin.x, origin.y + left_height + between};
        draw_right(frame, list, {right, {right.x + column, origin.y + room.y}});
        ImGui::Dummy({room.x, room.y});
    }

    /// Heights in which each part of a column is legible: see draw_left and draw_right.
    static float least_slots(const Theme& theme) { return 4 * (text_height(theme.fonts.small) + 2); }
    static float least_bars(const Theme& theme) {
        return 4 * (text_height(theme.fonts.words) + 2 * theme.fonts.scale);
    }
    static float heading_height(const Theme& theme) {
        return text_height(theme.fonts.words) + 8 * theme.fonts.scale;
    }
    static float least_left(const Theme& theme, bool two_runs) {
        const float scale = theme.fonts.scale;
        const float name = text_height(theme.fonts.small) + 12 * scale;
        const float slots = two_runs ? 2 * (least_slots(theme) + name) : least_slots(theme) + 16 * scale;
        return 2 * heading_height(theme) + slots + least_bars(theme);
    }
    static float least_curves(const Theme& theme) { return 3 * 76 * theme.fonts.scale; }
    static float least_table(const Theme& theme) {
        return heading_height(theme) + gpu_table_height(theme, least_gpus);
    }
    static float least_right(const Theme& theme) {
        return heading_height(theme) + least_curves(theme) + least_table(theme);
    }

    static std::optional<analysis::Occupancy> baseline_fit(const ViewFrame& frame) {
        const Scene* baseline = frame.baseline;
        if (!baseline || !baseline->report || !baseline->gpu) return std::nullopt;
        return analysis::occupancy(*baseline->gpu, input_of(*baseline->report));
    }

    /// A grid of slots under the name of its run; returns where it ends.
    static float draw_named_slots(ViewFrame& frame, ImDrawList& list, Region box, float y, float slots,
                                  std::string_view name, const GpuSpec& gpu, const analysis::Occupancy& fit) {
        const Theme& theme = frame.theme;
        const float scale = theme.fonts.scale;
        const std::string words = fmt::format("{}: {} of {} warps, {}", name, fit.warps_per_sm,
                                              gpu.max_warps_per_sm, percent(fit.theoretical));
        draw_text(list, theme.fonts.small, {box.min.x, y}, theme.text,
                  fit_text(theme.fonts.small, words, box.width()));
        y += text_height(theme.fonts.small) + 4 * scale;
        draw_warp_slots(list, theme, {{box.min.x, y}, {box.max.x, y + slots}}, gpu, fit);
        return y + slots + 8 * scale;
    }

    void draw_left(ViewFrame& frame, ImDrawList& list, const analysis::Occupancy& fit, Region box) {
        const Theme& theme = frame.theme;
        const float scale = theme.fonts.scale, line = text_height(theme.fonts.words) + 4 * scale;
        float y = box.min.y;
        draw_text(
            list, theme.fonts.words, {box.min.x, y}, theme.text_dim,
            fit_text(theme.fonts.words, "Warp slots of one SM, numbered by resident block", box.width()));
        y += line + 4 * scale;
        const std::optional<analysis::Occupancy> before = baseline_fit(frame);
        const LeftHeights heights = left_heights(theme, fit, box, before.has_value());
        if (before) {
            // The same cells for both: that is the scale.
            y = draw_named_slots(frame, list, box, y, heights.slots, frame.baseline_name,
                                 *frame.baseline->gpu, *before);
            y = draw_named_slots(frame, list, box, y, heights.slots, frame.scene_name, *frame.scene->gpu,
                                 fit);
        } else {
            draw_warp_slots(list, theme, {{box.min.x, y}, {box.max.x, y + heights.slots}}, *frame.scene->gpu,
                            fit);
            y += heights.slots + 16 * scale;
        }
        std::vector<std::string> words{"Resources of the resident blocks, and how many blocks would fit",
                                       "Resources of the resident blocks"};
        if (before)
            words = {fmt::format("Resources of the resident blocks; outlined: {}", frame.baseline_name)};
        ImFont* const font = theme.fonts.words;
        draw_text(list, font, {box.min.x, y}, theme.text_dim,
                  fit_text(font, wording_that_fits(font, words, box.width()), box.width()));
        y += line + 4 * scale;
        draw_limit_bars(list, theme, {{box.min.x, y}, {box.max.x, y + heights.bars}}, fit,
                        before ? &*before : nullptr);
        y += heights.bars + 16 * scale;
        draw_steps(theme, list, fit, {{box.min.x, y}, box.max});
    }

    /// Of the slots of one run, and of the bars. They are lower where that gives the whole calculation its
    /// room.
    struct LeftHeights {
        float slots = 0, bars = 0;
    };
    static LeftHeights left_heights(const Theme& theme, const analysis::Occupancy& fit, Region box,
                                    bool two_runs) {
        const float runs = two_runs ? 2 : 1, least = least_slots(theme);
        LeftHeights heights{
            std::min(std::max(box.height() * (two_runs ? 0.2f : 0.3f), least), box.width() / 4.6f),
            std::clamp(box.height() * 0.26f, least_bars(theme),
                       std::max(168 * theme.fonts.scale, least_bars(theme)))};
        const float fixed = least_left(theme, two_runs) - runs * least - least_bars(theme);
        const float left = box.height() - fixed - runs * heights.slots - heights.bars;
        const float missing = std::max(steps_height(theme, fit, box.width()) - left, 0.0f);
        const float slots_have = runs * std::max(heights.slots - least, 0.0f);
        const float bars_have = heights.bars - least_bars(theme);
        if (missing > slots_have + bars_have) return heights;
        const float bars_give = std::min(missing, bars_have);
        heights.bars -= bars_give;
        heights.slots -= (missing - bars_give) / runs;
        return heights;
    }

    static float step_height(const Theme& theme, const std::string& step, float width) {
        const TextRun run{step, theme.fonts.code, theme.text};
        return Ink{ImGui::GetWindowDrawList(), theme}.paragraph({}, width, std::span(&run, 1), 4, false) +
               8 * theme.fonts.scale;
    }
    /// Of the whole calculation with its heading, and the space above it.
    static float steps_height(const Theme& theme, const analysis::Occupancy& fit, float width) {
        float height = 16 * theme.fonts.scale + heading_height(theme);
        for (const std::string& step : fit.steps) height += step_height(theme, step, width);
        return height;
    }

    /// The arithmetic, as many of its steps as there is room for, and how many there is none for.
    static void draw_steps(const Theme& theme, ImDrawList& list, const analysis::Occupancy& fit, Region box) {
        const float scale = theme.fonts.scale;
        const float heading = text_height(theme.fonts.words) + 6 * scale;
        float y = box.min.y + heading;
        std::size_t shown = 0;
        for (const std::string& step : fit.steps) {
            const float height = step_height(theme, step, box.width());
            if (y + height - 8 * scale > box.max.y) break;
            const TextRun run{step, theme.fonts.code, theme.text};
            Ink{&list, theme}.paragraph({box.min.x, y}, box.width(), std::span(&run, 1), 4);
            y += height;
            ++shown;
        }
        if (box.height() < text_height(theme.fonts.words)) return;
        const std::size_t all = fit.steps.size();
        const std::string words = shown == all ? "Calculation"
                                  : shown == 0 ? "Calculation: in a taller view"
                                               : fmt::format(
                                                     "Calculation: {} of {} steps, the others in a "
                                                     "taller view",
                                                     shown, all);
        draw_text(list, theme.fonts.words, box.min, theme.text_dim,
                  fit_text(theme.fonts.words, words, box.width()));
    }

    void draw_right(ViewFrame& frame, ImDrawList& list, Region box) {
        const Theme& theme = frame.theme;
        const float scale = theme.fonts.scale, line = heading_height(theme);
        const GpuSpec& gpu = *frame.scene->gpu;
        std::vector<const char*> heading{"Warps per SM if one resource changes"};
        if (frame.interactive && !same(kernel_, what_if_)) draw_reset(frame, list, box);
        else if (frame.interactive)
            heading.insert(heading.begin(), "Warps per SM if one resource changes (drag the point)");
        draw_text(list, theme.fonts.words, box.min, theme.text_dim,
                  wording_that_fits(theme.fonts.words, heading, box.width()));
        // A small picture has the curves alone.
        const bool has_table = box.height() + 1 >= least_right(theme);
        const float table = has_table ? line + gpu_table_height(theme, gpu) : 0;
        // Where the table has to be cut, the curves get their share of the room first.
        const bool cut = has_table && box.height() - line - table + 1 < least_curves(theme);
        const float share =
            cut ? std::min(0.72f * (box.height() - line - least_table(theme)) / 3, 100 * scale) : 0;
        const float curves = std::max({(box.height() - line - table) / 3, least_curves(theme) / 3, share});
        struct Knob {
            OccupancyKnob knob;
            int OccupancyInput::*value;
        };
        const Knob knobs[] = {
            {OccupancyKnob::threads_per_block, &OccupancyInput::threads_per_block},
            {OccupancyKnob::registers_per_thread, &OccupancyInput::registers_per_thread},
            {OccupancyKnob::shared_bytes_per_block, &OccupancyInput::shared_bytes_per_block}};
        // A low and wide picture has them side by side.
        const bool across = box.height() < line + least_curves(theme) && box.width() >= 3 * 230 * scale;
        const float gap = 24 * scale, width = across ? (box.width() - 2 * gap) / 3 : box.width();
        const float below = across ? box.height() - line : curves - 12 * scale;
        float x = box.min.x, y = box.min.y + line;
        for (const Knob& knob : knobs) {
            const Region plot{{x, y}, {x + width, y + below}};
            const int dragged = draw_occupancy_curve(list, theme, plot, gpu,
                                                     analysis::occupancy_curve(gpu, what_if_, knob.knob),
                                                     knob.knob, what_if_.*knob.value, frame.interactive);
            if (dragged >= 0) what_if_.*knob.value = snapped(knob.knob, dragged);
            if (across) x += width + gap;
            else y += curves;
        }
        if (!has_table) return;
        draw_text(list, theme.fonts.words, {box.min.x, y}, theme.text_dim,
                  fit_text(theme.fonts.words,
                           fmt::format("The same launch on other GPUs, with the register count of {}",
                                       frame.scene->report->launch.resources.target),
                           box.width()));
        y += line;
        const GpuSpec* clicked =
            draw_gpu_table(list, theme, {{box.min.x, y}, box.max}, what_if_, gpu, frame.interactive);
        if (clicked) frame.commands.set_gpu = clicked->name;
    }

    /// Blocks are complete warps in practice, and shared memory changes in steps of 256 bytes.
    static int snapped(OccupancyKnob knob, int value) {
        if (knob == OccupancyKnob::threads_per_block) return std::max(32, (value + 16) / 32 * 32);
        if (knob == OccupancyKnob::shared_bytes_per_block) return (value + 128) / 256 * 256;
        return std::max(1, value);
    }

    void draw_reset(ViewFrame& frame, ImDrawList& list, Region box) {
        const Theme& theme = frame.theme;
        const char* words = "reset to the kernel's values";
        const ImVec2 min{box.max.x - text_width(theme.fonts.words, words), box.min.y};
        const ImVec2 max{box.max.x, box.min.y + text_height(theme.fonts.words)};
        draw_text(list, theme.fonts.words, min, theme.ideal, words);
        hit_box("occupancy reset", min, max);
        if (ImGui::IsMouseHoveringRect(min, max) && ImGui::IsMouseClicked(0)) what_if_ = kernel_;
    }

    std::uint64_t generation_ = 0;
    OccupancyInput kernel_, what_if_;
};

}  // namespace

std::unique_ptr<View> make_occupancy_view() { return std::make_unique<OccupancyView>(); }

}  // namespace warplens::app
