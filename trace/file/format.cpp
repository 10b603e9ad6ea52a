#include "trace/file/format.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

namespace warplens::trace {

namespace {

// As in PNG: a byte with the high bit set and both line endings reveal a transfer in text mode.
constexpr unsigned char file_magic[8] = {0x89, 'W', 'L', 'T', '\r', '\n', 0x1a, '\n'};
constexpr unsigned char marker[8] = {0xc5, 'W', 'L', 'C', 'H', 'N', 'K', '\n'};
constexpr unsigned char end_magic[8] = {0xe5, 'W', 'L', 'T', 'E', 'N', 'D', '\n'};

bool matches(std::span<const std::byte> bytes, const unsigned char (&magic)[8]) {
    return bytes.size() >= 8 && std::memcmp(bytes.data(), magic, 8) == 0;
}

/// Writes consecutive numbers; the last is the checksum of those before it.
class Packer {
  public:
    Packer(std::span<std::byte> bytes) : bytes_(bytes) {}
    void magic(const unsigned char (&value)[8]) {
        std::memcpy(bytes_.data() + at_, value, 8);
        at_ += 8;
    }
    template <class T>
    void put(T value) {
        store_little_endian(bytes_.data() + at_, value);
        at_ += sizeof(T);
    }
    void checksum() { put(checksum_of(bytes_.first(at_))); }

  private:
    std::span<std::byte> bytes_;
    std::size_t at_ = 0;
};

class Unpacker {
  public:
    Unpacker(std::span<const std::byte> bytes, std::size_t at) : bytes_(bytes), at_(at) {}
    template <class T>
    T get() {
        const T value = load_little_endian<T>(bytes_.data() + at_);
        at_ += sizeof(T);
        return value;
    }
    bool checksum() {
        const std::uint64_t expected = checksum_of(bytes_.first(at_));
        return get<std::uint64_t>() == expected;
    }

  private:
    std::span<const std::byte> bytes_;
    std::size_t at_;
};

}  // namespace

std::string_view to_string(ChunkKind kind) {
    switch (kind) {
        case ChunkKind::description:
            return "description";
        case ChunkKind::problems:
            return "problems";
        case ChunkKind::warps:
            return "warps";
        case ChunkKind::visits:
            return "visits";
        case ChunkKind::accesses:
            return "accesses";
        case ChunkKind::masks:
            return "masks";
        case ChunkKind::exceptions:
            return "exceptions";
        case ChunkKind::contents:
            return "contents";
        case ChunkKind::measured:
            return "measured facts";
        case ChunkKind::measured_warps:
            return "measured warps";
        case ChunkKind::measured_visits:
            return "measured visits";
        case ChunkKind::activities:
            return "activities";
        case ChunkKind::exchange_ranges:
            return "ranges of exchanges";
        case ChunkKind::exchanges:
            return "exchanges";
    }
    return "unknown";
}

std::uint64_t checksum_of(std::span<const std::byte> bytes) {
    return XXH3_64bits(bytes.data(), bytes.size());
}

std::array<std::byte, file_header_bytes> encode_file_header() {
    std::array<std::byte, file_header_bytes> bytes{};
    Packer packer(bytes);
    packer.magic(file_magic);
    packer.put(format_version);
    packer.put(std::uint32_t{0});
    packer.put(std::uint64_t{0});
    packer.checksum();
    return bytes;
}

HeaderState decode_file_header(std::span<const std::byte> bytes, bool check_checksums,
                               std::uint32_t& version) {
    if (!matches(bytes, file_magic)) return HeaderState::foreign;
    if (bytes.size() < file_header_bytes) return HeaderState::damaged;
    Unpacker unpacker(bytes, 8);
    version = unpacker.get<std::uint32_t>();
    unpacker.get<std::uint32_t>();
    unpacker.get<std::uint64_t>();
    return unpacker.checksum() || !check_checksums ? HeaderState::good : HeaderState::damaged;
}

std::array<std::byte, chunk_header_bytes> encode(const ChunkHeader& header) {
    std::array<std::byte, chunk_header_bytes> bytes{};
    Packer packer(bytes);
    packer.magic(marker);
    packer.put(static_cast<std::uint32_t>(header.kind));
    packer.put(static_cast<std::uint32_t>(header.compression));
    packer.put(header.count);
    packer.put(header.first);
    packer.put(header.first_block);
    packer.put(header.last_block);
    packer.put(header.raw_bytes);
    packer.put(header.stored_bytes);
    packer.put(header.checksum);
    packer.checksum();
    return bytes;
}

std::optional<ChunkHeader> decode_chunk_header(std::span<const std::byte> bytes, bool check_checksums) {
    if (bytes.size() < chunk_header_bytes || !matches(bytes, marker)) return std::nullopt;
    Unpacker unpacker(bytes, 8);
    ChunkHeader header;
    header.kind = static_cast<ChunkKind>(unpacker.get<std::uint32_t>());
    header.compression = static_cast<Compression>(unpacker.get<std::uint32_t>());
    header.count = unpacker.get<std::uint64_t>();
    header.first = unpacker.get<std::uint64_t>();
    header.first_block = unpacker.get<std::uint64_t>();
    header.last_block = unpacker.get<std::uint64_t>();
    header.raw_bytes = unpacker.get<std::uint64_t>();
    header.stored_bytes = unpacker.get<std::uint64_t>();
    header.checksum = unpacker.get<std::uint64_t>();
    if (!unpacker.checksum() && check_checksums) return std::nullopt;
    return header;
}

std::span<const std::byte> chunk_marker() { return std::as_bytes(std::span(marker)); }

std::array<std::byte, trailer_bytes> encode(const Trailer& trailer) {
    std::array<std::byte, trailer_bytes> bytes{};
    Packer packer(bytes);
    packer.put(trailer.contents_offset);
    packer.put(trailer.file_bytes);
    packer.checksum();
    packer.magic(end_magic);
    return bytes;
}

std::optional<Trailer> decode_trailer(std::span<const std::byte> bytes, bool check_checksums) {
    if (bytes.size() != trailer_bytes || !matches(bytes.last(8), end_magic)) return std::nullopt;
    Unpacker unpacker(bytes, 0);
    Trailer trailer;
    trailer.contents_offset = unpacker.get<std::uint64_t>();
    trailer.file_bytes = unpacker.get<std::uint64_t>();
    if (!unpacker.checksum() && check_checksums) return std::nullopt;
    return trailer;
}

}  // namespace warplens::trace
