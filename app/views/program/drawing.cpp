#include "app/views/program/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/wording.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"

namespace warplens::app {
namespace {

constexpr float natural_row = 48, largest_row = 88, least_row = 40;
constexpr double bar_share = 0.36;  // of a row's height

/// Edges of the columns, in pixels of the screen. The numbers end at their edge.
struct Columns {
    float names = 0, bars = 0, bars_end = 0;
    float time = 0, each = 0, launches = 0, steps = 0;
};

std::string each_words(const ProgramKernelSum& kernel) {
    if (kernel.modelled == 0) return "-";
    return analysis::duration(kernel.seconds / static_cast<double>(kernel.launches));
}

std::string time_words(const ProgramKernelSum& kernel) {
    return kernel.modelled == 0 ? "-" : analysis::duration(kernel.seconds);
}

std::string percent_words(double share) {
    return share > 0 && share < 0.005 ? "< 1 %" : fmt::format("{:.0f} %", 100 * share);
}

class Drawing {
  public:
    Drawing(const ProgramTable& of, const Box& box) : of_(of), ink_(of.ink), fonts_(of.ink.theme.fonts) {
        all_ = seconds_of(of.kernels);
        for (const ProgramKernelSum& kernel : of.kernels) most_ = std::max(most_, kernel.seconds);
        place_columns(box);
    }

    std::optional<ProgramPart> draw(Box box) {
        heading(box.take_top(heading_height(ink_)));
        const auto count = of_.kernels.size();
        const float least = ink_.px(least_row);
        const float row =
            std::clamp(std::floor(box.height() / static_cast<float>(std::max<std::size_t>(count, 1))), least,
                       ink_.px(largest_row));
        const auto room = static_cast<std::size_t>(std::max(box.height() + 1, 0.0f) / row);
        const std::size_t shown = count <= room ? count : room - std::min<std::size_t>(room, 1);
        std::optional<ProgramPart> under;
        for (std::size_t i = 0; i < shown; ++i)
            if (auto part = draw_row(i, box.take_top(row))) under = part;
        if (shown < count) draw_rest(shown, box.take_top(std::min(row, box.height())));
        return under;
    }

    static float heading_height(const Ink& ink) { return text_height(ink.theme.fonts.small) + ink.px(8); }

  private:
    void place_columns(const Box& box) {
        float name = text_width(fonts_.small, "line 1,234 · grid 1,024 × 1,024, block 32 × 32");
        float time = text_width(fonts_.small, "modelled time"), each = text_width(fonts_.small, "each"),
              launches = text_width(fonts_.small, "launches"),
              steps = text_width(fonts_.small, "warp-instructions");
        for (const ProgramKernelSum& kernel : of_.kernels) {
            name = std::max(name, text_width(fonts_.code_title, kernel.first().kernel));
            time = std::max(time, text_width(fonts_.code, time_words(kernel)));
            each = std::max(each, text_width(fonts_.code, each_words(kernel)));
            launches = std::max(launches, text_width(fonts_.code, analysis::grouped(kernel.launches)));
            steps = std::max(steps, text_width(fonts_.code, analysis::grouped(kernel.steps)));
        }
        const float gap = ink_.px(24);
        columns_.names = box.x0 + ink_.px(8);
        const float right = box.x1 - ink_.px(8);
        shows_steps_ = box.width() > ink_.px(980);
        columns_.steps = right;
        columns_.launches = shows_steps_ ? columns_.steps - std::ceil(steps) - gap : right;
        columns_.each = columns_.launches - std::ceil(launches) - gap;
        columns_.time = columns_.each - std::ceil(each) - gap;
        const float names_end =
            columns_.names + std::min(std::ceil(name), std::max(ink_.px(120), box.width() * 0.3f));
        columns_.bars = names_end + ink_.px(20);
        columns_.bars_end = std::max(columns_.time - std::ceil(time) - gap, columns_.bars + ink_.px(40));
    }

    void heading(const Box& box) const {
        const auto word = [&](float left, float right, const char* text, Align align) {
            ink_.text({left, box.y0, right, box.y1}, text, fonts_.small, ink_.theme.text_dim, align);
        };
        word(columns_.names, columns_.bars, "kernel", Align::left);
        word(columns_.bars, columns_.bars_end, "share of the modelled time", Align::left);
        word(columns_.bars_end, columns_.time, "modelled time", Align::right);
        word(columns_.time, columns_.each, "each", Align::right);
        word(columns_.each, columns_.launches, "launches", Align::right);
        if (shows_steps_) word(columns_.launches, columns_.steps, "warp-instructions", Align::right);
    }

    std::optional<ProgramPart> draw_row(std::size_t index, const Box& row) const {
        const ProgramKernelSum& kernel = of_.kernels[index];
        const Theme& theme = ink_.theme;
        const bool under = of_.mouse && row.has(*of_.mouse);
        if (under) ink_.fill(row, theme.hovered, ink_.px(4));
        if (!of_.shown.empty() && kernel.first().symbol == of_.shown)
            ink_.outline(row.inset(ink_.px(1)), theme.selected, ink_.px(2), ink_.px(4));
        hit_box(fmt::format("program kernel {}", index), row.min(), row.max());
        names(kernel, row);
        const ProgramKernel* const part = bar(kernel, row);
        const auto number = [&](float left, float right, const std::string& text) {
            ink_.text({left, row.y0, right, row.y1}, text, fonts_.code, theme.text, Align::right);
        };
        number(columns_.bars_end, columns_.time, time_words(kernel));
        number(columns_.time, columns_.each, each_words(kernel));
        number(columns_.each, columns_.launches, analysis::grouped(kernel.launches));
        if (shows_steps_) number(columns_.launches, columns_.steps, analysis::grouped(kernel.steps));
        if (!under) return std::nullopt;
        return ProgramPart{index, part != nullptr ? part : &busiest_of(kernel)};
    }

    void names(const ProgramKernelSum& kernel, const Box& row) const {
        const float first = text_height(fonts_.code_title), second = text_height(fonts_.small);
        Box box{columns_.names, 0, columns_.bars - ink_.px(12), 0};
        box.y0 = row.y0 + std::max(0.0f, std::round((row.height() - first - second) / 2));
        box.y1 = row.y1;
        ink_.text(box.take_top(first), kernel.first().kernel, fonts_.code_title, ink_.theme.text);
        const auto [words, colour] = below_name(kernel);
        // What went wrong may go on where there is no bar.
        if (colour != ink_.theme.text_dim && kernel.seconds <= 0) box.x1 = columns_.bars_end;
        ink_.text(box.take_top(second), words, fonts_.small, colour);
    }

    std::pair<std::string, ImU32> below_name(const ProgramKernelSum& kernel) const {
        for (const ProgramKernel* shape : kernel.shapes) {
            if (!shape->why_not_executed.empty())
                return {fmt::format("× {} of {} not executed: {}",
                                    analysis::grouped(kernel.launches - kernel.executed),
                                    counted(kernel.launches, "launch", "launches"), shape->why_not_executed),
                        ink_.theme.error};
            if (!shape->problem.empty()) return {"! problem: " + shape->problem, ink_.theme.error};
        }
        const ProgramKernel& first = kernel.first();
        const std::string shape =
            kernel.shapes.size() == 1
                ? fmt::format("grid {}, block {}", to_string(first.grid), to_string(first.block))
                : fmt::format("{} shapes of grid and block", kernel.shapes.size());
        return {fmt::format("line {} · {}", first.line, shape), ink_.theme.text_dim};
    }

    /// The part of it under the mouse.
    const ProgramKernel* bar(const ProgramKernelSum& kernel, const Box& row) const {
        if (kernel.seconds <= 0 || most_ <= 0) return nullptr;
        const float room = columns_.bars_end - columns_.bars - text_width(fonts_.title, "100 %") - ink_.px(8);
        const float high = std::round(row.height() * static_cast<float>(bar_share));
        const float top = row.centre().y - high / 2, bottom = top + high;
        const auto length = [&](double seconds) {
            return static_cast<float>(seconds / most_) * std::max(room, ink_.px(8));
        };
        const ProgramKernel* part = nullptr;
        double before = 0;
        for (const ProgramKernel* shape : kernel.shapes) {
            const Box box{columns_.bars + length(before), top,
                          columns_.bars + length(before + shape->all_seconds()), bottom};
            ink_.fill(box, ink_.theme.category(0));
            // A gap shows where the next shape begins, as long as it leaves something of both.
            if (before > 0 && box.width() > ink_.px(3))
                ink_.fill({box.x0, top, box.x0 + ink_.px(1), bottom}, ink_.theme.panel);
            if (of_.mouse && box.has(*of_.mouse)) {
                part = shape;
                if (kernel.shapes.size() > 1) ink_.outline(box, ink_.theme.text, ink_.px(1));
            }
            before += shape->all_seconds();
        }
        const float end = columns_.bars + std::max(length(before), ink_.px(1));
        if (length(before) < ink_.px(1)) ink_.fill({columns_.bars, top, end, bottom}, ink_.theme.category(0));
        ink_.text({end + ink_.px(8), row.y0, columns_.bars_end, row.y1},
                  percent_words(all_ > 0 ? kernel.seconds / all_ : 0), fonts_.title, ink_.theme.text);
        return part;
    }

    void draw_rest(std::size_t from, const Box& box) const {
        double seconds = 0;
        for (std::size_t i = from; i < of_.kernels.size(); ++i) seconds += of_.kernels[i].seconds;
        ink_.text({columns_.names, box.y0, box.x1, box.y1},
                  fmt::format("and {} that take{} {} of the time",
                              analysis::counted(of_.kernels.size() - from, "more kernel"),
                              of_.kernels.size() - from == 1 ? "s" : "",
                              percent_words(all_ > 0 ? seconds / all_ : 0)),
                  fonts_.small, ink_.theme.text_dim);
    }

    const ProgramTable& of_;
    const Ink& ink_;
    const Fonts& fonts_;
    double all_ = 0, most_ = 0;  // seconds: of all kernels, of the first
    Columns columns_;
    bool shows_steps_ = true;
};

}  // namespace

double seconds_of(const std::vector<ProgramKernelSum>& kernels) {
    double seconds = 0;
    for (const ProgramKernelSum& kernel : kernels) seconds += kernel.seconds;
    return seconds;
}

const ProgramKernel& busiest_of(const ProgramKernelSum& kernel) {
    return **std::ranges::max_element(kernel.shapes, {}, &ProgramKernel::most_steps);
}

float program_table_height(const ProgramTable& table, bool in_picture) {
    return Drawing::heading_height(table.ink) +
           table.ink.px(in_picture ? largest_row : natural_row) * static_cast<float>(table.kernels.size());
}

std::optional<ProgramPart> draw_program_table(const ProgramTable& table, Box box) {
    return Drawing(table, box).draw(box);
}

}  // namespace warplens::app
