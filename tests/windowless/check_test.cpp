// `warplens check` as a person or a build server types it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/read_json.h"
#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using Check = TypedCommands;

const std::vector<std::string> small{"--set", "W=64", "--set", "H=64"};

std::vector<std::string> transpose(std::vector<std::string> more) {
    std::vector<std::string> words{"check", "transpose_tiled"};
    words.insert(words.end(), small.begin(), small.end());
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

TEST_F(Check, a_limit_that_holds_leaves_with_0_and_one_that_does_not_with_1_naming_the_worst_line) {
    const Outcome held = warplens(transpose({"--set", "PAD=1", "--max", "shared_load.conflict_ways=1"}));
    EXPECT_EQ(held.code, 0) << held.error;
    EXPECT_THAT(held.out, AllOf(HasSubstr("holds"), HasSubstr("1 way, at most 1"), HasSubstr("all hold")));

    const Outcome broken = warplens(transpose({"--max", "shared_load.conflict_ways=1"}));
    EXPECT_EQ(broken.code, 1) << broken.error;
    EXPECT_THAT(broken.out, AllOf(HasSubstr("BROKEN"), HasSubstr("32 ways, at most 1"),
                                  HasSubstr("kernels/transpose_tiled.cu:"), HasSubstr("ld.shared"),
                                  HasSubstr("check transpose_tiled --fix"), HasSubstr("(simulated)")));
}

TEST_F(Check, a_bound_itself_is_allowed_from_both_sides) {
    EXPECT_EQ(warplens(transpose({"--max", "shared_load.conflict_ways=32"})).code, 0);
    EXPECT_EQ(warplens(transpose({"--min", "shared_load.conflict_ways=32"})).code, 0);
    EXPECT_EQ(warplens(transpose({"--max", "shared_load.conflict_ways=31.999"})).code, 1);
    EXPECT_EQ(warplens(transpose({"--min", "shared_load.conflict_ways=32.001"})).code, 1);
}

TEST_F(Check, a_metric_that_the_kernel_does_not_have_breaks_its_limit) {
    const Outcome outcome =
        warplens({"check", "saxpy", "--set", "n=100", "--max", "shared_load.conflict_ways=1"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, HasSubstr("has no value: the kernel makes no shared load request"));
    EXPECT_EQ(warplens({"check", "saxpy", "--set", "n=100", "--max", "perturbation.clean_us=9"}).code, 1);
}

TEST_F(Check, a_line_alone_is_checked_by_site) {
    const auto of_json = [&](std::vector<std::string> words) {
        words.insert(words.end(), {"--format", "json"});
        return read_json(warplens(transpose(words)).out)["checks"][0]["limits"][0];
    };
    const auto load = of_json({"--max", "shared_load.conflict_ways=1"});
    EXPECT_EQ(load["measured"], 32);
    EXPECT_EQ(load["holds"], false);
    const std::string line = std::to_string(load["worst"]["line"].get<int>());
    EXPECT_EQ(of_json({"--max", "shared_load.conflict_ways=1", "--site", line})["measured"], 32);
    const auto store = of_json({"--max", "shared_store.conflict_ways=1", "--site", line});
    EXPECT_TRUE(store["measured"].is_null()) << "the line loads";
    EXPECT_THAT(refusal(transpose({"--max", "shared_load.wavefronts=1", "--site", "1"})),
                HasSubstr("nothing executes at this line; the nearest is"));
    EXPECT_THAT(refusal(transpose({"--max", "occupancy.theoretical=1", "--site", line})),
                HasSubstr("of the whole launch"));
}

TEST_F(Check, what_the_kernel_does_wrong_fails_it_unless_allowed) {
    const std::string kernel = file("past_the_end.cu", R"(
extern "C" __global__ void past_the_end(float* out) {
    out[threadIdx.x] = 1.0f;
}
)");
    const std::vector<std::string> words{
        "check", kernel, "--grid", "1", "--block", "64", "--arg", "buffer:f32[32]=zero", "--min", "steps=1"};
    const Outcome wrong = warplens(words);
    if (wrong.error.find("libnvrtc is not in use") != std::string::npos) {
        EXPECT_EQ(wrong.code, 2);
        return;
    }
    EXPECT_EQ(wrong.code, 1);
    EXPECT_THAT(wrong.out, AllOf(HasSubstr("WRONG"), HasSubstr("past_the_end.cu:3: out_of_bounds"),
                                 HasSubstr("1 run with problems")));
    auto allowed = words;
    allowed.emplace_back("--allow-problems");
    EXPECT_EQ(warplens(allowed).code, 0);
}

TEST_F(Check, a_broken_limit_says_why_it_costs_and_what_tries_changes_but_no_remedy_that_nobody_tried) {
    const Outcome banks = warplens({"check", "transpose_tiled", "--max", "shared_load.conflict_ways=1"});
    EXPECT_EQ(banks.code, 1) << banks.error;
    EXPECT_THAT(banks.out, AllOf(HasSubstr("different words of one bank are served in separate wavefronts"),
                                 HasSubstr("`warplens check transpose_tiled --fix`")));
    const Outcome sectors = warplens({"check", "copy_strided", "--set", "stride=8", "--max",
                                      "global_load.over_ideal=1", "--format", "json"});
    EXPECT_THAT(sectors.out, AllOf(HasSubstr("\"reason\": \"Each 32-byte sector that a request touches"),
                                   HasSubstr("`warplens report copy_strided` tries changes")));
}

TEST_F(Check, a_race_fails_it_by_name_and_the_kernel_with_its_barrier_passes) {
    const std::vector<std::string> words{"check", "missing_barrier", "--max", "steps=1000000"};
    const Outcome racy = warplens(words);
    EXPECT_EQ(racy.code, 1) << racy.error;
    EXPECT_THAT(racy.out,
                AllOf(HasSubstr("WRONG   kernels/missing_barrier.cu:"), HasSubstr(": shared_race: "),
                      HasSubstr("no __syncthreads() is executed between the two")));
    auto right = words;
    right.insert(right.end(), {"--set", "BARRIER=1", "--max", "problems=0"});
    const Outcome passes = warplens(right);
    EXPECT_EQ(passes.code, 0) << passes.out;
    EXPECT_THAT(passes.out, AllOf(Not(HasSubstr("races")), HasSubstr("2 limits of 1 run: all hold")));
}

TEST_F(Check, a_limit_of_problems_counts_races_and_says_where_they_were_not_looked_for) {
    const auto problems = [&](std::vector<std::string> more) {
        std::vector<std::string> words{"check", "missing_barrier", "--max", "problems=0", "--format", "json"};
        words.insert(words.end(), more.begin(), more.end());
        return read_json(warplens(words).out)["checks"][0];
    };
    const auto all = problems({}), without = problems({"--check-races", "off"});
    EXPECT_EQ(all["races"]["complete"], true);
    EXPECT_EQ(without["races"]["looked_for"], false);
    EXPECT_GT(all["limits"][0]["measured"], without["limits"][0]["measured"]);
    const Outcome quiet = warplens(
        {"check", "missing_barrier", "--set", "BARRIER=1", "--max", "problems=0", "--check-races", "off"});
    EXPECT_EQ(quiet.code, 0) << quiet.out;
    EXPECT_THAT(quiet.out, HasSubstr("races were not searched for"));
    EXPECT_THAT(refusal({"check", "missing_barrier", "--max", "problems=0", "--check-races", "on", "--engine",
                         "recorded"}),
                HasSubstr("the CPU engine searches for them"));
}

TEST_F(Check, mistakes_are_reported_in_a_sentence_before_anything_runs) {
    EXPECT_THAT(refusal(transpose({"--max", "shared_load.conflict_way=1"})),
                HasSubstr("did you mean `shared_load.conflict_ways`?"));
    EXPECT_THAT(refusal(transpose({"--max", "steps"})), HasSubstr("METRIC=VALUE"));
    EXPECT_THAT(refusal(transpose({"--max", "steps=many"})), HasSubstr("'many' is not a number"));
    EXPECT_THAT(refusal(transpose({})), HasSubstr("no limit is given"));
    EXPECT_THAT(refusal({"check"}), HasSubstr("check what?"));
    EXPECT_THAT(refusal(transpose({"--max", "steps=1", "--format", "xml"})),
                HasSubstr("text, json or github"));
    EXPECT_THAT(refusal({"check", "transpose_tiled", "--limits", path("x.toml")}), HasSubstr("leave out"));
    EXPECT_THAT(refusal({"check", "--limits", path("x.toml")}), HasSubstr("No such file or directory"));
}

TEST_F(Check, one_file_guards_all_kernels_of_a_project) {
    const std::string limits = file("limits.toml", R"(
checks = [
  { kernel = "transpose_tiled", set = { PAD = 1, W = 64, H = 64 }, max = { shared_load.conflict_ways = 1 } },
  { kernel = "transpose_tiled", set = { PAD = 0, W = 64, H = 64 }, max = { "shared_load.conflict_ways" = 1, problems = 0 } },
  { kernel = "saxpy", set = { n = 1000 }, max = { global_load.over_ideal = 1 }, min = { occupancy.theoretical = 0.5 } },
]
)");
    const Outcome outcome = warplens({"check", "--limits", limits, "--format", "json"});
    EXPECT_EQ(outcome.code, 1) << outcome.error;
    const auto json = read_json(outcome.out);
    EXPECT_EQ(json["holds"], false);
    ASSERT_EQ(json["checks"].size(), 3u);
    EXPECT_EQ(json["checks"][0]["holds"], true);
    EXPECT_EQ(json["checks"][1]["holds"], false);
    EXPECT_EQ(json["checks"][1]["limits"].size(), 2u);
    EXPECT_THAT(json["checks"][1]["from"].get<std::string>(), HasSubstr("limits.toml:4"));
    EXPECT_EQ(json["checks"][2]["holds"], true) << json["checks"][2].dump(1);
}

TEST_F(Check, a_file_of_limits_names_the_line_of_a_mistake) {
    const auto said = [&](const std::string& text) {
        return refusal({"check", "--limits", file("limits.toml", text)});
    };
    EXPECT_THAT(said("checks = [\n  { kernel = \"saxpy\", mix = { steps = 1 } },\n]\n"),
                AllOf(HasSubstr("limits.toml:2"), HasSubstr("did you mean `max`?")));
    EXPECT_THAT(said("checks = [\n  { kernel = \"saxpy\", max = { shared_load.ways = 1 } },\n]\n"),
                AllOf(HasSubstr("limits.toml:2"), HasSubstr("no metric `shared_load.ways`")));
    EXPECT_THAT(said("checks = [ { kernel = \"saxpi\", max = { steps = 1 } } ]\n"), HasSubstr("saxpy"));
    EXPECT_THAT(said("checks = [ { kernel = \"saxpy\", check_races = \"yes\", max = { steps = 1 } } ]\n"),
                HasSubstr("\"auto\", \"on\" or \"off\", not \"yes\""));
    for (const char* nothing : {"", ", max = {}", ", max = { shared_load = {} }, min = {}"})
        EXPECT_THAT(said(std::string("checks = [\n  { kernel = \"saxpy\"") + nothing + " } ]\n"),
                    AllOf(HasSubstr("limits.toml:2"), HasSubstr("a check has a limit")));
    EXPECT_THAT(said("kernels = 1\n"), HasSubstr("checks"));
    EXPECT_THAT(said("checks = 1\n"), HasSubstr("a list `checks`"));
    EXPECT_THAT(said("checks = [ { max = { steps = 1 } } ]\n"), HasSubstr("names its `kernel`"));
}

TEST_F(Check, annotations_mark_the_line_in_the_source) {
    const Outcome outcome =
        warplens(transpose({"--max", "shared_load.conflict_ways=1", "--format", "github"}));
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("::error file=kernels/transpose_tiled.cu,line="),
                      HasSubstr(",title=shared_load.conflict_ways::transpose_tiled"), HasSubstr("1 broken")));
    const Outcome held =
        warplens(transpose({"--set", "PAD=1", "--max", "shared_load.conflict_ways=1", "--format", "github"}));
    EXPECT_THAT(held.out, Not(HasSubstr("::error")));
}

TEST_F(Check, a_note_is_printed_and_fails_nothing) {
    const std::string early = file("early.cu",
                                   "extern \"C\" __global__ void early(float* y) {\n"
                                   "    if (threadIdx.x >= 32) return;\n"
                                   "    __syncthreads();\n"
                                   "    y[threadIdx.x] = 1;\n"
                                   "}\n");
    const std::vector<std::string> words{"check", early,   "--grid",         "1",     "--block",
                                         "64",    "--arg", "buffer:f32[64]", "--max", "problems=0"};
    const Outcome outcome = warplens(words);
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.error;
    EXPECT_THAT(outcome.out, HasSubstr("note    Line 3: 32 of the block's 64 threads arrive"));
    auto with = [&](const char* format) {
        std::vector<std::string> more = words;
        more.insert(more.end(), {"--format", format});
        return warplens(more).out;
    };
    EXPECT_EQ(read_json(with("json"))["checks"][0]["notes"][0]["kind"], "ended_threads");
    EXPECT_THAT(with("github"), AllOf(HasSubstr("Line 3: 32 of"), Not(HasSubstr("::error"))));
}

}  // namespace
}  // namespace warplens::app
