// ./run finds its own folder wherever it is called from and by whatever name, and passes its words on
// unchanged. The first report is printed by the program without a window, and the first window is that of the
// program without words.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "tests/support/folders.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

std::string output_of(const std::string& command) {
    std::string text;
    FILE* pipe = ::popen(command.c_str(), "r");
    char buffer[256];
    while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) text += buffer;
    EXPECT_EQ(::pclose(pipe), 0) << command;
    return text;
}

void script(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "#!/bin/sh\n" << text;
    fs::permissions(path, fs::perms::owner_all);
}

const fs::path source = source_folder();

/// A folder with `run` and a build that says its words.
class run_script : public testing::Test {
  protected:
    run_script() {
        std::string name = (fs::temp_directory_path() / "warplens_test_XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
        fs::create_directories(clone());
        fs::copy_file(source / "run", clone() / "run");
        script(clone() / "third_party/install_packages.sh", "echo installing >&2\n");
        script(clone() / "third_party/build.sh",
               "echo building $3 >&2; echo $3 >> '" + built().string() + "'\n");
    }
    ~run_script() override { fs::remove_all(folder_); }
    fs::path clone() const { return folder_ / "a clone"; }
    fs::path built() const { return folder_ / "built"; }  // has the names of what was
    void build(const char* program) const {
        script(clone() / "build/release" / program, "for word; do echo \"<$word>\"; done\n");
    }

    fs::path folder_;
};

TEST_F(run_script, works_through_a_link_from_another_folder_and_with_spaces_in_its_path) {
    build("warplens");
    fs::create_symlink(clone() / "run", folder_ / "lens");
    for (const fs::path& called : {clone() / "run", folder_ / "lens"}) {
        EXPECT_EQ(output_of("cd / && '" + called.string() + "' report 'my file.cu' --set n=3 2>/dev/null"),
                  "<report>\n<my file.cu>\n<--set>\n<n=3>\n");
    }
}

TEST_F(run_script, does_not_wait_for_the_window_to_print_the_first_report) {
    build("warplens-record");
    const std::string run = "'" + (clone() / "run").string() + "' ";
    EXPECT_EQ(output_of(run + "report saxpy 2>&1"),
              "installing\nbuilding warplens_record\n<report>\n<saxpy>\n");
    build("warplens");
    EXPECT_EQ(output_of(run + "report saxpy 2>&1"), "installing\nbuilding warplens\n<report>\n<saxpy>\n");
    fs::remove(clone() / "build/release/warplens-record");
    EXPECT_EQ(output_of(run + "shot 2>&1"), "installing\nbuilding warplens\n<shot>\n");
}

TEST_F(run_script, does_not_wait_for_the_words_to_open_the_first_window) {
    build("warplens-window");
    const std::string run = "'" + (clone() / "run").string() + "'";
    EXPECT_EQ(output_of(run + " 2>&1"),
              "installing\nbuilding warplens_window\nwarplens: the command line is built while the window is "
              "open\n");
    const std::string first_built = "warplens_window\nwarplens\n";
    std::string text;
    for (int i = 0; i < 100 && text != first_built; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        text = output_of("cat '" + built().string() + "'");
    }
    EXPECT_EQ(text, first_built);
    build("warplens");
    EXPECT_EQ(output_of(run + " 2>&1"), "installing\nbuilding warplens\n");
    fs::remove(clone() / "build/release/warplens-window");
    EXPECT_EQ(output_of(run + " saxpy 2>&1"), "installing\nbuilding warplens\n<saxpy>\n");
}

// What runs depends on no word, so that there is nothing else to say.
TEST(first_window, says_what_works_without_a_display) {
    const std::string text =
        output_of("env -u DISPLAY -u WAYLAND_DISPLAY " + build_folder() + "/warplens-window 2>&1");
    EXPECT_EQ(text.find("Warplens opens a window, and there is no display here"), 0u) << text;
}

}  // namespace
}  // namespace warplens
