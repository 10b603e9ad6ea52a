// libFuzzer target: any text as an argument or a limit of a command line or of a launch form. What is taken
// can be written again and is taken again.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "app/pipeline/limits.h"
#include "instrumentation/catalog/aggregate.h"
#include "instrumentation/catalog/buffer_text.h"
#include "instrumentation/catalog/image_text.h"
#include "instrumentation/catalog/scalar_type.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace warplens;
    using namespace warplens::instrumentation;
    const std::string text(reinterpret_cast<const char*>(data), size);
    std::string offset;
    parse_buffer_text(text, "b", &offset);
    const BufferArgument place = parse_buffer_argument(text);
    if (to_string(parse_buffer_argument(to_string(place))) != to_string(place)) __builtin_trap();
    if (const auto image = parse_image_text(text, "i")) {
        const auto again = parse_image_text(image_text(*image), "i");
        if (!again || image_text(*again) != image_text(*image)) __builtin_trap();
        if (again->texels.fill_argument != image->texels.fill_argument) __builtin_trap();
    }
    if (is_aggregate(text))
        if (const auto structure = parse_aggregate(text))
            for (const AggregateMember& member : structure->members)
                if (std::uint64_t{member.offset} + std::uint64_t{member.count} * member.bytes >
                    structure->bytes)
                    __builtin_trap();
    if (const auto scalar = parse_typed_scalar(text); scalar && scalar->type == nullptr) __builtin_trap();
    if (const auto limit = app::parse_limit(text, true); limit && !std::isfinite(limit->bound))
        __builtin_trap();
    return 0;
}
