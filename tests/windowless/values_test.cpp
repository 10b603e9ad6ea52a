// The values of a step, of kernels of the catalogue and of a fresh one: each expected value is computed here
// from the kernel's text.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/command_line/target.h"
#include "app/pipeline/values/step_values.h"
#include "app/pipeline/values/value_words.h"
#include "app/scene/requested_selection.h"
#include "tests/support/read_json.h"
#include "tests/typed_commands.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Pipeline& values_pipeline() {
    static const auto made = make_pipeline();
    return *made;
}

Scene scene_of(const std::string& name, const std::map<std::string, std::string>& knobs = {}) {
    static const auto all = catalogue();
    for (const auto& kernel : *all)
        if (kernel.name == name) {
            auto scene = values_pipeline().run_scene(
                {std::make_shared<instrumentation::KernelFile>(kernel), knobs, "", 0, Engine::simt}, {});
            EXPECT_TRUE(scene) << scene.error().message;
            return std::move(*scene);
        }
    throw std::runtime_error(name + " is not in the catalogue");
}

/// Warp-instructions that are executed again for the last step of the last warp. The engine executes 30
/// million in a second and more (docs/performance.md), so that three million take a tenth of it at most.
constexpr std::uint64_t most_steps_again = 3'000'000;
std::uint64_t steps_again(const Scene& scene) {
    const auto last = static_cast<std::uint32_t>(scene.trace->warps.size() - 1);
    const auto values = values_of_scene(values_pipeline(), scene, question_of_exchanges(*scene.trace, last),
                                        [] { return false; });
    EXPECT_TRUE(values) << values.error().message;
    return values ? values->steps : 0;
}

/// At a Spot as --select writes it, but by the beginning of the instruction's text: "fma", "st.shared".
StepValues values_at(const Scene& scene, std::uint64_t block, std::uint32_t warp, const std::string& opcode,
                     int lane, std::size_t nth = 0, std::optional<std::uint64_t> word = std::nullopt) {
    const trace::Trace& trace = *scene.trace;
    const trace::RecordedSites sites(trace.program);
    const trace::WarpSteps steps(trace, sites, *trace::find_warp(trace, block, warp));
    for (std::uint64_t i = 0; i < steps.size(); ++i)
        if (trace.program.sites[steps.at(i).site].opcode.starts_with(opcode) && nth-- == 0) {
            auto values = values_of_scene(values_pipeline(), scene, {{block, warp, i}, lane, word},
                                          [] { return false; });
            if (!values) throw std::runtime_error(values.error().message);
            return std::move(*values);
        }
    throw std::runtime_error("no step executes " + opcode);
}

const RegisterValue& result_of(const StepValues& values) {
    return *std::ranges::find_if(values.registers, &RegisterValue::result);
}

std::vector<std::string> named(const StepValues& values) {
    std::vector<std::string> names;
    for (const RegisterValue& value : values.registers)
        if (!value.cuda.empty()) names.push_back(value.cuda);
    return names;
}

// y = a x + y with a = 2, x = 0, 1, 2 … and y = 3: thread 37 of block 1 is element 293.
TEST(values, of_saxpy_are_those_of_the_formula) {
    const Scene scene = scene_of("saxpy");
    const StepValues sum = values_at(scene, 1, 1, "fma", 5);
    EXPECT_EQ(register_text(result_of(sum), 5, true), "589.0");
    EXPECT_EQ(result_of(sum).type, ptx::Type::f32);
    EXPECT_EQ(register_text(result_of(sum), 5, false), "–");
    EXPECT_EQ(std::ranges::count_if(sum.registers, &RegisterValue::operand), 3);
    EXPECT_THAT(named(sum),
                testing::IsSupersetOf({"n", "a", "x", "y", "index", "blockIdx.x", "threadIdx.x"}));
    for (const RegisterValue& value : sum.registers) {
        if (value.cuda == "index") {
            EXPECT_EQ(register_text(value, 5, true), "293");
        }
        if (value.cuda == "a") {
            EXPECT_EQ(register_text(value, 5, true), "2.0");
        }
        if (value.cuda == "n") {
            EXPECT_EQ(register_text(value, 31, true), "10000");
        }
    }

    const StepValues stored = values_at(scene, 1, 1, "st.global", 5);
    EXPECT_THAT(access_sentences(stored), ElementsAre("stores y[293]: 3.0 → 589.0"));
    EXPECT_EQ(stored.requests.at(0).elements[31], "y[319]");
    EXPECT_EQ(element_text(stored.requests[0], 31, true), "641.0");
    ASSERT_EQ(stored.history->writes.size(), 1u);
    EXPECT_EQ(stored.history->before_step, 0u);
    EXPECT_EQ(initial_text(*stored.history), "3.0");
    EXPECT_EQ(stored.blocks_before, 0u) << "no other block writes what this one reads";
}

// values[index] & 255 needs one byte of the value, and the compiler loads no more.
TEST(values, of_a_byte_of_an_element_are_not_said_to_be_the_element) {
    std::uint32_t value = 12345;
    for (int i = 0; i <= 3; ++i) value = value * 1664525 + 1013904223;
    const StepValues load = values_at(scene_of("histogram_shared"), 0, 0, "ld.global.u8", 3);
    EXPECT_THAT(access_sentences(load),
                ElementsAre(fmt::format("loads byte 0 of values[3]: {}", (value >> 8) % 65536 % 256)));
    EXPECT_EQ(load.history->name, "byte 0 of values[3]");
}

// The offset of a copy is added to A and B, which types them like numbers.
TEST(values, of_a_register_that_holds_addresses_are_hexadecimal) {
    const Scene scene = scene_of("matmul_double_buffered");
    const StepValues copy = values_at(scene, 0, 0, "cp.async", 0);
    const std::string base = fmt::format("{:#x}", copy.named.launch.buffers.at(0).base);
    int names = 0;
    for (const RegisterValue& value : copy.registers)
        if (value.cuda == "A" && value.state.written_after.has(0)) {
            EXPECT_EQ(register_text(value, 0, true), base) << value.name;
            ++names;
        }
    EXPECT_GT(names, 0);
}

// The last block of saxpy has 16 elements: its warp 1 leaves at the bounds check.
TEST(values, of_lanes_that_are_predicated_off_stay_unwritten) {
    const StepValues branch = values_at(scene_of("saxpy"), 39, 0, "setp", 20);
    EXPECT_EQ(register_text(result_of(branch), 20, true), "true");
    EXPECT_EQ(register_text(result_of(branch), 3, true), "false");
    EXPECT_EQ(result_of(branch).type, ptx::Type::pred);
}

TEST(values, of_a_transpose_follow_each_element_through_the_tile) {
    const Scene scene = scene_of("transpose_tiled");
    // Warp 3 loads column 3 of the tile: lane 7 reads tile[7][3], which warp 7's lane 3 stored.
    const StepValues load = values_at(scene, 0, 3, "ld.shared", 7);
    EXPECT_THAT(access_sentences(load), ElementsAre(fmt::format("loads tile[7][3]: {}.0", 7 * 1024 + 3)));
    EXPECT_EQ(shared_name(load, (31 * 32 + 5) * 4), "tile[31][5]");
    const simt::WordWriter& writer = load.state.shared.writers.at(7 * 32 + 3);
    EXPECT_EQ(writer.at.warp, 7u);
    EXPECT_EQ(writer.lane, 3);
    ASSERT_EQ(load.history->writes.size(), 1u);
    EXPECT_EQ(load.history->writes[0].at, writer.at);
    EXPECT_TRUE(load.history->races.empty());
    EXPECT_EQ(shared_text(load, 31 * 32 + 31), fmt::format("{}.0", 31 * 1024 + 31));
}

// A butterfly sum of the warp's 32 elements, lane by lane: 5 shuffles with 16, 8, 4, 2, 1.
TEST(values, of_a_warp_reduction_are_its_partial_sums) {
    const Scene scene = scene_of("warp_reduce");
    std::array<std::int64_t, 32> lanes{};
    const StepValues first = values_at(scene, 0, 0, "shfl", 0);
    for (const RegisterValue& value : first.registers) {
        if (!value.operand || value.type != ptx::Type::s32 || value.state.before[1] == value.state.before[2])
            continue;
        for (std::size_t lane = 0; lane < 32; ++lane)
            lanes[lane] = static_cast<std::int32_t>(value.state.before[lane]);
    }
    EXPECT_NE(lanes[1], 0);
    for (std::size_t round = 0; round < 5; ++round) {
        const std::size_t distance = std::size_t{16} >> round;
        std::array<std::int64_t, 32> next = lanes;
        for (std::size_t lane = 0; lane < 32; ++lane)
            next[lane] += lane + distance < 32 ? lanes[lane + distance] : lanes[lane];
        lanes = next;
        const StepValues shuffled = values_at(scene, 0, 0, "shfl", 0, round);
        const simt::StepAt after{0, 0, shuffled.state.at.step + 1};
        auto sum = values_of_scene(values_pipeline(), scene, {after, 0, std::nullopt}, [] { return false; });
        ASSERT_TRUE(sum);
        for (std::size_t lane = 0; lane < 32; ++lane)
            EXPECT_EQ(static_cast<std::int32_t>(result_of(*sum).state.after[lane]), lanes[lane])
                << "round " << round << " lane " << lane;
    }
}

// Every write to copies[255] and copies[511] holds the sum that the round before ends with.
TEST(values, of_a_scan_list_the_partial_sums_of_a_word) {
    const Scene scene = scene_of("scan_hillis_steele");
    const StepValues first = values_at(scene, 0, 0, "bar", 0, 0, 4 * 255);
    const StepValues word = values_at(scene, 0, 0, "bar", 0, 0, 4 * 511);
    // Warp 0 reaches the barrier first: only its words are there.
    EXPECT_EQ(first.state.shared.writers[31].at.warp, 0u);
    EXPECT_EQ(first.state.shared.writers[255].site, no_index);
    // The last element takes part in rounds 1, 4, 16, 64 (in 511) and 2, 8, 32, 128 (in 255).
    ASSERT_EQ(word.history->writes.size(), 4u);
    ASSERT_EQ(first.history->writes.size(), 5u) << "the input and four rounds";
    std::int64_t before = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        const std::int64_t odd = std::stoll(write_text(*word.history, i, true));
        const std::int64_t even = std::stoll(write_text(*first.history, i + 1, true));
        EXPECT_GE(odd, before);
        EXPECT_GE(even, odd);
        before = even;
    }
    const StepValues end = values_at(scene, 0, 7, "st.global", 31);
    EXPECT_EQ(element_text(end.requests[0], 31, true), write_text(*first.history, 4, true));
}

TEST(values, of_a_race_are_both) {
    const Scene scene = scene_of("missing_barrier");
    // Thread 0 loads row[255], which warp 7 stores later in the engine's order.
    const StepValues early = values_at(scene, 0, 0, "ld.shared", 0);
    ASSERT_EQ(early.history->races.size(), 1u);
    EXPECT_EQ(race_sentence(early),
              "A race: this step reads 255.0 if the store by warp 7 comes first, else a word that is not "
              "written yet.");
    EXPECT_EQ(early.history->before_step, 0u);
    EXPECT_THAT(access_sentences(early), ElementsAre("loads row[255]: not written"));
    // Thread 255 loads row[0], which warp 0 has stored.
    const StepValues late = values_at(scene, 0, 7, "ld.shared", 31);
    EXPECT_EQ(late.history->before_step, 1u);
    EXPECT_THAT(access_sentences(late), ElementsAre("loads row[0]: 0.0"));
    EXPECT_EQ(late.history->races.size(), 1u);
}

TEST(values, of_a_shared_counter_follow_the_blocks_before) {
    const Scene scene = scene_of("histogram_global");
    EXPECT_TRUE(depends_on_other_blocks(*scene.trace, 1));
    EXPECT_FALSE(depends_on_other_blocks(*scene_of("saxpy").trace, 1));
    const StepValues values = values_at(scene, 1, 0, "atom", 0);
    EXPECT_EQ(values.blocks_before, 1u);
    // As many as there are earlier writes: each adds one for each of its lanes.
    std::int64_t count = 0;
    for (std::size_t i = 0; i < values.history->before_step; ++i) {
        EXPECT_EQ(std::stoll(write_text(*values.history, i, false)), count);
        count += values.history->writes[i].lanes.count();
        EXPECT_EQ(std::stoll(write_text(*values.history, i, true)), count);
    }
    EXPECT_EQ(std::stoll(element_text(values.requests[0], 0, false)), count);
}

TEST(values, execute_little_again_also_where_blocks_wait_for_each_other) {
    for (const char* kernel : {"grid_barrier", "cluster_histogram", "histogram_global", "attention_naive"}) {
        const std::uint64_t steps = steps_again(scene_of(kernel));
        EXPECT_GT(steps, 100u) << kernel;
        EXPECT_LT(steps, most_steps_again) << kernel;
    }
}

TEST(values_long, execute_little_again_for_every_kernel_of_the_catalogue) {
    const auto kernels = catalogue().value();
    for (const auto& kernel : kernels)
        EXPECT_LT(steps_again(scene_of(kernel.name)), most_steps_again) << kernel.name;
}

class ValuesCommand : public TypedCommands {};

TEST_F(ValuesCommand, prints_the_step_as_text) {
    const Outcome outcome =
        warplens({"values", "missing_barrier", "--select", "block=0,warp=7,line=39,lane=31"});
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_THAT(outcome.out, HasSubstr("lane 31 (thread 255)"));
    EXPECT_THAT(outcome.out, HasSubstr("loads row[0]: 0.0"));
    EXPECT_THAT(outcome.out, HasSubstr("(races with this step)"));
}

TEST_F(ValuesCommand, prints_the_step_as_json) {
    const Outcome outcome =
        warplens({"values", "saxpy", "--select", "block=1,warp=1,step=18,lane=5", "--format", "json"});
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    const nlohmann::json json = read_json(outcome.out);
    EXPECT_EQ(json["instruction"].get<std::string>().substr(0, 9), "st.global");
    EXPECT_EQ(json["requests"][0]["lanes"][5]["element"], "y[293]");
    EXPECT_EQ(json["requests"][0]["lanes"][5]["after"], "589.0");
    EXPECT_EQ(json["history"]["writes"].size(), 1u);
}

TEST_F(ValuesCommand, refuses_steps_and_blocks_that_there_are_not) {
    EXPECT_THAT(refusal({"values", "saxpy", "--select", "step=9999"}), HasSubstr("steps 0 to"));
    EXPECT_THAT(refusal({"values", "saxpy", "--select", "block=40"}), HasSubstr("blocks 0 to 39"));
    EXPECT_THAT(refusal({"values", "saxpy", "--select", "cycle=4"}), HasSubstr("step"));
    EXPECT_THAT(refusal({"values", "saxpy", "--engine", "cuda"}), HasSubstr("CPU engine"));
}

TEST_F(ValuesCommand, refuses_a_block_that_no_trace_reaches_before_it_executes_any) {
    const std::vector<std::string> far{"values",           "saxpy",        "--grid", "2000000000", "--select",
                                       "block=1999999999", "--time-limit", "0.05"};
    EXPECT_THAT(refusal(far), HasSubstr("fit into the memory for traces; choose a block below "));
}

// `values` asks for this: what a full trace lacks is not executed either.
TEST_F(ValuesCommand, a_run_for_a_whole_trace_ends_when_a_block_does_not_fit) {
    LaunchFlags flags;
    flags.target = "saxpy";
    flags.set = {"n=1000000"};
    auto loaded = load_target(flags);
    ASSERT_TRUE(loaded) << loaded.error().message;
    const std::uint64_t blocks = loaded->launch.launch.geometry.blocks();
    ExecuteOptions execute;
    execute.keep_trace = execute.whole_trace = execute.keep_interrupted = true;
    execute.trace_bytes = 100'000;
    execute.check_golden = false;
    execute.threads = 1;
    const auto executed = loaded->pipeline->execute(std::move(loaded->launch), execute);
    ASSERT_TRUE(executed) << executed.error().message;
    EXPECT_TRUE(executed->interrupted);
    EXPECT_LT(executed->report->blocks_executed, blocks / 10);
    const std::vector<std::uint64_t> kept = trace::recorded_blocks(*executed->trace);
    EXPECT_FALSE(kept.empty());
    EXPECT_LE(kept.size(), executed->report->blocks_executed);
}

constexpr const char* fresh = R"(/*
[kernel]
title = "Fresh"
subject = "Test"
lesson = "None."
views = ["lanes"]

[buffers]
out = { type = "i32", length = "64", fill = "zero" }

[launch]
arguments = ["out"]
grid = ["1"]
block = ["64"]
*/
__device__ int scale(int v) { return v * 7; }
extern "C" __global__ void fresh(int* out) {
    __shared__ double row[64];
    int mine = threadIdx.x * 3;
    row[threadIdx.x] = mine * 0.5;
    __syncthreads();
    double other = row[63 - threadIdx.x];
    unsigned votes = __ballot_sync(0xffffffffu, mine & 1);
    out[threadIdx.x] = scale(mine) + (int)other + (votes != 0);
}
)";

TEST_F(ValuesCommand, stops_at_ctrl_c_and_at_the_time_limit) {
    expect_stopped_by_ctrl_c({"values", "saxpy"});
    const std::vector<std::string> endless{"values",   "matmul_naive", "--set",        "N=1024",
                                           "--select", "block=4000",   "--time-limit", "0.05"};
    EXPECT_THAT(refusal(endless), HasSubstr("stopped at the time limit of 0.05 s"));
}

TEST_F(ValuesCommand, reads_a_fresh_kernel_with_doubles) {
    const Outcome outcome =
        warplens({"values", file("fresh.cu", fresh), "--select", "warp=1,line=22,lane=2"});
    if (!compiles(outcome)) return;
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    // Thread 34 loads row[29] = 29 · 3 / 2.
    EXPECT_THAT(outcome.out, HasSubstr("loads row[29]: 43.5"));
    EXPECT_THAT(outcome.out, HasSubstr("block 0, warp 0, lane 29"));
}

}  // namespace
}  // namespace warplens::app
