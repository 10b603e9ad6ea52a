#include <zstd.h>

#include <algorithm>
#include <functional>

#include "core/whole_file.h"
#include "trace/check.h"
#include "trace/file/columns.h"
#include "trace/file/description.h"
#include "trace/file/trace_file.h"

namespace warplens::trace {

namespace {

constexpr int compression_level = 3;
/// Blocks are gathered until they have so many records, then written as one group of chunks: small enough to
/// read a block without much else, large enough to compress.
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
        if (auto ok = put(encode_file_header()); !ok) return ok;
        const std::uint64_t first_block = trace.warps.empty() ? 0 : trace.warps.front().block;
        const std::uint64_t last_block = trace.warps.empty() ? 0 : trace.warps.back().block;
        if (auto ok = put_json(ChunkKind::description, describe(trace), first_block, last_block); !ok)
            return ok;
        if (auto ok =
                put_json(ChunkKind::problems, describe_problems(trace.problems), first_block, last_block);
            !ok)
            return ok;
        if (auto ok = put_groups(trace); !ok) return ok;
        return put_contents();
    }

  private:
    Status put(std::span<const std::byte> bytes) {
        offset_ += bytes.size();
        return sink_(bytes);
    }

    /// `raw` as one chunk; stored as it is where compression gains nothing.
    Status put_chunk(ChunkHeader header, std::span<const std::byte> raw, bool compress) {
        std::span<const std::byte> stored = raw;
        header.compression = Compression::none;
        if (compress) {
            compressed_.resize(ZSTD_compressBound(raw.size()));
            const std::size_t size = ZSTD_compressCCtx(zstd_.context, compressed_.data(), compressed_.size(),
                                                       raw.data(), raw.size(), compression_level);
            if (ZSTD_isError(size)) return fail("compressing failed: {}", ZSTD_getErrorName(size));
            if (size < raw.size()) {
                stored = std::span(compressed_).first(size);
                header.compression = Compression::zstd;
            }
        }
        header.raw_bytes = raw.size();
        header.stored_bytes = stored.size();
        header.checksum = checksum_of(stored);
        chunks_.push_back({offset_, header});
        if (auto ok = put(encode(header)); !ok) return ok;
        return put(stored);
    }

    Status put_json(ChunkKind kind, const std::string& json, std::uint64_t first_block,
                    std::uint64_t last_block) {
        if (json.size() > max_json_bytes)
            return fail("its {} takes {} MiB as JSON; a trace file holds at most {}", to_string(kind),
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
                       const WarpRecord& first, const WarpRecord& last) {
        while (begin < end) {
            const std::uint64_t count = std::min(end - begin, records_per_group);
            ChunkHeader header;
            header.kind = Columns<Record>::kind;
            header.count = count;
            header.first = begin;
            header.first_block = first.block;
            header.last_block = last.block;
            Columns<Record>::encode(std::span(array).subspan(begin, count), columns_);
            if (auto ok = put_chunk(header, columns_, options_.compress); !ok) return ok;
            begin += count;
        }
        return {};
    }

    Status put_groups(const Trace& trace) {
        std::uint64_t exceptions_begin = 0;
        for (std::size_t begin = 0; begin < trace.warps.size();) {
            const WarpRecord& first = trace.warps[begin];
            std::size_t end = begin;
            while (end < trace.warps.size() &&
                   records_between(first, trace.warps[end]) + (end - begin) < records_per_group) {
                const std::uint64_t block = trace.warps[end].block;
                while (end < trace.warps.size() && trace.warps[end].block == block) ++end;
            }
            const WarpRecord& last = trace.warps[end - 1];
            std::uint64_t exceptions_end = exceptions_begin;
            for (std::uint64_t i = first.accesses_begin; i < last.accesses_end; ++i)
                if (trace.accesses[i].scattered)
                    exceptions_end += static_cast<std::uint64_t>(trace.accesses[i].mask.count());
            if (auto ok = put_records(trace.warps, begin, end, first, last); !ok) return ok;
            if (auto ok = put_records(trace.visits, first.visits_begin, last.visits_end, first, last); !ok)
                return ok;
            if (auto ok = put_records(trace.masks, first.masks_begin, last.masks_end, first, last); !ok)
                return ok;
            if (auto ok = put_records(trace.accesses, first.accesses_begin, last.accesses_end, first, last);
                !ok)
                return ok;
            if (auto ok = put_records(trace.exceptions, exceptions_begin, exceptions_end, first, last); !ok)
                return ok;
            exceptions_begin = exceptions_end;
            begin = end;
        }
        return {};
    }

    /// Records from the start of one warp to the start of another.
    static std::uint64_t records_between(const WarpRecord& first, const WarpRecord& next) {
        return next.visits_begin - first.visits_begin + next.accesses_begin - first.accesses_begin +
               next.masks_begin - first.masks_begin;
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
        if (auto ok = put_chunk(header, entries, false); !ok) return ok;
        trailer.file_bytes = offset_ + trailer_bytes;
        return put(encode(trailer));
    }

    Sink sink_;
    WriteOptions options_;
    CompressionContext zstd_;
    std::uint64_t offset_ = 0;
    std::vector<Chunk> chunks_;
    std::vector<std::byte> columns_, compressed_;
};

}  // namespace

Status write(const Trace& trace, const std::string& path, WriteOptions options) {
    if (auto ok = check(trace); !ok)
        return fail("{} cannot be written, for the trace is malformed: {}", path, ok.error().message);
    auto file = WholeFile::create(path);
    if (!file) return tl::unexpected(file.error());
    bool file_failed = false;
    Writer writer(
        [&](std::span<const std::byte> bytes) {
            auto ok = file->append(bytes);
            file_failed = !ok;
            return ok;
        },
        options);
    if (auto ok = writer.write(trace); !ok)
        return file_failed ? ok : fail("{} cannot be written: {}", path, ok.error().message);
    return file->keep();
}

Result<std::vector<std::byte>> to_bytes(const Trace& trace, WriteOptions options) {
    if (auto ok = check(trace); !ok) return tl::unexpected(ok.error());
    std::vector<std::byte> all;
    Writer writer(
        [&](std::span<const std::byte> bytes) -> Status {
            all.insert(all.end(), bytes.begin(), bytes.end());
            return {};
        },
        options);
    if (auto ok = writer.write(trace); !ok) return tl::unexpected(ok.error());
    return all;
}

}  // namespace warplens::trace
