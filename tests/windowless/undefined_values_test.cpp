// A shuffle from a lane that does not take part gives an undefined value, which is a problem where it is
// used.
#include <gmock/gmock.h>

#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

using testing::HasSubstr;
using testing::Not;

class UndefinedValues : public TypedCommands {
  protected:
    /// The report of a kernel `k(const float* x, float* out)` with this body, launched with 40 threads.
    Outcome report_of(const std::string& body, const std::string& level = "ptx") const {
        const std::string source =
            file("undefined_values.cu", "__global__ void k(const float* x, float* out) {\n" + body + "\n}\n");
        return warplens({"report", source, "--grid", "1", "--block", "40", "--arg", "buffer:f32[64]=iota",
                         "--arg", "buffer:f32[64]=zero", "--no-advice", "--level", level});
    }
};

TEST_F(UndefinedValues, that_no_lane_uses_are_notes) {
    const Outcome sum = report_of(
        "if (threadIdx.x >= 8) return;\nfloat s = x[threadIdx.x];\n"
        "for (int d = 4; d; d >>= 1) s += __shfl_down_sync(0xff, s, d);\n"
        "if (threadIdx.x == 0) out[0] = s;");
    if (!compiles(sum)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(sum.code, 0) << sum.out;
    EXPECT_THAT(sum.out, HasSubstr("lane 4 reads lane 8"));
    EXPECT_THAT(sum.out, HasSubstr("the value is undefined, and is not used"));
}

TEST_F(UndefinedValues, that_reach_memory_a_condition_or_an_address_are_problems) {
    const char* const before =
        "if (threadIdx.x >= 8) return;\nfloat s = x[threadIdx.x];\n"
        "s += __shfl_down_sync(0xff, s, 4);\n";
    for (const char* const use :
         {"out[threadIdx.x] = s;", "if (s > 3) out[threadIdx.x] = 1;", "out[threadIdx.x] = x[(int)s & 31];",
          "if (threadIdx.x == 4) out[0] = s;"}) {
        SCOPED_TRACE(use);
        const Outcome used = report_of(std::string(before) + use);
        if (!compiles(used)) GTEST_SKIP() << "needs NVRTC";
        EXPECT_EQ(used.code, 1) << used.out;
        EXPECT_THAT(used.out, Not(HasSubstr("is not used")));
    }
    // Of the last warp only eight threads are there: its lane 0 adds what lane 8 would give.
    const Outcome partial = report_of(
        "float s = x[threadIdx.x];\nfor (int d = 16; d; d >>= 1) s += __shfl_down_sync(0xffffffff, s, d);\n"
        "if ((threadIdx.x & 31) == 0) out[threadIdx.x / 32] = s;");
    EXPECT_EQ(partial.code, 1) << partial.out;
}

TEST_F(UndefinedValues, are_problems_and_notes_at_the_machine_level_as_well) {
    const Outcome sum = report_of(
        "if (threadIdx.x >= 8) return;\nfloat s = x[threadIdx.x];\n"
        "for (int d = 4; d; d >>= 1) s += __shfl_down_sync(0xff, s, d);\n"
        "if (threadIdx.x == 0) out[0] = s;",
        "machine");
    if (!compiles(sum)) GTEST_SKIP() << "needs NVRTC";
    if (sum.error.find("machine") != std::string::npos) GTEST_SKIP() << "needs machine code: " << sum.error;
    EXPECT_EQ(sum.code, 0) << sum.out;
    EXPECT_THAT(sum.out, HasSubstr("Line 4: the shuffle's lane 4 reads lane 8"));
    EXPECT_THAT(sum.out, HasSubstr("the value is undefined, and is not used"));
    const Outcome partial = report_of(
        "float s = x[threadIdx.x];\nfor (int d = 16; d; d >>= 1) s += __shfl_down_sync(0xffffffff, s, d);\n"
        "if ((threadIdx.x & 31) == 0) out[threadIdx.x / 32] = s;",
        "machine");
    EXPECT_EQ(partial.code, 1) << partial.out;
    EXPECT_THAT(partial.out, HasSubstr("undefined_values.cu:3"));
    const Outcome whole =
        report_of("out[threadIdx.x] = __shfl_xor_sync(__activemask(), x[threadIdx.x], 1);", "machine");
    EXPECT_EQ(whole.code, 0) << whole.out;
}

}  // namespace
}  // namespace warplens::app
