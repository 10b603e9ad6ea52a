#include "trace/file/columns.h"

namespace warplens::trace {

namespace {

template <class Record>
class ColumnWriter {
  public:
    ColumnWriter(std::span<const Record> records, std::vector<std::byte>& to, std::size_t record_bytes)
        : records_(records) {
        to.resize(records.size() * record_bytes);
        at_ = to.data();
    }
    template <class Get>
    ColumnWriter& column(Get get) {
        for (const Record& record : records_) {
            const auto value = get(record);
            store_little_endian(at_, value);
            at_ += sizeof(value);
        }
        return *this;
    }

  private:
    std::span<const Record> records_;
    std::byte* at_;
};

template <class Record>
class ColumnReader {
  public:
    ColumnReader(std::span<const std::byte> bytes, std::vector<Record>& records, std::size_t record_bytes)
        : records_(records), at_(bytes.data()) {
        records.resize(bytes.size() / record_bytes);
    }
    template <class T, class Set>
    ColumnReader& column(Set set) {
        for (Record& record : records_) {
            set(record, load_little_endian<T>(at_));
            at_ += sizeof(T);
        }
        return *this;
    }

  private:
    std::vector<Record>& records_;
    const std::byte* at_;
};

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using i32 = std::int32_t;
using u64 = std::uint64_t;

}  // namespace

void Columns<WarpRecord>::encode(std::span<const WarpRecord> records, std::vector<std::byte>& to) {
    ColumnWriter(records, to, record_bytes)
        .column([](const WarpRecord& r) { return r.block; })
        .column([](const WarpRecord& r) { return r.warp; })
        .column([](const WarpRecord& r) { return r.visits_begin; })
        .column([](const WarpRecord& r) { return r.visits_end; })
        .column([](const WarpRecord& r) { return r.accesses_begin; })
        .column([](const WarpRecord& r) { return r.accesses_end; })
        .column([](const WarpRecord& r) { return r.masks_begin; })
        .column([](const WarpRecord& r) { return r.masks_end; });
}

void Columns<WarpRecord>::decode(std::span<const std::byte> bytes, std::vector<WarpRecord>& records) {
    ColumnReader(bytes, records, record_bytes)
        .column<u64>([](WarpRecord& r, u64 v) { r.block = v; })
        .column<u32>([](WarpRecord& r, u32 v) { r.warp = v; })
        .column<u64>([](WarpRecord& r, u64 v) { r.visits_begin = v; })
        .column<u64>([](WarpRecord& r, u64 v) { r.visits_end = v; })
        .column<u64>([](WarpRecord& r, u64 v) { r.accesses_begin = v; })
        .column<u64>([](WarpRecord& r, u64 v) { r.accesses_end = v; })
        .column<u64>([](WarpRecord& r, u64 v) { r.masks_begin = v; })
        .column<u64>([](WarpRecord& r, u64 v) { r.masks_end = v; });
}

void Columns<Visit>::encode(std::span<const Visit> records, std::vector<std::byte>& to) {
    ColumnWriter(records, to, record_bytes)
        .column([](const Visit& r) { return r.basic_block; })
        .column([](const Visit& r) { return r.active.bits; });
}

void Columns<Visit>::decode(std::span<const std::byte> bytes, std::vector<Visit>& records) {
    ColumnReader(bytes, records, record_bytes)
        .column<u32>([](Visit& r, u32 v) { r.basic_block = v; })
        .column<u32>([](Visit& r, u32 v) { r.active.bits = v; });
}

void Columns<AccessRecord>::encode(std::span<const AccessRecord> records, std::vector<std::byte>& to) {
    ColumnWriter(records, to, record_bytes)
        .column([](const AccessRecord& r) { return r.site; })
        .column([](const AccessRecord& r) { return r.mask.bits; })
        .column([](const AccessRecord& r) { return r.base; })
        .column([](const AccessRecord& r) { return r.stride; })
        .column([](const AccessRecord& r) { return static_cast<u8>(r.space); })
        .column([](const AccessRecord& r) { return static_cast<u8>(r.scattered); });
}

void Columns<AccessRecord>::decode(std::span<const std::byte> bytes, std::vector<AccessRecord>& records) {
    ColumnReader(bytes, records, record_bytes)
        .column<u32>([](AccessRecord& r, u32 v) { r.site = v; })
        .column<u32>([](AccessRecord& r, u32 v) { r.mask.bits = v; })
        .column<u64>([](AccessRecord& r, u64 v) { r.base = v; })
        .column<i32>([](AccessRecord& r, i32 v) { r.stride = v; })
        .column<u8>([](AccessRecord& r, u8 v) { r.space = static_cast<Space>(v); })
        .column<u8>([](AccessRecord& r, u8 v) { r.scattered = v != 0; });
}

void Columns<MaskRecord>::encode(std::span<const MaskRecord> records, std::vector<std::byte>& to) {
    ColumnWriter(records, to, record_bytes)
        .column([](const MaskRecord& r) { return r.site; })
        .column([](const MaskRecord& r) { return r.mask.bits; });
}

void Columns<MaskRecord>::decode(std::span<const std::byte> bytes, std::vector<MaskRecord>& records) {
    ColumnReader(bytes, records, record_bytes)
        .column<u32>([](MaskRecord& r, u32 v) { r.site = v; })
        .column<u32>([](MaskRecord& r, u32 v) { r.mask.bits = v; });
}

void Columns<std::uint64_t>::encode(std::span<const std::uint64_t> records, std::vector<std::byte>& to) {
    ColumnWriter(records, to, record_bytes).column([](std::uint64_t value) { return value; });
}

void Columns<std::uint64_t>::decode(std::span<const std::byte> bytes, std::vector<std::uint64_t>& records) {
    ColumnReader(bytes, records, record_bytes).column<u64>([](std::uint64_t& r, u64 v) { r = v; });
}

std::size_t record_bytes_of(ChunkKind kind) {
    switch (kind) {
        case ChunkKind::warps:
            return Columns<WarpRecord>::record_bytes;
        case ChunkKind::visits:
            return Columns<Visit>::record_bytes;
        case ChunkKind::accesses:
            return Columns<AccessRecord>::record_bytes;
        case ChunkKind::masks:
            return Columns<MaskRecord>::record_bytes;
        case ChunkKind::exceptions:
            return Columns<std::uint64_t>::record_bytes;
        default:
            return 0;
    }
}

}  // namespace warplens::trace
