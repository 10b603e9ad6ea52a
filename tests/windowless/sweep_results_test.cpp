// A sweep marks a best time only among settings that compute the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "app/pipeline/engine_sweep.h"
#include "app/pipeline/sweep_comparison.h"
#include "tests/windowless/advised.h"

namespace warplens::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Sweep sweep_over(const Kernel& kernel, const SweepAxis& axis) {
    SweepRequest request{kernel, {}, "", {}};
    request.plan.axes = {axis};
    request.plan.metrics = {analysis::find_metric("schedule.cycles")};
    const std::shared_ptr<Pipeline> shared(&pipeline(), [](Pipeline*) {});
    auto sweep = sweep_on_engine(shared)(request, {});
    EXPECT_TRUE(sweep) << sweep.error().message;
    return sweep ? std::move(*sweep) : Sweep{};
}

/// The engine asks a run whether it is cancelled.
TEST(sweep_results, what_the_points_are_compared_with_is_run_with_the_first) {
    const Kernel kernel = catalogued("saxpy");
    const std::shared_ptr<Pipeline> shared(&pipeline(), [](Pipeline*) {});
    SweepPlan plan;
    plan.axes = {{"n", {"256", "512"}}};
    const auto request = [&](const std::vector<std::string>& at) -> Result<LaunchRequest> {
        return LaunchRequest{kernel, {{"n", at[0]}}, ""};
    };
    auto loaded = shared->load(*request({"256"}));
    ASSERT_TRUE(loaded);
    const auto executed = shared->execute(std::move(*loaded), {});
    ASSERT_TRUE(executed);
    std::atomic<int> asked = 0;
    const auto difference = difference_of_points(shared, plan, request, [&] {
        ++asked;
        return false;
    });
    EXPECT_EQ(difference({"256"}, {.threads = 1, .level_of_times = {}}, *executed->report), "");
    EXPECT_GT(asked, 0) << "the workers that come next count its memory";
}

constexpr const char* work = "WORK = { default = 1, values = [1, 64], macro = true }";
const SweepAxis over_work{"WORK", {"1", "64"}};

TEST(sweep_results, a_macro_that_changes_the_results_has_no_best_time) {
    WARPLENS_NEEDS_A_COMPILER();
    const Sweep sweep = sweep_over(with_knob(work, R"(
    float value = in[base + y * 32 + x];
    for (int i = 0; i < WORK; ++i) value = value * 0.5f + 1.0f;
    out[base + y * 32 + x] = value;
)"),
                                   over_work);
    EXPECT_THAT(remarks_of(sweep),
                ElementsAre(HasSubstr(
                    "compute different things: `out` is not the same at `WORK 1` as at `WORK 64`")));
    EXPECT_THAT(sweep.best[0], IsEmpty());
}

TEST(sweep_results, a_macro_that_only_changes_how_has_a_best_time) {
    WARPLENS_NEEDS_A_COMPILER();
    const Sweep sweep = sweep_over(with_knob(work, R"(
    __shared__ float tile[1024];
    tile[y * 32 + x] = in[base + y * 32 + x];
    __syncthreads();
    volatile float* of = tile;
    float value = 0;
    for (int i = 0; i < WORK; ++i) value = of[y * 32 + x];
    out[base + y * 32 + x] = value;
)"),
                                   over_work);
    EXPECT_THAT(remarks_of(sweep), IsEmpty());
    EXPECT_THAT(sweep.best[0], ElementsAre(0u));
}

/// All inputs are 0: any two settings leave zeros.
TEST(sweep_results, equal_zeros_are_no_equal_results) {
    WARPLENS_NEEDS_A_COMPILER();
    const Kernel kernel = written(R"(/*
[kernel]
title = "Zeros"
subject = "Tests"
lesson = "."
views = ["source"]
[parameters]
WORK = { default = 1, values = [1, 64], macro = true }
[buffers]
in  = { type = "f32", length = "1024", fill = "zero" }
out = { type = "f32", length = "1024", fill = "zero" }
[launch]
arguments = ["in", "out"]
grid  = ["4"]
block = ["256"]
*/
extern "C" __global__ void fresh(const float* in, float* out) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    float value = in[i];
    for (int k = 0; k < WORK; ++k) value *= 0.5f + in[(i + k) % 1024];
    out[i] = value;
}
)");
    EXPECT_THAT(remarks_of(sweep_over(kernel, over_work)), ElementsAre(HasSubstr("`out` is not the same")));
}

/// The last terms are too small for the tolerance of sums in another order.
TEST(advice, fewer_terms_of_a_series_are_not_offered) {
    WARPLENS_NEEDS_A_COMPILER();
    const Kernel series = with_knob("TERMS = { default = 40, values = [8, 40], macro = true }", R"(
    const float v = in[base + y * 32 + x] / 16384;
    float sum = 0, power = 1;
    for (int k = 1; k <= TERMS; ++k) { sum += power; power *= v / k; }
    out[base + y * 32 + x] = sum;
)");
    const Advice advice = advice_for(series);
    EXPECT_FALSE(find_change(advice, "TERMS")) << advice_text(advice);
    EXPECT_THAT(remarks_of(sweep_over(series, {"TERMS", {"8", "40"}})),
                ElementsAre(HasSubstr("Whether `TERMS 8` computes the same as `TERMS 40` is not known")));
}

/// Each row is summed by 1 or 32 lanes: a few more additions, in another order.
TEST(sweep_results, sums_in_another_order_are_the_same_results) {
    WARPLENS_NEEDS_A_COMPILER();
    const Sweep sweep = sweep_over(with_knob("LANES = { default = 1, values = [1, 32], macro = true }", R"(
    float sum = 0;
    for (int k = x % LANES; k < 32; k += LANES) sum += in[base + y * 32 + k] * 0.37f;
    for (int d = LANES / 2; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    if (x == 0) out[base + y] = sum;
)"),
                                   {"LANES", {"1", "32"}});
    EXPECT_THAT(remarks_of(sweep), IsEmpty());
}

/// With random integers in all buffers nothing is to be done: only its own contents show the difference.
TEST(advice, a_change_must_compute_the_same_with_the_kernel_s_own_contents_as_well) {
    WARPLENS_NEEDS_A_COMPILER();
    const Kernel search = written(R"(/*
[kernel]
title = "One level of a search"
subject = "Tests"
lesson = "."
views = ["source"]
[parameters]
SKIP = { default = 1, values = [1, 2], macro = true }
[buffers]
edges = { type = "i32", length = "4096 * 16", fill = "zero" }
level = { type = "i32", length = "4096", fill = "zero" }
next  = { type = "i32", length = "4096", fill = "zero" }
[launch]
arguments = ["edges", "level", "next"]
grid  = ["32"]
block = ["128"]
*/
extern "C" __global__ void fresh(const int* edges, const int* level, int* next) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (level[v] != 0) return;
    for (int k = 0; k < 16; k += SKIP) {
        const int w = edges[v * 16 + k];
        if (w >= 0 && w < 4096) atomicAdd(&next[w], 1);
    }
}
)");
    EXPECT_FALSE(find_change(advice_for(search), "SKIP"));
    EXPECT_THAT(remarks_of(sweep_over(search, {"SKIP", {"1", "2"}})),
                ElementsAre(HasSubstr("`next` is not the same")));
}

TEST(sweep_results, of_a_kernel_that_launches_kernels_says_what_its_times_leave_out) {
    const Sweep sweep = sweep_over(catalogued("child_launch"), {"limit", {"0", "512", "1024"}});
    EXPECT_THAT(sweep.best[0], IsEmpty()) << "the child grids do different work";
    ASSERT_FALSE(remarks_of(sweep).empty());
    EXPECT_THAT(remarks_of(sweep).front(), HasSubstr("So there is no best."));
    EXPECT_THAT(remarks_of(sweep).back(), HasSubstr("leave out the grids that the kernel launches"));
}

TEST(sweep_results, advice_of_a_kernel_that_launches_kernels_says_the_same_and_offers_no_moved_work) {
    const Advice advice = advice_for(catalogued("child_launch"));
    EXPECT_THAT(advice_text(advice), HasSubstr("leave out the grids that the kernel launches"));
    EXPECT_FALSE(find_change(advice, "limit")) << advice_text(advice);
    RunFigures now, after;
    now.cycles = 1000;
    after.cycles = 500;
    EXPECT_TRUE(improves(now, after));
    after.below.steps = 5000;
    EXPECT_FALSE(improves(now, after)) << "the time of what moved is not known";
}

TriedChange setting(const char* value, double cycles) {
    TriedChange tried;
    tried.change.parameter = "block";
    tried.change.value = value;
    tried.after.cycles = cycles;
    return tried;
}

TEST(advice, names_the_settings_that_are_as_good_as_the_one_it_offers) {
    std::vector<TriedChange> helpful{setting("256", 1000), setting("512", 1030), setting("1024", 1200)};
    sort_by_help(helpful);
    keep_one_of_each(helpful);
    ASSERT_EQ(helpful.size(), 1u);
    EXPECT_EQ(helpful[0].effect_words(), "block 512 is as good");
}

}  // namespace
}  // namespace warplens::app
