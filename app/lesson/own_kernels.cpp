#include "app/lesson/own_kernels.h"

#include "instrumentation/catalog/catalogue.h"

namespace warplens::app {

namespace fs = std::filesystem;

bool is_own_kernel(const std::string& kernel) { return kernel.ends_with(".cu") || kernel.ends_with(".ptx"); }

std::string kernel_title(const std::string& kernel) {
    return is_own_kernel(kernel) ? fs::path(kernel).stem().string() : kernel;
}

Result<std::shared_ptr<const instrumentation::KernelFile>> OwnKernels::find(const std::string& path) {
    std::error_code error;
    const auto written = fs::last_write_time(path, error);
    if (const auto known = read_.find(path);
        !error && known != read_.end() && known->second.written == written)
        return known->second.kernel;
    WARPLENS_TRY(auto file, instrumentation::load_kernel_file(path));
    if (!file.has_header)
        return fail(
            "{} has no header that declares its launch, which a lesson needs; `warplens new` writes a "
            "file with one, and docs/kernel_header.md describes it",
            path);
    auto kernel = std::make_shared<const instrumentation::KernelFile>(std::move(file));
    read_[path] = {written, kernel};
    return kernel;
}

}  // namespace warplens::app
