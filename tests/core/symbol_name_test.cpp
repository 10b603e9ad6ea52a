#include "core/symbol_name.h"

#include <gtest/gtest.h>

namespace warplens {
namespace {

TEST(symbol_name, a_shared_array_loses_the_function_it_stands_in) {
    EXPECT_EQ(plain_name("_ZZ9transposePfE4tile"), "tile");
    EXPECT_EQ(plain_name("_ZZ15transpose_tiledE4tile"), "tile");
}

TEST(symbol_name, a_kernel_loses_result_scope_and_arguments) {
    EXPECT_EQ(plain_name("_Z8mm_tiledILi16EEvPKfS1_Pfiii"), "mm_tiled");
    EXPECT_EQ(demangled("_Z5saxpyifPKfPf"), "saxpy(int, float, float const*, float*)");
}

TEST(symbol_name, a_qualified_name_keeps_scope_and_template_arguments) {
    EXPECT_EQ(qualified_name("_Z8mm_tiledILi16EEvPKfS1_Pfiii"), "mm_tiled<16>");
    EXPECT_EQ(qualified_name("_ZN2ns5innerEPxx"), "ns::inner");
    EXPECT_EQ(qualified_name("_Z4pairIifEvPT_S1_PT0_"), "pair<int, float>");
    EXPECT_EQ(qualified_name("_ZN12_GLOBAL__N_16hiddenEPi"), "(anonymous namespace)::hidden");
    EXPECT_EQ(qualified_name("saxpy"), "saxpy");
    EXPECT_EQ(qualified_name(""), "");
}

TEST(symbol_name, what_is_not_mangled_stays) {
    EXPECT_EQ(plain_name("saxpy"), "saxpy");
    EXPECT_EQ(plain_name(""), "");
    EXPECT_EQ(plain_name("_Zgarbage"), "_Zgarbage");
    // As types the demangler knows these letters: __float128, int, float.
    for (const char* name : {"g", "i", "f", "d"}) {
        EXPECT_EQ(plain_name(name), name);
        EXPECT_EQ(qualified_name(name), name);
    }
}

}  // namespace
}  // namespace warplens
