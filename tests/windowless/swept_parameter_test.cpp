// The parameter that a first sweep goes over is the one that the kernel's lesson is about.
#include "app/pipeline/swept_parameter.h"

#include <gtest/gtest.h>

#include <map>

#include "app/pipeline/sweep.h"
#include "instrumentation/catalog/catalogue.h"
#include "tests/support/folders.h"

namespace warplens::app {
namespace {

instrumentation::KernelFile with(std::string lesson, std::vector<std::string> names) {
    instrumentation::KernelFile kernel;
    kernel.lesson = std::move(lesson);
    for (std::string& name : names) {
        instrumentation::ParameterDeclaration parameter;
        parameter.name = std::move(name);
        parameter.minimum = 1;
        parameter.maximum = 4;
        kernel.parameters.push_back(std::move(parameter));
    }
    return kernel;
}

TEST(swept_parameter, is_that_which_the_lesson_names_first) {
    EXPECT_EQ(swept_parameter(with("More loads or more warps.", {"warps", "LOADS"}))->name, "LOADS");
    EXPECT_EQ(swept_parameter(with("One warp waits.", {"rounds", "warps"}))->name, "warps");
    EXPECT_EQ(swept_parameter(with("Threads fill warps along x: the block decides.", {"W", "block_x"}))->name,
              "block_x");
    EXPECT_EQ(swept_parameter(with("The n x n scores.", {"n", "D"}))->name, "n") << "the first of equals";
    EXPECT_EQ(swept_parameter(with("A tile without padding.", {"W", "PAD"}))->name, "PAD");
    EXPECT_EQ(swept_parameter(with("Nothing is named.", {"seed"})), nullptr);
}

TEST(swept_parameter, is_one_of_neither_grid_nor_block_where_the_lesson_names_none) {
    auto kernel = with("Nothing is named.", {"n", "block", "offset"});
    kernel.grid = {"ceil_div(n, block)"};
    kernel.block = {"block"};
    EXPECT_EQ(swept_parameter(kernel)->name, "offset");
    kernel.parameters.pop_back();
    EXPECT_EQ(swept_parameter(kernel)->name, "block");
    kernel.grid = {"ceil_div(n, block_size)"};
    kernel.block = {"block_size"};
    EXPECT_EQ(swept_parameter(kernel)->name, "block") << "a part of another name is no use of it";
}

TEST(swept_parameter, says_how_rather_than_what_is_computed_where_the_lesson_names_none) {
    auto kernel = with("", {"mean", "rows", "lanes"});
    kernel.arguments = {"y", "x", "rows"};
    kernel.buffers = {{"y", "f32", "rows", "zero", "", ""}, {"x", "f32", "rows * mean", "iota", "", ""}};
    kernel.grid = {"rows * lanes / 128"};
    EXPECT_EQ(swept_parameter(kernel)->name, "lanes") << "runs of other rows or means have no best one";
    kernel.parameters.pop_back();
    EXPECT_EQ(swept_parameter(kernel)->name, "mean") << "neither grid nor block";
}

TEST(swept_parameter, is_a_block_size_rather_than_a_switch) {
    auto kernel = with("", {"VECTOR", "THREADS"});
    kernel.parameters[0].maximum = 2;
    kernel.block = {"THREADS"};
    EXPECT_EQ(swept_parameter(kernel)->name, "THREADS");
    kernel.parameters.pop_back();
    EXPECT_EQ(swept_parameter(kernel)->name, "VECTOR");
}

TEST(swept_parameter, times_decide_where_the_kernel_s_view_has_no_metric_of_its_own) {
    const SweepPlan plan = first_sweep(with("", {"THREADS"}));
    ASSERT_EQ(plan.metrics.size(), 2u);
    EXPECT_EQ(plan.metrics[0]->name, "schedule.cycles") << "steps are not an aim";
    EXPECT_EQ(plan.metrics[1]->name, "steps");
}

TEST(swept_parameter, is_a_factor_of_the_results_only_where_there_is_no_other) {
    auto kernel = with("Nothing is named.", {"a", "block"});
    kernel.block = {"block"};
    kernel.parameters[0].fallback = 2.0;
    EXPECT_EQ(swept_parameter(kernel)->name, "block");
    kernel.parameters.pop_back();
    EXPECT_EQ(swept_parameter(kernel)->name, "a");
}

TEST(swept_parameter, of_the_catalogue_s_kernels_is_their_subject) {
    const auto all = instrumentation::read_catalogue(source_folder() + "/kernels");
    ASSERT_TRUE(all) << all.error().message;
    const std::map<std::string, std::string> wanted{{"copy_strided", "stride"},
                                                    {"copy_offset", "offset"},
                                                    {"constant_broadcast", "SPREAD"},
                                                    {"latency_hiding", "warps"},
                                                    {"arithmetic_per_load", "warps"},
                                                    {"matmul_register_tiled", "V"},
                                                    {"instruction_parallelism", "ILP"},
                                                    {"matmul_tiled", "TILE"},
                                                    {"transpose_tiled", "PAD"},
                                                    {"shared_stride", "stride"},
                                                    {"fill_2d", "block_x"},
                                                    {"branch_switch", "cases"},
                                                    {"cluster_histogram", "CLUSTER"},
                                                    {"attention_tiled", "KEYS"},
                                                    {"saxpy", "block"},
                                                    {"graph_replay", "block"},
                                                    {"register_spill", "LIVE"},
                                                    {"warp_reduce", "BUTTERFLY"},
                                                    {"histogram_global", "block"}};
    for (const auto& [name, parameter] : wanted) {
        const auto kernel = instrumentation::find_kernel(*all, name);
        ASSERT_TRUE(kernel) << name;
        ASSERT_TRUE(swept_parameter(**kernel)) << name;
        EXPECT_EQ(swept_parameter(**kernel)->name, parameter) << name;
    }
    for (const auto& [name, parameter] :
         std::map<std::string, std::string>{{"child_launch", "limit"}, {"pointer_chase", "bytes"}}) {
        const SweepPlan plan = first_sweep(**instrumentation::find_kernel(*all, name));
        ASSERT_FALSE(plan.axes.empty()) << name;
        EXPECT_EQ(plan.axes.front().name, parameter) << "of the header's [sweep] of " << name;
    }
}

}  // namespace
}  // namespace warplens::app
