#include "app/window/folder_listing.h"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

/// More are not shown: reading them would make the window wait.
constexpr std::size_t most_entries = 20000;

std::string lower_case(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

bool is_wanted(const std::string& name, FileFilter filter) {
    if (filter == FileFilter::all) return true;
    const std::string ending = lower_case(fs::path(name).extension().string());
    return ending == ".cu" || ending == ".ptx" || ending == ".cubin";
}

}  // namespace

Result<std::vector<FolderEntry>> list_folder(const fs::path& folder, FileFilter filter) {
    std::error_code error;
    fs::directory_iterator files(folder, error);
    if (error) return fail("The folder {} cannot be read: {}.", folder.string(), error.message());
    std::vector<FolderEntry> entries;
    for (const fs::directory_iterator end; files != end && entries.size() < most_entries;
         files.increment(error)) {
        FolderEntry entry;
        entry.name = files->path().filename().string();
        struct stat about {};
        if (entry.name.starts_with('.') || ::stat(files->path().c_str(), &about) != 0) continue;
        entry.is_folder = S_ISDIR(about.st_mode);
        if (!entry.is_folder && (!S_ISREG(about.st_mode) || !is_wanted(entry.name, filter))) continue;
        entry.bytes = static_cast<std::uint64_t>(about.st_size);
        entry.changed = about.st_mtime;
        entries.push_back(std::move(entry));
    }
    std::ranges::sort(entries, {}, [](const FolderEntry& entry) {
        return std::tuple(!entry.is_folder, lower_case(entry.name), entry.name);
    });
    return entries;
}

fs::path path_from(const std::string& typed, const fs::path& folder) {
    if (typed == "~" || typed.starts_with("~/"))
        if (const fs::path home = home_folder(); !home.empty())
            return (home / typed.substr(std::min<std::size_t>(2, typed.size()))).lexically_normal();
    return (folder / typed).lexically_normal();
}

fs::path home_folder() {
    const char* home = std::getenv("HOME");
    return home ? fs::path(home) : fs::path();
}

}  // namespace warplens::app
