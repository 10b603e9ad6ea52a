// Launches: the tree of grids that device code launches. The host's grid is on top, and equal launches are
// one node, with what its grids do; a click selects the line and the thread that launches.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/wording.h"
#include "app/scene/thread_spot.h"
#include "app/ui/empty_state.h"
#include "app/ui/tooltip.h"
#include "app/views/launches/drawing.h"
#include "app/views/shared/headline.h"
#include "app/views/shared/picture_area.h"
#include "app/views/shared/title_line.h"
#include "app/views/view.h"

namespace warplens::app {
namespace {

class LaunchesView : public View {
  private:
    ViewNeeds needs() const override { return {.report = true}; }

    void draw_scene(ViewFrame& frame) override {
        const Scene& scene = *frame.scene;
        if (!scene.report->launches) {
            empty_state(frame.theme, why_none(scene),
                        "A kernel launches a grid with `child<<<blocks, threads>>>(…)`, like the host. "
                        "`child_launch` is an example.");
            return;
        }
        const analysis::LaunchTree& tree = *scene.report->launches;
        if (scene.generation != generation_) {
            generation_ = scene.generation;
            groups_ = analysis::launch_groups(tree);
        }
        title_line(frame.theme, capitalised(analysis::launch_finding(tree)));
        draw_headline(frame.theme, tree);
        draw_picture(frame, tree);
        provenance_line(frame.theme, scene, provenance_words(tree));
    }

    static std::string why_none(const Scene& scene) {
        if (scene.trace->launch.engine != "simt")
            return "Launches from the device are not recorded: choose the CPU engine.";
        const auto launches = [](const Site& site) {
            return site.text.find("LaunchDeviceV2") != std::string::npos;
        };
        if (std::ranges::any_of(scene.trace->program.sites, launches))
            return "A trace has only the grid that the host launches: open the kernel's file.";
        return fmt::format("`{}` launches no grids.", scene.trace->launch.kernel);
    }

    static std::string capitalised(std::string words) {
        if (!words.empty() && words[0] >= 'a' && words[0] <= 'z')
            words[0] = static_cast<char>(words[0] - 'a' + 'A');
        return words;
    }

    static void draw_headline(const Theme& theme, const analysis::LaunchTree& tree) {
        const std::uint64_t grids = tree.grids.size() - 1;
        const analysis::GridWork below = tree.children();
        headline_with_room(
            theme, {analysis::grouped(grids), grids == 1 ? "grid" : "grids",
                    fmt::format("launched from the device · {}, {}", analysis::counted(below.blocks, "block"),
                                analysis::counted(below.steps, "warp-step"))});
    }

    void draw_picture(ViewFrame& frame, const analysis::LaunchTree& tree) {
        const Theme& theme = frame.theme;
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        const std::vector<LegendEntry> entries = launch_legend(theme);
        LaunchDrawing drawing{ink, tree, groups_, chosen_group(frame, tree), std::nullopt};
        const float needed =
            launch_tree_height(drawing, ImGui::GetContentRegionAvail().x) / theme.fonts.scale;
        const PictureArea area = picture_area(ink, entries, needed, frame.interactive ? needed : 0);
        if (frame.interactive && ImGui::IsWindowHovered()) drawing.mouse = ImGui::GetMousePos();
        const std::uint32_t hovered = draw_launch_tree(drawing, area.box);
        if (hovered != no_index) hover(frame, tree, groups_[hovered]);
        ImGui::Dummy({area.width, area.height});
        legend(theme, entries);
    }

    void hover(ViewFrame& frame, const analysis::LaunchTree& tree, const analysis::LaunchGroup& group) const {
        const analysis::LaunchedGrid& first = tree.grids[group.first];
        const std::vector<std::string> lines{
            fmt::format("launched {}", analysis::launchers_in_words(tree, group)),
            fmt::format("{} blocks, {} warp-steps", analysis::grouped(group.work.blocks),
                        analysis::grouped(group.work.steps)),
            fmt::format("{} sectors of global and local memory (ideal {})",
                        analysis::grouped(group.work.sectors), analysis::grouped(group.work.ideal_sectors))};
        tooltip_card(frame.theme, fmt::format("{}, {}", first.kernel, analysis::grids_in_words(group)),
                     lines);
        if (group.first == 0) return;
        const Spot spot = spot_of(frame, first);
        frame.selection.next_hover = spot;
        if (ImGui::IsMouseClicked(0)) frame.selection.chosen = spot;
    }

    /// A grid that another child launched has a line, and no thread of the trace.
    static Spot spot_of(const ViewFrame& frame, const analysis::LaunchedGrid& grid) {
        return spot_of_thread(*frame.scene, grid.parent == 0 ? grid.site : no_index, grid.line, grid.by_block,
                              grid.by_thread);
    }

    std::uint32_t chosen_group(const ViewFrame& frame, const analysis::LaunchTree& tree) const {
        const Spot& chosen = frame.selection.chosen;
        for (std::uint32_t g = 1; g < groups_.size(); ++g) {
            const Spot spot = spot_of(frame, tree.grids[groups_[g].first]);
            if (spot.source_line != 0 && spot.source_line == chosen.source_line && spot.site == chosen.site)
                return g;
        }
        return no_index;
    }

    static std::string provenance_words(const analysis::LaunchTree& tree) {
        std::string words = "simulated · PTX level · the order of grids is the engine's";
        if (const std::string left_out = analysis::left_out_in_words(tree); !left_out.empty())
            words += " · " + left_out;
        return words;
    }

    std::uint64_t generation_ = 0;
    std::vector<analysis::LaunchGroup> groups_;
};

}  // namespace

std::unique_ptr<View> make_launches_view() { return std::make_unique<LaunchesView>(); }

}  // namespace warplens::app
