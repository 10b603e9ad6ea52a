// Every view of two runs at the sizes of pictures, of one kernel's settings and of unlike kernels: no text
// covers another or is cut off.
#include <gmock/gmock.h>

#include "app/pipeline/values/step_values.h"
#include "app/scene/default_selection.h"
#include "app/scene/same_step.h"
#include "app/scene/view_relevance.h"
#include "app/session/values_task.h"
#include "tests/app/view_stage.h"
#include "tests/legibility/walk.h"

namespace warplens::app {
namespace {

using Knobs = std::map<std::string, std::string>;

struct TwoRuns {
    const char *name, *before, *after;
    Knobs before_knobs, after_knobs;
};

ValuesState values_at(const Scene& scene, const Spot& spot) {
    static const auto pipeline = make_pipeline();
    const auto read = [](const Scene& of, const ValuesQuestion& question,
                         const std::function<bool()>& cancelled) {
        return values_of_scene(*pipeline, of, question, cancelled);
    };
    return read_values(read, scene, question_of_spot(*scene.trace, spot), [] { return false; });
}

class text_of_two_runs : public testing::TestWithParam<TwoRuns> {};

TEST_P(text_of_two_runs, can_be_read_at_the_sizes_of_pictures) {
    const auto before = scene_of(GetParam().before, GetParam().before_knobs),
               after = scene_of(GetParam().after, GetParam().after_knobs);
    ASSERT_TRUE(before && after);
    after->generation = before->generation + 1;
    Faults faults;
    for (const ViewEntry& view : view_entries()) {
        if (!has_content(*after, view)) continue;
        ValuesState values, old_values;
        for (const ImVec2 size : {ImVec2(800, 600), ImVec2(1280, 720), ImVec2(1600, 1000)}) {
            ViewStage stage(view.make(), after, size, ThemeName::light);
            stage.interactive = false;
            stage.baseline = before;
            stage.selection.chosen = default_selection(*after, view.name);
            if (view.extra == ViewExtra::values && !values.found) {
                values = values_at(*after, stage.selection.chosen);
                if (const auto same = same_step(*after, stage.selection.chosen, *before))
                    old_values = values_at(*before, *same);
            }
            stage.values = &values;
            stage.baseline_values = &old_values;
            stage.headless.frame(3);
            faults.add(fmt::format("{} {}x{}", view.name, size.x, size.y), stage.headless, size, true);
        }
    }
    EXPECT_EQ(faults.all(), "");
}

/// Panes of the window, where a person can scroll.
TEST_P(text_of_two_runs, can_be_read_in_panes) {
    const auto before = scene_of(GetParam().before, GetParam().before_knobs),
               after = scene_of(GetParam().after, GetParam().after_knobs);
    ASSERT_TRUE(before && after);
    after->generation = before->generation + 1;
    Faults faults;
    for (const ViewEntry& view : view_entries()) {
        if (!has_content(*after, view)) continue;
        ValuesState values, old_values;
        if (view.extra == ViewExtra::values) {
            const Spot spot = default_selection(*after, view.name);
            values = values_at(*after, spot);
            if (const auto same = same_step(*after, spot, *before)) old_values = values_at(*before, *same);
        }
        for (const ImVec2 size : {ImVec2(560, 330), ImVec2(740, 330), ImVec2(980, 620)}) {
            ViewStage stage(view.make(), after, size, ThemeName::dark);
            stage.baseline = before;
            stage.selection.chosen = default_selection(*after, view.name);
            stage.values = &values;
            stage.baseline_values = &old_values;
            stage.headless.frame(3);
            faults.add(fmt::format("{} {}x{}", view.name, size.x, size.y), stage.headless, size);
        }
    }
    EXPECT_EQ(faults.all(), "");
}

const auto name_of_pair = [](const auto& row) { return std::string(row.param.name); };
INSTANTIATE_TEST_SUITE_P(
    pairs, text_of_two_runs,
    testing::Values(TwoRuns{"settings", "transpose_tiled", "transpose_tiled", {{"PAD", "0"}}, {{"PAD", "1"}}},
                    TwoRuns{"streams", "streams_pipeline", "graph_replay", {}, {}},
                    TwoRuns{
                        "launches", "child_launch", "child_launch", {{"limit", "512"}}, {{"limit", "256"}}}),
    name_of_pair);
INSTANTIATE_TEST_SUITE_P(
    others_long, text_of_two_runs,
    testing::Values(TwoRuns{"kernels", "matmul_naive", "matmul_tiled", {{"N", "64"}}, {}},
                    TwoRuns{"trees", "reduce_sequential", "warp_reduce", {}, {}},
                    TwoRuns{"unlike", "pointer_chase", "scan_blelloch", {}, {}},
                    TwoRuns{"printed", "print_lanes", "print_lanes", {{"every", "4"}}, {{"every", "2"}}},
                    TwoRuns{"layouts", "aos_read", "soa_read", {}, {}}),
    name_of_pair);

}  // namespace
}  // namespace warplens::app
