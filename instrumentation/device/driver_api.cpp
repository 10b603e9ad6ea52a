#include "instrumentation/device/driver_api.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace warplens::instrumentation::cuda {

namespace {

/// Where the driver's installers put it when the loader does not know.
constexpr const char* folders[] = {"",
                                   "/usr/lib/x86_64-linux-gnu/",
                                   "/usr/lib/aarch64-linux-gnu/",
                                   "/usr/lib64/",
                                   "/usr/lib/wsl/lib/",
                                   "/usr/local/nvidia/lib64/"};

}  // namespace

Result<CudaDriver> CudaDriver::open() {
    std::vector<std::string> names;
    const char* const chosen = std::getenv("WARPLENS_CUDA_DRIVER");
    if (chosen && *chosen) {
        names.emplace_back(chosen);
    } else {
        for (const char* folder : folders) names.push_back(std::string(folder) + "libcuda.so.1");
    }
    void* library = nullptr;
    for (const std::string& name : names) {
        library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library) break;
    }
    if (!library) {
        if (chosen && *chosen) {
            return fail("no NVIDIA driver: {}, which WARPLENS_CUDA_DRIVER names, cannot be opened", chosen);
        }
        return fail("no NVIDIA driver: libcuda.so.1 was not found; `--engine simt` needs none");
    }
    CudaDriver driver;
    const char* missing = nullptr;
    const auto find = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
        if (!function && !missing) missing = name;
    };
#define WARPLENS_DRIVER_FUNCTION(name, symbol, ...) find(driver.name, #symbol);
#include "instrumentation/device/driver_functions.def"
#undef WARPLENS_DRIVER_FUNCTION
    if (missing) {
        return fail("the NVIDIA driver is too old: it has no {}; one of CUDA 11.0 or later is needed",
                    missing);
    }
    find(driver.launch_with, "cuLaunchKernelEx");  // not in all
    Dl_info where{};
    if (dladdr(reinterpret_cast<void*>(driver.init), &where) && where.dli_fname) {
        std::error_code error;
        driver.path = std::filesystem::canonical(where.dli_fname, error).string();
    }
    return driver;
}

std::string CudaDriver::name_of(Code code) const {
    const char* text = nullptr;
    if (error_name(code, &text) == success && text) return text;
    return fmt::format("error {}", code);
}

}  // namespace warplens::instrumentation::cuda
