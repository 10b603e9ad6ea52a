// The clipboard as other programs see it: another client of the X server reads what the real window copied,
// text and picture. On Wayland a picture arrives at the system's tool byte by byte; without it the error
// names what to install.
#include "app/window/picture_clipboard.h"

#include <gmock/gmock.h>
#include <poll.h>
#include <stb_image.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <thread>

#include "app/window/frame.h"
#include "app/window/window.h"
#include "core/start_program.h"
#include "tests/app/example_scene.h"
#include "tests/app/virtual_display.h"
#include "tests/support/headless.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ClipboardClock = std::chrono::steady_clock;

/// Another program that pastes.
class ClipboardReader {
  public:
    explicit ClipboardReader(const std::string& display)
        : connection_(xcb_connect(display.c_str(), nullptr)) {
        const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(connection_)).data;
        window_ = xcb_generate_id(connection_);
        xcb_create_window(connection_, XCB_COPY_FROM_PARENT, window_, screen->root, 0, 0, 1, 1, 0,
                          XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual, 0, nullptr);
    }
    ClipboardReader(const ClipboardReader&) = delete;
    ClipboardReader& operator=(const ClipboardReader&) = delete;
    ~ClipboardReader() { xcb_disconnect(connection_); }

    /// Nothing: nobody owns the clipboard, or not in this form. An answer that comes after three seconds is
    /// for a question that nobody asks any more: each question has a property of its own.
    std::optional<std::string> read(const char* form) {
        const xcb_atom_t property = atom("WARPLENS_TEST_" + std::to_string(++questions_));
        const xcb_atom_t target = atom(form);
        xcb_convert_selection(connection_, window_, atom("CLIPBOARD"), target, property, XCB_CURRENT_TIME);
        xcb_flush(connection_);
        for (const auto end = ClipboardClock::now() + 3s; ClipboardClock::now() < end;) {
            pollfd ready{xcb_get_file_descriptor(connection_), POLLIN, 0};
            xcb_generic_event_t* event = xcb_poll_for_event(connection_);
            if (!event) {
                poll(&ready, 1, 50);
                continue;
            }
            const auto* answer = reinterpret_cast<const xcb_selection_notify_event_t*>(event);
            const bool answered =
                (event->response_type & 0x7f) == XCB_SELECTION_NOTIFY && answer->target == target;
            const bool given = answered && answer->property == property;
            const bool refused = answered && answer->property == XCB_ATOM_NONE;
            std::free(event);
            if (given) return take(property);
            if (refused) return std::nullopt;
        }
        return std::nullopt;
    }

  private:
    xcb_atom_t atom(std::string_view name) const {
        const auto cookie =
            xcb_intern_atom(connection_, 0, static_cast<std::uint16_t>(name.size()), name.data());
        xcb_intern_atom_reply_t* reply = xcb_intern_atom_reply(connection_, cookie, nullptr);
        const xcb_atom_t found = reply ? reply->atom : static_cast<xcb_atom_t>(XCB_ATOM_NONE);
        std::free(reply);
        return found;
    }
    std::string take(xcb_atom_t property) const {
        const auto cookie = xcb_get_property(connection_, 1, window_, property, XCB_GET_PROPERTY_TYPE_ANY, 0,
                                             std::numeric_limits<std::uint32_t>::max() / 8);
        xcb_get_property_reply_t* reply = xcb_get_property_reply(connection_, cookie, nullptr);
        std::string bytes;
        if (reply)
            bytes.assign(static_cast<const char*>(xcb_get_property_value(reply)),
                         static_cast<std::size_t>(xcb_get_property_value_length(reply)));
        std::free(reply);
        return bytes;
    }

    xcb_connection_t* connection_;
    xcb_window_t window_ = 0;
    int questions_ = 0;
};

void use_mouse_and_keys(std::vector<std::string> words) {
    words.insert(words.begin(), "xdotool");
    const auto process = start_program({.command = std::move(words)});
    ASSERT_TRUE(process) << "xdotool is needed; the Debian package is xdotool";
    int status = 0;
    waitpid(*process, &status, 0);
}

/// As a person does: the keys are down for longer than a frame takes.
void press(const std::vector<std::string>& keys) {
    std::vector<std::string> down, up;
    for (const std::string& key : keys) {
        down.insert(down.end(), {"keydown", key});
        up.insert(up.begin(), {"keyup", key});
    }
    use_mouse_and_keys(down);
    std::this_thread::sleep_for(500ms);
    use_mouse_and_keys(up);
}

/// The real window with the example in it, in a process of its own. It is a new program and no fork, because
/// OpenGL draws with threads that a fork of a process which has drawn before does not have.
class WindowProcess {
  public:
    WindowProcess()
        : process_(start_program({.command = {"/proc/self/exe", "--gtest_also_run_disabled_tests",
                                              "--gtest_filter=real_clipboard.DISABLED_the_window"}})
                       .value_or(-1)) {}
    WindowProcess(const WindowProcess&) = delete;
    WindowProcess& operator=(const WindowProcess&) = delete;
    ~WindowProcess() {
        if (process_ <= 0) return;
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
    bool started() const { return process_ > 0; }

  private:
    pid_t process_;
};

TEST(real_clipboard, DISABLED_the_window) {
    WindowOptions options;
    options.catalogue = example_catalogue();
    options.remember_layout = false;
    options.kernel = options.catalogue.back();
    options.run = [](const RunRequest& request, const auto&) -> Result<Scene> {
        return example_scene({}, request.kernel);
    };
    EXPECT_EQ(run_window(options), 0);
}

/// Every text that the window may draw of the example, at the size in which it opens.
std::set<std::string> texts_of_the_window() {
    Session session(example_catalogue(), {}, {});
    Layout layout;
    Frame frame(session, layout);
    std::set<std::string> texts;
    for (const ImVec2 size : {ImVec2(1440, 900), ImVec2(1600, 1000), ImVec2(1920, 1080)}) {
        Headless ui([&](const Theme& theme) { frame.draw(theme); }, size);
        session.show(example_scene({}, session.catalogue().back()));
        ui.frame(4);
        for (const DrawnText& text : ui.texts()) texts.insert(text.whole);
    }
    return texts;
}

TEST(real_clipboard, another_program_pastes_the_text_under_the_mouse_and_the_open_view_as_a_picture) {
    VirtualDisplay display;
    ASSERT_TRUE(display.started()) << "Xvfb is needed; the Debian package is xvfb";
    setenv("DISPLAY", display.name().c_str(), 1);
    unsetenv("WAYLAND_DISPLAY");
    const std::set<std::string> texts = texts_of_the_window();
    const WindowProcess window;
    ASSERT_TRUE(window.started());
    ClipboardReader reader(display.name());

    // Without a window manager the keyboard belongs to the window under the mouse.
    std::optional<std::string> text;
    const auto deadline = ClipboardClock::now() + 150s;
    for (int y = 10; !text && ClipboardClock::now() < deadline; y = y > 700 ? 10 : y + 23) {
        use_mouse_and_keys({"mousemove", std::to_string(60 + y % 90), std::to_string(y)});
        std::this_thread::sleep_for(200ms);
        press({"ctrl", "c"});
        std::this_thread::sleep_for(150ms);
        text = reader.read("UTF8_STRING");
    }
    ASSERT_TRUE(text) << "nothing was copied";
    EXPECT_TRUE(texts.contains(*text)) << *text;

    std::optional<std::string> png;
    for (int presses = 0; !png && presses < 3; ++presses) {
        press({"ctrl", "shift", "c"});
        for (const auto end = ClipboardClock::now() + 15s; !png && ClipboardClock::now() < end;) {
            std::this_thread::sleep_for(200ms);
            png = reader.read("image/png");
        }
    }
    ASSERT_TRUE(png) << "no picture was copied";
    int width = 0, height = 0, channels = 0;
    stbi_uc* pixels = stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(png->data()),
                                            static_cast<int>(png->size()), &width, &height, &channels, 4);
    ASSERT_NE(pixels, nullptr) << "it is no PNG";
    std::set<std::uint32_t> colours;
    for (int i = 0; i < width * height; ++i)
        colours.insert(pixels[4 * i] << 16 | pixels[4 * i + 1] << 8 | pixels[4 * i + 2]);
    stbi_image_free(pixels);
    EXPECT_GT(width, 400);
    EXPECT_GT(height, 300);
    EXPECT_GT(colours.size(), 20u) << "a drawing, not an empty page";
    EXPECT_FALSE(reader.read("UTF8_STRING")) << "the picture took the text's place";
    unsetenv("DISPLAY");
}

TEST(real_clipboard, every_byte_of_a_picture_arrives_and_a_newer_one_replaces_it) {
    VirtualDisplay display;
    ASSERT_TRUE(display.started()) << "Xvfb is needed; the Debian package is xvfb";
    setenv("DISPLAY", display.name().c_str(), 1);
    unsetenv("WAYLAND_DISPLAY");
    std::vector<std::uint8_t> png(3'000'000);
    for (std::size_t i = 0; i < png.size(); ++i) png[i] = static_cast<std::uint8_t>(i * 7 + i / 256);
    const Status copied = copy_png(png);
    ASSERT_TRUE(copied) << copied.error().message;
    ClipboardReader reader(display.name());
    const auto pasted = reader.read("image/png");
    ASSERT_TRUE(pasted);
    EXPECT_TRUE(std::equal(png.begin(), png.end(), pasted->begin(), pasted->end(),
                           [](std::uint8_t a, char b) { return a == static_cast<std::uint8_t>(b); }));
    EXPECT_EQ(reader.read("TARGETS")->size(), 2 * sizeof(std::uint32_t));
    EXPECT_FALSE(reader.read("image/jpeg"));
    ASSERT_TRUE(copy_png(std::vector<std::uint8_t>(10, 5)));
    EXPECT_EQ(reader.read("image/png"), std::string(10, 5));
    const Status huge = copy_png(std::vector<std::uint8_t>(40'000'000));
    ASSERT_FALSE(huge);
    EXPECT_THAT(huge.error().message, testing::HasSubstr("too large"));
    unsetenv("DISPLAY");
}

class WaylandClipboard : public testing::Test {
  protected:
    fs::path folder;
    std::string path_before;

    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "warplens_test_XXXXXX").string();
        folder = ::mkdtemp(name.data());
        const char* path = std::getenv("PATH");
        path_before = path ? path : "";
        setenv("PATH", (folder.string() + ":/usr/bin:/bin").c_str(), 1);
        unsetenv("DISPLAY");
        setenv("WAYLAND_DISPLAY", "wayland-0", 1);
    }
    void TearDown() override {
        setenv("PATH", path_before.c_str(), 1);
        unsetenv("WAYLAND_DISPLAY");
        fs::remove_all(folder);
    }
    void install(const std::string& script) const {
        std::ofstream(folder / "wl-copy") << "#!/bin/sh\n" << script << "\n";
        fs::permissions(folder / "wl-copy", fs::perms::owner_all);
    }
    std::string text_of(const char* file) const {
        std::ifstream in(folder / file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
};

TEST_F(WaylandClipboard, the_tool_gets_every_byte) {
    std::vector<std::uint8_t> png(300000);
    for (std::size_t i = 0; i < png.size(); ++i) png[i] = static_cast<std::uint8_t>(i * 7 + i / 256);
    install("cat > " + folder.string() + "/w; echo $@ > " + folder.string() + "/w_options");
    ASSERT_TRUE(copy_png(png));
    EXPECT_EQ(text_of("w"), std::string(png.begin(), png.end()));
    EXPECT_THAT(text_of("w_options"), testing::HasSubstr("--type image/png"));
}

TEST_F(WaylandClipboard, what_fails_or_is_missing_is_said) {
    const std::vector<std::uint8_t> png(10);
    install("exit 1");
    const auto failed = copy_png(png);
    ASSERT_FALSE(failed);
    EXPECT_THAT(failed.error().message, testing::HasSubstr("wl-copy could not"));
    setenv("PATH", (folder / "nothing").c_str(), 1);
    const auto missing = copy_png(png);
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().message, testing::HasSubstr("wl-clipboard"));
}

}  // namespace
}  // namespace warplens::app
