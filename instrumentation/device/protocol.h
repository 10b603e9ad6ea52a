// What the recorder and its child say to each other, as structs and as messages. The recorder asks ("ask"),
// the child reports ("tell"). A run: the recorder sends a RunRequest, in which modules, buffers and block
// sets are only hashes; the child asks for those that it does not hold, reports each phase it enters,
// asks for memory to put results in, and ends with a RunAnswer or a failure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/json.h"
#include "instrumentation/device/gpu_recorder.h"
#include "instrumentation/device/stream_plan.h"

namespace warplens::instrumentation {

/// Words of "ask": hello (device facts), run, pieces (parts of blobs, in the upload region), region (a
/// descriptor comes along), cancel. Words of "tell": device, blobs (which are missing), pieces_done, region
/// (one is needed), phase, done, failure.
enum class Phase : std::uint8_t { load, upload, kernel, results };

/// Shared regions: what the recorder hands over, the buffers' contents, and from first_space_region on one
/// recording space a variant.
enum RegionId : std::uint32_t { upload_region = 0, buffers_region = 1, first_space_region = 2 };

/// Bytes that one side has and the other may hold already.
struct BlobFacts {
    std::string hash;  // of the content, and what it is
    std::uint64_t bytes = 0;
};

struct VariantRequest {
    RecordMode mode = RecordMode::light;
    std::uint32_t module = 0;  // index into RunRequest::blobs, as all of these
    std::uint32_t chunk_units = 0;
    std::uint32_t symbols = 0;
    std::uint64_t space_bytes = 0;
    std::uint32_t block_set = no_index;  // BlockSetWords; no_index: all blocks
    std::uint32_t sm_set = no_index;     // 32-bit words; no_index: all SMs
    std::uint64_t slabs = 0;             // wanted; 0: none
};

struct RunRequest {
    std::vector<BlobFacts> blobs;
    std::uint32_t module = 0;
    std::string entry;
    LaunchGeometry geometry;
    std::vector<std::byte> arguments;
    std::vector<GpuLaunch::Pointer> pointers;
    std::vector<std::uint32_t> buffers;  // blobs
    std::vector<std::string> buffer_names;
    std::vector<VariantRequest> variants;
    int repeats = 1;
    bool cold_caches = false;  // fill L2 with other data before each launch
    bool run_clean = true;
    bool read_buffers = false;
    StreamPlan streams;  // carried out instead, when it has variants
};

struct VariantAnswer {
    GpuKernelFacts kernel;
    SpaceParameter parameter;
    std::uint64_t read_bytes = 0;  // of the variant's region
    bool identical_results = true;
    std::string first_difference;
};

struct RunAnswer {
    GpuKernelFacts clean;
    std::vector<std::uint64_t> buffer_addresses;
    std::vector<VariantAnswer> variants;
    double load_ms = 0;
    std::string activities;  // of the streams, as trace/file/activity_description.h writes them
};

/// A part of a blob, as it lies in the upload region.
struct Piece {
    std::uint32_t blob = 0;
    std::uint64_t blob_offset = 0;
    std::uint64_t region_offset = 0;
    std::uint64_t bytes = 0;
};

/// Offsets of the buffers in device memory and in the buffers' region, and after the last the size of all:
/// each begins at a multiple of 256 bytes and has room of its own even when it is empty.
std::vector<std::uint64_t> lay_out(const std::vector<std::uint64_t>& sizes);

Json to_message(const DeviceFacts& facts);
Json to_message(const GpuFailure& failure);
Json to_message(const RunRequest& request);
Json to_message(const RunAnswer& answer);
Json to_message(const std::vector<Piece>& pieces);

/// False when the message is not one of these, or says what cannot be.
bool from_message(const Json& message, DeviceFacts& facts);
bool from_message(const Json& message, GpuFailure& failure);
bool from_message(const Json& message, RunRequest& request);
bool from_message(const Json& message, RunAnswer& answer);
bool from_message(const Json& message, std::vector<Piece>& pieces);

/// How many chunks a space of this number of bytes has, the head counted as one; 0 when not even that fits. A
/// cursor counts units in 32 bits, so there is a most.
std::uint32_t chunks_in(std::uint64_t bytes, std::uint32_t chunk_units, std::uint32_t symbols);

/// "light", "full", "proof".
const char* name_of(RecordMode mode);

}  // namespace warplens::instrumentation
