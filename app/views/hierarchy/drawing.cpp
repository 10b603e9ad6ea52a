#include "app/views/hierarchy/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

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

std::string traffic_words(double bytes) { return scaled(bytes, "B"); }

std::string traffic_change_words(double before, double after) {
    const std::string was = traffic_words(before), now = traffic_words(after);
    if (was == now) return now;
    const std::size_t unit = was.rfind(' ');
    if (unit != std::string::npos && now.ends_with(was.substr(unit)))
        return was.substr(0, unit) + " → " + now;
    return was + " → " + now;
}

std::string share_change_words(double before, double after) {
    if (before <= 0) return {};
    const double share = after / before - 1;
    if (std::abs(share) < 0.005) return {};
    if (share >= 0.995) return fmt::format("{} ×", decimal(share + 1, share < 9 ? 1 : 0));
    return (share < 0 ? "−" : "+") + percent(std::abs(share), 0);
}

void LevelsScale::join(const MemoryLevels& levels) {
    shared = shared || levels.shared_bytes > 0;
    bytes =
        std::max({bytes, levels.requested_bytes, levels.shared_bytes, levels.l2_bytes, levels.dram_bytes});
    for (const MemoryLevel& level : levels.levels)
        cycles = std::max({cycles, level.mean_cycles, double(level.latency)});
}

namespace {

constexpr std::array<ServedBy, 3> below{ServedBy::l1, ServedBy::l2, ServedBy::dram};

class HierarchyDrawing {
  public:
    HierarchyDrawing(const Ink& ink, const LevelsPicture& picture, Box box)
        : ink_(ink),
          theme_(ink.theme),
          levels_(picture.levels),
          before_(picture.before),
          scale_(picture.scale),
          hits_(picture.hits),
          bars_(picture.bars) {
        small_ = text_height(theme_.fonts.small);
        words_ = text_height(theme_.fonts.words);
        if (bars_) {
            right_ = box.take_right(box.width() * 0.4f);
            box.take_right(ink.px(20));
        }
        left_ = box;
        const float caption = bars_ ? small_ + ink.px(4) : 0;
        const float rows = 4, height = box.height() - caption;
        two_lines_ = height >= rows * (words_ + small_ + ink.px(4)) + (rows - 1) * (small_ + ink.px(8));
        row_ = std::clamp(height * 0.13f, words_ + (two_lines_ ? small_ : 0) + ink.px(4), ink.px(72));
        if (!two_lines_) row_ = words_ + ink.px(4);
        gap_ = std::max((height - rows * row_) / (rows - 1), ink.px(4));
        top_ = box.y0 + caption;
    }

    void draw() {
        const Box left = left_;
        band(0, left.x0, main_right(), &MemoryLevels::requested_bytes);
        if (scale_.shared) band(0, main_right() + ink_.px(12), left.x1, &MemoryLevels::shared_bytes);
        band(1, left.x0, main_right(), &MemoryLevels::l2_bytes);
        band(2, left.x0, main_right(), &MemoryLevels::dram_bytes);
        level({0, left.x0, left.x1, "Registers", "of the threads", theme_.category(6)});
        level({1, left.x0, main_right(), "L1", capacity(ServedBy::l1) + " for each SM", theme_.category(0),
               latency_words(ServedBy::l1)});
        if (scale_.shared)
            level({1,
                   main_right() + ink_.px(12),
                   left.x1,
                   "Shared memory",
                   levels_.shared_bytes > 0 ? shared_words() : "not used",
                   theme_.category(2),
                   {},
                   "Shared",
                   levels_.shared_bytes > 0 ? capacity(ServedBy::shared) : ""});
        level({2, left.x0, main_right(), "L2", capacity(ServedBy::l2) + " for all SMs", theme_.category(1),
               latency_words(ServedBy::l2)});
        level({3, left.x0, main_right(), "DRAM", "of the GPU", theme_.category(4),
               latency_words(ServedBy::dram)});
        if (bars_) latencies();
    }

  private:
    float main_right() const { return scale_.shared ? left_.x0 + left_.width() * 0.62f : left_.x1; }
    float y(int row) const { return top_ + (row_ + gap_) * static_cast<float>(row); }
    /// "3 KiB in use on an SM (1 KiB reserved)"
    std::string shared_words() const {
        std::string words = capacity(ServedBy::shared) + " in use on an SM";
        if (levels_.reserved_shared_bytes > 0)
            words += fmt::format(" ({} reserved)", volume_words(double(levels_.reserved_shared_bytes)));
        return words;
    }
    std::string capacity(ServedBy by) const {
        return levels_[by].capacity == 0 ? "size not known" : volume_words(double(levels_[by].capacity));
    }

    /// "525 cycles", of the loads whose last data came from the level; empty where bars show it.
    std::string latency_words(ServedBy by) const {
        if (bars_) return {};
        const MemoryLevel& level = levels_[by];
        return level.requests > 0 ? cycles_words(level.mean_cycles) : "no load ends here";
    }

    struct Level {
        int row;
        float x0, x1;
        const char* name;
        std::string words;
        ImU32 colour;
        std::string right = {};            // at its right end
        const char* short_name = nullptr;  // where the name does not fit; null: the name is short
        std::string short_words = {};      // where the words do not fit
    };
    void level(const Level& of) const {
        const Box box{of.x0, y(of.row), of.x1, y(of.row) + row_};
        hit_box(fmt::format("{} {}", hits_, of.name), box.min(), box.max());
        ink_.fill(box, theme_.raised, ink_.px(4));
        ink_.fill({of.x0, box.y0, of.x0 + ink_.px(5), box.y1}, of.colour, ink_.px(2));
        Box inside = box.inset(ink_.px(2));
        inside.x0 += ink_.px(12);
        inside.x1 -= ink_.px(4);
        const float top = two_lines_ ? box.centre().y - (words_ + small_) / 2 : inside.y0;
        Box first{inside.x0, top, inside.x1, two_lines_ ? top + words_ : inside.y1};
        if (const float width = text_width(theme_.fonts.words, of.right) + 1;
            !of.right.empty() && width + text_width(theme_.fonts.words, of.name) < first.width())
            ink_.text(first.take_right(width), of.right, theme_.fonts.words, theme_.text, Align::right);
        const bool cut = of.short_name && text_width(theme_.fonts.words, of.name) > first.width();
        const char* name = cut ? of.short_name : of.name;
        first.x0 += ink_.text(first, name, theme_.fonts.words, theme_.text) + ink_.px(10);
        const bool long_words = text_width(theme_.fonts.small, of.words) > inside.width();
        if (two_lines_)
            ink_.text({inside.x0, top + words_, inside.x1, top + words_ + small_},
                      long_words && !of.short_words.empty() ? of.short_words : of.words, theme_.fonts.small,
                      theme_.text_dim);
        else ink_.text_if_fits(first, of.words, theme_.fonts.small, theme_.text_dim, Align::left);
    }

    /// Between two rows: as wide as its share of the largest volume.
    void band(int row, float x0, float x1, double MemoryLevels::*volume) const {
        const double bytes = levels_.*volume;
        const float whole = (x1 - x0) * (scale_.shared ? 0.96f : 0.6f);
        const auto width_of = [&](double of) {
            return of > 0 ? std::max(ink_.px(1), whole * static_cast<float>(of / scale_.bytes)) : 0;
        };
        const float width = width_of(bytes);
        const float middle = (x0 + x1) / 2, top = y(row) + row_, bottom = y(row + 1);
        const ImU32 colour = mix(theme_.ideal, theme_.background, 0.45);
        if (width > 0) ink_.fill({middle - width / 2, top, middle + width / 2, bottom}, colour);
        std::string words = bytes > 0 ? traffic_words(bytes) : std::string("nothing moves"), change;
        float outer = width;  // of what the words may stand beside
        if (before_) {
            const float was = width_of(before_->*volume);
            if (std::abs(was - width) >= ink_.px(2))
                ink_.outline({middle - was / 2, top, middle + was / 2, bottom}, theme_.text, ink_.px(1));
            outer = std::max(width, was);
            change = share_change_words(before_->*volume, bytes);
        }
        if (bottom - top < text_height(theme_.fonts.small)) return;
        const bool high = bottom - top >= text_height(theme_.fonts.title);
        ImFont* const large = high ? theme_.fonts.title : theme_.fonts.small;
        ImFont* const small = high ? theme_.fonts.words : theme_.fonts.small;
        if (bytes <= 0 && text_width(small, words) + ink_.px(12) <= outer)  // within the other run's outline
            return void(ink_.text({middle - outer / 2, top, middle + outer / 2, bottom}, words, small,
                                  theme_.text, Align::centre));
        const std::string both = change.empty() || bytes <= 0 ? words : words + " (" + change + ")";
        const float from = middle + outer / 2 + ink_.px(8);
        const std::pair<const std::string&, ImFont*> wordings[] = {
            {both, large}, {both, small}, {words, large}};
        for (const auto& [text, font] : wordings) {
            const float long_ = text_width(font, text), half = text_height(font) / 2,
                        centre = (top + bottom) / 2;
            if (long_ + ink_.px(8) <= width) {
                // Over an outline that is narrower.
                ink_.fill({middle - long_ / 2 - ink_.px(3), centre - half, middle + long_ / 2 + ink_.px(3),
                           centre + half},
                          colour);
                return void(ink_.text({middle - width / 2, centre - half, middle + width / 2, centre + half},
                                      text, font, theme_.text_on(colour), Align::centre));
            }
            if (from + long_ + 1 <= x1)
                return void(ink_.text({from, centre - half, from + long_ + 1, centre + half}, text, font,
                                      theme_.text));
        }
        over_the_band(bytes > 0 ? both : "0 B", small, {x0, top, x1, bottom});
    }

    /// Where there is no room beside it: on a ground of its own, in the middle.
    void over_the_band(const std::string& words, ImFont* font, const Box& room) const {
        if (text_width(font, words) + ink_.px(10) > room.width()) font = theme_.fonts.small;
        const float width = text_width(font, words), half = text_height(font) / 2, centre = room.centre().y;
        const float left = std::max(room.x0, room.centre().x - width / 2);
        const Box at{left, centre - half, std::min(room.x1, left + width + 1), centre + half};
        ink_.fill({at.x0 - ink_.px(3), at.y0, at.x1 + ink_.px(3), at.y1}, theme_.background, ink_.px(2));
        ink_.text(at, words, font, theme_.text);
    }

    void latencies() const {
        ink_.text({right_.x0, left_.y0, right_.x1, left_.y0 + small_}, "latency of loads, cycles, to scale",
                  theme_.fonts.small, theme_.text_dim);
        for (const ServedBy by : below) latency(static_cast<int>(by), by);
    }

    void latency(int row, ServedBy by) const {
        const MemoryLevel& level = levels_[by];
        const float x0 = right_.x0, room = right_.width() - ink_.px(56);
        const float bar = std::clamp(row_ * 0.34f, ink_.px(6), ink_.px(22));
        const float line = std::max(bar, words_);
        const bool both = row_ + gap_ >= line + small_;  // else the words would cover the next row's
        const float begin = y(row) + (row_ - line - (both ? small_ : 0)) / 2;
        const float top = begin + (line - bar) / 2;
        const auto length = [&](double cycles) { return room * static_cast<float>(cycles / scale_.cycles); };
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
        const std::string bytes = percent(levels_.share_of_bytes(by), 0);
        std::vector<std::string> wordings{bytes + " of the bytes"};
        if (levels_.global_loads() > 0) {
            const std::string loads = percent(double(level.requests) / double(levels_.global_loads()), 0);
            wordings = {fmt::format("{} of the bytes, the slowest byte of {} of the loads", bytes, loads),
                        fmt::format("{} of bytes, slowest byte of {} of loads", bytes, loads),
                        fmt::format("{} of bytes; {} of loads wait", bytes, loads)};
        }
        if (level.requests > 0) {
            const std::string least = grouped(level.least_cycles), most = grouped(level.most_cycles);
            wordings.insert(wordings.begin(), fmt::format("{} · {} cycles", wordings.front(),
                                                          least == most ? most : least + "–" + most));
            // A line that an earlier load asked for is waited for in L1.
            if (by == ServedBy::l1 && level.mean_cycles > 2.0 * level.latency)
                wordings.insert(wordings.begin(), wordings.front() + ": lines that are still on their way");
        }
        ink_.text({x0, begin + line, right_.x1, begin + line + small_},
                  wording_that_fits(theme_.fonts.small, wordings, right_.width()), theme_.fonts.small,
                  theme_.text_dim);
    }

    const Ink& ink_;
    const Theme& theme_;
    const MemoryLevels& levels_;
    const MemoryLevels* before_;
    const LevelsScale scale_;
    const std::string_view hits_;
    Box left_, right_;
    float small_ = 0, words_ = 0, row_ = 0, gap_ = 0, top_ = 0;
    const bool bars_;
    bool two_lines_ = true;
};

}  // namespace

void draw_levels(const Ink& ink, const LevelsPicture& picture, const Box& box) {
    HierarchyDrawing(ink, picture, box).draw();
}

}  // namespace warplens::app
