// GoldenMemory: what was checked is known again, and anything that a check reads makes it another one.
#include "app/pipeline/golden_memory.h"

#include <chrono>

#include "tests/instrumentation/header_text.h"

namespace warplens::app {
namespace {

namespace instr = instrumentation;

struct CheckedLaunch {
    instr::KernelFile kernel = instr::sample_kernel(instr::sample_source);
    instr::PreparedLaunch launch = instr::prepared_launch(kernel, {});
    std::vector<float> out;
    GoldenMemory memory;

    CheckedLaunch() {
        for (const float x : instr::elements<float>(launch.buffers.at(0))) out.push_back(2 * x);
    }
    Result<instr::GoldenResult> check() {
        return memory.check(kernel, launch,
                            {launch.buffers[0].data.data(), reinterpret_cast<const std::byte*>(out.data())});
    }
};

TEST(golden_memory, a_changed_result_parameter_input_or_tolerance_is_another_check) {
    CheckedLaunch checked;
    EXPECT_TRUE(checked.check()->passed);
    EXPECT_TRUE(checked.check()->passed);
    checked.out[5] += 1;
    EXPECT_FALSE(checked.check()->passed);
    checked.kernel.golden.front().tolerance = 1e9;
    EXPECT_TRUE(checked.check()->passed);
    checked.kernel.golden.front().tolerance = 0;
    checked.out[5] -= 1;
    EXPECT_TRUE(checked.check()->passed);
    checked.launch.parameters["a"] = instr::Value{7.0};
    EXPECT_FALSE(checked.check()->passed);
    checked.launch.parameters["a"] = instr::Value{2.0};
    EXPECT_TRUE(checked.check()->passed);
    checked.launch.buffers[0].data[3] ^= std::byte{0x40};
    EXPECT_FALSE(checked.check()->passed);
}

TEST(golden_memory, the_second_check_runs_no_lua) {
    CheckedLaunch checked;
    checked.kernel.golden.front().lua =
        "return function(i) local s = 0 for n = 1, 10000000 do s = s + n end return a * in_[i] end";
    const auto seconds = [&] {
        const auto begin = std::chrono::steady_clock::now();
        EXPECT_TRUE(checked.check());
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    const double first = seconds();
    EXPECT_LT(seconds(), first / 20);
}

}  // namespace
}  // namespace warplens::app
