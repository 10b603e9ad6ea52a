// The latency staircase: cycles of a dependent load over the working set, on a logarithmic axis of bytes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/hierarchy/drawing.h"

namespace warplens::app {
namespace {

class Stairs {
  public:
    Stairs(const Ink& ink, const MemoryLevels& levels, const std::vector<StairsMark>& marks, Box box)
        : ink_(ink), theme_(ink.theme), levels_(levels), marks_(marks) {
        small_ = text_height(theme_.fonts.small);
        heading_ = box.take_top(text_height(theme_.fonts.words) + ink.px(4));
        // Above the highest step's number.
        marked_ =
            box.take_top(small_ * static_cast<float>(std::max<std::size_t>(marks.size(), 1)) + ink.px(8));
        ticks_ = box.take_bottom(small_ + ink.px(4));
        numbers_ = box.take_left(ink.px(44));
        plot_ = box;
        for (const simt::ChaseLatency& one : levels.stairs) most_ = std::max(most_, one.cycles);
        most_ = std::max(most_, double(levels[trace::ServedBy::dram].latency)) * 1.15;
        first_ = std::log2(double(levels.stairs.front().bytes));
        last_ = std::log2(double(levels.stairs.back().bytes)) + 1;
    }

    void draw() const {
        ink_.text(heading_, "Cycles of a dependent load over its working set, warm: L1, then L2, then DRAM",
                  theme_.fonts.words, theme_.text);
        axes();
        steps();
        for (std::size_t i = 0; i < marks_.size(); ++i) mark(marks_[i], i);
    }

  private:
    float x(double bytes) const {
        return plot_.x0 + plot_.width() * static_cast<float>((std::log2(bytes) - first_) / (last_ - first_));
    }
    float y(double cycles) const { return plot_.y1 - plot_.height() * static_cast<float>(cycles / most_); }

    void axes() const {
        ink_.line({plot_.x0, plot_.y1}, {plot_.x1, plot_.y1}, theme_.text_dim, 1);
        float free = plot_.x0 - 1, above = plot_.y1 + 1;
        for (const trace::ServedBy by : {trace::ServedBy::l1, trace::ServedBy::l2, trace::ServedBy::dram}) {
            const int cycles = levels_[by].latency;
            const float at = y(cycles);
            ink_.line({plot_.x0, at}, {plot_.x1, at}, theme_.hairline, 1);
            if (at + small_ / 2 > above) continue;
            ink_.text({numbers_.x0, at - small_ / 2, numbers_.x1 - ink_.px(6), at + small_ / 2},
                      fmt::format("{}", cycles), theme_.fonts.small, theme_.text_dim, Align::right);
            above = at - small_ / 2;
        }
        for (std::size_t i = 0; i < levels_.stairs.size(); i += 2) {
            const std::string words = volume_words(double(levels_.stairs[i].bytes));
            const float width = text_width(theme_.fonts.small, words),
                        left = x(double(levels_.stairs[i].bytes));
            if (left < free || left + width > ticks_.x1) continue;
            ink_.line({left, plot_.y1}, {left, plot_.y1 + ink_.px(4)}, theme_.text_dim, 1);
            ink_.text({left, ticks_.y1 - small_, left + width + 1, ticks_.y1}, words, theme_.fonts.small,
                      theme_.text_dim);
            free = left + width + ink_.px(12);
        }
    }

    void steps() const {
        const ImU32 colours[] = {theme_.category(0), theme_.category(1), theme_.category(4)};
        for (const simt::ChaseLatency& one : levels_.stairs) {
            const float left = x(double(one.bytes)), right = x(2 * double(one.bytes)) - 1;
            // A bar of three parts: what each level adds to the mean.
            const double parts[] = {one.from_l1 * levels_[trace::ServedBy::l1].latency,
                                    one.from_l2 * levels_[trace::ServedBy::l2].latency,
                                    one.from_dram * levels_[trace::ServedBy::dram].latency};
            double below = 0;
            for (int i = 0; i < 3; ++i) {
                const Box part{left, y(below + parts[i]), right, y(below)};
                ink_.fill(part, colours[i]);
                if (i == 2) ink_.hatch(part, mix(colours[i], theme_.background, 0.5));
                below += parts[i];
            }
            const std::string number = decimal(one.cycles, 0);
            const Box over{left, y(one.cycles) - small_ - 1, right, y(one.cycles) - 1};
            ink_.text_if_fits(over, number, theme_.fonts.small, theme_.text);
        }
    }

    /// A working set, as a line through the steps; each in a line of its own above them.
    void mark(const StairsMark& mark, std::size_t line) const {
        if (mark.bytes < std::exp2(first_) || mark.bytes > std::exp2(last_)) return;
        // In the middle of its step, which stands for the working set at its left.
        const float at = x(mark.bytes * std::sqrt(2.0));
        // Down to the step's number.
        float end = plot_.y1;
        for (const simt::ChaseLatency& one : levels_.stairs)
            if (at >= x(double(one.bytes)) && at < x(2 * double(one.bytes)))
                end = y(one.cycles) - small_ - ink_.px(3);
        const float top = marked_.y0 + small_ * static_cast<float>(line);
        ink_.line({at, top}, {at, std::max(end, plot_.y0)}, theme_.selected, ink_.px(1.5f));
        const float width = text_width(theme_.fonts.small, mark.words);
        const float left = at + width + ink_.px(8) < plot_.x1 ? at + ink_.px(6) : at - width - ink_.px(6);
        const Box box{left, top, left + width + 1, top + small_};
        ink_.fill(box, theme_.background);
        ink_.text(box, mark.words, theme_.fonts.small, theme_.text);
    }

    const Ink& ink_;
    const Theme& theme_;
    const MemoryLevels& levels_;
    const std::vector<StairsMark>& marks_;
    Box heading_, marked_, plot_, ticks_, numbers_;
    float small_ = 0;
    double most_ = 1, first_ = 0, last_ = 1;
};

}  // namespace

void draw_stairs(const Ink& ink, const MemoryLevels& levels, const std::vector<StairsMark>& marks,
                 const Box& box) {
    Stairs(ink, levels, marks, box).draw();
}

}  // namespace warplens::app
