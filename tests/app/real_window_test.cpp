// The real window, under a virtual display: GLFW, GLX and the event loop, with an injected run. Its picture
// is compared with the one that the offscreen renderer draws of the same frame.
#include <gtest/gtest.h>
#include <stb_image.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <thread>

#include "app/views/view.h"
#include "app/window/pictures.h"
#include "app/window/window.h"
#include "tests/app/example_scene.h"
#include "tests/app/virtual_display.h"

namespace warplens::app {
namespace {

Picture read_png(const std::string& path) {
    Picture picture;
    int channels = 0;
    const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
        stbi_load(path.c_str(), &picture.width, &picture.height, &channels, 4), stbi_image_free);
    if (pixels)
        picture.rgba.assign(pixels.get(),
                            pixels.get() + std::size_t(picture.width) * std::size_t(picture.height) * 4);
    return picture;
}

/// Share of the pixels that differ by more than rounding.
double share_different(const Picture& a, const Picture& b) {
    if (a.rgba.size() != b.rgba.size() || a.rgba.empty()) return 1;
    std::size_t different = 0;
    for (std::size_t i = 0; i < a.rgba.size(); i += 4)
        for (std::size_t c = 0; c < 3; ++c)
            if (std::abs(int(a.rgba[i + c]) - int(b.rgba[i + c])) > 4) {
                ++different;
                break;
            }
    return double(different) / (double(a.rgba.size()) / 4);
}

TEST(real_window, shows_under_a_virtual_display_what_the_offscreen_picture_shows) {
    VirtualDisplay display;
    ASSERT_TRUE(display.started()) << "Xvfb is needed; the Debian package is xvfb";
    setenv("DISPLAY", display.name().c_str(), 1);
    const std::string path = testing::TempDir() + "warplens_real_window.png";
    const Catalogue catalogue = example_catalogue();
    const Scene scene = example_scene({}, catalogue.back());
    for (const ThemeName theme : {ThemeName::dark, ThemeName::light}) {
        WindowOptions options;
        options.catalogue = catalogue;
        options.scene = scene;
        options.theme = theme;
        options.remember_layout = false;
        options.exit_after_frames = 6;
        options.picture = path;
        ASSERT_EQ(run_window(options), 0);
        const Picture shown = read_png(path);
        ASSERT_GT(shown.width, 600);
        ASSERT_GT(shown.height, 400);

        const auto expected =
            capture_window(scene, catalogue, "", {shown.width, shown.height, 1, false}, theme, std::nullopt);
        ASSERT_TRUE(expected) << expected.error().message;
        EXPECT_LT(share_different(shown, *expected), 0.002);
        EXPECT_EQ(shown.rgba[0], theme == ThemeName::dark ? 0x16 : 0xfb) << "the background, upper left";
    }
    std::remove(path.c_str());
    unsetenv("DISPLAY");
}

TEST(real_window, runs_a_kernel_off_the_ui_thread_and_closes) {
    VirtualDisplay display;
    ASSERT_TRUE(display.started()) << "Xvfb is needed; the Debian package is xvfb";
    setenv("DISPLAY", display.name().c_str(), 1);
    const std::string path = testing::TempDir() + "warplens_first_lesson.png";
    ScriptedRun script;
    std::thread::id ran_on;
    script.answer = [&](const RunRequest& request, const std::function<bool()>&) -> Result<Scene> {
        ran_on = std::this_thread::get_id();
        return example_scene({}, request.kernel);
    };
    WindowOptions options;
    options.catalogue = example_catalogue();
    options.run = script.run();
    options.remember_layout = false;
    options.exit_after_frames = 3;
    options.picture = path;
    EXPECT_EQ(run_window(options), 0);
    ASSERT_FALSE(script.requests.empty());
    EXPECT_EQ(script.requests.back().kernel->name, "transpose_tiled") << "the first lesson";
    EXPECT_NE(ran_on, std::this_thread::get_id());
    EXPECT_FALSE(read_png(path).rgba.empty());
    std::remove(path.c_str());
    unsetenv("DISPLAY");
}

TEST(real_window, a_watched_file_that_is_saved_is_run_again) {
    VirtualDisplay display;
    ASSERT_TRUE(display.started()) << "Xvfb is needed; the Debian package is xvfb";
    setenv("DISPLAY", display.name().c_str(), 1);
    const std::string path = testing::TempDir() + "warplens_watched.cu";
    const auto write = [&](const char* more) {
        std::ofstream(path)
            << "/*\n[kernel]\n[launch]\narguments = []\ngrid = [\"1\"]\nblock = [\"32\"]\n*/\n"
            << more;
    };
    write("// first\n");
    ScriptedRun script;
    std::atomic<bool> ran = false, seen = false, gave_up = false;
    script.answer = [&](const RunRequest& request, const std::function<bool()>&) -> Result<Scene> {
        ran = true;
        if (request.kernel->source.find("second") != std::string::npos) seen = true;
        return example_scene({}, request.kernel);
    };
    const std::jthread editor([&] {
        for (int tries = 0; tries < 40 && !seen; ++tries) {
            if (ran) write(tries % 2 == 0 ? "// second\n" : "// second, once more\n");
            std::this_thread::sleep_for(std::chrono::milliseconds(500));
        }
        gave_up = true;
    });
    WindowOptions options;
    options.run = script.run();
    options.file = path;
    options.remember_layout = false;
    options.exit_after_frames = 1;
    options.keep_open = [&] { return !seen && !gave_up; };
    EXPECT_EQ(run_window(options), 0);
    EXPECT_TRUE(seen);
    std::remove(path.c_str());
    unsetenv("DISPLAY");
}

// Debian's GLFW for Wayland has no functions for X11, and the program starts with it.
TEST(real_window, the_program_needs_no_function_that_only_a_glfw_for_x11_has) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> symbols(
        ::popen("nm -D --undefined-only /proc/$PPID/exe", "r"), ::pclose);
    ASSERT_TRUE(symbols);
    std::string all;
    for (int c = std::fgetc(symbols.get()); c != EOF; c = std::fgetc(symbols.get()))
        all.push_back(static_cast<char>(c));
    EXPECT_NE(all.find("glfwCreateWindow"), std::string::npos) << "nm is part of binutils";
    EXPECT_EQ(all.find("glfwGetX11"), std::string::npos);
}

TEST(real_window, without_a_display_it_says_what_works_without_one) {
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    testing::internal::CaptureStderr();
    WindowOptions options;
    options.remember_layout = false;
    EXPECT_EQ(run_window(options), 2);
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("cannot open a window"), std::string::npos) << said;
    EXPECT_NE(said.find("warplens shot"), std::string::npos) << said;
}

}  // namespace
}  // namespace warplens::app
