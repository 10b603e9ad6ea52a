// A .ptx file on the window's path, without a window: its kernels found, a launch guessed, and run by the
// engine into a Scene.
#include <gmock/gmock.h>

#include "app/command_line/target.h"
#include "app/pipeline/engines.h"
#include "instrumentation/catalog/catalogue.h"
#include "instrumentation/catalog/launch_draft.h"
#include "tests/app/ptx_text.h"
#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

using PtxFile = TypedCommands;

TEST_F(PtxFile, is_run_into_a_scene_whose_source_is_its_own_text) {
    const std::string name = file("doubled.ptx", doubled);
    const auto text = instrumentation::read_kernel_text(name);
    ASSERT_TRUE(text) << text.error().message;
    auto kernel = instrumentation::read_kernel_file(name, *text);
    ASSERT_TRUE(kernel) << kernel.error().message;
    EXPECT_FALSE(kernel->has_header);

    const auto pipeline = make_pipeline();
    LaunchRequest asked;
    asked.kernel = std::make_shared<const instrumentation::KernelFile>(*kernel);
    const auto entries = pipeline->entries(asked);
    ASSERT_TRUE(entries) << entries.error().message;
    ASSERT_EQ(entries->size(), 1u);
    EXPECT_EQ(entries->front().name, "doubled");
    auto draft = instrumentation::draft_of(*kernel, entries->front());
    ASSERT_EQ(draft.arguments.size(), 2u);
    draft.arguments[1].value = "100";
    draft.arguments[0].length = "128";
    draft.grid = {"2", "", ""};
    draft.block = {"64", "", ""};
    ASSERT_TRUE(instrumentation::check_draft(draft).empty());

    RunRequest request;
    request.kernel =
        std::make_shared<const instrumentation::KernelFile>(instrumentation::with_launch(*kernel, draft));
    Engines engines(pipeline, Gpu(), "");
    const auto scene = engines.run_scene(request, [] { return false; });
    ASSERT_TRUE(scene) << scene.error().message;
    ASSERT_TRUE(scene->trace);
    EXPECT_EQ(scene->trace->program.ptx, doubled);
    EXPECT_EQ(scene->blocks_executed, 2u);
    EXPECT_TRUE(scene->report->problems.empty());
    // 100 of 128 threads store: four warps, the last with 4 lanes on.
    const auto store = std::ranges::find_if(scene->report->sites, [](const auto& site) {
        return site.access.requests > 0 && site.access.sectors > 0;
    });
    ASSERT_NE(store, scene->report->sites.end());
    EXPECT_EQ(store->access.requests, 4u);
    EXPECT_EQ(scene->trace->program.sites[store->site].ptx_line, 21u);
}

TEST_F(PtxFile, what_does_not_parse_is_refused_with_its_line) {
    std::string wrong = doubled;
    wrong.replace(wrong.find("shl.b32 %r5"), 7, "shlb32.");
    const std::string name = file("doubled.ptx", wrong);
    auto kernel = instrumentation::read_kernel_file(name, wrong);
    ASSERT_TRUE(kernel);
    LaunchRequest asked;
    asked.kernel = std::make_shared<const instrumentation::KernelFile>(*kernel);
    const auto entries = make_pipeline()->entries(asked);
    ASSERT_FALSE(entries);
    EXPECT_THAT(entries.error().message, testing::HasSubstr("doubled.ptx:20"));
}

}  // namespace
}  // namespace warplens::app
