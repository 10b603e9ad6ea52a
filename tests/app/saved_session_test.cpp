// The session that survives: what is written, when, and what of it comes back; hostile files are refused.
#include "app/session/saved/saved_session.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "app/session/saved/session_keeper.h"
#include "app/window/frame.h"
#include "tests/app/session_folder.h"
#include "tests/app/window_start.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class SavedSessionTest : public SessionFolder {
  protected:
    void write(const std::string& text) const {
        fs::create_directories(fs::path(path).parent_path());
        std::ofstream(path, std::ios::binary) << text;
    }
    std::string refusal(const std::string& text) const {
        write(text);
        const auto loaded = load_session(path);
        return loaded ? "" : loaded.error().message;
    }
};

SavedSession full_session() {
    SavedSession saved;
    saved.run = {"transpose_tiled", {{"PAD", "1"}, {"TILE", "16"}}, "H200", Engine::recorded};
    saved.own = SavedSession::OwnText{"/tmp/mine.cu", false, false, "__global__ void k() { /* \"µ\" */ }\n",
                                      std::nullopt,   false};
    instrumentation::LaunchDraft& launch = saved.own->launch.emplace();
    launch.entry = "_Z1kv";
    launch.grid = {"ceil_div(n, 256)", "", ""};
    launch.block = {"256", "", ""};
    launch.grid_guessed = false;
    launch.shared_guessed = true;
    launch.block_from = "line 52";
    launch.arguments = {{"out", "float*", instrumentation::DraftArgument::Kind::buffer, "i32", 0, "f32", "n",
                         "in", "4", "iota", "", "the fill is a guess", true, "line 12", true}};
    launch.targets.resize(1);
    launch.targets[0].name = "rows";
    launch.targets[0].address = 0x2a3c'0000'0100;
    launch.targets[0].file_part = 4096;
    launch.linked = true;
    saved.own->launch_in_use = true;
    saved.chosen = Spot{3, 1, 4, 159, 26, 5, 35, 89};
    saved.level = Level::ptx;
    saved.counts = Level::machine;
    saved.centre_view = "sectors";
    saved.filled_view = "timeline";
    saved.editing = true;
    saved.cycles = WantedCycles{100, 250};
    saved.baselines = {{"saxpy", {}, "", Engine::simt, "before the fix"},
                       {"transpose_tiled", {{"PAD", "0"}}, "", Engine::simt}};
    saved.compared = 1;
    saved.folded_subjects = {"Scan"};
    saved.recent_files = {"/tmp/mine.cu", "/tmp/yours.cu"};
    return saved;
}

TEST_F(SavedSessionTest, everything_comes_back_as_it_was_written) {
    const SavedSession saved = full_session();
    ASSERT_TRUE(save_session(saved, path));
    const auto loaded = load_session(path);
    ASSERT_TRUE(loaded) << loaded.error().message;
    ASSERT_TRUE(*loaded);
    EXPECT_EQ(**loaded, saved);
    const auto empty = read_saved_session(to_json(SavedSession{}));
    ASSERT_TRUE(empty) << empty.error().message;
    EXPECT_EQ(*empty, SavedSession{});
}

TEST_F(SavedSessionTest, no_file_is_no_session_and_no_error) {
    const auto loaded = load_session(path);
    ASSERT_TRUE(loaded);
    EXPECT_FALSE(*loaded);
}

TEST_F(SavedSessionTest, a_damaged_or_hostile_file_is_refused_in_a_sentence_that_names_it) {
    const std::string good = to_json(full_session());
    const auto with = [&](const std::string& old, const std::string& now) {
        std::string text = good;
        const auto at = text.find(old);
        EXPECT_NE(at, std::string::npos) << old;
        return at == std::string::npos ? text : text.replace(at, old.size(), now);
    };
    EXPECT_THAT(refusal(""), HasSubstr("could not be restored from " + path));
    EXPECT_THAT(refusal("{"), HasSubstr("it is not a session"));
    EXPECT_THAT(refusal("[1, 2]"), HasSubstr("it is not a session"));
    EXPECT_THAT(refusal("{}"), HasSubstr("`version` is missing or damaged"));
    EXPECT_THAT(refusal(good.substr(0, good.size() / 2)), HasSubstr("it is not a session"));
    EXPECT_THAT(refusal(std::string(1 << 20, '[')), HasSubstr("it is not a session"));
    EXPECT_THAT(refusal(with("\"version\": 1", "\"version\": 7")), HasSubstr("format 7, this is 1"));
    EXPECT_THAT(refusal(with("\"compared\": 1", "\"compared\": 99")), HasSubstr("`compared`"));
    EXPECT_THAT(refusal(with("\"lane\": 26", "\"lane\": 9999999999")), HasSubstr("`lane`"));
    EXPECT_THAT(refusal(with("\"lane\": 26", "\"lane\": 1e300")), HasSubstr("`lane`"));
    EXPECT_THAT(refusal(with("\"warp\": 3", "\"warp\": -3")), HasSubstr("`warp`"));
    EXPECT_THAT(refusal(with("\"first\": 100", "\"first\": 300")), HasSubstr("`cycles`"));
    EXPECT_THAT(refusal(with("\"recorded\"", "\"magic\"")), HasSubstr("`engine`"));
    EXPECT_THAT(refusal(with("\"counts\": \"machine\"", "\"counts\": \"both\"")), HasSubstr("`counts`"));
    EXPECT_THAT(refusal(with("\"editing\": true", "\"editing\": 1")), HasSubstr("`editing`"));
    EXPECT_THAT(refusal(with("\"sectors\"", "\"" + std::string(5000, 's') + "\"")),
                HasSubstr("`centre_view`"));
    EXPECT_THAT(refusal(with("\"PAD\": \"1\"", "\"PAD\": [[[]]]")), HasSubstr("`knobs`"));
    EXPECT_THAT(refusal(with("/tmp/yours.cu", "/tmp/\\u0000.cu")), HasSubstr("`recent_files`"));
}

TEST_F(SavedSessionTest, a_fifo_in_its_place_is_refused_and_does_not_stop_the_start) {
    fs::create_directories(fs::path(path).parent_path());
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    const auto loaded = load_session(path);
    ASSERT_FALSE(loaded);
    EXPECT_THAT(loaded.error().message, HasSubstr(path));
}

/// Calls follow() as frames do, with `seconds` of the window's clock, until the file holds the kernel.
bool is_written(SessionKeeper& keeper, const std::string& path, const SavedSession& session,
                double& seconds) {
    for (int i = 0; i < 1000; ++i) {
        keeper.follow(seconds, [&] { return session; });
        const auto loaded = load_session(path);
        if (loaded && *loaded && **loaded == session) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
}

TEST_F(SavedSessionTest, the_keeper_writes_changes_within_half_a_second_and_then_rests) {
    SessionKeeper keeper(path);
    SavedSession session = full_session();
    double seconds = 100;
    ASSERT_TRUE(is_written(keeper, path, session, seconds));
    keeper.follow(seconds + 0.1, [&] { return session; });
    EXPECT_GT(keeper.due_in(seconds + 0.1), 0) << "a frame was drawn since the last look";
    session.run.knobs["PAD"] = "3";
    seconds += 0.6;
    int asked = 0;
    keeper.follow(seconds, [&] {
        ++asked;
        return session;
    });
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(keeper.due_in(seconds), 0) << "nothing is owed: the window may sleep";
    EXPECT_TRUE(is_written(keeper, path, session, seconds));
}

TEST_F(SavedSessionTest, a_folder_that_cannot_be_written_is_said_once) {
    std::ofstream(folder / "state") << "a file where the folder has to be";
    SessionKeeper keeper(path);
    std::string fault;
    for (int i = 0; i < 1000 && fault.empty(); ++i) {
        keeper.follow(i, [&] {
            SavedSession session;
            session.run.kernel = std::to_string(i);
            return session;
        });
        fault = keeper.take_fault();
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    EXPECT_THAT(fault, HasSubstr("The session cannot be kept"));
    keeper.follow(5000, [] { return SavedSession{}; });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    keeper.follow(5001, [] { return SavedSession{}; });
    EXPECT_EQ(keeper.take_fault(), "");
}

TEST_F(SavedSessionTest, after_kill_9_the_file_is_whole) {
    // A child that writes without a pause is killed at any moment: the file is always one of its sessions.
    for (int round = 0; round < 10; ++round) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            SavedSession session = full_session();
            session.own->unsaved = std::string(200000, 'x');
            for (int i = 0;; ++i) {
                session.run.knobs["PAD"] = std::to_string(i);
                if (!save_session(session, path)) ::_exit(1);
            }
        }
        for (int i = 0; i < 3000 && !fs::exists(path); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        std::this_thread::sleep_for(std::chrono::milliseconds(20 + 7 * round));
        ASSERT_EQ(::kill(child, SIGKILL), 0);
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status)) << "it failed to write";
        const auto loaded = load_session(path);
        ASSERT_TRUE(loaded) << loaded.error().message;
        if (*loaded) {
            EXPECT_EQ((*loaded)->own->unsaved->size(), 200000u);
        }
    }
    EXPECT_TRUE(fs::exists(path));
}

/// Two starts of the window, one after the other, on the same files.
class RestoreTest : public SavedSessionTest {
  protected:
    using Start = WindowStart;
    static std::string knob(const Session& session, std::size_t index) {
        return session.value(session.kernel()->parameters[index]);
    }
};

TEST_F(RestoreTest, kernel_knobs_selection_views_and_baselines_come_back) {
    SavedSession saved;
    {
        Start first;
        first.session.open_kernel("transpose_tiled");
        first.settle();
        first.session.keep_baseline();
        first.session.set_parameter("PAD", "2");
        first.settle();
        first.session.keep_baseline();
        first.session.baselines.choose(0);
        first.session.baselines.rename(0, "before the fix");
        first.frame.open_view("sectors");
        first.settle();
        first.session.selection.chosen.lane = 11;
        first.frame.state.folded_subjects = {"Threads and blocks"};
        first.settle();
        saved = first.frame.saved();
        EXPECT_EQ(saved.baselines.size(), 2u);
    }
    ASSERT_TRUE(save_session(saved, path));
    Start second;
    second.frame.restore(**load_session(path));
    second.settle();
    for (int i = 0; i < 500 && second.session.baselines.all().size() < 2; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        second.ui.frame();
    }
    EXPECT_EQ(second.session.kernel()->name, "transpose_tiled");
    EXPECT_EQ(knob(second.session, 1), "2");
    EXPECT_EQ(second.frame.state.centre_view, "sectors");
    EXPECT_EQ(second.session.selection.chosen, *saved.chosen);
    EXPECT_EQ(second.session.selection.chosen.lane, 11);
    ASSERT_EQ(second.session.baselines.all().size(), 2u);
    EXPECT_EQ(second.session.baselines.chosen(), &second.session.baselines.all()[0]);
    EXPECT_EQ(second.session.baselines.all()[0].name, "before the fix");
    EXPECT_EQ(second.session.baselines.all()[0].launch, "transpose_tiled");
    EXPECT_EQ(second.session.baselines.all()[1].name, "transpose_tiled PAD=2");
    EXPECT_FALSE(second.ui.find("kernel saxpy")) << "its subject is folded";
    EXPECT_EQ(second.frame.saved(), saved) << "and it would be saved the same";
}

TEST_F(RestoreTest, changes_that_were_not_saved_come_back_and_the_file_is_not_touched) {
    const std::string mine = (folder / "mine.cu").string();
    std::ofstream(mine) << own_source_text;
    SavedSession saved;
    {
        Start first;
        ASSERT_TRUE(first.own.open(mine));
        first.settle();
        first.own.edit(own_source_text + std::string("// typed\n"), 0);
        first.session.set_parameter("n", "2048");
        first.frame.state.editing = true;
        first.settle();
        saved = first.frame.saved();
    }
    Start second;
    second.frame.restore(saved);
    second.settle();
    EXPECT_TRUE(second.own.is_shown());
    EXPECT_TRUE(second.own.is_changed());
    EXPECT_EQ(second.own.text(), own_source_text + std::string("// typed\n"));
    EXPECT_EQ(knob(second.session, 0), "2048");
    EXPECT_TRUE(second.ui.shows("not saved"));
    EXPECT_THAT(second.frame.dialogs.recent, ElementsAre(mine));
    std::ifstream file(mine);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), own_source_text);
}

TEST_F(RestoreTest, a_launch_that_was_entered_comes_back_and_runs) {
    const std::string mine = (folder / "bare.cu").string();
    std::ofstream(mine) << "__global__ void bare(float* out, int n) { out[threadIdx.x] = n; }\n";
    instrumentation::LaunchDraft draft;
    draft.entry = "_Z4barePfi";
    draft.grid = {"12", "", ""};
    draft.block = {"96", "", ""};
    draft.grid_guessed = draft.block_guessed = false;
    draft.arguments = {{"out", "float*", instrumentation::DraftArgument::Kind::buffer, "i32", 0, "f32",
                        "1024", "", "", "zero", "", "", false, ""},
                       {"n", "int", instrumentation::DraftArgument::Kind::scalar, "i32", 0, "", "", "", "",
                        "zero", "7", "", false, ""}};
    SavedSession saved;
    {
        Start first;
        ASSERT_TRUE(first.own.open(mine));
        first.settle();
        ASSERT_TRUE(first.own.asks_for_launch());
        first.own.draft() = draft;
        first.own.use_draft();
        first.settle();
        saved = first.frame.saved();
    }
    ASSERT_TRUE(saved.own && saved.own->launch);
    ASSERT_TRUE(save_session(saved, path));
    Start second;
    second.frame.restore(**load_session(path));
    second.settle();
    EXPECT_FALSE(second.own.asks_for_launch());
    EXPECT_EQ(*second.own.entered(), draft);
    ASSERT_FALSE(second.requests.empty());
    EXPECT_EQ(second.requests.back().kernel->block.front(), "96");
    EXPECT_EQ(second.frame.saved(), saved);
}

TEST_F(RestoreTest, the_view_of_an_own_file_comes_back_instead_of_its_best_one) {
    const std::string mine = (folder / "mine.cu").string();
    std::ofstream(mine) << own_source_text;
    SavedSession saved;
    std::string best;
    {
        Start first;
        first.frame.state.centre_view = "whatif";
        ASSERT_TRUE(first.own.open(mine));
        first.settle();
        best = first.frame.state.centre_view;
        EXPECT_NE(best, "whatif") << "a file that names no view opens what its run has most to show of";
        first.frame.open_view("occupancy");
        first.settle();
        saved = first.frame.saved();
    }
    ASSERT_NE(best, "occupancy");
    Start second;
    second.frame.restore(saved);
    second.settle();
    EXPECT_TRUE(second.own.is_shown());
    EXPECT_EQ(second.frame.state.centre_view, "occupancy");
}

TEST_F(RestoreTest, text_whose_file_is_gone_is_kept_as_a_copy) {
    SavedSession saved;
    saved.own = SavedSession::OwnText{
        (folder / "gone.cu").string(), false, true, own_source_text, std::nullopt, false};
    Start start;
    start.frame.restore(saved);
    start.settle();
    EXPECT_TRUE(start.own.is_copy());
    EXPECT_EQ(start.own.text(), own_source_text);
    EXPECT_TRUE(start.ui.shows("its text is kept here"));
}

TEST_F(RestoreTest, what_does_not_exist_any_more_is_left_out) {
    SavedSession saved;
    saved.run = {
        "transpose_tiled", {{"PAD", "77"}, {"TILE", "16"}, {"GONE", "1"}}, "no such GPU", Engine::simt};
    saved.chosen = Spot{};
    saved.chosen->warp_record = 4000000;
    saved.chosen->access = 1u << 30;
    saved.centre_view = saved.filled_view = "no such view";
    saved.baselines = {{"no such kernel", {}, "", Engine::simt}};
    saved.compared = 0;
    Start start;
    start.frame.restore(saved);
    start.settle();
    EXPECT_EQ(start.session.kernel()->name, "transpose_tiled");
    EXPECT_EQ(knob(start.session, 0), "16");
    EXPECT_EQ(knob(start.session, 1), "0") << "77 is out of range";
    EXPECT_EQ(start.frame.state.filled_view, "");
    EXPECT_LT(start.session.selection.chosen.warp_record, 100u);
    EXPECT_TRUE(start.session.failure().empty()) << start.session.failure();
    EXPECT_TRUE(start.session.baselines.all().empty());
}

}  // namespace
}  // namespace warplens::app
