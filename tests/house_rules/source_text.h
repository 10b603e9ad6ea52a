// The project's files as lines, for the tests of the house rules.
#pragma once

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "tests/support/folders.h"

namespace fs = std::filesystem;

inline const fs::path root = warplens::source_folder();

struct SourceText {
    std::string path;  // relative to the root, with forward slashes
    std::vector<std::string> lines;
};

inline std::vector<std::string> lines_of(const fs::path& file) {
    std::vector<std::string> lines;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

inline std::vector<SourceText> files_below(const std::vector<std::string>& folders,
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

inline const std::vector<std::string> stages{
    "core", "ptx", "sass", "trace", "analysis", "simt", "instrumentation", "app"};
inline const std::set<std::string> code_endings{".h", ".cpp", ".def"};
