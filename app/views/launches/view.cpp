// Launches: the tree of grids that device code launches. The host's grid is on top, and equal launches are
// one node, with what its grids do; a click selects the line and the thread that launches.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/wording.h"
#include "app/scene/thread_spot.h"
#include "app/ui/empty_state.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/launches/drawing.h"
#include "app/views/shared/headline.h"
#include "app/views/shared/picture_area.h"
#include "app/views/shared/title_line.h"
#include "app/views/shared/two_runs.h"
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
                        next_step_of_two(frame, "launches",
                                         "A kernel launches a grid with `child<<<blocks, threads>>>(…)`, "
                                         "like the host. `child_launch` is an example."));
            return;
        }
        const analysis::LaunchTree& tree = *scene.report->launches;
        groups_.follow(scene);
        if (frame.baseline) {
            before_.follow(*frame.baseline);
            draw_both(frame, *frame.baseline->report->launches, tree);
        } else {
            title_line(frame.theme, capitalised(analysis::launch_finding(tree)));
            draw_headline(frame.theme, tree);
            draw_picture(frame, tree);
        }
        provenance_line(frame.theme, scene, provenance_words(tree));
    }

    std::string cannot_compare(const ViewFrame& frame) override {
        const Scene& before = *frame.baseline;
        if (!frame.scene->report->launches || (before.report && before.report->launches)) return {};
        const bool recorded = !before.trace || before.trace->launch.engine != "simt";
        return recorded ? fmt::format("{} has no launches from the device: they are not recorded.",
                                      frame.baseline_name)
                        : fmt::format("{} has no launches from the device.", frame.baseline_name);
    }

    /// The groups of one run, found again when the run changes.
    struct Groups {
        std::vector<analysis::LaunchGroup> all;
        void follow(const Scene& scene) {
            if (of_ == scene.report->launches) return;
            of_ = scene.report->launches;
            all = analysis::launch_groups(*of_);
        }

      private:
        std::shared_ptr<const analysis::LaunchTree> of_;
    };

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

    /// Both trees at one scale.
    void draw_both(ViewFrame& frame, const analysis::LaunchTree& was, const analysis::LaunchTree& now) {
        const Theme& theme = frame.theme;
        const analysis::GridWork below_was = was.children(), below_now = now.children();
        const auto all_steps = [](const analysis::LaunchTree& tree) {
            return tree.children().steps + tree.grids.front().work.steps;
        };
        const std::uint64_t grids_was = was.grids.size() - 1, grids_now = now.grids.size() - 1;
        title_line(theme,
                   fmt::format("{} launches {} from the device, {} launches {}: {}", frame.baseline_name,
                               analysis::counted(grids_was, "grid"), frame.scene_name,
                               grids_was == grids_now ? "as many"
                               : grids_now == 0       ? "none"
                                                      : analysis::grouped(grids_now),
                               figure_change_words(all_steps(was), all_steps(now), "warp-steps")));
        headline_with_room(
            theme, {grids_was == grids_now
                        ? analysis::grouped(grids_now)
                        : fmt::format("{} → {}", analysis::grouped(grids_was), analysis::grouped(grids_now)),
                    grids_was == 1 && grids_now == 1 ? "launched grid" : "launched grids",
                    figure_change_words(below_was.blocks, below_now.blocks, "blocks") + " · " +
                        figure_change_words(below_was.steps, below_now.steps, "warp-steps in them")});
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        const std::uint64_t most = std::max(all_steps(was), all_steps(now));
        LaunchDrawing before{ink, was, before_.all, no_index, std::nullopt, "node before", std::nullopt};
        LaunchDrawing after{ink,          now,    groups_.all, chosen_group(frame, now),
                            std::nullopt, "node", std::nullopt};
        before.other.emplace(LaunchDrawing::OtherRun{
            groups_.all, analysis::matching_groups(now, groups_.all, was, before_.all), frame.scene_name,
            most});
        after.other.emplace(LaunchDrawing::OtherRun{
            before_.all, analysis::matching_groups(was, before_.all, now, groups_.all), frame.baseline_name,
            most});
        const std::vector<LegendEntry> entries = launch_legend_of_two(theme, after);
        const float width = ImGui::GetContentRegionAvail().x;
        const float half = (width - ink.px(24)) / 2;
        const float head = text_height(theme.fonts.title) + ink.px(8);
        const float needed =
            (std::max(launch_tree_height(before, half), launch_tree_height(after, half)) + head) /
            theme.fonts.scale;
        const float largest =
            (std::max(largest_launch_tree_height(before, half), largest_launch_tree_height(after, half)) +
             head) /
            theme.fonts.scale;
        const PictureArea area = picture_area(ink, entries, largest, frame.interactive ? needed : 0);
        RunBoxes boxes = boxes_of_runs(ink, area.box, ink.px(300));
        const auto heading = [&](std::string_view name, const analysis::LaunchTree& tree) {
            const std::string grids = analysis::counted(tree.grids.size() - 1, "launched grid");
            return RunHeading{
                name,
                {fmt::format("{}, {} in all", grids, analysis::counted(all_steps(tree), "warp-step")),
                 grids}};
        };
        run_headings(ink, boxes, heading(frame.baseline_name, was), heading(frame.scene_name, now),
                     theme.text_dim);
        const auto has_no_room = [](const LaunchDrawing& of, const Box& box) {
            return launch_tree_height(of, box.width()) > box.height() + 1;
        };
        before.other->low = after.other->low =
            has_no_room(before, boxes.before) || has_no_room(after, boxes.after);
        before.other->size = after.other->size =
            std::min(launch_tree_size(before, boxes.before), launch_tree_size(after, boxes.after));
        if (frame.interactive && ImGui::IsWindowHovered()) before.mouse = after.mouse = ImGui::GetMousePos();
        if (const std::uint32_t at = draw_launch_tree(before, boxes.before); at != no_index)
            card(theme, was, before_.all[at]);
        if (const std::uint32_t at = draw_launch_tree(after, boxes.after); at != no_index)
            hover(frame, now, groups_.all[at]);
        ImGui::Dummy({area.width, area.height});
        legend(theme, entries);
    }

    void draw_picture(ViewFrame& frame, const analysis::LaunchTree& tree) {
        const Theme& theme = frame.theme;
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        const std::vector<LegendEntry> entries = launch_legend(theme);
        LaunchDrawing drawing{ink,          tree,   groups_.all, chosen_group(frame, tree),
                              std::nullopt, "node", std::nullopt};
        const float needed =
            launch_tree_height(drawing, ImGui::GetContentRegionAvail().x) / theme.fonts.scale;
        const float most =
            largest_launch_tree_height(drawing, ImGui::GetContentRegionAvail().x) / theme.fonts.scale;
        const PictureArea area = picture_area(ink, entries, most, frame.interactive ? needed : 0);
        if (frame.interactive && ImGui::IsWindowHovered()) drawing.mouse = ImGui::GetMousePos();
        const std::uint32_t hovered = draw_launch_tree(drawing, area.box);
        if (hovered != no_index) hover(frame, tree, groups_.all[hovered]);
        ImGui::Dummy({area.width, area.height});
        legend(theme, entries);
    }

    static void card(const Theme& theme, const analysis::LaunchTree& tree,
                     const analysis::LaunchGroup& group) {
        const analysis::LaunchedGrid& first = tree.grids[group.first];
        const std::vector<std::string> lines{
            fmt::format("launched {}", analysis::launchers_in_words(tree, group)),
            fmt::format("{} blocks, {} warp-steps", analysis::grouped(group.work.blocks),
                        analysis::grouped(group.work.steps)),
            fmt::format("{} sectors of global and local memory (ideal {})",
                        analysis::grouped(group.work.sectors), analysis::grouped(group.work.ideal_sectors))};
        tooltip_card(theme, fmt::format("{}, {}", first.kernel, analysis::grids_in_words(group)), lines);
    }

    static void hover(ViewFrame& frame, const analysis::LaunchTree& tree,
                      const analysis::LaunchGroup& group) {
        card(frame.theme, tree, group);
        if (group.first == 0) return;
        const Spot spot = spot_of(frame, tree.grids[group.first]);
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
        for (std::uint32_t g = 1; g < groups_.all.size(); ++g) {
            const Spot spot = spot_of(frame, tree.grids[groups_.all[g].first]);
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

    Groups groups_, before_;  // of this run, and of the baseline
};

}  // namespace

std::unique_ptr<View> make_launches_view() { return std::make_unique<LaunchesView>(); }

}  // namespace warplens::app
