// The machine level in a Session: it comes after the Scene, belongs to one Scene only, and its times are
// shown where they are known.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <latch>
#include <new>
#include <thread>

#include "app/scene/level_of_time.h"
#include "app/scene/machine_code.h"
#include "app/session/session.h"
#include "tests/app/example_scene.h"
#include "tests/app/scripted_model.h"

namespace warplens::app {
namespace {

using namespace std::chrono_literals;

/// Polls until it holds, ten seconds at most.
template <class Holds>
bool comes_true(Session& session, Holds&& holds) {
    const auto end = std::chrono::steady_clock::now() + 10s;
    while (!holds()) {
        if (std::chrono::steady_clock::now() > end) return false;
        session.poll();
        std::this_thread::yield();
    }
    return true;
}

std::shared_ptr<MachineCode> machine_code(std::string target) {
    auto code = std::make_shared<MachineCode>();
    code->target = std::move(target);
    return code;
}

struct MachineStage {
    ScriptedRun run;
    ScriptedModel model;
    Session session{example_catalogue(), run.run(), run.wake(), model.model()};
    std::atomic<int> asked = 0;

    bool has_machine_code() { return session.scene() && session.scene()->machine; }
    /// Opens a kernel and waits for its Scene with all that belongs to it.
    bool open(const char* kernel) {
        session.open_kernel(kernel);
        return comes_true(session, [&] { return !session.busy() && has_machine_code(); });
    }
};

TEST(session_machine, the_machine_level_arrives_after_the_scene_and_is_no_new_scene) {
    MachineStage stage;
    stage.session.set_machine_runner(
        [&](const Scene& scene, const auto&) {
            ++stage.asked;
            return machine_code("of " + scene.trace->launch.kernel);
        },
        0ms);
    ASSERT_TRUE(stage.open("saxpy"));
    const Scene& scene = *stage.session.scene();
    EXPECT_EQ(scene.machine->target, "of saxpy");
    EXPECT_EQ(scene.generation, 1u);
    ASSERT_TRUE(scene.timing) << "what came before stays";
    EXPECT_EQ(stage.asked, 1);
    // Another question to the model keeps it and does not ask again.
    TimingOptions options;
    options.no_bank_conflicts = true;
    stage.session.set_timing(options);
    ASSERT_TRUE(comes_true(stage.session, [&] { return !stage.session.busy(); }));
    EXPECT_TRUE(stage.session.scene()->machine);
    EXPECT_EQ(stage.asked, 1);
}

/// The machine code of the Scene's own instructions, in which all waits are for one of them.
std::shared_ptr<MachineCode> waits_for(const Scene& scene, SiteId site) {
    auto code = machine_code("sm_90");
    code->program = scene.trace->program;
    code->trace = scene.trace;
    code->report = scene.report;
    auto timing = std::make_shared<SceneTiming>(*scene.timing);
    timing->cost.sites.assign(code->program.sites.size(), {});
    timing->cost.sites[site] = {1, 90, 90};
    timing->cost.issue_slots = 100;
    code->timing = std::move(timing);
    return code;
}

TEST(session_machine, its_times_choose_the_default_selection_and_leave_a_persons_alone) {
    for (const bool selected : {false, true}) {
        MachineStage stage;
        std::latch chosen(1);
        std::atomic<SiteId> dear = no_index;
        stage.session.set_machine_runner(
            [&](const Scene& scene, const auto&) {
                chosen.wait();
                return waits_for(scene, dear);
            },
            0ms);
        stage.session.open_kernel("saxpy");
        ASSERT_TRUE(
            comes_true(stage.session, [&] { return stage.session.scene() && !stage.session.busy(); }));
        const Scene& before = *stage.session.scene();
        stage.session.select_default("map");
        Spot& spot = stage.session.selection.chosen;
        const Spot first = spot;
        const auto& sites = before.trace->program.sites;
        for (SiteId site = 0; site < sites.size(); ++site)
            if (sites[site].line != 0 && sites[site].line != sites[first.site].line) dear = site;
        ASSERT_NE(dear, no_index);
        const std::uint32_t dear_line = sites[dear].line;
        if (selected) spot.lane = 5;
        const Spot mine = spot;
        chosen.count_down();
        ASSERT_TRUE(comes_true(stage.session, [&] { return stage.has_machine_code(); }));
        if (selected) EXPECT_EQ(spot, mine);
        else EXPECT_EQ(stage.session.scene()->trace->program.sites[spot.site].line, dear_line);
    }
}

TEST(session_machine, a_newer_run_cancels_it_and_its_answer_is_not_shown) {
    MachineStage stage;
    std::latch begun(1);
    std::atomic<bool> was_cancelled = false;
    stage.session.set_machine_runner(
        [&](const Scene& scene, const std::function<bool()>& cancelled) {
            if (scene.trace->launch.kernel == "saxpy") {
                begun.count_down();
                const auto end = std::chrono::steady_clock::now() + 10s;
                while (!cancelled() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
                was_cancelled = cancelled();
            }
            return machine_code("of " + scene.trace->launch.kernel);
        },
        0ms);
    stage.session.open_kernel("saxpy");
    ASSERT_TRUE(comes_true(stage.session, [&] { return begun.try_wait(); }));
    ASSERT_TRUE(stage.open("transpose_tiled"));
    EXPECT_TRUE(was_cancelled);
    EXPECT_EQ(stage.session.scene()->machine->target, "of transpose_tiled");
}

TEST(session_machine, a_launch_that_does_not_fit_into_memory_says_so) {
    MachineStage stage;
    stage.session.set_machine_runner(
        [](const Scene&, const auto&) -> std::shared_ptr<const MachineCode> { throw std::bad_alloc(); }, 0ms);
    ASSERT_TRUE(stage.open("saxpy"));
    EXPECT_NE(stage.session.scene()->machine->absent.find("not enough memory"), std::string::npos);
    EXPECT_EQ(timing_at(*stage.session.scene(), Level::machine).level, Level::ptx);
}

TEST(session_machine, without_a_runner_there_is_none) {
    MachineStage stage;
    stage.session.open_kernel("saxpy");
    ASSERT_TRUE(comes_true(stage.session, [&] { return !stage.session.busy(); }));
    EXPECT_FALSE(stage.session.scene()->machine);
    EXPECT_NE(why_not_machine_level(*stage.session.scene()), "");
}

TEST(session_machine, its_times_answer_what_if_questions_too) {
    MachineStage stage;
    stage.session.set_machine_runner(
        [&](const Scene& scene, const auto&) {
            ++stage.asked;
            auto code = machine_code("sm_90");
            code->report = scene.report;
            code->trace = scene.trace;
            SceneTiming timing;
            timing.schedule = timing.baseline = schedule_of_cycles(15'000);
            code->timing = std::make_shared<const SceneTiming>(std::move(timing));
            return code;
        },
        0ms);
    ASSERT_TRUE(stage.open("transpose_tiled"));
    const auto shown = [&] { return timing_at(*stage.session.scene(), Level::machine); };
    EXPECT_EQ(shown().timing->schedule->launch.cycles, 15'000);
    EXPECT_EQ(timing_at(*stage.session.scene(), Level::ptx).timing->schedule->launch.cycles, 19'401);
    EXPECT_EQ(shown().level, Level::machine);
    const auto answers = [&] { return stage.session.scene()->machine->what_if; };
    ASSERT_TRUE(comes_true(stage.session, [&] { return answers() && answers()->complete(); }));
    EXPECT_EQ(answers()->baseline_cycles, 15'000);
    TimingOptions options;
    options.no_bank_conflicts = true;
    stage.session.set_timing(options);
    ASSERT_TRUE(comes_true(stage.session, [&] {
        return !stage.session.busy() && shown().level == Level::machine && shown().timing->options == options;
    }));
    EXPECT_EQ(stage.asked, 1) << "it is timed again, not executed again";
    EXPECT_EQ(at_machine_level(*stage.session.scene())->what_if, answers());
}

TEST(session_machine, a_comparison_shows_both_runs_at_one_level) {
    MachineStage stage;
    stage.session.set_machine_runner(
        [&](const Scene& scene, const auto&) {
            auto code = machine_code("sm_90");
            if (scene.trace->launch.kernel == "saxpy") {
                code->absent = "No machine code.";
                return code;
            }
            SceneTiming timing;
            timing.schedule = timing.baseline = schedule_of_cycles(15'000);
            code->timing = std::make_shared<const SceneTiming>(std::move(timing));
            return code;
        },
        0ms);
    ASSERT_TRUE(stage.open("transpose_tiled"));
    stage.session.keep_baseline();
    const auto before = stage.session.baselines.chosen()->scene;
    EXPECT_EQ(common_level(*before, nullptr, Level::machine), Level::machine);
    EXPECT_EQ(common_level(*before, before.get(), Level::ptx), Level::ptx);
    ASSERT_TRUE(stage.open("saxpy"));
    EXPECT_EQ(common_level(*stage.session.scene(), before.get(), Level::machine), Level::ptx);
    ASSERT_TRUE(stage.session.comparison(Level::machine));
    EXPECT_EQ(stage.session.comparison(Level::machine)->verdict,
              stage.session.comparison(Level::ptx)->verdict);
}

}  // namespace
}  // namespace warplens::app
