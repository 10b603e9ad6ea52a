#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/banks/parts.h"

namespace warplens::app {
namespace {

/// As declared: "tile[32][33]"; else in cells of a bank's width.
std::string array_words(const analysis::SharedLayout& layout) {
    if (layout.extents.size() > 1) {
        std::string words = layout.variable;
        for (const std::uint32_t extent : layout.extents) words += fmt::format("[{}]", extent);
        return words;
    }
    return layout.pitch_known ? fmt::format("{}[{}][{}]", layout.variable, layout.rows, layout.columns)
                              : layout.variable;
}

/// Elements narrower than a bank share a cell.
std::uint32_t elements_per_cell(const analysis::SharedLayout& layout) {
    const bool narrow = !layout.extents.empty() && layout.element_bytes < layout.cell_bytes;
    return narrow ? layout.cell_bytes / layout.element_bytes : 1;
}

/// Cells that a wider element spans.
std::uint32_t cells_per_element(const analysis::SharedLayout& layout) {
    return layout.extents.empty() ? 1 : std::max(1u, layout.element_bytes / layout.cell_bytes);
}

/// "float elements", "half elements, 2 in each cell".
std::string elements_words(const analysis::SharedLayout& layout) {
    const bool declared = !layout.extents.empty();
    const std::uint32_t bytes = declared ? layout.element_bytes : layout.cell_bytes;
    std::string words = layout.element_type.empty() ? fmt::format("{}-byte elements", bytes)
                                                    : layout.element_type + " elements";
    if (const std::uint32_t count = elements_per_cell(layout); count > 1)
        words += fmt::format(", {} in each cell", count);
    if (const std::uint32_t cells = cells_per_element(layout); cells > 1)
        words += fmt::format(", each {} cells", cells);
    return words;
}

/// "2-byte, 2 per cell"
std::string short_elements_words(const analysis::SharedLayout& layout) {
    const std::uint32_t bytes = layout.extents.empty() ? layout.cell_bytes : layout.element_bytes;
    const std::uint32_t count = elements_per_cell(layout);
    return count > 1 ? fmt::format("{}-byte, {} per cell", bytes, count)
                     : fmt::format("{}-byte elements", bytes);
}

/// The bank's colour, or one between two banks' where the rows are on their way to another pitch.
ImU32 cell_colour(const Theme& theme, const analysis::SharedLayout& layout, std::uint32_t row,
                  std::uint32_t column, double pitch_words) {
    const double moved = row * (pitch_words - layout.pitch_bytes / double(analysis::bank_bytes));
    const int bank = layout.at(row, column).bank;
    if (moved == 0) return theme.bank(bank);
    const double at = std::floor(moved);
    const int lower = bank + static_cast<int>(at);  // Theme::bank takes any integer modulo 32
    return mix(theme.bank(lower), theme.bank(lower + 1), moved - at);
}

/// One drawing of the array, part by part. All numbers are drawn or none: numbers in only some of the cells
/// would look meaningful.
class ArrayDrawing {
  public:
    ArrayDrawing(const BanksPart& part, const analysis::SharedLayout& layout, double pitch_words,
                 const Box& box)
        : part_(part),
          layout_(layout),
          pitch_words_(pitch_words),
          ink_(part.ink),
          theme_(part.ink.theme),
          small_(part.ink.theme.fonts.small),
          focus_(focused_lanes(part.request, part.focus)),
          rest_(box),
          caption_(rest_.take_top(part.ink.px(22))),
          legend_(rest_.take_bottom(part.ink.px(20))) {
        const auto rows = static_cast<float>(layout.rows), columns = static_cast<float>(layout.columns);
        labels_ = rest_.height() / rows >= ink_.px(3);
        left_ = labels_ ? text_width(small_, std::to_string(layout.rows - 1)) + ink_.px(8) : 0;
        top_ = labels_ ? ink_.px(14) : 0;
        width_ = (rest_.width() - left_) / columns, height_ = (rest_.height() - top_) / rows;
        width_ = std::min(width_, std::max(height_ * 2.5f, 2.0f));
        // Rows of hundreds of elements are stripes, and stay high enough to be seen.
        height_ = std::min(height_, width_ < ink_.px(4) ? ink_.px(16) : width_ * 1.3f);
        if (width_ >= 4) width_ = std::floor(width_);
        if (height_ >= 4) height_ = std::floor(height_);
        origin_ = {rest_.x0 + left_, rest_.y0 + top_};
        float widest = 0;
        for (int number = 0; number < analysis::bank_count; ++number)
            widest = std::max(widest, text_width(small_, std::to_string(number)));
        numbered_ = widest <= cell_at(0, 0).width() && text_height(small_) * 0.8f <= cell_at(0, 0).height();
    }

    BankFocus draw() {
        draw_caption();
        for_each_cell([&](std::uint32_t row, std::uint32_t column) { draw_cell(row, column); });
        // Lanes last, so that their outlines cover the neighbors.
        for_each_cell([&](std::uint32_t row, std::uint32_t column) { draw_lanes_of(row, column); });
        if (labels_) draw_labels();
        draw_legend();
        return hit_;
    }

  private:
    template <class Visit>
    void for_each_cell(const Visit& visit) const {
        for (std::uint32_t row = 0; row < layout_.rows; ++row)
            for (std::uint32_t column = 0; column < layout_.columns; ++column) visit(row, column);
    }

    Box cell_at(std::uint32_t row, std::uint32_t column) const {
        const float x = origin_.x + width_ * static_cast<float>(column);
        const float y = origin_.y + height_ * static_cast<float>(row);
        const float gap = width_ >= 6 ? 1.0f : 0.0f;
        return {std::round(x), std::round(y), std::round(x + width_) - gap, std::round(y + height_) - gap};
    }

    void draw_caption() const {
        const std::string name = array_words(layout_);
        const float x = origin_.x + ink_.px(2), after = x + text_width(theme_.fonts.code, name) + ink_.px(6);
        const std::array<TextRun, 1> code{TextRun{name, theme_.fonts.code, theme_.text, true}};
        ink_.paragraph({x, caption_.y0}, caption_.x1 - x, code, 1);
        const std::string rows =
            layout_.truncated ? fmt::format(", first {} rows", layout_.rows) : std::string();
        const Box words{after, caption_.y0, caption_.x1, caption_.y1};
        if (layout_.pitch_known)
            ink_.heading(words, {fmt::format("memory layout of {}{}", elements_words(layout_), rows),
                                 elements_words(layout_) + rows, short_elements_words(layout_),
                                 fmt::format("memory layout{}", rows), fmt::format("in memory{}", rows), ""});
        else ink_.heading(words, {fmt::format("in rows of {} words{}", layout_.columns, rows), ""});
    }

    void draw_cell(std::uint32_t row, std::uint32_t column) {
        const analysis::SharedCell& cell = layout_.at(row, column);
        if (cell.address >= layout_.base + layout_.bytes) return;
        const Box where = cell_at(row, column);
        const ImU32 full = cell_colour(theme_, layout_, row, column, pitch_words_);
        const bool lit = !cell.lanes.empty();
        const bool bright = lit && !(cell.lanes & focus_).empty();
        const auto shade = [&](ImU32 colour) {
            return bright ? colour : mix(colour, theme_.background, lit ? 0.35 : 0.62);
        };
        const bool padding = column >= layout_.columns_used;
        if (padding) {
            ink_.fill(where, mix(full, theme_.background, 0.84));
            ink_.hatch(where, mix(full, theme_.background, 0.3), 4);
        } else {
            ink_.fill(where, shade(full));
            // An element wider than a bank spans several.
            const std::uint32_t words = layout_.cell_bytes / 4;
            for (std::uint32_t k = 1; k < words; ++k) {
                const float x = where.x0 + where.width() * static_cast<float>(k) / static_cast<float>(words);
                ink_.fill({x, where.y0, where.x1, where.y1},
                          shade(theme_.bank((cell.bank + static_cast<int>(k)) % analysis::bank_count)));
            }
        }
        if (notes_boxes()) hit_box(fmt::format("banks cell {} {}", row, column), where.min(), where.max());
        if (!lit && !padding && numbered_)
            ink_.text_if_fits(where, std::to_string(cell.bank), small_, with_alpha(theme_.text, 0.55));
        if (part_.mouse && where.has(*part_.mouse)) {
            if (lit) hit_.lane = cell.lanes.lowest();
            else hit_.bank = cell.bank;
        }
    }

    void draw_lanes_of(std::uint32_t row, std::uint32_t column) const {
        const analysis::SharedCell& cell = layout_.at(row, column);
        if (cell.lanes.empty()) return;
        const Box where = cell_at(row, column);
        const bool dim = !(focus_ == part_.request.lanes) && (cell.lanes & focus_).empty();
        const ImU32 full = cell_colour(theme_, layout_, row, column, pitch_words_);
        const std::string words = cell.lanes.count() == 1 ? std::to_string(cell.lanes.lowest())
                                                          : fmt::format("×{}", cell.lanes.count());
        if (numbered_) ink_.text_if_fits(where, words, small_, theme_.text_on(full));
        ink_.outline({where.x0 - 1, where.y0 - 1, where.x1 + 1, where.y1 + 1},
                     dim ? with_alpha(theme_.selected, 0.35) : theme_.selected,
                     width_ >= 12 ? ink_.px(2) : ink_.px(1));
        if (part_.chosen_lane >= 0 && cell.lanes.has(part_.chosen_lane))
            ink_.outline(where.inset(-ink_.px(3)), theme_.selected, ink_.px(2), ink_.px(2));
    }

    /// Every row and column that has room for its number, or every second, fourth … Columns count elements.
    void draw_labels() const {
        const std::uint32_t elements = elements_per_cell(layout_);
        const std::uint32_t cells = layout_.pitch_known ? cells_per_element(layout_) : 1;  // else words
        const auto every = [&](std::uint32_t count, float size, float text) {
            std::uint32_t step = 1;
            while (size * static_cast<float>(step) < text && step < count) step *= 2;
            return step;
        };
        const std::uint32_t row_step = every(layout_.rows, height_, text_height(small_) + ink_.px(2));
        for (std::uint32_t row = 0; row < layout_.rows; row += row_step) {
            const float y = cell_at(row, 0).centre().y, half = text_height(small_) / 2;
            ink_.text({rest_.x0, y - half, origin_.x - ink_.px(6), y + half}, std::to_string(row), small_,
                      theme_.text_dim, Align::right);
        }
        const std::uint32_t column_step =
            cells *
            every(layout_.columns / cells, width_ * static_cast<float>(cells),
                  text_width(small_, std::to_string(layout_.columns * elements / cells)) + ink_.px(6));
        for (std::uint32_t column = 0; column < layout_.columns; column += column_step) {
            const float x = cell_at(0, column).centre().x;
            const float half = std::max(width_, text_width(small_, "000")) / 2;
            ink_.text({x - half, origin_.y - top_, x + half, origin_.y},
                      std::to_string(column / cells * elements), small_, theme_.text_dim, Align::centre);
        }
    }

    /// In one line: the bank colours, the lane mark, padding.
    void draw_legend() const {
        const float bottom = origin_.y + height_ * static_cast<float>(layout_.rows);
        Box line{legend_.x0 + left_, std::min(bottom + ink_.px(4), legend_.y0), legend_.x1, 0};
        line.y1 = line.y0 + ink_.px(18);
        const auto words = [&](const std::string& text) {
            line.x0 += ink_.text(line, text, small_, theme_.text_dim) + ink_.px(6);
        };
        const auto swatch = [&](float size) {
            const Box box{line.x0, std::round(line.centre().y - size / 2), line.x0 + size,
                          std::round(line.centre().y + size / 2)};
            line.x0 += size + ink_.px(5);
            return box;
        };
        const auto entry_fits = [&](const char* text) {
            return line.x0 + ink_.px(17) + text_width(small_, text) <= line.x1;
        };
        words(numbered_ ? "faint numbers: bank 0" : "bank 0");
        for (int bank = 0; bank < 32; ++bank) {
            const float w = ink_.px(3);
            ink_.fill({line.x0, line.y0 + ink_.px(4), line.x0 + w, line.y1 - ink_.px(4)}, theme_.bank(bank));
            line.x0 += w;
        }
        line.x0 += ink_.px(5);
        words("31");
        line.x0 += ink_.px(8);
        const bool shared = std::ranges::any_of(
            layout_.cells, [](const analysis::SharedCell& cell) { return cell.lanes.count() > 1; });
        const char* lane = !numbered_ ? "a lane's element"
                           : shared   ? "accessed: by which lane, ×: by how many"
                                      : "a lane's element, with the lane's number";
        if (entry_fits(lane)) {
            ink_.outline(swatch(ink_.px(12)), theme_.selected, ink_.px(2));
            words(lane);
            line.x0 += ink_.px(8);
        }
        if (layout_.columns_used < layout_.columns && entry_fits("padding")) {
            const Box box = swatch(ink_.px(12));
            ink_.fill(box, mix(theme_.inactive, theme_.background, 0.8));
            ink_.hatch(box, theme_.inactive, 4);
            words("padding");
        }
    }

    const BanksPart& part_;
    const analysis::SharedLayout& layout_;
    double pitch_words_;
    const Ink& ink_;
    const Theme& theme_;
    ImFont* small_;
    LaneMask focus_;
    Box rest_, caption_, legend_;
    bool labels_ = false, numbered_ = false;
    float left_ = 0, top_ = 0, width_ = 0, height_ = 0;  // room of the labels; of a cell
    ImVec2 origin_;
    BankFocus hit_;
};

}  // namespace

BankFocus draw_bank_array(const BanksPart& part, const analysis::SharedLayout& layout, double pitch_words,
                          const Box& box) {
    if (layout.cells.empty() || layout.rows == 0 || layout.columns == 0) return {};
    return ArrayDrawing(part, layout, pitch_words, box).draw();
}

}  // namespace warplens::app
