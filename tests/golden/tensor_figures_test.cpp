// The figures that the tensor-core kernels demonstrate, by the real pipeline.
#include <gtest/gtest.h>

#include "catalogue_run.h"

namespace warplens::app {
namespace {

/// Wavefronts of all ldmatrix over the fewest there could be.
double ways_of_ldmatrix(const analysis::LaunchReport& report, const Program& program) {
    analysis::AccessTotals sum;
    for (const auto& site : report.sites)
        if (program.sites[site.site].opcode.starts_with("ldmatrix")) sum.add(site.access);
    return sum.conflict_ways();
}

TEST(tensor_figures, rows_128_bytes_apart_cost_ldmatrix_eight_wavefronts_a_matrix_and_padding_none) {
    const std::pair<const char*, double> rows[] = {{"0", 8}, {"8", 1}, {"16", 2}, {"32", 4}};
    for (const auto& [pad, ways] : rows) {
        const Executed run = execute("mma_matmul", {{"N", "64"}, {"PAD", pad}});
        EXPECT_EQ(ways_of_ldmatrix(*run.report, run.trace->program), ways) << "PAD " << pad;
        EXPECT_TRUE(run.report->problems.empty());
    }
}

TEST(tensor_figures, both_kernels_do_two_operations_for_each_product_on_the_matrix_units) {
    for (const char* name : {"wmma_matmul", "mma_matmul"}) {
        const Executed run = execute(name, {{"N", "128"}});
        const auto roofline = analysis::roofline(*run.report, run.trace->program, default_gpu(), nullptr);
        EXPECT_EQ(roofline.tensor_operations, 2.0 * 128 * 128 * 128) << name;
        EXPECT_TRUE(run.report->problems.empty()) << name;
    }
}

}  // namespace
}  // namespace warplens::app
