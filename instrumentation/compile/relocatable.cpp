#include "instrumentation/compile/relocatable.h"

#include <algorithm>
#include <string_view>

#include "instrumentation/compile/compile_log.h"
#include "instrumentation/word_search.h"

namespace warplens::instrumentation {

namespace {

/// Of the device run-time, as code that launches grids uses it.
constexpr std::string_view declared_in_relocatable_code[] = {
    "cudaStreamTailLaunch", "cudaStreamFireAndForget", "cudaStreamCreateWithFlags", "cudaStreamDestroy",
    "cudaGetLastError",     "cudaPeekAtLastError",     "cudaGetParameterBufferV2",  "cudaLaunchDeviceV2",
};

bool needs_it(const Diagnostic& diagnostic) {
    if (!diagnostic.is_error) return false;
    if (diagnostic.text.find("device-side kernel launch") != std::string::npos) return true;
    return std::ranges::any_of(declared_in_relocatable_code, [&](std::string_view name) {
        return diagnostic.text.find(std::string("identifier \"").append(name) + '"') != std::string::npos;
    });
}

}  // namespace

bool names_relocatable_code(const std::string& source) { return has_word(source, "__CUDACC_RDC__"); }

bool needs_device_runtime(const std::string& log) {
    return std::ranges::any_of(read_compile_log(log), needs_it);
}

}  // namespace warplens::instrumentation
