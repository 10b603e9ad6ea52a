// libFuzzer target: any bytes at all are either a cubin, whose functions can all be numbered and printed, or
// give a message. Seeds are in corpus_cubin/.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "sass/decoder.h"
#include "sass/printer.h"
#include "sass/program.h"

namespace {

void require(bool holds, std::string_view what) {
    if (holds) return;
    std::fprintf(stderr, "%.*s\n", static_cast<int>(what.size()), what.data());
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace warplens;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    for (const int sm : {75, 90, 120})
        for (const sass::Instruction& instruction : sass::decode(bytes.substr(0, 4096), sm))
            require(!sass::print(instruction, sm).empty(), "an instruction without text");
    const auto cubin = sass::read_cubin(bytes);
    if (!cubin) {
        require(!cubin.error().message.empty(), "an error without a message");
        return 0;
    }
    for (const sass::CubinFunction& function : cubin->functions)
        require(sass::number_machine_sites(*cubin, function.name).has_value(),
                "a function that cannot be numbered");
    return 0;
}
