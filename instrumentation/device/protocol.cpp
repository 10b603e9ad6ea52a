#include "instrumentation/device/protocol.h"

#include <algorithm>
#include <limits>

#include "instrumentation/device/wire.h"

namespace warplens::instrumentation {

namespace {

constexpr std::size_t max_text = 64 * 1024;  // of a sentence that a child may say

Json numbers(const Dim3& extent) { return Json::array({extent.x, extent.y, extent.z}); }

bool read_extent(const Json& object, const char* key, Dim3& extent) {
    std::vector<std::uint32_t> sides;
    if (!read(object, key, sides) || sides.size() != 3) return false;
    extent = {sides[0], sides[1], sides[2]};
    return true;
}

Json to_json(const GpuKernelFacts& facts) {
    return {{"time_us", facts.time_us},
            {"registers", static_cast<std::uint32_t>(facts.registers)},
            {"local_bytes", static_cast<std::uint32_t>(facts.local_bytes)},
            {"shared_static_bytes", static_cast<std::uint32_t>(facts.shared_static_bytes)},
            {"blocks_per_sm", static_cast<std::uint32_t>(facts.blocks_per_sm)}};
}

bool from_json(const Json& object, GpuKernelFacts& facts) {
    return read(object, "time_us", facts.time_us) && facts.time_us >= 0 &&
           read(object, "registers", facts.registers) && read(object, "local_bytes", facts.local_bytes) &&
           read(object, "shared_static_bytes", facts.shared_static_bytes) &&
           read(object, "blocks_per_sm", facts.blocks_per_sm);
}

Json to_json(const SpaceParameter& parameter) {
    return {{"base", parameter.base},
            {"block_set", parameter.block_set},
            {"sm_set", parameter.sm_set},
            {"chunk_units", parameter.chunk_units},
            {"chunks", parameter.chunks},
            {"slabs", parameter.slabs},
            {"address_high", parameter.address_high}};
}

bool from_json(const Json& object, SpaceParameter& parameter) {
    return read(object, "base", parameter.base) && read(object, "block_set", parameter.block_set) &&
           read(object, "sm_set", parameter.sm_set) && read(object, "chunk_units", parameter.chunk_units) &&
           read(object, "chunks", parameter.chunks) && read(object, "slabs", parameter.slabs) &&
           read(object, "address_high", parameter.address_high);
}

bool is(const Json& message, const char* key, const char* word) {
    std::string text;
    return read(message, key, text) && text == word;
}

bool read_text(const Json& object, const char* key, std::string& text) {
    return read(object, key, text) && text.size() <= max_text;
}

}  // namespace

const char* name_of(RecordMode mode) {
    switch (mode) {
        case RecordMode::light:
            return "light";
        case RecordMode::full:
            return "full";
        case RecordMode::proof:
            return "proof";
    }
    return "?";
}

std::uint32_t chunks_in(std::uint64_t bytes, std::uint32_t chunk_units, std::uint32_t symbols) {
    constexpr std::uint64_t most_bytes = std::uint64_t{0xffffffffu} * unit_bytes;
    const std::uint64_t head = head_bytes(symbols);
    bytes = std::min(bytes, most_bytes);
    if (bytes < head || chunk_units == 0) return 0;
    return static_cast<std::uint32_t>(1 + (bytes - head) / (std::uint64_t{chunk_units} * unit_bytes));
}

std::vector<std::uint64_t> lay_out(const std::vector<std::uint64_t>& sizes) {
    constexpr std::uint64_t step = 256;
    std::vector<std::uint64_t> offsets{0};
    for (const std::uint64_t size : sizes) {
        const std::uint64_t room = size == 0 ? step : (size + step - 1) / step * step;
        offsets.push_back(offsets.back() + room);
    }
    return offsets;
}

Json to_message(const DeviceFacts& facts) {
    return {{"tell", "device"},
            {"name", facts.name},
            {"driver", facts.driver},
            {"compute_major", static_cast<std::uint32_t>(facts.compute_major)},
            {"compute_minor", static_cast<std::uint32_t>(facts.compute_minor)},
            {"sm_count", static_cast<std::uint32_t>(facts.sm_count)},
            {"boost_clock_hz", facts.boost_clock_hz},
            {"memory_bytes", facts.memory_bytes},
            {"free_bytes", facts.free_bytes}};
}

bool from_message(const Json& message, DeviceFacts& facts) {
    return is(message, "tell", "device") && read_text(message, "name", facts.name) &&
           read_text(message, "driver", facts.driver) &&
           read(message, "compute_major", facts.compute_major) &&
           read(message, "compute_minor", facts.compute_minor) && read(message, "sm_count", facts.sm_count) &&
           facts.sm_count > 0 && read(message, "boost_clock_hz", facts.boost_clock_hz) &&
           read(message, "memory_bytes", facts.memory_bytes) && read(message, "free_bytes", facts.free_bytes);
}

Json to_message(const GpuFailure& failure) {
    return {{"tell", "failure"},
            {"kind", static_cast<std::uint32_t>(failure.kind)},
            {"message", failure.message.substr(0, max_text)},
            {"problem", static_cast<std::uint32_t>(failure.problem)}};
}

bool from_message(const Json& message, GpuFailure& failure) {
    std::uint32_t kind = 0, problem = 0;
    if (!is(message, "tell", "failure") || !read(message, "kind", kind) ||
        kind > static_cast<std::uint32_t>(GpuFailure::Kind::cancelled) ||
        !read(message, "problem", problem) || problem > static_cast<std::uint32_t>(ProblemKind::trap)) {
        return false;
    }
    failure.kind = static_cast<GpuFailure::Kind>(kind);
    failure.problem = static_cast<ProblemKind>(problem);
    return read_text(message, "message", failure.message) && !failure.message.empty();
}

Json to_message(const RunRequest& request) {
    Json blobs = Json::array(), pointers = Json::array(), variants = Json::array();
    for (const BlobFacts& blob : request.blobs) blobs.push_back({{"hash", blob.hash}, {"bytes", blob.bytes}});
    for (const GpuLaunch::Pointer& pointer : request.pointers) {
        pointers.push_back(pointer.offset);
        pointers.push_back(pointer.buffer);
    }
    for (const VariantRequest& variant : request.variants) {
        variants.push_back({{"mode", static_cast<std::uint32_t>(variant.mode)},
                            {"module", variant.module},
                            {"chunk_units", variant.chunk_units},
                            {"symbols", variant.symbols},
                            {"space_bytes", variant.space_bytes},
                            {"block_set", variant.block_set},
                            {"sm_set", variant.sm_set},
                            {"slabs", variant.slabs}});
    }
    return {{"ask", "run"},
            {"streams", to_message(request.streams)},
            {"blobs", std::move(blobs)},
            {"module", request.module},
            {"entry", request.entry},
            {"grid", numbers(request.geometry.grid)},
            {"block", numbers(request.geometry.block)},
            {"dynamic_shared_bytes", request.geometry.dynamic_shared_bytes},
            {"cluster", numbers(request.geometry.cluster)},
            {"cooperative", request.geometry.cooperative},
            {"arguments", as_numbers(request.arguments)},
            {"pointers", std::move(pointers)},
            {"buffers", request.buffers},
            {"buffer_names", request.buffer_names},
            {"variants", std::move(variants)},
            {"repeats", static_cast<std::uint32_t>(request.repeats)},
            {"cold_caches", request.cold_caches},
            {"run_clean", request.run_clean},
            {"read_buffers", request.read_buffers}};
}

bool from_message(const Json& message, RunRequest& request) {
    std::vector<std::uint32_t> pointers;
    const Json* const blobs = read_array(message, "blobs");
    const Json* const variants = read_array(message, "variants");
    const Json* const names = read_array(message, "buffer_names");
    if (!is(message, "ask", "run") || !blobs || !variants || !names ||
        !read(message, "arguments", request.arguments) || !read(message, "module", request.module) ||
        !read(message, "entry", request.entry) || !read_extent(message, "grid", request.geometry.grid) ||
        !read_extent(message, "block", request.geometry.block) ||
        !read(message, "dynamic_shared_bytes", request.geometry.dynamic_shared_bytes) ||
        !read_extent(message, "cluster", request.geometry.cluster) ||
        !read(message, "cooperative", request.geometry.cooperative) || !read(message, "pointers", pointers) ||
        pointers.size() % 2 != 0 || !read(message, "buffers", request.buffers) ||
        names->size() != request.buffers.size() || !read(message, "repeats", request.repeats) ||
        !read(message, "cold_caches", request.cold_caches) ||
        !read(message, "run_clean", request.run_clean) ||
        !read(message, "read_buffers", request.read_buffers) ||
        (message.contains("streams") && !from_message(message["streams"], request.streams))) {
        return false;
    }
    for (const Json& entry : *blobs) {
        BlobFacts blob;
        if (!read(entry, "hash", blob.hash) || !read(entry, "bytes", blob.bytes)) return false;
        request.blobs.push_back(std::move(blob));
    }
    for (const Json& name : *names) {
        if (!name.is_string()) return false;
        request.buffer_names.push_back(name.as_string());
    }
    for (std::size_t i = 0; i < pointers.size(); i += 2) {
        if (pointers[i] > request.arguments.size() || request.arguments.size() - pointers[i] < 8 ||
            pointers[i + 1] >= request.buffers.size()) {
            return false;
        }
        request.pointers.push_back({pointers[i], pointers[i + 1]});
    }
    const auto known = [&](std::uint32_t blob) { return blob < request.blobs.size(); };
    for (const Json& entry : *variants) {
        VariantRequest variant;
        std::uint32_t mode = 0;
        if (!read(entry, "mode", mode) || mode > static_cast<std::uint32_t>(RecordMode::proof) ||
            !read(entry, "module", variant.module) || !known(variant.module) ||
            !read(entry, "chunk_units", variant.chunk_units) || variant.chunk_units == 0 ||
            !read(entry, "symbols", variant.symbols) || !read(entry, "space_bytes", variant.space_bytes) ||
            !read(entry, "block_set", variant.block_set) || !read(entry, "sm_set", variant.sm_set) ||
            !read(entry, "slabs", variant.slabs)) {
            return false;
        }
        if ((variant.block_set != no_index && !known(variant.block_set)) ||
            (variant.sm_set != no_index && !known(variant.sm_set))) {
            return false;
        }
        variant.mode = static_cast<RecordMode>(mode);
        request.variants.push_back(variant);
    }
    for (const std::uint32_t buffer : request.buffers) {
        if (!known(buffer)) return false;
    }
    return known(request.module) && request.repeats > 0;
}

Json to_message(const RunAnswer& answer) {
    Json variants = Json::array();
    for (const VariantAnswer& variant : answer.variants) {
        variants.push_back({{"kernel", to_json(variant.kernel)},
                            {"parameter", to_json(variant.parameter)},
                            {"read_bytes", variant.read_bytes},
                            {"identical_results", variant.identical_results},
                            {"first_difference", variant.first_difference}});
    }
    return {{"tell", "done"},
            {"clean", to_json(answer.clean)},
            {"buffer_addresses", answer.buffer_addresses},
            {"variants", std::move(variants)},
            {"load_ms", answer.load_ms},
            {"activities", answer.activities}};
}

bool from_message(const Json& message, RunAnswer& answer) {
    const Json* const variants = read_array(message, "variants");
    if (!is(message, "tell", "done") || !variants || !message.contains("clean") ||
        !from_json(message["clean"], answer.clean) ||
        !read(message, "buffer_addresses", answer.buffer_addresses) ||
        !read(message, "load_ms", answer.load_ms) ||
        (message.contains("activities") && !read(message, "activities", answer.activities))) {
        return false;
    }
    for (const Json& entry : *variants) {
        VariantAnswer variant;
        if (!entry.is_object() || !entry.contains("kernel") || !entry.contains("parameter") ||
            !from_json(entry["kernel"], variant.kernel) ||
            !from_json(entry["parameter"], variant.parameter) ||
            !read(entry, "read_bytes", variant.read_bytes) ||
            !read(entry, "identical_results", variant.identical_results) ||
            !read_text(entry, "first_difference", variant.first_difference)) {
            return false;
        }
        answer.variants.push_back(std::move(variant));
    }
    return true;
}

Json to_message(const std::vector<Piece>& pieces) {
    Json list = Json::array();
    for (const Piece& piece : pieces) {
        for (const std::uint64_t number :
             {std::uint64_t{piece.blob}, piece.blob_offset, piece.region_offset, piece.bytes}) {
            list.push_back(number);
        }
    }
    return {{"ask", "pieces"}, {"pieces", std::move(list)}};
}

bool from_message(const Json& message, std::vector<Piece>& pieces) {
    std::vector<std::uint64_t> list;
    if (!is(message, "ask", "pieces") || !read(message, "pieces", list) || list.size() % 4 != 0) {
        return false;
    }
    for (std::size_t i = 0; i < list.size(); i += 4) {
        if (list[i] >= no_index) return false;
        pieces.push_back({static_cast<std::uint32_t>(list[i]), list[i + 1], list[i + 2], list[i + 3]});
    }
    return true;
}

}  // namespace warplens::instrumentation
