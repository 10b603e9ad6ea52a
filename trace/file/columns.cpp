#include "trace/file/columns.h"

#include <utility>

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
    /// The lowest bytes of all values first, then the next higher ones, and so on: for small numbers most of
    /// these are zero.
    template <class Get>
    ColumnWriter& planes(Get get) {
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < records_.size(); ++i) {
            auto value = get(records_[i]);
            bytes = sizeof(value);
            for (std::size_t plane = 0; plane < bytes; ++plane)
                at_[plane * records_.size() + i] = static_cast<std::byte>(value >> (8 * plane));
        }
        at_ += bytes * records_.size();
        return *this;
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
    ColumnReader& planes(Set set) {
        for (std::size_t i = 0; i < records_.size(); ++i) {
            T value = 0;
            for (std::size_t plane = 0; plane < sizeof(T); ++plane)
                value |= static_cast<T>(static_cast<T>(at_[plane * records_.size() + i]) << (8 * plane));
            set(records_[i], value);
        }
        at_ += sizeof(T) * records_.size();
        return *this;
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
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using i32 = std::int32_t;
using u64 = std::uint64_t;

/// Times of an array, each as its distance from the previous one: 0 is no_time, 1 + distance any other,
/// modulo the 2^32 - 1 possible times.
class TimeCode {
  public:
    explicit TimeCode(u32 last = 0) : last_(last) {}
    u32 encode(u32 time) {
        if (time == no_time) return 0;
        const u32 code = 1 + static_cast<u32>((time + times - last_) % times);
        last_ = time;
        return code;
    }
    u32 decode(u32 code) {
        if (code == 0) return no_time;
        last_ = static_cast<u32>((last_ + u64{code - 1}) % times);
        return last_;
    }

    /// The same for a time before the last one, which is kept.
    u32 encode_before(u32 time) const {
        return time == no_time ? 0 : 1 + static_cast<u32>((last_ + times - time) % times);
    }
    u32 decode_before(u32 code) const {
        return code == 0 ? no_time : static_cast<u32>((last_ + times - (code - 1)) % times);
    }

  private:
    static constexpr u64 times = 0xffffffffu;
    u64 last_;
};

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

void Columns<MeasuredWarp>::encode(std::span<const MeasuredWarp> records, std::vector<std::byte>& to) {
    u64 block = 0, visits = 0;
    u32 begin = 0;
    ColumnWriter(records, to, record_bytes)
        .planes([&](const MeasuredWarp& r) { return r.block - std::exchange(block, r.block); })
        .planes([](const MeasuredWarp& r) { return r.warp; })
        .planes([](const MeasuredWarp& r) { return r.sm; })
        .planes([](const MeasuredWarp& r) { return r.slot; })
        .planes([&](const MeasuredWarp& r) { return r.begin - std::exchange(begin, r.begin); })
        .planes([](const MeasuredWarp& r) { return r.end - r.begin; })
        .planes([&](const MeasuredWarp& r) { return r.visits_begin - std::exchange(visits, r.visits_end); })
        .planes([](const MeasuredWarp& r) { return r.visits_end - r.visits_begin; });
}

void Columns<MeasuredWarp>::decode(std::span<const std::byte> bytes, std::vector<MeasuredWarp>& records) {
    u64 block = 0;
    u32 begin = 0;
    ColumnReader(bytes, records, record_bytes)
        .planes<u64>([&](MeasuredWarp& r, u64 v) { r.block = block += v; })
        .planes<u32>([](MeasuredWarp& r, u32 v) { r.warp = v; })
        .planes<u16>([](MeasuredWarp& r, u16 v) { r.sm = v; })
        .planes<u16>([](MeasuredWarp& r, u16 v) { r.slot = v; })
        .planes<u32>([&](MeasuredWarp& r, u32 v) { r.begin = begin += v; })
        .planes<u32>([](MeasuredWarp& r, u32 v) { r.end = r.begin + v; })
        .planes<u64>([](MeasuredWarp& r, u64 v) { r.visits_begin = v; })
        .planes<u64>([](MeasuredWarp& r, u64 v) { r.visits_end = v; });
    u64 visits = 0;
    for (MeasuredWarp& warp : records) {
        warp.visits_begin += visits;
        visits = warp.visits_end += warp.visits_begin;
    }
}

void Columns<MeasuredVisit>::encode(std::span<const MeasuredVisit> records, std::vector<std::byte>& to) {
    TimeCode entered;
    ColumnWriter(records, to, record_bytes)
        .planes([](const MeasuredVisit& r) { return r.basic_block; })
        .planes([](const MeasuredVisit& r) { return r.active; })
        .planes([&](const MeasuredVisit& r) { return entered.encode(r.entered); })
        .planes([](const MeasuredVisit& r) { return TimeCode(r.entered).encode_before(r.arrived); });
}

void Columns<MeasuredVisit>::decode(std::span<const std::byte> bytes, std::vector<MeasuredVisit>& records) {
    TimeCode entered;
    ColumnReader(bytes, records, record_bytes)
        .planes<u32>([](MeasuredVisit& r, u32 v) { r.basic_block = v; })
        .planes<u32>([](MeasuredVisit& r, u32 v) { r.active = v; })
        .planes<u32>([&](MeasuredVisit& r, u32 v) { r.entered = entered.decode(v); })
        .planes<u32>([](MeasuredVisit& r, u32 v) { r.arrived = TimeCode(r.entered).decode_before(v); });
}

void Columns<ExchangeRange>::encode(std::span<const ExchangeRange> records, std::vector<std::byte>& to) {
    ColumnWriter(records, to, record_bytes)
        .column([](const ExchangeRange& r) { return r.begin; })
        .column([](const ExchangeRange& r) { return r.end; });
}

void Columns<ExchangeRange>::decode(std::span<const std::byte> bytes, std::vector<ExchangeRange>& records) {
    ColumnReader(bytes, records, record_bytes)
        .column<u64>([](ExchangeRange& r, u64 v) { r.begin = v; })
        .column<u64>([](ExchangeRange& r, u64 v) { r.end = v; });
}

void Columns<ExchangeRecord>::encode(std::span<const ExchangeRecord> records, std::vector<std::byte>& to) {
    ColumnWriter writer(records, to, record_bytes);
    writer.column([](const ExchangeRecord& r) { return r.site; });
    writer.column([](const ExchangeRecord& r) { return r.mask.bits; });
    for (std::size_t bit = 0; bit < 5; ++bit)
        writer.column([bit](const ExchangeRecord& r) { return r.bits[bit]; });
}

void Columns<ExchangeRecord>::decode(std::span<const std::byte> bytes, std::vector<ExchangeRecord>& records) {
    ColumnReader reader(bytes, records, record_bytes);
    reader.column<u32>([](ExchangeRecord& r, u32 v) { r.site = v; });
    reader.column<u32>([](ExchangeRecord& r, u32 v) { r.mask.bits = v; });
    for (std::size_t bit = 0; bit < 5; ++bit)
        reader.column<u32>([bit](ExchangeRecord& r, u32 v) { r.bits[bit] = v; });
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
        case ChunkKind::measured_warps:
            return Columns<MeasuredWarp>::record_bytes;
        case ChunkKind::measured_visits:
            return Columns<MeasuredVisit>::record_bytes;
        case ChunkKind::exchange_ranges:
            return Columns<ExchangeRange>::record_bytes;
        case ChunkKind::exchanges:
            return Columns<ExchangeRecord>::record_bytes;
        default:
            return 0;
    }
}

}  // namespace warplens::trace
