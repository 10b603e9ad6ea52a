#include "instrumentation/compile/toolkit_folders.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace warplens::instrumentation {

namespace fs = std::filesystem;

namespace {

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : "";
}

std::vector<fs::path> folders_of_path(std::string_view path) {
    std::vector<fs::path> folders;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find(':'), path.size());
        if (end > 0) folders.emplace_back(path.substr(0, end));
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return folders;
}

bool is_program(const fs::path& path) {
    std::error_code error;
    const auto status = fs::status(path, error);
    constexpr auto executable = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
    return !error && fs::is_regular_file(status) && (status.permissions() & executable) != fs::perms::none;
}

bool holds_headers(const fs::path& folder) {
    std::error_code error;
    return fs::exists(folder / "cuda_fp16.h", error) && fs::exists(folder / "cooperative_groups.h", error);
}

constexpr const char* inside_a_toolkit[] = {"include", "targets/x86_64-linux/include",
                                            "targets/sbsa-linux/include"};

}  // namespace

ToolkitPlaces ToolkitPlaces::of_this_machine() {
    ToolkitPlaces places;
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
        if (std::string home = variable(name); !home.empty()) places.named.push_back(std::move(home));
    places.path = variable("PATH");
    places.usual = {"/usr/local/cuda", "/opt/cuda"};
    std::vector<std::string> versioned;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator("/usr/local", error))
        if (entry.path().filename().string().rfind("cuda-", 0) == 0)
            versioned.push_back(entry.path().string());
    std::sort(versioned.rbegin(), versioned.rend());
    places.usual.insert(places.usual.end(), versioned.begin(), versioned.end());
    return places;
}

std::vector<std::string> toolkit_roots(const ToolkitPlaces& places) {
    std::vector<std::string> roots;
    const auto add = [&](const fs::path& root) {
        std::error_code error;
        const fs::path found = fs::canonical(root, error);
        if (error || !fs::is_directory(found, error) || found == fs::path(places.system)) return;
        if (std::ranges::find(roots, found.string()) == roots.end()) roots.push_back(found.string());
    };
    for (const std::string& root : places.named) add(root);
    for (const fs::path& folder : folders_of_path(places.path)) {
        std::error_code error;
        if (!is_program(folder / "nvcc")) continue;
        // The link on PATH may lead into the toolkit: it is bin/nvcc there.
        const fs::path nvcc = fs::canonical(folder / "nvcc", error);
        if (!error) add(nvcc.parent_path().parent_path());
    }
    for (const std::string& root : places.usual) add(root);
    return roots;
}

std::vector<std::string> toolkit_include_folders(const ToolkitPlaces& places,
                                                 const std::string& beside_compiler) {
    std::vector<fs::path> candidates;
    if (!beside_compiler.empty()) {
        const fs::path folder(beside_compiler);
        candidates = {folder / "../include", folder / "../../../include",
                      folder / "../../cuda_runtime/include"};  // as Python's packages lie beside each other
    }
    for (const std::string& root : toolkit_roots(places))
        for (const char* inside : inside_a_toolkit) candidates.push_back(fs::path(root) / inside);
    candidates.push_back(fs::path(places.system) / "include");
    for (const fs::path& candidate : candidates) {
        if (!holds_headers(candidate)) continue;
        std::error_code error;
        const fs::path found = fs::canonical(candidate, error);
        std::vector<std::string> folders{found.string()};
        if (fs::is_directory(found / "cccl", error)) folders.push_back((found / "cccl").string());
        return folders;
    }
    return {};
}

std::string toolkit_program(const ToolkitPlaces& places, const std::string& name) {
    for (const std::string& root : toolkit_roots(places))
        if (const fs::path program = fs::path(root) / "bin" / name; is_program(program))
            return program.string();
    for (const fs::path& folder : folders_of_path(places.path))
        if (is_program(folder / name)) return (folder / name).string();
    return "";
}

}  // namespace warplens::instrumentation
