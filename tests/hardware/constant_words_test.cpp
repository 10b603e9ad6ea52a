// Constant loads of several words, against an H100 (h100_constant_words.csv, constant_probes.cu). The model
// of sm_90 has the same constant unit.
#include <gtest/gtest.h>

#include "tests/hardware/measured_table.h"
#include "tests/simt/tiny_launch.h"

namespace warplens::hardware {
namespace {

constexpr int loads = 64;

std::uint64_t measured(std::uint64_t words, std::uint64_t warps) {
    for (const MeasuredRow& row : read_measured_table("h100_constant_words.csv"))
        if (row.number("words") == words && row.number("warps") == warps) return row.number("cycles");
    ADD_FAILURE() << "no row of " << words << " words and " << warps << " warps";
    return 0;
}

/// All warps load 1 or 32 words, 64 times, each time with what the load before brought.
double modelled(std::uint64_t words, std::uint64_t warps) {
    simt::TinyLaunch launch;
    launch.warps = static_cast<int>(warps);
    launch.rounds = loads;
    launch.load({Space::constant, 0, words == 1 ? 0 : 4}, {0}, 0);
    launch.arithmetic(Pipe::alu, {0}, 1);
    return launch.run().totals.cycles;
}

TEST(constant_words, each_further_word_delays_the_load_of_a_warp_as_measured) {
    const double real = double(measured(32, 1)) - double(measured(1, 1));
    EXPECT_NEAR(modelled(32, 1) - modelled(1, 1), real, 0.01 * real);
}

TEST(constant_words, many_warps_share_one_unit_as_measured) {
    for (const std::uint64_t warps : {8, 16, 32}) {
        const double real = double(measured(32, warps));
        EXPECT_NEAR(modelled(32, warps), real, 0.03 * real) << warps << " warps";
    }
}

}  // namespace
}  // namespace warplens::hardware
