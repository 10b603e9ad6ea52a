// libFuzzer target: any text as a file of limits. It is refused in a sentence that names the file, or every
// limit of its checks can be met.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "app/command_line/limits_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace warplens::app;
    const auto jobs = parse_limits({reinterpret_cast<const char*>(data), size}, "fuzzed.toml");
    if (!jobs) return jobs.error().message.starts_with("fuzzed.toml") ? 0 : (__builtin_trap(), 0);
    for (const CheckJob& job : *jobs) {
        if (job.launch.target.empty()) __builtin_trap();
        for (const Limit& limit : job.limits)
            if (limit.metric == nullptr || !std::isfinite(limit.bound)) __builtin_trap();
    }
    return 0;
}
