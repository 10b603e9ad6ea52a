// StreamPlan: what a host does with a GPU's streams, as plain data — operations in the order in which they
// are asked for, each in its stream, each way of doing the work by itself. Made from a header's [streams] and
// a launch; the recorder's child carries it out (run_stream_plan.h) and measures it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/json.h"
#include "core/launch.h"
#include "core/program.h"
#include "core/result.h"
#include "instrumentation/catalog/kernel.h"
#include "instrumentation/device/gpu_recorder.h"

namespace warplens::instrumentation {

struct StreamPlan {
    struct Operation {
        StreamOperationKind kind = StreamOperationKind::launch;
        std::string name;
        int stream = 0;
        // Of copies: a part of one of GpuLaunch::buffers, from and to the same place in the host's memory.
        std::uint32_t buffer = 0;
        std::uint64_t offset = 0, bytes = 0;
        // Of launches of GpuLaunch::entry.
        LaunchGeometry geometry;
        std::vector<std::byte> arguments;
        std::vector<GpuLaunch::Pointer> pointers;
    };
    struct Variant {
        std::string name, title;
        int streams = 1;
        int repeats = 1;  // of all operations, one time after the other
        bool graph = false;
        bool pageable = false;
        std::vector<Operation> operations;
    };
    std::vector<Variant> variants;
};

/// `parameters`: of the compiled kernel. Errors say which arguments do not fit them.
Result<StreamPlan> make_stream_plan(const std::vector<PreparedStreamVariant>& variants,
                                    const PreparedLaunch& launch, const std::vector<Parameter>& parameters);

/// Why this plan cannot be carried out on buffers of these sizes, in bytes; empty when it can.
std::string check(const StreamPlan& plan, const std::vector<std::uint64_t>& buffer_bytes);

Json to_message(const StreamPlan& plan);
/// False when the message is none; what it says is held to the buffers by check().
bool from_message(const Json& message, StreamPlan& plan);

}  // namespace warplens::instrumentation
