// Every view of some kernels at the sizes of pictures, and the window with each view at the sizes of screens:
// no text covers another or is cut off.
#include <gmock/gmock.h>

#include <map>

#include "app/command_line/target.h"
#include "app/pipeline/pipeline.h"
#include "app/pipeline/values/step_values.h"
#include "app/scene/default_selection.h"
#include "app/scene/index_scene.h"
#include "app/scene/time_scene.h"
#include "app/scene/view_relevance.h"
#include "app/session/values_task.h"
#include "app/ui/text.h"
#include "app/window/frame.h"
#include "tests/app/view_stage.h"
#include "tests/legibility/text_boxes.h"
#include "tests/legibility/walk.h"

namespace warplens::app {
namespace {

/// Also as a slide: type and strokes twice as large.
struct PictureSize {
    ImVec2 size;
    float scale;
};
const PictureSize walked_sizes[] = {
    {{800, 600}, 1}, {{1000, 700}, 1}, {{1600, 1000}, 1}, {{2400, 1400}, 1}, {{1600, 1000}, 2}};

class every_text : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        scene_ = scene_of(GetParam());
        ASSERT_NE(scene_, nullptr);
    }
    std::shared_ptr<Scene> scene_;
};

TEST_P(every_text, of_each_view_can_be_read_at_the_sizes_of_pictures) {
    static const auto pipeline = make_pipeline();
    const auto read = [](const Scene& scene, const ValuesQuestion& question,
                         const std::function<bool()>& cancelled) {
        return values_of_scene(*pipeline, scene, question, cancelled);
    };
    Faults faults;
    for (const ViewEntry& view : view_entries()) {
        if (!has_content(*scene_, view)) continue;
        ValuesState values;
        for (const auto& [size, scale] : walked_sizes) {
            ViewStage stage(view.make(), scene_, size, ThemeName::light, scale);
            stage.interactive = false;
            stage.selection.chosen = default_selection(*scene_, view.name);
            if (view.extra == ViewExtra::values && !values.found)
                values = read_values(read, *scene_, question_of_spot(*scene_->trace, stage.selection.chosen),
                                     [] { return false; });
            stage.values = &values;
            stage.headless.frame(3);
            faults.add(fmt::format("{} {}x{} at {}", view.name, size.x, size.y, scale), stage.headless, size,
                       true);
            const float smallest = text_height(stage.headless.theme().fonts.small);
            for (const DrawnText& text : stage.headless.texts())
                EXPECT_GE(text.max.y - text.min.y, smallest - 0.5f) << view.name << ": " << text.words;
        }
    }
    EXPECT_EQ(faults.all(), "");
}

TEST(type, is_nowhere_smaller_than_11_pixels) {
    const Headless ui([](const Theme&) {}, {800, 600});
    const Fonts& fonts = ui.theme().fonts;
    for (ImFont* font :
         {fonts.words, fonts.code, fonts.title, fonts.small, fonts.code_title, fonts.headline}) {
        // A line of Inter or JetBrains Mono is 1.2 to 1.35 ems high.
        EXPECT_GE(text_height(font) / 1.35f, 11) << "at 800 pixels of width, which has the scale 1";
    }
}

/// The headline is the largest text, and a view has at most one.
TEST_P(every_text, of_a_picture_is_no_larger_than_its_headline) {
    for (const ViewEntry& view : view_entries()) {
        if (!has_content(*scene_, view)) continue;
        ViewStage stage(view.make(), scene_, {800, 600}, ThemeName::light);
        stage.interactive = false;
        stage.selection.chosen = default_selection(*scene_, view.name);
        stage.headless.frame(3);
        int headlines = 0;  // two lines of a title are as high, but not as wide
        ImFont* font = stage.headless.theme().fonts.headline;
        for (const DrawnText& text : stage.headless.texts()) {
            const ImVec2 large = text_size(font, text.words);
            headlines += std::abs(text.max.x - text.min.x - large.x) < 1 &&
                         std::abs(text.max.y - text.min.y - large.y) < 1;
        }
        EXPECT_LE(headlines, 1) << view.name;
        // There is no schedule of textures, which the timing model does not model.
        const bool has_schedule = scene_->timing && scene_->timing->schedule;
        if (!has_schedule &&
            (std::string_view(view.name) == "timeline" || std::string_view(view.name) == "sm"))
            continue;
        for (const std::string_view decisive : {"banks", "sectors", "map", "lanes", "tree", "grid",
                                                "occupancy", "clusters", "timeline", "sm", "atomics"})
            if (view.name == decisive) {
                EXPECT_EQ(headlines, 1) << view.name;
            }
    }
}

TEST_P(every_text, of_the_window_can_be_read_at_the_sizes_of_screens) {
    struct Screen {
        float width, height, scale;
    };
    Faults faults;
    for (const Screen& screen : {Screen{800, 600, 1}, Screen{1280, 720, 1}, Screen{1366, 768, 1},
                                 Screen{960, 1080, 1}, Screen{1920, 1080, 1}, Screen{3840, 2160, 2}}) {
        const ImVec2 size{screen.width, screen.height};
        Session session(all_kernels(), {}, {});
        Layout layout;
        Frame frame(session, layout);
        Headless ui([&](const Theme& theme) { frame.draw(theme); }, size, ThemeName::light, screen.scale);
        session.show(*scene_);
        ui.frame(4);
        for (const RelevantView& view : views_by_relevance(&*scene_, ViewPlace::centre)) {
            if (!view.has_content) continue;
            frame.open_view(view.view->name);
            ui.frame(4);
            faults.add(fmt::format("window {} {}x{}", view.view->name, size.x, size.y), ui, size);
        }
    }
    EXPECT_EQ(faults.all(), "");
}

const std::vector<std::string> sample{"transpose_tiled", "cluster_histogram", "scan_blelloch"};

const auto name_of = [](const auto& row) { return row.param; };
INSTANTIATE_TEST_SUITE_P(some, every_text, testing::ValuesIn(sample), name_of);

std::vector<std::string> all_but_the_sample() {
    std::vector<std::string> names;
    for (const auto& kernel : all_kernels())
        if (std::ranges::find(sample, kernel->name) == sample.end()) names.push_back(kernel->name);
    return names;
}
INSTANTIATE_TEST_SUITE_P(others_long, every_text, testing::ValuesIn(all_but_the_sample()), name_of);

}  // namespace
}  // namespace warplens::app
