// The house rules as a program: the direction of includes, the length of files, who may include what, and
// paths named in the documents exist.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;

const fs::path root = WARPLENS_SOURCE_FOLDER;

struct SourceText {
    std::string path;  // relative to the root, with forward slashes
    std::vector<std::string> lines;
};

std::vector<std::string> lines_of(const fs::path& file) {
    std::vector<std::string> lines;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::vector<SourceText> files_below(const std::vector<std::string>& folders,
                                    const std::set<std::string>& endings) {
    std::vector<SourceText> files;
    for (const std::string& folder : folders) {
        if (!fs::exists(root / folder)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            if (!entry.is_regular_file() || !endings.contains(entry.path().extension().string())) continue;
            files.push_back({fs::relative(entry.path(), root).generic_string(), lines_of(entry.path())});
        }
    }
    return files;
}

const std::vector<std::string> stages{"core", "ptx", "sass", "trace", "analysis", "simt", "instrumentation", "app"};
const std::set<std::string> code_endings{".h", ".cpp", ".def"};

/// Which stages a stage may include, itself aside.
const std::map<std::string, std::set<std::string>> allowed_includes{
    {"core", {}},
    {"ptx", {"core"}},
    {"sass", {"core"}},
    {"trace", {"core"}},
    {"simt", {"core", "ptx", "trace", "analysis"}},
    {"analysis", {"core", "trace"}},
    {"instrumentation", {"core", "ptx", "trace"}},
    {"app", {"core", "ptx", "sass", "trace", "simt", "analysis", "instrumentation"}},
};

TEST(house_rules, includes_point_down_the_line_of_stages) {
    std::vector<std::string> wrong;
    const std::regex include(R"(^\s*#include\s+"([a-z_]+)/)");
    for (const auto& file : files_below(stages, code_endings)) {
        const std::string stage = file.path.substr(0, file.path.find('/'));
        for (const std::string& line : file.lines) {
            std::smatch match;
            if (!std::regex_search(line, match, include)) continue;
            const std::string other = match[1];
            if (other == stage || !allowed_includes.contains(other)) continue;
            if (!allowed_includes.at(stage).contains(other))
                wrong.push_back(file.path + " includes " + other + "/");
        }
    }
    EXPECT_THAT(wrong, IsEmpty());
}

TEST(house_rules, every_file_stays_at_or_under_400_lines) {
    std::vector<std::string> long_files;
    std::vector<std::string> folders = stages;
    folders.insert(folders.end(), {"kernels", "tests", "bench"});
    for (const auto& file : files_below(folders, {".h", ".cpp", ".def", ".cu"})) {
        if (file.path.starts_with("tests/ptx/corpus")) continue;  // written by a compiler
        if (file.lines.size() > 400) {
            long_files.push_back(file.path + ": " + std::to_string(file.lines.size()) + " lines");
        }
    }
    EXPECT_THAT(long_files, IsEmpty());
}

TEST(house_rules, only_the_window_includes_imgui_and_only_the_device_runner_includes_cuda) {
    std::vector<std::string> wrong;
    for (const auto& file : files_below(stages, code_endings)) {
        for (const std::string& line : file.lines) {
            const bool imgui =
                line.find("#include") != std::string::npos && line.find("imgui") != std::string::npos;
            const bool cuda = line.find("#include <cuda") != std::string::npos;
            if (imgui && !file.path.starts_with("app/")) wrong.push_back(file.path + ": " + line);
            if (cuda && !file.path.starts_with("instrumentation/device/"))
                wrong.push_back(file.path + ": " + line);
        }
    }
    EXPECT_THAT(wrong, IsEmpty());
}

TEST(house_rules, every_header_opens_with_what_it_is) {
    std::vector<std::string> silent;
    for (const auto& file : files_below(stages, {".h"})) {
        if (file.lines.empty() || !file.lines.front().starts_with("// ")) silent.push_back(file.path);
    }
    EXPECT_THAT(silent, IsEmpty());
}

TEST(house_rules, no_words_of_unfinished_work) {
    std::vector<std::string> found;
    const std::regex words(R"(\b(TODO|FIXME|XXX)\b)");
    for (const auto& file : files_below(stages, {".h", ".cpp", ".def", ".cu"})) {
        for (const std::string& line : file.lines) {
            if (std::regex_search(line, words)) found.push_back(file.path + ": " + line);
        }
    }
    EXPECT_THAT(found, IsEmpty());
}

/// Documents name files as `folder/name.ending` in backquotes; a name with a wildcard or a placeholder is a
/// pattern.
TEST(house_rules, paths_named_in_the_documents_exist) {
    std::vector<std::string> missing;
    std::vector<SourceText> documents = files_below({"docs"}, {".md"});
    for (const char* name : {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"}) {
        ASSERT_TRUE(fs::exists(root / name)) << name;
        documents.push_back({name, lines_of(root / name)});
    }
    const std::regex path(
        R"(`((?:\.ci|core|ptx|sass|trace|simt|analysis|instrumentation|app|kernels|tests|bench|docs|assets|third_party)/[A-Za-z0-9_./-]*)`)");
    const std::regex picture(R"(\]\((docs/[A-Za-z0-9_./-]+)\))");
    for (const auto& document : documents) {
        for (const std::string& line : document.lines) {
            for (const std::regex& pattern : {path, picture}) {
                for (std::sregex_iterator it(line.begin(), line.end(), pattern), end; it != end; ++it) {
                    const std::string name = (*it)[1];
                    if (name.find("NAME") != std::string::npos ||
                        name.find("COMBINATION") != std::string::npos)
                        continue;
                    if (!fs::exists(root / name)) missing.push_back(document.path + " names " + name);
                }
            }
        }
    }
    EXPECT_THAT(missing, IsEmpty());
}

TEST(house_rules, a_kernel_file_is_named_like_its_kernel) {
    std::vector<std::string> wrong;
    for (const auto& file : files_below({"kernels"}, {".cu"})) {
        const std::string name = fs::path(file.path).stem().string();
        const bool found = std::any_of(file.lines.begin(), file.lines.end(), [&](const std::string& line) {
            return line.find(name + "(") != std::string::npos;
        });
        if (!found) wrong.push_back(file.path);
    }
    EXPECT_THAT(wrong, IsEmpty());
}

}  // namespace
