#include "instrumentation/device/stream_plan.h"

#include <algorithm>

#include "instrumentation/catalog/arguments.h"
#include "instrumentation/device/wire.h"

namespace warplens::instrumentation {

namespace {

constexpr std::uint32_t kinds = 3;
constexpr std::uint64_t most_threads = 1024;

Result<StreamPlan::Operation> operation_of(const PreparedStreamOperation& prepared, PreparedLaunch& launch,
                                           const std::vector<Parameter>& parameters) {
    StreamPlan::Operation operation;
    operation.kind = prepared.kind;
    operation.name = prepared.name;
    operation.stream = prepared.stream;
    if (prepared.kind != StreamOperationKind::launch) {
        operation.buffer = static_cast<std::uint32_t>(prepared.buffer);
        operation.offset = prepared.offset;
        operation.bytes = prepared.bytes;
        return operation;
    }
    operation.geometry = prepared.geometry;
    launch.arguments = prepared.arguments;
    auto bytes = lay_out_arguments(launch, parameters, std::vector<std::uint64_t>(launch.buffers.size()));
    if (!bytes) return fail("{}: {}", prepared.name, bytes.error().message);
    operation.arguments = std::move(*bytes);
    for (std::size_t i = 0; i < prepared.arguments.size(); ++i)
        if (const auto buffer = prepared.arguments[i].buffer)
            operation.pointers.push_back({parameters[i].offset, static_cast<std::uint32_t>(*buffer)});
    return operation;
}

std::string check_operation(const StreamPlan::Operation& operation, const StreamPlan::Variant& variant,
                            const std::vector<std::uint64_t>& buffer_bytes) {
    if (operation.stream < 0 || operation.stream >= variant.streams)
        return "it runs in a stream that there is not";
    if (operation.kind != StreamOperationKind::launch) {
        if (operation.buffer >= buffer_bytes.size()) return "it copies a buffer that there is not";
        const std::uint64_t size = buffer_bytes[operation.buffer];
        if (operation.bytes == 0 || operation.offset > size || operation.bytes > size - operation.offset)
            return "it copies what is not in the buffer";
        return "";
    }
    const Dim3 grid = operation.geometry.grid, block = operation.geometry.block;
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || block.count() == 0 || block.count() > most_threads)
        return "its grid or block cannot be launched";
    for (const GpuLaunch::Pointer& pointer : operation.pointers)
        if (pointer.buffer >= buffer_bytes.size() || operation.arguments.size() < 8 ||
            pointer.offset > operation.arguments.size() - 8)
            return "its arguments name a buffer that there is not";
    return "";
}

Json to_json(const StreamPlan::Operation& operation) {
    Json result{{"kind", static_cast<std::uint32_t>(operation.kind)},
                {"name", operation.name},
                {"stream", operation.stream}};
    if (operation.kind != StreamOperationKind::launch) {
        result["buffer"] = operation.buffer;
        result["offset"] = operation.offset;
        result["bytes"] = operation.bytes;
        return result;
    }
    const Dim3 grid = operation.geometry.grid, block = operation.geometry.block;
    result["launch"] = {
        grid.x, grid.y, grid.z, block.x, block.y, block.z, operation.geometry.dynamic_shared_bytes};
    result["arguments"] = as_numbers(operation.arguments);
    result["pointers"] = Json::array();
    for (const GpuLaunch::Pointer& pointer : operation.pointers) {
        result["pointers"].push_back(pointer.offset);
        result["pointers"].push_back(pointer.buffer);
    }
    return result;
}

bool from_json(const Json& entry, StreamPlan::Operation& operation) {
    std::uint32_t kind = 0;
    if (!entry.is_object() || !read(entry, "kind", kind) || kind >= kinds ||
        !read(entry, "name", operation.name) || !read(entry, "stream", operation.stream))
        return false;
    operation.kind = static_cast<StreamOperationKind>(kind);
    if (operation.kind != StreamOperationKind::launch)
        return read(entry, "buffer", operation.buffer) && read(entry, "offset", operation.offset) &&
               read(entry, "bytes", operation.bytes);
    std::vector<std::uint32_t> launch, pointers;
    if (!read(entry, "launch", launch) || launch.size() != 7 || !read(entry, "pointers", pointers) ||
        pointers.size() % 2 != 0 || !read(entry, "arguments", operation.arguments))
        return false;
    operation.geometry = {{launch[0], launch[1], launch[2]}, {launch[3], launch[4], launch[5]}, launch[6]};
    for (std::size_t i = 0; i < pointers.size(); i += 2)
        operation.pointers.push_back({pointers[i], pointers[i + 1]});
    return true;
}

}  // namespace

Result<StreamPlan> make_stream_plan(const std::vector<PreparedStreamVariant>& variants,
                                    const PreparedLaunch& launch, const std::vector<Parameter>& parameters) {
    PreparedLaunch names;  // all of the launch that arguments are laid out by
    for (const PreparedBuffer& buffer : launch.buffers) names.buffers.emplace_back().name = buffer.name;
    StreamPlan plan;
    for (const PreparedStreamVariant& prepared : variants) {
        StreamPlan::Variant& variant = plan.variants.emplace_back();
        variant.name = prepared.name;
        variant.title = prepared.title;
        variant.streams = prepared.streams;
        variant.repeats = prepared.repeats;
        variant.graph = prepared.graph;
        variant.pageable = prepared.pageable;
        for (const PreparedStreamOperation& wanted : prepared.operations) {
            WARPLENS_TRY(auto operation, operation_of(wanted, names, parameters));
            variant.operations.push_back(std::move(operation));
        }
    }
    return plan;
}

std::string check(const StreamPlan& plan, const std::vector<std::uint64_t>& buffer_bytes) {
    std::int64_t spans = 0;
    for (const StreamPlan::Variant& variant : plan.variants) {
        spans += static_cast<std::int64_t>(variant.operations.size()) * variant.repeats;
        if (spans > most_stream_operations)
            return fmt::format("streams: more than {} operations in all cannot be timed",
                               most_stream_operations);
        const auto wrong = [&](const std::string& what) {
            return fmt::format("streams, `{}`: {}", variant.name, what);
        };
        if (variant.streams < 1 || variant.streams > most_streams)
            return wrong(fmt::format("the number of streams must be 1 to {}", most_streams));
        if (variant.repeats < 1 || variant.operations.empty() ||
            variant.operations.size() > static_cast<std::size_t>(most_stream_operations / variant.repeats))
            return wrong(fmt::format("{} operations {} times cannot be timed", variant.operations.size(),
                                     variant.repeats));
        if (variant.graph && variant.pageable) return wrong("a graph needs pinned memory");
        for (const StreamPlan::Operation& operation : variant.operations)
            if (const std::string what = check_operation(operation, variant, buffer_bytes); !what.empty())
                return wrong(fmt::format("{}: {}", operation.name, what));
    }
    return "";
}

Json to_message(const StreamPlan& plan) {
    Json variants = Json::array();
    for (const StreamPlan::Variant& variant : plan.variants) {
        Json operations = Json::array();
        for (const StreamPlan::Operation& operation : variant.operations)
            operations.push_back(to_json(operation));
        variants.push_back({{"name", variant.name},
                            {"title", variant.title},
                            {"streams", variant.streams},
                            {"repeats", variant.repeats},
                            {"graph", variant.graph},
                            {"pageable", variant.pageable},
                            {"operations", std::move(operations)}});
    }
    return variants;
}

bool from_message(const Json& message, StreamPlan& plan) {
    if (!message.is_array()) return false;
    for (const Json& entry : message) {
        StreamPlan::Variant& variant = plan.variants.emplace_back();
        const Json* const operations = entry.is_object() ? read_array(entry, "operations") : nullptr;
        if (!operations || !read(entry, "name", variant.name) || !read(entry, "title", variant.title) ||
            !read(entry, "streams", variant.streams) || !read(entry, "repeats", variant.repeats) ||
            !read(entry, "graph", variant.graph) || !read(entry, "pageable", variant.pageable))
            return false;
        for (const Json& operation : *operations)
            if (!from_json(operation, variant.operations.emplace_back())) return false;
    }
    return true;
}

}  // namespace warplens::instrumentation
