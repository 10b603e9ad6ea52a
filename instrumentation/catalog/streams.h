// StreamsDeclaration: what the [streams] part of a kernel's header says a host does with the kernel — which
// copies and launches for each chunk of the work, in which order, over how many streams, as a graph or not —
// and PreparedStreams, the same with the parameters' values put in. docs/kernel_header.md is the reference.
// Who carries it out on a GPU is instrumentation/device/stream_plan.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/launch.h"
#include "core/result.h"

namespace warplens::instrumentation {

struct KernelFile;
struct PreparedArgument;
struct PreparedLaunch;

enum class StreamOperationKind : std::uint8_t { copy_in, launch, copy_out };

/// Expressions see the parameters and `chunk`, `chunks`, `first` and `count`.
struct StreamOperationDeclaration {
    StreamOperationKind kind = StreamOperationKind::launch;
    std::string name;          // on its spans; empty: "x in", "y out", or the kernel's name
    std::string buffer;        // of copies
    std::string first, count;  // of copies: elements; empty: as the chunk's
    std::vector<std::string> arguments, grid, block;  // of launches; empty: as [launch] says
};

/// One way of doing the work.
struct StreamVariantDeclaration {
    std::string name;       // may hold expressions in braces: "{streams} streams"
    std::string title;      // one sentence about it; the same
    std::string streams;    // expression; "1"
    std::string chunks;     // expression; empty: as [streams] says
    std::string repeats;    // expression; "1": how often all of it is done, one after the other
    bool graph = false;     // captured once, then launched `repeats` times
    bool pageable = false;  // the host's memory is ordinary, not pinned
};

struct StreamsDeclaration {
    std::string chunks;        // expression; "1"
    std::string first, count;  // expressions: the elements of chunk `chunk`; `count` may use `first`
    std::vector<StreamOperationDeclaration> operations;  // of each chunk, in order
    std::vector<StreamVariantDeclaration> variants;
};

/// Chunk c runs in stream c modulo streams.
struct PreparedStreamOperation {
    StreamOperationKind kind = StreamOperationKind::launch;
    std::string name;  // "x in, chunk 3"
    int stream = 0;
    std::size_t buffer = 0;               // of copies: index into PreparedLaunch::buffers
    std::uint64_t offset = 0, bytes = 0;  // of copies, within the buffer; never empty
    LaunchGeometry geometry;              // of launches
    std::vector<PreparedArgument> arguments;
};

struct PreparedStreamVariant {
    std::string name, title;
    int streams = 1;
    int repeats = 1;
    bool graph = false;
    bool pageable = false;
    std::vector<PreparedStreamOperation>
        operations;  // of one time, in the order in which the host asks for them
};

inline constexpr std::int64_t most_streams = 32, most_chunks = 256, most_stream_operations = 4096;

/// The variants in header order; none when the kernel declares no streams. Chunks that hold no element are
/// left out. Errors name the variant, the chunk and the expression: slices outside of their buffer, launches
/// that do not fit.
Result<std::vector<PreparedStreamVariant>> prepare_streams(const KernelFile& kernel,
                                                           const PreparedLaunch& launch);

}  // namespace warplens::instrumentation
