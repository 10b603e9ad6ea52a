#include "core/whole_path.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace warplens {
namespace {

namespace fs = std::filesystem;

TEST(whole_path, is_the_same_however_a_file_is_named) {
    std::string name = (fs::temp_directory_path() / "warplens_test_XXXXXX").string();
    const fs::path folder = fs::canonical(::mkdtemp(name.data()));
    std::ofstream(folder / "a.cu") << "text";
    fs::create_symlink(folder / "a.cu", folder / "link.cu");
    const std::string whole = (folder / "a.cu").string();
    EXPECT_EQ(whole_path(whole), whole);
    EXPECT_EQ(whole_path((folder / "." / "b" / ".." / "a.cu").string()), whole);
    EXPECT_EQ(whole_path((folder / "link.cu").string()), whole);
    EXPECT_EQ(whole_path(fs::relative(folder / "a.cu").string()), whole);
    EXPECT_EQ(whole_path((folder / "new.cu").string()), (folder / "new.cu").string()) << "not written yet";
    fs::remove_all(folder);
}

}  // namespace
}  // namespace warplens
