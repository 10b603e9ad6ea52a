// The kernel list: filtered as one types, folded by subject, with the current kernel in sight.
#include <gtest/gtest.h>

#include "app/window/frame.h"
#include "instrumentation/catalog/catalogue.h"
#include "tests/app/example_scene.h"
#include "tests/support/folders.h"
#include "tests/support/headless.h"

namespace warplens::app {
namespace {

class KernelListTest : public testing::Test {
  protected:
    static Catalogue whole_catalogue() {
        Catalogue catalogue;
        auto kernels = instrumentation::read_catalogue(source_folder() + "/kernels");
        for (auto& kernel : *kernels)
            catalogue.push_back(std::make_shared<const instrumentation::KernelFile>(std::move(kernel)));
        return catalogue;
    }
    ScriptedRun script;
    Session session{whole_catalogue(), script.run(), script.wake()};
    Layout layout;
    Frame frame{session, layout};
    Headless ui{[this](const Theme& theme) { frame.draw(theme); }, {1760, 900}};

    void settle() {
        script.wait();
        ui.frame(4);
    }
    bool in_sight(const char* box) const {
        const HitBox* found = ui.find(box);
        return found && found->min.y > 40 && found->max.y < 880;
    }
};

TEST_F(KernelListTest, typing_filters_it_and_enter_opens_the_first) {
    ui.frame(2);
    ASSERT_TRUE(ui.find("kernel vector_add")) << "the curriculum begins with it";
    ASSERT_TRUE(ui.click("kernel filter"));
    ui.type("scan");
    EXPECT_FALSE(ui.find("kernel vector_add"));
    EXPECT_TRUE(ui.find("kernel scan_blelloch"));
    EXPECT_TRUE(ui.find("kernel warp_scan"));
    ui.press(compat::Key::enter);
    settle();
    EXPECT_EQ(session.kernel()->name, "warp_scan") << "the first of the list";
}

TEST_F(KernelListTest, escape_clears_the_filter) {
    ui.frame(2);
    ASSERT_TRUE(ui.click("kernel filter"));
    ui.type("zzzz");
    EXPECT_TRUE(ui.shows("No kernel has a name like this."));
    ui.press(compat::Key::escape);
    ui.frame(2);
    EXPECT_TRUE(ui.find("kernel vector_add"));
}

TEST_F(KernelListTest, a_filter_begins_at_the_top_and_without_it_the_current_kernel_is_in_sight) {
    session.open_kernel("texture_blur");
    settle();
    ASSERT_TRUE(ui.click("kernel filter"));
    ui.type("e");
    ui.frame(2);
    EXPECT_TRUE(in_sight("kernel vector_add"));
    ui.press(compat::Key::escape);
    ui.frame(4);
    EXPECT_TRUE(in_sight("kernel texture_blur"));
}

TEST_F(KernelListTest, a_subject_folds_and_opening_one_of_its_kernels_unfolds_it) {
    ui.frame(2);
    ASSERT_TRUE(ui.click("subject Threads, blocks and the grid"));
    EXPECT_FALSE(ui.find("kernel saxpy"));
    ASSERT_TRUE(ui.click("subject Threads, blocks and the grid"));
    EXPECT_TRUE(ui.find("kernel saxpy"));
    ASSERT_TRUE(ui.click("subject Threads, blocks and the grid"));
    session.open_kernel("saxpy");
    settle();
    EXPECT_TRUE(in_sight("kernel saxpy"));
}

TEST_F(KernelListTest, the_kernel_that_is_opened_comes_into_sight) {
    ui.frame(2);
    EXPECT_FALSE(in_sight("kernel texture_blur"));
    session.open_kernel("texture_blur");
    settle();
    EXPECT_TRUE(in_sight("kernel texture_blur"));
}

}  // namespace
}  // namespace warplens::app
