// Lines within inlined functions, by the .loc lines of the PTX.
#include "analysis/report/inlined_lines.h"

#include <gtest/gtest.h>

#include "analysis/report/source_map.h"

namespace warplens::analysis {
namespace {

Site site_at(std::uint32_t line, std::uint32_t ptx_line) {
    Site site;
    site.file = 0, site.line = line, site.ptx_line = ptx_line;
    return site;
}

Program inlining() {
    Program program;
    program.ptx =
        "\t.loc\t1 30 5\n"                                                               // 1
        "\tmov.u32 %r1, 0;\n"                                                            // 2
        "\t.loc\t1 16 12, function_name $L__info_string0, inlined_at 1 30 9\n"           // 3
        "\tld.global.u32 %r2, [%rd1];\n"                                                 // 4
        "\t.loc\t2 7 3, function_name $L__info_string1+8, inlined_at 1 16 20\n"          // 5
        "\tadd.s32 %r3, %r2, 1;\n"                                                       // 6
        "\t.loc\t1 31 5\n"                                                               // 7
        "\tst.global.u32 [%rd1], %r3;\n"                                                 // 8
        "\t.file\t1 \"/home/me/pixels.cu\"\n\t.file\t2 \"/home/me/include/clamp.h\"\n";  // 9, 10
    program.sources = {{"pixels.cu", ""}, {"clamp.h", ""}};
    program.sites = {site_at(30, 2), site_at(30, 4), site_at(30, 6), site_at(31, 8)};
    return program;
}

TEST(inlined_lines, a_site_in_an_inlined_function_stands_in_its_line_too) {
    const Program program = inlining();
    const std::vector<InlinedPlace> places = inlined_places(program);
    ASSERT_EQ(places.size(), 4u);
    EXPECT_EQ(places[0].line, 0u);
    EXPECT_EQ(places[1], (InlinedPlace{0, 16}));
    EXPECT_EQ(places[2], (InlinedPlace{1, 7}));
    EXPECT_EQ(places[3].line, 0u);
    EXPECT_EQ(inlined_words({places[1]}, program, 0), "line 16");
    EXPECT_EQ(inlined_words({{0, 16}, {0, 18}, {0, 20}}, program, 0), "lines 16, 18 and 20");
    EXPECT_EQ(inlined_words({{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}}, program, 0),
              "lines 1, 2, 3 and 2 more");
    EXPECT_EQ(inlined_words({places[1], places[2]}, program, 0), "pixels.cu:16 and clamp.h:7");
}

TEST(inlined_lines, the_line_of_the_call_is_the_sum) {
    const Program program = inlining();
    LaunchReport report;
    for (SiteId id = 0; id < 4; ++id) {
        SiteReport& site = report.sites.emplace_back();
        site.site = id;
        site.steps = 10 + id;
    }
    report.steps = 46;
    const std::vector<LineHeat> lines = source_and_inlined_lines(report, program);
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(lines[0].line, 16u);
    EXPECT_EQ(lines[0].steps, 11u);
    EXPECT_EQ(lines[1].line, 30u);
    EXPECT_EQ(lines[1].steps, 33u);
    EXPECT_EQ(lines[2].steps, 13u);
    EXPECT_EQ(lines[3].file, 1u);
    EXPECT_EQ(lines[3].steps, 12u);
    EXPECT_EQ(source_lines(report, program).size(), 2u) << "each site once";
}

}  // namespace
}  // namespace warplens::analysis
