// libFuzzer target: any text as a kernel's header, read, resolved and prepared. Nothing in it may crash the
// program or keep it busy; errors are values.
#include <cstddef>
#include <cstdint>
#include <string>

#include "instrumentation/catalog/header_comment.h"
#include "instrumentation/catalog/kernel.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace warplens::instrumentation;
    const std::string text(reinterpret_cast<const char*>(data), size);
    find_header_comment(text);  // as a whole source

    const auto kernel = read_kernel_file("kernels/fuzzed.cu", "/*\n" + text + "\n*/\n");
    if (!kernel || !kernel->has_header) return 0;
    const auto values = resolve_parameters(*kernel, {});
    if (!values) return 0;
    constexpr std::uint64_t memory_limit = 1 << 16;  // bytes
    const auto launch = prepare_launch(*kernel, *values, memory_limit);
    if (!launch) return 0;
    std::uint64_t bytes = 0;
    for (const PreparedBuffer& buffer : launch->buffers) bytes += buffer.data.size();
    if (bytes > memory_limit || launch->geometry.threads_per_block() > 1024) __builtin_trap();
    return 0;
}
