#include "instrumentation/device/stream_driver.h"

#include <dlfcn.h>

#include <type_traits>

namespace warplens::instrumentation::cuda {

Result<StreamDriver> StreamDriver::open(const CudaDriver& driver) {
    void* const library = dlopen(driver.path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (!library) return fail("the NVIDIA driver {} cannot be opened a second time", driver.path);
    StreamDriver streams;
    const char* missing = nullptr;
    const auto find = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
        if (!function && !missing) missing = name;
    };
#define WARPLENS_DRIVER_FUNCTION(name, symbol, ...) find(streams.name, #symbol);
#include "instrumentation/device/stream_functions.def"
#undef WARPLENS_DRIVER_FUNCTION
    if (missing)
        return fail(
            "the NVIDIA driver is too old for streams and graphs: it has no {}; one of CUDA 11.4 or later is "
            "needed",
            missing);
    return streams;
}

}  // namespace warplens::instrumentation::cuda
