// Whose code is timed: counts are the PTX's unless --level says otherwise, times the machine code's where it
// can be had, and each time says which.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/command_line/target.h"
#include "app/pipeline/sweep.h"
#include "tests/support/read_json.h"
#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

#ifdef WARPLENS_SASS
constexpr bool has_machine_code = true;  // of the catalogue's kernels it is shipped
#else
constexpr bool has_machine_code = false;
#endif
constexpr const char* no_machine_code = "this Warplens was built without the machine level (WARPLENS_SASS)";

class TimeLevel : public TypedCommands {
  protected:
    static json report(std::vector<std::string> words, const char* level = "") {
        words.insert(words.begin(), "report");
        words.insert(words.end(), {"--format", "json", "--check-races", "off"});
        if (*level) words.insert(words.end(), {"--level", level});
        const Outcome outcome = warplens(words);
        EXPECT_LE(outcome.code, 1) << outcome.error;
        return read_json(outcome.out);
    }
    static std::string text(std::vector<std::string> words) { return warplens(std::move(words)).out; }
};

TEST_F(TimeLevel, the_machine_level_counts_the_words_of_a_constant_load_as_the_ptx_does) {
    if (!has_machine_code) GTEST_SKIP() << no_machine_code;
    if (!make_pipeline()->compiler().description().starts_with("NVRTC "))
        GTEST_SKIP() << "other settings than the shipped ones take NVRTC to compile";
    for (const int spread : {8, 32}) {
        const std::vector<std::string> words{"constant_broadcast", "--set", fmt::format("SPREAD={}", spread)};
        const json ptx = report(words, "ptx")["constant_load"],
                   machine = report(words, "machine")["constant_load"];
        ASSERT_GT(machine["requests"], 0) << spread;
        EXPECT_EQ(machine["wavefronts"], machine["requests"].get<int>() * spread);
        EXPECT_EQ(machine["wavefronts"], ptx["wavefronts"]) << spread;
    }
}

TEST_F(TimeLevel, a_report_counts_the_ptx_and_times_the_machine_code) {
    const std::vector<std::string> words{"matmul_tiled", "--set", "N=64", "--set", "M=64", "--set", "K=64"};
    const json usual = report(words), ptx = report(words, "ptx");
    for (const char* counts : {"level", "steps", "shared_load", "global_load", "divergence", "sites"})
        EXPECT_EQ(usual[counts], ptx[counts]) << counts;
    EXPECT_EQ(usual["roofline"]["flops"], ptx["roofline"]["flops"]);
    EXPECT_EQ(ptx["schedule"]["level"], "PTX");
    EXPECT_FALSE(ptx["schedule"].contains("why_ptx")) << "it was asked for";
    if (!has_machine_code) {
        EXPECT_EQ(usual["schedule"]["why_ptx"], no_machine_code);
        EXPECT_EQ(usual["schedule"]["cycles"], ptx["schedule"]["cycles"]);
        return;
    }
    const json machine = report(words, "machine");
    EXPECT_EQ(usual["schedule"], machine["schedule"]) << "limiting, stalls and cycles are of one schedule";
    EXPECT_EQ(usual["schedule"]["level"], "machine");
    EXPECT_NE(usual["schedule"]["cycles"], ptx["schedule"]["cycles"]);
    EXPECT_EQ(usual["roofline"]["modelled_seconds"], machine["roofline"]["modelled_seconds"]);
    EXPECT_NE(machine["steps"], ptx["steps"]);
}

TEST_F(TimeLevel, a_report_has_the_counts_of_the_machine_code_beside_those_of_the_ptx) {
    const std::vector<std::string> words{"matmul_tiled", "--set", "N=64", "--set", "M=64", "--set", "K=64"};
    const json usual = report(words);
    EXPECT_FALSE(report(words, "ptx").contains("machine_code_absent")) << "it was not asked for";
    EXPECT_TRUE(report(words, "ptx")["machine_code"].is_null());
    std::vector<std::string> as_text{"report", "--no-advice"};
    as_text.insert(as_text.end(), words.begin(), words.end());
    if (!has_machine_code) {
        EXPECT_EQ(usual["machine_code_absent"], no_machine_code);
        EXPECT_THAT(text(as_text), HasSubstr(fmt::format("Machine code  not counted: {}", no_machine_code)));
        return;
    }
    const json machine = report(words, "machine"), &beside = usual["machine_code"];
    EXPECT_EQ(beside["steps"], machine["steps"]);
    EXPECT_EQ(beside["shared_load.requests"], machine["shared_load"]["requests"]);
    EXPECT_EQ(beside["shared_load.wavefronts"], machine["shared_load"]["wavefronts"]);
    EXPECT_EQ(beside["divergence.branches"], machine["divergence"]["branches"]);
    EXPECT_EQ(beside["golden"], "passed");
    EXPECT_FALSE(beside.contains("roofline.flops")) << "the roofline is of one level";
    EXPECT_LT(beside["shared_load.requests"], usual["shared_load"]["requests"]) << "loads are merged";
    EXPECT_THAT(text(as_text),
                AllOf(HasSubstr("Machine code  executed as well"), HasSubstr("  shared_load.requests "),
                      Not(HasSubstr("  global_load.sectors ")), HasSubstr("Every other count is the same")));
}

TEST_F(TimeLevel, the_text_says_whose_code_was_timed_and_why_not_the_machine_code) {
    const char* usual = has_machine_code ? "Time (modelled from machine code)" : "Time (modelled from PTX)";
    const std::vector<std::string> quick{"report", "saxpy", "--no-advice", "--check-races", "off"};
    EXPECT_THAT(text(quick), AllOf(HasSubstr(usual), HasSubstr("simulated at PTX level")));
    auto words = quick;
    words.insert(words.end(), {"--level", "ptx"});
    EXPECT_THAT(text(words), AllOf(HasSubstr("Time (modelled from PTX)"), Not(HasSubstr("timed from PTX:"))));
    words = quick;
    words.insert(words.end(), {"--gpu", "V100"});
    EXPECT_THAT(text(words), AllOf(HasSubstr("Time (modelled from PTX)"),
                                   HasSubstr(has_machine_code ? "note: timed from PTX: the V100 is sm_70"
                                                              : no_machine_code)));
}

/// CUDA 13 makes no code for a V100, so that there is only the code for an H200.
TEST_F(TimeLevel, code_for_another_gpu_is_not_timed) {
    const json schedule = report({"saxpy", "--gpu", "V100"})["schedule"];
    EXPECT_EQ(schedule["level"], "PTX");
    const char* why = has_machine_code ? "machine code" : no_machine_code;
    EXPECT_THAT(schedule["why_ptx"].get<std::string>(), HasSubstr(why));
}

TEST_F(TimeLevel, blocks_that_differ_in_work_are_timed_on_the_sm_that_ends_last) {
    if (!has_machine_code) GTEST_SKIP() << "there is no machine code";
    const std::vector<std::string> words{"mandelbrot"};
    EXPECT_EQ(report(words)["schedule"], report(words, "machine")["schedule"]);
}

/// Blocks at the border end early, and the SMs differ by about the share that is not worth a second look.
TEST_F(TimeLevel, a_report_a_trace_and_another_level_of_counts_time_the_same_sm) {
    const std::string blur =
        file("blur.cu",
             "__global__ void blur(float* out, const float* in, int w, int h) {\n"
             "    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;\n"
             "    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;\n"
             "    const float* p = in + y * w + x;\n"
             "    out[y * w + x] = 0.2f * (p[0] + p[-1] + p[1] + p[-w] + p[w]);\n"
             "}\n");
    const std::vector<std::string> words{blur,
                                         "--grid",
                                         "16,32",
                                         "--block",
                                         "32,8",
                                         "--arg",
                                         "buffer:f32[131072]=zero",
                                         "--arg",
                                         "buffer:f32[131072]=iota",
                                         "--arg",
                                         "i32=512",
                                         "--arg",
                                         "i32=256"};
    std::vector<std::string> record{"record"};
    record.insert(record.end(), words.begin(), words.end());
    record.insert(record.end(), {"-o", path("blur.wltrace")});
    const Outcome recorded = warplens(record);
    if (!compiles(recorded)) GTEST_SKIP() << "needs NVRTC";
    ASSERT_EQ(recorded.code, 0) << recorded.error;
    EXPECT_EQ(report(words, "ptx")["schedule"]["cycles"],
              report({path("blur.wltrace")})["schedule"]["cycles"]);
    if (!has_machine_code) return;
    EXPECT_EQ(report(words)["schedule"], report(words, "machine")["schedule"]);
}

/// Block 132, of the first SM, waits for a block of another SM.
TEST_F(TimeLevel, blocks_that_need_the_others_are_executed_with_them) {
    const std::string chain = file("chain.cu",
                                   "__global__ void chain(volatile int* left) {\n"
                                   "    while (blockIdx.x == 132 && left[5] == 0) {}\n"
                                   "    left[blockIdx.x] = 1;\n"
                                   "}\n");
    const Outcome outcome = warplens({"report", chain, "--grid", "134", "--block", "1", "--arg",
                                      "buffer:i32[134]=zero", "--format", "json", "--check-races", "off"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    ASSERT_EQ(outcome.code, 0) << outcome.error << outcome.out;
    const json schedule = read_json(outcome.out)["schedule"];
    EXPECT_EQ(schedule["level"], has_machine_code ? "machine" : "PTX") << schedule;
}

/// Each block adds up what those before it have left, so the last one works longest and cannot run alone.
TEST_F(TimeLevel, of_blocks_that_wait_for_others_the_sm_that_ends_last_is_timed) {
    const std::string sums = file("sums.cu",
                                  "__global__ void sums(volatile int* left, int* out) {\n"
                                  "    int sum = 0;\n"
                                  "    for (int b = 0; b < blockIdx.x; ++b) {\n"
                                  "        while (left[b] == 0) {}\n"
                                  "        sum += left[b];\n"
                                  "    }\n"
                                  "    out[blockIdx.x] = sum;\n"
                                  "    left[blockIdx.x] = 1;\n"
                                  "}\n");
    const auto typed = [&](const char* blocks) {
        std::vector<std::string> all{sums, "--arg", "buffer:i32[40]=zero", "--arg", "buffer:i32[40]"};
        all.insert(all.end(), {"--block", "1", "--grid", blocks});
        return all;
    };
    std::vector<std::string> record = typed("40");
    record.insert(record.begin(), "record");
    record.insert(record.end(), {"-o", path("sums.wltrace")});
    const Outcome recorded = warplens(record);
    if (!compiles(recorded)) GTEST_SKIP() << "needs NVRTC";
    ASSERT_EQ(recorded.code, 0) << recorded.error;
    const json ptx = report(typed("40"), "ptx")["schedule"];
    EXPECT_EQ(ptx["cycles"], report({path("sums.wltrace")})["schedule"]["cycles"]);
    EXPECT_GT(ptx["cycles"], report(typed("1"), "ptx")["schedule"]["cycles"].get<double>() + 1000);
    if (!has_machine_code) return;
    const json usual = report(typed("40"))["schedule"];
    EXPECT_EQ(usual, report(typed("40"), "machine")["schedule"]);
    EXPECT_NEAR(usual["cycles"].get<double>() / ptx["cycles"].get<double>(), 1, 0.2);
}

TEST_F(TimeLevel, a_recording_is_timed_from_its_kernels_machine_code_and_a_trace_from_its_ptx) {
    const json recorded = report({"saxpy", "--engine", "recorded"});
    EXPECT_EQ(recorded["schedule"]["level"], has_machine_code ? "machine" : "PTX");
    EXPECT_EQ(recorded["level"], "PTX");
    ASSERT_EQ(warplens({"record", "saxpy", "-o", path("saxpy.wltrace")}).code, 0);
    const json trace = report({path("saxpy.wltrace")});
    EXPECT_EQ(trace["schedule"]["level"], "PTX");
    EXPECT_THAT(trace["schedule"]["why_ptx"].get<std::string>(),
                HasSubstr("does not contain its machine code"));
}

json metric_row(const json& compared, const std::string& name) {
    for (const json& row : compared["metrics"])
        if (row["metric"] == name) return row;
    return {};
}

TEST_F(TimeLevel, two_runs_are_compared_at_one_level) {
    const std::vector<std::string> quick{"report", "saxpy", "--check-races", "off", "--format", "json"};
    auto words = quick;
    words.insert(words.end(), {"--versus", "vector_add"});
    const json both = read_json(text(words));
    EXPECT_EQ(metric_row(both, "schedule.cycles")["level"], has_machine_code ? "machine level" : "PTX level");
    EXPECT_EQ(metric_row(both, "steps")["level"], "PTX level");
    // One side has no machine code that runs to its end: the other is timed from PTX, too.
    const json ptx_cycles = report({"saxpy"}, "ptx")["schedule"]["cycles"];
    for (const bool first : {true, false}) {
        words = quick;
        if (first) words.insert(words.end(), {"--gpu", "V100"});
        words.insert(words.end(), {"--versus", first ? "gpu=H200" : "gpu=V100"});
        const json one = read_json(text(words));
        const json cycles = metric_row(one, "schedule.cycles");
        EXPECT_EQ(cycles["level"], "PTX level");
        EXPECT_EQ(cycles[first ? "after" : "before"], ptx_cycles);
        EXPECT_THAT(one["cautions"].dump(), HasSubstr("The times are modelled from PTX, because of "));
    }
}

TEST_F(TimeLevel, a_kept_report_is_compared_at_its_level) {
    const auto kept = [&](const char* level) {
        std::vector<std::string> words{"report", "saxpy", "--format", "json", "--check-races", "off"};
        if (*level) words.insert(words.end(), {"--level", level});
        return file(std::string("kept") + level + ".json", warplens(words).out);
    };
    for (const char* level : {"ptx", ""}) {
        const Outcome same = warplens({"check", "saxpy", "--versus", kept(level), "--check-races", "off",
                                       "--max-worse", "schedule.cycles=0%"});
        EXPECT_EQ(same.code, 0) << level << same.out << same.error;
    }
    if (!has_machine_code) return;
    const Outcome other = warplens({"check", "saxpy", "--versus", kept("machine"), "--check-races", "off"});
    EXPECT_EQ(other.code, 2);
    EXPECT_THAT(other.error, HasSubstr("counts at machine level, and this run of counts at PTX level"));
    EXPECT_EQ(warplens({"check", "saxpy", "--versus", kept("machine"), "--level", "machine"}).code, 0);
}

TEST_F(TimeLevel, a_limit_says_whose_time_it_judges) {
    const auto check = [](std::vector<std::string> more) {
        std::vector<std::string> words{"check", "saxpy", "--check-races",
                                       "off",   "--max", "schedule.cycles=1"};
        words.insert(words.end(), more.begin(), more.end());
        const Outcome outcome = warplens(words);
        EXPECT_EQ(outcome.code, 1) << outcome.error;
        return outcome.out;
    };
    const char* usual = has_machine_code ? "(modelled from machine code)" : "(modelled from PTX)";
    EXPECT_THAT(check({}), HasSubstr(usual));
    EXPECT_THAT(check({"--level", "ptx"}), HasSubstr("(modelled from PTX)"));
    const json limits = read_json(check({"--level", "ptx", "--format", "json"}))["checks"][0]["limits"];
    EXPECT_EQ(limits[0]["level"], "PTX");
    const std::string file_of_limits = file("limits.toml",
                                            "checks = [ { kernel = \"saxpy\", level = \"ptx\", max = { "
                                            "schedule.cycles = 1 } } ]");
    EXPECT_THAT(warplens({"check", "--limits", file_of_limits}).out, HasSubstr("(modelled from PTX)"));
}

TEST_F(TimeLevel, a_sweep_says_whose_code_was_timed) {
    const auto sweep = [](std::vector<std::string> more) {
        std::vector<std::string> words{"sweep",    "saxpy",           "--over",   "n=1024,4096",
                                       "--metric", "schedule.cycles", "--metric", "steps"};
        words.insert(words.end(), more.begin(), more.end());
        const Outcome outcome = warplens(words);
        EXPECT_EQ(outcome.code, 0) << outcome.error;
        return outcome.out;
    };
    const char* usual = has_machine_code ? "machine" : "PTX";
    EXPECT_THAT(sweep({}), HasSubstr(has_machine_code ? "cycles, modelled from machine code"
                                                      : "cycles, modelled from PTX"));
    EXPECT_THAT(sweep({"--level", "ptx"}), HasSubstr("cycles, modelled from PTX"));
    const json swept = read_json(sweep({"--format", "json"}));
    EXPECT_EQ(swept["level"], "PTX");
    EXPECT_EQ(swept["metrics"][0]["level"], usual);
    EXPECT_EQ(swept["metrics"][1]["level"], "PTX");
    EXPECT_THAT(sweep({"--format", "csv"}),
                AllOf(HasSubstr("n,schedule.cycles,steps,level_of_times,remark\n"),
                      HasSubstr(std::string(",") + usual + ",\n")));
    if (!has_machine_code) return;
    EXPECT_THAT(sweep({"--level", "machine"}), HasSubstr("  at machine level"));
    const json of_report = report({"saxpy", "--set", "n=4096"});
    EXPECT_EQ(swept["rows"][1]["values"]["schedule.cycles"], of_report["schedule"]["cycles"]);
}

/// A report that was timed at a level; none: it has no time.
std::shared_ptr<const analysis::LaunchReport> timed(std::optional<Level> level) {
    auto report = std::make_shared<analysis::LaunchReport>();
    if (!level) return report;
    report->schedule.emplace().level = *level;
    report->schedule->launch.cycles = 100;
    return report;
}

TEST(sweep_level, the_first_point_with_a_time_decides_for_all) {
    SweepPlan plan;
    plan.axes = {{"n", {"0", "1", "2", "3"}}};
    plan.metrics = {analysis::find_metric("schedule.cycles"), analysis::find_metric("steps")};
    for (const Level first : {Level::machine, Level::ptx})
        for (const int workers : {1, 3}) {
            SweepOptions options;
            options.workers = workers;
            const auto sweep = run_sweep(
                plan,
                [&](const std::vector<std::string>& at,
                    const PointRun& run) -> Result<std::shared_ptr<const analysis::LaunchReport>> {
                    if (at[0] == "3") return timed(std::nullopt);
                    EXPECT_EQ(run.level_of_times.has_value(), at[0] != "2");
                    // The machine code of point 1 does not run to its end.
                    const bool from_ptx = at[0] == "1" || run.level_of_times == Level::ptx;
                    return timed(at[0] == "2" ? first : from_ptx ? Level::ptx : Level::machine);
                },
                options);
            ASSERT_TRUE(sweep);
            EXPECT_EQ(sweep->level_of_times, first);
            EXPECT_EQ(sweep->rows[2].values[0], 100);
            EXPECT_EQ(sweep->rows[0].values[0], 100);
            EXPECT_EQ(sweep->rows[1].values[0].has_value(), first == Level::ptx);
            EXPECT_EQ(sweep->rows[1].values[1], 0) << "counts are of one level";
            const char* why = "the times of the others are modelled from machine code, this one's from PTX";
            EXPECT_EQ(sweep->rows[1].absent, first == Level::machine ? why : "");
        }
}

TEST_F(TimeLevel, a_gpu_without_machine_code_is_not_told_that_only_one_gpu_has_some) {
    if (!has_machine_code) GTEST_SKIP() << "no code at all";
    EXPECT_THAT(refusal({"report", "saxpy", "--set", "n=1000", "--gpu", "V100", "--level", "machine"}),
                HasSubstr("the V100 is sm_70, and its machine code is not available here"));
}

TEST_F(TimeLevel, a_launch_whose_threads_all_leave_before_their_first_access_is_timed) {
    const std::string source =
        file("leaves.cu",
             "__global__ void k(float* out, int n) {\n"
             "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) out[i] = 1;\n}\n");
    const Outcome outcome = warplens({"report", source, "--grid", "4", "--block", "256", "--arg",
                                      "buffer:f32[1024]", "--arg", "i32=0", "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("launch cycles"), Not(HasSubstr("holds no addresses"))));
}

}  // namespace
}  // namespace warplens::app
