// Views whose counts are the machine code's: what they say then, and what is selected in them for the others.
#include <gmock/gmock.h>

#include "analysis/report/source_map.h"
#include "app/pipeline/machine_scene.h"
#include "app/pipeline/pipeline.h"
#include "app/scene/default_selection.h"
#include "app/scene/explain_branch.h"
#include "app/scene/level_of_time.h"
#include "app/scene/machine_code.h"
#include "app/scene/scene_facts.h"
#include "app/ui/number.h"
#include "tests/app/catalogue_stage.h"

namespace warplens::app {

std::unique_ptr<View> make_banks_view();
std::unique_ptr<View> make_lanes_view();
std::unique_ptr<View> make_sectors_view();
std::unique_ptr<View> make_source_view();
std::unique_ptr<View> make_grid_view();
std::unique_ptr<View> make_map_view();
std::unique_ptr<View> make_explain_view();
std::unique_ptr<View> make_atomics_view();
std::unique_ptr<View> make_clusters_view();

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Machine code of the catalogue comes with the program.
std::shared_ptr<const Scene> with_machine_code(const std::string& kernel,
                                               const std::map<std::string, std::string>& knobs = {}) {
    Scene scene = *timed_kernel(kernel, knobs);
    scene.machine = machine_code_of(*make_pipeline(), scene, [] { return false; });
    EXPECT_EQ(scene.machine->absent + scene.machine->stopped, "") << kernel;
    return std::make_shared<const Scene>(std::move(scene));
}

SiteId merged_load(const Scene& scene) {
    for (const analysis::MergedAccess& merged : scene.machine->merged)
        if (scene.machine->program.sites[merged.machine].opcode == "LDS.128") return merged.machine;
    return no_index;
}

/// Of the PTX's trace, the n-th access by one of the sites.
std::uint64_t nth_of(const trace::Trace& trace, const std::vector<SiteId>& sites, std::size_t nth) {
    for (std::uint64_t at = 0; at < trace.accesses.size(); ++at)
        if (std::ranges::find(sites, trace.accesses[at].site) != sites.end() && nth-- == 0) return at;
    return no_access;
}

TEST(counts_at_machine_level, every_view_of_counts_says_whose_they_are) {
    const struct {
        std::unique_ptr<View> (*make)();
        const char* kernel;
    } cases[] = {{make_banks_view, "matmul_tiled"},  {make_sectors_view, "matmul_tiled"},
                 {make_lanes_view, "matmul_tiled"},  {make_grid_view, "matmul_tiled"},
                 {make_map_view, "matmul_tiled"},    {make_explain_view, "matmul_tiled"},
                 {make_source_view, "matmul_tiled"}, {make_atomics_view, "histogram_shared"}};
    std::map<std::string, std::shared_ptr<const Scene>> scenes;
    for (const auto& [make, kernel] : cases) {
        auto& scene = scenes[kernel];
        if (!scene) scene = with_machine_code(kernel);
        ViewStage stage(make(), scene, {1400, 900});
        stage.interactive = false;
        EXPECT_THAT(drawn_words(stage), HasSubstr("PTX level"));
        stage.counts = Level::machine;
        EXPECT_THAT(drawn_words(stage), HasSubstr("machine level"));
        EXPECT_THAT(drawn_words(stage), Not(HasSubstr("PTX level")));
        stage.counts = Level::ptx;
        EXPECT_THAT(drawn_words(stage), HasSubstr("PTX level")) << "nothing of the other level is left";
    }
}

TEST(counts_at_machine_level, loads_that_the_assembler_merged_are_one_request) {
    const auto scene = with_machine_code("matmul_tiled");
    const SiteId wide = merged_load(*scene);
    ASSERT_NE(wide, no_index);
    const auto merged = std::ranges::find(scene->machine->merged, wide, &analysis::MergedAccess::machine);
    ViewStage stage(make_banks_view(), scene, {1400, 900});
    stage.counts = Level::machine;
    const std::uint64_t chosen = nth_of(*scene->trace, merged->ptx, 2);
    ASSERT_NE(chosen, no_access);
    stage.selection.chosen.access = chosen;
    stage.selection.chosen.site = scene->trace->accesses[chosen].site;
    stage.selection.chosen.warp_record = 0;
    EXPECT_THAT(drawn_words(stage), HasSubstr("1 LDS.128."));
    EXPECT_EQ(stage.selection.chosen.access, chosen) << "who only looks selects nothing";
}

TEST(counts_at_machine_level, what_is_selected_there_is_the_ptx_request_elsewhere) {
    const auto scene = with_machine_code("transpose_tiled");
    ViewStage stage(make_banks_view(), scene, {1400, 900});
    stage.counts = Level::machine;
    stage.headless.frame(2);
    const auto next = stage.headless.find("banks warp next");
    ASSERT_TRUE(next);
    stage.headless.click_at({(next->min.x + next->max.x) / 2, (next->min.y + next->max.y) / 2});
    stage.headless.frame(2);
    const Spot& chosen = stage.selection.chosen;
    ASSERT_LT(chosen.access, scene->trace->accesses.size());
    EXPECT_EQ(scene->trace->accesses[chosen.access].site, chosen.site);
    EXPECT_EQ(scene->trace->program.sites[chosen.site].space, Space::shared);
    EXPECT_EQ(chosen.warp_record, 1u);
}

TEST(counts_at_machine_level, branches_that_became_predicates_do_not_diverge) {
    const auto scene = with_machine_code("reduce_interleaved");
    ViewStage stage(make_lanes_view(), scene, {1400, 900});
    EXPECT_THAT(drawn_words(stage), Not(HasSubstr("no divergence")));
    EXPECT_THAT(drawn_words(stage), Not(HasSubstr("predicate")));
    stage.counts = Level::machine;
    EXPECT_THAT(drawn_words(stage), AllOf(HasSubstr("no divergence"), HasSubstr("with their predicate on"),
                                          HasSubstr("predicate off: goes along")));
}

// Which of its own accesses a block makes through the cluster is not in machine code.
TEST(counts_at_machine_level, clusters_of_machine_code_speak_of_accesses_to_others_alone) {
    const auto scene = with_machine_code("cluster_histogram");
    ViewStage stage(make_clusters_view(), scene, {1400, 900});
    stage.interactive = false;
    stage.counts = Level::machine;
    EXPECT_THAT(drawn_words(stage), AllOf(HasSubstr("PTX level"), HasSubstr("% of them to another block")));
    stage.scene = at_machine_level(*scene);
    EXPECT_THAT(drawn_words(stage),
                AllOf(HasSubstr("machine level"), HasSubstr("to other blocks' shared memory"),
                      Not(HasSubstr("of them to another block"))));
}

TEST(counts_at_machine_level, the_lines_of_the_source_have_the_lanes_whose_predicate_is_on) {
    const auto scene = with_machine_code("reduce_interleaved");
    const auto lanes_of = [](const Scene& run, std::uint32_t line) {
        for (const analysis::LineHeat& heat : analysis::source_lines(*run.report, run.trace->program))
            if (heat.line == line) return heat.mean_executed_lanes();
        return 0.0;
    };
    const auto machine = at_machine_level(*scene, Level::machine);
    constexpr std::uint32_t addition = 48;  // under an `if` of which the assembler makes predicates
    const std::string at_ptx = decimal(lanes_of(*scene, addition)),
                      at_machine = decimal(lanes_of(*machine, addition));
    EXPECT_LT(lanes_of(*machine, addition), 16);
    ASSERT_NE(at_ptx, at_machine) << "the test needs a line whose counts differ";
    ViewStage stage(make_source_view(), scene, {1400, 900});
    stage.interactive = false;
    stage.selection.wanted_code = ShownCode{true, false, false};
    EXPECT_THAT(drawn_words(stage), AllOf(HasSubstr(at_ptx), Not(HasSubstr(at_machine))));
    stage.counts = Level::machine;
    EXPECT_THAT(drawn_words(stage), AllOf(HasSubstr(at_machine), Not(HasSubstr(at_ptx))));
}

TEST(counts_at_machine_level, two_runs_are_counted_at_one_level) {
    const auto tiles = with_machine_code("matmul_tiled", {{"TILE", "8"}});
    const auto before = with_machine_code("matmul_tiled");
    ViewStage stage(make_banks_view(), tiles, {1400, 900});
    stage.counts = Level::machine;
    stage.baseline = before;
    stage.interactive = false;
    EXPECT_THAT(drawn_words(stage), HasSubstr("machine level"));
    auto without = std::make_shared<Scene>(*before);
    without->machine = nullptr;
    stage.baseline = without;
    EXPECT_THAT(drawn_words(stage), HasSubstr("PTX level")) << "the baseline has no other";
}

TEST(counts_at_machine_level, facts_are_the_machine_codes_report) {
    const auto scene = with_machine_code("matmul_tiled");
    const auto steps = [&](Level counts) {
        const auto facts = facts_of(*scene, Level::machine, counts);
        const analysis::MetricFact& fact = facts.fact(*analysis::find_metric("steps"));
        EXPECT_EQ(fact.level, counts);
        return fact.value;
    };
    EXPECT_EQ(steps(Level::ptx), static_cast<double>(scene->report->steps));
    EXPECT_EQ(steps(Level::machine), static_cast<double>(scene->machine->report->steps));
    EXPECT_NE(steps(Level::ptx), steps(Level::machine));
}

TEST(counts_at_machine_level, a_comparison_has_the_rooflines_of_its_level) {
    // Of mandelbrot's operations the assembler makes others.
    const auto scene = with_machine_code("mandelbrot", {{"W", "64"}, {"H", "32"}});
    const auto operations = [&](Level counts) {
        const auto facts = facts_of(*scene, Level::machine, counts);
        return facts.fact(*analysis::find_metric("roofline.flops")).value;
    };
    ASSERT_TRUE(operations(Level::ptx));
    EXPECT_EQ(operations(Level::ptx), scene->timing->roofline.flops);
    EXPECT_GT(operations(Level::machine), operations(Level::ptx));
}

/// The divergent branch of the scene's PTX with most executions.
Spot divergent_branch_of(const Scene& scene) {
    const auto most =
        std::ranges::max_element(scene.report->sites, {}, &analysis::SiteReport::branches_divergent);
    EXPECT_GT(most->branches_divergent, 0u);
    return spot_at(scene, most->site);
}

TEST(counts_at_machine_level, explain_does_not_say_that_a_predicated_branch_divides_a_warp) {
    const auto scene = with_machine_code("reduce_interleaved");
    ViewStage stage(make_explain_view(), scene, {1400, 900});
    stage.selection.chosen = divergent_branch_of(*scene);
    EXPECT_THAT(drawn_words(stage), AllOf(HasSubstr("in machine code it is not a branch"),
                                          HasSubstr("No warp executes two paths here"),
                                          Not(HasSubstr("executes the two paths one after another"))));
    stage.counts = Level::machine;
    EXPECT_THAT(drawn_words(stage), AllOf(Not(HasSubstr("Click a line")), HasSubstr("of the cycles are for")))
        << "the line's instructions stand for its branch";
}

TEST(counts_at_machine_level, explain_keeps_what_it_says_of_a_real_branch) {
    const auto scene = with_machine_code("branch_heavy");
    ViewStage stage(make_explain_view(), scene, {1400, 900});
    stage.selection.chosen = divergent_branch_of(*scene);
    EXPECT_THAT(drawn_words(stage), AllOf(HasSubstr("executes the two paths one after another"),
                                          Not(HasSubstr("it is not a branch"))));
}

TEST(counts_at_machine_level, an_early_return_is_a_guarded_exit) {
    const auto scene = with_machine_code("saxpy", {{"n", "1000"}});
    const auto branch = branch_in_machine_code(*scene, divergent_branch_of(*scene).site);
    ASSERT_TRUE(branch);
    EXPECT_THAT(branch->what, HasSubstr("guarded `EXIT`"));
    const auto full = with_machine_code("saxpy", {{"n", "1024"}});
    for (const analysis::SiteReport& site : full->report->sites)
        EXPECT_FALSE(branch_in_machine_code(*full, site.site)) << "all lanes of each warp agree";
}

}  // namespace
}  // namespace warplens::app
