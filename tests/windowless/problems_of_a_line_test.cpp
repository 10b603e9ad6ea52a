// Findings of one kind, array and line are one problem with a count, however many instructions the line
// became.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/windowless/advised.h"

namespace warplens::app {
namespace {

std::vector<Problem> problems_of(const std::string& body) {
    const auto kernel =
        of_one_block("extern \"C\" __global__ void k(float* out, const float* in) {\n" + body + "}\n");
    auto loaded = pipeline().load({kernel, {}, "", {}});
    EXPECT_TRUE(loaded) << loaded.error().message;
    const auto executed = pipeline().execute(std::move(*loaded), {});
    EXPECT_TRUE(executed) << executed.error().message;
    return executed->report->problems;
}

TEST(problems_of_a_line, are_one_with_a_count) {
    WARPLENS_NEEDS_A_COMPILER();
    const auto problems = problems_of(R"(    __shared__ float4 body[256];
    if (threadIdx.x < 64) body[threadIdx.x] = make_float4(threadIdx.x, 1, 2, 3);
    __syncthreads();
    float sum = 0;
#pragma unroll 8
    for (int k = 0; k < 256; ++k) { const float4 b = body[k]; sum += b.x * b.y + b.z * b.w; }
    out[threadIdx.x] = sum;
)");
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].kind, ProblemKind::uninitialised_read);
    EXPECT_GE(problems[0].count, 256u * 192) << "each thread reads 192 elements that nobody wrote";
}

TEST(problems_of_a_line, of_two_arrays_are_two) {
    WARPLENS_NEEDS_A_COMPILER();
    const auto problems = problems_of(R"(    __shared__ float a[256], b[256];
    if (out == nullptr) a[threadIdx.x] = b[threadIdx.x ^ 1] = 1;
    out[threadIdx.x] = a[threadIdx.x] + b[255 - threadIdx.x] * in[threadIdx.x];
)");
    EXPECT_EQ(problems.size(), 2u);
}

}  // namespace
}  // namespace warplens::app
