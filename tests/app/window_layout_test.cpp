// The real window with a run in it, at the sizes of projectors, half a screen and large screens: what a
// person has to see is there without scrolling.
#include <gtest/gtest.h>

#include <map>

#include "app/command_line/target.h"
#include "app/pipeline/pipeline.h"
#include "app/scene/default_selection.h"
#include "app/scene/index_scene.h"
#include "app/scene/time_scene.h"
#include "app/window/frame.h"
#include "tests/app/example_scene.h"
#include "tests/support/headless.h"

namespace warplens::app {
namespace {

struct Screen {
    float width, height, scale;
};
constexpr Screen screens[] = {
    {1280, 720, 1}, {1366, 768, 1}, {960, 1080, 1}, {1920, 1080, 1}, {3840, 2160, 2}};

/// As a run of the window leaves it, with its times.
const Scene& run_of(const std::string& name) {
    static std::map<std::string, Scene> made;
    if (const auto known = made.find(name); known != made.end()) return known->second;
    const auto pipeline = make_pipeline();
    const auto all = catalogue();
    for (const auto& kernel : *all) {
        if (kernel.name != name) continue;
        auto scene = pipeline->run_scene(
            {std::make_shared<instrumentation::KernelFile>(kernel), {}, "", 0, Engine::simt}, {});
        scene->timing = time_scene(*scene, {}, [] { return false; });
        index_scene(*scene);
        return made[name] = std::move(*scene);
    }
    return made[name];
}

class SizedWindow {
  public:
    SizedWindow(ImVec2 size, float scale, const std::string& kernel = "transpose_tiled")
        : ui([this](const Theme& theme) { frame.draw(theme); }, size, ThemeName::light, scale) {
        session.show(run_of(kernel));
        ui.frame(6);
    }
    bool has_inside(std::string_view view, std::string_view words) const {
        const HitBox* box = ui.find(view);
        if (box == nullptr) return false;
        return std::ranges::any_of(ui.texts(), [&](const DrawnText& text) {
            return text.words.find(words) != std::string::npos && text.min.x >= box->min.x - 1 &&
                   text.max.x <= box->max.x + 1 && text.min.y >= box->min.y - 1 &&
                   text.max.y <= box->max.y + 1;
        });
    }
    bool lies_inside(std::string_view part, std::string_view whole) const {
        const HitBox *one = ui.find(part), *all = ui.find(whole);
        return one && all && one->min.y >= all->min.y - 1 && one->max.y <= all->max.y + 1;
    }

    Session session{example_catalogue(), {}, {}};
    Layout layout;
    Frame frame{session, layout};
    Headless ui;
};

TEST(window_layout, the_culprit_line_the_picture_the_sentence_and_the_times_are_in_sight) {
    ASSERT_NE(run_of("transpose_tiled").trace, nullptr);
    const std::uint32_t culprit = default_selection(run_of("transpose_tiled"), "banks").source_line;
    ASSERT_NE(culprit, 0u);
    for (const Screen& screen : screens) {
        const SizedWindow window({screen.width, screen.height}, screen.scale);
        SCOPED_TRACE(fmt::format("{} x {}", screen.width, screen.height));
        EXPECT_TRUE(window.lies_inside(fmt::format("cuda line {}", culprit), "cuda listing"));
        const HitBox* lanes = window.ui.find("banks lanes");
        ASSERT_NE(lanes, nullptr);
        EXPECT_GE(lanes->max.y - lanes->min.y, 180 * screen.scale);
        EXPECT_GE(lanes->max.x - lanes->min.x, 320 * screen.scale);
        EXPECT_TRUE(window.lies_inside("banks lanes", "view banks"));
        EXPECT_TRUE(window.has_inside("view explain", "Load from shared memory"));
        EXPECT_TRUE(window.has_inside("view timeline", "Shared memory or MIO result")) << "the legend";
        EXPECT_TRUE(window.lies_inside("timeline plot", "view timeline"));
        EXPECT_GE(window.ui.find("timeline plot")->max.y - window.ui.find("timeline plot")->min.y,
                  40 * screen.scale);
    }
}

TEST(window_layout, legends_stay_in_sight_in_a_small_window) {
    for (const Screen& screen : {Screen{960, 700, 1}, Screen{1280, 720, 1}, Screen{1366, 768, 1.2f}}) {
        SizedWindow window({screen.width, screen.height}, screen.scale);
        SCOPED_TRACE(fmt::format("{} x {} at {}", screen.width, screen.height, screen.scale));
        EXPECT_TRUE(window.has_inside("view timeline", "Shared memory or MIO result"));
        EXPECT_GE(window.ui.find("timeline plot")->max.y - window.ui.find("timeline plot")->min.y,
                  20 * screen.scale);
        window.frame.open_view("hierarchy");
        window.ui.frame(3);
        EXPECT_TRUE(window.has_inside("view hierarchy", "DRAM"));
        EXPECT_TRUE(window.has_inside("view hierarchy", "width to scale"));
    }
}

TEST(window_layout, the_array_and_the_heat_strip_keep_a_size_at_which_they_are_read) {
    for (const ImVec2 size : {ImVec2(800, 600), ImVec2(1280, 720), ImVec2(1920, 1080)}) {
        const SizedWindow window(size, 1);
        SCOPED_TRACE(size.x);
        for (const char* part : {"banks array", "banks heatmap", "banks lanes"}) {
            const HitBox* box = window.ui.find(part);
            ASSERT_NE(box, nullptr) << part;
            EXPECT_GE(box->max.y - box->min.y, 130) << part;
            EXPECT_GE(box->max.x - box->min.x, 140) << part;
        }
        const HitBox *array = window.ui.find("banks array"), *heat = window.ui.find("banks heatmap"),
                     *lanes = window.ui.find("banks lanes");
        const auto apart = [](const HitBox& a, const HitBox& b) {
            return a.max.x <= b.min.x || b.max.x <= a.min.x || a.max.y <= b.min.y || b.max.y <= a.min.y;
        };
        EXPECT_TRUE(apart(*array, *heat) && apart(*array, *lanes) && apart(*heat, *lanes));
    }
}

TEST(window_layout, what_does_not_fit_in_a_line_ends_with_an_ellipsis) {
    const SizedWindow window({1280, 720}, 1);
    const auto formula = std::ranges::find_if(window.ui.texts(), [](const DrawnText& text) {
        return text.words.ends_with("…") && text.whole.find("mod 32") != std::string::npos;
    });
    ASSERT_NE(formula, window.ui.texts().end());
    EXPECT_LE(formula->max.x, window.ui.find("view banks")->max.x + 1);
}

TEST(window_layout, the_matrices_of_tensor_cores_keep_a_size_at_which_they_are_read) {
    for (const ImVec2 size : {ImVec2(800, 600), ImVec2(1280, 720), ImVec2(1920, 1080)}) {
        const SizedWindow window(size, 1, "wmma_matmul");
        SCOPED_TRACE(size.x);
        const HitBox* matrices = window.ui.find("fragments matrices");
        ASSERT_NE(matrices, nullptr);
        EXPECT_GE(matrices->max.y - matrices->min.y, 220);
        if (size.x >= 1280) {
            EXPECT_TRUE(window.lies_inside("fragments matrices", "view fragments"));
        }
    }
}

TEST(window_layout, the_selected_line_stays_in_sight_when_its_pane_changes_its_size) {
    const std::uint32_t culprit = default_selection(run_of("transpose_tiled"), "banks").source_line;
    SizedWindow window({1280, 720}, 1);
    const std::string line = fmt::format("cuda line {}", culprit);
    ASSERT_TRUE(window.lies_inside(line, "cuda listing"));
    for (const float height : {0.6f, 0.36f, 0.5f}) {
        window.layout.source_height = height;
        window.ui.frame(3);
        EXPECT_TRUE(window.lies_inside(line, "cuda listing")) << height;
    }
    // But what a person scrolled away from stays away.
    const HitBox* listing = window.ui.find("cuda listing");
    ASSERT_TRUE(listing);
    window.ui.move_mouse({(listing->min.x + listing->max.x) / 2, (listing->min.y + listing->max.y) / 2});
    for (int i = 0; i < 30; ++i) window.ui.wheel(5);
    window.ui.frame(2);
    ASSERT_FALSE(window.lies_inside(line, "cuda listing"));
    window.layout.source_height = 0.4f;
    window.ui.frame(3);
    EXPECT_FALSE(window.lies_inside(line, "cuda listing"));
}

TEST(window_layout, the_lanes_of_a_warp_are_there_with_their_axis_and_legend) {
    for (const Screen& screen : screens) {
        SizedWindow window({screen.width, screen.height}, screen.scale, "branch_switch");
        SCOPED_TRACE(fmt::format("{} x {}", screen.width, screen.height));
        window.frame.open_view("lanes");
        window.ui.frame(4);
        EXPECT_TRUE(window.lies_inside("lanes grid", "view lanes"));
        EXPECT_TRUE(window.has_inside("view lanes", "inactive lane")) << "the legend";
        const HitBox* grid = window.ui.find("lanes grid");
        ASSERT_NE(grid, nullptr);
        EXPECT_GE(grid->max.y - grid->min.y, 70 * screen.scale);
    }
}

}  // namespace
}  // namespace warplens::app
