#include "app/window/callouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/ui/marks.h"
#include "app/ui/text.h"

namespace warplens::app {
namespace {

constexpr float circle_radius = 11, column_width = 250;  // unscaled pixels
constexpr int most_word_lines = 3;

bool touch(const Box& a, const Box& b) { return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1; }

Box around(ImVec2 centre, float by) { return {centre.x - by, centre.y - by, centre.x + by, centre.y + by}; }

Box box_of(const HitBox& mark) { return {mark.min.x, mark.min.y, mark.max.x, mark.max.y}; }

ImVec2 nearest(const Box& box, ImVec2 to) {
    return {std::clamp(to.x, box.x0, box.x1), std::clamp(to.y, box.y0, box.y1)};
}

float distance(ImVec2 a, ImVec2 b) { return std::hypot(a.x - b.x, a.y - b.y); }

/// Around a mark, the nearest first.
std::vector<ImVec2> candidates(const Box& mark, float radius) {
    std::vector<ImVec2> places;
    const float room = 2 * radius + 6;
    if (mark.width() >= room && mark.height() >= room) {
        const Box inner = mark.inset(radius + 2);
        places = {{inner.x1, inner.y0},
                  {inner.x0, inner.y0},
                  {inner.x1, inner.y1},
                  {inner.x0, inner.y1},
                  mark.centre()};
    }
    for (float away = radius + 1; away < 14 * radius; away += radius) {
        const Box ring = mark.inset(-away);
        const ImVec2 centre = ring.centre();
        for (const float y : {ring.y0, ring.y1})
            for (const float x :
                 {centre.x, ring.x1, ring.x0, (centre.x + ring.x1) / 2, (centre.x + ring.x0) / 2})
                places.push_back({x, y});
        for (const float x : {ring.x1, ring.x0})
            for (const float y : {centre.y, (centre.y + ring.y0) / 2, (centre.y + ring.y1) / 2})
                places.push_back({x, y});
    }
    return places;
}

/// Columns of equal width, filled row by row.
struct WordsGrid {
    std::size_t columns;
    float width, gap;

    WordsGrid(const Theme& theme, std::size_t count, float room) {
        const float scale = theme.fonts.scale;
        gap = std::round(20 * scale);
        const auto most =
            static_cast<std::size_t>(std::max(1.0f, (room + gap) / (column_width * scale + gap)));
        columns = std::clamp<std::size_t>(count, 1, most);
        width = std::floor((room - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns));
    }
};

void draw_circle(const Ink& ink, ImVec2 centre, std::size_t number) {
    const Theme& theme = ink.theme;
    const float radius = ink.px(circle_radius);
    ink.list->AddCircleFilled(centre, radius + ink.px(1.5f), theme.background);
    ink.list->AddCircleFilled(centre, radius, theme.text);
    const Box box = around(centre, radius);
    draw_text_centred(*ink.list, theme.fonts.words, box.min(), box.max(), theme.background,
                      fmt::format("{}", number));
}

float words_height(const Ink& ink, const std::string& words, const Box& box, bool draw) {
    const float circle = 2 * ink.px(circle_radius) + ink.px(8);
    const std::vector<TextRun> runs{{words, ink.theme.fonts.words, ink.theme.text}};
    return ink.paragraph({box.x0 + circle, box.y0}, box.width() - circle, runs, most_word_lines, draw);
}

/// Calls `each` with the words' box, row by row; returns the height of all rows.
template <class Each>
float walk_words(const Ink& ink, const std::vector<Annotation>& annotations, const Box& box, Each each) {
    const WordsGrid grid(ink.theme, annotations.size(), box.width());
    float y = box.y0 + ink.px(10);
    for (std::size_t first = 0; first < annotations.size(); first += grid.columns) {
        float height = 2 * ink.px(circle_radius);
        for (const bool draw : {false, true})
            for (std::size_t i = first; i < std::min(first + grid.columns, annotations.size()); ++i) {
                const float x = box.x0 + (grid.width + grid.gap) * static_cast<float>(i - first);
                const Box cell{x, y, x + grid.width, y + height};
                if (draw) each(i, cell);
                else height = std::max(height, words_height(ink, annotations[i].words, cell, false));
            }
        y += height + ink.px(6);
    }
    return y - box.y0;
}

}  // namespace

std::vector<ImVec2> place_callouts(const std::vector<HitBox>& marks, const std::vector<DrawnText>& texts,
                                   float radius, const Box& area) {
    std::vector<Box> taken;
    for (const DrawnText& text : texts)
        taken.push_back({std::max(text.min.x, text.clip_min.x), std::max(text.min.y, text.clip_min.y),
                         std::min(text.max.x, text.clip_max.x), std::min(text.max.y, text.clip_max.y)});
    std::vector<ImVec2> places;
    const Box room = area.inset(radius);
    for (const HitBox& mark : marks) {
        const Box box = box_of(mark);
        const auto free = [&](ImVec2 at) {
            const Box circle = around(at, radius);
            return room.has(at) &&
                   std::ranges::none_of(taken, [&](const Box& one) { return touch(circle, one); });
        };
        // Best if the line to the mark crosses no text either.
        const auto all_free = [&](ImVec2 at) {
            if (!free(at)) return false;
            const ImVec2 end = nearest(box, at);
            for (float t = 0.15f; t < 1; t += 0.1f) {
                const ImVec2 on{at.x + (end.x - at.x) * t, at.y + (end.y - at.y) * t};
                if (std::ranges::any_of(taken, [&](const Box& one) { return one.has(on); })) return false;
            }
            return true;
        };
        const std::vector<ImVec2> wanted = candidates(box, radius);
        auto found = std::ranges::find_if(wanted, all_free);
        if (found == wanted.end()) found = std::ranges::find_if(wanted, free);
        const ImVec2 place = found != wanted.end() ? *found : nearest(room, {box.x1, box.y0});
        places.push_back(place);
        taken.push_back(around(place, radius + 1));
    }
    return places;
}

float callout_words_height(const Theme& theme, const std::vector<Annotation>& annotations, float width) {
    if (annotations.empty()) return 0;
    const Ink ink{ImGui::GetWindowDrawList(), theme};
    return walk_words(ink, annotations, {0, 0, width, 0}, [](std::size_t, const Box&) {});
}

void draw_callout_words(const Ink& ink, const std::vector<Annotation>& annotations, const Box& box) {
    if (annotations.empty()) return;
    ink.line({box.x0, box.y0 + ink.px(2)}, {box.x1, box.y0 + ink.px(2)}, ink.theme.hairline);
    const float radius = ink.px(circle_radius);
    walk_words(ink, annotations, box, [&](std::size_t i, const Box& cell) {
        draw_circle(ink, {cell.x0 + radius, cell.y0 + radius}, i + 1);
        words_height(ink, annotations[i].words, cell, true);
    });
}

Status draw_callouts(const Ink& ink, const FrameNotes& notes, std::string_view view,
                     const std::vector<Annotation>& annotations, const Box& area) {
    std::vector<HitBox> marks;
    for (const Annotation& annotation : annotations) {
        WARPLENS_TRY(const HitBox mark, find_mark(notes, view, annotation.mark));
        if (!touch(box_of(mark).inset(-1), area))
            return fail("--annotate {}: it is outside of the picture; a larger --size shows more",
                        annotation.mark);
        marks.push_back({{std::max(mark.min.x, area.x0), std::max(mark.min.y, area.y0)},
                         {std::min(mark.max.x, area.x1), std::min(mark.max.y, area.y1)}});
    }
    const Theme& theme = ink.theme;
    const float radius = ink.px(circle_radius), halo = ink.px(1.5f);
    const std::vector<ImVec2> places = place_callouts(marks, notes.texts, radius + halo, area);
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const Box rim = box_of(marks[i]).inset(-halo);
        ink.outline(rim.inset(-halo), theme.background, halo, ink.px(3));
        ink.outline(rim, theme.text, 2 * halo, ink.px(3));
        const ImVec2 end = nearest(rim, places[i]);
        if (distance(end, places[i]) > radius) ink.line(places[i], end, theme.text, halo);
    }
    for (std::size_t i = 0; i < marks.size(); ++i) draw_circle(ink, places[i], i + 1);
    return {};
}

}  // namespace warplens::app
