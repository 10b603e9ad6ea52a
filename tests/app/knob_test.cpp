#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/pipeline/knob_steps.h"
#include "app/window/layout.h"
#include "tests/app/example_scene.h"

namespace warplens::app {
namespace {

using instrumentation::ParameterDeclaration;

ParameterDeclaration parameter(const std::string& name) {
    for (const auto& kernel : example_catalogue())
        for (const auto& declared : kernel->parameters)
            if (declared.name == name) return declared;
    return {};
}

TEST(knob, a_list_is_stepped_from_value_to_value_and_ends) {
    const auto tile = parameter("TILE");
    EXPECT_EQ(stepped(tile, "16", 1), "32");
    EXPECT_EQ(stepped(tile, "16", -1), "8");
    EXPECT_EQ(stepped(tile, "16", 9), "32");
    EXPECT_EQ(stepped(tile, "32", 1), std::nullopt);
    EXPECT_EQ(stepped(tile, "17", 1), "8") << "a typed value that is not listed leads back into the list";
    EXPECT_EQ(allowed_words(tile), "8, 16 or 32");
}

TEST(knob, a_range_is_stepped_by_its_step_and_ends) {
    const auto width = parameter("W");
    EXPECT_EQ(stepped(width, "1024", 1), "1056");
    EXPECT_EQ(stepped(width, "32", -1), std::nullopt);
    EXPECT_EQ(stepped(width, "8190", 1), "8192");
    EXPECT_EQ(stepped(width, "wide", 1), std::nullopt);
    EXPECT_EQ(allowed_words(parameter("PAD")), "0 to 4");
}

TEST(knob, a_long_range_can_be_crossed_in_one_drag) {
    EXPECT_EQ(steps_per_click(parameter("PAD")), 1);
    EXPECT_EQ(steps_per_click(parameter("TILE")), 1);
    EXPECT_EQ(steps_per_click(parameter("n")), 41943);
}

TEST(knob, words_are_stepped_like_numbers) {
    ParameterDeclaration type;
    type.name = "type";
    type.fallback = std::string("float");
    type.values = {std::string("float"), std::string("float2"), std::string("float4")};
    EXPECT_EQ(stepped(type, "float2", 1), "float4");
    EXPECT_EQ(allowed_words(type), "float, float2 or float4");
}

TEST(layout, what_is_written_is_read_back) {
    Layout layout;
    layout.window_width = 1111;
    layout.maximised = true;
    layout.theme = ThemeName::light;
    layout.kernels_width = 301.5f;
    layout.source_share = 0.25f;
    layout.motion = false;
    EXPECT_EQ(read_layout(to_text(layout)), layout);
}

TEST(layout, a_fifo_is_not_waited_for) {
    const std::string path = testing::TempDir() + "layout_fifo";
    ::unlink(path.c_str());
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    EXPECT_EQ(load_layout(path), Layout{});
    ::unlink(path.c_str());
}

TEST(layout, nonsense_leaves_the_defaults) {
    EXPECT_EQ(
        read_layout("window_width = -3\nkernels_width = wide\ntheme = pink\n\x01\x02\nsource_share = 9"),
        Layout{});
    EXPECT_EQ(load_layout("/no/such/file"), Layout{});
}

}  // namespace
}  // namespace warplens::app
