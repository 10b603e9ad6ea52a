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
#include "app/views/shared/title_line.h"
#include "app/views/view.h"

namespace warplens::app {
namespace {

using trace::ServedBy;

/// Height of the levels with both lines of their latencies: unscaled pixels. A lower pane scrolls.
constexpr float lowest_levels = 200;

class HierarchyView : public View {
  private:
    ViewNeeds needs() const override {
        return {.report = true, .gpu = true, .timed = "The levels of memory appear here.", .launch = true};
    }

    void draw_scene(ViewFrame& frame) override {
        const MemoryLevels* levels = frame.scene->timing->levels.get();
        if (levels == nullptr) {
            empty_state(frame.theme, "The timing model has no answer for this run.",
                        frame.scene->timing->absent);
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
        title_line(theme, title(*frame.scene, *levels));
        draw_headline(theme, *levels);
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        const auto entries = legend_entries(theme);
        const PictureArea area = picture_area(ink, entries, 900, frame.interactive ? lowest_levels : 0);
        Box box = area.box;
        if (box.height() >= ink.px(300) && levels->stairs.size() > 1 && levels->used_bytes > 0) {
            const Box stairs = box.take_bottom(box.height() * 0.38f);
            box.take_bottom(ink.px(16));
            draw_stairs(ink, *levels, stairs);
        }
        draw_levels(ink, *levels, box);
        hit_box("memory levels", box.min(), box.max());
        ImGui::Dummy({area.width, area.height});
        legend(theme, entries);
        provenance_line(theme, *frame.scene, provenance(*frame.scene, *levels));
    }

    static std::string title(const Scene& scene, const MemoryLevels& levels) {
        std::string words = fmt::format("`{}`: threads use {} of global memory", scene.trace->launch.kernel,
                                        volume_words(levels.used_bytes));
        if (levels.used_bytes <= 0)
            return fmt::format("`{}`: only shared memory is accessed, {}", scene.trace->launch.kernel,
                               volume_words(levels.shared_bytes));
        words += fmt::format("; {} move between the SMs and L2", volume_words(levels.l2_bytes));
        words += levels.dram_bytes > 0
                     ? fmt::format(", {} between L2 and DRAM", volume_words(levels.dram_bytes))
                     : std::string(", nothing between L2 and DRAM");
        return words;
    }

    static void draw_headline(const Theme& theme, const MemoryLevels& levels) {
        const std::uint64_t loads = levels.global_loads();
        if (loads == 0) {
            headline(theme, volume_words(levels.l2_bytes), "", "between the SMs and L2");
            return;
        }
        double cycles = 0;
        for (const ServedBy by : {ServedBy::l1, ServedBy::l2, ServedBy::dram})
            cycles += levels[by].mean_cycles * double(levels[by].requests) / double(loads);
        std::string words = fmt::format("mean latency of a load from global memory · {} of {} hit L1",
                                        percent(levels.hit_rate(ServedBy::l1)), counted(loads, "load"));
        words += " of the modelled SM";
        headline(theme, decimal(cycles, 0), "cycles", words);
    }

    static std::vector<LegendEntry> legend_entries(const Theme& theme) {
        using Shape = LegendEntry::Shape;
        return {{mix(theme.ideal, theme.background, 0.45), "bytes between two levels, width to scale"},
                {theme.cost, "mean latency of this kernel's loads"},
                {theme.ideal, "latency of the GPU without queues", Shape::outlined},
                {theme.category(0), "L1"},
                {theme.category(1), "L2"},
                {theme.category(4), "DRAM", Shape::filled_hatched}};
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
