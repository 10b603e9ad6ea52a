// Every kernel of the catalogue through the timing model: each schedule is consistent, and better hardware
// never makes a launch slower.
#include <gtest/gtest.h>

#include "app/command_line/target.h"
#include "app/pipeline/pipeline.h"
#include "app/scene/time_scene.h"
#include "catalogue_kernels.h"
#include "simt/timing/timing_model.h"

namespace warplens::app {
namespace {

/// All but those that use textures or surfaces, whose units the model does not know.
CatalogueKernels timed_kernels() {
    return catalogue_kernels([](const auto& kernel) { return kernel.images.empty(); });
}

Pipeline& schedule_pipeline() {
    static const auto one = make_pipeline();
    return *one;
}

class every_schedule : public testing::TestWithParam<CatalogueKernels::value_type> {};

TEST_P(every_schedule, keeps_its_promises_and_closes_its_sums) {
    RunRequest request;
    request.kernel = GetParam();
    auto scene = schedule_pipeline().run_scene(request, [] { return false; });
    ASSERT_TRUE(scene) << scene.error().message;
    const auto schedule = simt::schedule(*scene->trace, *scene->gpu);
    ASSERT_TRUE(schedule) << schedule.error().message;
    EXPECT_EQ(trace::check(*schedule), "");
    EXPECT_GT(schedule->totals.issued, 0u);
    EXPECT_GE(schedule->launch.cycles, schedule->launch.sm_cycles);
    for (const std::string& note : schedule->notes)
        EXPECT_EQ(note.find("barriers were forced open"), std::string::npos) << note;
}

TEST_P(every_schedule, is_the_same_every_time) {
    RunRequest request;
    request.kernel = GetParam();
    request.block_limit = 4;
    auto scene = schedule_pipeline().run_scene(request, [] { return false; });
    ASSERT_TRUE(scene) << scene.error().message;
    const auto once = simt::schedule(*scene->trace, *scene->gpu);
    const auto again = simt::schedule(*scene->trace, *scene->gpu);
    ASSERT_TRUE(once && again);
    EXPECT_EQ(once->totals, again->totals);
    EXPECT_TRUE(once->spans == again->spans);
    EXPECT_TRUE(once->flights == again->flights);
}

TEST_P(every_schedule, needs_no_more_time_on_a_better_memory) {
    RunRequest request;
    request.kernel = GetParam();
    auto scene = schedule_pipeline().run_scene(request, [] { return false; });
    ASSERT_TRUE(scene) << scene.error().message;
    simt::TimingRequest plain, better, neighbours;
    plain.keep_spans = better.keep_spans = neighbours.keep_spans = false;
    better.options.no_bank_conflicts = better.options.data_in_l2 = true;
    neighbours.options.perfect_coalescing = true;
    const auto as_it_is = simt::schedule(*scene->trace, *scene->gpu, plain);
    const auto ideal = simt::schedule(*scene->trace, *scene->gpu, better);
    const auto other_program = simt::schedule(*scene->trace, *scene->gpu, neighbours);
    ASSERT_TRUE(as_it_is && ideal && other_program);
    // Neighbouring lanes are another program: it moves no more, and may wait more often where it had hits.
    EXPECT_LE(other_program->launch.l2_bytes, as_it_is->launch.l2_bytes * 1.03);
    // Warps that arrive in another order can cost a little elsewhere; a real gain never turns into a loss.
    EXPECT_LE(ideal->launch.cycles, as_it_is->launch.cycles * 1.03);
}

TEST(schedule_of_textures, is_refused_with_a_sentence_in_every_kernel_that_uses_them) {
    auto all = catalogue();
    ASSERT_TRUE(all) << all.error().message;
    int refused = 0;
    for (const auto& kernel : *all) {
        if (kernel.images.empty()) continue;
        RunRequest request;
        request.kernel = std::make_shared<instrumentation::KernelFile>(kernel);
        auto scene = schedule_pipeline().run_scene(request, [] { return false; });
        ASSERT_TRUE(scene) << scene.error().message;
        const auto timing = time_scene(*scene, {}, [] { return false; });
        EXPECT_FALSE(timing->schedule);
        EXPECT_EQ(
            timing->absent,
            "the kernel reads or writes textures or surfaces, whose units the timing model does not model");
        EXPECT_TRUE(timing->roofline.without_images);
        ++refused;
    }
    EXPECT_GT(refused, 0);
}

INSTANTIATE_TEST_SUITE_P(catalogue, every_schedule, testing::ValuesIn(every(2, timed_kernels())),
                         [](const auto& info) { return info.param->name; });
INSTANTIATE_TEST_SUITE_P(others_long, every_schedule, testing::ValuesIn(all_but_every(2, timed_kernels())),
                         [](const auto& info) { return info.param->name; });

}  // namespace
}  // namespace warplens::app
