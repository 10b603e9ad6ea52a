#include "app/capture/offscreen.h"

#include <gtest/gtest.h>
#include <stb_image.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>

#include "app/ui/hatch.h"
#include "app/ui/text.h"

namespace warplens::app {
namespace {

void draw_example(const Theme& theme) {
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    list.AddRectFilled({10, 10}, {110, 60}, theme.cost);
    draw_hatched(list, theme, {120, 10}, {220, 60}, theme.ideal);
    draw_text(list, theme.fonts.words, {10, 70}, theme.text, "32 wavefronts → 1");
}

ImU32 pixel(const Picture& picture, int x, int y) {
    const auto* at = picture.rgba.data() + (static_cast<std::size_t>(y) * picture.width + x) * 4;
    return IM_COL32(at[0], at[1], at[2], at[3]);
}

std::map<ImU32, int> colours_in(const Picture& picture, int left, int top, int right, int bottom) {
    std::map<ImU32, int> count;
    for (int y = top; y < bottom; ++y)
        for (int x = left; x < right; ++x) ++count[pixel(picture, x, y)];
    return count;
}

/// In a process of its own, which has the limit.
TEST(offscreen, a_limit_on_memory_is_named_before_a_driver_fails) {
#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    GTEST_SKIP() << "sanitizers reserve more than any limit";
#endif
#endif
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            struct ::rlimit limit {};
            limit.rlim_cur = limit.rlim_max = ::rlim_t{450} << 20;
            ::setrlimit(RLIMIT_AS, &limit);
            const auto offscreen = Offscreen::open({320, 120, 1, ThemeName::dark});
            std::fputs(offscreen ? "drawn" : offscreen.error().message.c_str(), stderr);
            ::_exit(0);
        },
        testing::ExitedWithCode(0), "needs 512 MiB of memory, and the limit of 450 MiB");
}

TEST(offscreen, fills_and_hatches_and_words_reach_the_pixels) {
    for (const ThemeName name : {ThemeName::dark, ThemeName::light}) {
        auto offscreen = Offscreen::open({320, 120, 1, name});
        ASSERT_TRUE(offscreen) << offscreen.error().message;
        const Picture picture = (*offscreen)->render(draw_example);
        const Theme& theme = (*offscreen)->theme();
        EXPECT_EQ(picture.width, 320);
        EXPECT_EQ(picture.height, 120);
        EXPECT_EQ(pixel(picture, 60, 30), theme.cost);
        EXPECT_EQ(pixel(picture, 300, 100), theme.background);
        const auto hatch = colours_in(picture, 120, 10, 220, 60);
        EXPECT_GT(hatch.at(theme.background), 1000);
        EXPECT_GT(hatch.size(), 2u);
        EXPECT_GT(colours_in(picture, 10, 70, 150, 90).size(), 8u) << "anti-aliased words";
    }
}

TEST(offscreen, a_smooth_picture_has_the_size_that_was_asked_for) {
    auto offscreen = Offscreen::open({320, 120, 1, ThemeName::dark, true});
    ASSERT_TRUE(offscreen) << offscreen.error().message;
    const Picture picture = (*offscreen)->render([](const Theme& theme) {
        ImGui::GetBackgroundDrawList()->AddRectFilled({20, 20}, {220, 120}, theme.cost);
    });
    EXPECT_EQ(picture.width, 320);
    EXPECT_EQ(picture.rgba.size(), 320u * 120 * 4);
    EXPECT_EQ(pixel(picture, 60, 30), (*offscreen)->theme().cost);
}

TEST(offscreen, a_size_that_cannot_be_drawn_is_refused_in_a_sentence) {
    const auto offscreen = Offscreen::open({0, 120});
    ASSERT_FALSE(offscreen);
    EXPECT_NE(offscreen.error().message.find("0 by 120"), std::string::npos);
}

TEST(picture, halving_means_four_pixels) {
    const Picture four{2, 2, {0, 0, 0, 255, 100, 0, 0, 255, 0, 40, 0, 255, 100, 0, 8, 255}};
    EXPECT_EQ(halved(four).rgba, (std::vector<std::uint8_t>{50, 10, 2, 255}));
}

TEST(picture, a_png_holds_the_picture_pixel_by_pixel_and_repetition_costs_little) {
    Picture picture{97, 61, {}};
    for (int i = 0; i < 97 * 61; ++i)
        for (const int value : {i % 251, i / 97, i * i % 256, 255})
            picture.rgba.push_back(static_cast<std::uint8_t>(value));
    const auto bytes = encode_png(picture);
    ASSERT_TRUE(bytes) << bytes.error().message;
    int width = 0, height = 0, channels = 0;
    const std::unique_ptr<stbi_uc, void (*)(void*)> read(
        stbi_load_from_memory(bytes->data(), static_cast<int>(bytes->size()), &width, &height, &channels, 4),
        stbi_image_free);
    ASSERT_TRUE(read);
    EXPECT_EQ(width, 97);
    EXPECT_EQ(height, 61);
    EXPECT_TRUE(std::equal(picture.rgba.begin(), picture.rgba.end(), read.get()));

    const Picture flat{1000, 1000, std::vector<std::uint8_t>(4'000'000, 255)};
    EXPECT_LT(encode_png(flat)->size(), 10'000u);
    EXPECT_FALSE(encode_png({3, 3, {}}));
}

TEST(picture, a_png_is_written_whole_or_not_at_all) {
    const Picture red{2, 1, {255, 0, 0, 255, 255, 0, 0, 255}};
    const std::string path = testing::TempDir() + "warplens_picture_test.png";
    ASSERT_TRUE(write_png(red, path));
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(bytes.substr(1, 3), "PNG");
    EXPECT_EQ(bytes.substr(bytes.size() - 8, 4), "IEND");
    std::remove(path.c_str());

    const Status refused = write_png(red, testing::TempDir() + "no_such_folder/picture.png");
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("no_such_folder"), std::string::npos);
}

}  // namespace
}  // namespace warplens::app
