// libFuzzer target: any text as the report that `check --versus` compares with. It is refused in a sentence
// that names the file, or its figures are finite and its launch is one that can be.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "analysis/compare/read_report.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace warplens;
    const auto run = analysis::read_report_json({reinterpret_cast<const char*>(data), size}, "fuzzed.json");
    if (!run) return run.error().message.starts_with("fuzzed.json") ? 0 : (__builtin_trap(), 0);
    if (run->grid.count() == 0 || run->block.count() == 0 || run->blocks_executed > run->grid.count())
        __builtin_trap();
    return 0;
}
