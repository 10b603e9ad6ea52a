// What can be compared in the window, on the real engines: settings, problem sizes, kernels, texts of one
// file, GPUs, the CPU engine and a recording, two recordings. Each with its verdict under the toolbar.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "app/command_line/target.h"
#include "app/pipeline/engines.h"
#include "app/scene/time_scene.h"
#include "app/window/frame.h"
#include "instrumentation/catalog/catalogue.h"
#include "tests/support/headless.h"

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Catalogue whole_catalogue() {
    Catalogue all;
    std::vector<instrumentation::KernelFile> kernels = catalogue().value();
    for (instrumentation::KernelFile& kernel : kernels)
        all.push_back(std::make_shared<const instrumentation::KernelFile>(std::move(kernel)));
    return all;
}

class KindsOfBaselines : public testing::Test {
  protected:
    void open(const char* kernel, std::map<std::string, std::string> knobs) {
        session.open_kernel(kernel);
        session.set_knobs(std::move(knobs));
        settle();
    }
    void settle() {
        const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
        ui.frame();
        while ((session.running() || session.modelling()) && std::chrono::steady_clock::now() < end) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            ui.frame();
        }
        ui.frame(2);
        ASSERT_TRUE(session.failure().empty()) << session.failure();
    }
    /// The line under the toolbar, which the window has to show in full.
    std::string verdict() {
        const analysis::Comparison* comparison = session.comparison(Level::ptx);
        if (!comparison) return "no comparison";
        EXPECT_TRUE(ui.shows(comparison->verdict)) << comparison->verdict;
        const auto before = comparison->before.level_of_times(), after = comparison->after.level_of_times();
        EXPECT_EQ(before, after) << "times of one level";
        return comparison->verdict;
    }

    Session session{whole_catalogue(),
                    [engines = std::make_shared<Engines>(make_pipeline(), Gpu{}, recordings_folder())](
                        const RunRequest& request, const std::function<bool()>& cancelled) {
                        return engines->run_scene(request, cancelled);
                    },
                    {},
                    timing_model()};
    Layout layout;
    Frame frame{session, layout};
    Headless ui{[this](const Theme& theme) {
                    frame.state.level = Level::ptx;
                    frame.draw(theme);
                },
                {2400, 1400}};
};

TEST_F(KindsOfBaselines, settings_of_one_kernel_and_another_problem_size) {
    open("transpose_tiled", {{"W", "128"}, {"H", "128"}, {"PAD", "0"}});
    session.keep_baseline();
    open("transpose_tiled", {{"W", "128"}, {"H", "128"}, {"PAD", "1"}});
    EXPECT_THAT(verdict(), AllOf(HasSubstr("shared loads 32 → 1 wavefronts per request"),
                                 HasSubstr("modelled launch cycles (−"), Not(HasSubstr("data touched"))));
    open("transpose_tiled", {{"W", "128"}, {"H", "64"}, {"PAD", "1"}});
    EXPECT_THAT(verdict(), HasSubstr("131 kB → 66 kB of data touched"));
}

TEST_F(KindsOfBaselines, two_kernels) {
    open("matmul_naive", {{"N", "64"}});
    session.keep_baseline();
    open("matmul_tiled", {{"M", "64"}, {"N", "64"}, {"K", "64"}});
    EXPECT_THAT(verdict(), AllOf(HasSubstr("global loads"), HasSubstr("shared loads 0 →")));
    EXPECT_EQ(session.comparison(Level::ptx)->settings, "matmul_naive → matmul_tiled");
}

TEST_F(KindsOfBaselines, every_view_of_two_runs_in_the_window) {
    session.set_values_reader([pipeline = make_pipeline()](const Scene& scene, const ValuesQuestion& question,
                                                           const std::function<bool()>& cancelled) {
        return values_of_scene(*pipeline, scene, question, cancelled);
    });
    open("scan_blelloch", {{"n", "128"}, {"block", "64"}, {"PAD", "0"}});
    session.keep_baseline();
    open("scan_blelloch", {{"n", "128"}, {"block", "64"}, {"PAD", "1"}});
    const std::pair<const char*, const char*> views[] = {
        {"hierarchy", "PAD=0 → PAD=1: "}, {"pipeline", "a block computes in "},
        {"tree", "PAD=0 → PAD=1: "},      {"passes", "to the PTX of PAD=0 and "},
        {"values", "PAD=0 → PAD=1: "},    {"streams", "does not use streams"}};
    for (const auto& [view, words] : views) {
        frame.open_view(view);
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        do {
            ui.frame(2);
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        } while (!ui.shows(words) && std::chrono::steady_clock::now() < end);
        EXPECT_TRUE(ui.shows(words)) << view;
    }
}

TEST_F(KindsOfBaselines, two_texts_of_one_file) {
    if (!make_pipeline()->compiler().description().starts_with("NVRTC "))
        GTEST_SKIP() << "needs NVRTC: own files have no shipped PTX";
    instrumentation::KernelFile file =
        *instrumentation::find_kernel(catalogue().value(), "shared_stride").value();
    file.path = "/nowhere/mine.cu";
    session.open_kernel(std::make_shared<const instrumentation::KernelFile>(file));
    session.set_knobs({{"stride", "32"}});
    settle();
    session.keep_baseline();
    std::size_t changed = 0;  // in the kernel and in its golden check
    for (auto at = file.source.find("* stride"); at != std::string::npos;
         at = file.source.find("* stride", at), ++changed)
        file.source.replace(at, 8, "* (stride + 1)");
    ASSERT_EQ(changed, 2u);
    session.replace_kernel(std::make_shared<const instrumentation::KernelFile>(file));
    settle();
    EXPECT_THAT(verdict(), HasSubstr("shared loads 32 → 1 wavefronts per request"));
    session.keep_baseline();
    ASSERT_EQ(session.baselines.all().size(), 2u) << "another text is another run";
    EXPECT_NE(session.baselines.all()[0].name, session.baselines.all()[1].name);
}

TEST_F(KindsOfBaselines, two_gpus_by_their_time_and_not_by_their_cycles) {
    open("transpose_tiled", {{"W", "128"}, {"H", "128"}, {"PAD", "0"}});
    session.keep_baseline();
    session.set_gpu("A100");
    settle();
    EXPECT_THAT(verdict(), AllOf(HasSubstr("µs modelled"), Not(HasSubstr("cycles"))));
    EXPECT_TRUE(ui.shows("cycles of different clocks"));
}

TEST_F(KindsOfBaselines, the_cpu_engine_and_a_recording_and_two_recordings) {
    open("transpose_tiled", {{"PAD", "0"}});
    session.keep_baseline();
    session.set_engine(Engine::recorded);
    settle();
    EXPECT_THAT(verdict(), AllOf(HasSubstr("modelled from 3 of 8 blocks of an SM after"),
                                 HasSubstr("simulated by the CPU engine before, counted on a GPU after")));
    session.keep_baseline();
    session.set_parameter("PAD", "1");
    settle();
    EXPECT_THAT(verdict(), AllOf(HasSubstr("µs measured (−"), Not(HasSubstr("CPU engine"))));
}

}  // namespace
}  // namespace warplens::app
