// The tables of the measured view.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/ui/ink.h"
#include "app/ui/text.h"

namespace warplens::app {

inline float table_row_height(const Ink& ink) { return std::round(ink.px(21)); }

/// Rows of right-aligned columns after a first column of text.
class MeasuredTable {
  public:
    struct Column {
        std::string title;
        float share;  // of the width that the first column leaves
    };

    MeasuredTable(const Ink& ink, Box box, float words, std::vector<Column> columns)
        : ink_(ink), left_(box), words_(words), columns_(std::move(columns)) {}

    struct Cell {
        std::string text;
        ImU32 colour = 0;  // 0: of text
    };
    /// Returns the row's box; `dim`: a row of headings.
    Box row(const std::string& words, const std::vector<Cell>& cells, bool dim = false) {
        const Theme& theme = ink_.theme;
        ImFont* font = dim ? theme.fonts.small : theme.fonts.words;
        const Box whole = left_.take_top(table_row_height(ink_));
        ink_.text({whole.x0, whole.y0, whole.x0 + words_ - ink_.px(8), whole.y1}, words, font,
                  dim ? theme.text_dim : theme.text);
        float x = whole.x0 + words_;
        for (std::size_t i = 0; i < cells.size() && i < columns_.size(); ++i) {
            const float end = x + columns_[i].share * (whole.width() - words_);
            const ImU32 colour = cells[i].colour != 0 ? cells[i].colour : dim ? theme.text_dim : theme.text;
            ink_.text({x + ink_.px(4), whole.y0, end, whole.y1}, cells[i].text,
                      dim ? theme.fonts.small : theme.fonts.code, colour, Align::right);
            x = end;
        }
        return whole;
    }
    Box head(const std::string& words) {
        std::vector<Cell> cells;
        for (const Column& column : columns_) cells.push_back({column.title});
        const Box box = row(words, cells, true);
        ink_.line({box.x0, box.y1}, {box.x1, box.y1}, ink_.theme.hairline);
        left_.y0 += ink_.px(2);
        return box;
    }
    Box column_box(const Box& row, std::size_t column) const {
        float x = row.x0 + words_;
        for (std::size_t i = 0; i < column; ++i) x += columns_[i].share * (row.width() - words_);
        return {x, row.y0, x + columns_[column].share * (row.width() - words_), row.y1};
    }

  private:
    const Ink& ink_;
    Box left_;
    float words_;
    std::vector<Column> columns_;
};

}  // namespace warplens::app
