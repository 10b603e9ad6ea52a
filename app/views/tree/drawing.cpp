#include "app/views/tree/drawing.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/ui/hatch.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/ui/tick_step.h"

namespace warplens::app {
namespace {

using analysis::CombineOp;
using analysis::TreeMove;
using analysis::TreeNode;
using analysis::TreeOperand;
using analysis::TreeRow;
using analysis::ValueWay;

constexpr std::uint32_t most_warps_drawn = 32;

struct Geometry {
    Box captions, ticks, cells, warps;
    float pitch = 0, row_pitch = 0, cell_width = 0, cell_height = 0;

    float x(float column) const { return cells.x0 + pitch * (column + 0.5f); }
    float top(std::uint32_t row) const { return cells.y0 + row_pitch * static_cast<float>(row); }
    Box cell(std::uint32_t row, float column) const {
        const float half = cell_width / 2;
        return {x(column) - half, top(row), x(column) + half, top(row) + cell_height};
    }
};

/// Captions left and warps right; returns the room between them.
Box take_sides(const Ink& ink, const TreeScale& scale, Box box, Geometry& g) {
    g.captions = box.take_left(scale.captions);
    box.take_left(ink.px(12));
    if (scale.warps > 0) {
        g.warps = box.take_right(scale.warps);
        box.take_right(ink.px(12));
    }
    return box;
}

/// Of columns that are narrower, uprights would make a grey surface.
bool has_room_for_uprights(const Ink& ink, float pitch) { return pitch >= ink.px(5); }

Geometry arrange(const TreeDrawing& d, Box box) {
    const Ink& ink = d.ink;
    Geometry g;
    const float small = text_height(ink.theme.fonts.small);
    const auto rows = static_cast<float>(d.scale.rows);
    box = take_sides(ink, d.scale, box, g);
    g.ticks = box.take_top(small + ink.px(2));
    g.cells = box;
    g.pitch = box.width() / static_cast<float>(d.scale.columns);
    g.row_pitch = box.height() / (rows - 0.6f);
    g.cell_height = std::clamp(g.row_pitch * 0.4f, ink.px(3), small + ink.px(8));
    g.cell_width = std::min(g.pitch >= 6 ? g.pitch - 2 : g.pitch * 0.8f, ink.px(64));
    return g;
}

class TreePicture {
  public:
    TreePicture(const TreeDrawing& d, const Box& box)
        : d_(d),
          ink_(d.ink),
          theme_(d.ink.theme),
          g_(arrange(d, box)),
          uprights_(has_room_for_uprights(d.ink, g_.pitch)) {
        for (const TreeMove& move : d.tree.moves) moved_[{move.node, move.to_column}] = move.row;
    }

    std::uint32_t draw() {
        barriers();
        for (std::uint32_t row = 0; row < d_.tree.rows.size(); ++row) {
            caption(row);
            warps(row);
            hit_box(fmt::format("{} {}", d_.hits, row), {g_.cells.x0, g_.top(row)},
                    {g_.cells.x1, g_.top(row) + g_.cell_height});
        }
        ink_.list->PushClipRect({g_.cells.x0 - ink_.px(10), g_.ticks.y0},
                                {g_.cells.x1 + ink_.px(2), g_.cells.y1 + ink_.px(2)}, true);
        ticks();
        for (const bool front : {false, true}) lines(front);
        cells();
        ink_.list->PopClipRect();
        return hit_;
    }

  private:
    bool shows(std::uint32_t column) const { return column >= d_.columns.first && column < d_.columns.last; }
    float place(std::uint32_t column) const {
        return static_cast<float>(column) - static_cast<float>(d_.columns.first);
    }
    bool lit(std::uint32_t node) const { return d_.lit.empty() || (node < d_.lit.size() && d_.lit[node]); }
    bool wasted(const TreeNode& node) const {
        return node.op != CombineOp::none && d_.tree.has_result && !node.used;
    }

    /// As many of the parts joined by " · " as fit, at least the first.
    std::string whole_parts(std::string text) const {
        for (std::size_t joint = text.rfind(" · ");
             joint != std::string::npos && text_width(theme_.fonts.small, text) > g_.captions.width();
             joint = text.rfind(" · "))
            text.resize(joint);
        return text;
    }

    void caption(std::uint32_t row) const {
        const float name_height = text_height(theme_.fonts.words), small = text_height(theme_.fonts.small);
        // Of low rows some: the first, and counted from the last those that have room.
        const auto every = static_cast<std::uint32_t>(std::ceil(small / std::max(g_.row_pitch, 1.0f)));
        const auto last = static_cast<std::uint32_t>(d_.tree.rows.size()) - 1;
        if (every > 1 && row != 0 && (row < every || (last - row) % every != 0)) return;
        const std::string name = row_name(d_.tree, row);
        const std::string words = row_words(d_.trace, d_.trees, d_.tree, row);
        const float middle = g_.top(row) + g_.cell_height / 2;
        if (g_.row_pitch >= name_height + small) {
            const float top = std::max(middle - (name_height + small) / 2, g_.ticks.y0);
            ink_.text({g_.captions.x0, top, g_.captions.x1, top + name_height}, name, theme_.fonts.words,
                      theme_.text);
            ink_.text({g_.captions.x0, top + name_height, g_.captions.x1, top + name_height + small},
                      whole_parts(words), theme_.fonts.small, theme_.text_dim);
            return;
        }
        const std::string both = whole_parts(words.empty() ? name : name + " · " + words);
        ink_.text({g_.captions.x0, middle - small / 2, g_.captions.x1, middle + small / 2}, both,
                  theme_.fonts.small, theme_.text);
    }

    void warps(std::uint32_t row) const {
        if (g_.warps.width() <= 0 || !tree_shows_warps(d_.trees)) return;
        const std::uint32_t count = std::min(d_.trees.warps, most_warps_drawn);
        if (row == 0)
            ink_.text({g_.warps.x0, g_.ticks.y0, g_.warps.x1, g_.ticks.y1},
                      fmt::format("warps 0–{}", count - 1), theme_.fonts.small, theme_.text_dim);
        const TreeRow& of = d_.tree.rows[row];
        if (of.combined == 0) return;
        const float pitch = g_.warps.width() / static_cast<float>(count);
        for (std::uint32_t warp = 0; warp < count; ++warp) {
            const float x = g_.warps.x0 + pitch * static_cast<float>(warp);
            const Box box{std::round(x), g_.top(row), std::round(x + pitch) - 1,
                          g_.top(row) + g_.cell_height};
            if (of.working >> warp & 1u) ink_.fill(box, theme_.category(2));
            else ink_.hatch(box, theme_.inactive);
        }
    }

    void barriers() const {
        const float dash = ink_.px(6);
        for (std::uint32_t row = 1; row < d_.tree.rows.size(); ++row) {
            if (d_.tree.rows[row].barriers == 0) continue;
            const float y = g_.top(row) - (g_.row_pitch - g_.cell_height) * 0.3f;
            const float right = g_.warps.width() > 0 ? g_.warps.x1 : g_.cells.x1;
            for (float x = g_.cells.x0; x < right; x += 2 * dash)
                ink_.line({x, y}, {std::min(x + dash, right), y}, theme_.text_dim, ink_.px(1));
        }
    }

    void ticks() const {
        float widest = 0;
        for (std::uint32_t column = d_.columns.first; column < d_.columns.last; ++column)
            widest = std::max(widest, text_width(theme_.fonts.small, d_.names.numbers[column]));
        const float drawn = g_.pitch * static_cast<float>(d_.columns.count());
        const double step = tick_step(d_.columns.count(), drawn, widest + ink_.px(8));
        float free = g_.cells.x0 - ink_.px(8);  // where a number may begin
        for (double at = 0; at < d_.columns.count(); at += step) {
            const auto column = d_.columns.first + static_cast<std::uint32_t>(at);
            const std::string& number = d_.names.numbers[column];
            const float width = text_width(theme_.fonts.small, number) + 2, x = g_.x(place(column));
            // The first and the last number stay beside the other columns.
            const float left =
                std::min(std::max(x - width / 2, g_.cells.x0 - ink_.px(8)), g_.cells.x1 - width);
            if (left < free) continue;
            ink_.text({left, g_.ticks.y0, left + width, g_.ticks.y1}, number, theme_.fonts.small,
                      theme_.text_dim, Align::centre);
            free = left + width + ink_.px(4);
        }
    }

    /// The row in which an operand stands in its column.
    std::uint32_t row_of(const TreeOperand& from) const {
        const TreeNode& node = d_.tree.nodes[from.node];
        if (from.column == node.column) return node.row;
        const auto moved = moved_.find({from.node, from.column});
        return moved == moved_.end() ? node.row : moved->second;
    }

    void lines(bool front) const {
        for (std::uint32_t i = 0; i < d_.tree.nodes.size(); ++i) {
            const TreeNode& node = d_.tree.nodes[i];
            if (lit(i) != front) continue;
            for (const TreeOperand& from : node.operands)
                if (from.node != no_index && (shows(from.column) || shows(node.column)))
                    operand(node, from, front && !wasted(node));
        }
        if (!front) return;
        for (const TreeMove& move : d_.tree.moves)
            if (shows(move.from_column) || shows(move.to_column)) dashes(move);
    }

    void operand(const TreeNode& node, const TreeOperand& from, bool strong) const {
        if (node.row == 0) return;
        const std::uint32_t above = node.row - 1, stands = std::min(row_of(from), above);
        const ImU32 base = from.way == ValueWay::shuffle ? theme_.category(1) : theme_.category(0);
        const bool dense = g_.pitch < ink_.px(12);
        const ImU32 colour = mix(base, theme_.background, strong ? (dense ? 0.35 : 0.0) : 0.75);
        const ImU32 still = mix(theme_.text_dim, theme_.background, strong ? 0.35 : 0.75);
        const float x0 = g_.x(place(from.column)), x1 = g_.x(place(node.column));
        const float thickness = ink_.px(dense ? 1.0f : 1.4f);
        const float leaves = g_.top(above) + g_.cell_height, arrives = g_.top(node.row);
        if (stands < above && uprights_)
            ink_.line({x0, g_.top(stands) + g_.cell_height}, {x0, leaves}, still, ink_.px(1));
        if (from.column == node.column) {
            if (uprights_) ink_.line({x0, leaves}, {x0, arrives}, still, ink_.px(1));
        } else if (from.way == ValueWay::shuffle) ink_.thread({x0, leaves}, {x1, arrives}, colour, thickness);
        else ink_.line({x0, leaves}, {x1, arrives}, colour, thickness);
    }

    void dashes(const TreeMove& move) const {
        const ImVec2 from{g_.x(place(move.from_column)),
                          g_.top(move.row == 0 ? 0 : move.row - 1) + g_.cell_height};
        const ImVec2 to{g_.x(place(move.to_column)), g_.top(move.row)};
        const float length = std::hypot(to.x - from.x, to.y - from.y), dash = ink_.px(5);
        const ImU32 colour =
            lit(move.node) ? theme_.category(4) : mix(theme_.category(4), theme_.background, 0.7);
        for (float at = 0; at < length; at += 2 * dash) {
            const float a = at / length, b = std::min(at + dash, length) / length;
            ink_.line({from.x + (to.x - from.x) * a, from.y + (to.y - from.y) * a},
                      {from.x + (to.x - from.x) * b, from.y + (to.y - from.y) * b}, colour, ink_.px(1.4f));
        }
    }

    void cells() {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> by_place;  // row, column: node
        for (std::uint32_t i = 0; i < d_.tree.nodes.size(); ++i) {
            const TreeNode& node = d_.tree.nodes[i];
            if (!shows(node.column)) continue;
            const auto [at, is_new] = by_place.try_emplace({node.row, node.column}, i);
            if (!is_new && wasted(d_.tree.nodes[at->second]) && !wasted(node)) at->second = i;
        }
        for (const TreeMove& move : d_.tree.moves)
            if (shows(move.to_column)) by_place.try_emplace({move.row, move.to_column}, move.node);
        for (auto at = by_place.begin(); at != by_place.end(); ++at) {
            const auto next = std::next(at);
            float free = g_.cells.x1;
            if (next != by_place.end() && next->first.first == at->first.first)
                free = g_.cell(next->first.first, place(next->first.second)).x0;
            cell(at->first.first, at->first.second, at->second, free);
        }
    }

    void cell(std::uint32_t row, std::uint32_t column, std::uint32_t index, float free) {
        const TreeNode& node = d_.tree.nodes[index];
        const Box box = g_.cell(row, place(column));
        if (notes_boxes()) hit_box(fmt::format("tree value {} {}", row, column), box.min(), box.max());
        const bool moved = row != node.row, faint = !lit(index);
        ImU32 fill = node.op == CombineOp::none || moved ? theme_.raised : theme_.category(0);
        ImU32 words = theme_.text;
        if (wasted(node)) {
            ink_.hatch(box, theme_.inactive);
            words = theme_.text_dim;
        } else {
            if (faint) fill = mix(fill, theme_.background, 0.6);
            ink_.fill(box, fill, ink_.px(2));
            words = theme_.text_on(fill);
        }
        if (uprights_ && (node.op == CombineOp::none || moved || wasted(node)))
            ink_.outline(box, moved ? theme_.category(4) : theme_.hairline, 1, ink_.px(2));
        if (index == d_.chosen) ink_.outline(box, theme_.selected, ink_.px(2), ink_.px(2));
        value(node, box, words, free);
        const float reach = std::max(0.0f, (g_.pitch - g_.cell_width) / 2);
        const Box target{box.x0 - reach, box.y0 - ink_.px(2), box.x1 + reach, box.y1 + ink_.px(2)};
        if (d_.mouse && target.has(*d_.mouse)) {
            hit_ = index;
            ink_.fill(box, theme_.hovered, ink_.px(2));
        }
    }

    /// In the cell, or in the free room to its right.
    void value(const TreeNode& node, const Box& box, ImU32 colour, float free) const {
        std::string text = short_value(node);
        float width = text_width(theme_.fonts.small, text);
        const float height = text_height(theme_.fonts.small), inside = std::max(box.width(), g_.pitch - 1);
        if (height > g_.row_pitch) return;
        const bool beside_fits = box.x1 + ink_.px(6) + width <= free;
        if (const std::string shorter = shorter_value(node);
            width > inside && !beside_fits && g_.pitch >= ink_.px(24) &&
            text_width(theme_.fonts.small, shorter) <= inside) {
            text = shorter;
            width = text_width(theme_.fonts.small, text);
        }
        if (width <= inside && height <= box.height() + ink_.px(1)) {
            const float centre = box.centre().x, half = width / 2 + 1;
            ink_.text({centre - half, box.y0, centre + half, box.y1}, text, theme_.fonts.small, colour,
                      Align::centre);
            return;
        }
        const float x = box.x1 + ink_.px(3), middle = box.centre().y;
        if (x + width + ink_.px(3) > free || height > box.height() + ink_.px(6)) return;
        const Box beside{x, middle - height / 2, x + width + 1, middle + height / 2};
        ink_.fill(beside, theme_.background);
        ink_.text(beside, text, theme_.fonts.small, wasted(node) ? theme_.text_dim : theme_.text);
    }

    const TreeDrawing& d_;
    const Ink& ink_;
    const Theme& theme_;
    Geometry g_;
    bool uprights_;  // a line where a value stays; else only sums and their operands
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> moved_;  // node, column: row
    std::uint32_t hit_ = no_index;
};

}  // namespace

void TreeScale::join(const TreeScale& other) {
    captions = std::max(captions, other.captions);
    warps = std::max(warps, other.warps);
    rows = std::max(rows, other.rows);
    columns = std::max(columns, other.columns);
}

TreeScale tree_scale(const Ink& ink, const trace::Trace& trace, const analysis::CombineTrees& trees,
                     const analysis::CombineTree& tree, TreeColumns columns, float width) {
    TreeScale scale;
    float captions = ink.px(90);
    for (std::uint32_t row = 0; row < tree.rows.size(); ++row) {
        const std::string words = row_words(trace, trees, tree, row);
        captions = std::max({captions, text_width(ink.theme.fonts.words, row_name(tree, row)),
                             text_width(ink.theme.fonts.small, words)});
    }
    // As wide as they need.
    scale.captions = std::min(captions + 1, std::clamp(width * 0.2f, ink.px(150), ink.px(260)));
    const float rest = width - scale.captions - ink.px(12);
    const auto warps = static_cast<float>(std::min(trees.warps, most_warps_drawn));
    if (tree_shows_warps(trees) && rest > ink.px(420))
        scale.warps = std::clamp(warps * ink.px(14), ink.px(68), rest * 0.2f);
    scale.rows = std::max(1u, static_cast<std::uint32_t>(tree.rows.size()));
    scale.columns = std::max(1u, columns.count());
    return scale;
}

bool tree_draws_uprights(const Ink& ink, const TreeScale& scale, float width) {
    Geometry sides;
    const Box cells = take_sides(ink, scale, {0, 0, width, 1}, sides);
    return has_room_for_uprights(ink, cells.width() / static_cast<float>(scale.columns));
}

std::uint32_t draw_tree(const TreeDrawing& drawing, const Box& box) {
    return TreePicture(drawing, box).draw();
}

}  // namespace warplens::app
