// The real window, killed: the next start goes on where it was.
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "app/session/saved/saved_session.h"
#include "app/window/window.h"
#include "tests/app/example_scene.h"
#include "tests/app/virtual_display.h"

namespace warplens::app {
namespace {

using namespace std::chrono_literals;

RunScene example_run() {
    return [](const RunRequest& request, const std::function<bool()>&) -> Result<Scene> {
        return example_scene({}, request.kernel);
    };
}

TEST(killed_window, a_window_that_was_killed_left_its_session_for_the_next_start) {
    VirtualDisplay display;
    ASSERT_TRUE(display.started()) << "Xvfb is needed; the Debian package is xvfb";
    setenv("DISPLAY", display.name().c_str(), 1);
    const std::string path = testing::TempDir() + "warplens_killed/session.json";
    std::filesystem::remove(path);
    WindowOptions options;
    options.catalogue = example_catalogue();
    options.remember_layout = false;
    options.session_path = path;

    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        options.run = example_run();
        options.kernel = options.catalogue.back();
        options.parameters = {{"PAD", "3"}};
        run_window(options);
        ::_exit(1);
    }
    const auto begin = std::chrono::steady_clock::now();
    while (!std::filesystem::exists(path) && std::chrono::steady_clock::now() - begin < 60s)
        std::this_thread::sleep_for(10ms);
    std::this_thread::sleep_for(2s);  // as old as a session may be
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the window has closed by itself";

    std::vector<RunRequest> requests;
    options.run = [&](const RunRequest& request, const std::function<bool()>&) -> Result<Scene> {
        requests.push_back(request);
        return example_scene({}, request.kernel);
    };
    options.exit_after_frames = 3;
    ASSERT_EQ(run_window(options), 0);
    ASSERT_FALSE(requests.empty());
    EXPECT_EQ(requests.back().kernel->name, "transpose_tiled");
    EXPECT_THAT(requests.back().overrides, testing::Contains(testing::Pair("PAD", "3")));
    std::filesystem::remove_all(std::filesystem::path(path).parent_path());
    unsetenv("DISPLAY");
}

}  // namespace
}  // namespace warplens::app
