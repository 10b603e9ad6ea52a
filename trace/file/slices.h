// Slices: one array of the Trace as stored in a file, cut into chunks; and Budget, limits on the memory and
// work for a file, independent of what it claims.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"
#include "trace/file/chunk_store.h"
#include "trace/file/columns.h"

namespace warplens::trace {

/// Why an assembly cannot continue. `fatal`: leaving out the block would not help.
struct Obstacle {
    std::string message;
    bool fatal = false;
};
using Attempt = tl::expected<void, Obstacle>;

inline tl::unexpected<Obstacle> lost(std::string message) {
    return tl::unexpected(Obstacle{std::move(message), false});
}

class Budget {
  public:
    explicit Budget(std::uint64_t bytes) : limit_(bytes) {}
    Attempt keep(std::uint64_t bytes) { return charge(kept_, bytes, limit_); }
    /// Each chunk of an undamaged file is unpacked once, so twice the kept bytes is ample.
    Attempt unpack(std::uint64_t bytes) { return charge(unpacked_, bytes, 2 * limit_); }
    void give_back(std::uint64_t bytes) { kept_ -= bytes; }
    std::uint64_t kept() const { return kept_; }

  private:
    Attempt charge(std::uint64_t& sum, std::uint64_t bytes, std::uint64_t limit) {
        if (bytes > limit - sum)
            return tl::unexpected(
                Obstacle{fmt::format("it needs more memory than the limit of {} MiB", limit_ >> 20), true});
        sum += bytes;
        return {};
    }
    std::uint64_t limit_, kept_ = 0, unpacked_ = 0;
};

/// Unpacks each chunk once if read in ascending order.
template <class Record>
class Slices {
  public:
    Slices(ChunkStore& store, Budget& budget) : store_(store), budget_(budget) {
        for (const Chunk& chunk : store.chunks())
            if (chunk.header.kind == Columns<Record>::kind && chunk.header.count > 0 &&
                chunk.header.count <= max_records_in_chunk && chunk.header.first < std::uint64_t{1} << 62)
                chunks_.push_back(&chunk);
        std::stable_sort(chunks_.begin(), chunks_.end(),
                         [](const Chunk* a, const Chunk* b) { return a->header.first < b->header.first; });
    }

    const std::vector<const Chunk*>& chunks() const { return chunks_; }

    Attempt append(std::uint64_t begin, std::uint64_t end, std::vector<Record>& to) {
        WARPLENS_TRY(budget_.keep((end - begin) * sizeof(Record)));
        while (begin < end) {
            const auto after =
                std::upper_bound(chunks_.begin(), chunks_.end(), begin,
                                 [](std::uint64_t index, const Chunk* c) { return index < c->header.first; });
            const auto at = static_cast<std::size_t>(after - chunks_.begin());
            if (at == 0 || begin - chunks_[at - 1]->header.first >= chunks_[at - 1]->header.count)
                return lost(fmt::format("its {} {} to {} are missing", to_string(Columns<Record>::kind),
                                        begin, end - 1));
            WARPLENS_TRY(load(at - 1));
            const ChunkHeader& header = chunks_[at - 1]->header;
            const std::uint64_t until = std::min(end, header.first + header.count);
            to.insert(to.end(), records_.begin() + static_cast<std::ptrdiff_t>(begin - header.first),
                      records_.begin() + static_cast<std::ptrdiff_t>(until - header.first));
            begin = until;
        }
        return {};
    }

    /// Unpacks chunk number `at`; records() are its.
    Attempt load(std::size_t at) {
        if (loaded_ != at) {
            loaded_ = at;
            error_.clear();
            if (auto ok = budget_.unpack(chunks_[at]->header.count * Columns<Record>::record_bytes); !ok) {
                loaded_.reset();
                return ok;
            }
            if (auto ok = store_.load(*chunks_[at], raw_); !ok) error_ = ok.error().message;
            else Columns<Record>::decode(raw_, records_);
        }
        if (!error_.empty()) return lost(error_);
        return {};
    }
    const std::vector<Record>& records() const { return records_; }

  private:
    ChunkStore& store_;
    Budget& budget_;
    std::vector<const Chunk*> chunks_;
    std::optional<std::size_t> loaded_;
    std::string error_;  // of the loaded chunk
    std::vector<std::byte> raw_;
    std::vector<Record> records_;
};

}  // namespace warplens::trace
