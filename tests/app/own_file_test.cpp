// The user's own file while the window works on it: saved in every way an editor saves, edited in place,
// broken and fixed again, with a launch that must be entered in the form.
#include "app/session/own_file/own_file.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "app/ui/letter_keys.h"
#include "app/ui/text_history.h"
#include "app/window/frame.h"
#include "tests/app/example_scene.h"
#include "tests/support/headless.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* header = R"toml(/*
[kernel]
title = "Mine"
[parameters]
n = { default = 1024, min = 32, max = 4096 }
m = { default = 7 }
[buffers]
out = { type = "f32", length = "n" }
[launch]
arguments = ["out", "n"]
grid = ["ceil_div(n, 256)"]
block = ["256"]
*/
)toml";
constexpr const char* bare = "__global__ void mine(float* out, int n) { out[threadIdx.x] = n; }\n";

/// The window's frame on an own file, drawn without a display.
struct Window {
    Window(Session& session, OwnFile& own) : frame(session, layout) { frame.set_own_file(&own); }
    Layout layout;
    Frame frame;
    Headless ui{[this](const Theme& theme) { frame.draw(theme); }, {1760, 1200}};
};

class OwnFileTest : public testing::Test {
  protected:
    fs::path folder;
    ScriptedRun script;
    Session session{example_catalogue(), script.run(), script.wake()};
    int asked = 0;
    OwnFile own{session, [this](const instrumentation::KernelFile&) -> Entries {
                    ++asked;
                    return std::vector<instrumentation::EntryFacts>{
                        {"_Z4minePfi", "mine", {{"p0", "u64", 8, 0}, {"p1", "u32", 4, 8}}, 0},
                        {"_Z5otherPf", "other", {{"p0", "u64", 8, 0}}, 0}};
                }};

    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "warplens_test_XXXXXX").string();
        folder = ::mkdtemp(name.data());
    }
    void TearDown() override { fs::remove_all(folder); }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(folder / name) << text;
        return (folder / name).string();
    }
    /// Polls as frames do until the condition holds.
    template <class Condition>
    bool eventually(Condition&& condition) {
        for (int i = 0; i < 2000; ++i) {
            own.poll(0);
            session.poll();
            if (condition()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return false;
    }
    bool settled() {
        return eventually([&] { return !session.running(); });
    }
};

TEST_F(OwnFileTest, saving_it_in_any_way_runs_it_again) {
    const std::string path = write("mine.cu", std::string(header) + bare);
    ASSERT_TRUE(own.open(path));
    ASSERT_TRUE(settled());
    EXPECT_EQ(session.kernel()->title, "Mine");
    EXPECT_TRUE(own.is_shown());
    session.set_parameter("n", "2048");
    session.set_parameter("m", "9");
    ASSERT_TRUE(settled());
    const auto opened = session.opened();

    const auto arrives = [&](const std::string& part) {
        return eventually(
            [&] { return session.kernel()->source.find(part) != std::string::npos && !session.running(); });
    };
    write("mine.cu", std::string(header) + "// in place\n" + bare);
    EXPECT_TRUE(arrives("in place"));
    const std::string other = write("mine.cu.new", std::string(header) + "// renamed\n" + bare);
    fs::rename(other, path);
    EXPECT_TRUE(arrives("renamed"));
    fs::remove(path);
    write("mine.cu", std::string(header) + "// made again\n" + bare);
    EXPECT_TRUE(arrives("made again"));
    EXPECT_EQ(session.opened(), opened) << "nothing is opened again";
    EXPECT_EQ(script.requests.back().overrides.at("n"), "2048");

    // The parameter m goes, n no longer takes 2048.
    std::string changed = std::string(header) + "// fewer\n" + bare;
    changed.replace(changed.find("m = { default = 7 }\n"), 20, "");
    changed.replace(changed.find("max = 4096"), 10, "max = 1536");
    write("mine.cu", changed);
    EXPECT_TRUE(arrives("fewer"));
    EXPECT_TRUE(script.requests.back().overrides.empty());
}

TEST_F(OwnFileTest, is_one_file_by_whichever_path_it_is_named) {
    const std::string whole = fs::canonical(write("mine.cu", std::string(header) + bare)).string();
    for (const std::string& path :
         {whole, fs::relative(whole).string(), (folder / "." / "mine.cu").string()}) {
        ASSERT_TRUE(own.open(path)) << path;
        EXPECT_EQ(session.kernel()->path, whole)
            << path << ": baselines and the kept session know it by this";
    }
}

TEST_F(OwnFileTest, a_header_of_the_user_counts_as_the_file) {
    write("helpers.h", "#define A 1\n");
    ASSERT_TRUE(own.open(write("mine.cu", std::string(header) + "#include \"helpers.h\"\n" + bare)));
    ASSERT_TRUE(settled());
    const auto runs = script.requests.size();
    write("helpers.h", "#define A 22\n");
    EXPECT_TRUE(eventually([&] { return !session.running() && script.requests.size() > runs; }));
}

TEST_F(OwnFileTest, a_wrong_header_keeps_the_picture_and_the_next_good_save_clears_it) {
    const std::string path = write("mine.cu", std::string(header) + bare);
    ASSERT_TRUE(own.open(path));
    ASSERT_TRUE(settled());
    const Scene* const before = session.scene();
    ASSERT_NE(before, nullptr);
    std::string wrong = std::string(header) + bare;
    wrong.replace(wrong.find("title"), 5, "tittle");
    write("mine.cu", wrong);
    EXPECT_TRUE(eventually([&] { return !session.failure().empty(); }));
    EXPECT_THAT(session.failure(), HasSubstr("mine.cu:3"));
    EXPECT_EQ(session.scene(), before);
    EXPECT_TRUE(session.stale());
    write("mine.cu", std::string(header) + bare + "\n");
    EXPECT_TRUE(eventually([&] { return !session.stale(); }));
}

TEST_F(OwnFileTest, gone_it_is_kept_here_and_saving_writes_it_again) {
    const std::string path = write("mine.cu", std::string(header) + bare);
    ASSERT_TRUE(own.open(path));
    ASSERT_TRUE(settled());
    fs::remove(path);
    EXPECT_TRUE(eventually([&] { return !session.failure().empty(); }));
    EXPECT_THAT(session.failure(), HasSubstr("no longer exists"));
    EXPECT_TRUE(own.is_changed());
    EXPECT_TRUE(own.save());
    EXPECT_TRUE(fs::exists(path));
    EXPECT_FALSE(own.is_changed());
}

TEST_F(OwnFileTest, what_is_typed_runs_after_a_pause_and_touches_no_file) {
    const std::string text = std::string(header) + bare;
    const std::string path = write("mine.cu", text);
    ASSERT_TRUE(own.open(path));
    ASSERT_TRUE(settled());
    own.edit(text + "// typed\n", 10.0);
    own.poll(10.2);
    EXPECT_FALSE(session.running());
    EXPECT_GT(own.due_in(10.2), 0);
    own.poll(10.45);
    EXPECT_TRUE(session.running());
    ASSERT_TRUE(settled());
    EXPECT_TRUE(own.is_changed());
    std::ifstream file(path);
    EXPECT_EQ((std::string{std::istreambuf_iterator<char>(file), {}}), text);

    // Another program saves meanwhile: neither text is lost.
    write("mine.cu", text + "// theirs\n");
    EXPECT_TRUE(eventually([&] { return own.is_changed_outside(); }));
    EXPECT_THAT(own.text(), HasSubstr("typed"));
    EXPECT_TRUE(own.reload());
    EXPECT_THAT(own.text(), HasSubstr("theirs"));
    EXPECT_FALSE(own.is_changed());
}

TEST_F(OwnFileTest, a_kernel_of_the_catalogue_is_edited_as_a_copy) {
    auto kernel = std::make_shared<instrumentation::KernelFile>(
        instrumentation::read_kernel_file((folder / "lesson.cu").string(), std::string(header) + bare)
            .value());
    session.open_kernel(kernel);
    own.copy(*kernel);
    EXPECT_TRUE(own.is_copy());
    EXPECT_EQ(own.name(), "copy of lesson");
    EXPECT_FALSE(own.save());
    own.edit(own.text() + "//\n", 0);
    EXPECT_FALSE(fs::exists(folder / "lesson.cu"));
    EXPECT_FALSE(own.save_as((folder / "x.txt").string()));
    ASSERT_TRUE(own.save_as((folder / "x.cu").string()));
    EXPECT_FALSE(own.is_copy());
    EXPECT_FALSE(own.is_changed());
    EXPECT_THAT(own.save_as((folder / "x.cu").string()).error().message, HasSubstr("exists already"));
}

TEST_F(OwnFileTest, without_a_header_the_launch_is_asked_for_and_can_go_into_the_file) {
    ASSERT_TRUE(own.open(write("mine.cu", bare)));
    ASSERT_TRUE(eventually([&] { return own.asks_for_launch(); }));
    EXPECT_FALSE(session.running());
    ASSERT_FALSE(own.entries().empty());
    EXPECT_EQ(own.draft().entry, "mine");
    EXPECT_EQ(own.draft().arguments[1].name, "n");
    own.draft().arguments[1].value = "640";
    own.use_draft();
    EXPECT_TRUE(session.running());
    ASSERT_TRUE(settled());
    ASSERT_EQ(script.requests.back().kernel->parameters.size(), 1u);
    EXPECT_EQ(script.requests.back().kernel->entry, "mine");

    // Saved by another editor it still has its launch.
    write("mine.cu", std::string("// more\n") + bare);
    EXPECT_TRUE(
        eventually([&] { return session.kernel()->source.starts_with("// more") && !session.running(); }));
    EXPECT_TRUE(session.failure().empty());

    own.ask_for_launch();
    ASSERT_TRUE(eventually([&] { return !own.finding_entries(); }));
    own.keep_draft_in_text(0);
    EXPECT_TRUE(own.has_header());
    EXPECT_TRUE(own.is_changed());
    EXPECT_THAT(own.text(), HasSubstr("n = { default = 640"));
}

TEST_F(OwnFileTest, the_form_takes_clusters_and_a_cooperative_launch_into_the_file) {
    Window window(session, own);
    Headless& ui = window.ui;
    ASSERT_TRUE(own.open(write("mine.cu", bare)));
    ASSERT_TRUE(eventually([&] { return !own.entries().empty(); }));
    ui.frame(3);
    ASSERT_TRUE(ui.click("field cluster 0"));
    ui.type("3");
    EXPECT_TRUE(ui.shows("cannot be cut into clusters of 3"));
    ASSERT_TRUE(ui.click("launch keep"));
    EXPECT_FALSE(own.has_header()) << "the cluster is wrong";
    ASSERT_TRUE(ui.click("field cluster 0"));
    ui.press(compat::Key::end);
    ui.press(compat::Key::backspace);
    ui.type("4");
    ASSERT_TRUE(ui.click("cooperative"));
    ui.frame();
    ASSERT_TRUE(ui.click("cooperative yes"));
    ui.frame();
    ASSERT_TRUE(ui.click("launch keep"));
    EXPECT_THAT(own.text(), HasSubstr("cluster = [\"4\"]"));
    EXPECT_THAT(own.text(), HasSubstr("cooperative = true"));
}

TEST_F(OwnFileTest, a_failure_in_a_header_is_marked_and_listed_and_a_click_goes_there) {
    script.answer = [](const RunRequest& request, const std::function<bool()>&) -> Result<Scene> {
        if (request.kernel->source.find("inc/wrong.h") == std::string::npos)
            return example_scene({}, request.kernel);
        return fail("{}:3: error: identifier \"x\" is undefined", "inc/wrong.h");
    };
    fs::create_directory(folder / "inc");
    write("inc/wrong.h", "\n\nint y = x;\n");
    const std::string path = write("mine.cu", std::string(header) + bare);
    ASSERT_TRUE(own.open(path));
    ASSERT_TRUE(settled());
    Window window(session, own);
    Headless& ui = window.ui;
    ui.frame(2);
    own.edit(std::string(header) + "#include \"inc/wrong.h\"\n" + bare, 0);
    own.run_now();
    ASSERT_TRUE(eventually([&] { return !session.failure().empty(); }));
    ui.frame(2);
    EXPECT_TRUE(ui.shows("the run failed"));
    ASSERT_TRUE(ui.click("count of problems"));
    ui.frame(2);
    ASSERT_TRUE(ui.click("problem failure"));
    ui.frame(3);
    EXPECT_TRUE(window.frame.state.editing);
    // Beside the line, as far as the pane has room.
    EXPECT_THAT(ui.words(), testing::Contains(testing::StartsWith("in wrong.h, line 3")));
}

TEST_F(OwnFileTest, the_window_shows_the_form_and_runs_what_it_says) {
    Window window(session, own);
    Headless& ui = window.ui;
    ASSERT_TRUE(own.open(write("mine.cu", bare)));
    ASSERT_TRUE(eventually([&] { return !own.entries().empty(); }));
    ui.frame(3);
    EXPECT_TRUE(ui.shows("Launch settings"));
    EXPECT_TRUE(ui.shows("guess"));
    EXPECT_TRUE(ui.shows("one of 2 kernels in the file"));
    ASSERT_TRUE(ui.click("field block 0"));
    ui.press(compat::Key::end);
    for (int i = 0; i < 3; ++i) ui.press(compat::Key::backspace);
    ui.type("5000");
    EXPECT_TRUE(ui.shows("× "));
    ASSERT_TRUE(ui.click("launch run"));
    EXPECT_FALSE(session.running()) << "a block of 5000 threads";
    ASSERT_TRUE(ui.click("field block 0"));
    ui.press(compat::Key::end);
    for (int i = 0; i < 4; ++i) ui.press(compat::Key::backspace);
    ui.type("128");
    ASSERT_TRUE(ui.click("launch run"));
    ASSERT_TRUE(settled());
    ASSERT_FALSE(script.requests.empty());
    EXPECT_THAT(script.requests.back().kernel->block, ElementsAre("128"));
    ui.frame(2);
    EXPECT_FALSE(ui.shows("Launch settings"));
}

TEST_F(OwnFileTest, the_editor_marks_lines_undoes_and_asks_before_changes_are_lost) {
    Window window(session, own);
    Headless& ui = window.ui;
    const std::string path = write("mine.cu", std::string(header) + bare);
    ASSERT_TRUE(own.open(path));
    ASSERT_TRUE(settled());
    window.frame.state.editing = true;
    ui.frame(2);
    ASSERT_TRUE(ui.click("editor source text"));
    ui.press(compat::Key::tab);
    EXPECT_NE(own.text().find("    "), std::string::npos);
    EXPECT_EQ(own.text().find('\t'), std::string::npos);
    EXPECT_TRUE(own.is_changed());
    ui.frame();
    EXPECT_TRUE(ui.shows("not saved"));
    EXPECT_FALSE(window.frame.may_close());
    ui.frame(2);
    ASSERT_TRUE(ui.click("unsaved cancel"));
    ASSERT_TRUE(ui.click("editor source text"));
    compat::feed_ctrl(true);
    compat::feed_letter('Z', true);
    ui.frame();
    compat::feed_letter('Z', false);
    ui.frame();
    EXPECT_FALSE(own.is_changed()) << "undone";
    compat::feed_letter('Y', true);
    ui.frame();
    compat::feed_letter('Y', false);
    ui.frame();
    EXPECT_TRUE(own.is_changed()) << "done again";
    compat::feed_letter('S', true);
    ui.frame();
    compat::feed_letter('S', false);
    compat::feed_ctrl(false);
    ui.frame();
    EXPECT_FALSE(own.is_changed()) << "saved";
    EXPECT_TRUE(window.frame.may_close());
}

TEST(text_history, undoes_a_stretch_of_typing_at_once_and_does_it_again) {
    TextHistory history;
    history.note({"", 0}, 1, 0.0);
    history.note({"a", 1}, 2, 0.2);
    history.note({"ab", 2}, 1, 0.4);  // shrinks: another stretch
    const auto once = history.undo({"a", 1});
    ASSERT_TRUE(once);
    EXPECT_EQ(once->text, "ab");
    const auto twice = history.undo(*once);
    ASSERT_TRUE(twice);
    EXPECT_EQ(twice->text, "");
    EXPECT_FALSE(history.undo(*twice));
    EXPECT_EQ(history.redo(*twice)->text, "ab");
    history.note({"ab", 2}, 3, 9);
    EXPECT_FALSE(history.redo({"abc", 3})) << "a new change ends what can be done again";
}

TEST(settled_changes, a_file_that_is_still_being_written_or_is_gone_for_a_moment_waits) {
    const FileStamp first{true, 1, 10, 5}, half{true, 2, 4, 5}, whole{true, 3, 12, 5}, gone{};
    SettledChanges changes(first);
    EXPECT_FALSE(changes.changed(first));
    EXPECT_FALSE(changes.changed(half));
    EXPECT_FALSE(changes.changed(whole)) << "another than a look before";
    EXPECT_TRUE(changes.changed(whole));
    EXPECT_FALSE(changes.changed(whole));
    for (int look = 0; look < 4; ++look) EXPECT_FALSE(changes.changed(gone));
    EXPECT_FALSE(changes.changed(whole)) << "made again as it was";
    for (int look = 0; look < 5; ++look) EXPECT_FALSE(changes.changed(gone));
    EXPECT_TRUE(changes.changed(gone));
}

}  // namespace
}  // namespace warplens::app
