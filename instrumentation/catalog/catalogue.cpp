#include "instrumentation/catalog/catalogue.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "core/read_file.h"
#include "instrumentation/catalog/curriculum.h"
#include "instrumentation/catalog/suggestion.h"

namespace warplens::instrumentation {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t largest_source = 16u << 20;  // bytes

bool holds_program_folders(const fs::path& folder) {
    std::error_code error;
    return fs::is_directory(folder / "kernels", error) && fs::is_directory(folder / "assets", error);
}

/// `wanted` names what to give instead.
Result<std::string> read_regular_file(const std::string& path, std::string_view wanted) {
    std::error_code error;
    const bool exists = fs::exists(path, error);
    if (error == std::errc::permission_denied)
        return fail("`{}` cannot be read: a folder on the way to it may not be entered", path);
    if (!exists) return fail("the file `{}` does not exist", path);
    if (fs::is_directory(path, error)) return fail("`{}` is a folder; give {} in it", path, wanted);
    if (const auto kind = kind_unless_regular(path); !kind.empty())
        return fail("`{}` is {}, not a regular file; give {}", path, kind, wanted);
    if (::access(path.c_str(), R_OK) != 0)
        return fail("`{}` cannot be read: {}", path, std::generic_category().message(errno));
    if (fs::file_size(path, error) > largest_source) {
        return fail("`{}` is larger than {} MiB, too large for a kernel file", path, largest_source >> 20);
    }
    return read_file(path, largest_source);
}

}  // namespace

Result<std::string> read_kernel_text(const std::string& path) {
    WARPLENS_TRY(std::string source, read_regular_file(path, "a .cu or .ptx file"));
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (source.starts_with(byte_order_mark)) source.erase(0, byte_order_mark.size());
    if (source.find('\0') != std::string::npos)
        return fail("`{}` is not text; give a .cu or .ptx file", path);
    return source;
}

Result<std::string> read_kernel_source(const std::string& path) {
    return is_machine_code(path) ? read_regular_file(path, "a .cubin file") : read_kernel_text(path);
}

Result<KernelFile> load_kernel_file(const std::string& path) {
    WARPLENS_TRY(auto source, read_kernel_source(path));
    return read_kernel_file(path, std::move(source));
}

Result<std::vector<KernelFile>> read_catalogue(const std::string& folder) {
    std::error_code error;
    std::vector<fs::path> paths;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".cu") paths.push_back(entry.path());
    }
    if (error) return fail("the kernels' folder `{}` cannot be read: {}", folder, error.message());
    std::sort(paths.begin(), paths.end());

    std::vector<KernelFile> kernels;
    for (const fs::path& path : paths) {
        WARPLENS_TRY(auto kernel, load_kernel_file(path.string()));
        if (!kernel.has_header) continue;
        kernels.push_back(std::move(kernel));
    }
    const auto order = read_file((fs::path(folder) / "curriculum.txt").string(), largest_source);
    sort_by(order ? read_curriculum(*order) : Curriculum{}, kernels);
    return kernels;
}

Result<const KernelFile*> find_kernel(const std::vector<KernelFile>& catalogue, const std::string& name) {
    std::vector<std::string> names;
    for (const KernelFile& kernel : catalogue) {
        if (kernel.name == name) return &kernel;
        names.push_back(kernel.name);
    }
    return fail("there is no kernel `{}`{} (`warplens list` shows all {})", name, did_you_mean(name, names),
                names.size());
}

Result<InstalledFolders> installed_folders() {
    const auto inside = [](const fs::path& home) {
        return InstalledFolders{(home / "kernels").string(), (home / "assets").string(),
                                (home / "lessons").string()};
    };
    if (const char* const home = std::getenv("WARPLENS_HOME"); home && *home) {
        if (holds_program_folders(home)) return inside(home);
        return fail("WARPLENS_HOME is `{}`, which does not hold the folders kernels and assets", home);
    }
    std::error_code error;
    const fs::path executable = fs::read_symlink("/proc/self/exe", error);
    for (fs::path folder = executable.parent_path(); !error && !folder.empty();
         folder = folder.parent_path()) {
        if (holds_program_folders(folder)) return inside(folder);
        if (holds_program_folders(folder / "share" / "warplens"))
            return inside(folder / "share" / "warplens");
        if (folder == folder.parent_path()) break;
    }
    return fail(
        "the folders kernels and assets were found neither next to the program nor above it; set "
        "WARPLENS_HOME to the folder that holds them");
}

}  // namespace warplens::instrumentation
