// A bare .cubin as a person launches it: its counts are those of an H200 that ran the same file
// (tests/hardware/h200_machine_launches.csv), and what needs PTX is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/folders.h"
#include "tests/support/read_json.h"
#include "tests/typed_commands.h"

#ifdef WARPLENS_SASS

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Cubin : public TypedCommands {
  protected:
    const std::string softmax = source_folder() + "/tests/hardware/machine_code/code/softmax_rows.cubin";

    /// A command on it, with a launch of 96 rows of 1000 columns.
    std::vector<std::string> launched(const std::string& command, const std::vector<std::string>& more = {}) {
        std::vector<std::string> words{command};
        const char* const launch[] = {"--grid",  "96",
                                      "--block", "256",
                                      "--arg",   "buffer:f32[96000]=random",
                                      "--arg",   "buffer:f32[96000]=zero",
                                      "--arg",   "i32=1000"};
        words.push_back(softmax);
        words.insert(words.end(), std::begin(launch), std::end(launch));
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
};

TEST_F(Cubin, counts_what_the_hardware_counts) {
    const Outcome outcome = warplens(launched("report", {"--format", "json"}));
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto report = read_json(outcome.out);
    EXPECT_EQ(report["level"], "machine");
    EXPECT_EQ(report["steps"], 222816);
    EXPECT_EQ(report["thread_steps"], 6998784);
    EXPECT_EQ(report["schedule"]["level"], "machine");
}

TEST_F(Cubin, is_listed_with_what_each_instruction_did_and_compared) {
    EXPECT_THAT(warplens(launched("sass")).out,
                AllOf(HasSubstr("executed: 96 of 96 blocks"), HasSubstr("kernel softmax_rows  sm_90")));
    const Outcome compared = warplens(launched("diff", {softmax}));
    EXPECT_EQ(compared.code, 0) << compared.error;
    EXPECT_THAT(compared.out, AllOf(HasSubstr("executed by warps"), HasSubstr("222,816")));
}

TEST_F(Cubin, gets_the_launch_of_what_it_is_compared_with) {
    const std::string kernel = source_folder() + "/tests/hardware/machine_code/softmax_rows.cu";
    const Outcome outcome = warplens({"report", kernel, "--versus", softmax, "--format", "json"});
    if (outcome.error.find("NVRTC") != std::string::npos) GTEST_SKIP() << "needs NVRTC";
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto compared = read_json(outcome.out);
    EXPECT_EQ(compared["after"]["golden"], compared["before"]["golden"]);
    const auto steps =
        std::ranges::find_if(compared["metrics"], [](const auto& row) { return row["metric"] == "steps"; });
    ASSERT_NE(steps, compared["metrics"].end());
    EXPECT_EQ((*steps)["before"], 222816);
    EXPECT_EQ((*steps)["after"], 222816);
    EXPECT_EQ((*steps)["level"], "machine level");
    EXPECT_THAT(refusal({"report", kernel, "--versus", softmax, "--versus", "columns=8"}),
                HasSubstr("compiled already"));
}

TEST_F(Cubin, comes_first_with_the_launch_of_the_second_and_after_check) {
    const std::string kernel = source_folder() + "/tests/hardware/machine_code/softmax_rows.cu";
    const Outcome outcome = warplens({"report", softmax, "--versus", kernel, "--format", "json"});
    if (outcome.error.find("NVRTC") != std::string::npos) GTEST_SKIP() << "needs NVRTC";
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto compared = read_json(outcome.out);
    const auto steps =
        std::ranges::find_if(compared["metrics"], [](const auto& row) { return row["metric"] == "steps"; });
    ASSERT_NE(steps, compared["metrics"].end());
    EXPECT_EQ((*steps)["before"], 222816);
    EXPECT_EQ((*steps)["after"], 222816);
    for (const auto& [first, second] : {std::pair(kernel, softmax), std::pair(softmax, kernel)}) {
        const Outcome checked = warplens({"check", first, "--versus", second, "--max", "steps=222816"});
        EXPECT_EQ(checked.code, 0) << checked.error;
        EXPECT_THAT(checked.out, HasSubstr(second));
    }
}

TEST_F(Cubin, without_a_kernel_is_refused_in_one_sentence) {
    std::ifstream in(softmax, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const std::string kernel_symbol = "\x12\x10";  // a global function, and NVIDIA's mark of a kernel
    for (auto at = bytes.find(kernel_symbol); at != std::string::npos; at = bytes.find(kernel_symbol, at + 1))
        bytes[at + 1] = 0;
    const std::string path = file("library.cubin", bytes);
    EXPECT_THAT(refusal({"report", path}),
                AllOf(HasSubstr("library.cubin: none of its functions is a kernel"), HasSubstr("__global__"),
                      Not(HasSubstr("--kernel"))));
}

TEST_F(Cubin, says_which_launch_is_missing) {
    EXPECT_THAT(refusal({"report", softmax}),
                AllOf(HasSubstr("softmax_rows(b64 arg0, b64 arg1, b32 arg2)"), HasSubstr("--grid")));
    EXPECT_THAT(refusal({"report", softmax, "--grid", "1", "--block", "32", "--arg", "i32=1"}),
                HasSubstr("softmax_rows(b64 arg0, b64 arg1, b32 arg2) takes 3 arguments, and --arg gives 1"));
}

/// Atomics on one word are in an order; the first search in machine code took them for races of one another.
TEST_F(Cubin, atomics_are_no_races_in_a_picture) {
    const Outcome outcome =
        warplens({"report", source_folder() + "/tests/hardware/machine_code/code/histogram_privatized.cubin",
                  "--grid", "4", "--block", "256", "--arg", "buffer:u32[4096]=iota", "--arg",
                  "buffer:u32[256]=zero", "--arg", "i32=4096"});
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_THAT(outcome.out, Not(HasSubstr("races were not searched for")));
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("What to try"), Not(HasSubstr("removes the problems"))))
        << "its changes are tried on pictures";
}

/// volatile_steps.cu, which has no race: machine code does not show what is volatile.
TEST_F(Cubin, lanes_that_only_lockstep_orders_are_a_note) {
    const Outcome outcome =
        warplens({"report", source_folder() + "/tests/windowless/volatile_steps_sm_90.cubin", "--grid", "1",
                  "--block", "32", "--arg", "buffer:i32[32]=iota", "--arg", "buffer:i32[1]", "--no-advice"});
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("rely on lanes that run in lockstep"),
                                   Not(HasSubstr("shared_race")), Not(HasSubstr("PTX line 0"))));
}

/// Two warps that no barrier orders race, volatile or not.
TEST_F(Cubin, warps_that_nothing_orders_race) {
    const Outcome outcome =
        warplens({"report", source_folder() + "/tests/windowless/volatile_steps_sm_90.cubin", "--grid", "1",
                  "--block", "64", "--arg", "buffer:i32[64]=iota", "--arg", "buffer:i32[1]", "--no-advice"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("shared_race"), HasSubstr("without a line")));
    EXPECT_THAT(outcome.out, AllOf(Not(HasSubstr("PTX line 0")), Not(HasSubstr("line:0"))));
}

TEST_F(Cubin, refuses_what_needs_ptx) {
    EXPECT_THAT(refusal(launched("report", {"--level", "ptx"})), HasSubstr("has no PTX level"));
    EXPECT_THAT(refusal(launched("report", {"--engine", "cuda"})), HasSubstr("a GPU records PTX"));
    EXPECT_THAT(refusal(launched("report", {"--set", "n=1"})), HasSubstr("is compiled already"));
    EXPECT_THAT(refusal(launched("report", {"-D", "n=1"})), HasSubstr("is compiled already"));
    EXPECT_THAT(refusal(launched("values")), HasSubstr("which a .cubin does not have"));
    EXPECT_THAT(refusal(launched("record", {"-o", path("x.wltrace")})),
                HasSubstr("which a .cubin does not have"));
    EXPECT_THAT(refusal(launched("report", {"--gpu", "A100"})),
                HasSubstr("there is machine code for sm_90 only, and the A100 is sm_80"));
}

TEST_F(Cubin, that_is_damaged_is_refused_with_its_name) {
    const std::string torn = file("torn.cubin",
                                  "\x7f"
                                  "ELF");
    EXPECT_THAT(refusal({"report", torn, "--grid", "1", "--block", "1"}), HasSubstr("torn.cubin"));
    EXPECT_THAT(refusal({"report", path("none.cubin")}), HasSubstr("does not exist"));
}

TEST_F(Cubin, that_is_not_linked_is_executed_like_the_linked_one) {
    const auto counts = [](const std::string& name) {
        const Outcome outcome =
            warplens({"report", source_folder() + "/tests/fuzz/corpus_cubin/" + name, "--grid", "1",
                      "--block", "32", "--arg", "buffer:u32[32]=zero", "--format", "json"});
        EXPECT_EQ(outcome.code, 0) << outcome.error;
        return nlohmann::json::parse(outcome.out);
    };
    const auto linked = counts("linked_sm_90.cubin"), not_linked = counts("not_linked_sm_90.cubin");
    EXPECT_EQ(linked["global_load"]["requests"], 1) << "of a variable";
    EXPECT_EQ(linked["global_store"]["requests"], 2) << "one of them to an array of the module";
    for (const char* kind : {"global_load", "global_store", "problems"})
        EXPECT_EQ(not_linked[kind], linked[kind]) << kind;
}

}  // namespace
}  // namespace warplens::app

#endif
