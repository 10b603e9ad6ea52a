#include "tests/legibility/text_boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace warplens::app {
namespace {

/// Rounding, and the empty space that a line keeps above and below its letters.
constexpr float rounding = 1.5f, letterless = 0.25f;

struct Area {
    ImVec2 min, max;
    float width() const { return max.x - min.x; }
    float height() const { return max.y - min.y; }
};

Area cut(const Area& box, ImVec2 min, ImVec2 max) {
    return {{std::max(box.min.x, min.x), std::max(box.min.y, min.y)},
            {std::min(box.max.x, max.x), std::min(box.max.y, max.y)}};
}

bool is_blank(const std::string& words) { return words.find_first_not_of(" \n\t") == std::string::npos; }

/// "1…" of 180: the rest of a sentence can be missed, the rest of a number cannot.
bool is_cut_number(std::string_view words) {
    constexpr std::string_view ellipsis = "…";
    if (!words.ends_with(ellipsis)) return false;
    words.remove_suffix(ellipsis.size());
    return !words.empty() && words.find_first_not_of("0123456789,.") == std::string_view::npos;
}

std::string place(const Area& box) {
    return fmt::format("{:.0f},{:.0f} to {:.0f},{:.0f}", box.min.x, box.min.y, box.max.x, box.max.y);
}

struct Seen {
    const DrawnText* text;
    Area box;  // of it, what can be seen
};

/// The same words twice in one place are one text, drawn bold.
bool is_one_text(const Seen& a, const Seen& b) {
    return a.text->words == b.text->words && std::abs(a.box.min.x - b.box.min.x) < 2 * rounding &&
           std::abs(a.box.min.y - b.box.min.y) < 2 * rounding;
}

bool overlap(const Area& a, const Area& b) {
    const float wide = std::min(a.max.x, b.max.x) - std::max(a.min.x, b.min.x);
    const float high = std::min(a.max.y, b.max.y) - std::max(a.min.y, b.min.y);
    return wide > rounding && high > rounding + letterless * std::min(a.height(), b.height());
}

}  // namespace

std::vector<std::string> text_faults(const std::vector<DrawnText>& texts, ImVec2 screen, bool is_picture) {
    std::vector<std::string> faults;
    std::vector<Seen> seen;
    for (const DrawnText& text : texts) {
        if (is_blank(text.words)) continue;
        const Area whole{text.min, text.max};
        const Area box = cut(cut(whole, text.clip_min, text.clip_max), {0, 0}, screen);
        if (box.width() < rounding || box.height() < rounding) continue;  // scrolled out of sight
        if (box.width() < whole.width() - rounding && (is_picture || !text.scrolls_across))
            faults.push_back(
                fmt::format("'{}' is cut at its side: {} of {}", text.words, place(box), place(whole)));
        if (box.height() < whole.height() * (1 - letterless) - rounding && (is_picture || !text.scrolls_down))
            faults.push_back(
                fmt::format("'{}' is cut above or below: {} of {}", text.words, place(box), place(whole)));
        if (is_cut_number(text.words))
            faults.push_back(fmt::format("'{}' is a part of a number: {}", text.words, place(box)));
        seen.push_back({&text, box});
    }
    std::ranges::sort(seen, {}, [](const Seen& one) { return one.box.min.y; });
    for (std::size_t i = 0; i < seen.size(); ++i)
        for (std::size_t k = i + 1; k < seen.size() && seen[k].box.min.y < seen[i].box.max.y; ++k)
            if (overlap(seen[i].box, seen[k].box) && !is_one_text(seen[i], seen[k]))
                faults.push_back(fmt::format("'{}' and '{}' overlap: {} and {}", seen[i].text->words,
                                             seen[k].text->words, place(seen[i].box), place(seen[k].box)));
    return faults;
}

}  // namespace warplens::app
