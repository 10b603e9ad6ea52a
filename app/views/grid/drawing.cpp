#include "app/views/grid/drawing.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/shared/two_runs.h"

namespace warplens::app {
namespace {

using analysis::GridFigure;

/// Steps from one label to the next: a power of two, at least `room` pixels.
std::uint64_t label_step(float pitch, float room) {
    std::uint64_t step = 1;
    while (pitch * static_cast<float>(step) < room) step *= 2;
    return step;
}

/// "block 64" of a line of blocks, "y 3" or "y 3, z 1" of a grid; without the letters if not `named`.
std::string grid_row_label(Dim3 grid, Dim3 at, bool named) {
    const std::string y = (named ? "y " : "") + grouped(at.y);
    return grid.z > 1 ? fmt::format("{}, {}{}", y, named ? "z " : "", grouped(at.z)) : y;
}

void draw_row_labels(const Ink& ink, const GridShape& shape, Dim3 grid, const Box& area) {
    ImFont* font = ink.theme.fonts.small;
    const float height = text_height(font);
    const std::uint64_t step = label_step(shape.pitch_y, height * 1.3f);
    for (std::uint64_t row = 0; row < shape.cells_y; row += step) {
        const std::uint64_t block = row * shape.fold_y * shape.columns;
        const std::string label = shape.wrapped
                                      ? fmt::format("{}{}", row == 0 ? "block " : "", grouped(block))
                                      : grid_row_label(grid, coordinates(block, grid), row == 0);
        const float middle = area.y0 + shape.pitch_y * (static_cast<float>(row) + 0.5f);
        const float y = std::clamp(middle - height / 2, area.y0, std::max(area.y0, area.y1 - height));
        ink.text({area.x0, y, area.x1 - ink.px(8), y + height}, label, font, ink.theme.text_dim,
                 Align::right);
    }
}

void draw_column_labels(const Ink& ink, const GridShape& shape, const Box& area) {
    ImFont* font = ink.theme.fonts.small;
    const float room = text_width(font, "x " + grouped(shape.columns)) + ink.px(10);
    const std::uint64_t step = label_step(shape.pitch_x, room);
    for (std::uint64_t column = 0; column < shape.cells_x; column += step) {
        const float x = area.x0 + shape.pitch_x * static_cast<float>(column);
        const std::string label =
            fmt::format("{}{}", column == 0 ? "x " : "", grouped(column * shape.fold_x));
        if (x + text_width(font, label) > area.x1) break;
        ink.text({x, area.y0, std::min(x + room, area.x1), area.y1 - ink.px(4)}, label, font,
                 ink.theme.text_dim);
    }
}

float grid_label_line(const Ink& ink) { return text_height(ink.theme.fonts.small) + ink.px(6); }

bool is_flat_grid(Dim3 grid) { return grid.y <= 1 && grid.z <= 1; }

float row_label_width(const Ink& ink, Dim3 grid) {
    const std::string last =
        is_flat_grid(grid) ? "block " + grouped(grid.x) : grid_row_label(grid, {0, grid.y, grid.z}, true);
    return text_width(ink.theme.fonts.small, last) + ink.px(8);
}

class GridCells {
  public:
    GridCells(const GridPicture& picture, const Box& area)
        : p_(picture),
          ink_(picture.ink),
          theme_(picture.ink.theme),
          area_(area),
          gap_(std::min(ink_.px(4), std::max(1.0f, picture.shape.pitch_x * 0.12f))) {}

    std::size_t draw() {
        numbers_ = font_of_numbers();
        const bool follows_mouse = p_.interactive && ImGui::IsWindowHovered();
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        std::size_t hit = no_cell;
        for (std::size_t i = 0; i < p_.cells.size(); ++i) {
            if (!p_.shape.exists(i)) continue;
            const Box box = grid_cell_box(p_.shape, area_, i, gap_);
            draw_cell(p_.cells[i], box);
            if (notes_boxes())
                hit_box(p_.shape.cells_per_block() > 1
                            ? fmt::format("grid cell {} {}", p_.shape.first_block(i),
                                          i % p_.shape.cells_per_block())
                            : fmt::format("grid block {}", p_.shape.first_block(i)),
                        box.min(), box.max());
            if (i < p_.changed.size() && p_.changed[i]) outline_change(ink_, box);
            const bool under_mouse = follows_mouse && box.has(mouse);
            if (p_.interactive && (under_mouse || i == p_.hovered)) ink_.fill(box, theme_.hovered);
            if (under_mouse) hit = i;
        }
        if (p_.chosen < p_.cells.size()) outline_chosen();
        return hit;
    }

  private:
    /// Of threads the whole warp.
    void outline_chosen() const {
        Box box = grid_cell_box(p_.shape, area_, p_.chosen, gap_);
        if (p_.shape.threads) {
            const std::size_t last = std::min<std::size_t>(p_.chosen + warp_size, p_.cells.size()) - 1;
            box.x1 = std::max(box.x1, grid_cell_box(p_.shape, area_, last, gap_).x1);
        }
        ink_.outline(box, theme_.selected, std::max(1.5f, ink_.px(2)));
    }

    void draw_cell(const GridCellValue& cell, const Box& box) const {
        if (cell.warps == 0) return ink_.outline(box, theme_.hairline);
        const bool plain = !cell.value || cell.mixed;
        const ImU32 fill = plain ? theme_.raised
                           : p_.shown.figure == GridFigure::sm
                               ? theme_.category(static_cast<int>(*cell.value) % 8)
                               : theme_.amount(p_.scale.share(*cell.value));
        ink_.fill(box, fill);
        if (cell.idle == cell.warps) {
            // A small cell has no room for lines: its fill is the cue.
            if (std::min(box.width(), box.height()) < ink_.px(5)) ink_.fill(box, theme_.inactive);
            else ink_.hatch(box, theme_.inactive, 4);
            return;
        }
        if (!plain && numbers_)
            ink_.text_if_fits(box, cell_number(*cell.value), numbers_, theme_.text_on(fill));
        if (cell.idle_share > 0) draw_idle_share(cell, box);
    }

    /// A strip at the bottom, as long as the share of the threads that access nothing.
    void draw_idle_share(const GridCellValue& cell, const Box& box) const {
        Box strip = box;
        strip.y0 = strip.y1 - std::clamp(box.height() * 0.16f, ink_.px(2), ink_.px(10));
        strip.x0 = strip.x1 - std::max(box.width() * cell.idle_share, ink_.px(1));
        ink_.fill(strip, theme_.background);
        ink_.hatch(strip, theme_.inactive, 3);
    }

    /// The largest in which the numbers of all cells fit; null: they don't fit in any.
    ImFont* font_of_numbers() const {
        const Fonts& fonts = theme_.fonts;
        const Box one = grid_cell_box(p_.shape, {}, 0, ink_.px(4));
        if (one.height() < text_height(fonts.small)) return nullptr;
        for (ImFont* font : {fonts.title, fonts.words, fonts.small}) {
            float widest = 0;
            for (const GridCellValue& cell : p_.cells)
                if (cell.value) widest = std::max(widest, text_width(font, cell_number(*cell.value)));
            const bool crowded = font != fonts.small && one.height() < 1.8f * text_height(font);
            if (!crowded && widest + ink_.px(2) <= one.width() && text_height(font) <= one.height())
                return font;
        }
        return nullptr;
    }

    std::string cell_number(double value) const {
        return value >= 1000 ? compact(value) : grid_number(p_.shown.figure, value);
    }

    const GridPicture& p_;
    const Ink& ink_;
    const Theme& theme_;
    Box area_;
    float gap_;
    ImFont* numbers_ = nullptr;
};

}  // namespace

Box grid_cells_box(const Ink& ink, Dim3 grid, Box box) {
    box.take_top(grid_label_line(ink) * (is_flat_grid(grid) ? 1 : 2));
    if (grid.count() > 1) box.take_left(row_label_width(ink, grid));
    return box;
}

std::size_t draw_grid(const GridPicture& picture, const Box& cells) {
    const Ink& ink = picture.ink;
    const Dim3 grid = picture.trace.launch.geometry.grid;
    const float line = grid_label_line(ink), lines = line * (is_flat_grid(grid) ? 1 : 2);
    const Box left{cells.x0 - ink.px(400), cells.y0, cells.x0, cells.y1};
    const Box words{grid.count() > 1 ? cells.x0 - row_label_width(ink, grid) : cells.x0, cells.y0 - lines,
                    cells.x1, cells.y0 - lines + line};
    ink.text(words, grid_shape_words(picture.shape, grid, picture.shown), ink.theme.fonts.small,
             ink.theme.text_dim);
    if (grid.count() > 1) draw_row_labels(ink, picture.shape, grid, left);
    if (!is_flat_grid(grid))
        draw_column_labels(ink, picture.shape, {cells.x0, cells.y0 - line, cells.x1, cells.y0});
    return GridCells(picture, cells).draw();
}

}  // namespace warplens::app
