#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/pipeline/values/value_words.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/shared/cell_text.h"
#include "app/views/shared/two_runs.h"
#include "app/views/values/parts.h"

namespace warplens::app {
namespace {

constexpr std::size_t most_writes_shown = 6;

/// The writes that are listed: those around the step.
struct ShownWrites {
    std::size_t first = 0, end = 0;
};

ShownWrites shown_writes(const LocationHistory& history, std::size_t most) {
    const std::size_t count = history.writes.size();
    if (count <= most) return {0, count};
    const std::size_t first =
        std::min(history.before_step > most - 2 ? history.before_step - (most - 2) : 0, count - most);
    return {first, first + most};
}

float line_height(const Ink& ink) { return text_height(ink.theme.fonts.words) + ink.px(2); }

std::string write_line(const StepValues& values, std::size_t index) {
    const LocationHistory& history = *values.history;
    const simt::MemoryWrite& write = history.writes[index];
    std::string line = fmt::format("{}   {}", write_text(history, index, true), writer_words(values, write));
    if (write.at == values.state.at) line += " · this step";
    else if (is_racing(history, index)) line += " · races with this step";
    else if (index >= history.before_step) line += " · later";
    return line;
}

/// Words in a row of the grid: as many as leave room for a value, in powers of two.
int grid_columns(const Ink& ink, float width) {
    for (const int columns : {32, 16, 8})
        if (width / static_cast<float>(columns) >= ink.px(38)) return columns;
    return 4;
}

class SharedGrid {
  public:
    SharedGrid(const ValuesPart& part, Box box) : part_(part), ink_(part.ink), theme_(part.ink.theme) {
        captions_ = box.take_left(std::min(
            text_width(theme_.fonts.small, shared_name(part.values, 0)) + ink_.px(44), box.width() * 0.25f));
        box_ = box;
        words_ = part.values.state.shared.writers.size();
        columns_ = grid_columns(ink_, box.width());
        row_height_ = text_height(theme_.fonts.small) + ink_.px(5);
        rows_ = static_cast<std::int64_t>((words_ + static_cast<std::size_t>(columns_) - 1) /
                                          static_cast<std::size_t>(columns_));
        visible_ = std::clamp<std::int64_t>(static_cast<std::int64_t>(box.height() / row_height_), 1, rows_);
    }

    float whole_height() const { return row_height_ * static_cast<float>(rows_); }

    std::int64_t draw(std::int64_t& first_row) {
        const auto followed = followed_word();
        std::int64_t first = first_row;
        if (first < 0) first = followed ? *followed / columns_ - visible_ / 2 : 0;
        if (part_.mouse_in(box_) && ImGui::GetIO().MouseWheel != 0)
            first_row = first -= static_cast<std::int64_t>(3 * ImGui::GetIO().MouseWheel);
        first = std::clamp<std::int64_t>(first, 0, rows_ - visible_);
        if (first_row >= 0) first_row = first;
        std::int64_t clicked = -1;
        for (std::int64_t row = 0; row < visible_; ++row) draw_row(first + row, row, followed, clicked);
        return clicked;
    }

  private:
    std::optional<std::int64_t> followed_word() const {
        const auto& history = part_.values.history;
        if (!history || history->place.space != Space::shared ||
            history->place.block != part_.values.state.at.block)
            return std::nullopt;
        return static_cast<std::int64_t>(history->place.address / simt::SharedState::word_bytes);
    }

    void draw_row(std::int64_t row, std::int64_t line, std::optional<std::int64_t> followed,
                  std::int64_t& clicked) {
        const float y = box_.y0 + row_height_ * static_cast<float>(line);
        const float pitch = box_.width() / static_cast<float>(columns_);
        ink_.text({captions_.x0, y, captions_.x1 - ink_.px(6), y + row_height_},
                  shared_name(part_.values,
                              static_cast<std::uint64_t>(row * columns_) * simt::SharedState::word_bytes),
                  theme_.fonts.small, theme_.text_dim, Align::right);
        const std::vector<std::string> texts = texts_of_row(row, std::floor(pitch) - ink_.px(5));
        for (int column = 0; column < static_cast<int>(texts.size()); ++column) {
            const std::int64_t word = row * columns_ + column;
            const float x = box_.x0 + pitch * static_cast<float>(column);
            const Box cell{std::round(x), y, std::round(x + pitch) - ink_.px(1),
                           y + row_height_ - ink_.px(1)};
            draw_cell(cell, static_cast<std::size_t>(word), texts[static_cast<std::size_t>(column)]);
            if (differs(static_cast<std::size_t>(word))) outline_change(ink_, cell);
            if (followed == word) ink_.outline(cell, theme_.selected, ink_.px(2), ink_.px(2));
            hit_box(fmt::format("{} word {}", part_.hits, word), cell.min(), cell.max());
            if (!part_.mouse_in(cell)) continue;
            ink_.fill(cell, theme_.hovered, ink_.px(2));
            explain(static_cast<std::size_t>(word));
            if (ImGui::IsMouseClicked(0)) clicked = word;
        }
    }

    std::vector<std::string> texts_of_row(std::int64_t row, float width) const {
        std::vector<std::string> texts;
        const std::size_t begin = static_cast<std::size_t>(row * columns_);
        for (std::size_t word = begin; word < std::min(begin + static_cast<std::size_t>(columns_), words_);
             ++word)
            texts.push_back(shared_text(part_.values, word));
        return cell_texts(ink_, texts, width);
    }

    /// Words of arrays of other sizes do not correspond.
    bool differs(std::size_t word) const {
        return part_.other && part_.other->values.state.shared.writers.size() == words_ &&
               shared_text(part_.values, word) != shared_text(part_.other->values, word);
    }

    void draw_cell(const Box& cell, std::size_t word, const std::string& text) const {
        const simt::WordWriter& writer = part_.values.state.shared.writers[word];
        if (writer.site == no_index) {
            ink_.hatch(cell, theme_.inactive, 5);
            return;
        }
        const ImU32 fill = mix(theme_.category(static_cast<int>(writer.at.warp % 8)), theme_.background, 0.6);
        ink_.fill(cell, fill, ink_.px(2));
        ink_.text(cell, text, theme_.fonts.small, theme_.text_on(fill), Align::centre);
    }

    void explain(std::size_t word) const {
        const simt::WordWriter& writer = part_.values.state.shared.writers[word];
        const std::string name = shared_name(part_.values, word * simt::SharedState::word_bytes);
        if (writer.site == no_index) {
            tooltip_card(theme_, fmt::format("`{}` has not been written yet.", name));
            return;
        }
        const Site& site = part_.values.named.program.sites[writer.site];
        tooltip_card(theme_, fmt::format("`{}` = {}", name, shared_text(part_.values, word)),
                     fmt::format("last written by block {}, warp {}, lane {}, step {}, line {}",
                                 writer.at.block, writer.at.warp, writer.lane, writer.at.step, site.line));
    }

    const ValuesPart& part_;
    const Ink& ink_;
    const Theme& theme_;
    Box captions_, box_;
    std::size_t words_ = 0;
    int columns_ = 1;
    std::int64_t rows_ = 0, visible_ = 0;
    float row_height_ = 1;
};

}  // namespace

float history_height(const Ink& ink, const StepValues& values) {
    if (!values.history) return 0;
    const auto shown = shown_writes(*values.history, most_writes_shown);
    return line_height(ink) * static_cast<float>(2 + (shown.end - shown.first)) + ink.px(8);
}

int draw_history(const ValuesPart& part, Box box) {
    const Ink& ink = part.ink;
    const Theme& theme = ink.theme;
    const LocationHistory& history = *part.values.history;
    const float height = line_height(ink);
    const auto rows = static_cast<std::size_t>(std::max(box.height() / height, 3.0f)) - 2;
    const ShownWrites shown = shown_writes(history, std::clamp<std::size_t>(rows, 1, most_writes_shown));
    const std::string count = history.writes.empty()       ? "nobody writes it"
                              : history.writes.size() == 1 ? "1 write"
                                                           : fmt::format("{} writes", history.writes.size());
    ink.text(box.take_top(height), fmt::format("Who wrote {}: {}", history.name, count), theme.fonts.words,
             theme.text);
    ink.text(box.take_top(height),
             shown.first == 0 ? fmt::format("{}   at first", initial_text(history))
                              : fmt::format("… {} earlier", shown.first),
             theme.fonts.words, theme.text_dim);
    int clicked = -1;
    for (std::size_t i = shown.first; i < shown.end; ++i) {
        const Box line = box.take_top(height);
        const bool own = history.writes[i].at == part.values.state.at;
        const ImU32 colour = is_racing(history, i)            ? theme.cost
                             : own || i < history.before_step ? theme.text
                                                              : theme.text_dim;
        if (own) ink.outline(line, theme.selected, ink.px(1), ink.px(2));
        ink.text({line.x0 + ink.px(4), line.y0, line.x1, line.y1}, write_line(part.values, i),
                 theme.fonts.words, colour);
        hit_box(fmt::format("values write {}", i), line.min(), line.max());
        if (!part.mouse_in(line)) continue;
        ink.fill(line, theme.hovered, ink.px(2));
        if (ImGui::IsMouseClicked(0)) clicked = static_cast<int>(i);
    }
    return clicked;
}

float shared_grid_height(const ValuesPart& part, float width) {
    return SharedGrid(part, {0, 0, width, 0}).whole_height() + 1;
}

std::int64_t draw_shared_grid(const ValuesPart& part, Box box, std::int64_t& first_row) {
    return SharedGrid(part, box).draw(first_row);
}

}  // namespace warplens::app
