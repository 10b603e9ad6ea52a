// A .ptx file in the window's frame: opened, its launch asked for, run, and shown as its own source.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "app/command_line/target.h"
#include "app/pipeline/engines.h"
#include "app/window/frame.h"
#include "tests/app/ptx_text.h"
#include "tests/support/headless.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

TEST(ptx_file, is_opened_asked_for_its_launch_run_and_shown_whole) {
    std::string name = (fs::temp_directory_path() / "warplens_test_XXXXXX").string();
    const fs::path folder = ::mkdtemp(name.data());
    std::ofstream(folder / "doubled.ptx") << doubled;

    const auto pipeline = make_pipeline();
    Engines engines(pipeline, Gpu(), "");
    Session session({}, [&](const RunRequest& request, const std::function<bool()>& cancelled) {
        return engines.run_scene(request, cancelled);
    });
    OwnFile own(session, [&](const instrumentation::KernelFile& kernel) {
        LaunchRequest asked;
        asked.kernel = std::make_shared<const instrumentation::KernelFile>(kernel);
        return pipeline->entries(asked);
    });
    Layout layout;
    Frame frame(session, layout);
    frame.set_own_file(&own);
    Headless ui([&](const Theme& theme) { frame.draw(theme); }, {1760, 1200});
    const auto eventually = [&](const std::function<bool()>& condition) {
        for (int i = 0; i < 2000 && !condition(); ++i) {
            ui.frame();
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return condition();
    };
    ASSERT_TRUE(own.open((folder / "doubled.ptx").string()));
    ASSERT_TRUE(eventually([&] { return !own.entries().empty(); }));
    ui.frame(2);
    EXPECT_TRUE(ui.shows("Launch settings"));
    EXPECT_TRUE(ui.shows("doubled"));
    ASSERT_TRUE(ui.click("launch run"));
    ASSERT_TRUE(eventually([&] { return session.scene() && !session.running(); }));
    EXPECT_TRUE(session.failure().empty()) << session.failure();
    frame.state.editing = false;
    ui.frame(2);
    EXPECT_TRUE(ui.shows("PTX"));
    EXPECT_TRUE(ui.shows("st.global.u32"));
    EXPECT_FALSE(ui.shows("CUDA: "));
    EXPECT_EQ(session.scene()->trace->program.ptx, doubled);
    fs::remove_all(folder);
}

}  // namespace
}  // namespace warplens::app
