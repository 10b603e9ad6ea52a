#include "analysis/memory/element_name.h"

#include <gtest/gtest.h>

#include "analysis/memory/shared_layout.h"

namespace warplens::analysis {
namespace {

TEST(element_name, has_the_indexes_of_the_declaration) {
    EXPECT_EQ(element_words("tile", {32, 33}, 4, 4 * 33), "tile[1][0]");
    EXPECT_EQ(element_words("tile", {2, 3, 4}, 8, 8 * (12 + 2 * 4 + 3)), "tile[1][2][3]");
    EXPECT_EQ(element_words("flat", {32 * 33}, 4, 4 * 33), "flat[33]");
    EXPECT_EQ(element_words("half_tile", {4, 4}, 2, 11), "half_tile[1][1] + 1 byte");
    EXPECT_EQ(element_words("tile", {2, 2}, 4, 4 * 7), "tile[3][1]") << "past the end the row goes on";
}

TEST(element_name, takes_them_from_the_source_and_else_counts_elements) {
    trace::Trace trace;
    trace.program.sources.push_back({"k.cu", "__shared__ float tile[8][9], flat[72];"});
    Variable tile, flat;
    tile.name = "tile";
    tile.space = flat.space = Space::shared;
    tile.bytes = flat.bytes = 288;
    tile.element_bytes = flat.element_bytes = 4;
    flat.name = "flat";
    flat.offset = 288;
    trace.program.variables = {tile, flat};
    EXPECT_EQ(element_name(trace, Space::shared, 4 * 11, 4), "tile[1][2]");
    EXPECT_EQ(element_name(trace, Space::shared, 288 + 4 * 11, 4), "flat[11]");
    trace.program.sources.clear();
    EXPECT_EQ(element_name(trace, Space::shared, 4 * 11, 4), "tile[11]") << "no declaration is known";
}

}  // namespace
}  // namespace warplens::analysis
