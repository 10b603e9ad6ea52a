// The default selection and the first named line are the most expensive ones, and Explain follows the open
// view.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/command_line/target.h"
#include "app/pipeline/machine_scene.h"
#include "app/scene/default_selection.h"
#include "app/scene/explain_cost.h"
#include "app/scene/explain_launch.h"
#include "app/scene/index_scene.h"
#include "app/scene/level_of_time.h"
#include "app/scene/line_costs.h"
#include "app/scene/machine_code.h"
#include "app/scene/site_costs.h"
#include "app/scene/step_spot.h"
#include "app/scene/time_scene.h"
#include "app/scene/view_list.h"
#include "tests/windowless/advised.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

using testing::HasSubstr;
using testing::Not;

Scene timed(const std::string& kernel, std::vector<std::string> set = {}) {
    LaunchFlags flags;
    flags.target = kernel;
    flags.set = std::move(set);
    auto scene = load_scene(flags);
    EXPECT_TRUE(scene) << scene.error().message;
    index_scene(*scene);
    scene->timing = time_scene(*scene, {}, [] { return false; });
    return std::move(*scene);
}

const Site& site_of(const Scene& scene, const Spot& spot) { return scene.trace->program.sites.at(spot.site); }

TEST(worst_selection, a_constant_load_of_many_words_goes_before_a_guard) {
    const Scene scene = timed("constant_broadcast", {"SPREAD=32"});
    const Spot spot = default_selection(scene);
    EXPECT_EQ(spot.source_line, 49u);
    ASSERT_LT(spot.access, scene.trace->accesses.size());
    EXPECT_EQ(scene.trace->accesses[spot.access].space, Space::constant);
    const auto line = costliest_line(scene, Level::ptx);
    ASSERT_TRUE(line);
    EXPECT_EQ(line->line.line, 49u);
}

TEST(worst_selection, a_cluster_view_selects_an_access_to_the_cluster) {
    const Scene scene = timed("cluster_histogram");
    const Spot spot = default_selection(scene);
    ASSERT_LT(spot.access, scene.trace->accesses.size());
    EXPECT_EQ(scene.trace->accesses[spot.access].space, Space::shared_cluster);
}

TEST(worst_selection, an_exchange_view_selects_a_shuffle) {
    const Scene scene = timed("warp_reduce");
    EXPECT_THAT(site_of(scene, default_selection(scene)).opcode, HasSubstr("shfl"));
}

TEST(worst_selection, the_dearest_line_is_found_by_its_cost) {
    for (const char* kernel : {"attention_naive", "attention_tiled"}) {
        const Scene scene = timed(kernel);
        const auto line = costliest_line(scene, Level::ptx);
        ASSERT_TRUE(line) << kernel;
        double dearest = 0;
        for (const LineCost& other : line_costs(scene, Level::ptx)) dearest = std::max(dearest, other.cost);
        EXPECT_GE(line->cost, dearest / 4) << kernel;
    }
    const auto naive = costliest_line(timed("attention_naive"), Level::ptx);
    EXPECT_NE(naive->line.line, 74u);
}

TEST(worst_selection, a_line_that_can_change_comes_first_and_is_not_said_to_cost_most) {
    const auto conflicts = costliest_line(timed("transpose_tiled", {"PAD=2"}), Level::ptx);
    ASSERT_TRUE(conflicts);
    EXPECT_EQ(conflicts->line.line, 54u)
        << "the column's load, though the wait for the global load is longer";
    EXPECT_FALSE(conflicts->costs_most);
    const auto none = costliest_line(timed("transpose_tiled", {"PAD=1"}), Level::ptx);
    ASSERT_TRUE(none);
    EXPECT_EQ(none->line.line, 46u);
    EXPECT_TRUE(none->costs_most);
}

/// The lines' costs and the timeline are of one schedule, so no line costs more slots than there are.
TEST(worst_selection, with_machine_code_a_line_costs_what_its_machine_instructions_cost) {
    for (const char* kernel : {"transpose_tiled", "matmul_tiled", "reduce_sequential", "histogram_global",
                               "warp_reduce", "attention_tiled", "matmul_warp_tiled"}) {
        Scene scene = timed(kernel);
        scene.machine = machine_code_of(*make_pipeline(), scene, [] { return false; });
        if (const std::string why = why_not_machine_level(scene); !why.empty()) GTEST_SKIP() << why;
        const analysis::ExposedCost& machine = scene.machine->timing->cost;
        const auto costs = site_costs(scene, Level::machine);
        ASSERT_TRUE(costs) << kernel;
        EXPECT_EQ(costs->level, Level::machine);
        EXPECT_EQ(site_costs(scene, Level::ptx)->level, Level::ptx);
        double all = 0, of_lines = 0;
        for (const analysis::SiteCost& site : costs->cost.sites) all += site.exposed;
        EXPECT_GE(all, 0.95 * static_cast<double>(machine.empty_slots)) << kernel;
        EXPECT_LE(all, static_cast<double>(machine.empty_slots) * (1 + 1e-9)) << kernel;
        for (const LineCost& line : line_costs(scene, Level::machine)) of_lines += line.share;
        EXPECT_LE(of_lines, 1) << kernel;
    }
}

TEST(worst_selection, a_line_that_costs_far_more_than_the_selected_one_is_named) {
    const Scene scene = timed("attention_naive");
    const SiteId selected = default_selection(scene, "sectors").site;
    const ExplainedCost wasteful = explain_cost(scene, selected, Level::ptx);
    const auto lines = line_costs(scene, Level::ptx);
    const LineCost& most = *std::ranges::max_element(lines, {}, &LineCost::cost);
    ASSERT_NE(most.line.line, scene.trace->program.sites[selected].line);
    EXPECT_EQ(wasteful.dearer_line, most.line.line);
    EXPECT_THAT(wasteful.dearer, HasSubstr(fmt::format("Line {} costs far more", most.line.line)));
    const Spot there = spot_at(scene, wasteful.dearer_site);
    EXPECT_EQ(there.source_line, most.line.line);
    const ExplainedCost dearest = explain_cost(scene, there.site, Level::ptx);
    EXPECT_EQ(dearest.dearer, "");
    EXPECT_THAT(dearest.sentence, HasSubstr("Warps of one SM waited"));
}

Scene timed_source(const std::string& buffers, const std::string& code) {
    const Kernel kernel =
        written("/*\n[kernel]\nentry = \"k\"\n[buffers]\n" + buffers +
                "[launch]\narguments = [\"out\", \"in\"]\ngrid = [\"128\"]\nblock = [\"256\"]\n*/\n" + code);
    auto scene = pipeline().run_scene({kernel, {}, "", 0, Engine::simt}, {});
    EXPECT_TRUE(scene) << scene.error().message;
    index_scene(*scene);
    scene->timing = time_scene(*scene, {}, [] { return false; });
    return std::move(*scene);
}
const std::string floats =
    "in = { type = \"f32\", length = \"1 << 20\", fill = \"iota\" }\nout = { type = \"f32\", length = \"1 << "
    "20\" }\n";
Operation selected_operation(const Scene& scene) {
    const Spot spot = default_selection(scene, "source");
    return spot.site < scene.trace->program.sites.size() ? site_of(scene, spot).operation : Operation::none;
}

TEST(worst_selection, of_a_line_the_instruction_that_wastes_sectors_goes_before_one_that_does_not) {
    WARPLENS_NEEDS_A_COMPILER();
    const auto line = [](const char* statement) {
        return timed_source(floats,
                            std::string("extern \"C\" __global__ void k(float* out, const float* in) {\n"
                                        "    const int i = blockIdx.x * 256 + threadIdx.x;\n    ") +
                                statement + "\n}\n");
    };
    EXPECT_EQ(selected_operation(line("out[i * 32] = in[i];")), Operation::store);
    EXPECT_EQ(selected_operation(line("out[i] = in[i * 32];")), Operation::load);
    EXPECT_EQ(selected_operation(line("out[i] = in[i];")), Operation::load) << "neither wastes: the dearer";
}

TEST(worst_selection, of_an_unrolled_line_an_instruction_that_wastes_sectors_is_selected) {
    WARPLENS_NEEDS_A_COMPILER();
    const Scene scene =
        timed_source(floats,
                     "extern \"C\" __global__ void k(float* out, const float* in) {\n"
                     "    const int i = blockIdx.x * 256 + threadIdx.x;\n    float sum = 0;\n"
                     "#pragma unroll\n"
                     "    for (int n = 0; n < 8; ++n) sum += in[i * 32 + n] * out[n * 32768 + i];\n"
                     "    out[i] = sum;\n}\n");
    const Spot spot = default_selection(scene, "source");
    ASSERT_LT(spot.site, scene.report->sites.size());
    const analysis::AccessTotals& access = scene.report->sites[spot.site].access;
    EXPECT_EQ(access.sectors, 32 * access.requests) << "not the load of out, which is as it should be";
}

TEST(worst_selection, of_values_is_never_a_barrier) {
    WARPLENS_NEEDS_A_COMPILER();
    const Scene scene = timed_source(floats,
                                     "extern \"C\" __global__ void k(float* out, const float* in) {\n"
                                     "    float sum = 0;\n    if (threadIdx.x < 32)\n"
                                     "        for (int n = 0; n < 400; ++n) sum = sum * 0.5f + n;\n"
                                     "    __syncthreads();\n"
                                     "    out[blockIdx.x * 256 + threadIdx.x] = sum;\n}\n");
    EXPECT_EQ(site_of(scene, default_selection(scene, "source")).kind, SiteKind::barrier);
    EXPECT_NE(site_of(scene, default_selection(scene, "values")).kind, SiteKind::barrier);
}

TEST(worst_selection, of_values_is_after_the_first_store_to_shared_memory) {
    WARPLENS_NEEDS_A_COMPILER();
    const Scene scene =
        timed_source(floats,
                     "extern \"C\" __global__ void k(float* out, const float* in) {\n"
                     "    __shared__ float tile[256];\n"
                     "    const float value = in[threadIdx.x * 32 + blockIdx.x];\n"
                     "    tile[threadIdx.x] = value;\n    __syncthreads();\n"
                     "    out[blockIdx.x * 256 + threadIdx.x] = tile[255 - threadIdx.x];\n}\n");
    const Site& dearest = site_of(scene, default_selection(scene, "source"));
    EXPECT_TRUE(dearest.space == Space::global && dearest.operation == Operation::load) << dearest.text;
    const Spot spot = default_selection(scene, "values");
    const auto step = step_of_spot(*scene.trace, spot);
    ASSERT_TRUE(step);
    const trace::WarpRecord& warp = scene.trace->warps[spot.warp_record];
    const trace::RecordedSites sites(scene.trace->program);
    const trace::WarpSteps steps(*scene.trace, sites, warp);
    bool stored = false;
    for (std::uint64_t at = 0; at < *step; ++at) {
        const Site& site = scene.trace->program.sites[steps.at(at).site];
        stored = stored || (site.space == Space::shared && site.operation == Operation::store);
    }
    EXPECT_TRUE(stored) << "step " << *step << ", line " << spot.source_line;
}

TEST(worst_selection, contended_atomics_go_before_the_loads_that_stand_behind_them) {
    WARPLENS_NEEDS_A_COMPILER();
    const Scene scene = timed_source(
        "in = { type = \"i32\", length = \"1 << 18\", fill = \"iota\" }\nout = { type = \"i32\", length = "
        "\"8\" }\n",
        "extern \"C\" __global__ void k(int* out, const int* in) {\n"
        "    for (int i = blockIdx.x * 256 + threadIdx.x; i < 1 << 18; i += 256 * 128) {\n"
        "        const int value = in[i];\n"
        "        atomicAdd(&out[value & 7], 1);\n"
        "    }\n}\n");
    const Spot spot = default_selection(scene, "source");
    ASSERT_LT(spot.site, scene.trace->program.sites.size());
    EXPECT_EQ(site_of(scene, spot).operation, Operation::atomic);
    EXPECT_EQ(explain_cost(scene, spot.site, Level::ptx).dearer, "") << "nothing costs far more";
}

TEST(worst_selection, a_problem_goes_before_what_costs_time) {
    WARPLENS_NEEDS_A_COMPILER();
    const Scene scene =
        timed_source(floats,
                     "extern \"C\" __global__ void k(float* out, const float* in) {\n"
                     "    __shared__ float row[256];\n"
                     "    row[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];\n"
                     "    out[blockIdx.x * 256 + threadIdx.x] = row[255 - threadIdx.x];\n}\n");
    ASSERT_FALSE(scene.report->problems.empty());
    for (const char* view : {"source", ""}) {
        const SiteId selected = default_selection(scene, view).site;
        EXPECT_TRUE(std::ranges::any_of(scene.report->problems, [&](const Problem& problem) {
            return problem.site == selected;
        })) << view;
    }
}

TEST(worst_selection, without_times_the_excess_decides) {
    Scene scene = timed("transpose_tiled");
    scene.timing = nullptr;
    const auto line = costliest_line(scene, Level::ptx);
    ASSERT_TRUE(line);
    EXPECT_EQ(line->line.line, 54u);
    EXPECT_FALSE(line->is_timed());
}

TEST(worst_selection, views_of_the_launch_are_explained_as_such) {
    const Scene scene = timed("transpose_tiled");
    for (const char* view : {"occupancy", "roofline", "whatif"}) {
        const auto text = explain_launch(scene, view);
        ASSERT_TRUE(text) << view;
        EXPECT_THAT(text->what, Not(HasSubstr("bank"))) << view;
        EXPECT_FALSE(text->why.empty()) << view;
    }
    EXPECT_THAT(explain_launch(scene, "occupancy")->what, HasSubstr("64 of its 64 warp slots, 100 %"));
    EXPECT_FALSE(explain_launch(scene, "banks"));
    EXPECT_FALSE(explain_launch(scene, ""));
}

TEST(worst_selection, the_question_about_data_in_l2_changes_its_knob) {
    TimingOptions question;
    question.data_in_l2 = true;
    const TimingOptions turned = with_question({}, question, true);
    EXPECT_TRUE(turned.data_in_l2);
    EXPECT_TRUE(is_turned(turned, question));
    EXPECT_FALSE(is_turned({}, question));
    EXPECT_EQ(with_question(turned, question, false), TimingOptions{});
}

}  // namespace
}  // namespace warplens::app
