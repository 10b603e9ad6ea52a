// The shapes that are read back from ImGui's triangles: outlines, and what a person would call them.
#include "app/capture/svg/forms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "app/capture/svg/triangles.h"

namespace warplens::app::svg {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<Outline> outlines(std::initializer_list<ImDrawIdx> indices) {
    return outlines_of({indices.begin(), indices.size()});
}

TEST(svg_triangles, a_fan_is_one_polygon_and_quads_are_one_each) {
    const auto fan = outlines({0, 1, 2, 0, 2, 3, 0, 3, 4});
    ASSERT_THAT(fan, SizeIs(1));
    EXPECT_THAT(fan[0].rings, ElementsAre(ElementsAre(0, 1, 2, 3, 4)));
    const auto quads = outlines({0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7});
    ASSERT_THAT(quads, SizeIs(2));
    EXPECT_TRUE(quads[0].is_quad());
    EXPECT_THAT(quads[1].rings, ElementsAre(ElementsAre(4, 5, 6, 7)));
}

TEST(svg_triangles, a_strip_has_no_seams_inside) {
    // 0 2 4
    // 1 3 5
    const auto strip = outlines({0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5});
    ASSERT_THAT(strip, SizeIs(1));
    EXPECT_THAT(strip[0].rings, ElementsAre(ElementsAre(0, 1, 3, 5, 4, 2)));
}

TEST(svg_triangles, a_frame_keeps_its_hole) {
    // Corners 0 to 3 outside and 4 to 7 inside, in the same order around.
    std::vector<ImDrawIdx> indices;
    for (ImDrawIdx i = 0; i < 4; ++i) {
        const auto next = static_cast<ImDrawIdx>((i + 1) % 4);
        for (const int corner : {i + 4, int(i), int(next), i + 4, int(next), next + 4})
            indices.push_back(static_cast<ImDrawIdx>(corner));
    }
    const auto frame = outlines_of(indices);
    ASSERT_THAT(frame, SizeIs(1));
    EXPECT_THAT(frame[0].rings, ElementsAre(SizeIs(4), SizeIs(4)));
}

TEST(svg_triangles, nothing_comes_of_nothing) { EXPECT_THAT(outlines({}), IsEmpty()); }

std::vector<ImVec2> arc(ImVec2 centre, float radius, float from, float to, int steps) {
    std::vector<ImVec2> points;
    for (int i = 0; i <= steps; ++i) {
        const float angle = from + (to - from) * static_cast<float>(i) / static_cast<float>(steps);
        points.push_back({centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)});
    }
    return points;
}
constexpr float pi = 3.14159265f;

TEST(svg_forms, distinguishes_rectangles_rounded_rectangles_and_circles) {
    const auto rect = form_of({{1, 2}, {5, 2}, {5, 9}, {1, 9}});
    ASSERT_TRUE(std::holds_alternative<Rect>(rect));
    EXPECT_EQ(std::get<Rect>(rect), (Rect{{1, 2}, {5, 9}}));

    std::vector<ImVec2> round;
    const ImVec2 centres[] = {{14, 24}, {56, 24}, {56, 36}, {14, 36}};
    for (int corner = 0; corner < 4; ++corner)
        for (const ImVec2 point : arc(centres[corner], 4, pi + pi / 2 * static_cast<float>(corner),
                                      pi * 1.5f + pi / 2 * static_cast<float>(corner), 4))
            round.push_back(point);
    const auto rounded = form_of(round);
    ASSERT_TRUE(std::holds_alternative<Rect>(rounded));
    EXPECT_EQ(std::get<Rect>(rounded), (Rect{{10, 20}, {60, 40}, 4}));

    auto dots = arc({30, 30}, 7, 0, 2 * pi, 24);
    dots.pop_back();
    const auto circle = form_of(dots);
    ASSERT_TRUE(std::holds_alternative<Circle>(circle));
    EXPECT_FLOAT_EQ(std::get<Circle>(circle).radius, 7);

    EXPECT_TRUE(std::holds_alternative<Path>(form_of({{0, 0}, {4, 0}, {2, 3}})));
    EXPECT_TRUE(std::holds_alternative<Path>(form_of(arc({0, 0}, 7, 0, pi, 12)))) << "half a disc";
}

TEST(svg_forms, a_quad_with_square_corners_is_a_segment) {
    // From (0,0) to (30,40), 5 wide: the direction is (0.6, 0.8), perpendicular to it (0.8, -0.6).
    const std::vector<ImVec2> quad{{2, -1.5f}, {32, 38.5f}, {28, 41.5f}, {-2, 1.5f}};
    const auto segment = segment_of(quad);
    ASSERT_TRUE(segment);
    EXPECT_NEAR(segment->from.x, 0, 1e-4);
    EXPECT_NEAR(segment->to.y, 40, 1e-4);
    EXPECT_NEAR(segment->width, 5, 1e-4);
    const std::vector<ImVec2> leaning{{0, 0}, {10, 0}, {14, 8}, {4, 8}};
    EXPECT_FALSE(segment_of(leaning));
}

TEST(svg_forms, segments_that_meet_are_one_line) {
    const std::vector<Segment> way{{{0, 0}, {10, 0}, 2}, {{10, 0}, {10, 5}, 2}, {{10, 5}, {0, 0}, 2}};
    EXPECT_TRUE(goes_on(way[0], way[1]));
    EXPECT_FALSE(goes_on(way[0], way[2]));
    const Line closed = line_of(way);
    EXPECT_TRUE(closed.closed);
    EXPECT_THAT(closed.points, SizeIs(3));
    EXPECT_FALSE(line_of({way.data(), 2}).closed);
}

TEST(svg_forms, what_begins_and_ends_in_mid_pixel_is_moved_to_the_edge) {
    Shape thick{.form = Path{{{{{10.5f, 3}, {10.5f, 40}}}}}, .stroke = 2};
    settle_on_pixels(thick);
    EXPECT_FLOAT_EQ(std::get<Path>(thick.form).lines[0].points[1].x, 10);
    Shape thin{.form = Path{{{{{10.5f, 3}, {10.5f, 40}}}}}, .stroke = 1};
    settle_on_pixels(thin);
    EXPECT_FLOAT_EQ(std::get<Path>(thin.form).lines[0].points[1].x, 10.5f);
    Shape fill{.form = Rect{{4.5f, 1}, {8.5f, 3.5f}}};
    settle_on_pixels(fill);
    EXPECT_EQ(std::get<Rect>(fill.form), (Rect{{4, 1}, {8, 3.5f}}));
}

TEST(svg_forms, lengths_keep_a_twentieth_of_a_pixel) {
    EXPECT_FLOAT_EQ(snapped(99.51f), 99.5f);
    EXPECT_FLOAT_EQ(snapped(0.333f), 0.35f);
}

}  // namespace
}  // namespace warplens::app::svg
