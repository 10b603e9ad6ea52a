// libFuzzer target: any text as the source that a kernel's parameters get their names and types from, whether
// it was compiled (arguments_of) or not (declared_names), and as the one whose named numbers are found. Every
// parameter of the compiled kernel gets a name, and every number stands where it is said to.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "instrumentation/catalog/entry_signature.h"
#include "instrumentation/host_code/launch_numbers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace warplens::instrumentation;
    const std::string text(reinterpret_cast<const char*>(data), size);
    // The first line names the kernel: mangled, as in the source, or not at all.
    const std::size_t line = std::min(text.find('\n'), text.size());
    const std::string name = text.substr(0, line), source = text.substr(line);
    for (const std::string& declared : declared_names(source, name))
        if (declared.empty()) __builtin_trap();
    for (const auto& launch : host_code::launch_numbers(source))
        for (const auto& place : launch.places)
            if (place.offset + place.digits > source.size()) __builtin_trap();
    for (const auto& number : host_code::named_numbers(source))
        if (number.name.empty() || number.digits == 0 ||
            std::stoull(source.substr(number.offset, number.digits)) != number.value)
            __builtin_trap();
    EntryFacts entry;
    entry.symbol = entry.name = name;
    entry.parameters.resize(4);
    for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
        entry.parameters[i].bytes = i == 3 ? 24 : 8;
        entry.parameters[i].offset = static_cast<std::uint32_t>(8 * i);
    }
    const auto arguments = arguments_of(entry, source);
    if (arguments.size() != entry.parameters.size()) __builtin_trap();
    for (const ArgumentFacts& argument : arguments)
        if (argument.name.empty()) __builtin_trap();
    return 0;
}
