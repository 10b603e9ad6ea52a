// Which size is assumed for a number of a program that nobody knows.
#include "instrumentation/host_code/assumed_sizes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warplens::instrumentation::host_code {
namespace {

TEST(assumed_sizes, m_n_and_k_one_behind_another_are_sides_of_a_matrix_product) {
    const auto assumed = [](const char* parameters) {
        const std::string program = fmt::format("void run({}, float* out) {{ }}", parameters);
        return assumed_size("N", tokenize(program));
    };
    EXPECT_EQ(assumed("int M, int N, int K"), assumed_side);
    EXPECT_EQ(assumed("unsigned int m, unsigned int n, unsigned int k"), assumed_side);
    EXPECT_EQ(assumed("int M, int N"), assumed_count) << "not a product's";
    EXPECT_EQ(assumed("int m, float* x, int n, int k"), assumed_count) << "something lies between";
}

}  // namespace
}  // namespace warplens::instrumentation::host_code
