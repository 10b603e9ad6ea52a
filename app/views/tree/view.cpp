// Tree: how the values of a block become one, or running sums: a row for each round of a reduction or scan,
// found in the dataflow through shared memory and shuffles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/scene/level_of_time.h"
#include "app/ui/button.h"
#include "app/ui/empty_state.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/legend.h"
#include "app/ui/number.h"
#include "app/ui/segments.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/shared/headline.h"
#include "app/views/shared/title_line.h"
#include "app/views/shared/two_runs.h"
#include "app/views/tree/chosen_trees.h"
#include "app/views/tree/drawing.h"
#include "app/views/view.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

using analysis::CombineOp;
using analysis::CombineTree;
using analysis::CombineTrees;
using analysis::TreeNode;
using analysis::TreeRow;

/// Columns of a part, in which values are legible.
constexpr std::uint32_t part_columns = 32;

class TreeView : public View {
  private:
    ViewNeeds needs() const override { return {.warps = true, .of_two_levels = TwoLevels::none}; }

    /// The baseline's tree of the same place in the list, of the same block or, where it has no such block,
    /// of its first.
    std::string cannot_compare(const ViewFrame& frame) override {
        if (!frame.baseline->trace) return fmt::format("{} has no trace.", frame.baseline_name);
        const trace::Trace& trace = *frame.baseline->trace;
        const trace::WarpRecord* same = trace::find_warp(trace, ChosenTrees::chosen_block(frame), 0);
        before_selection_.chosen = {};
        if (same)
            before_selection_.chosen.warp_record = static_cast<std::uint32_t>(same - trace.warps.data());
        ViewFrame inner{frame.baseline, before_selection_, frame.commands, frame.theme, frame.interactive};
        before_held_ = before_chosen_.of(inner);
        if (!before_held_) return fmt::format("{} has no values that were followed.", frame.baseline_name);
        if (!before_held_->trees.empty()) return {};
        return fmt::format("{} has no tree to compare with. {}", frame.baseline_name, before_held_->absent);
    }

    const CombineTree& before_tree() const {
        return before_held_->trees[std::min(current_, before_held_->trees.size() - 1)];
    }

    void draw_scene(ViewFrame& frame) override {
        const auto held = chosen_.of(frame);
        const CombineTrees* trees = held.get();
        if (trees == nullptr || trees->trees.empty()) {
            say_why(frame, trees);
            return;
        }
        if (generation_ != frame.scene->generation || from_ != trees) take(*frame.scene, *trees);
        const CombineTree& tree = trees->trees[current_];
        const Theme& theme = frame.theme;
        const TreeFigures figures = tree_figures(*trees, tree);
        if (frame.baseline) {
            const TreeOfRun before{frame.baseline_name, *before_held_, before_tree()};
            const TreeOfRun after{frame.scene_name, *trees, tree};
            const std::uint32_t was = tree_figures(before.trees, before.tree).rounds;
            title_line(theme, tree_change_title(before, after));
            headline(theme,
                     was == figures.rounds ? grouped(was) : fmt::format("{} → {}", was, figures.rounds),
                     was == figures.rounds ? "rounds in both" : "rounds", tree_change_facts(before, after));
        } else {
            title_line(theme, tree_title(*frame.scene->trace, tree));
            if (is_high_enough(frame, *trees, tree))
                headline(theme, grouped(figures.rounds), figures.rounds == 1 ? "round" : "rounds",
                         tree_facts(*trees, tree));
        }
        if (frame.interactive || frame.baseline || is_high_enough(frame, *trees, tree))
            draw_bar(frame, *trees, tree);
        draw_rows(frame, *trees, tree);
        legend(theme, legend_of_runs(frame, *trees, tree));
        provenance_line(
            theme, *frame.scene,
            fmt::format("dataflow and values: exact, block {} executed again on the CPU · PTX level",
                        grouped(trees->block)));
    }

    /// The rows have room below a line of 40 pixels. The title has the number of rounds, and the last line
    /// the block: where there is none, the rows are more important than either.
    bool is_high_enough(const ViewFrame& frame, const CombineTrees& trees, const CombineTree& tree) const {
        const Theme& theme = frame.theme;
        const ImVec2 room = ImGui::GetContentRegionAvail();
        const float legend = legend_size(theme, legend_of_runs(frame, trees, tree), room.x).y;
        const float rows = 12 * static_cast<float>(tree.rows.size()) + 60;
        return room.y >= legend + provenance_line_height(theme) + (40 + rows) * theme.fonts.scale;
    }

    static void say_why(ViewFrame& frame, const CombineTrees* trees) {
        const char* some = "`reduce_sequential`, `scan_blelloch` and `warp_reduce` form trees.";
        if (level_of_counts(*frame.scene) == Level::machine)
            empty_state(frame.theme, "Values are followed in PTX, which a .cubin does not have.",
                        "Open the .cu or .ptx file that it was made from.");
        else if (trees == nullptr)
            empty_state(frame.theme, "The values of this run were not followed.",
                        "Choose the CPU engine: it executes a block again and follows every value.");
        else
            empty_state(frame.theme,
                        fmt::format("`{}` combines no values across threads step by step. {}",
                                    frame.scene->trace->launch.kernel, trees->absent),
                        next_step_of_two(frame, "tree", some));
    }

    void take(const Scene& scene, const CombineTrees& trees) {
        generation_ = scene.generation;
        from_ = &trees;
        current_ = std::min(current_, trees.trees.size() - 1);
        names_ = column_names(*scene.trace, trees.trees[current_]);
        hit_ = no_index;
        lit_for_ = no_index;
        lit_.clear();
        part_ = 0;
    }

    void draw_bar(ViewFrame& frame, const CombineTrees& trees, const CombineTree& tree) {
        const Theme& theme = frame.theme;
        const float gap = 6 * theme.fonts.scale;
        if (frame.interactive && trees.trees.size() > 1) {
            const auto turn = [&](std::size_t to) {
                current_ = to;
                take(*frame.scene, trees);
            };
            if (text_button(theme, "tree previous", "◂", "Previous tree of the block") && current_ > 0)
                turn(current_ - 1);
            ImGui::SameLine(0, gap);
            if (text_button(theme, "tree next", "▸", "Next tree of the block") &&
                current_ + 1 < trees.trees.size())
                turn(current_ + 1);
            ImGui::SameLine(0, gap);
        }
        if (frame.interactive && tree.columns > part_columns) {
            const Segment choices[] = {{"tree all", "all columns", "The whole tree"},
                                       {"tree part", "32 columns", "A part in which values are legible"}};
            whole_ = segments(theme, choices, whole_ ? 0 : 1) == 0;
            ImGui::SameLine(0, gap);
            if (!whole_) {
                const std::uint32_t last = (tree.columns - 1) / part_columns;
                if (text_button(theme, "columns previous", "◂", "Columns further left") && part_ > 0) --part_;
                ImGui::SameLine(0, gap);
                if (text_button(theme, "columns next", "▸", "Columns further right") && part_ < last) ++part_;
                ImGui::SameLine(0, gap);
            }
        }
        const std::string other = tree_other_block(trees, ChosenTrees::chosen_block(frame), chosen_.waits());
        text_item(
            theme.fonts.small, theme.text_dim,
            fit_text(theme.fonts.small, bar_words(trees, tree) + other, ImGui::GetContentRegionAvail().x));
    }

    std::string bar_words(const CombineTrees& trees, const CombineTree& tree) const {
        std::string words = fmt::format("Block {}", grouped(trees.block));
        if (trees.trees.size() > 1)
            words += fmt::format(" · tree {} of {}", current_ + 1, trees.trees.size() + trees.left_out);
        if (hit_ < tree.nodes.size()) {
            const auto behind = std::ranges::count_if(analysis::nodes_behind(tree, hit_), [&](auto node) {
                return tree.nodes[node].op == CombineOp::none;
            });
            words +=
                fmt::format(" · followed back to {}", counted(static_cast<std::uint64_t>(behind), "value"));
        } else if (tree.results.size() == 1) {
            const TreeNode& result = tree.nodes[tree.results.front()];
            words += fmt::format(" · thread {} ends with {}", result.thread, short_value(result));
        }
        return words;
    }

    TreeColumns shown_columns(const ViewFrame& frame, const CombineTree& tree) const {
        if (!frame.interactive || whole_ || tree.columns <= part_columns) return {0, tree.columns};
        const std::uint32_t first = std::min(part_ * part_columns, tree.columns - 1);
        return {first, std::min(first + part_columns, tree.columns)};
    }

    /// The nodes that the one under the mouse, else the selected one, is combined from.
    void follow(const CombineTree& tree) {
        const std::uint32_t wanted = hit_ < tree.nodes.size() ? hit_ : no_index;
        if (wanted == lit_for_) return;
        lit_for_ = wanted;
        lit_.clear();
        if (wanted == no_index) return;
        lit_.resize(tree.nodes.size());
        for (const std::uint32_t node : analysis::nodes_behind(tree, wanted)) lit_[node] = true;
    }

    void draw_rows(ViewFrame& frame, const CombineTrees& trees, const CombineTree& tree) {
        const Theme& theme = frame.theme;
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        ImGui::Dummy({0, ink.px(2)});
        if (frame.baseline) place_runs(ink, tree);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImVec2 room = ImGui::GetContentRegionAvail();
        room.y -= provenance_line_height(theme) +
                  legend_size(theme, legend_of_runs(frame, trees, tree), room.x).y + ink.px(8) +
                  2 * ImGui::GetStyle().ItemSpacing.y;
        const float least = frame.baseline && frame.interactive ? lowest_trees(ink, frame, trees, tree) : 0;
        const float whole = std::max({room.y, least, ink.px(60)});
        std::optional<ImVec2> mouse;
        if (frame.interactive && ImGui::IsWindowHovered()) mouse = ImGui::GetIO().MousePos;
        follow(tree);
        Box box{at.x, at.y, at.x + room.x, at.y + whole};
        if (frame.baseline) box = draw_before(frame, ink, trees, tree, box, mouse);
        const TreeScale scale = scale_of(ink, frame, trees, tree, box.width());
        box.y1 = std::min(box.y1, box.y0 + ink.px(100) * static_cast<float>(scale.rows));
        hit_ = draw_tree({ink, *frame.scene->trace, trees, tree, names_, shown_columns(frame, tree), scale,
                          lit_, chosen(frame, tree, trees.block), mouse},
                         box);
        hit_box("tree rows", box.min(), box.max());
        if (hit_ < tree.nodes.size()) point_at(frame, trees, tree);
        ImGui::Dummy({room.x, whole});
    }

    /// Cells of both runs have the same size.
    TreeScale scale_of(const Ink& ink, const ViewFrame& frame, const CombineTrees& trees,
                       const CombineTree& tree, float width) const {
        TreeScale scale =
            tree_scale(ink, *frame.scene->trace, trees, tree, shown_columns(frame, tree), width);
        if (frame.baseline)
            scale.join(tree_scale(ink, *frame.baseline->trace, *before_held_, before_tree(),
                                  shown_columns(frame, before_tree()), width));
        return scale;
    }

    /// Beside each other where captions leave room for cells and warps, else above each other, unless rows
    /// were too low then.
    void place_runs(const Ink& ink, const CombineTree& tree) {
        const ImVec2 room = ImGui::GetContentRegionAvail();
        const float rows = static_cast<float>(std::max(tree.rows.size(), before_tree().rows.size()));
        const float each = (room.y - ink.px(100)) / 2 - ink.px(60);  // without legend, names and numbers
        least_side_ = ink.px(each < rows * ink.px(8) ? 300 : 560);
    }
    RunBoxes boxes_of(const Ink& ink, const Box& box) const { return boxes_of_runs(ink, box, least_side_); }

    /// Height of two trees with their names, in pixels. A lower pane scrolls.
    float lowest_trees(const Ink& ink, const ViewFrame& frame, const CombineTrees& trees,
                       const CombineTree& tree) const {
        const float room = ImGui::GetContentRegionAvail().x;
        const float width = boxes_of(ink, {0, 0, room, 1}).before.width();
        const auto rows = static_cast<float>(scale_of(ink, frame, trees, tree, width).rows);
        const float run = ink.px(60) + rows * ink.px(12);
        return width < room ? run : 2 * run;
    }

    /// The baseline's tree, and the headings of both; returns the box for this run's.
    Box draw_before(const ViewFrame& frame, const Ink& ink, const CombineTrees& trees,
                    const CombineTree& tree, const Box& box, std::optional<ImVec2> mouse) const {
        const CombineTree& before = before_tree();
        const trace::Trace& trace = *frame.baseline->trace;
        RunBoxes boxes = boxes_of(ink, box);
        const auto heading = [](const TreeOfRun& run) { return RunHeading{run.name, tree_run_words(run)}; };
        run_headings(ink, boxes, heading({frame.baseline_name, *before_held_, before}),
                     heading({frame.scene_name, trees, tree}), frame.theme.text_dim);
        Box place = boxes.before;
        const TreeScale scale = scale_of(ink, frame, trees, tree, place.width());
        place.y1 = std::min(place.y1, place.y0 + ink.px(100) * static_cast<float>(scale.rows));
        const ColumnNames names = column_names(trace, before);
        const std::uint32_t hit = draw_tree({ink,
                                             trace,
                                             *before_held_,
                                             before,
                                             names,
                                             shown_columns(frame, before),
                                             scale,
                                             {},
                                             no_index,
                                             mouse,
                                             "tree before row"},
                                            place);
        hit_box("tree before rows", place.min(), place.max());
        if (hit < before.nodes.size())
            tooltip_card(frame.theme, node_sentence(trace, before, before.nodes[hit]),
                         node_arithmetic(before, before.nodes[hit]));
        return boxes.after;
    }

    static std::uint32_t chosen(const ViewFrame& frame, const CombineTree& tree, std::uint64_t block) {
        const Spot& spot = frame.selection.chosen;
        if (spot.warp_record >= frame.scene->trace->warps.size() || spot.step == no_index) return no_index;
        const trace::WarpRecord& warp = frame.scene->trace->warps[spot.warp_record];
        for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
            const TreeNode& node = tree.nodes[i];
            if (warp.block == block && node.warp == warp.warp && node.step == spot.step &&
                (spot.lane < 0 || node.thread % warp_size == static_cast<std::uint32_t>(spot.lane)))
                return i;
        }
        return no_index;
    }

    void point_at(ViewFrame& frame, const CombineTrees& trees, const CombineTree& tree) {
        const trace::Trace& trace = *frame.scene->trace;
        const TreeNode& node = tree.nodes[hit_];
        tooltip_card(frame.theme, node_sentence(trace, tree, node), node_arithmetic(tree, node));
        const trace::WarpRecord* warp = trace::find_warp(trace, trees.block, node.warp);
        if (warp == nullptr) return;
        Spot spot;
        spot.warp_record = static_cast<std::uint32_t>(warp - trace.warps.data());
        spot.site = node.site;
        spot.step = static_cast<std::uint32_t>(std::min<std::uint64_t>(node.step, no_index - 1));
        spot.lane = static_cast<int>(node.thread % warp_size);
        spot.source_line = node.site < trace.program.sites.size() ? trace.program.sites[node.site].line : 0;
        frame.selection.next_hover = spot;
        if (ImGui::IsMouseClicked(0)) frame.selection.chosen = spot;
    }

    static std::vector<LegendEntry> legend_entries(const Theme& theme, const CombineTrees& trees,
                                                   const CombineTree& tree, bool uprights, bool warps) {
        using Shape = LegendEntry::Shape;
        std::vector<LegendEntry> entries{{theme.raised, "value that enters"},
                                         {theme.category(0), tree_result_noun(tree.op)}};
        if (tree.has_result && tree.used < tree.combined)
            entries.push_back({theme.inactive, "does not reach the result", Shape::hatched});
        const auto any = [&](auto&& is) { return std::ranges::any_of(tree.rows, is); };
        const bool shuffles = any([](const TreeRow& row) { return row.shuffles; });
        const bool shared = any([](const TreeRow& row) { return row.combined > 0 && !row.shuffles; });
        if (shared)
            entries.push_back({theme.category(0), "straight line: operand from shared memory", Shape::line});
        if (shuffles) entries.push_back({theme.category(1), "curve: operand by a shuffle", Shape::line});
        if (uprights) entries.push_back({theme.text_dim, "upright: the value stays", Shape::upright});
        if (!tree.moves.empty())
            entries.push_back({theme.category(4), "dashes, outlined: moved", Shape::outlined});
        if (any([](const TreeRow& row) { return row.barriers > 0; }))
            entries.push_back({theme.text_dim, "dashed across: barrier", Shape::line});
        if (warps && tree_shows_warps(trees)) {
            entries.push_back({theme.category(2), "warp works"});
            entries.push_back({theme.inactive, "warp is idle", Shape::hatched});
        }
        return entries;
    }

    /// Of both runs, what they share once.
    std::vector<LegendEntry> legend_of_runs(const ViewFrame& frame, const CombineTrees& trees,
                                            const CombineTree& tree) const {
        const Ink ink{ImGui::GetWindowDrawList(), frame.theme};
        const float room = ImGui::GetContentRegionAvail().x;
        const float width = frame.baseline ? boxes_of(ink, {0, 0, room, 1}).before.width() : room;
        const TreeScale scale = scale_of(ink, frame, trees, tree, width);
        const bool uprights = tree_draws_uprights(ink, scale, width), warps = scale.warps > 0;
        auto entries = legend_entries(frame.theme, trees, tree, uprights, warps);
        if (!frame.baseline) return entries;
        for (const LegendEntry& entry :
             legend_entries(frame.theme, *before_held_, before_tree(), uprights, warps))
            if (std::ranges::find(entries, entry.words, &LegendEntry::words) == entries.end())
                entries.push_back(entry);
        return entries;
    }

    ChosenTrees chosen_, before_chosen_;  // of this run, and of the baseline
    Selection before_selection_;
    std::shared_ptr<const CombineTrees> before_held_;
    float least_side_ = 0;  // width of a run that stands beside the other
    std::uint64_t generation_ = 0;
    const CombineTrees* from_ = nullptr;
    std::size_t current_ = 0;
    ColumnNames names_;
    bool whole_ = true;
    std::uint32_t part_ = 0;
    std::uint32_t hit_ = no_index, lit_for_ = no_index;
    std::vector<bool> lit_;
};

}  // namespace

std::unique_ptr<View> make_tree_view() { return std::make_unique<TreeView>(); }

}  // namespace warplens::app
