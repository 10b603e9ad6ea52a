#include "app/views/launches/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "analysis/wording.h"
#include "app/ui/hatch.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/text.h"
#include "app/views/shared/two_runs.h"
#include "core/lane_mask.h"

namespace warplens::app {
namespace {

using analysis::GridWork;
using analysis::LaunchGroup;

constexpr float gap_between_rows = 34, gap_between_nodes = 14, widest_node = 400, narrowest_node = 190;
constexpr float padding = 8, bar_height = 9, above_bar = 2;
constexpr float gap_between_low_rows = 14, low_padding = 4, low_bar_height = 3;
/// Of nodes with words of each size: all distances_of_sizes are as many times as large.
constexpr std::array<float, 3> distances_of_sizes{1, 1.5f, 3};
constexpr int largest_size = 2;

/// The groups of a row, those with most steps first, as many as have room.
struct Row {
    std::vector<std::uint32_t> shown;
    std::size_t left_out = 0;
    GridWork left_out_work;
};

class Drawing {
  public:
    Drawing(const LaunchDrawing& of, float width) : of_(of), ink_(of.ink), fonts_(of.ink.theme.fonts) {
        all_ = of.tree.children();
        all_.add(of.tree.grids.front().work);
        const auto fitting = static_cast<std::size_t>(std::max(
            1.0f, (width + ink_.px(gap_between_nodes)) / ink_.px(narrowest_node + gap_between_nodes)));
        for (std::uint32_t g = 0; g < of.groups.size(); ++g) {
            if (of.groups[g].row >= rows_.size()) rows_.resize(of.groups[g].row + std::size_t{1});
            rows_[of.groups[g].row].shown.push_back(g);
        }
        for (Row& row : rows_) {
            if (row.shown.size() <= fitting) continue;
            std::ranges::stable_sort(row.shown, std::ranges::greater{},
                                     [&](std::uint32_t g) { return of.groups[g].work.steps; });
            row.left_out = row.shown.size() - fitting;
            for (std::size_t i = fitting; i < row.shown.size(); ++i)
                row.left_out_work.add(of.groups[row.shown[i]].work);
            row.shown.resize(fitting);
            std::ranges::sort(row.shown);
        }
    }

    ImFont* words_font() const {
        return size_ == 0 ? fonts_.small : size_ == 1 ? fonts_.words : fonts_.title;
    }
    ImFont* name_font() const { return size_ == 0 ? fonts_.code : fonts_.code_title; }
    float px(float distance) const {
        return ink_.px(distances_of_sizes[static_cast<std::size_t>(size_)] * distance);
    }
    float line() const { return text_height(words_font()); }
    float gap_below() const { return is_low_ ? ink_.px(gap_between_low_rows) : px(gap_between_rows); }
    float node_height() const {
        if (is_low_) return line() + ink_.px(2 * low_padding + low_bar_height);
        return text_height(name_font()) + 4 * line() + 2 * px(bar_height) +
               px(2 * padding + 8 + 2 * above_bar);
    }
    float row_height(const Row& row) const {
        return node_height() + (row.left_out > 0 ? line() + ink_.px(4) : 0);
    }
    float height() const {
        float height = 0;
        for (const Row& row : rows_) height += row_height(row) + gap_below();
        return height - gap_below();
    }

    /// Nodes of a row keep side by side what they have room for in words of this size.
    int size_for(const Box& box) {
        const float gap = ink_.px(gap_between_nodes);
        const auto fits = [&](int size) {
            const float narrowest =
                distances_of_sizes[static_cast<std::size_t>(size)] * ink_.px(narrowest_node);
            return height_in(size) <= box.height() + 1 && std::ranges::all_of(rows_, [&](const Row& row) {
                       const auto count = static_cast<float>(row.shown.size());
                       return row.left_out == 0 && count * (narrowest + gap) <= box.width() + gap;
                   });
        };
        int size = largest_size;
        while (size > 0 && !fits(size)) --size;
        return size;
    }
    float height_in(int size) {
        const int kept = std::exchange(size_, size);
        const float high = height();
        size_ = kept;
        return high;
    }

    std::uint32_t draw(const Box& box) {
        is_low_ = (of_.other && of_.other->low) || height() > box.height() + 1;
        size_ = is_low_ ? 0 : of_.other ? of_.other->size : size_for(box);
        boxes_.assign(of_.groups.size(), Box{});
        float top = box.y0;
        std::size_t r = 0;
        for (; r < rows_.size(); ++r) {
            const float rest = box.y1 - top - row_height(rows_[r]);
            const bool is_last = r + 1 == rows_.size();
            if (r > 0 && rest < (is_last ? -1 : line() + ink_.px(6))) break;  // a pixel is rounding
            place_row(rows_[r], {box.x0, top, box.x1, top + row_height(rows_[r])});
            top += row_height(rows_[r]) + gap_below();
        }
        for (std::uint32_t g = 1; g < of_.groups.size(); ++g) draw_edges(g);
        std::uint32_t hovered = no_index;
        for (std::uint32_t g = 0; g < of_.groups.size(); ++g) {
            if (boxes_[g].height() <= 0) continue;
            const bool under = of_.mouse && boxes_[g].has(*of_.mouse);
            if (under) hovered = g;
            draw_node(g, under);
        }
        if (r < rows_.size()) draw_rest(r, {box.x0, top - gap_below() + ink_.px(6), box.x1, box.y1});
        return hovered;
    }

  private:
    void place_row(const Row& row, Box box) {
        const float gap = ink_.px(gap_between_nodes);
        const auto count = static_cast<float>(row.shown.size());
        const float width = std::min((box.width() - gap * (count - 1)) / count, px(widest_node));
        float left = box.x0 + (box.width() - width * count - gap * (count - 1)) / 2;
        for (const std::uint32_t g : row.shown) {
            boxes_[g] = {left, box.y0, left + width, box.y0 + node_height()};
            left += width + gap;
        }
        if (row.left_out > 0)
            ink_.text(
                {box.x0, box.y1 - line(), box.x1, box.y1},
                fmt::format("and {} with fewer steps, {} in all", analysis::counted(row.left_out, "group"),
                            analysis::counted(row.left_out_work.steps, "warp-step")),
                fonts_.small, ink_.theme.text_dim, Align::centre);
    }

    void draw_edges(std::uint32_t g) const {
        const Box& to = boxes_[g];
        if (to.height() <= 0) return;
        for (const std::uint32_t parent : of_.groups[g].parents) {
            const Box& from = boxes_[parent];
            if (from.height() <= 0 || parent == g) continue;
            if (of_.groups[parent].row == of_.groups[g].row) {
                draw_edge_in_row(from, to);
                continue;
            }
            ink_.thread({from.centre().x, from.y1}, {to.centre().x, to.y0}, ink_.theme.text_dim,
                        ink_.px(1.5f));
            const float size = ink_.px(4);
            ink_.list->AddTriangleFilled({to.centre().x - size, to.y0 - size},
                                         {to.centre().x + size, to.y0 - size}, {to.centre().x, to.y0 + 1},
                                         ink_.theme.text_dim);
        }
    }

    /// Of tail launches that launch each other: between neighbours, to the right above and to the left below.
    void draw_edge_in_row(const Box& from, const Box& to) const {
        const bool rightward = to.x0 > from.x0;
        const float y = from.y0 + from.height() * (rightward ? 0.35f : 0.65f);
        const float x0 = rightward ? from.x1 : from.x0, x1 = rightward ? to.x0 : to.x1;
        const float size = ink_.px(4), back = rightward ? -size : size;
        ink_.list->AddLine({x0, y}, {x1 + back, y}, ink_.theme.text_dim, ink_.px(1.5f));
        ink_.list->AddTriangleFilled({x1 + back, y - size}, {x1 + back, y + size}, {x1, y},
                                     ink_.theme.text_dim);
    }

    void draw_node(std::uint32_t g, bool under) const {
        const LaunchGroup& group = of_.groups[g];
        const Theme& theme = ink_.theme;
        const Box& box = boxes_[g];
        ink_.fill(box, theme.raised, ink_.px(4));
        if (under) ink_.fill(box, theme.hovered, ink_.px(4));
        const bool chosen = g == of_.chosen;
        ink_.outline(box, chosen ? theme.selected : theme.hairline, ink_.px(chosen ? 2 : 1), ink_.px(4));
        if (is_changed(g)) outline_change(ink_, box);
        hit_box(fmt::format("launches {} {}", of_.mark, g), box.min(), box.max());
        if (is_low_) return draw_low_node(group, box);
        Box inside = box.inset(px(padding));
        ink_.text(inside.take_top(text_height(name_font())), of_.tree.grids[group.first].kernel, name_font(),
                  theme.text);
        words(inside, {grids_in_words(group), short_grids(group)}, theme.text);
        words(inside, who(group), theme.text_dim);
        inside.take_top(px(4));
        const double share = share_of(group);
        words(inside,
              {fmt::format("{}, {} of all", analysis::counted(group.work.steps, "warp-step"),
                           analysis::share_in_words(share)),
               fmt::format("{} steps, {}", analysis::grouped(group.work.steps),
                           analysis::share_in_words(share))},
              theme.text);
        const LaunchGroup* before = counterpart(g);
        inside.take_top(px(above_bar));
        bar(inside.take_top(px(bar_height)), scaled_steps(group.work), theme.amount(0.6), false,
            before ? scaled_steps(before->work) : -1);
        inside.take_top(px(4));
        const double lanes = group.work.mean_active_lanes();
        words(inside,
              {fmt::format("{} of 32 lanes active, {} idle", analysis::rounded(lanes),
                           analysis::rounded(warp_size - lanes)),
               fmt::format("{} of 32 lanes active", analysis::rounded(lanes))},
              theme.text);
        inside.take_top(px(above_bar));
        bar(inside.take_top(px(bar_height)), lanes / warp_size, theme.ideal, true,
            before ? before->work.mean_active_lanes() / warp_size : -1);
    }

    /// The other run's group; null: it has none, or there is no other run.
    const LaunchGroup* counterpart(std::uint32_t g) const {
        if (!of_.other || of_.other->match[g] == no_index) return nullptr;
        return &of_.other->groups[of_.other->match[g]];
    }
    bool is_changed(std::uint32_t g) const {
        if (!of_.other) return false;
        const LaunchGroup* before = counterpart(g);
        return !before || !analysis::launched_alike(*before, of_.groups[g]);
    }

    /// The length of a bar of steps.
    double scaled_steps(const GridWork& work) const {
        const std::uint64_t full = of_.other ? of_.other->most_steps : all_.steps;
        return full == 0 ? 0 : double(work.steps) / double(full);
    }

    double share_of(const LaunchGroup& group) const {
        return all_.steps == 0 ? 0 : double(group.work.steps) / double(all_.steps);
    }

    /// Where the tree is too high for nodes with all their words: one line, and the share of the steps.
    void draw_low_node(const LaunchGroup& group, const Box& box) const {
        Box inside = box.inset(ink_.px(low_padding));
        const std::string& kernel = of_.tree.grids[group.first].kernel;
        const std::string share = analysis::share_in_words(share_of(group));
        const std::string lanes = analysis::rounded(group.work.mean_active_lanes());
        words(
            inside,
            {fmt::format("{} · {} · {} of all steps · {} lanes", kernel, grids_in_words(group), share, lanes),
             fmt::format("{} · {} · {} · {} lanes", kernel, short_grids(group), share, lanes),
             fmt::format("{} · {} · {}", kernel, analysis::counted(group.grids, "grid"), share)},
            ink_.theme.text);
        bar(inside.take_top(ink_.px(low_bar_height)), scaled_steps(group.work), ink_.theme.amount(0.6),
            false);
    }

    void words(Box& inside, const std::vector<std::string>& wordings, ImU32 colour) const {
        const Box box = inside.take_top(line());
        ink_.text(box, wording_that_fits(words_font(), wordings, box.width()), words_font(), colour);
    }

    /// `before`: where the other run's bar ends; negative: nowhere.
    void bar(const Box& box, double share, ImU32 colour, bool hatches_rest, double before = -1) const {
        const float end = box.x0 + box.width() * static_cast<float>(std::clamp(share, 0.0, 1.0));
        if (hatches_rest) ink_.hatch({end, box.y0, box.x1, box.y1}, ink_.theme.inactive);
        ink_.fill({box.x0, box.y0, std::max(end, share > 0 ? box.x0 + 1 : box.x0), box.y1}, colour);
        ink_.outline(box, ink_.theme.hairline);
        if (before < 0) return;
        const float old = box.x0 + box.width() * static_cast<float>(std::clamp(before, 0.0, 1.0));
        ink_.fill({old - ink_.px(1), box.y0 - ink_.px(2), old + ink_.px(1), box.y1 + ink_.px(2)},
                  ink_.theme.text);
    }

    static std::string short_grids(const LaunchGroup& group) {
        return fmt::format("{}, {}", analysis::counted(group.grids, "grid"),
                           analysis::counted(group.work.blocks, "block"));
    }

    std::vector<std::string> who(const LaunchGroup& group) const {
        if (group.first == 0) return {"launched by the host"};
        const analysis::LaunchedGrid& first = of_.tree.grids[group.first];
        const std::string line = first.line == 0 ? std::string() : fmt::format(", line {}", first.line);
        const std::string threads = analysis::counted(group.launchers, "thread");
        const std::string stream = first.stream == analysis::LaunchStream::tail ? ", tail launch"
                                   : first.stream == analysis::LaunchStream::fire_and_forget
                                       ? ", fire and forget"
                                   : first.stream == analysis::LaunchStream::own ? ", own stream"
                                                                                 : "";
        return {fmt::format("launched by {} of {}{}{}", threads, of_.tree.grids[first.parent].kernel, line,
                            stream),
                fmt::format("by {}{}{}", threads, line, stream), fmt::format("by {}{}", threads, line)};
    }

    /// What a picture has no room for.
    void draw_rest(std::size_t first_row, Box box) const {
        GridWork work;
        std::uint64_t grids = 0;
        for (const LaunchGroup& group : of_.groups)
            if (group.row >= first_row) {
                work.add(group.work);
                grids += group.grids;
            }
        ink_.text(box.take_top(line()),
                  fmt::format("below: {}, {}, {}", analysis::counted(rows_.size() - first_row, "more level"),
                              analysis::counted(grids, "grid"), analysis::counted(work.steps, "warp-step")),
                  fonts_.small, ink_.theme.text_dim, Align::centre);
    }

    const LaunchDrawing& of_;
    const Ink& ink_;
    const Fonts& fonts_;
    GridWork all_;
    bool is_low_ = false;  // the nodes
    int size_ = 0;         // of their words
    std::vector<Row> rows_;
    std::vector<Box> boxes_;  // by group; empty: not drawn
};

}  // namespace

std::vector<LegendEntry> launch_legend(const Theme& theme) {
    return {{theme.amount(0.6), "share of the warp-steps of all grids"},
            {theme.ideal, "active lanes, mean over steps"},
            {theme.inactive, "idle lanes", LegendEntry::Shape::hatched}};
}

std::vector<LegendEntry> launch_legend_of_two(const Theme& theme, const LaunchDrawing& after) {
    const LaunchDrawing::OtherRun& other = *after.other;
    std::vector<LegendEntry> entries{
        {theme.amount(0.6), fmt::format("warp-steps; a full bar is {}", analysis::grouped(other.most_steps))},
        {theme.ideal, "active lanes, mean over steps"},
        {theme.inactive, "idle lanes", LegendEntry::Shape::hatched},
        {theme.text, "the other run", LegendEntry::Shape::upright}};
    const auto differs = [&](std::uint32_t g) {
        return other.match[g] == no_index ||
               !analysis::launched_alike(other.groups[other.match[g]], after.groups[g]);
    };
    for (std::uint32_t g = 0; g < after.groups.size(); ++g)
        if (differs(g)) {
            entries.push_back({theme.text, fmt::format("other grids than in {}", other.name),
                               LegendEntry::Shape::cornered});
            break;
        }
    return entries;
}

float launch_tree_height(const LaunchDrawing& drawing, float width) {
    return Drawing(drawing, width).height();
}

float largest_launch_tree_height(const LaunchDrawing& drawing, float width) {
    return Drawing(drawing, width).height_in(largest_size);
}

int launch_tree_size(const LaunchDrawing& drawing, const Box& box) {
    return Drawing(drawing, box.width()).size_for(box);
}

std::uint32_t draw_launch_tree(const LaunchDrawing& drawing, const Box& box) {
    return Drawing(drawing, box.width()).draw(box);
}

}  // namespace warplens::app
