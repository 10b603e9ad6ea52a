#include "core/read_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace warplens {
namespace {

TEST(read_file, regular_files_alone_are_read_and_nothing_waits) {
    const auto folder = std::filesystem::temp_directory_path() / "warplens_read_file";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    std::ofstream(folder / "text", std::ios::binary) << std::string("a\0b", 3);
    ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
    EXPECT_EQ(read_file(folder / "text").value(), std::string("a\0b", 3));
    for (const char* refused : {"fifo", "none", "."}) EXPECT_FALSE(read_file(folder / refused)) << refused;
    EXPECT_FALSE(read_file("/dev/zero"));
    const auto large = read_file(folder / "text", 2);
    ASSERT_FALSE(large);
    EXPECT_NE(large.error().message.find("it has 3 bytes; at most 2"), std::string::npos);
    EXPECT_EQ(kind_unless_regular(folder / "text"), "");
    EXPECT_EQ(kind_unless_regular(folder / "none"), "");
    EXPECT_EQ(kind_unless_regular(folder / "fifo"), "a FIFO");
    EXPECT_EQ(kind_unless_regular(folder), "a folder");
    EXPECT_EQ(kind_unless_regular("/dev/zero"), "a device");
    const auto fifo = read_file(folder / "fifo");
    ASSERT_FALSE(fifo);
    EXPECT_NE(fifo.error().message.find("fifo cannot be read: it is a FIFO, not a regular file"),
              std::string::npos);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace warplens
