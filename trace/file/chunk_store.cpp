#include "trace/file/chunk_store.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "trace/file/columns.h"
#include "trace/file/differences.h"

namespace warplens::trace {

namespace {

/// Memory that parsing takes per byte of JSON in the worst case (a list of empty lists).
constexpr std::uint64_t json_expansion = 64;

bool known(ChunkKind kind) { return kind >= ChunkKind::description && kind <= ChunkKind::activities; }

Status check_sizes(const ChunkHeader& header, const ReadOptions& options) {
    if (header.compression > Compression::zstd_of_differences)
        return fail("it is compressed by method {}, which this version does not know",
                    static_cast<std::uint32_t>(header.compression));
    if (header.compression == Compression::zstd_of_differences && !has_differences(header.kind))
        return fail("it is compressed as differences, which is only possible for records of steps");
    if (header.compression == Compression::none && header.stored_bytes != header.raw_bytes)
        return fail("it is not compressed, but stores {} bytes for {}", header.stored_bytes,
                    header.raw_bytes);
    if (const std::size_t record = record_bytes_of(header.kind)) {
        if (header.count > max_records_in_chunk)
            return fail("it claims {} records; a chunk holds at most {}", header.count, max_records_in_chunk);
        if (header.raw_bytes != header.count * record)
            return fail("it claims {} bytes for {} records of {} bytes", header.raw_bytes, header.count,
                        record);
        return {};
    }
    const std::uint64_t most = std::min(max_json_bytes, options.memory_limit / json_expansion);
    if (header.raw_bytes > most)
        return fail("it claims {} bytes; at most {} are read", header.raw_bytes, most);
    return {};
}

}  // namespace

ChunkStore::ChunkStore(std::unique_ptr<ByteSource> source, std::string name, ReadOptions options)
    : source_(std::move(source)), name_(std::move(name)), options_(options) {}

Result<std::unique_ptr<ChunkStore>> ChunkStore::open(std::unique_ptr<ByteSource> source, std::string name,
                                                     ReadOptions options) {
    std::unique_ptr<ChunkStore> store(new ChunkStore(std::move(source), std::move(name), options));
    WARPLENS_TRY(store->read_file_header());
    if (auto contents = store->read_contents(); !contents) {
        if (store->damage_.empty()) store->damage_ = contents.error().message;
        WARPLENS_TRY(store->scan());
    }
    return store;
}

Status ChunkStore::read_file_header() {
    std::array<std::byte, file_header_bytes> bytes{};
    const std::span begin = std::span(bytes).first(std::min<std::uint64_t>(bytes.size(), source_->size()));
    if (auto ok = source_->read(0, begin); !ok) return fail("{}: {}", name_, ok.error().message);
    std::uint32_t version = 0;
    switch (decode_file_header(begin, options_.check_checksums, version)) {
        case HeaderState::foreign:
            return fail("{} is not a trace file: it does not begin with the .wltrace signature", name_);
        case HeaderState::damaged:
            damage_ = "its header is damaged";
            return {};
        case HeaderState::good:
            break;
    }
    if (version != format_version)
        return fail(
            "{} has trace format version {}, but this Warplens reads version {}; open it with {} Warplens",
            name_, version, format_version, version > format_version ? "a newer" : "an older");
    return {};
}

Result<ChunkHeader> ChunkStore::header_at(std::uint64_t offset) {
    std::array<std::byte, chunk_header_bytes> bytes{};
    WARPLENS_TRY(source_->read(offset, bytes));
    const auto header = decode_chunk_header(bytes, options_.check_checksums);
    if (!header) return fail("there is no chunk at byte {}", offset);
    if (header->stored_bytes > source_->size() - offset - chunk_header_bytes)
        return fail("the chunk at byte {} is cut short", offset);
    return *header;
}

Status ChunkStore::read_contents() {
    constexpr std::string_view cut_short =
        "it has no table of contents at its end, so it is cut short or damaged";
    constexpr std::string_view damaged = "its table of contents is damaged";
    if (source_->size() < file_header_bytes + trailer_bytes) return fail("{}", cut_short);
    std::array<std::byte, trailer_bytes> bytes{};
    WARPLENS_TRY(source_->read(source_->size() - trailer_bytes, bytes));
    const auto trailer = decode_trailer(bytes, options_.check_checksums);
    if (!trailer || (options_.check_checksums && trailer->file_bytes != source_->size()))
        return fail("{}", cut_short);
    const auto header = header_at(trailer->contents_offset);
    if (!header || header->kind != ChunkKind::contents || header->count > max_chunks ||
        header->raw_bytes != header->count * contents_entry_bytes)
        return fail("{}", damaged);
    // Its size is bounded by that of the file, not by the limit of JSON.
    if (header->compression != Compression::none || header->stored_bytes != header->raw_bytes)
        return fail("{}", damaged);
    std::vector<std::byte> entries(header->stored_bytes);
    WARPLENS_TRY(source_->read(trailer->contents_offset + chunk_header_bytes, entries));
    if (options_.check_checksums && checksum_of(entries) != header->checksum) return fail("{}", damaged);
    for (std::size_t at = 0; at < entries.size(); at += contents_entry_bytes) {
        Chunk chunk;
        chunk.offset = load_little_endian<std::uint64_t>(entries.data() + at);
        const auto entry = decode_chunk_header(std::span(entries).subspan(at + 8, chunk_header_bytes),
                                               options_.check_checksums);
        if (!entry) {
            chunks_.clear();
            return fail("{}", damaged);
        }
        chunk.header = *entry;
        chunks_.push_back(chunk);
    }
    return {};
}

Result<std::uint64_t> ChunkStore::find_chunk(std::uint64_t from) {
    constexpr std::size_t window = 1 << 16;
    const auto marker = chunk_marker();
    std::vector<std::byte> bytes;
    while (from < source_->size()) {
        bytes.resize(std::min<std::uint64_t>(window, source_->size() - from));
        WARPLENS_TRY(source_->read(from, bytes));
        const auto found = std::search(bytes.begin(), bytes.end(), marker.begin(), marker.end());
        if (found != bytes.end()) return from + static_cast<std::uint64_t>(found - bytes.begin());
        if (bytes.size() < window) break;
        from += window - marker.size() + 1;
    }
    return source_->size();
}

Status ChunkStore::scan() {
    std::uint64_t at = file_header_bytes;
    while (at < source_->size() && chunks_.size() < max_chunks) {
        if (const auto header = header_at(at)) {
            if (header->kind != ChunkKind::contents) chunks_.push_back({at, *header});
            at += chunk_header_bytes + header->stored_bytes;
            continue;
        }
        const auto next = find_chunk(at + 1);
        if (!next) return fail("{}: {}", name_, next.error().message);
        at = *next;
    }
    return {};
}

Status ChunkStore::load(const Chunk& chunk, std::vector<std::byte>& raw) {
    const ChunkHeader& header = chunk.header;
    const auto broken = [&](std::string_view why) {
        return fail("its chunk of {} at byte {} is damaged: {}",
                    known(header.kind) ? to_string(header.kind) : "an unknown kind", chunk.offset, why);
    };
    if (auto ok = check_sizes(header, options_); !ok) return broken(ok.error().message);
    if (chunk.offset > source_->size() || source_->size() - chunk.offset < chunk_header_bytes ||
        header.stored_bytes > source_->size() - chunk.offset - chunk_header_bytes)
        return broken("it is cut short");
    stored_.resize(chunk_header_bytes + header.stored_bytes);
    if (auto ok = source_->read(chunk.offset, stored_); !ok) return broken(ok.error().message);
    const std::span stored = std::span<const std::byte>(stored_).subspan(chunk_header_bytes);
    if (options_.check_checksums) {
        const auto expected = encode(header);  // the table of contents and the chunk itself must agree
        if (!std::equal(expected.begin(), expected.end(), stored_.begin()))
            return broken("its header differs from the table of contents");
        if (checksum_of(stored) != header.checksum) return broken("its checksum does not match");
    }
    if (header.compression == Compression::none) {
        raw.assign(stored.begin(), stored.end());
        return {};
    }
    const bool differences = header.compression == Compression::zstd_of_differences;
    std::vector<std::byte>& unpacked = differences ? differences_ : raw;
    unpacked.resize(header.raw_bytes);
    const std::size_t size = ZSTD_decompress(unpacked.data(), unpacked.size(), stored.data(), stored.size());
    if (ZSTD_isError(size)) return broken(ZSTD_getErrorName(size));
    if (size != unpacked.size()) return broken("its unpacked size differs from the size it claims");
    if (differences) from_differences(header.kind, differences_, raw);
    return {};
}

}  // namespace warplens::trace
