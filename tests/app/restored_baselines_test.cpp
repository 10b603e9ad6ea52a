// Baselines across starts of the window: those of own files come back with the text and launch they were run
// with, those of recorded traces are read again, and what-if answers are there once they are compared with.
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "app/session/saved/saved_session.h"
#include "tests/app/scripted_model.h"
#include "tests/app/session_folder.h"
#include "tests/app/window_start.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class RestoredBaselines : public SessionFolder {};

TEST_F(RestoredBaselines, a_baseline_of_an_own_file_comes_back_with_the_text_it_was_run_with) {
    const std::string mine = (folder / "mine.cu").string();
    std::ofstream(mine) << own_source_text;
    const std::string changed = own_source_text + std::string("// faster\n");
    SavedSession saved;
    {
        WindowStart first;
        ASSERT_TRUE(first.own.open(mine));
        first.settle();
        first.session.set_parameter("n", "2048");
        first.settle();
        first.session.keep_baseline();
        first.session.baselines.rename(0, "before");
        first.own.edit(changed, 0);
        ASSERT_TRUE(first.own.save());
        first.settle();
        first.session.keep_baseline();
        first.session.baselines.choose(0);
        saved = first.frame.saved();
    }
    ASSERT_EQ(saved.baselines.size(), 2u);
    ASSERT_TRUE(save_session(saved, path));
    WindowStart second;
    second.frame.restore(**load_session(path));
    second.settle();
    second.wait_for_baselines(2);
    const auto& all = second.session.baselines.all();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].name, "before");
    EXPECT_EQ(all[0].scene->kernel->source, own_source_text) << "not what the file holds now";
    EXPECT_EQ(instrumentation::to_string(all[0].scene->parameters.at("n")), "2048");
    EXPECT_EQ(all[1].scene->kernel->source, changed);
    EXPECT_EQ(second.session.baselines.chosen(), &all[0]);
    EXPECT_EQ(second.frame.saved(), saved) << "and it would be saved the same";
    second.session.keep_baseline();
    EXPECT_EQ(second.session.baselines.all().size(), 2u) << "the same text and knobs: no third one";
}

TEST_F(RestoredBaselines, a_baseline_of_a_file_without_a_header_keeps_the_launch_that_was_entered) {
    const std::string mine = (folder / "bare.cu").string();
    const std::string source = "__global__ void bare(float* out, int n) { out[threadIdx.x] = n; }\n";
    std::ofstream(mine) << source;
    instrumentation::LaunchDraft draft;
    draft.entry = "_Z4barePfi";
    draft.grid = {"12", "", ""};
    draft.block = {"96", "", ""};
    draft.arguments = {{"out", "float*", instrumentation::DraftArgument::Kind::buffer, "i32", 0, "f32",
                        "1024", "", "", "zero", "", "", false, ""},
                       {"n", "int", instrumentation::DraftArgument::Kind::scalar, "i32", 0, "", "", "", "",
                        "zero", "7", "", false, ""}};
    SavedSession saved;
    {
        WindowStart first;
        ASSERT_TRUE(first.own.open(mine));
        first.settle();
        first.own.draft() = draft;
        first.own.use_draft();
        first.settle();
        first.session.keep_baseline();
        saved = first.frame.saved();
    }
    fs::remove(mine);
    WindowStart second;
    second.frame.restore(saved);
    second.wait_for_baselines(1);
    ASSERT_EQ(second.session.baselines.all().size(), 1u);
    const auto& kernel = *second.session.baselines.all()[0].scene->kernel;
    EXPECT_EQ(kernel.source, source);
    EXPECT_THAT(kernel.grid, ElementsAre("12"));
    EXPECT_THAT(kernel.block, ElementsAre("96"));
    EXPECT_EQ(kernel.arguments.size(), 2u);
}

TEST_F(RestoredBaselines, a_baseline_of_a_recorded_trace_is_read_again) {
    SavedSession saved;
    {
        WindowStart first;
        first.session.show(example_scene(), "/traces/before.wltrace");
        first.settle();
        first.session.keep_baseline();
        EXPECT_THAT(first.session.baselines.all()[0].name, HasSubstr("before.wltrace"));
        first.session.open_kernel("transpose_tiled");
        first.settle();
        first.session.keep_baseline();
        EXPECT_EQ(first.session.baselines.all()[1].file, "") << "that one was run";
        saved = first.frame.saved();
    }
    ASSERT_TRUE(save_session(saved, path));
    WindowStart second;
    std::vector<std::string> read;
    second.session.set_trace_reader([&](const std::string& file) -> Result<Scene> {
        read.push_back(file);
        return example_scene();
    });
    second.frame.restore(**load_session(path));
    second.wait_for_baselines(2);
    ASSERT_EQ(second.session.baselines.all().size(), 2u);
    EXPECT_THAT(read, ElementsAre("/traces/before.wltrace"));
    EXPECT_THAT(second.session.baselines.all()[0].name, HasSubstr("before.wltrace"));
    EXPECT_EQ(second.frame.saved().baselines, saved.baselines);
}

TEST_F(RestoredBaselines, the_model_is_asked_about_a_baseline_once_it_is_compared_with) {
    ScriptedModel scripted;
    Session session{example_catalogue(),
                    [](const RunRequest& request, const std::function<bool()>&) -> Result<Scene> {
                        return example_scene(trace::ExampleShape::tiny(), request.kernel);
                    },
                    {},
                    scripted.model()};
    const auto settle = [&](const auto& done) {
        for (int i = 0; i < 1000 && !(session.poll(), done()); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
    };
    session.open_kernel("transpose_tiled");
    settle([&] { return session.scene() && !session.busy(); });
    session.restore_baselines({{RunRequest{session.catalogue().front(), {}, "", 0, Engine::simt}, ""}},
                              std::nullopt);
    settle([&] { return session.baselines.all().size() == 1; });
    ASSERT_EQ(session.baselines.all().size(), 1u);
    ASSERT_NE(session.baselines.all()[0].scene->timing, nullptr);
    for (int i = 0; i < 20; ++i) session.poll();
    EXPECT_EQ(session.baselines.all()[0].scene->what_if, nullptr) << "nobody compares with it";
    session.baselines.choose(0);
    settle([&] { return session.baselines.all()[0].scene->what_if != nullptr; });
    ASSERT_NE(session.baselines.all()[0].scene->what_if, nullptr);
    EXPECT_TRUE(session.baselines.all()[0].scene->what_if->complete());
}

}  // namespace
}  // namespace warplens::app
