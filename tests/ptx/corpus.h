// The corpus: PTX that nvcc made from the .cu files beside it, for compute_75 to compute_120.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/folders.h"

namespace warplens::ptx {

inline std::vector<std::filesystem::path> corpus() {
    std::vector<std::filesystem::path> files;
    for (const auto& file : std::filesystem::directory_iterator(source_folder() + "/tests/ptx/corpus"))
        if (file.path().extension() == ".ptx") files.push_back(file.path());
    std::sort(files.begin(), files.end());
    return files;
}

inline std::string read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace warplens::ptx
