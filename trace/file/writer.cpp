#include <zstd.h>

#include <algorithm>
#include <functional>

#include "core/whole_file.h"
#include "trace/check.h"
#include "trace/file/activity_description.h"
#include "trace/file/columns.h"
#include "trace/file/description.h"
#include "trace/file/differences.h"
#include "trace/file/measured_description.h"
#include "trace/file/trace_file.h"

namespace warplens::trace {

namespace {

constexpr int quick_level = 3, small_level = 9;
/// Blocks are gathered up to this number of records, then written as one group of chunks: small enough to
/// read single blocks, large enough to compress well.
constexpr std::uint64_t records_per_group = 1u << 18;

using Sink = std::function<Status(std::span<const std::byte>)>;

struct CompressionContext {
    CompressionContext() : context(ZSTD_createCCtx()) {}
    ~CompressionContext() { ZSTD_freeCCtx(context); }
    CompressionContext(const CompressionContext&) = delete;
    CompressionContext& operator=(const CompressionContext&) = delete;
    ZSTD_CCtx* context;
};

class Writer {
  public:
    Writer(Sink sink, WriteOptions options) : sink_(std::move(sink)), options_(options) {}

    Status write(const Trace& trace) {
        if (!zstd_.context) return fail("memory is short for the compressor");
        WARPLENS_TRY(put(encode_file_header()));
        const std::uint64_t first_block = trace.warps.empty() ? 0 : trace.warps.front().block;
        const std::uint64_t last_block = trace.warps.empty() ? 0 : trace.warps.back().block;
        WARPLENS_TRY(put_json(ChunkKind::description, describe(trace), first_block, last_block));
        if (auto ok =
                put_json(ChunkKind::problems, describe_problems(trace.problems), first_block, last_block);
            !ok)
            return ok;
        if (trace.measured)
            if (auto ok = put_json(ChunkKind::measured, describe_measured(trace), first_block, last_block);
                !ok)
                return ok;
        if (!trace.activities.empty())
            if (auto ok = put_json(ChunkKind::activities, describe_activities(trace.activities), first_block,
                                   last_block);
                !ok)
                return ok;
        WARPLENS_TRY(put_groups(trace));
        return put_contents();
    }

  private:
    Status put(std::span<const std::byte> bytes) {
        offset_ += bytes.size();
        return sink_(bytes);
    }

    /// Writes `raw` as one chunk, uncompressed if compression gains nothing.
    Status put_chunk(ChunkHeader header, std::span<const std::byte> raw, bool compress) {
        std::span<const std::byte> stored = raw;
        header.compression = Compression::none;
        const auto keep_if_smaller = [&](const Result<std::span<const std::byte>>& packed,
                                         Compression method) {
            if (!packed || packed->size() >= stored.size()) return;
            stored = *packed;
            header.compression = method;
        };
        if (compress) {
            const auto packed = pack(raw, options_.small ? small_level : quick_level, packed_);
            if (!packed) return tl::unexpected(packed.error());
            keep_if_smaller(packed, Compression::zstd);
        }
        if (compress && options_.small && has_differences(header.kind)) {
            to_differences(header.kind, raw, differences_);
            keep_if_smaller(pack(differences_, small_level, packed_differences_),
                            Compression::zstd_of_differences);
        }
        header.raw_bytes = raw.size();
        header.stored_bytes = stored.size();
        header.checksum = checksum_of(stored);
        chunks_.push_back({offset_, header});
        WARPLENS_TRY(put(encode(header)));
        return put(stored);
    }

    Result<std::span<const std::byte>> pack(std::span<const std::byte> raw, int level,
                                            std::vector<std::byte>& to) {
        to.resize(ZSTD_compressBound(raw.size()));
        const std::size_t size =
            ZSTD_compressCCtx(zstd_.context, to.data(), to.size(), raw.data(), raw.size(), level);
        if (ZSTD_isError(size)) return fail("compressing failed: {}", ZSTD_getErrorName(size));
        return std::span<const std::byte>(to).first(size);
    }

    Status put_json(ChunkKind kind, const std::string& json, std::uint64_t first_block,
                    std::uint64_t last_block) {
        if (json.size() > max_json_bytes)
            return fail("its {} takes {} MiB as JSON; the limit of a trace file is {}", to_string(kind),
                        json.size() >> 20, max_json_bytes >> 20);
        ChunkHeader header;
        header.kind = kind;
        header.count = json.size();
        header.first_block = first_block;
        header.last_block = last_block;
        return put_chunk(header, std::as_bytes(std::span(json)), options_.compress);
    }

    /// Records [begin, end) of an array, in chunks of bounded size.
    template <class Record>
    Status put_records(const std::vector<Record>& array, std::uint64_t begin, std::uint64_t end,
                       const BlockRange& blocks, std::uint64_t most = records_per_group) {
        while (begin < end) {
            const std::uint64_t count = std::min(end - begin, most);
            ChunkHeader header;
            header.kind = Columns<Record>::kind;
            header.count = count;
            header.first = begin;
            header.first_block = blocks.first;
            header.last_block = blocks.last;
            Columns<Record>::encode(std::span(array).subspan(begin, count), columns_);
            WARPLENS_TRY(put_chunk(header, columns_, options_.compress));
            begin += count;
        }
        return {};
    }

    /// Some blocks' warps: [begin, end) of Trace::warps and of Measured::warps.
    struct Group {
        std::size_t begin = 0, end = 0, measured_begin = 0, measured_end = 0;
        BlockRange blocks;
        std::uint64_t records = 0;
    };

    /// Adds the next block, of either part or both; false if there is none.
    static bool add_block(const Trace& trace, std::span<const MeasuredWarp> measured, Group& group) {
        const bool warps_left = group.end < trace.warps.size();
        const bool measured_left = group.measured_end < measured.size();
        if (!warps_left && !measured_left) return false;
        std::uint64_t block = ~std::uint64_t{0};
        if (warps_left) block = trace.warps[group.end].block;
        if (measured_left) block = std::min(block, measured[group.measured_end].block);
        if (group.records == 0) group.blocks.first = block;
        group.blocks.last = block;
        for (; group.end < trace.warps.size() && trace.warps[group.end].block == block; ++group.end) {
            const WarpRecord& warp = trace.warps[group.end];
            group.records += 1 + warp.visits_end - warp.visits_begin + warp.accesses_end -
                             warp.accesses_begin + warp.masks_end - warp.masks_begin + warp.exchanges_end -
                             warp.exchanges_begin;
        }
        for (; group.measured_end < measured.size() && measured[group.measured_end].block == block;
             ++group.measured_end) {
            const MeasuredWarp& warp = measured[group.measured_end];
            group.records += 1 + warp.visits_end - warp.visits_begin;
        }
        return true;
    }

    Status put_groups(const Trace& trace) {
        const std::span<const MeasuredWarp> measured =
            trace.measured ? std::span(trace.measured->warps) : std::span<const MeasuredWarp>();
        Group group;
        while (add_block(trace, measured, group)) {
            while (group.records < records_per_group && add_block(trace, measured, group)) {
            }
            WARPLENS_TRY(put_group(trace, group));
            group = {group.end, group.end, group.measured_end, group.measured_end, {}, 0};
        }
        return {};
    }

    /// Measurements come first, so that no block of a truncated file appears to be unmeasured. The warps of a
    /// block stay in one group, so that no block appears complete without all its warps.
    Status put_group(const Trace& trace, const Group& group) {
        if (group.measured_begin < group.measured_end) {
            const Measured& measured = *trace.measured;
            if (auto ok = put_records(measured.warps, group.measured_begin, group.measured_end, group.blocks,
                                      max_records_in_chunk);
                !ok)
                return ok;
            if (auto ok = put_records(measured.visits, measured.warps[group.measured_begin].visits_begin,
                                      measured.warps[group.measured_end - 1].visits_end, group.blocks);
                !ok)
                return ok;
        }
        if (group.begin == group.end) return {};
        const WarpRecord& first = trace.warps[group.begin];
        const WarpRecord& last = trace.warps[group.end - 1];
        const std::uint64_t exceptions_begin = exceptions_;
        for (std::uint64_t i = first.accesses_begin; i < last.accesses_end; ++i)
            if (trace.accesses[i].scattered && trace.accesses[i].stride == 0)
                exceptions_ += static_cast<std::uint64_t>(trace.accesses[i].mask.count());
        if (auto ok = put_records(trace.warps, group.begin, group.end, group.blocks, max_records_in_chunk);
            !ok)
            return ok;
        WARPLENS_TRY(put_exchanges(trace, group));
        WARPLENS_TRY(put_records(trace.visits, first.visits_begin, last.visits_end, group.blocks));
        WARPLENS_TRY(put_records(trace.masks, first.masks_begin, last.masks_end, group.blocks));
        WARPLENS_TRY(put_records(trace.accesses, first.accesses_begin, last.accesses_end, group.blocks));
        return put_records(trace.exceptions, exceptions_begin, exceptions_, group.blocks);
    }

    Status put_exchanges(const Trace& trace, const Group& group) {
        if (trace.exchanges.empty()) return {};
        ranges_.resize(group.end);
        for (std::size_t i = group.begin; i < group.end; ++i)
            ranges_[i] = {trace.warps[i].exchanges_begin, trace.warps[i].exchanges_end};
        WARPLENS_TRY(put_records(ranges_, group.begin, group.end, group.blocks, max_records_in_chunk));
        return put_records(trace.exchanges, ranges_[group.begin].begin, ranges_.back().end, group.blocks);
    }

    Status put_contents() {
        std::vector<std::byte> entries(chunks_.size() * contents_entry_bytes);
        std::byte* at = entries.data();
        for (const Chunk& chunk : chunks_) {
            store_little_endian(at, chunk.offset);
            const auto header = encode(chunk.header);
            std::copy(header.begin(), header.end(), at + 8);
            at += contents_entry_bytes;
        }
        ChunkHeader header;
        header.kind = ChunkKind::contents;
        header.count = chunks_.size();
        Trailer trailer;
        trailer.contents_offset = offset_;
        WARPLENS_TRY(put_chunk(header, entries, false));
        trailer.file_bytes = offset_ + trailer_bytes;
        return put(encode(trailer));
    }

    Sink sink_;
    WriteOptions options_;
    CompressionContext zstd_;
    std::uint64_t offset_ = 0;
    std::uint64_t exceptions_ = 0;  // written
    std::vector<Chunk> chunks_;
    std::vector<ExchangeRange> ranges_;  // by warp
    std::vector<std::byte> columns_, packed_, differences_, packed_differences_;
};

}  // namespace

Status write(const Trace& trace, const std::string& path, WriteOptions options) {
    if (auto ok = check(trace); !ok)
        return fail("{} cannot be written, because the trace is malformed: {}", path, ok.error().message);
    WARPLENS_TRY(auto file, WholeFile::create(path));
    bool file_failed = false;
    Writer writer(
        [&](std::span<const std::byte> bytes) {
            auto ok = file.append(bytes);
            file_failed = !ok;
            return ok;
        },
        options);
    if (auto ok = writer.write(trace); !ok)
        return file_failed ? ok : fail("{} cannot be written: {}", path, ok.error().message);
    return file.keep();
}

Result<std::vector<std::byte>> to_bytes(const Trace& trace, WriteOptions options) {
    WARPLENS_TRY(check(trace));
    std::vector<std::byte> all;
    Writer writer(
        [&](std::span<const std::byte> bytes) -> Status {
            all.insert(all.end(), bytes.begin(), bytes.end());
            return {};
        },
        options);
    WARPLENS_TRY(writer.write(trace));
    return all;
}

}  // namespace warplens::trace
