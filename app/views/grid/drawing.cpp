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

/// Of the planes at the left: "block 64" of a line of blocks, "y 3" of a grid.
void draw_row_labels(const Ink& ink, const GridShape& shape, const Box& cells, float room) {
    ImFont* font = ink.theme.fonts.small;
    const float height = text_height(font);
    const std::uint64_t step = label_step(shape.pitch_y, height * 1.3f);
    for (std::uint64_t plane = 0; plane < shape.planes; plane += shape.planes_x) {
        const Box area = grid_plane_box(shape, cells, plane);
        for (std::uint64_t row = 0; row < shape.cells_y; row += step) {
            const std::uint64_t first = row * shape.fold_y * (shape.wrapped ? shape.columns : 1);
            const std::string label = (row > 0 ? "" : shape.wrapped ? "block " : "y ") + grouped(first);
            const float middle = area.y0 + shape.pitch_y * (static_cast<float>(row) + 0.5f);
            const float y = std::clamp(middle - height / 2, area.y0, std::max(area.y0, cells.y1 - height));
            ink.text({cells.x0 - room, y, cells.x0 - ink.px(8), y + height}, label, font, ink.theme.text_dim,
                     Align::right);
        }
    }
}

/// Above the planes of the first row, in a line that ends at the cells' top.
void draw_column_labels(const Ink& ink, const GridShape& shape, const Box& cells, float line) {
    ImFont* font = ink.theme.fonts.small;
    const float room = text_width(font, "x " + grouped(shape.columns)) + ink.px(10);
    const std::uint64_t step = label_step(shape.pitch_x, room);
    for (std::uint64_t plane = 0; plane < std::min(shape.planes, shape.planes_x); ++plane) {
        const Box area = grid_plane_box(shape, cells, plane);
        for (std::uint64_t column = 0; column < shape.cells_x; column += step) {
            const float x = area.x0 + shape.pitch_x * static_cast<float>(column);
            const std::string label =
                fmt::format("{}{}", column == 0 ? "x " : "", grouped(column * shape.fold_x));
            // A narrow plane has room for it only as far as the next one.
            const float end = plane + 1 < shape.planes_x ? area.x1 + shape.plane_gap - ink.px(4) : cells.x1;
            if (x + text_width(font, label) > end) break;
            ink.text({x, cells.y0 - line, std::min(x + room, end), cells.y0 - ink.px(4)}, label, font,
                     ink.theme.text_dim);
        }
    }
}

/// "z 3" above each plane, "z 4–7" where it stands for several.
void draw_plane_headings(const Ink& ink, const GridShape& shape, const Box& cells, std::uint64_t depth) {
    if (depth <= 1) return;
    ImFont* font = ink.theme.fonts.small;
    for (std::uint64_t plane = 0; plane < shape.planes; ++plane) {
        const Box area = grid_plane_box(shape, cells, plane);
        const std::uint64_t first = plane * shape.fold_z, last = std::min(first + shape.fold_z, depth) - 1;
        const std::string number =
            first == last ? grouped(first) : fmt::format("{}–{}", grouped(first), grouped(last));
        const Box box{area.x0, area.y0 - shape.plane_heading, area.x1 + shape.plane_gap - ink.px(4), area.y0};
        if (!ink.text_if_fits(box, "z " + number, font, ink.theme.text, Align::left))
            ink.text_if_fits(box, number, font, ink.theme.text, Align::left);
    }
}

float grid_label_line(const Ink& ink) { return text_height(ink.theme.fonts.small) + ink.px(6); }

bool is_flat_grid(Dim3 grid) { return grid.y <= 1 && grid.z <= 1; }

float row_label_width(const Ink& ink, Dim3 grid) {
    const std::string last = (is_flat_grid(grid) ? "block " + grouped(grid.x) : "y " + grouped(grid.y));
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
        choose_numbers();
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

    /// Exact numbers in the largest font in which all cells hold them; where none does, short ones as "1.2k".
    void choose_numbers() {
        for (const bool exact : {true, false}) {
            exact_ = exact;
            numbers_ = font_of_numbers();
            if (numbers_) return;
        }
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
        return value >= 1000 && !exact_ ? compact(value) : grid_number(p_.shown.figure, value);
    }

    const GridPicture& p_;
    const Ink& ink_;
    const Theme& theme_;
    Box area_;
    float gap_;
    ImFont* numbers_ = nullptr;
    bool exact_ = true;
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
    const Box words{grid.count() > 1 ? cells.x0 - row_label_width(ink, grid) : cells.x0, cells.y0 - lines,
                    cells.x1, cells.y0 - lines + line};
    ink.text(words, grid_shape_words(picture.shape, grid, picture.shown), ink.theme.fonts.small,
             ink.theme.text_dim);
    if (grid.count() > 1) draw_row_labels(ink, picture.shape, cells, row_label_width(ink, grid));
    if (!is_flat_grid(grid)) draw_column_labels(ink, picture.shape, cells, line);
    draw_plane_headings(ink, picture.shape, cells, grid.z);
    return GridCells(picture, cells).draw();
}

}  // namespace warplens::app
