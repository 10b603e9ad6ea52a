// The views Tree, Hierarchy and Pipeline on kernels of the catalogue: their findings, and that no text covers
// another or leaves the view at any size.
#include <gmock/gmock.h>

#include "analysis/warps/combine_tree.h"
#include "app/pipeline/machine_scene.h"
#include "app/pipeline/pipeline.h"
#include "app/scene/copy_pipeline.h"
#include "app/scene/level_of_time.h"
#include "app/scene/machine_code.h"
#include "app/scene/memory_levels.h"
#include "tests/app/catalogue_stage.h"

namespace warplens::app {

std::unique_ptr<View> make_tree_view();
std::unique_ptr<View> make_hierarchy_view();
std::unique_ptr<View> make_pipeline_view();

namespace {

using testing::HasSubstr;
using trace::ServedBy;

struct LegibleCase {
    std::unique_ptr<View> (*make)();
    const char* kernel;
    std::map<std::string, std::string> knobs;
};

TEST(memory_pictures, no_text_covers_another_or_is_cut_off) {
    const LegibleCase cases[] = {{make_tree_view, "reduce_sequential", {}},
                                 {make_tree_view, "scan_blelloch", {{"block", "32"}}},
                                 {make_tree_view, "warp_reduce", {}},
                                 {make_tree_view, "saxpy", {}},
                                 {make_hierarchy_view, "matmul_tiled", {}},
                                 {make_hierarchy_view, "pointer_chase", {}},
                                 {make_pipeline_view, "matmul_double_buffered", {}},
                                 {make_pipeline_view, "vector_add", {}}};
    for (const LegibleCase& one : cases) {
        const auto scene = timed_kernel(one.kernel, one.knobs);
        for (const ImVec2 size : {ImVec2{800, 600}, {1000, 700}, {1600, 1000}, {2400, 1400}}) {
            SCOPED_TRACE(std::string(one.kernel) + " at " + std::to_string(static_cast<int>(size.x)));
            ViewStage stage(one.make(), scene, size);
            stage.interactive = false;
            stage.headless.frame(2);
            expect_legible(stage, size);
        }
    }
}

TEST(memory_pictures, a_low_tree_at_twice_the_size_keeps_its_rows_legend_and_last_line) {
    const auto scene = timed_kernel("scan_blelloch", {{"block", "32"}});
    ViewStage stage(make_tree_view(), scene, {800, 540}, ThemeName::light, 2);
    stage.interactive = false;
    stage.headless.frame(2);
    expect_legible(stage, {800, 540});
    EXPECT_TRUE(stage.headless.shows("executed again"));
    EXPECT_TRUE(stage.headless.shows("down-sweep 6")) << "the last row";
}

TEST(memory_pictures, the_tree_states_rounds_and_waste_and_follows_a_value_back) {
    ViewStage stage(make_tree_view(), timed_kernel("warp_reduce", {}));
    const std::string words = drawn_words(stage);
    EXPECT_THAT(words, HasSubstr("32 values become one sum in 5 rounds"));
    EXPECT_THAT(words, HasSubstr("31 of them reach the result"));
    EXPECT_THAT(words, HasSubstr("tree 1 of 4"));
    ASSERT_TRUE(stage.headless.click("tree next"));
    EXPECT_THAT(drawn_words(stage), HasSubstr("tree 2 of 4"));
    // The lowest row's leftmost cell: the sum of all.
    ASSERT_NE(stage.headless.find("tree rows"), nullptr);
    const HitBox rows = *stage.headless.find("tree rows");
    bool followed = false;
    for (float x = rows.min.x; x < rows.max.x && !followed; x += 7)
        for (float y = rows.max.y - 6; y > rows.max.y - 30 && !followed; y -= 6) {
            stage.headless.move_mouse({x, y});
            stage.headless.frame(2);
            followed = stage.headless.shows("followed back to 32 values");
        }
    EXPECT_TRUE(followed) << drawn_words(stage);
}

TEST(memory_pictures, a_kernel_without_a_tree_says_so) {
    ViewStage stage(make_tree_view(), timed_kernel("saxpy", {}));
    EXPECT_THAT(drawn_words(stage), HasSubstr("combines no values across threads"));
}

TEST(memory_pictures, the_levels_count_every_load_once_and_bytes_fall_from_level_to_level) {
    const auto scene = timed_kernel("matmul_tiled", {});
    const MemoryLevels& levels = *scene->timing->levels;
    std::uint64_t loads = 0;
    for (const trace::Flight& flight : scene->timing->schedule->flights) {
        const Site& site = scene->trace->program.sites[flight.site()];
        loads += site.kind == SiteKind::memory && site.operation != Operation::store &&
                         flight.served_by() != ServedBy::shared && flight.served_by() != ServedBy::constant
                     ? 1
                     : 0;
    }
    EXPECT_EQ(levels.global_loads(), loads);
    EXPECT_GT(loads, 0u);
    EXPECT_GE(levels.requested_bytes, levels.used_bytes);
    EXPECT_GE(levels.requested_bytes, levels.l2_bytes * 0.999);
    EXPECT_GT(levels.shared_bytes, levels.requested_bytes);
    EXPECT_EQ(levels.dram_bytes, scene->timing->schedule->launch.dram_bytes);
    // The SMs share A and B: what each of them reads of both adds up to both.
    EXPECT_NEAR(levels.dram_bytes, scene->timing->roofline.dram_read_bytes_ideal, 1);
    const double rates = levels.hit_rate(ServedBy::l1);
    EXPECT_GE(rates, 0);
    EXPECT_LE(rates, 1);
    EXPECT_GE(levels[ServedBy::dram].mean_cycles, levels[ServedBy::dram].latency * 0.9);
}

TEST(memory_pictures, a_level_states_its_bytes_beside_the_loads_that_wait_for_it) {
    const auto scene = timed_kernel("matmul_tiled", {});
    const MemoryLevels& levels = *scene->timing->levels;
    double all = 0;
    for (const ServedBy by : {ServedBy::l1, ServedBy::l2, ServedBy::dram}) all += levels.share_of_bytes(by);
    EXPECT_NEAR(all, 1, 1e-9) << "each byte is of one level";
    EXPECT_DOUBLE_EQ(levels.share_of_bytes(ServedBy::dram), levels.dram_bytes / levels.requested_bytes);
    MemoryLevels pieces;
    pieces.requested_bytes = 100;
    pieces.l2_bytes = 32;
    pieces.dram_bytes = 64;
    EXPECT_DOUBLE_EQ(pieces.share_of_bytes(ServedBy::dram), 0.32)
        << "what the SMs did not ask for is not a share";
    EXPECT_DOUBLE_EQ(pieces.share_of_bytes(ServedBy::l2), 0);
    ViewStage stage(find_view("hierarchy")->make(), scene, {1280, 720});
    stage.interactive = false;
    const std::string words = drawn_words(stage);
    EXPECT_NE(words.find("of the bytes, the slowest byte of"), std::string::npos) << words;
    EXPECT_EQ(words.find("serves"), std::string::npos);
}

/// The title names what threads read and write, and what moves between two levels each, of any kernel.
TEST(memory_pictures, the_title_of_the_hierarchy_names_the_bytes_of_each_level) {
    const auto title_of = [](const std::shared_ptr<const Scene>& scene) {
        ViewStage stage(make_hierarchy_view(), scene, {1280, 720});
        stage.interactive = false;
        stage.headless.frame(2);
        return stage.headless.texts().front().words;
    };
    const auto scene = timed_kernel("copy_strided", {{"stride", "8"}});
    const auto with = [&](const auto& change) {
        auto other = std::make_shared<Scene>(*scene);
        auto timing = std::make_shared<SceneTiming>(*scene->timing);
        auto levels = std::make_shared<MemoryLevels>(*timing->levels);
        levels->used_bytes = 4096;
        levels->l2_bytes = 8192;
        levels->dram_bytes = 2048;
        change(*levels);
        timing->levels = levels;
        other->timing = timing;
        return title_of(other);
    };
    EXPECT_EQ(
        with([](MemoryLevels&) {}),
        "`copy_strided`: threads read and write 4.1 kB in global memory; 8.19 kB move between the SMs and "
        "L2, 2.05 kB between L2 and DRAM");
    EXPECT_THAT(with([](MemoryLevels& levels) { levels.dram_bytes = 0; }),
                HasSubstr("8.19 kB move between the SMs and L2, nothing between L2 and DRAM"));
    EXPECT_EQ(with([](MemoryLevels& levels) {
                  levels.used_bytes = levels.requested_bytes = levels.l2_bytes = 0;
                  levels.shared_bytes = 1024;
              }),
              "`copy_strided`: only shared memory is accessed, 1.02 kB");
    auto spilling = std::make_shared<Scene>(*scene);
    auto report = std::make_shared<analysis::LaunchReport>(*scene->report);
    report->local_load.requests = 1;
    spilling->report = report;
    EXPECT_THAT(title_of(spilling), HasSubstr("in global and local memory"));
}

TEST(memory_pictures, a_double_buffer_overlaps_more_than_a_single_one) {
    const auto share = [](const Scene& scene) {
        const CopyPipeline& one = *scene.timing->pipeline;
        return double(one.overlapped_cycles) / one.load_cycles;
    };
    const auto single = timed_kernel("matmul_tiled", {}),
               twofold = timed_kernel("matmul_double_buffered", {});
    ASSERT_NE(single->timing->pipeline, nullptr);
    ASSERT_NE(twofold->timing->pipeline, nullptr);
    EXPECT_EQ(single->timing->pipeline->copies, 0u);
    EXPECT_GT(twofold->timing->pipeline->copies, 0u);
    EXPECT_GT(share(*twofold), share(*single));
    EXPECT_GT(twofold->timing->pipeline->barriers.size(), 4u);
}

TEST(memory_pictures, a_pipeline_without_barriers_has_no_signs_of_them) {
    const auto words_of = [](const char* kernel) {
        ViewStage stage(find_view("pipeline")->make(), timed_kernel(kernel, {}), {1280, 720});
        stage.interactive = false;
        return drawn_words(stage);
    };
    const std::string one = words_of("saxpy"), many = words_of("matmul_tiled");
    EXPECT_NE(one.find("no barrier"), std::string::npos) << one;
    EXPECT_EQ(one.find("odd batch"), std::string::npos);
    EXPECT_EQ(one.find("upright: barrier"), std::string::npos);
    EXPECT_NE(many.find("odd batch"), std::string::npos) << many;
    EXPECT_NE(many.find("upright: barrier"), std::string::npos);
    EXPECT_TRUE(timed_kernel("saxpy", {})->timing->pipeline->floating);
    EXPECT_FALSE(timed_kernel("histogram_shared", {})->timing->pipeline->floating);
}

std::uint32_t batches(const std::vector<PipelineBar>& bars) {
    return bars.empty() ? 0 : bars.back().batch + 1;
}

/// At the machine level, where the assembler moves constants with arithmetic and renames the copies.
std::shared_ptr<const Scene> machine_level(const char* kernel) {
    Scene scene = *timed_kernel(kernel, {{"M", "64"}, {"N", "64"}, {"K", "128"}, {"TILE", "16"}});
    scene.machine = machine_code_of(*make_pipeline(), scene, [] { return false; });
    return why_not_machine_level(scene).empty() ? at_machine_level(scene) : nullptr;
}

TEST(memory_pictures, what_is_loaded_first_is_computed_with_first) {
    for (const char* kernel : {"matmul_tiled", "matmul_double_buffered"}) {
        const auto ptx = timed_kernel(kernel, {{"M", "64"}, {"N", "64"}, {"K", "128"}, {"TILE", "16"}});
        const auto machine = machine_level(kernel);
        for (const Scene* scene : {ptx.get(), machine.get()}) {
            if (scene == nullptr) continue;
            SCOPED_TRACE(fmt::format("{} {}", kernel, scene == machine.get() ? "machine" : "ptx"));
            const CopyPipeline& pipeline = *scene->timing->pipeline;
            EXPECT_EQ(batches(pipeline.load), 128u / 16) << "one for each tile";
            EXPECT_EQ(batches(pipeline.compute), 128u / 16);
            const bool copies = std::string_view(kernel) == "matmul_double_buffered";
            EXPECT_EQ(pipeline.groups, copies);
            EXPECT_EQ(pipeline.copies, copies ? pipeline.loads : 0u);
        }
    }
}

TEST(memory_pictures, loads_in_groups_say_so) {
    ViewStage stage(make_pipeline_view(), timed_kernel("matmul_double_buffered", {}));
    EXPECT_THAT(drawn_words(stage), testing::AllOf(HasSubstr("loads are asynchronous copies"),
                                                   HasSubstr("with each group of copies")));
    ViewStage single(make_pipeline_view(), timed_kernel("matmul_tiled", {}));
    EXPECT_THAT(drawn_words(single), testing::Not(HasSubstr("group of copies")));
}

TEST(memory_pictures, a_kernel_without_times_says_why_in_a_sentence) {
    ViewStage stage(make_hierarchy_view(), timed_kernel("texture_blur", {}));
    EXPECT_THAT(drawn_words(stage), HasSubstr("The kernel reads or writes textures"));
}

TEST(memory_pictures, arithmetic_is_seen_in_machine_code_as_in_ptx) {
    Scene scene = *timed_kernel("matmul_tiled", {});
    const std::uint32_t at_ptx = scene.timing->pipeline->compute_cycles;
    scene.machine = machine_code_of(*make_pipeline(), scene, [] { return false; });
    if (!why_not_machine_level(scene).empty()) GTEST_SKIP() << why_not_machine_level(scene);
    const auto machine = at_machine_level(scene);
    ASSERT_NE(machine->timing->pipeline, nullptr);
    EXPECT_GT(machine->timing->pipeline->compute_cycles, at_ptx / 2);
}

TEST(memory_pictures, a_roofline_counts_the_same_operations_with_either_time) {
    // Of mandelbrot's operations the assembler makes others: machine code executes a sixth more.
    Scene scene = *timed_kernel("mandelbrot", {{"W", "64"}, {"H", "32"}});
    scene.machine = machine_code_of(*make_pipeline(), scene, [] { return false; });
    if (!why_not_machine_level(scene).empty()) GTEST_SKIP() << why_not_machine_level(scene);
    const auto machine = at_machine_level(scene);
    const analysis::Roofline &counted = scene.timing->roofline, &timed = machine->timing->roofline;
    EXPECT_GT(counted.flops, 0);
    EXPECT_EQ(timed.flops, counted.flops);
    EXPECT_EQ(timed.intensity, counted.intensity);
    EXPECT_NE(timed.modelled_seconds, counted.modelled_seconds) << "the time is the machine code's";
    EXPECT_EQ(timed.level, Level::ptx);
    EXPECT_EQ(machine->report->level, Level::machine);
    const analysis::Roofline own = at_machine_level(scene, Level::machine)->timing->roofline;
    EXPECT_EQ(own.level, Level::machine);
    EXPECT_GT(own.flops, counted.flops)
        << "the machine code's own operations, where its counts are asked for";
    EXPECT_EQ(own.modelled_seconds, timed.modelled_seconds);
}

}  // namespace
}  // namespace warplens::app
