// The bytes of a .wltrace as docs/trace_format.md describes them: header, chunk headers, trailer. Only layout
// and limits; the columns inside a chunk are columns.h, the JSON in it description.h.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

namespace warplens::trace {

inline constexpr std::uint32_t format_version = 1;

inline constexpr std::size_t file_header_bytes = 32;
inline constexpr std::size_t chunk_header_bytes = 80;
inline constexpr std::size_t contents_entry_bytes = 8 + chunk_header_bytes;
inline constexpr std::size_t trailer_bytes = 32;

/// A reader's limit per chunk, so that no count in a file can cause large allocations.
inline constexpr std::uint64_t max_records_in_chunk = 1u << 20;
inline constexpr std::uint64_t max_json_bytes = 256u << 20;
inline constexpr std::uint64_t max_chunks = 1u << 22;

enum class ChunkKind : std::uint32_t {
    description = 1,
    problems = 2,
    warps = 3,
    visits = 4,
    accesses = 5,
    masks = 6,
    exceptions = 7,
    contents = 8,
    measured = 9,
    measured_warps = 10,
    measured_visits = 11,
    activities = 12,
    exchange_ranges = 13,
    exchanges = 14,
};
std::string_view to_string(ChunkKind kind);

enum class Compression : std::uint32_t {
    none = 0,
    zstd = 1,
    zstd_of_differences = 2,  // see trace/file/differences.h
};

struct ChunkHeader {
    ChunkKind kind = ChunkKind::description;
    Compression compression = Compression::none;
    std::uint64_t count = 0;                        // records; bytes of JSON; entries of the contents
    std::uint64_t first = 0;                        // index of the first record in its array of the Trace
    std::uint64_t first_block = 0, last_block = 0;  // linear indices of the blocks the records belong to
    std::uint64_t raw_bytes = 0;
    std::uint64_t stored_bytes = 0;  // as stored in the file, after this header
    std::uint64_t checksum = 0;      // XXH3-64 of the stored bytes
};

/// A chunk and where it is.
struct Chunk {
    std::uint64_t offset = 0;  // of its header, from the start of the file
    ChunkHeader header;
};

struct Trailer {
    std::uint64_t contents_offset = 0;
    std::uint64_t file_bytes = 0;
};

enum class HeaderState { good, damaged, foreign };  // foreign: not a .wltrace

std::array<std::byte, file_header_bytes> encode_file_header();
HeaderState decode_file_header(std::span<const std::byte> bytes, bool check_checksums,
                               std::uint32_t& version);

std::array<std::byte, chunk_header_bytes> encode(const ChunkHeader& header);
/// std::nullopt if the marker or the header's own checksum is wrong.
std::optional<ChunkHeader> decode_chunk_header(std::span<const std::byte> bytes, bool check_checksums);
/// The first 8 bytes of each chunk, to find the next one after damage.
std::span<const std::byte> chunk_marker();

std::array<std::byte, trailer_bytes> encode(const Trailer& trailer);
std::optional<Trailer> decode_trailer(std::span<const std::byte> bytes, bool check_checksums);

std::uint64_t checksum_of(std::span<const std::byte> bytes);

/// Numbers are little-endian on every machine.
template <class T>
void store_little_endian(std::byte* to, T value) {
    std::memcpy(to, &value, sizeof(T));
    if constexpr (std::endian::native == std::endian::big)
        for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(to[i], to[sizeof(T) - 1 - i]);
}

template <class T>
T load_little_endian(const std::byte* from) {
    std::array<std::byte, sizeof(T)> bytes;
    std::memcpy(bytes.data(), from, sizeof(T));
    if constexpr (std::endian::native == std::endian::big)
        for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(bytes[i], bytes[sizeof(T) - 1 - i]);
    T value;
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
}

}  // namespace warplens::trace
