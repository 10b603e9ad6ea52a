// The structure that a kernel's array consists of, by its declaration.
#include "analysis/memory/declared_structure.h"

#include <gtest/gtest.h>

namespace warplens::analysis {
namespace {

Program program_of(const std::string& text) {
    Program program;
    program.entry = "_Z5priceP6Optionif";
    program.sources = {{"options.cu", text}};
    return program;
}

std::string read(const std::string& declarations, const std::string& parameter) {
    const auto structure = declared_structure(
        program_of(declarations + "\n__global__ void price(" + parameter + ", int n, float rate) { }\n"),
        "options");
    if (!structure) return "none";
    std::string words = structure->name + " " + std::to_string(structure->bytes) + ":";
    for (const auto& member : structure->members)
        words += " " + member.path + "@" + std::to_string(member.offset);
    return words;
}

TEST(declared_structure, members_have_the_layout_of_c) {
    const std::string option = "struct Option {\n  float price, strike;  // both in dollars\n  int kind;\n};";
    EXPECT_EQ(read(option, "const Option* __restrict__ options"), "Option 12: price@0 strike@4 kind@8");
    EXPECT_EQ(read(option, "struct Option *options"), "Option 12: price@0 strike@4 kind@8");
    EXPECT_EQ(read("typedef struct { char tag; double value; } Cell;", "Cell* options"),
              "Cell 16: tag@0 value@8");
    EXPECT_EQ(read("struct alignas(32) Wide { float3 at; unsigned int id; };", "Wide* options"),
              "Wide 32: at.x@0 at.y@4 at.z@8 id@12");
    EXPECT_EQ(
        read("struct In { short a; int b; }; struct Out { In pair[2]; unsigned char c; const float* p; };",
             "Out* options"),
        "Out 32: pair[0].a@0 pair[0].b@4 pair[1].a@8 pair[1].b@12 c@16 p@24");
    EXPECT_EQ(read("struct Body { Body() : m(1) {} float m = 1, n[2] = {0, 2}; static int count; "
                   "float twice() const { return 2 * m; } };",
                   "Body* options"),
              "Body 12: m@0 n[0]@4 n[1]@8");
    EXPECT_EQ(read("", "float4* options"), "float4 16: x@0 y@4 z@8 w@12");
}

TEST(declared_structure, what_cannot_be_read_is_not_guessed) {
    EXPECT_EQ(read("", "float* options"), "none");
    EXPECT_EQ(read("", "unsigned long long* options"), "none");
    EXPECT_EQ(read("", "Option* options"), "none") << "declared elsewhere";
    EXPECT_EQ(read("struct Base { int a; }; struct Option : Base { int b; };", "Option* options"), "none");
    EXPECT_EQ(read("struct Option { virtual void f(); int b; };", "Option* options"), "none");
    EXPECT_EQ(read("struct Option { int a : 3; int b; };", "Option* options"), "none");
    EXPECT_EQ(read("template <typename T> struct Option { T b; };", "Option* options"), "none");
    EXPECT_EQ(read("struct Option { Unknown u; int b; };", "Option* options"), "none");
    EXPECT_EQ(read("struct Option { Option next; };", "Option* options"), "none");
    EXPECT_EQ(read("struct Option { int a; };", "Option** options"), "none");
    EXPECT_EQ(read("struct Option { int a; };", "Option options"), "none");
}

TEST(declared_structure, an_address_is_an_element_and_a_member) {
    const auto option =
        declared_structure(program_of("struct Option { float price; char kind; double strike; };"
                                      "__global__ void price(Option* options, int n, float rate) { }"),
                           "options");
    ASSERT_TRUE(option);
    EXPECT_EQ(option->bytes, 16u);
    EXPECT_EQ(member_words("options", *option, 8 * 16, 4), "options[8].price");
    EXPECT_EQ(member_words("options", *option, 8 * 16, 16), "options[8]");
    EXPECT_EQ(member_words("options", *option, 8 * 16 + 2, 1), "options[8].price + 2 bytes");
    EXPECT_EQ(member_words("options", *option, 8 * 16 + 6, 1), "options[8] + 6 bytes") << "padding";
    EXPECT_EQ(member_words("options", *option, 8, 8), "options[0].strike");
}

}  // namespace
}  // namespace warplens::analysis
