// Keys that are pressed and released during one slow frame still count.
#include "app/window/key_queue.h"

#include <gmock/gmock.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "app/window/window.h"
#include "tests/app/example_scene.h"
#include "tests/app/virtual_display.h"

namespace warplens::app {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

TEST(key_queue, no_frame_sees_two_changes_of_a_key_or_a_modifier_released_too_early) {
    constexpr int ctrl = 341, k = 75, press = 1, release = 0;
    KeyQueue keys;
    for (const auto& [key, action] : {std::pair{ctrl, press}, {k, press}, {ctrl, release}, {k, release}})
        keys.push({key, 0, action, 0});
    const auto frame = [&] {
        std::vector<std::pair<int, int>> seen;
        keys.deliver([&](const KeyQueue::Event& event) { seen.emplace_back(event.key, event.action); });
        return seen;
    };
    EXPECT_THAT(frame(), ElementsAre(std::pair{ctrl, press}, std::pair{k, press}));
    EXPECT_TRUE(keys.waits());
    EXPECT_THAT(frame(), ElementsAre(std::pair{ctrl, release}, std::pair{k, release}));
    EXPECT_FALSE(keys.waits());
}

/// xdotool sends press and release of all keys at once.
TEST(real_window, a_chord_that_is_pressed_and_released_at_once_opens_the_palette_and_enter_chooses) {
    VirtualDisplay display;
    ASSERT_TRUE(display.started()) << "Xvfb is needed; the Debian package is xvfb";
    setenv("DISPLAY", display.name().c_str(), 1);
    WindowOptions options;
    options.catalogue = example_catalogue();
    std::atomic<bool> first = false, second = false, over = false;
    const std::string wanted = options.catalogue.back()->name == "transpose_tiled"
                                   ? options.catalogue.front()->name
                                   : options.catalogue.back()->name;
    options.run = [&](const RunRequest& request, const std::function<bool()>&) -> Result<Scene> {
        first = true;
        if (request.kernel->name == wanted) second = true;
        return example_scene({}, request.kernel);
    };
    options.remember_layout = false;
    options.exit_after_frames = 3;
    options.keep_open = [&] { return !over.load(); };
    std::thread typist([&] {
        while (!first) std::this_thread::sleep_for(10ms);
        const std::string typed = "sleep 1; xdotool key ctrl+k; sleep 1; xdotool type --delay 30 " + wanted +
                                  "; sleep 1; xdotool key Return; sleep 1";
        const bool done = std::system(typed.c_str()) == 0;
        over = true;
        if (!done || std::system("xdotool mousemove 5 5 mousemove 9 9") != 0) return;  // wakes the window
    });
    EXPECT_EQ(run_window(options), 0);
    typist.join();
    EXPECT_TRUE(second) << "the palette has not opened " << wanted;
    unsetenv("DISPLAY");
}

}  // namespace
}  // namespace warplens::app
