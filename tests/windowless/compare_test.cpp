// `report --versus` and `check --versus` as a person or a build server types them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analysis/compare/comparison.h"
#include "analysis/compare/read_report.h"
#include "app/command_line/reported.h"
#include "app/command_line/versus.h"
#include "tests/support/read_json.h"
#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using Compare = TypedCommands;
using Words = std::vector<std::string>;

Words small_transpose(const std::string& command, const Words& more) {
    Words words{command, "transpose_tiled", "--set", "W=64", "--set", "H=64", "--check-races", "off"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

nlohmann::json row(const nlohmann::json& comparison, const std::string& metric) {
    for (const auto& one : comparison["metrics"])
        if (one["metric"] == metric) return one;
    return nullptr;
}

TEST(versus, two_files_of_one_kernel_are_named_by_what_differs) {
    analysis::RunFacts one, other;
    one.kernel = other.kernel = one.name = other.name = "k";
    name_by_files("k", one, "k", other);
    EXPECT_EQ(one.name + other.name, "kk") << "kernels of the catalogue";
    name_by_files("code/k.cu", one, "code/k.cubin", other);
    EXPECT_EQ(one.name + " " + other.name, "k.cu k.cubin");
    name_by_files("old/k.cu", one, "new/k.cu", other);
    EXPECT_EQ(one.name + " " + other.name, "old/k.cu new/k.cu");
}

TEST_F(Compare, the_verdict_names_the_conflicts_that_padding_removes_and_the_time_it_saves) {
    const Outcome text = warplens(small_transpose("report", {"--set", "PAD=0", "--versus", "PAD=1"}));
    EXPECT_EQ(text.code, 0) << text.error;
    EXPECT_THAT(text.out,
                AllOf(HasSubstr("PAD 0 → 1"), HasSubstr("shared loads 32 → 1 wavefronts per request, "),
                      HasSubstr(" modelled launch cycles (−"), HasSubstr("occupancy unchanged")));
}

TEST_F(Compare, json_has_the_values_of_both_reports) {
    const auto report = [&](const char* pad) {
        return read_json(warplens(small_transpose("report", {"--set", pad, "--format", "json"})).out);
    };
    const auto before = report("PAD=0"), after = report("PAD=1");
    const auto compared = read_json(
        warplens(small_transpose("report", {"--set", "PAD=0", "--versus", "PAD=1", "--format", "json"})).out);
    const auto cycles = row(compared, "schedule.cycles");
    EXPECT_EQ(cycles["before"], before["schedule"]["cycles"]);
    EXPECT_EQ(cycles["after"], after["schedule"]["cycles"]);
    EXPECT_DOUBLE_EQ(cycles["difference"].get<double>(),
                     cycles["after"].get<double>() - cycles["before"].get<double>());
    EXPECT_EQ(cycles["outcome"], "better");
    EXPECT_EQ(cycles["provenance"], nlohmann::json({"modelled", "modelled"}));
    const auto ways = row(compared, "shared_load.conflict_ways");
    EXPECT_EQ(ways["before"], 32);
    EXPECT_EQ(ways["after"], 1);
    EXPECT_EQ(ways["level"], "PTX level");
    EXPECT_EQ(row(compared, "resources.shared_static_bytes")["outcome"], "differs");
    EXPECT_EQ(row(compared, "global_load.requests")["outcome"], "same");
}

TEST_F(Compare, a_report_read_back_from_its_json_has_the_same_metrics) {
    for (const char* kernel :
         {"transpose_tiled", "saxpy", "histogram_shared", "pointer_chase", "branch_nested",
          "constant_broadcast", "texture_blur", "warp_reduce", "register_spill"}) {
        LaunchFlags flags;
        flags.target = kernel;
        const auto reported = report_of(flags);
        ASSERT_TRUE(reported) << reported.error().message;
        const analysis::RunFacts direct = analysis::facts_of(*reported->report);
        const auto read =
            analysis::read_report_json(analysis::to_json(*reported->report, reported->program), "kept.json");
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(read->parameters.size(), direct.parameters.size());
        EXPECT_EQ(read->blocks_executed, direct.blocks_executed);
        for (const analysis::Metric& metric : analysis::metrics()) {
            const auto &a = direct.fact(metric).value, &b = read->fact(metric).value;
            EXPECT_EQ(a.has_value(), b.has_value()) << kernel << " " << metric.name;
            EXPECT_DOUBLE_EQ(a.value_or(0), b.value_or(0)) << kernel << " " << metric.name;
            EXPECT_EQ(direct.fact(metric).provenance, read->fact(metric).provenance) << metric.name;
        }
    }
}

TEST_F(Compare, two_kernels_share_the_settings_that_both_have) {
    const Outcome outcome = warplens({"report", "matmul_naive", "--set", "N=64", "--versus", "matmul_tiled",
                                      "--format", "json", "--check-races", "off"});
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto compared = read_json(outcome.out);
    EXPECT_EQ(compared["before"]["parameters"]["N"], "64");
    EXPECT_EQ(compared["after"]["parameters"]["N"], "64");
    EXPECT_EQ(compared["settings"], "matmul_naive → matmul_tiled");
}

TEST_F(Compare, markdown_is_a_table_with_the_rest_folded) {
    const Outcome outcome =
        warplens(small_transpose("report", {"--set", "PAD=0", "--versus", "PAD=1", "--format", "markdown"}));
    EXPECT_THAT(
        outcome.out,
        AllOf(testing::StartsWith("**"), HasSubstr("| metric | PAD=0 | PAD=1 | change | | source |"),
              HasSubstr("`schedule.cycles`, cycles |"), HasSubstr("<details>"), HasSubstr("modelled")));
    EXPECT_THAT(refusal(small_transpose("report", {"--format", "markdown"})), HasSubstr("add --versus"));
    EXPECT_THAT(refusal(small_transpose("report", {"--versus", "PAD=1", "--format", "csv"})),
                HasSubstr("text, json or markdown"));
}

TEST_F(Compare, samples_of_different_shares_have_no_difference_of_sums) {
    const Outcome kept = warplens(small_transpose("report", {"--format", "json", "--blocks", "0"}));
    const Outcome outcome =
        warplens(small_transpose("report", {"--versus", file("part.json", kept.out), "--format", "json"}));
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto compared = read_json(outcome.out);
    EXPECT_EQ(row(compared, "steps")["outcome"], "incomparable");
    EXPECT_TRUE(row(compared, "steps")["difference"].is_null());
    EXPECT_EQ(row(compared, "shared_load.conflict_ways")["outcome"], "same");
    EXPECT_THAT(compared["cautions"].dump(), HasSubstr("Only 1 of 4 blocks were executed after."));
}

class CheckVersus : public TypedCommands {
  protected:
    std::string kept(const char* pad) {
        return file("main.json", warplens(small_transpose("report", {"--set", pad, "--format", "json"})).out);
    }
};

TEST_F(CheckVersus, a_metric_that_got_worse_fails_it_with_a_sentence) {
    const std::string main = kept("PAD=1");
    EXPECT_EQ(warplens(small_transpose("check", {"--set", "PAD=1", "--versus", main})).code, 0);
    const Outcome worse =
        warplens(small_transpose("check", {"--set", "PAD=0", "--versus", main, "--max-worse", "2%"}));
    EXPECT_EQ(worse.code, 1) << worse.error;
    EXPECT_THAT(worse.out, AllOf(HasSubstr("shared_load.conflict_ways got worse by 3,100 %: 1 in "),
                                 HasSubstr("32 ways now; at most 2 % is allowed"),
                                 HasSubstr("schedule.cycles got worse"), Not(HasSubstr("schedule.stalls."))));
}

TEST_F(CheckVersus, a_limit_of_one_metric_judges_that_one_alone) {
    const std::string main = kept("PAD=0");
    // The padded array is larger by 3.1 %, and as many blocks fit: its size counts where it is named.
    EXPECT_EQ(warplens(small_transpose("check", {"--set", "PAD=1", "--versus", main})).code, 0);
    for (const bool allowed : {false, true})
        EXPECT_EQ(warplens(small_transpose("check", {"--set", "PAD=1", "--versus", main, "--max-worse",
                                                     allowed ? "resources.shared_static_bytes=4%"
                                                             : "resources.shared_static_bytes=2%"}))
                      .code,
                  allowed ? 0 : 1);
    EXPECT_EQ(warplens(small_transpose(
                           "check", {"--set", "PAD=1", "--versus", main, "--max-worse", "schedule.cycles=0"}))
                  .code,
              0);
    const Outcome absent = warplens(
        small_transpose("check", {"--versus", main, "--max-worse", "shared_atomic.conflict_ways=2%"}));
    EXPECT_EQ(absent.code, 1);
    EXPECT_THAT(absent.out, HasSubstr("shared_atomic.conflict_ways cannot be compared"));
}

TEST_F(CheckVersus, files_that_are_no_report_are_refused_in_a_sentence) {
    const auto refused = [&](const std::string& text) {
        return refusal(small_transpose("check", {"--versus", file("main.json", text)}));
    };
    EXPECT_THAT(refused("{"), HasSubstr("is not JSON"));
    EXPECT_THAT(refused(std::string(100000, '[')), HasSubstr("is not JSON"));
    EXPECT_THAT(refused("[]"), HasSubstr("`kernel` is missing"));
    EXPECT_THAT(refused(R"({"kernel": "a", "gpu": "H200", "golden": "none"})"),
                HasSubstr("`level` is missing"));
    auto report = read_json(warplens(small_transpose("report", {"--set", "PAD=0", "--format", "json"})).out);
    const auto changed = [&](const char* key, const nlohmann::json& value) {
        auto other = report;
        other[key] = value;
        return refused(other.dump());
    };
    EXPECT_THAT(changed("grid", {1, 2}), HasSubstr("`grid`"));
    EXPECT_THAT(changed("grid", {4294967295u, 4294967295u, 4294967295u}), HasSubstr("`grid`"));
    EXPECT_THAT(changed("blocks_executed", 1e300), HasSubstr("`blocks_executed`"));
    EXPECT_THAT(changed("blocks_executed", -1), HasSubstr("`blocks_executed`"));
    EXPECT_THAT(changed("kernel", "saxpy"),
                HasSubstr("is of the kernel saxpy, and this run of transpose_tiled"));
    EXPECT_THAT(changed("gpu", "A100"), HasSubstr("is of the GPU A100"));
    EXPECT_THAT(refusal(small_transpose("check", {"--versus", path("none.json")})), HasSubstr("none.json"));
    EXPECT_THAT(refusal(small_transpose("check", {"--max-worse", "2%"})), HasSubstr("Add --versus"));
    const std::string main = kept("PAD=0");
    for (const char* words : {"two", "-1%", "nan", "inf%", "%", "nothing=2%", "global_load.requests=1%"})
        EXPECT_THAT(refusal(small_transpose("check", {"--versus", main, "--max-worse", words})),
                    HasSubstr("--max-worse"));
}

TEST_F(Compare, an_empty_word_is_no_run_and_not_the_same_run_again) {
    for (const Words& words : {Words{"report", "saxpy", "--versus", ""}, Words{"diff", "saxpy", ""}}) {
        const Outcome refused = warplens(words);
        EXPECT_EQ(refused.code, 2) << refused.out;
        EXPECT_THAT(refused.error, HasSubstr("is empty"));
    }
}

TEST_F(Compare, json_stays_json_when_a_kept_report_holds_control_characters) {
    std::string kept = warplens(small_transpose("report", {"--format", "json"})).out;
    const std::string name = "transpose_tiled";
    kept.replace(kept.find(name), name.size(), "a\\u009b31m\\u007f");
    const std::string path = file("kept.json", kept);
    const auto compared =
        read_json(warplens(small_transpose("report", {"--versus", path, "--format", "json"})).out);
    EXPECT_EQ(compared["after"]["kernel"],
              "a\xc2\x9b"
              "31m\x7f");
}

TEST_F(Compare, what_cannot_be_compared_with_is_refused_in_a_sentence) {
    EXPECT_THAT(refusal(small_transpose("report", {"--versus", "no_such_kernel"})),
                HasSubstr("no_such_kernel"));
    EXPECT_THAT(refusal(small_transpose("report", {"--versus", "NOPE=1"})), HasSubstr("NOPE"));
    EXPECT_THAT(refusal(small_transpose("report", {"--versus", "saxpy", "--versus", "gemv"})),
                HasSubstr("saxpy is given already"));
    EXPECT_THAT(refusal(small_transpose("report", {"--versus", "main.json", "--versus", "PAD=1"})),
                HasSubstr("leave the setting out"));
    EXPECT_THAT(refusal(small_transpose("report", {"--versus", path("none.wltrace")})),
                HasSubstr("there is no such file"));
    const std::string trace = path("recorded.wltrace");
    const Outcome recorded =
        warplens({"record", "transpose_tiled", "--set", "W=64", "--set", "H=64", "-o", trace});
    ASSERT_EQ(recorded.code, 0) << recorded.error;
    const auto unchangeable = HasSubstr("--versus PAD=1: " + trace + " is a recorded trace");
    EXPECT_THAT(refusal({"report", trace, "--versus", "PAD=1"}), unchangeable);
    EXPECT_THAT(refusal({"report", "saxpy", "--versus", "PAD=1", "--versus", trace}), unchangeable);
}

}  // namespace
}  // namespace warplens::app
