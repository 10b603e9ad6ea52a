// A copied picture arrives at the system's tool byte by byte; without a tool the error names what to install.
#include "app/window/picture_clipboard.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

class PictureClipboard : public testing::Test {
  protected:
    fs::path folder;
    std::string path_before, display_before, wayland_before;

    static std::string variable(const char* name) {
        const char* value = std::getenv(name);
        return value ? value : "";
    }
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "warplens_test_XXXXXX").string();
        folder = ::mkdtemp(name.data());
        path_before = variable("PATH");
        display_before = variable("DISPLAY");
        wayland_before = variable("WAYLAND_DISPLAY");
        setenv("PATH", (folder.string() + ":/usr/bin:/bin").c_str(), 1);
        setenv("DISPLAY", ":99", 1);
        unsetenv("WAYLAND_DISPLAY");
    }
    void TearDown() override {
        setenv("PATH", path_before.c_str(), 1);
        display_before.empty() ? unsetenv("DISPLAY") : setenv("DISPLAY", display_before.c_str(), 1);
        if (!wayland_before.empty()) setenv("WAYLAND_DISPLAY", wayland_before.c_str(), 1);
        fs::remove_all(folder);
    }
    void install(const char* tool, const std::string& script) const {
        std::ofstream(folder / tool) << "#!/bin/sh\n" << script << "\n";
        fs::permissions(folder / tool, fs::perms::owner_all);
    }
    std::string text_of(const char* file) const {
        std::ifstream in(folder / file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
};

TEST_F(PictureClipboard, the_tool_of_the_display_gets_every_byte) {
    std::vector<std::uint8_t> png(300000);
    for (std::size_t i = 0; i < png.size(); ++i) png[i] = static_cast<std::uint8_t>(i * 7 + i / 256);
    const std::string out = folder.string();
    install("xclip", "cat > " + out + "/x; echo $@ > " + out + "/x_options");
    install("wl-copy", "cat > " + out + "/w; echo $@ > " + out + "/w_options");
    ASSERT_TRUE(copy_png(png));
    EXPECT_EQ(text_of("x"), std::string(png.begin(), png.end()));
    EXPECT_THAT(text_of("x_options"), testing::HasSubstr("-selection clipboard -t image/png"));
    EXPECT_FALSE(fs::exists(folder / "w"));
    setenv("WAYLAND_DISPLAY", "wayland-0", 1);
    ASSERT_TRUE(copy_png(png));
    EXPECT_EQ(text_of("w"), std::string(png.begin(), png.end()));
    EXPECT_THAT(text_of("w_options"), testing::HasSubstr("--type image/png"));
}

TEST_F(PictureClipboard, what_fails_or_is_missing_is_said) {
    const std::vector<std::uint8_t> png(10);
    install("xclip", "exit 1");
    const auto failed = copy_png(png);
    ASSERT_FALSE(failed);
    EXPECT_THAT(failed.error().message, testing::HasSubstr("xclip could not"));
    setenv("PATH", (folder / "nothing").c_str(), 1);
    const auto missing = copy_png(png);
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().message, testing::HasSubstr("wl-clipboard"));
}

}  // namespace
}  // namespace warplens::app
