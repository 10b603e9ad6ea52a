// A file appears complete or not at all.
#include "core/whole_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "tests/hear_ctrl_c.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

class WholeFileTest : public testing::Test {
  protected:
    fs::path folder;
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "warplens_whole_XXXXXX").string();
        folder = ::mkdtemp(name.data());
    }
    void TearDown() override { fs::remove_all(folder); }

    std::string text() const {
        std::ifstream file(folder / "x");
        return {std::istreambuf_iterator<char>(file), {}};
    }
    std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder), {}); }
};

TEST_F(WholeFileTest, is_there_only_once_it_is_kept) {
    auto file = WholeFile::create(folder / "x");
    ASSERT_TRUE(file) << file.error().message;
    ASSERT_TRUE(file->append("one "));
    ASSERT_TRUE(file->append("two"));
    EXPECT_FALSE(fs::exists(folder / "x"));
    ASSERT_TRUE(file->keep());
    EXPECT_EQ(text(), "one two");
    EXPECT_EQ(files(), 1);
}

TEST_F(WholeFileTest, can_be_asked_before_anything_is_written) {
    EXPECT_TRUE(can_be_written(folder / "x"));
    EXPECT_TRUE(can_be_written("/dev/null"));
    EXPECT_TRUE(can_be_written("-"));
    EXPECT_EQ(files(), 0);
    for (const fs::path& path : {folder, folder / "missing" / "x"}) {
        const Status asked = can_be_written(path);
        const auto created = WholeFile::create(path);
        ASSERT_FALSE(asked);
        ASSERT_FALSE(created);
        EXPECT_EQ(asked.error().message, created.error().message);
    }
}

TEST_F(WholeFileTest, leaves_the_older_file_when_it_is_given_up) {
    ASSERT_TRUE(write_whole_file(folder / "x", "old"));
    {
        auto file = WholeFile::create(folder / "x");
        ASSERT_TRUE(file);
        ASSERT_TRUE(file->append("new"));
    }
    EXPECT_EQ(text(), "old");
    EXPECT_EQ(files(), 1);
}

TEST_F(WholeFileTest, says_which_folder_is_missing) {
    const Status refused = write_whole_file(folder / "none" / "x", "new");
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("none/x cannot be written"), std::string::npos)
        << refused.error().message;
}

TEST_F(WholeFileTest, goes_through_a_link_which_stays) {
    ASSERT_TRUE(write_whole_file(folder / "x", "old"));
    fs::create_symlink("x", folder / "link");
    fs::create_symlink(folder / "none yet", folder / "dangling");
    ASSERT_TRUE(write_whole_file(folder / "link", "new"));
    ASSERT_TRUE(write_whole_file(folder / "dangling", "new"));
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_TRUE(fs::is_symlink(folder / "dangling"));
    EXPECT_EQ(text(), "new");
    EXPECT_TRUE(fs::is_regular_file(folder / "none yet"));
    fs::create_symlink("loop", folder / "loop");
    EXPECT_FALSE(write_whole_file(folder / "loop", "new"));
}

TEST_F(WholeFileTest, keeps_the_mode_of_the_older_file) {
    ASSERT_TRUE(write_whole_file(folder / "x", "old"));
    fs::permissions(folder / "x", fs::perms::owner_read | fs::perms::owner_write);
    ASSERT_TRUE(write_whole_file(folder / "x", "new"));
    EXPECT_EQ(text(), "new");
    EXPECT_EQ(fs::status(folder / "x").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(WholeFileTest, writes_to_devices_and_fifos_and_leaves_them_in_place) {
    ASSERT_TRUE(write_whole_file("/dev/null", "new"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    const Status full = write_whole_file("/dev/full", "new");
    ASSERT_FALSE(full);
    EXPECT_NE(full.error().message.find("/dev/full cannot be written"), std::string::npos);
    EXPECT_TRUE(fs::is_character_file("/dev/full"));

    ASSERT_EQ(::mkfifo((folder / "x").c_str(), 0600), 0);
    std::string heard;
    std::thread reader([&] { heard = text(); });
    EXPECT_TRUE(write_whole_file(folder / "x", "through the pipe"));
    reader.join();
    EXPECT_EQ(heard, "through the pipe");
    EXPECT_TRUE(fs::is_fifo(folder / "x"));
    EXPECT_FALSE(write_whole_file(folder, "new"));
}

/// A child writes half a file and is ended by `signal`.
int status_after(int signal, const fs::path& path) {
    const pid_t child = ::fork();
    if (child == 0) {
        hear_ctrl_c();
        watch_signals();
        auto file = WholeFile::create(path);
        if (file && file->append("half")) {
            ::raise(signal);
            if (is_interrupted()) ::raise(signal);
        }
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

TEST_F(WholeFileTest, a_signal_leaves_no_folder_of_files) {
    const fs::path made = folder / "made";
    const pid_t child = ::fork();
    if (child == 0) {
        hear_ctrl_c();
        watch_signals();
        fs::create_directory(made);
        const Leftover of_folder = Leftover::folder(made), of_file = Leftover::file(made / "x");
        std::ofstream(made / "x") << "half";
        ::raise(SIGTERM);
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    EXPECT_FALSE(fs::exists(made));
}

/// How a process ends that one interrupted by Ctrl+C has listed, before or after that.
int status_of_listed_process(bool before) {
    const pid_t child = ::fork();
    if (child == 0) {
        hear_ctrl_c();
        watch_signals();
        const pid_t listed = ::fork();
        if (listed == 0)
            for (;;) ::pause();
        if (!before) ::raise(SIGINT);
        const Leftover leftover = Leftover::process(listed);
        if (before) ::raise(SIGINT);
        int status = 0;
        ::waitpid(listed, &status, 0);  // without an end of the process the grace of Ctrl+C ends this one
        ::_exit(WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(WholeFileTest, ctrl_c_ends_a_listed_process_at_once) {
    EXPECT_EQ(status_of_listed_process(true), SIGKILL);
    EXPECT_EQ(status_of_listed_process(false), SIGKILL);
}

/// The exit code of a process that works on for a second of processor time after Ctrl+C.
int code_after_work(bool asks) {
    const pid_t child = ::fork();
    if (child == 0) {
        hear_ctrl_c();
        watch_signals();
        ::raise(SIGINT);
        if (asks && !is_interrupted()) ::_exit(1);
        const std::clock_t begin = std::clock();
        while (std::clock() - begin < CLOCKS_PER_SEC) {
        }
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(WholeFileTest, ctrl_c_ends_work_that_does_not_ask_sooner_than_work_that_does) {
    EXPECT_EQ(code_after_work(false), exit_interrupted);
    EXPECT_THAT(code_after_work(true), testing::AnyOf(0, exit_interrupted))
        << "the latter where others work, too";
}

/// The exit code of a process that is interrupted `times` times while it asks and goes on all the same.
int code_after_interruptions(int times, const fs::path& path) {
    const pid_t child = ::fork();
    if (child == 0) {
        hear_ctrl_c();
        watch_signals();
        auto file = WholeFile::create(path);
        if (!file || !file->append("half")) ::_exit(1);
        for (int i = 0; i < times; ++i) {
            ::raise(SIGINT);
            if (!is_interrupted()) ::_exit(2);
        }
        ::_exit(3);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(WholeFileTest, the_first_ctrl_c_asks_and_the_second_ends_at_once) {
    EXPECT_EQ(code_after_interruptions(1, folder / "first"), 3);
    EXPECT_EQ(files(), 1) << "by its own end, which has no time to remove it here";
    EXPECT_EQ(code_after_interruptions(2, folder / "second"), exit_interrupted);
    EXPECT_EQ(files(), 1);
}

TEST_F(WholeFileTest, a_signal_leaves_no_partial_file) {
    for (const int signal : {SIGTERM, SIGHUP}) {
        const int status = status_after(signal, folder / "x");
        EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal);
    }
    const int status = status_after(SIGINT, folder / "x");
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == exit_interrupted);
    EXPECT_EQ(files(), 0);
}

}  // namespace
}  // namespace warplens
