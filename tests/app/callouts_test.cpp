// Numbered callouts: what can be marked, and where the circles go.
#include "app/window/callouts.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "app/ui/marks.h"

namespace warplens::app {
namespace {

using testing::HasSubstr;

FrameNotes some_notes() {
    FrameNotes notes;
    notes.boxes = {{"source cuda line 24", {{100, 50}, {300, 60}}},
                   {"source ptx line 24", {{400, 10}, {600, 20}}},
                   {"source array", {{0, 0}, {50, 50}}},
                   {"source cell tile 3 4", {{7, 8}, {9, 10}}}};
    notes.axes = {{"cycle", {100, 300, {{10, 0}, {210, 80}}}}};
    notes.texts.push_back({{70, 70}, {90, 80}, "2 wavefr…", nullptr, "2 wavefronts", {0, 0}, {999, 999}});
    return notes;
}

TEST(marks, are_found_by_the_last_words_of_a_name_with_colons_and_commas_for_blanks) {
    const FrameNotes notes = some_notes();
    EXPECT_EQ(find_mark(notes, "source", "line:24")->min.x, 100) << "of several the leftmost";
    EXPECT_EQ(find_mark(notes, "source", "ptx line 24")->min.x, 400);
    EXPECT_EQ(find_mark(notes, "source", "cell:tile,3,4")->max.y, 10);
    EXPECT_FALSE(find_mark(notes, "source", "ne 24")) << "half a word";
    EXPECT_FALSE(find_mark(notes, "source", ""));
}

TEST(marks, on_an_axis_and_texts_have_a_place_too) {
    const FrameNotes notes = some_notes();
    EXPECT_EQ(find_mark(notes, "source", "cycle:200")->min.x, 110);
    EXPECT_THAT(find_mark(notes, "source", "cycle:301").error().message, HasSubstr("cycle 100 to 300"));
    EXPECT_EQ(find_mark(notes, "source", "text:wavefronts")->min.x, 70) << "also of a shortened text";
}

TEST(marks, that_are_unknown_are_answered_with_all_kinds_and_their_ranges) {
    FrameNotes notes;
    for (const int lane : {3, 0, 31, 9}) notes.boxes[fmt::format("banks lane {}", lane)] = {};
    notes.boxes["banks heatmap"] = {};
    EXPECT_THAT(find_mark(notes, "banks", "lane:32").error().message,
                HasSubstr("it has heatmap, lane:0 to lane:31, and text:WORDS"));
}

TEST(callouts, cover_no_text_and_no_other_circle) {
    std::vector<DrawnText> texts;
    const Box area{0, 0, 400, 300};
    for (float y = 100; y < 200; y += 16)
        texts.push_back({{60, y}, {330, y + 14}, "words", nullptr, "words", {0, 0}, {400, 300}});
    std::vector<HitBox> marks;
    for (float x = 60; x < 330; x += 20) marks.push_back({{x, 130}, {x + 12, 142}});
    const float radius = 9;
    const std::vector<ImVec2> places = place_callouts(marks, texts, radius, area);
    ASSERT_EQ(places.size(), marks.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        EXPECT_TRUE(area.inset(radius).has(places[i]));
        for (const DrawnText& text : texts)
            EXPECT_FALSE(places[i].x + radius > text.min.x && places[i].x - radius < text.max.x &&
                         places[i].y + radius > text.min.y && places[i].y - radius < text.max.y)
                << "circle " << i;
        for (std::size_t k = 0; k < i; ++k)
            EXPECT_GE(std::hypot(places[i].x - places[k].x, places[i].y - places[k].y), 2 * radius);
    }
}

}  // namespace
}  // namespace warplens::app
