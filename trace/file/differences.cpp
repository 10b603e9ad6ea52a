#include "trace/file/differences.h"

#include <cstdint>

#include "trace/file/columns.h"

namespace warplens::trace {

namespace {

/// Bytes of each column, in order; empty for kinds that are not records, or that have differences in their
/// own columns.
std::span<const std::size_t> widths_of(ChunkKind kind) {
    static constexpr std::size_t warps[] = {8, 4, 8, 8, 8, 8, 8, 8}, pairs[] = {4, 4},
                                 accesses[] = {4, 4, 8, 4, 1, 1}, exceptions[] = {8}, ranges[] = {8, 8},
                                 exchanges[] = {4, 4, 4, 4, 4, 4, 4};
    switch (kind) {
        case ChunkKind::warps:
            return warps;
        case ChunkKind::visits:
        case ChunkKind::masks:
            return pairs;
        case ChunkKind::accesses:
            return accesses;
        case ChunkKind::exceptions:
            return exceptions;
        case ChunkKind::exchange_ranges:
            return ranges;
        case ChunkKind::exchanges:
            return exchanges;
        default:
            return {};
    }
}

}  // namespace

bool has_differences(ChunkKind kind) { return !widths_of(kind).empty(); }

void to_differences(ChunkKind kind, std::span<const std::byte> columns, std::vector<std::byte>& differences) {
    differences.resize(columns.size());
    const std::size_t records = columns.size() / record_bytes_of(kind);
    const std::byte* from = columns.data();
    std::byte* to = differences.data();
    for (const std::size_t width : widths_of(kind)) {
        std::uint64_t before = 0;
        for (std::size_t i = 0; i < records; ++i) {
            std::uint64_t value = 0;
            for (std::size_t byte = 0; byte < width; ++byte)
                value |= static_cast<std::uint64_t>(*from++) << (8 * byte);
            const std::uint64_t difference = value - before;
            for (std::size_t byte = 0; byte < width; ++byte)
                to[byte * records + i] = static_cast<std::byte>(difference >> (8 * byte));
            before = value;
        }
        to += width * records;
    }
}

void from_differences(ChunkKind kind, std::span<const std::byte> differences,
                      std::vector<std::byte>& columns) {
    columns.resize(differences.size());
    const std::size_t records = differences.size() / record_bytes_of(kind);
    const std::byte* from = differences.data();
    std::byte* to = columns.data();
    for (const std::size_t width : widths_of(kind)) {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < records; ++i) {
            std::uint64_t difference = 0;
            for (std::size_t byte = 0; byte < width; ++byte)
                difference |= static_cast<std::uint64_t>(from[byte * records + i]) << (8 * byte);
            value += difference;
            for (std::size_t byte = 0; byte < width; ++byte)
                *to++ = static_cast<std::byte>(value >> (8 * byte));
        }
        from += width * records;
    }
}

}  // namespace warplens::trace
