#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "trace/file/assemble.h"
#include "trace/file/byte_source.h"
#include "trace/file/chunk_store.h"
#include "trace/file/trace_file.h"

namespace warplens::trace {

namespace {

/// "0 to 11, 14 and 16 to 63"
std::string ranges_of(const std::vector<std::uint64_t>& blocks) {
    constexpr std::size_t most = 8;
    std::vector<std::string> ranges;
    std::size_t begin = 0;
    while (begin < blocks.size() && ranges.size() < most) {
        std::size_t end = begin + 1;
        while (end < blocks.size() && blocks[end] == blocks[end - 1] + 1) ++end;
        ranges.push_back(end - begin == 1 ? fmt::format("{}", blocks[begin])
                                          : fmt::format("{} to {}", blocks[begin], blocks[end - 1]));
        begin = end;
    }
    if (begin < blocks.size()) ranges.push_back(fmt::format("{} more", blocks.size() - begin));
    if (ranges.size() == 1) return ranges.front();
    const std::string last = std::move(ranges.back());
    ranges.pop_back();
    return fmt::format("{} and {}", fmt::join(ranges, ", "), last);
}

/// "12 of the 64 recorded blocks could be read: 0 to 11"
std::string what_is_left(const Assembly& read) {
    const std::uint64_t total = std::max<std::uint64_t>(read.recorded_blocks, read.read_blocks.size());
    if (read.read_blocks.size() == total) return fmt::format("all {} recorded blocks could be read", total);
    if (read.read_blocks.empty()) return fmt::format("none of the {} recorded blocks could be read", total);
    return fmt::format("{} of the {} recorded blocks could be read: {}", read.read_blocks.size(), total,
                       ranges_of(read.read_blocks));
}

}  // namespace

TraceFile::TraceFile(std::unique_ptr<ChunkStore> store) : store_(std::move(store)) {}
TraceFile::TraceFile(TraceFile&&) noexcept = default;
TraceFile& TraceFile::operator=(TraceFile&&) noexcept = default;
TraceFile::~TraceFile() = default;

Result<TraceFile> TraceFile::open(const std::string& path, ReadOptions options) {
    WARPLENS_TRY(auto source, open_file(path));
    WARPLENS_TRY(auto store, ChunkStore::open(std::move(source), path, options));
    return TraceFile(std::move(store));
}

Result<TraceFile> TraceFile::from_memory(std::vector<std::byte> bytes, std::string name,
                                         ReadOptions options) {
    WARPLENS_TRY(auto store, ChunkStore::open(bytes_in_memory(std::move(bytes)), std::move(name), options));
    return TraceFile(std::move(store));
}

const std::string& TraceFile::damage() const { return store_->damage(); }
std::span<const Chunk> TraceFile::chunks() const { return store_->chunks(); }
std::uint64_t TraceFile::bytes_read() const { return store_->bytes_read(); }

Result<Trace> TraceFile::read_all() const {
    std::string damage = store_->damage();
    if (damage.empty()) {
        auto read = assemble(*store_, {});
        if (read && read->read_blocks.size() == read->recorded_blocks) return std::move(read->trace);
        damage = read ? std::string("blocks are missing") : read.error().message;
    }
    auto rest = assemble(*store_, {.leave_out_damaged = true});
    return fail("{}: {}; {}", store_->name(), damage,
                rest ? what_is_left(*rest) : std::string("nothing of it could be read"));
}

Result<Trace> TraceFile::read_blocks(std::uint64_t first, std::uint64_t last) const {
    auto read = assemble(*store_, {.first_block = first, .last_block = last});
    if (!read) return fail("{}: {}", store_->name(), read.error().message);
    if (!read->read_blocks.empty()) return std::move(read->trace);
    return fail("{}: it contains none of the blocks {} to {}", store_->name(), first, last);
}

Result<Recovered> TraceFile::recover() const {
    auto read = assemble(*store_, {.leave_out_damaged = true});
    if (!read) return fail("{}: {}", store_->name(), read.error().message);
    Recovered recovered;
    const std::string& damage = store_->damage().empty() ? read->first_damage : store_->damage();
    if (!damage.empty() || read->read_blocks.size() != read->recorded_blocks)
        recovered.note =
            fmt::format("{}: {}; {}", store_->name(),
                        damage.empty() ? std::string("blocks are missing") : damage, what_is_left(*read));
    recovered.trace = std::move(read->trace);
    return recovered;
}

}  // namespace warplens::trace
