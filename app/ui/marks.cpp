#include "app/ui/marks.h"

#include <fmt/format.h>

#include <cctype>
#include <optional>
#include <tuple>
#include <vector>

#include "core/number_text.h"

namespace warplens::app {
namespace {

constexpr std::string_view of_text = "text:";

std::string with_blanks(std::string_view mark) {
    std::string name(mark);
    for (char& c : name)
        if (c == ':' || c == ',') c = ' ';
    return name;
}

bool ends_in_words(std::string_view name, std::string_view words) {
    return name == words || (name.size() > words.size() && name.ends_with(words) &&
                             name[name.size() - words.size() - 1] == ' ');
}

std::optional<HitBox> find_box(const FrameNotes& notes, std::string_view words) {
    std::optional<HitBox> found;
    for (const auto& [name, box] : notes.boxes) {
        if (words.empty() || !ends_in_words(name, words)) continue;
        if (name == words) return box;
        if (!found || std::tie(box.min.x, box.min.y) < std::tie(found->min.x, found->min.y)) found = box;
    }
    return found;
}

Result<std::optional<HitBox>> find_on_axis(const FrameNotes& notes, std::string_view mark) {
    const std::size_t colon = mark.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto at = notes.axes.find(mark.substr(0, colon));
    if (at == notes.axes.end()) return std::nullopt;
    const auto value = number_from<double>(mark.substr(colon + 1));
    const AxisNote& axis = at->second;
    if (!value || *value < axis.first || *value > axis.last)
        return fail("--annotate {}: the picture shows {} {:.0f} to {:.0f}", mark, at->first, axis.first,
                    axis.last);
    const auto x = static_cast<float>(axis.box.min.x + (axis.box.max.x - axis.box.min.x) *
                                                           (*value - axis.first) / (axis.last - axis.first));
    return HitBox{{x, axis.box.min.y}, {x, axis.box.max.y}};
}

std::optional<HitBox> find_text(const FrameNotes& notes, std::string_view words) {
    for (const DrawnText& text : notes.texts)
        if (!words.empty() && text.whole.find(words) != std::string::npos) return HitBox{text.min, text.max};
    return std::nullopt;
}

/// A name without its numbers, "cuda line # waited", and the numbers.
struct NumberedName {
    std::string pattern, whole;
    std::vector<std::uint64_t> numbers;
};

/// As a person writes it: "lane:3", "cell A:3,4".
std::string written(std::string_view name) {
    std::string text;
    for (std::size_t at = 0; at < name.size(); ++at) {
        const bool number_next =
            at + 1 < name.size() && std::isdigit(static_cast<unsigned char>(name[at + 1])) != 0;
        const bool number_before = at > 0 && std::isdigit(static_cast<unsigned char>(name[at - 1])) != 0;
        text += name[at] == ' ' && number_next ? (number_before ? ',' : ':') : name[at];
    }
    return text;
}

NumberedName numbered(std::string_view view, std::string_view name) {
    if (name.starts_with(view) && name.size() > view.size() && name[view.size()] == ' ')
        name.remove_prefix(view.size() + 1);
    NumberedName mark{{}, written(name), {}};
    for (std::string_view rest = name; !rest.empty();) {
        const auto number = std::isdigit(static_cast<unsigned char>(rest.front())) != 0
                                ? take_number<std::uint64_t>(rest)
                                : std::nullopt;
        if (number) mark.numbers.push_back(*number);
        mark.pattern += number ? '#' : rest.front();
        if (!number) rest.remove_prefix(1);
    }
    return mark;
}

/// "lane:0 to lane:31, heatmap": of names that differ in their numbers the first and the last.
std::string marks_of(const FrameNotes& notes, std::string_view view) {
    std::map<std::string, std::pair<NumberedName, NumberedName>> kinds;
    for (const auto& [name, box] : notes.boxes) {
        const NumberedName mark = numbered(view, name);
        const auto [at, is_new] = kinds.try_emplace(mark.pattern, mark, mark);
        if (mark.numbers < at->second.first.numbers) at->second.first = mark;
        if (mark.numbers > at->second.second.numbers) at->second.second = mark;
    }
    std::string all;
    for (const auto& [name, ends] : kinds) {
        all += ends.first.whole;
        if (ends.first.numbers != ends.second.numbers) all += " to " + ends.second.whole;
        all += ", ";
    }
    for (const auto& [name, axis] : notes.axes)
        all += fmt::format("{0}:{1:.0f} to {0}:{2:.0f}, ", name, axis.first, axis.last);
    return all + "and text:WORDS for any text in it";
}

}  // namespace

Result<HitBox> find_mark(const FrameNotes& notes, std::string_view view, std::string_view mark) {
    std::optional<HitBox> found;
    if (mark.starts_with(of_text)) {
        found = find_text(notes, mark.substr(of_text.size()));
    } else {
        WARPLENS_TRY(found, find_on_axis(notes, mark));
        if (!found) found = find_box(notes, with_blanks(mark));
    }
    if (found) return *found;
    return fail("--annotate {}: the picture shows no such thing; it has {}", mark, marks_of(notes, view));
}

}  // namespace warplens::app
