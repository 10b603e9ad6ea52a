#include "app/views/hierarchy/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"

namespace warplens::app {

using trace::ServedBy;

std::string volume_words(double bytes) {
    static constexpr std::array<const char*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    while (bytes >= 1024 && unit + 1 < units.size()) {
        bytes /= 1024;
        ++unit;
    }
    const int decimals = unit == 0 || bytes >= 100 ? 0 : bytes >= 10 ? 1 : 2;
    return fmt::format("{} {}", decimal(bytes, decimals), units[unit]);
}

namespace {

constexpr std::array<ServedBy, 3> below{ServedBy::l1, ServedBy::l2, ServedBy::dram};

class HierarchyDrawing {
  public:
    HierarchyDrawing(const Ink& ink, const MemoryLevels& levels, Box box)
        : ink_(ink), theme_(ink.theme), levels_(levels) {
        small_ = text_height(theme_.fonts.small);
        words_ = text_height(theme_.fonts.words);
        right_ = box.take_right(box.width() * 0.4f);
        box.take_right(ink.px(20));
        left_ = box;
        const float rows = 4, height = box.height() - small_ - ink.px(4);
        two_lines_ = height >= rows * (words_ + small_ + ink.px(4)) + (rows - 1) * (small_ + ink.px(8));
        row_ = std::clamp(height * 0.13f, words_ + (two_lines_ ? small_ : 0) + ink.px(4), ink.px(72));
        if (!two_lines_) row_ = words_ + ink.px(4);
        gap_ = std::max((height - rows * row_) / (rows - 1), ink.px(4));
        top_ = box.y0 + small_ + ink.px(4);
        // Shared memory stands beside L1 only if it is used.
        shared_ = levels.shared_bytes > 0;
        most_ =
            std::max({levels.requested_bytes, levels.shared_bytes, levels.l2_bytes, levels.dram_bytes, 1.0});
    }

    void draw() {
        const Box left = left_;
        band(0, left.x0, main_right(), levels_.requested_bytes);
        if (shared_) band(0, main_right() + ink_.px(12), left.x1, levels_.shared_bytes);
        band(1, left.x0, main_right(), levels_.l2_bytes);
        band(2, left.x0, main_right(), levels_.dram_bytes);
        level(0, left.x0, left.x1, "Registers", "of the threads", theme_.category(6));
        level(1, left.x0, main_right(), "L1", capacity(ServedBy::l1) + " for each SM", theme_.category(0));
        if (shared_)
            level(1, main_right() + ink_.px(12), left.x1, "Shared memory",
                  capacity(ServedBy::shared) + " in use on an SM", theme_.category(2));
        level(2, left.x0, main_right(), "L2", capacity(ServedBy::l2) + " for all SMs", theme_.category(1));
        level(3, left.x0, main_right(), "DRAM", "of the GPU", theme_.category(4));
        latencies();
    }

  private:
    float main_right() const { return shared_ ? left_.x0 + left_.width() * 0.62f : left_.x1; }
    float y(int row) const { return top_ + (row_ + gap_) * static_cast<float>(row); }
    std::string capacity(ServedBy by) const {
        return levels_[by].capacity == 0 ? "size not known" : volume_words(double(levels_[by].capacity));
    }

    void level(int row, float x0, float x1, const char* name, const std::string& words, ImU32 colour) const {
        const Box box{x0, y(row), x1, y(row) + row_};
        hit_box(std::string("hierarchy ") + name, box.min(), box.max());
        ink_.fill(box, theme_.raised, ink_.px(4));
        ink_.fill({x0, box.y0, x0 + ink_.px(5), box.y1}, colour, ink_.px(2));
        Box inside = box.inset(ink_.px(2));
        inside.x0 += ink_.px(12);
        if (!two_lines_) {
            inside.x0 += ink_.text(inside, name, theme_.fonts.words, theme_.text) + ink_.px(10);
            ink_.text(inside, words, theme_.fonts.small, theme_.text_dim);
            return;
        }
        const float top = box.centre().y - (words_ + small_) / 2;
        ink_.text({inside.x0, top, inside.x1, top + words_}, name, theme_.fonts.words, theme_.text);
        ink_.text({inside.x0, top + words_, inside.x1, top + words_ + small_}, words, theme_.fonts.small,
                  theme_.text_dim);
    }

    /// Between two rows: as wide as its share of the largest volume.
    void band(int row, float x0, float x1, double bytes) const {
        const float whole = (x1 - x0) * (shared_ ? 0.96f : 0.6f);
        const float width = bytes > 0 ? std::max(ink_.px(1), whole * static_cast<float>(bytes / most_)) : 0;
        const float middle = (x0 + x1) / 2, top = y(row) + row_, bottom = y(row + 1);
        const ImU32 colour = mix(theme_.ideal, theme_.background, 0.45);
        if (width > 0) ink_.fill({middle - width / 2, top, middle + width / 2, bottom}, colour);
        const std::string words = bytes > 0 ? volume_words(bytes) : std::string("nothing moves");
        const float height = text_height(theme_.fonts.title);
        ImFont* font = bottom - top >= height ? theme_.fonts.title : theme_.fonts.small;
        if (bottom - top < text_height(theme_.fonts.small)) return;
        const float text = text_width(font, words);
        const float half = text_height(font) / 2, centre = (top + bottom) / 2;
        if (text + ink_.px(8) <= width) {
            ink_.text({middle - width / 2, centre - half, middle + width / 2, centre + half}, words, font,
                      theme_.text_on(colour), Align::centre);
            return;
        }
        const float from = middle + width / 2 + ink_.px(8);
        ink_.text(
            {std::min(from, std::max(x0, x1 - text - 1)), centre - half, x1 + ink_.px(8), centre + half},
            words, font, theme_.text);
    }

    void latencies() const {
        double most = 1;
        for (const MemoryLevel& level : levels_.levels)
            most = std::max({most, level.mean_cycles, double(level.latency)});
        ink_.text({right_.x0, left_.y0, right_.x1, left_.y0 + small_}, "latency of loads, cycles, to scale",
                  theme_.fonts.small, theme_.text_dim);
        for (const ServedBy by : below) latency(static_cast<int>(by), by, most);
    }

    void latency(int row, ServedBy by, double most) const {
        const MemoryLevel& level = levels_[by];
        const float x0 = right_.x0, room = right_.width() - ink_.px(56);
        const float bar = std::clamp(row_ * 0.34f, ink_.px(6), ink_.px(22));
        const float line = std::max(bar, words_);
        const bool both = row_ + gap_ >= line + small_;  // else the words would cover the next row's
        const float begin = y(row) + (row_ - line - (both ? small_ : 0)) / 2;
        const float top = begin + (line - bar) / 2;
        const auto length = [&](double cycles) { return room * static_cast<float>(cycles / most); };
        const Box mean{x0, top, x0 + length(level.mean_cycles), top + bar};
        if (level.requests > 0) ink_.fill(mean, theme_.cost, ink_.px(2));
        ink_.outline({x0, top, x0 + length(level.latency), top + bar}, theme_.ideal, ink_.px(1.5f),
                     ink_.px(2));
        const float end = x0 + std::max(length(level.mean_cycles), length(level.latency)) + ink_.px(6);
        const std::string number =
            level.requests > 0 ? decimal(level.mean_cycles, 0) : fmt::format("{}", level.latency);
        ink_.text({end, begin, right_.x1, begin + line}, number, theme_.fonts.words,
                  level.requests > 0 ? theme_.text : theme_.text_dim);
        if (!both) return;
        std::string words = "serves no load";
        if (level.requests > 0) {
            words = fmt::format("serves {} of {}", percent(levels_.hit_rate(by)),
                                by == ServedBy::l1 ? "the loads" : "those that get here");
            const std::string range = fmt::format("{} · {}–{} cycles", words, grouped(level.least_cycles),
                                                  grouped(level.most_cycles));
            if (text_width(theme_.fonts.small, range) < right_.width()) words = range;
        }
        ink_.text({x0, begin + line, right_.x1, begin + line + small_}, words, theme_.fonts.small,
                  theme_.text_dim);
    }

    const Ink& ink_;
    const Theme& theme_;
    const MemoryLevels& levels_;
    Box left_, right_;
    float small_ = 0, words_ = 0, row_ = 0, gap_ = 0, top_ = 0;
    bool shared_ = false, two_lines_ = true;
    double most_ = 1;
};

}  // namespace

void draw_levels(const Ink& ink, const MemoryLevels& levels, const Box& box) {
    HierarchyDrawing(ink, levels, box).draw();
}

}  // namespace warplens::app
