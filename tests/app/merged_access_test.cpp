// What the assembler merged, in Banks and Sectors: one line under the request, with both levels' counts.
#include <gtest/gtest.h>

#include "app/scene/machine_code.h"
#include "view_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_banks_view();

namespace {

constexpr std::uint32_t merged_load = 8;  // the line of the synthetic kernel's shared load

/// Four executions of the shared load are one machine instruction with a quarter of its wavefronts.
std::shared_ptr<Scene> scene_with_merge() {
    auto scene = stage_scene(trace::ExampleShape::tiny());
    const std::uint64_t access = find_request(*scene->trace, Space::shared, merged_load);
    const SiteId site = scene->trace->accesses[access].site;
    auto code = std::make_shared<MachineCode>();
    code->program = scene->trace->program;
    code->program.sites[site].opcode = "LDS.128";
    auto report = std::make_shared<analysis::LaunchReport>(*scene->report);
    report->sites[site].access.wavefronts /= 4;
    code->report = std::move(report);
    code->merged = {{site, {site}, 4}};
    scene->machine = std::move(code);
    return scene;
}

TEST(merged_access, banks_name_the_wide_instruction_and_what_it_takes) {
    const auto scene = scene_with_merge();
    const SiteId site = scene->machine->merged[0].machine;
    EXPECT_EQ(merged_parts(*scene, site), 4u);
    ViewStage stage(make_banks_view(), scene, {1200, 800});
    stage.selection.chosen.access = find_request(*scene->trace, Space::shared, merged_load);
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.find("merged access"));
    EXPECT_TRUE(stage.headless.shows("1 LDS.128"));
    EXPECT_TRUE(stage.headless.shows("at the machine level, exact"));
}

TEST(merged_access, a_request_that_was_not_merged_has_no_such_line) {
    auto scene = scene_with_merge();
    auto code = std::make_shared<MachineCode>(*scene->machine);
    code->merged.clear();
    scene->machine = std::move(code);
    EXPECT_EQ(merged_parts(*scene, 0), 1u);
    ViewStage stage(make_banks_view(), scene, {1200, 800});
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.find("merged access"));
}

/// The shared load as an atomic of 32 lanes at one address, of which the machine code leaves `left`.
std::string sentence_of_atomic(std::uint32_t left) {
    auto scene = stage_scene(trace::ExampleShape::tiny());
    const SiteId site = scene->trace->accesses[find_request(*scene->trace, Space::shared, merged_load)].site;
    auto trace = std::make_shared<trace::Trace>(*scene->trace);
    trace->program.sites[site].operation = Operation::atomic;
    const auto report_with = [&](std::uint32_t lanes) {
        auto report = std::make_shared<analysis::LaunchReport>(*scene->report);
        for (analysis::SiteReport& one : report->sites) {
            if (one.site != site) continue;
            one.operation = Operation::atomic;
            one.access.most_lanes_per_address = lanes;
        }
        return report;
    };
    auto code = std::make_shared<MachineCode>();
    code->program = trace->program;
    code->report = report_with(left);
    const auto report = report_with(32);
    scene->trace = std::move(trace);
    scene->report = report;
    scene->machine = std::move(code);
    return merge_sentence(*scene, site);
}

TEST(merged_access, lanes_that_a_warp_combines_before_an_atomic_are_said) {
    EXPECT_EQ(sentence_of_atomic(1),
              "In machine code a warp combines values of one address first: at most 1 lane there instead of "
              "32, exact.");
    EXPECT_EQ(sentence_of_atomic(32), "") << "nothing is combined";
}

}  // namespace
}  // namespace warplens::app
