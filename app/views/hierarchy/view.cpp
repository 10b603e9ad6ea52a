// Hierarchy: the levels of memory, the bytes that move between them, where loads are served and how long they
// take.
#include <fmt/format.h>

#include <algorithm>

#include "app/ui/empty_state.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/legend.h"
#include "app/ui/number.h"
#include "app/views/hierarchy/drawing.h"
#include "app/views/shared/headline.h"
#include "app/views/shared/picture_area.h"
#include "app/views/shared/schedule_words.h"
#include "app/views/shared/title_line.h"
#include "app/views/shared/two_runs.h"
#include "app/views/view.h"

namespace warplens::app {
namespace {

using trace::ServedBy;

/// Height of the levels with both lines of their latencies: unscaled pixels. A lower pane scrolls.
constexpr float lowest_levels = 200;

/// The bytes that move between two levels of memory.
struct Traffic {
    double MemoryLevels::*bytes;
    const char *name, *between;
};
constexpr Traffic traffic_upwards[] = {
    {&MemoryLevels::dram_bytes, "DRAM", "between L2 and DRAM"},
    {&MemoryLevels::l2_bytes, "L2", "between the SMs and L2"},
    {&MemoryLevels::requested_bytes, "L1", "between registers and L1"},
    {&MemoryLevels::shared_bytes, "shared memory", "between registers and shared memory"}};

class HierarchyView : public View {
  private:
    ViewNeeds needs() const override {
        return {.report = true, .gpu = true, .timed = "The levels of memory appear here.", .launch = true};
    }

    void draw_scene(ViewFrame& frame) override {
        const MemoryLevels* levels = frame.scene->timing->levels.get();
        if (levels == nullptr) {
            empty_state(frame.theme, "The timing model has no answer for this run.",
                        absent_sentence(frame.scene->timing->absent));
            return;
        }
        if (levels->requested_bytes + levels->shared_bytes + levels->l2_bytes <= 0) {
            empty_state(frame.theme,
                        fmt::format("`{}` accesses neither global nor shared memory.",
                                    frame.scene->trace->launch.kernel),
                        "`pointer_chase` and `matmul_tiled` show the levels of memory.");
            return;
        }
        const Theme& theme = frame.theme;
        if (frame.baseline) {
            title_line(theme, change_title(frame, *levels));
            draw_change(frame, *levels);
        } else {
            title_line(theme, title(*frame.scene, *levels));
            draw_headline(theme, *levels);
        }
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        const auto entries =
            legend_entries(theme, frame.baseline ? frame.baseline_name : "", has_bars(ink, frame));
        const float least = frame.baseline ? lowest_of_two(ink) : lowest_levels;
        // Where the picture has to be scrolled, the legend stands above it, in sight.
        const float legend_height =
            legend_size(theme, entries, ImGui::GetContentRegionAvail().x).y + ImGui::GetStyle().ItemSpacing.y;
        const bool legend_first =
            frame.interactive && ImGui::GetContentRegionAvail().y < ink.px(least + 10) + legend_height +
                                                                        provenance_line_height(theme) +
                                                                        2 * ImGui::GetStyle().ItemSpacing.y;
        if (legend_first) legend(theme, entries);
        const PictureArea area = picture_area(ink, legend_first ? std::vector<LegendEntry>{} : entries, 900,
                                              frame.interactive ? least : 0);
        Box box = area.box;
        if (box.height() >= ink.px(frame.baseline ? 2 * lowest_levels : 300) &&
            draws_stairs(frame, *levels)) {
            const Box stairs = box.take_bottom(box.height() * (frame.baseline ? 0.3f : 0.38f));
            box.take_bottom(ink.px(16));
            draw_stairs(ink, *levels, marks(frame, *levels), stairs);
        }
        if (frame.baseline) draw_both(frame, ink, *levels, box);
        else draw_levels(ink, {*levels, scale_of({levels})}, box);
        hit_box("memory levels", box.min(), box.max());
        ImGui::Dummy({area.width, area.height});
        if (!legend_first) legend(theme, entries);
        provenance_line(theme, *frame.scene, provenance(*frame.scene, *levels));
    }

    std::string cannot_compare(const ViewFrame& frame) override {
        if (frame.baseline->timing && frame.baseline->timing->levels) return {};
        const std::string why = frame.baseline->timing ? frame.baseline->timing->absent : std::string();
        return fmt::format("{} has no modelled levels of memory to compare with{}", frame.baseline_name,
                           reason_words(why));
    }

    static const MemoryLevels& before_of(const ViewFrame& frame) { return *frame.baseline->timing->levels; }

    static LevelsScale scale_of(std::initializer_list<const MemoryLevels*> runs) {
        LevelsScale scale;
        for (const MemoryLevels* levels : runs) scale.join(*levels);
        return scale;
    }

    /// Those of two runs are drawn once, where both have the same: one GPU, one share of L1.
    static bool draws_stairs(const ViewFrame& frame, const MemoryLevels& levels) {
        if (levels.stairs.size() < 2 || levels.used_bytes <= 0) return false;
        return !frame.baseline || before_of(frame).stairs == levels.stairs;
    }

    static std::vector<StairsMark> marks(const ViewFrame& frame, const MemoryLevels& levels) {
        if (!frame.baseline)
            return {
                {levels.read_buffers, "this kernel reads buffers of " + volume_words(levels.read_buffers)}};
        const MemoryLevels& before = before_of(frame);
        if (before.read_buffers == levels.read_buffers)
            return {{levels.read_buffers, "both read buffers of " + volume_words(levels.read_buffers)}};
        const auto mark = [](std::string_view name, const MemoryLevels& of) {
            return StairsMark{of.read_buffers,
                              fmt::format("{} reads buffers of {}", name, volume_words(of.read_buffers))};
        };
        return {mark(frame.baseline_name, before), mark(frame.scene_name, levels)};
    }

    /// Widths of a run: beside each other at least, and with bars for its latencies. Unscaled pixels.
    static constexpr float least_side = 300, least_with_bars = 560;
    static bool has_bars(const Ink& ink, const ViewFrame& frame) {
        return !frame.baseline || run_width(ink) >= ink.px(least_with_bars);
    }
    static float run_width(const Ink& ink) {
        const float width = ImGui::GetContentRegionAvail().x;
        return boxes_of_runs(ink, {0, 0, width, 1}, ink.px(least_side)).before.width();
    }
    static float lowest_of_two(const Ink& ink) {
        constexpr float run = lowest_levels + 32;  // its heading
        return run_width(ink) < ImGui::GetContentRegionAvail().x ? run : 2 * run;
    }

    static void draw_both(const ViewFrame& frame, const Ink& ink, const MemoryLevels& levels,
                          const Box& box) {
        const MemoryLevels& before = before_of(frame);
        const LevelsScale scale = scale_of({&before, &levels});
        RunBoxes boxes = boxes_of_runs(ink, box, ink.px(least_side));
        const auto heading = [](std::string_view name, const MemoryLevels& run) {
            return RunHeading{name, {hit_words(run) + ", " + latency_words(run), latency_words(run)}};
        };
        run_headings(ink, boxes, heading(frame.baseline_name, before), heading(frame.scene_name, levels),
                     frame.theme.text_dim);
        const bool bars = has_bars(ink, frame);
        draw_levels(ink, {before, scale, nullptr, "hierarchy before", bars}, boxes.before);
        draw_levels(ink, {levels, scale, &before, "hierarchy", bars}, boxes.after);
    }

    static std::string hit_words(const MemoryLevels& levels) {
        if (levels.global_loads() == 0) return "no loads from global memory";
        return fmt::format("{} of the loads hit L1", percent(levels.hit_rate(ServedBy::l1)));
    }
    static std::string latency_words(const MemoryLevels& levels) {
        if (levels.global_loads() == 0) return "no latency of loads";
        return fmt::format("{} cycles per load", decimal(mean_latency(levels), 0));
    }
    /// Of loads from global and local memory, in cycles; there is at least one.
    static double mean_latency(const MemoryLevels& levels) {
        double cycles = 0;
        for (const ServedBy by : {ServedBy::l1, ServedBy::l2, ServedBy::dram})
            cycles += levels[by].mean_cycles * double(levels[by].requests) / double(levels.global_loads());
        return cycles;
    }

    /// The lowest step of memory whose traffic changed, since it costs most; DRAM if none did.
    static const Traffic& lowest_change(const MemoryLevels& before, const MemoryLevels& after) {
        for (const Traffic& one : traffic_upwards)
            if (before.*one.bytes != after.*one.bytes &&
                (before.*one.bytes <= 0 || !share_change_words(before.*one.bytes, after.*one.bytes).empty()))
                return one;
        return traffic_upwards[after.dram_bytes > 0 ? 0 : after.l2_bytes > 0 ? 1 : 2];
    }

    static std::string change_title(const ViewFrame& frame, const MemoryLevels& levels) {
        const MemoryLevels& before = before_of(frame);
        std::string words = fmt::format("{} → {}: ", frame.baseline_name, frame.scene_name);
        const Traffic& one = lowest_change(before, levels);
        const double was = before.*one.bytes, now = levels.*one.bytes;
        if (const std::string share = share_change_words(was, now); !share.empty())
            return words + (now >= 2 * was ? fmt::format("{} the bytes {}", share, one.between)
                                           : fmt::format("{} of the bytes {}", share, one.between));
        if (was != now && was <= 0) return words + fmt::format("bytes now move {}", one.between);
        return words + "as many bytes move between all levels of memory";
    }

    static void draw_change(const ViewFrame& frame, const MemoryLevels& after) {
        const MemoryLevels& before = before_of(frame);
        const Traffic& one = lowest_change(before, after);
        std::string words;
        for (const Traffic& other : traffic_upwards)
            if (&other != &one && before.*other.bytes != after.*other.bytes)
                words += fmt::format("{} {} · ", other.name,
                                     traffic_change_words(before.*other.bytes, after.*other.bytes));
        if (before.global_loads() > 0 && after.global_loads() > 0)
            words += fmt::format("load latency {} → {} cycles{}", decimal(mean_latency(before), 0),
                                 decimal(mean_latency(after), 0),
                                 frame.scene->gpu == frame.baseline->gpu ? "" : " of different clocks");
        else words.resize(words.size() - std::min<std::size_t>(words.size(), std::string(" · ").size()));
        const std::string change = traffic_change_words(before.*one.bytes, after.*one.bytes);
        const bool same = change == traffic_words(after.*one.bytes);
        headline(frame.theme, change, one.name + std::string(same ? " in both" : ""), words);
    }

    static std::string title(const Scene& scene, const MemoryLevels& levels) {
        const bool is_local = scene.report->local_load.requests + scene.report->local_store.requests > 0;
        std::string words =
            fmt::format("`{}`: threads read and write {} in global{} memory", scene.trace->launch.kernel,
                        traffic_words(levels.used_bytes), is_local ? " and local" : "");
        if (levels.used_bytes <= 0)
            return fmt::format("`{}`: only shared memory is accessed, {}", scene.trace->launch.kernel,
                               traffic_words(levels.shared_bytes));
        words += fmt::format("; {} move between the SMs and L2", traffic_words(levels.l2_bytes));
        words += levels.dram_bytes > 0
                     ? fmt::format(", {} between L2 and DRAM", traffic_words(levels.dram_bytes))
                     : std::string(", nothing between L2 and DRAM");
        return words;
    }

    static void draw_headline(const Theme& theme, const MemoryLevels& levels) {
        const std::uint64_t loads = levels.global_loads();
        if (loads == 0) {
            headline(theme, traffic_words(levels.l2_bytes), "", "between the SMs and L2");
            return;
        }
        std::string words = fmt::format("mean latency of a load from global memory · {} of {} hit L1",
                                        percent(levels.hit_rate(ServedBy::l1)), counted(loads, "load"));
        words += " of the modelled SM";
        headline(theme, decimal(mean_latency(levels), 0), "cycles", words);
    }

    static std::vector<LegendEntry> legend_entries(const Theme& theme, std::string_view before, bool bars) {
        using Shape = LegendEntry::Shape;
        std::vector<LegendEntry> entries{{mix(theme.ideal, theme.background, 0.45),
                                          before.empty()
                                              ? "bytes between two levels, width to scale"
                                              : "bytes between two levels, width on one scale for both"}};
        if (bars) {
            entries.push_back({theme.cost, "mean latency of this kernel's loads"});
            entries.push_back({theme.ideal, "latency of the GPU without queues", Shape::outlined});
        }
        entries.push_back({theme.category(0), "L1"});
        entries.push_back({theme.category(1), "L2"});
        entries.push_back({theme.category(4), "DRAM", Shape::filled_hatched});
        if (!before.empty())
            entries.insert(entries.begin() + 1,
                           {theme.text, fmt::format("width in {}", before), Shape::outlined});
        return entries;
    }

    static std::string provenance(const Scene& scene, const MemoryLevels& levels) {
        std::string words = "bytes of registers: exact · L1, L2, DRAM and latencies: modelled · " +
                            std::string(to_string(scene.report->level));
        if (levels.estimated) words += " · scaled to the whole grid";
        return words;
    }
};

}  // namespace

std::unique_ptr<View> make_hierarchy_view() { return std::make_unique<HierarchyView>(); }

}  // namespace warplens::app
