// Records as columns: all values of one field, then all of the next, which compresses much better than whole
// records. docs/trace_format.md has the order of the columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "trace/file/format.h"
#include "trace/trace.h"

namespace warplens::trace {

/// A warp's part of Trace::exchanges: stored separately from its WarpRecord, because older files and readers
/// lack it.
struct ExchangeRange {
    std::uint64_t begin, end;
};

template <class Record>
struct Columns;

/// `record_bytes`: a record's bytes in all columns. decode() takes an exact multiple of it.
#define WARPLENS_COLUMNS(Record, chunk_kind, bytes)                                              \
    template <>                                                                                  \
    struct Columns<Record> {                                                                     \
        static constexpr ChunkKind kind = ChunkKind::chunk_kind;                                 \
        static constexpr std::size_t record_bytes = bytes;                                       \
        static void encode(std::span<const Record> records, std::vector<std::byte>& to);         \
        static void decode(std::span<const std::byte> bytes_read, std::vector<Record>& records); \
    }
WARPLENS_COLUMNS(WarpRecord, warps, 60);
WARPLENS_COLUMNS(Visit, visits, 8);
WARPLENS_COLUMNS(AccessRecord, accesses, 22);
WARPLENS_COLUMNS(MaskRecord, masks, 8);
WARPLENS_COLUMNS(std::uint64_t, exceptions, 8);
WARPLENS_COLUMNS(MeasuredWarp, measured_warps, 40);
WARPLENS_COLUMNS(MeasuredVisit, measured_visits, 16);
WARPLENS_COLUMNS(ExchangeRange, exchange_ranges, 16);
WARPLENS_COLUMNS(ExchangeRecord, exchanges, 28);
#undef WARPLENS_COLUMNS

/// 0 for kinds that are not records.
std::size_t record_bytes_of(ChunkKind kind);

}  // namespace warplens::trace
