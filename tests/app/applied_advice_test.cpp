// A change of the source that was tried is put into the text by its button: a kernel of the catalogue becomes
// a copy first, Ctrl+Z takes it back, and a text that was changed since is left alone.
#include <gmock/gmock.h>

#include <chrono>
#include <thread>

#include "app/session/own_file/own_file.h"
#include "app/window/frame.h"
#include "tests/app/ctrl_key.h"
#include "tests/app/example_scene.h"
#include "tests/support/headless.h"

namespace warplens::app {
namespace {

using testing::HasSubstr;

/// A kernel whose text can be launched as it is.
Catalogue launchable_catalogue() {
    auto kernel = std::make_shared<instrumentation::KernelFile>(
        *example_kernel("loop", "Threads and blocks", {"sectors", "source"}));
    kernel->source =
        "/*\n[kernel]\nentry = \"k\"\n[launch]\narguments = []\ngrid = [\"1\"]\nblock = [\"32\"]\n*/\n"
        "__global__ void k() {\n    for (;;) f();\n}\n";
    return {kernel};
}

class AppliedAdvice : public testing::Test {
  protected:
    ScriptedRun script;
    Session session{launchable_catalogue(), script.run(), script.wake()};
    OwnFile own{session,
                [](const instrumentation::KernelFile&) -> Result<std::vector<instrumentation::EntryFacts>> {
                    return std::vector<instrumentation::EntryFacts>{};
                }};
    Layout layout;
    Frame frame{session, layout};
    Headless ui{[this](const Theme& theme) { frame.draw(theme); }, {1920, 1200}};

    AppliedAdvice() {
        frame.set_own_file(&own);
        session.set_adviser(
            [](const AdviceRequest&, const Cancelled&) {
                TriedChange tried;
                tried.change.edits = {{Edit::Kind::insert, 10, "#pragma unroll 4"}};
                tried.effect = {"−18 % cycles"};
                Advice advice;
                advice.tried = 1;
                advice.helpful = {tried};
                return advice;
            },
            std::chrono::milliseconds{0});
        session.open_kernel("loop");
        wait_for_advice();
    }
    void wait_for_advice() {
        script.wait();  // for the run
        ui.frame(2);
        script.wait();
        ui.frame(3);
    }
};

TEST_F(AppliedAdvice, is_a_copy_of_the_kernel_with_the_lines_and_runs_at_once) {
    ASSERT_TRUE(ui.shows("before line 10: #pragma unroll 4:"));
    const std::size_t runs = script.requests.size();
    ui.click("try");
    // The copy runs at first as it is, and then with the lines.
    for (int i = 0; i < 1000 && (ui.frame(), session.busy()); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ui.frame(3);
    EXPECT_TRUE(own.is_copy());
    EXPECT_THAT(own.text(), HasSubstr("{\n#pragma unroll 4\n    for (;;) f();\n}"));
    EXPECT_TRUE(frame.state.editing);
    ASSERT_GT(script.requests.size(), runs);
    EXPECT_THAT(script.requests.back().kernel->source, HasSubstr("#pragma unroll 4"));
    ui.click("editor source text");
    press_ctrl(ui, 'Z', 3);
    EXPECT_EQ(own.text(), session.catalogue().front()->source);
}

TEST_F(AppliedAdvice, leaves_a_text_alone_that_was_changed_since) {
    own.copy(*session.kernel());
    wait_for_advice();
    own.edit("// another\n" + own.text(), 1e9);
    ASSERT_TRUE(ui.shows("before line 10: #pragma unroll 4:"));
    ui.click("try");
    ui.frame(3);
    EXPECT_EQ(own.text(), "// another\n" + session.catalogue().front()->source);
}

}  // namespace
}  // namespace warplens::app
