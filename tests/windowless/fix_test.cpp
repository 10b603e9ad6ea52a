// `warplens check --fix`: its prediction for another layout equals the counts of a run with that layout.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/read_json.h"
#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

using Fix = TypedCommands;

json fixes(std::vector<std::string> words) {
    words.insert(words.begin(), "check");
    words.insert(words.end(), {"--fix", "--format", "json"});
    const Outcome outcome = warplens(words);
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    return read_json(outcome.out);
}

/// Of all shared requests, as a whole run counts them.
std::uint64_t counted_wavefronts(std::vector<std::string> words) {
    words.insert(words.begin(), "report");
    words.insert(words.end(), {"--format", "json"});
    const json report = read_json(warplens(words).out);
    std::uint64_t sum = 0;
    for (const char* kind : {"shared_load", "shared_store", "shared_atomic"})
        sum += report[kind]["wavefronts"].get<std::uint64_t>();
    return sum;
}

json candidate(const json& fixes, const std::string& change) {
    for (const json& one : fixes["candidates"])
        if (one["change"] == change) return one;
    return nullptr;
}

std::vector<std::string> fix_transpose(const std::string& kernel, const std::string& tile) {
    return {kernel, "--set", "W=128", "--set", "H=64", "--set", "TILE=" + tile};
}

TEST_F(Fix, a_pad_costs_what_the_kernel_with_that_pad_costs) {
    for (const char* tile : {"8", "16", "32"}) {
        const json found = fixes(fix_transpose("transpose_tiled", tile));
        EXPECT_EQ(found["now"]["wavefronts"], counted_wavefronts(fix_transpose("transpose_tiled", tile)));
        for (const char* pad : {"1", "2", "3", "4"}) {
            auto words = fix_transpose("transpose_tiled", tile);
            words.insert(words.end(), {"--set", std::string("PAD=") + pad});
            EXPECT_EQ(candidate(found, std::string("pad ") + pad)["wavefronts"], counted_wavefronts(words))
                << tile << " " << pad;
        }
    }
}

TEST_F(Fix, a_swizzle_costs_what_the_swizzled_kernel_costs) {
    for (const char* tile : {"16", "32"}) {
        const json found = fixes(fix_transpose("transpose_tiled", tile));
        const std::string mask = std::to_string(std::stoi(tile) - 1);
        EXPECT_EQ(candidate(found, "column ^ (row & " + mask + ")")["wavefronts"],
                  counted_wavefronts(fix_transpose("transpose_swizzled", tile)))
            << tile;
    }
}

TEST_F(Fix, the_winner_is_printed_as_the_change_to_make) {
    const Outcome outcome = warplens({"check", "transpose_tiled", "--set", "W=64", "--set", "H=64", "--fix"});
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("__shared__ float tile[TILE][TILE + PAD];"),
                                   HasSubstr("kernels/transpose_tiled.cu:41"),
                                   HasSubstr("tile[row][column ^ (row & 31)] instead of tile[row][column]"),
                                   HasSubstr("__shared__ float tile[32][33];"), HasSubstr("--set PAD=1"),
                                   HasSubstr("128 bytes more")));
    const json found = fixes({"transpose_tiled", "--set", "W=64", "--set", "H=64"});
    EXPECT_EQ(found["best"]["kind"], "swizzle") << "as few wavefronts as with a pad, in fewer bytes";
    EXPECT_EQ(found["best_pad"]["pad"], 1);
    EXPECT_EQ(found["setting"]["PAD"], "1");
    EXPECT_EQ(found["best"]["wavefronts"], found["ideal_wavefronts"]);
}

TEST_F(Fix, an_array_without_conflicts_is_left_alone) {
    const json padded = fixes({"transpose_tiled", "--set", "PAD=1", "--set", "W=64", "--set", "H=64"});
    EXPECT_EQ(padded["gains"], false);
    EXPECT_FALSE(padded.contains("best_pad"));
    const Outcome matmul = warplens({"check", "matmul_tiled", "--fix"});
    EXPECT_EQ(matmul.code, 0) << matmul.error;
    EXPECT_THAT(matmul.out, HasSubstr("Nothing to change"));
}

TEST_F(Fix, of_a_flat_array_the_index_is_changed_because_a_pad_at_its_end_moves_nothing) {
    const std::vector<std::string> words{"reduce_strided_index", "--set", "n=4096"};
    const json found = fixes(words);
    EXPECT_EQ(found["one_dimensional"], true);
    EXPECT_EQ(found["array"], "partial");
    EXPECT_EQ(found["now"]["wavefronts"], counted_wavefronts(words));
    EXPECT_EQ(found["gains"], true);
    const Outcome text = warplens({"check", "reduce_strided_index", "--set", "n=4096", "--fix"});
    EXPECT_THAT(text.out, AllOf(HasSubstr("a pad at its end has no effect"), HasSubstr("i + i / 32"),
                                HasSubstr("instead of partial[i]")));
}

TEST_F(Fix, a_stride_through_a_flat_table_is_cured_by_an_index_that_skips) {
    const std::vector<std::string> words{"shared_stride", "--set", "stride=32"};
    const json found = fixes(words);
    EXPECT_EQ(found["now"]["wavefronts"], counted_wavefronts(words));
    EXPECT_EQ(found["now"]["conflict_ways"], 32);
    EXPECT_EQ(candidate(found, "i + i / 32")["conflict_ways"], 1);
}

TEST_F(Fix, rows_can_be_given_and_what_is_missing_is_said) {
    const json rows = fixes({"shared_stride", "--set", "stride=32", "--row-elements", "64"});
    EXPECT_EQ(rows["one_dimensional"], false);
    EXPECT_EQ(rows["row_elements"], 64);
    EXPECT_THAT(refusal({"check", "transpose_tiled", "--fix", "--array", "tyle"}),
                HasSubstr("the kernel's shared arrays are tile"));
    EXPECT_THAT(refusal({"check", "saxpy", "--fix"}), HasSubstr("makes no request to shared memory"));
    EXPECT_THAT(refusal({"check", "saxpy", "--fix", "--max", "steps=1"}), HasSubstr("leave out"));
    for (const std::vector<std::string>& words : {std::vector<std::string>{"--versus", "main.json"},
                                                  {"--max-worse", "2%"},
                                                  {"--check-races", "on"},
                                                  {"--allow-problems"}}) {
        std::vector<std::string> all{"check", "transpose_tiled", "--fix"};
        all.insert(all.end(), words.begin(), words.end());
        EXPECT_THAT(refusal(all), HasSubstr("compares no reports; leave out")) << words.front();
    }
    EXPECT_THAT(refusal({"check", "saxpy", "--array", "x", "--max", "steps=1"}), HasSubstr("--fix"));
    EXPECT_THAT(refusal({"check", "shared_stride", "--fix", "--row-elements", "999999"}),
                HasSubstr("elements of 4 bytes in total"));
}

TEST_F(Fix, a_trace_is_enough_to_try_them) {
    const std::string trace = path("t.wltrace");
    auto words = fix_transpose("transpose_tiled", "32");
    words.insert(words.begin(), "record");
    words.insert(words.end(), {"-o", trace});
    ASSERT_EQ(warplens(words).code, 0);
    const json of_trace = fixes({trace}), of_kernel = fixes(fix_transpose("transpose_tiled", "32"));
    EXPECT_EQ(of_trace["candidates"], of_kernel["candidates"]);
}

}  // namespace
}  // namespace warplens::app
