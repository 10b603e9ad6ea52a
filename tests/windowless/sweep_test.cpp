// `warplens sweep`: its axes, its tables, and its messages for values that cannot be run.
#include "app/pipeline/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "app/command_line/sweep.h"
#include "tests/support/read_json.h"
#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using SweepCommand = TypedCommands;

std::vector<std::string> values(std::string_view text) {
    const auto axis = parse_axis(text);
    return axis ? axis->values : std::vector<std::string>{axis.error().message};
}

TEST(sweep_axis, takes_ranges_steps_factors_and_lists) {
    EXPECT_THAT(values("PAD=0..3"), ElementsAre("0", "1", "2", "3"));
    EXPECT_THAT(values("block=32..128:32"), ElementsAre("32", "64", "96", "128"));
    EXPECT_THAT(values("n=1..64:*4"), ElementsAre("1", "4", "16", "64"));
    EXPECT_THAT(values("x=0..0.3:0.1"), ElementsAre("0", "0.1", "0.2", "0.3"));
    EXPECT_THAT(values("TILE=8,16,32"), ElementsAre("8", "16", "32"));
    EXPECT_THAT(values("type=float,float4"), ElementsAre("float", "float4"));
    EXPECT_THAT(values("PAD=-2..0"), ElementsAre("-2", "-1", "0"));
    EXPECT_THAT(values("PAD=5..1").front(), HasSubstr("5 comes after 1"));
    EXPECT_THAT(values("PAD=0..4:0").front(), HasSubstr("a step is above 0"));
    EXPECT_THAT(values("PAD=0..4:*2").front(), HasSubstr("first value above 0"));
    EXPECT_THAT(values("PAD=0..many").front(), HasSubstr("in numbers"));
    EXPECT_THAT(values("PAD=1,,2").front(), HasSubstr("a value is missing"));
    EXPECT_THAT(values("n=0..1000000").front(), HasSubstr("at most 4096"));
    EXPECT_THAT(values("PAD").front(), HasSubstr("NAME=A..B"));
}

TEST(sweep_plan, counts_the_second_axis_fastest) {
    SweepPlan plan;
    plan.axes = {{"A", {"1", "2"}}, {"B", {"x", "y", "z"}}};
    EXPECT_EQ(plan.points(), 6u);
    EXPECT_THAT(plan.at(1), ElementsAre("1", "y"));
    EXPECT_THAT(plan.at(5), ElementsAre("2", "z"));
}

TEST(sweep_run, gives_every_point_its_row_whatever_the_number_of_workers) {
    SweepPlan plan;
    plan.axes = {{"n", {"0", "1", "2", "3", "4", "5", "6"}}};
    plan.metrics = {analysis::find_metric("steps"), analysis::find_metric("shared_load.conflict_ways")};
    const MeasurePoint measure =
        [](const std::vector<std::string>& at,
           const PointRun&) -> Result<std::shared_ptr<const analysis::LaunchReport>> {
        if (at[0] == "3") return fail("3 is not allowed");
        auto report = std::make_shared<analysis::LaunchReport>();
        report->steps = static_cast<std::uint64_t>(10 - std::stoi(at[0]));
        report->blocks_executed = 1;
        return report;
    };
    for (const int workers : {1, 2, 5}) {
        SweepOptions options;
        options.workers = workers;
        std::set<std::size_t> reported;
        options.progress = [&](std::size_t done) { reported.insert(done); };
        const auto sweep = run_sweep(plan, measure, options);
        ASSERT_TRUE(sweep);
        ASSERT_EQ(sweep->rows.size(), 7u);
        for (int i = 0; i < 7; ++i) {
            const SweepRow& row = sweep->rows[static_cast<std::size_t>(i)];
            EXPECT_EQ(row.at[0], std::to_string(i));
            if (i == 3) {
                EXPECT_EQ(row.failed, "3 is not allowed");
                EXPECT_FALSE(row.values[0]);
            } else {
                EXPECT_EQ(row.values[0], 10 - i);
                EXPECT_THAT(row.absent, HasSubstr("no shared load"));
            }
        }
        EXPECT_THAT(sweep->best[0], ElementsAre(6u));
        EXPECT_THAT(sweep->best[1], IsEmpty());
        EXPECT_EQ(reported.size(), 7u);
    }
    SweepOptions options;
    options.sets_problem = [](const std::string& parameter) { return parameter == "n"; };
    const auto sweep = run_sweep(plan, measure, options);
    ASSERT_TRUE(sweep);
    EXPECT_THAT(sweep->why_unlike(), HasSubstr("`n` says what is computed"));
    EXPECT_THAT(sweep->best[0], IsEmpty()) << "fewer steps of another problem are not better";
}

/// What is kept for comparisons is then in memory when it is decided how many points fit beside it.
TEST(sweep_run, compares_the_first_point_alone) {
    SweepPlan plan;
    plan.axes = {{"n", {"0", "1", "2", "3", "4", "5", "6"}}};
    plan.metrics = {analysis::find_metric("steps")};
    std::mutex mutex;
    std::vector<std::string> measured, measured_at_first;
    std::string first;
    SweepOptions options;
    options.workers = 5;
    options.difference = [&](const std::vector<std::string>& at, const PointRun&,
                             const analysis::LaunchReport&) -> std::string {
        const std::lock_guard lock(mutex);
        if (first.empty()) {
            first = at[0];
            measured_at_first = measured;
        }
        return {};
    };
    const auto sweep = run_sweep(
        plan,
        [&](const std::vector<std::string>& at,
            const PointRun&) -> Result<std::shared_ptr<const analysis::LaunchReport>> {
            const std::lock_guard lock(mutex);
            measured.push_back(at[0]);
            auto report = std::make_shared<analysis::LaunchReport>();
            if (at[0] == "6") report->problems.emplace_back();  // computes nothing to compare with
            return report;
        },
        options);
    ASSERT_TRUE(sweep);
    EXPECT_EQ(first, "5");
    EXPECT_THAT(measured_at_first, ElementsAre("6", "5"));
    EXPECT_EQ(measured.size(), 7u);
}

/// Rows of a sweep over n = 1, 2, … with these cycles.
Sweep with_cycles(const std::vector<double>& cycles) {
    Sweep sweep;
    sweep.plan.axes = {{"n", {}}};
    sweep.plan.metrics = {analysis::find_metric("schedule.cycles"), analysis::find_metric("steps")};
    for (const double value : cycles) {
        SweepRow row;
        row.at = {std::to_string(sweep.rows.size() + 1)};
        row.values = {value, value};
        sweep.plan.axes[0].values.push_back(row.at[0]);
        sweep.rows.push_back(std::move(row));
    }
    return sweep;
}

TEST(sweep_best, times_within_the_model_s_error_are_equally_good_and_counts_are_exact) {
    const Sweep sweep = with_cycles({5021, 4968, 4968, 8195});
    EXPECT_THAT(best_rows(sweep, 0), ElementsAre(1u, 2u, 0u));
    EXPECT_THAT(best_rows(sweep, 1), ElementsAre(1u, 2u));
    EXPECT_THAT(best_rows(with_cycles({5021, 4968}), 0), IsEmpty()) << "none is better";
    Sweep shares = with_cycles({31.976557, 31.976562, 30});
    shares.plan.metrics[1] = analysis::find_metric("divergence.mean_active_lanes");
    EXPECT_THAT(best_rows(shares, 1), ElementsAre(1u, 0u)) << "equal as printed";
}

TEST(sweep_best, is_none_where_a_setting_computes_something_else_or_leaves_work_to_other_grids) {
    Sweep sweep = with_cycles({1000, 2000});
    EXPECT_THAT(best_rows(sweep, 0), ElementsAre(0u));
    EXPECT_THAT(remarks_of(sweep), IsEmpty());
    sweep.rows[1].below.steps = 100;
    EXPECT_THAT(best_rows(sweep, 0), IsEmpty());
    EXPECT_THAT(remarks_of(sweep), ElementsAre(HasSubstr("different parts of the work")));
    sweep.rows[1].below = {};
    sweep.rows[1].difference = "`out` is not the same.";
    EXPECT_THAT(remarks_of(sweep),
                ElementsAre("`out` is not the same. So times and amounts of work have no best."));
    sweep.plan.metrics = {analysis::find_metric("shared_load.conflict_ways")};
    EXPECT_THAT(remarks_of(sweep), IsEmpty()) << "a mean per request can be compared";
}

TEST(sweep_run, stops_when_it_is_cancelled_and_keeps_what_it_has_if_asked) {
    SweepPlan plan;
    plan.axes = {{"n", {"0", "1", "2", "3"}}};
    plan.metrics = {analysis::find_metric("steps")};
    for (const bool keep : {false, true}) {
        int runs = 0;
        SweepOptions options;
        options.workers = 1;
        options.keep_interrupted = keep;
        options.cancelled = [&] { return runs >= 2; };
        const auto measure = [&](const std::vector<std::string>& at,
                                 const PointRun&) -> Result<std::shared_ptr<const analysis::LaunchReport>> {
            ++runs;
            auto report = std::make_shared<analysis::LaunchReport>();
            report->steps = static_cast<std::uint64_t>(std::stoi(at[0]));
            return report;
        };
        const auto sweep = run_sweep(plan, measure, options);
        EXPECT_EQ(runs, 2);
        ASSERT_EQ(sweep.has_value(), keep);
        if (!keep) continue;
        EXPECT_EQ(sweep->measured(), 2u) << "the first and the last";
        EXPECT_EQ(sweep->rows[3].values[0], 3);
        EXPECT_EQ(sweep->rows[1].failed, "not run");
        EXPECT_EQ(sweep->rows[2].at[0], "2");
        EXPECT_THAT(sweep_text(*sweep), HasSubstr("not run"));
    }
}

const std::vector<std::string> pads{"sweep",    "transpose_tiled",          "--set", "W=64", "--set", "H=64",
                                    "--metric", "shared_load.conflict_ways"};

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

TEST_F(SweepCommand, shows_the_bank_conflicts_over_the_padding) {
    const Outcome text = warplens(with(pads, {"--over", "PAD=0..4"}));
    EXPECT_EQ(text.code, 0) << text.error;
    EXPECT_THAT(text.out, AllOf(HasSubstr("transpose_tiled over PAD"), HasSubstr("ways, simulated"),
                                HasSubstr("* 1"), HasSubstr("the best of its column")));
    const json found = read_json(warplens(with(pads, {"--over", "PAD=0..4", "--format", "json"})).out);
    const std::vector<int> ways{32, 1, 2, 1, 4};
    ASSERT_EQ(found["rows"].size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(found["rows"][i]["at"]["PAD"], i);
        EXPECT_EQ(found["rows"][i]["values"]["shared_load.conflict_ways"], ways[i]);
    }
    EXPECT_EQ(found["metrics"][0]["best_rows"], json({1, 3})) << "equally good";
    EXPECT_EQ(found["metrics"][0]["provenance"], "simulated");
    EXPECT_EQ(found["parameters"]["TILE"], 32);
}

TEST_F(SweepCommand, sweeps_two_parameters_and_says_which_values_are_not_allowed) {
    const Outcome csv =
        warplens(with(pads, {"--over", "TILE=16,20,32", "--over", "PAD=0,1", "--format", "csv"}));
    EXPECT_EQ(csv.code, 0) << csv.error;
    EXPECT_THAT(csv.out,
                AllOf(HasSubstr("TILE,PAD,shared_load.conflict_ways,remark\n"), HasSubstr("32,0,32,\n"),
                      HasSubstr("16,1,2,\n"), HasSubstr("one of 8, 16, 32")));
    EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 7);
    EXPECT_THAT(refusal(with(pads, {"--over", "TILE=9..10"})), HasSubstr("no value could be run"));
}

TEST_F(SweepCommand, races_count_as_problems_where_these_are_asked_for_and_by_the_flag) {
    const std::vector<std::string> barriers{"sweep", "missing_barrier", "--over", "BARRIER=0,1", "--format",
                                            "json",  "--metric"};
    const auto row = [&](const std::vector<std::string>& more, std::size_t which) {
        return read_json(warplens(with(barriers, more)).out)["rows"][which];
    };
    EXPECT_GT(row({"problems"}, 0)["values"]["problems"],
              row({"problems", "--check-races", "off"}, 0)["values"]["problems"]);
    EXPECT_EQ(row({"problems"}, 1)["values"]["problems"], 0);
    EXPECT_EQ(warplens(with(barriers, {"problems"})).code, 1);
}

TEST_F(SweepCommand, a_gpu_can_be_swept_as_well) {
    const json found = read_json(warplens({"sweep", "saxpy", "--set", "n=1000", "--over", "gpu=H200,9.0",
                                           "--metric", "occupancy.warps_per_sm", "--format", "json"})
                                     .out);
    EXPECT_EQ(found["rows"].size(), 2u);
    EXPECT_EQ(found["rows"][0]["at"]["gpu"], "H200");
    EXPECT_EQ(found["gpu"], "");
}

TEST_F(SweepCommand, mistakes_are_reported_before_anything_runs) {
    EXPECT_THAT(refusal(with(pads, {"--over", "PAT=0..4"})),
                AllOf(HasSubstr("no such parameter"), HasSubstr("did you mean `PAD`?")));
    EXPECT_THAT(refusal(with(pads, {"--over", "block.x=8,16"})), HasSubstr("header says its block"));
    EXPECT_THAT(refusal(with(pads, {"--over", "PAD=0..1", "--metric", "cycles"})),
                HasSubstr("there is no metric `cycles`"));
    EXPECT_THAT(refusal(with(pads, {"--over", "PAD=0..1", "--over", "PAD=2"})), HasSubstr("only once"));
    EXPECT_THAT(refusal(with(pads, {"--over", "PAD=0..1", "--format", "gif"})), HasSubstr("png or svg"));
    EXPECT_THAT(refusal(with(pads, {"--over", "PAD=0..1", "--format", "png", "-o", path("x.png")})),
                HasSubstr("draws nothing"));
}

TEST_F(SweepCommand, begins_like_the_view_where_nothing_is_asked_for) {
    const Outcome text = warplens({"sweep", "transpose_tiled", "--set", "W=64", "--set", "H=64"});
    EXPECT_EQ(text.code, 0) << text.error;
    EXPECT_THAT(text.out, AllOf(HasSubstr("transpose_tiled over PAD"), HasSubstr("schedule.cycles"),
                                HasSubstr("shared_load.wavefronts_per_request")));
}

TEST_F(SweepCommand, problems_of_different_sizes_have_no_best_time) {
    const std::vector<std::string> sizes{"sweep",    "matmul_tiled",
                                         "--set",    "M=32",
                                         "--set",    "K=32",
                                         "--set",    "N=32",
                                         "--metric", "schedule.cycles",
                                         "--metric", "global_load.over_ideal",
                                         "--format", "json",
                                         "--over"};
    const json unlike = read_json(warplens(with(sizes, {"N=32,64"})).out);
    EXPECT_TRUE(unlike["metrics"][0]["best_rows"].empty());
    EXPECT_EQ(unlike["remarks"].size(), 1u);
    const json like = read_json(warplens(with(sizes, {"TILE=8,16"})).out);
    EXPECT_FALSE(like["metrics"][0]["best_rows"].empty());
    EXPECT_TRUE(like["remarks"].empty());
}

TEST_F(SweepCommand, writes_the_file_that_its_name_asks_for) {
    const std::string out = path("x.csv");
    EXPECT_EQ(warplens(with(pads, {"--over", "PAD=0..1", "-o", out})).code, 0);
    std::ifstream file(out);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    EXPECT_THAT(text, HasSubstr("PAD,shared_load.conflict_ways,remark\n0,32,\n1,1,\n"));
}

TEST(sweep_values, of_a_range_without_a_step_are_round_numbers_and_its_ends) {
    instrumentation::ParameterDeclaration weight;
    weight.name = "w";
    weight.step = 0;
    weight.minimum = 0.05;
    weight.maximum = 1.95;
    EXPECT_THAT(sweep_values(weight, 9),
                ElementsAre("0.05", "0.25", "0.5", "0.75", "1", "1.25", "1.5", "1.75", "1.95"));
    weight.minimum = -1;
    weight.maximum = 1;
    EXPECT_THAT(sweep_values(weight, 5), ElementsAre("-1", "-0.5", "0", "0.5", "1"));
    EXPECT_THAT(sweep_values(weight, 2), ElementsAre("-1", "1"));
    EXPECT_THAT(sweep_values(weight), testing::SizeIs(testing::AllOf(testing::Gt(8u), testing::Le(17u))));
}

TEST(sweep_axis, ticks_have_as_few_digits_as_tell_the_values_apart) {
    EXPECT_THAT(tick_words({"w", {"0.1", "0.223456789", "0.346913578"}}),
                ElementsAre("0.1", "0.2235", "0.3469"));
    EXPECT_THAT(tick_words({"w", {"1.000001", "1.000002"}}), ElementsAre("1.000001", "1.000002"));
    EXPECT_THAT(tick_words({"n", {"1024", "67108864"}}), ElementsAre("1,024", "67,108,864"));
    EXPECT_THAT(tick_words({"type", {"float", "float.4"}}), ElementsAre("float", "float.4"));
}

TEST(sweep_values, no_decisive_value_is_left_out) {
    instrumentation::ParameterDeclaration stride;
    stride.name = "stride";
    stride.minimum = 0;
    stride.maximum = 33;
    stride.step = 1;
    EXPECT_THAT(sweep_values(stride), testing::SizeIs(34)) << "32 and the odd ones";
    stride.maximum = 1000;
    const auto values = sweep_values(stride);
    EXPECT_THAT(values, testing::SizeIs(testing::Le(17u)));
    EXPECT_THAT(values, testing::IsSupersetOf({"0", "64", "128", "256", "512", "1000"}));
}

}  // namespace
}  // namespace warplens::app
