// libFuzzer target: any text as a CUDA file with host code, separated and read for its launches. Nothing in
// it may crash the program or keep it busy, and what is set aside must leave every line where it was.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "instrumentation/host_code/device_code.h"
#include "instrumentation/host_code/launches.h"
#include "instrumentation/host_program/program_source.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace warplens::instrumentation::host_code;
    const std::string text(reinterpret_cast<const char*>(data), size);
    const std::size_t half = text.find("\n\n");  // the second part is a header of the first
    std::vector<File> files{{"fuzzed.cu", text.substr(0, half)}};
    if (half != std::string::npos) files.push_back({"fuzzed.h", text.substr(half)});
    const auto no_header = [](std::string_view, const std::set<std::string_view>&) { return false; };
    const DeviceCode code = device_code(files, {"N=16"}, no_header);
    for (std::size_t i = 0; i < files.size(); ++i)
        if (code.files[i].text.size() != files[i].text.size() ||
            std::ranges::count(code.files[i].text, '\n') != std::ranges::count(files[i].text, '\n'))
            __builtin_trap();
    if (const auto program = warplens::instrumentation::program_source(files, {"N=16"}))
        for (std::size_t i = 0; i < files.size(); ++i)
            if (std::ranges::count((*program)[i].text, '\n') != std::ranges::count(files[i].text, '\n'))
                __builtin_trap();
    for (const auto& [name, storage] : read_host_code(files, {"N=16"}).copied_symbols)
        initializer_of(storage);
    return 0;
}
