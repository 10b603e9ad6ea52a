// libFuzzer target: any line as a launch that a running program reports. What is read is within the arena,
// and a draft of it is made without a crash.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "instrumentation/host_program/program_draft.h"
#include "instrumentation/host_program/program_entry.h"
#include "instrumentation/host_program/program_launch.h"

namespace {

using namespace warplens::instrumentation;

LaunchDraft draft_for(const ProgramLaunch& launch) {
    LaunchDraft draft;
    draft.entry = "k";
    std::size_t number = 0;
    for (const ProgramArgument& argument : launch.arguments) {
        DraftArgument row;
        row.name = "p" + std::to_string(number++);
        const std::size_t bytes = argument.bytes.size();
        row.kind = argument.is_pointer                                    ? DraftArgument::Kind::buffer
                   : bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 ? DraftArgument::Kind::scalar
                                                                          : DraftArgument::Kind::structure;
        row.scalar_type = bytes == 1 ? "u8" : bytes == 2 ? "f16" : bytes == 4 ? "f32" : "f64";
        row.element_type = "f32";
        row.length = "p0";
        draft.arguments.push_back(row);
    }
    return draft;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::uint64_t arena_bytes = 1 << 20;
    read_program_library(std::string(reinterpret_cast<const char*>(data), size));
    const auto launch =
        read_program_launch(std::string(reinterpret_cast<const char*>(data), size), arena_bytes);
    if (!launch) return 0;
    for (const ProgramAllocation& allocation : launch->allocations)
        if (allocation.offset > arena_bytes || allocation.bytes > arena_bytes - allocation.offset)
            __builtin_trap();
    // The line itself stands for what memory holds: it may hold addresses of allocations.
    ProgramContents contents;
    contents.memory = [&](const ProgramAllocation& allocation) {
        return std::as_bytes(std::span(data, std::min<std::size_t>(size, allocation.bytes)));
    };
    contents.others.push_back(std::as_bytes(std::span(data, size)));
    const auto draft = with_program_launch(draft_for(*launch), *launch, contents);
    if (!draft) return 0;
    for (const ProgramBuffer& buffer : draft->buffers)
        if (buffer.allocation >= launch->allocations.size() ||
            buffer.offset + buffer.bytes > launch->allocations[buffer.allocation].bytes)
            __builtin_trap();
    entry_of(*launch, {});
    return 0;
}
