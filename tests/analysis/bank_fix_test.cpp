#include "analysis/memory/bank_fix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/memory/banks.h"

namespace warplens::analysis {
namespace {

using testing::HasSubstr;

/// A launch with one shared array, declared as `declaration` says, and a request to it.
struct Launch {
    Launch(const std::string& declaration, std::uint64_t bytes, std::uint32_t element_bytes = 4) {
        trace.launch.kernel = "test";
        trace.launch.geometry.block = {32, 1, 1};
        trace.launch.resources.shared_static_bytes = static_cast<std::uint32_t>(bytes);
        trace.program.sources.push_back({"test.cu", "void f() {\n    " + declaration + ";\n}\n"});
        trace.program.variables.push_back({"tile", Space::shared, 0, bytes, element_bytes});
        trace.program.sites.emplace_back();
    }
    void ask(std::uint32_t bytes_per_lane, Operation operation, auto&& offset_of_lane) {
        auto block = requests.begin_block(0);
        trace::Addresses addresses{};
        for (std::uint64_t lane = 0; lane < 32; ++lane) addresses[lane] = offset_of_lane(lane);
        block->access(0, {0, LaneMask::all(), Space::shared, operation, bytes_per_lane, &addresses});
        requests.finish(0, std::move(block));
    }
    BankFixes fixes(const BankFixOptions& options = {}) {
        auto found = try_bank_fixes(trace, requests, default_gpu(), options);
        EXPECT_TRUE(found) << (found ? "" : found.error().message);
        return found ? *found : BankFixes{};
    }
    trace::Trace trace;
    SharedRequests requests;
};

TEST(bank_fix, wide_elements_are_swizzled_whole_and_never_misaligned) {
    Launch launch("__shared__ float tile[32][32]", 4096);
    launch.ask(16, Operation::load, [](std::uint64_t lane) { return lane * 128; });  // a column of float4
    const BankFixes fixes = launch.fixes();
    EXPECT_EQ(fixes.ideal_wavefronts, 4u);
    EXPECT_GT(fixes.now.wavefronts, 4u);
    for (const BankFix& fix : fixes.ranked) {
        if (!fix.is_swizzle() && fix.pad % 4 != 0) {
            EXPECT_THAT(fix.refused, HasSubstr("16 bytes would be misaligned")) << fix.pad;
        }
        if (fix.is_swizzle()) {
            EXPECT_GE(fix.unit, 4u);
        }
    }
    EXPECT_EQ(fixes.best().wavefronts, 4u);
    EXPECT_EQ(fixes.best_pad()->pad, 4u);
}

TEST(bank_fix, less_padding_is_tried_as_far_as_no_request_accesses_it) {
    Launch launch("__shared__ float tile[32][34]", 32 * 34 * 4);
    launch.ask(4, Operation::store, [](std::uint64_t lane) { return lane * 4; });      // a row of 32
    launch.ask(4, Operation::load, [](std::uint64_t lane) { return lane * 34 * 4; });  // a column
    const BankFixes fixes = launch.fixes();
    EXPECT_EQ(fixes.now.wavefronts, 1u + 2u);
    const BankFix* pad = fixes.best_pad();
    ASSERT_NE(pad, nullptr);
    EXPECT_EQ(pad->pad, -1);
    EXPECT_EQ(pad->wavefronts, 2u);
    EXPECT_EQ(pad->bytes, 32u * 33 * 4);
    EXPECT_EQ(name_of(*pad, fixes.array), "pad −1");
    EXPECT_EQ(change_of(*pad, fixes.array), "__shared__ float tile[32][33];");
    const auto least = std::ranges::min(fixes.ranked, {}, &BankFix::pad);
    EXPECT_EQ(least.pad, -2);
    EXPECT_EQ(least.wavefronts, 1u + 32u);
}

TEST(bank_fix, the_change_keeps_the_other_extents_of_the_declaration) {
    Launch launch("__shared__ float tile[2][32][32]", 8192);
    launch.ask(4, Operation::load, [](std::uint64_t lane) { return 4096 + lane * 128; });
    const BankFixes fixes = launch.fixes();
    EXPECT_EQ(change_of(*fixes.best_pad(), fixes.array), "__shared__ float tile[2][32][33];");
    EXPECT_THAT(change_of(fixes.best(), fixes.array), HasSubstr("tile[…][row][column ^ (row & 31)]"));
    EXPECT_EQ(fixes.array.declared->line, 2u);
}

TEST(bank_fix, what_does_not_fit_is_refused_with_its_reason) {
    Launch launch("__shared__ float tile[384][32]", 49152);
    launch.ask(4, Operation::store, [](std::uint64_t lane) { return lane * 128; });
    const BankFixes fixes = launch.fixes();
    EXPECT_EQ(fixes.best_pad(), nullptr);
    EXPECT_THAT(fixes.ranked.back().refused, HasSubstr("48 KiB"));
    EXPECT_TRUE(fixes.best().is_swizzle());
    EXPECT_EQ(fixes.stores, 1u);
}

TEST(bank_fix, loads_stores_and_atomics_count_together) {
    Launch launch("__shared__ int tile[32][32]", 4096);
    launch.ask(4, Operation::load, [](std::uint64_t lane) { return lane * 128; });
    launch.ask(4, Operation::store, [](std::uint64_t lane) { return lane * 4; });
    launch.ask(4, Operation::atomic, [](std::uint64_t lane) { return 128 + lane * 4; });
    const BankFixes fixes = launch.fixes();
    EXPECT_EQ(fixes.now.wavefronts, 34u);
    EXPECT_EQ(fixes.requests, 3u);
    EXPECT_EQ(fixes.atomics, 1u);
    EXPECT_EQ(fixes.best().wavefronts, 3u);
}

TEST(bank_fix, a_product_needs_its_number_of_rows_where_the_source_does_not_tell) {
    Launch launch("__shared__ float tile[16 * 64]", 4096);
    launch.ask(4, Operation::load, [](std::uint64_t lane) { return lane * 128; });
    const auto refused = try_bank_fixes(launch.trace, launch.requests, default_gpu());
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("--row-elements N"));
    EXPECT_EQ(launch.fixes({"tile", 32}).array.row_elements, 32u);
    launch.trace.program.sources[0].text =
        "#define TILE 32\n__shared__ float tile[TILE * TILE];\ntile[y * TILE + x] = 0;\n";
    const BankFixes fixes = launch.fixes();
    EXPECT_EQ(fixes.array.row_elements, 32u);
    EXPECT_FALSE(fixes.array.flat);
    EXPECT_THAT(change_of(*fixes.best_pad(), fixes.array),
                HasSubstr("tile[row * 33 + column] instead of tile[row * 32 + column], and 1056 elements"));
}

TEST(bank_fix, a_flat_array_is_indexed_past_its_pads) {
    Launch launch("__shared__ float tile[1024]", 4096);
    launch.ask(4, Operation::load, [](std::uint64_t lane) { return lane * 128; });
    const BankFixes fixes = launch.fixes();
    EXPECT_TRUE(fixes.array.flat);
    EXPECT_EQ(change_of(*fixes.best_pad(), fixes.array),
              "tile[i + i / 32] instead of tile[i], and 1055 elements instead of 1024");
    EXPECT_EQ(fixes.best().wavefronts, 1u);
}

}  // namespace
}  // namespace warplens::analysis
