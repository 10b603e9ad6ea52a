// A file appears whole or not at all.
#include "core/whole_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace warplens {
namespace {

namespace fs = std::filesystem;

class WholeFileTest : public testing::Test {
  protected:
    fs::path folder;
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "warplens_whole_XXXXXX").string();
        folder = ::mkdtemp(name.data());
    }
    void TearDown() override { fs::remove_all(folder); }

    std::string text() const {
        std::ifstream file(folder / "x");
        return {std::istreambuf_iterator<char>(file), {}};
    }
    std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder), {}); }
};

TEST_F(WholeFileTest, is_there_only_once_it_is_kept) {
    auto file = WholeFile::create(folder / "x");
    ASSERT_TRUE(file) << file.error().message;
    ASSERT_TRUE(file->append("one "));
    ASSERT_TRUE(file->append("two"));
    EXPECT_FALSE(fs::exists(folder / "x"));
    ASSERT_TRUE(file->keep());
    EXPECT_EQ(text(), "one two");
    EXPECT_EQ(files(), 1);
}

TEST_F(WholeFileTest, leaves_the_older_file_when_it_is_given_up) {
    ASSERT_TRUE(write_whole_file(folder / "x", "old"));
    {
        auto file = WholeFile::create(folder / "x");
        ASSERT_TRUE(file);
        ASSERT_TRUE(file->append("new"));
    }
    EXPECT_EQ(text(), "old");
    EXPECT_EQ(files(), 1);
}

TEST_F(WholeFileTest, says_which_folder_is_missing) {
    const Status refused = write_whole_file(folder / "none" / "x", "new");
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("none/x cannot be written"), std::string::npos)
        << refused.error().message;
}

}  // namespace
}  // namespace warplens
