// Folder listing: what a folder holds, as the file browser shows it. It reads the disk and draws nothing.
#pragma once

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "core/result.h"

namespace warplens::app {

enum class FileFilter { kernels, all };  // kernels: .cu, .ptx and .cubin

struct FolderEntry {
    std::string name;
    bool is_folder = false;
    std::uint64_t bytes = 0;  // of a file
    std::time_t changed = 0;  // seconds since the epoch
};

/// Folders first, then files, both by name without regard to upper and lower case; names that begin with a
/// dot are left out. The error is a sentence that names the folder.
Result<std::vector<FolderEntry>> list_folder(const std::filesystem::path& folder, FileFilter filter);

/// What was typed as a path: absolute, from "~/" the home folder, else in `folder`.
std::filesystem::path path_from(const std::string& typed, const std::filesystem::path& folder);

/// Empty where it is not known.
std::filesystem::path home_folder();

}  // namespace warplens::app
