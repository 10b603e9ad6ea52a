// The dialog that opens a file: folders, filters, places, mouse and keyboard.
#include "app/window/file_browser.h"

#include <gmock/gmock.h>

#include <fstream>

#include "app/ui/letter_keys.h"
#include "app/window/frame.h"
#include "tests/app/ctrl_key.h"
#include "tests/app/example_scene.h"
#include "tests/support/headless.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class FileBrowserTest : public testing::Test {
  protected:
    fs::path folder;
    ScriptedRun script;
    Session session{example_catalogue(), script.run(), script.wake()};
    OwnFile own{session, [](const instrumentation::KernelFile&) -> Entries {
                    return std::vector<instrumentation::EntryFacts>{};
                }};
    Layout layout;
    Frame frame{session, layout};
    Headless ui{[this](const Theme& theme) { frame.draw(theme); }, {1280, 720}};

    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "warplens_test_XXXXXX").string();
        folder = fs::canonical(::mkdtemp(name.data()));
        fs::create_directories(folder / "samples" / "deep");
        for (const char* file :
             {"samples/Reduce.cu", "samples/axpy.cu", "samples/notes.txt", "samples/.hidden.cu", "top.ptx"})
            std::ofstream(folder / file) << "__global__ void kernel(float* x) { *x = 1; }\n";
        frame.set_own_file(&own);
        frame.dialogs.note_opened((folder / "samples" / "axpy.cu").string());
        frame.dialogs.ask_open();
        ui.frame(4);
    }
    void TearDown() override { fs::remove_all(folder); }
    std::string opened() const { return own.is_open() ? fs::path(own.path()).filename().string() : ""; }
};

TEST(folder_listing, folders_come_first_and_hidden_and_other_files_are_left_out) {
    std::string name = (fs::temp_directory_path() / "warplens_test_XXXXXX").string();
    const fs::path folder = ::mkdtemp(name.data());
    fs::create_directory(folder / "zoo");
    for (const char* file : {"b.cu", "A.PTX", "c.txt", ".d.cu"}) std::ofstream(folder / file) << "x";
    const auto names = [&](FileFilter filter) {
        std::vector<std::string> names;
        const auto listed = list_folder(folder, filter);
        if (!listed) return names;
        for (const FolderEntry& entry : *listed) names.push_back(entry.name);
        return names;
    };
    EXPECT_THAT(names(FileFilter::kernels), ElementsAre("zoo", "A.PTX", "b.cu"));
    EXPECT_THAT(names(FileFilter::all), ElementsAre("zoo", "A.PTX", "b.cu", "c.txt"));
    EXPECT_EQ(path_from("b.cu", folder), folder / "b.cu");
    EXPECT_EQ(path_from("/x/../y.cu", folder), "/y.cu");
    fs::remove_all(folder);
    const auto gone = list_folder(folder, FileFilter::all);
    ASSERT_FALSE(gone);
    EXPECT_THAT(gone.error().message, testing::HasSubstr(folder.string()));
}

TEST_F(FileBrowserTest, it_starts_in_the_folder_of_the_last_file_and_lists_kernels) {
    EXPECT_NE(ui.find("entry Reduce.cu"), nullptr);
    EXPECT_NE(ui.find("entry deep"), nullptr);
    EXPECT_EQ(ui.find("entry notes.txt"), nullptr);
    EXPECT_EQ(ui.find("entry .hidden.cu"), nullptr);
    EXPECT_NE(ui.find("place samples"), nullptr) << "the recent file's folder";
    ASSERT_TRUE(ui.click("file filter"));
    ASSERT_TRUE(ui.click("filter all"));
    ui.frame(2);
    EXPECT_NE(ui.find("entry notes.txt"), nullptr);
}

TEST_F(FileBrowserTest, clicks_lead_through_folders_and_open_a_file) {
    ASSERT_TRUE(ui.click("folder up"));
    ui.frame(2);
    ASSERT_NE(ui.find("entry top.ptx"), nullptr);
    ASSERT_TRUE(ui.click("entry samples"));
    ui.frame(2);
    ASSERT_TRUE(ui.click("entry Reduce.cu"));
    EXPECT_EQ(opened(), "") << "one click chooses";
    EXPECT_NE(ui.find("entry axpy.cu"), nullptr) << "and hides nothing";
    ASSERT_TRUE(ui.click("path ok"));
    EXPECT_EQ(opened(), "Reduce.cu");
    EXPECT_EQ(ui.find("path field"), nullptr) << "the dialog closes";
}

TEST_F(FileBrowserTest, a_double_click_opens) {
    ui.double_click_at(ui.find("entry axpy.cu")->centre());
    EXPECT_EQ(opened(), "axpy.cu");
}

TEST_F(FileBrowserTest, the_keyboard_alone_finds_and_opens) {
    ui.press(compat::Key::backspace);
    EXPECT_NE(ui.find("entry top.ptx"), nullptr) << "Backspace leads to the folder above";
    ui.press(compat::Key::down);
    ui.press(compat::Key::enter);
    ui.frame(2);
    ASSERT_NE(ui.find("entry Reduce.cu"), nullptr) << "Enter enters the folder";
    ui.type("red");
    EXPECT_EQ(ui.find("entry axpy.cu"), nullptr);
    ui.press(compat::Key::down);
    ui.press(compat::Key::enter);
    EXPECT_EQ(opened(), "Reduce.cu");
}

TEST_F(FileBrowserTest, ctrl_o_asks_for_a_file) {
    ui.press(compat::Key::escape);
    ui.frame(2);
    ASSERT_EQ(ui.find("path field"), nullptr);
    press_ctrl(ui, 'O', 3);
    EXPECT_NE(ui.find("path field"), nullptr);
}

TEST_F(FileBrowserTest, letters_that_mean_one_file_open_it) {
    ui.type("redu");
    ui.press(compat::Key::enter);
    EXPECT_EQ(opened(), "Reduce.cu");
}

TEST_F(FileBrowserTest, letters_that_mean_several_files_open_none) {
    ui.type(".cu");
    ASSERT_TRUE(ui.find("entry Reduce.cu") && ui.find("entry axpy.cu"));
    ui.press(compat::Key::enter);
    EXPECT_EQ(opened(), "");
    EXPECT_NE(ui.find("path field"), nullptr);
}

TEST_F(FileBrowserTest, a_path_that_is_not_there_says_so_and_stays_open) {
    ui.type("missing.cu");
    ui.press(compat::Key::enter);
    EXPECT_EQ(opened(), "");
    EXPECT_TRUE(ui.shows("missing.cu"));
    EXPECT_NE(ui.find("path field"), nullptr);
    ui.press(compat::Key::escape);
    EXPECT_EQ(ui.find("path field"), nullptr);
}

TEST_F(FileBrowserTest, a_new_file_gets_a_free_name_in_the_folder_that_is_shown) {
    ui.press(compat::Key::escape);
    frame.dialogs.ask_new();
    ui.frame(4);
    ASSERT_TRUE(ui.click("path ok"));
    EXPECT_EQ(own.path(), (folder / "samples" / "my_kernel.cu").string());
    EXPECT_TRUE(fs::exists(folder / "samples" / "my_kernel.cu"));
}

}  // namespace
}  // namespace warplens::app
