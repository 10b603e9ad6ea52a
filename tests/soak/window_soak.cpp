// The window soak: random clicks, drags, keys and words for as long as asked, on the window's own frame with
// the real engine and without a display. `test_window_soak [SEED [SECONDS]]`; without SECONDS an hour. Once a
// minute it opens the same kernel, waits until nothing runs, and prints counts and memory. It fails when
// that memory grows.
#include <fmt/core.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "app/command_line/target.h"
#include "app/pipeline/engine_sweep.h"
#include "app/pipeline/engines.h"
#include "app/pipeline/make_scene.h"
#include "app/scene/time_scene.h"
#include "app/window/frame.h"
#include "instrumentation/hidden_command.h"
#include "tests/support/headless.h"

namespace warplens::soak {
namespace {

using namespace std::chrono_literals;
using SoakClock = std::chrono::steady_clock;

std::uint64_t resident_mib() {
    ::malloc_trim(0);
    std::uint64_t all = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) >> 20;
}

app::Catalogue whole_catalogue() {
    app::Catalogue all;
    auto kernels = app::catalogue();
    if (!kernels) return all;
    for (auto& kernel : *kernels)
        all.push_back(std::make_shared<const instrumentation::KernelFile>(std::move(kernel)));
    return all;
}

/// The window without GLFW: what a person can reach with mouse and keys.
class SoakedWindow {
  public:
    SoakedWindow(app::Catalogue catalogue, std::uint64_t seed)
        : random_(seed), session_(std::move(catalogue), runner(), {}, app::timing_model()) {
        session_.set_sweep_runner(app::sweep_on_engine(pipeline_));
        frame_.set_own_file(&own_);
    }

    void act() {
        ++actions;
        const int kind = below(100);
        if (kind < 30) headless_.move_mouse(anywhere());
        else if (kind < 58) headless_.click_at(anywhere());
        else if (kind < 62) headless_.double_click_at(anywhere());
        else if (kind < 70) headless_.drag(anywhere(), anywhere());
        else if (kind < 78) headless_.wheel(static_cast<float>(below(21) - 10));
        else if (kind < 88) headless_.press(static_cast<app::compat::Key>(below(14)));
        else if (kind < 97) headless_.type(words());
        else open_another();
        headless_.frame();
    }

    /// Memory with one kernel shown and nothing under way, so that two of them compare.
    std::uint64_t settled_mib() {
        for (int i = 0; i < 3; ++i) headless_.press(app::compat::Key::escape);
        while (!session_.baselines.all().empty()) session_.baselines.remove(0);
        session_.set_gpu({});
        session_.open_kernel("saxpy");
        session_.set_knobs({});
        session_.cancel_sweep();
        const auto deadline = SoakClock::now() + 30s;
        do {
            headless_.frame();
            std::this_thread::sleep_for(10ms);
        } while (session_.busy() && SoakClock::now() < deadline);
        return resident_mib();
    }

    std::uint64_t actions = 0, opened = 0;

  private:
    app::RunScene runner() {
        auto engines = std::make_shared<app::Engines>(pipeline_, app::gpu_of_this_machine(),
                                                      app::recordings_folder(), 2);
        return [engines](const app::RunRequest& request, const std::function<bool()>& cancelled) {
            return engines->run_scene(request, cancelled);
        };
    }
    int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }
    ImVec2 anywhere() { return {static_cast<float>(below(1280)), static_cast<float>(below(800))}; }
    std::string words() {
        std::string text;
        for (int left = 1 + below(4); left > 0; --left) text.push_back(static_cast<char>(' ' + below(95)));
        return text;
    }
    void open_another() {
        ++opened;
        const app::Catalogue& all = session_.catalogue();
        session_.open_kernel(all[static_cast<std::size_t>(below(static_cast<int>(all.size())))]);
    }

    std::mt19937_64 random_;
    std::shared_ptr<app::Pipeline> pipeline_ = app::make_pipeline();
    app::Session session_;
    app::Layout layout_;
    app::OwnFile own_{session_, {}};
    app::Frame frame_{session_, layout_};
    app::Headless headless_{[this](const app::Theme& theme) { frame_.draw(theme); }, {1280, 800}};
};

/// Caches fill and are emptied, so the least memory in use is compared. The first tenth fills them.
std::pair<std::uint64_t, std::uint64_t> least_of_both_halves(const std::vector<std::uint64_t>& settled) {
    const auto at = [&](std::size_t tenths) {
        return settled.begin() + static_cast<std::ptrdiff_t>((settled.size() - 1) * tenths / 10);
    };
    return {*std::min_element(at(1) + (settled.size() > 2 ? 1 : 0), std::max(at(5), at(1) + 1) + 1),
            *std::min_element(at(5), settled.end())};
}

int soak_window(std::uint64_t seed, std::chrono::seconds duration) {
    app::Catalogue catalogue = whole_catalogue();
    if (catalogue.empty()) return fmt::print(stderr, "window soak: there are no kernels\n"), 1;
    // A person may save files: they go where nothing else is.
    const auto folder = std::filesystem::temp_directory_path() / fmt::format("warplens_soak_{}", ::getpid());
    std::filesystem::create_directories(folder);
    std::filesystem::current_path(folder);
    ::setenv("HOME", folder.c_str(), 1);

    SoakedWindow window(std::move(catalogue), seed);
    const auto begin = SoakClock::now();
    std::vector<std::uint64_t> settled{window.settled_mib()};
    fmt::print("window soak: seed {}, {} s; {} MiB at the start\n", seed, duration.count(), settled.front());
    for (auto next = begin + 60s; SoakClock::now() < begin + duration;) {
        window.act();
        if (SoakClock::now() < next) continue;
        next += 60s;
        settled.push_back(window.settled_mib());
        fmt::print("window soak: {} min, {} actions, {} kernels, {} MiB\n", settled.size() - 1,
                   window.actions, window.opened, settled.back());
        std::fflush(stdout);
    }
    settled.push_back(window.settled_mib());
    std::filesystem::current_path("/");
    std::filesystem::remove_all(folder);

    const auto [before, after] = least_of_both_halves(settled);
    const bool grows = after > before + before / 5 + 64;
    fmt::print("window soak: {} actions, {} kernels, at least {} MiB, then {} MiB: {}\n", window.actions,
               window.opened, before, after, grows ? "memory grows" : "memory is flat");
    return grows ? 1 : 0;
}

}  // namespace
}  // namespace warplens::soak

int main(int argument_count, char** arguments) {
    if (const auto code = warplens::instrumentation::run_hidden_command(argument_count, arguments))
        return *code;
    const std::uint64_t seed = argument_count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1;
    const std::uint64_t seconds = argument_count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 3600;
    return warplens::soak::soak_window(seed, std::chrono::seconds(seconds));
}
