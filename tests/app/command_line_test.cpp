// The command line as a person types it: its output, its error messages, and its exit code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/command_line/commands.h"
#include "app/command_line/target.h"
#include "tests/support/read_json.h"
#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

using CommandLine = TypedCommands;

TEST_F(CommandLine, a_range_of_blocks_is_written_upwards_and_named_whole) {
    EXPECT_THAT(refusal({"report", "saxpy", "--blocks", "5-2"}), HasSubstr("--blocks 5-2: 5 comes after 2"));
    EXPECT_THAT(refusal({"report", "saxpy", "--blocks", "1,,2"}), HasSubstr("--blocks 1,,2: ''"));
    EXPECT_THAT(refusal({"report", "saxpy", "--blocks", "0,99"}), HasSubstr("numbered 0 to 39"));
    EXPECT_THAT(refusal({"report", "saxpy", "--grid", "2000000000", "--blocks", "0-1999999999"}),
                HasSubstr("at most 16777216"));
}

TEST_F(CommandLine, a_recorded_trace_is_not_changed_by_flags) {
    const std::string trace = path("t.wltrace");
    ASSERT_EQ(warplens({"record", "saxpy", "--set", "n=100", "-o", trace}).code, 0);
    EXPECT_EQ(warplens({"report", trace}).code, 0);
    EXPECT_THAT(refusal({"report", trace, "--set", "n=3"}), HasSubstr("--set cannot change"));
    EXPECT_THAT(refusal({"report", trace, "--blocks", "0"}), HasSubstr("--blocks cannot change"));
    EXPECT_THAT(refusal({"shot", trace, "--view", "lanes", "-o", path("x.png"), "--gpu", "A100"}),
                HasSubstr("--gpu cannot change"));
    EXPECT_FALSE(fs::exists(path("x.png")));
}

TEST_F(CommandLine, a_report_shows_modelled_time_and_the_roofline) {
    const auto json_of = [&](std::vector<std::string> words) {
        words.insert(words.end(), {"--format", "json"});
        const Outcome outcome = warplens(std::move(words));
        EXPECT_EQ(outcome.code, 0) << outcome.error;
        return read_json(outcome.out);
    };
    const auto launch = json_of({"report", "saxpy", "--set", "n=100000"});
    const auto& schedule = launch["schedule"];
    ASSERT_TRUE(schedule.is_object()) << launch.value("schedule_absent", "");
    EXPECT_EQ(schedule["provenance"], "modelled");
    EXPECT_GT(schedule["cycles"].get<double>(), 100);
    EXPECT_EQ(schedule["blocks_on_sm"], 3) << "391 blocks on 132 SMs";
    EXPECT_EQ(schedule["blocks_modelled"], 3);
    double sum = 0;
    for (const auto& [name, share] : schedule["stalls"].items()) sum += share.get<double>();
    EXPECT_NEAR(sum, 1, 1e-9);
    const auto& roofline = launch["roofline"];
    EXPECT_EQ(roofline["flops"], 200'000) << "a fused multiply-add an element";
    EXPECT_EQ(roofline["dram_read_bytes_ideal"], 800'000);
    EXPECT_EQ(roofline["dram_write_bytes_ideal"], 400'000);
    EXPECT_EQ(roofline["estimated"], false);

    const auto sample = json_of({"report", "saxpy", "--set", "n=100000", "--blocks", "0-9"})["roofline"];
    EXPECT_EQ(sample["estimated"], true);
    EXPECT_NEAR(sample["flops"].get<double>(), 200'000, 1'000);
    EXPECT_NEAR(sample["dram_read_bytes_ideal"].get<double>(), 800'000, 4'000);

    const std::string trace = path("t.wltrace");
    ASSERT_EQ(warplens({"record", "saxpy", "--set", "n=100000", "-o", trace}).code, 0);
    const auto recorded = json_of({"report", trace});
    EXPECT_EQ(recorded["schedule"]["blocks_modelled"], 3);
    EXPECT_EQ(recorded["roofline"]["flops"], 200'000);
    EXPECT_THAT(warplens({"report", "saxpy"}).out,
                AllOf(HasSubstr("Time (modelled from "), HasSubstr("Roofline")));
}

TEST_F(CommandLine, ctrl_c_ends_the_check_of_a_lesson_and_a_picture) {
    expect_stopped_by_ctrl_c({"lesson", "check", "banks"});
    expect_stopped_by_ctrl_c({"shot", "saxpy", "--view", "values", "-o", path("x.svg")});
    EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(CommandLine, a_lesson_that_is_not_there_is_refused_before_a_window_opens) {
    EXPECT_THAT(refusal({"lesson", "bank"}), HasSubstr("there is no lesson `bank`; did you mean `banks`?"));
    EXPECT_THAT(refusal({"lesson", path("none.md")}), HasSubstr("none.md"));
    EXPECT_THAT(refusal({"lesson", "banks", "--step", "99"}), HasSubstr("--step 99: banks has steps 1 to "));
}

TEST_F(CommandLine, a_picture_is_drawn_in_the_format_its_name_asks_for) {
    const auto shot = [&](const std::string& name) {
        return std::vector<std::string>{"shot", "saxpy", "--set", "n=1000", "--view", "sectors", "-o", name};
    };
    EXPECT_EQ(warplens(shot(path("x.svg"))).code, 0);
    std::ifstream file(path("x.svg"));
    EXPECT_THAT(std::string(std::istreambuf_iterator<char>(file), {}),
                AllOf(HasSubstr("<svg xmlns=\"http://www.w3.org/2000/svg\""), HasSubstr("saxpy")));
    EXPECT_EQ(warplens(shot("/dev/null")).code, 0) << "a device has no ending: a PNG";
    EXPECT_THAT(refusal(shot(path("x.jpg"))), AllOf(HasSubstr(".png"), HasSubstr(".svg")));
    EXPECT_THAT(refusal(shot(path("none/x.svg"))), HasSubstr("none/x.svg cannot be written"));
    fs::remove(path("x.svg"));
    EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(CommandLine, a_picture_has_callouts_or_says_what_can_be_marked) {
    const auto shot = [&](std::vector<std::string> more) {
        std::vector<std::string> words{"shot",   "saxpy",   "--set", "n=1000",
                                       "--view", "sectors", "-o",    path("x.svg")};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    };
    const auto picture = [&] {
        std::ifstream file(path("x.svg"));
        return std::string(std::istreambuf_iterator<char>(file), {});
    };
    ASSERT_EQ(warplens(shot({})).code, 0);
    EXPECT_THAT(picture(), Not(HasSubstr("the first lane")));
    ASSERT_EQ(
        warplens(shot({"--annotate", "lane:0=the first lane", "--annotate", "text:bytes=what it moves"}))
            .code,
        0);
    EXPECT_THAT(picture(),
                AllOf(HasSubstr("the first lane"), HasSubstr("what it moves"), HasSubstr(">2</text>")));
    fs::remove(path("x.svg"));
    EXPECT_THAT(refusal(shot({"--annotate", "lane:32=none"})),
                AllOf(HasSubstr("lane:0 to lane:31"), HasSubstr("text:WORDS")));
    EXPECT_THAT(refusal(shot({"--annotate", "lane:0"})), HasSubstr("MARK=WORDS"));
    EXPECT_THAT(refusal({"shot", "saxpy", "--view", "window", "--annotate", "lane:0=x", "-o", path("x.svg")}),
                HasSubstr("not of the window"));
    EXPECT_THAT(refusal(shot({"--scale", "9"})), HasSubstr("from 1 to 4"));
    EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(CommandLine, a_picture_shows_what_was_asked_for_or_says_why_not) {
    const auto shot = [&](const std::string& view, std::vector<std::string> more) {
        std::vector<std::string> words{"shot",   "saxpy", "--set", "n=1000",
                                       "--view", view,    "-o",    path("x.svg")};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    };
    EXPECT_EQ(warplens(shot("sectors", {"--select", "warp=2,lane=5"})).code, 0);
    std::ifstream file(path("x.svg"));
    EXPECT_THAT(std::string(std::istreambuf_iterator<char>(file), {}), HasSubstr("warp 2 of"));
    EXPECT_EQ(warplens(shot("timeline", {"--cycles", "0..100"})).code, 0);
    for (const char* level : {"ptx", "machine"}) {
        const Outcome cycle = warplens(shot("sm", {"--select", "cycle=321", "--level", level}));
        if (cycle.code != 0) {
            EXPECT_THAT(cycle.error, HasSubstr("--level machine"));
            continue;
        }
        std::ifstream picture(path("x.svg"));
        EXPECT_THAT(std::string(std::istreambuf_iterator<char>(picture), {}), HasSubstr("cycle 321 of"));
    }
    fs::remove(path("x.svg"));

    EXPECT_THAT(refusal(shot("sm", {"--select", "cycle=3000000000"})), HasSubstr("the schedule has"));
    EXPECT_THAT(refusal(shot("timeline", {"--level", "machine", "--select", "cycle=3"})),
                HasSubstr("no play head at the machine level"));
    EXPECT_THAT(refusal(shot("sectors", {"--select", "line=1"})), HasSubstr("memory is accessed on lines"));
    EXPECT_THAT(refusal(shot("sectors", {"--select", "colour=1"})), HasSubstr("its parts are line, site"));
    EXPECT_THAT(refusal(shot("sectors", {"--cycles", "0..100"})), HasSubstr("--cycles is for the timeline"));
    EXPECT_THAT(refusal(shot("timeline", {"--cycles", "3000000000..3000000001"})),
                HasSubstr("the schedule has"));
    EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(CommandLine, a_picture_of_two_runs_names_both_or_says_why_one_is_drawn) {
    const auto drawn = [&](std::vector<std::string> words) {
        words.insert(words.begin(), "shot");
        words.insert(words.end(), {"-o", path("x.svg")});
        EXPECT_EQ(warplens(words).code, 0);
        std::ifstream file(path("x.svg"));
        return std::string(std::istreambuf_iterator<char>(file), {});
    };
    const auto rounds = drawn({"warp_aggregate", "--set", "n=1024", "--set", "AGGREGATE=0", "--versus",
                               "AGGREGATE=1", "--view", "atomics"});
    EXPECT_THAT(rounds, AllOf(HasSubstr("AGGREGATE=0"), HasSubstr("AGGREGATE=1"), HasSubstr("outlined: ")));
    EXPECT_THAT(drawn({"saxpy", "--set", "n=1000", "--versus", "warp_reduce", "--view", "exchange"}),
                HasSubstr("has no shuffles, votes or matches to compare with."));
    EXPECT_THAT(drawn({"print_lanes", "--versus", "every=2", "--view", "printed"}),
                AllOf(HasSubstr("only in every=4"), HasSubstr("only in every=2")));
}

TEST_F(CommandLine, export_writes_a_trace_for_the_public_viewers_or_nothing) {
    const auto exporting = [&](std::vector<std::string> more) {
        std::vector<std::string> words{"export", "saxpy", "--set", "n=1000", "-o", path("x.json")};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    };
    const Outcome outcome = warplens(exporting({}));
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("on one SM of H200, modelled"), HasSubstr("ui.perfetto.dev")));
    std::ifstream file(path("x.json"));
    EXPECT_THAT(std::string(std::istreambuf_iterator<char>(file), {}),
                AllOf(HasSubstr("\"traceEvents\""), HasSubstr("\"kernel\":\"saxpy\"")));
    fs::remove(path("x.json"));

    EXPECT_THAT(refusal(exporting({"--cycles", "9..3"})), HasSubstr("--cycles 9..3"));
    EXPECT_THAT(refusal(exporting({"--cycles", "3000000000..3000000001"})), HasSubstr("No warp is resident"));
    EXPECT_THAT(refusal(exporting({"--blocks", "0"})), HasSubstr("--blocks is for report and record"));
    EXPECT_THAT(refusal({"export", "saxpy", "-o", path("x.perfetto")}), HasSubstr("ends in .json"));
    EXPECT_THAT(refusal({"export", "saxpy", "-o", path("none/x.json")}),
                HasSubstr("none/x.json cannot be written"));
    EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(CommandLine, a_recorded_trace_is_exported_when_it_holds_addresses) {
    ASSERT_EQ(warplens({"record", "saxpy", "--set", "n=1000", "-o", path("full.wltrace")}).code, 0);
    EXPECT_EQ(warplens({"export", path("full.wltrace"), "-o", path("x.json")}).code, 0);
    ASSERT_EQ(
        warplens({"record", "saxpy", "--set", "n=1000", "--mode", "light", "-o", path("light.wltrace")}).code,
        0);
    EXPECT_THAT(refusal({"export", path("light.wltrace"), "-o", path("y.json")}),
                HasSubstr("holds no addresses"));
}

TEST_F(CommandLine, list_says_in_which_steps_a_parameter_goes) {
    const Outcome outcome = warplens({"list"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("W=1024 (8..8192:8)"), HasSubstr("n=10000 (1..4194304)")));
}

TEST_F(CommandLine, a_block_beyond_the_launch_bounds_is_refused) {
    const std::string source =
        file("b.cu", "__global__ void __launch_bounds__(64) b(int* a) { a[threadIdx.x] = 1; }\n");
    EXPECT_THAT(refusal({"report", source, "--grid", "1", "--block", "96", "--arg", "buffer:i32[96]"}),
                AnyOf(HasSubstr("__launch_bounds__ allow 64"), HasSubstr("libnvrtc is not in use")));
    const Outcome fits =
        warplens({"report", source, "--grid", "1", "--block", "64", "--arg", "buffer:i32[96]"});
    EXPECT_TRUE(!compiles(fits) || fits.code == 0) << fits.error;
}

TEST_F(CommandLine, a_header_in_a_file_of_one_s_own_makes_it_a_kernel_of_the_catalogue) {
    const std::string source = file("own.cu",
                                    "/*\n[kernel]\ntitle = \"Own\"\n[parameters]\n"
                                    "n = { default = 100, min = 1, max = 1000, help = \"elements\" }\n"
                                    "[buffers]\na = { type = \"f32\", length = \"n\", fill = \"iota\" }\n"
                                    "[launch]\narguments = [\"a\", \"n\"]\ngrid = [\"ceil_div(n, 64)\"]\n"
                                    "block = [\"64\"]\n[golden.a]\n"
                                    "lua = \"return function(i) return 2 * i end\"\n*/\n"
                                    "#include <cstdio>\n"
                                    "__global__ void doubled(float* a, int n) {\n"
                                    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                    "    if (i < n) a[i] *= 2;\n}\n");
    const Outcome outcome = warplens({"report", source, "--set", "n=77", "--format", "json"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("\"golden\": \"passed\""), HasSubstr("\"n\": 77")));
    EXPECT_THAT(refusal({"report", source, "--set", "n=0"}), HasSubstr("it must be 1 to 1000"));
    EXPECT_THAT(refusal({"report", source, "--kernel", "nope"}), HasSubstr("it has doubled"));
}

TEST_F(CommandLine, a_problem_names_the_element_as_the_source_indexes_it) {
    const std::string source =
        file("race.cu",
             "__global__ void race(float* a) {\n__shared__ float tile[2][40];\n"
             "tile[threadIdx.x / 32][threadIdx.x % 32] = a[threadIdx.x];\n"
             "a[threadIdx.x] = tile[1 - threadIdx.x / 32][threadIdx.x % 32 + 1];\n}\n");
    const Outcome outcome =
        warplens({"report", source, "--grid", "1", "--block", "64", "--arg", "buffer:f32[64]"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, HasSubstr("tile[1]["));
    EXPECT_THAT(outcome.out, Not(HasSubstr("tile[4"))) << "elements are not counted through the rows";
}

TEST_F(CommandLine, scalars_reach_the_ends_of_their_types) {
    const std::string source =
        file("s.cu",
             "__global__ void s(unsigned long long u, float f) { if (u != ~0ull || !isinf(f)) __trap(); }\n");
    const Outcome outcome = warplens({"report", source, "--grid", "1", "--block", "1", "--arg",
                                      "u64=18446744073709551615", "--arg", "f32=inf"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_THAT(refusal({"report", source, "--grid", "1", "--block", "1"}),
                HasSubstr("s(unsigned long long u, float f) takes 2 arguments, and --arg gives 0"));
}

TEST_F(CommandLine, a_kernel_that_asks_for_too_much_shared_memory_is_one_sentence) {
    const std::string source = file("big.cu",
                                    "__global__ void big(float* a) { __shared__ float s[13000];\n"
                                    "s[threadIdx.x] = a[0]; __syncthreads(); a[1] = s[2]; }\n");
    EXPECT_THAT(refusal({"report", source, "--grid", "1", "--block", "32", "--arg", "buffer:f32[2]"}),
                AnyOf(HasSubstr("uses too much shared data"), HasSubstr("libnvrtc is not in use")));
}

TEST_F(CommandLine, a_picture_of_a_run_with_problems_is_drawn_and_says_so) {
    const std::string source = file("oob.cu", "__global__ void oob(float* a) { a[threadIdx.x + 8] = 1; }\n");
    const Outcome outcome = warplens({"shot", source, "--grid", "1", "--block", "32", "--arg",
                                      "buffer:f32[32]", "--view", "sectors", "-o", path("oob.png")});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.error, HasSubstr("out_of_bounds"));
    EXPECT_TRUE(fs::exists(path("oob.png")));
}

TEST_F(CommandLine, an_endless_loop_ends_at_the_limit_given) {
    const std::string source = file(
        "e.cu", "__global__ void e(volatile int* a) {\n    while (a[0] == 0) a[threadIdx.x + 1] += 1;\n}\n");
    const Outcome outcome = warplens({"report", source, "--grid", "1", "--block", "256", "--arg",
                                      "buffer:i32[257]=zero", "--max-steps", "5000"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("after 5000 steps"), HasSubstr("--max-steps")));
    EXPECT_THAT(refusal({"report", "saxpy", "--max-steps", "0"}), HasSubstr("not in range 1"));
}

TEST_F(CommandLine, an_engine_is_refused_what_it_cannot_follow) {
    EXPECT_THAT(refusal({"report", "saxpy", "--engine", "gpu"}), HasSubstr("simt (the CPU engine), cuda"));
    EXPECT_THAT(refusal({"report", "saxpy", "--engine", "recorded", "--time-limit", "3"}),
                HasSubstr("a recording is only read"));
    EXPECT_THAT(refusal({"report", "saxpy", "--engine", "cuda", "--gpu", "H100"}), HasSubstr("leave it out"));
    EXPECT_THAT(refusal({"report", "saxpy", "--sms", "0-3"}), HasSubstr("--engine cuda"));
    EXPECT_THAT(parse_sms("0-200", 132).error().message, HasSubstr("the GPU has 132 SMs"));
    EXPECT_EQ(*parse_sms("7,0-2", 132), (std::vector<int>{0, 1, 2, 7}));
    EXPECT_THAT(refusal({"report", "saxpy", "--engine", "recorded", "--max-steps", "9"}),
                HasSubstr("--time-limit"));
    EXPECT_THAT(refusal({"record", "saxpy", "--engine", "recorded", "-o", path("x.wltrace")}),
                HasSubstr("record takes simt or cuda"));
    EXPECT_THAT(refusal({"record", "saxpy", "--mode", "proof", "-o", path("x.wltrace")}),
                HasSubstr("needs one"));
    EXPECT_THAT(refusal({"record", "saxpy", "--mode", "some", "-o", path("x.wltrace")}), HasSubstr("full"));
    EXPECT_FALSE(fs::exists(path("x.wltrace")));
}

TEST_F(CommandLine, settings_that_nobody_recorded_are_refused_with_what_was) {
    EXPECT_THAT(refusal({"report", "saxpy", "--engine", "recorded", "--set", "n=12345"}),
                HasSubstr("recorded are: default; n=4194304"));
    EXPECT_THAT(refusal({"shot", "saxpy", "--engine", "recorded", "--set", "n=12345", "--view", "lanes", "-o",
                         path("x.svg")}),
                HasSubstr("recorded are: default; n=4194304"));
}

TEST_F(CommandLine, two_traces_of_the_same_launch_agree_and_of_others_do_not) {
    ASSERT_EQ(warplens({"record", "saxpy", "--set", "n=1000", "-o", path("a.wltrace")}).code, 0);
    ASSERT_EQ(warplens({"record", "saxpy", "--set", "n=1000", "-o", path("b.wltrace")}).code, 0);
    ASSERT_EQ(warplens({"record", "saxpy", "--set", "n=990", "-o", path("c.wltrace")}).code, 0);
    ASSERT_EQ(warplens({"record", "vector_add", "-o", path("d.wltrace")}).code, 0);
    const Outcome same = warplens({"agree", path("a.wltrace"), path("b.wltrace")});
    EXPECT_EQ(same.code, 0);
    EXPECT_THAT(same.out, HasSubstr("agree: 32 warps"));
    const Outcome other = warplens({"agree", path("a.wltrace"), path("c.wltrace")});
    EXPECT_EQ(other.code, 1);
    EXPECT_THAT(other.out, HasSubstr("differ in 2 of 32 warps"));
    EXPECT_THAT(refusal({"agree", path("a.wltrace"), path("d.wltrace")}), HasSubstr("different PTX"));
    EXPECT_THAT(refusal({"agree", path("a.wltrace")}), HasSubstr("two .wltrace files"));
    EXPECT_THAT(refusal({"agree", "saxpy", "--engine", "simt"}), HasSubstr("always one of the two"));
}

// The picture's run takes a third of this limit, what the view answers the rest.
TEST_F(CommandLine, half_a_picture_is_not_written) {
    const std::string slow =
        file("slow.cu",
             "__global__ void k(float* out) {\n    float a = out[threadIdx.x];\n"
             "    for (int i = 0; i < 20000; ++i) a = a * 1.0001f + out[(i * 33 + threadIdx.x) % 1024];\n"
             "    out[blockIdx.x * blockDim.x + threadIdx.x] = a;\n}\n");
    const std::string picture = path("x.svg");
    const Outcome outcome =
        warplens({"shot", slow, "--grid", "264", "--block", "128", "--arg", "buffer:f32[65536]=zero",
                  "--view", "whatif", "--time-limit", "1.5", "-o", picture});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.error, HasSubstr("stopped at the time limit of 1.5 s (--time-limit); nothing"));
    EXPECT_FALSE(fs::exists(picture));
}

}  // namespace
}  // namespace warplens::app
