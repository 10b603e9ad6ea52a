#include "trace/file/assemble.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "trace/check.h"
#include "trace/file/columns.h"
#include "trace/file/description.h"

namespace warplens::trace {

namespace {

/// Why an assembly cannot go on. `fatal`: leaving out the block would not help.
struct Obstacle {
    std::string message;
    bool fatal = false;
};
using Attempt = tl::expected<void, Obstacle>;

tl::unexpected<Obstacle> lost(std::string message) {
    return tl::unexpected(Obstacle{std::move(message), false});
}

/// Memory and work that a file may cost, whatever it claims.
class Budget {
  public:
    explicit Budget(std::uint64_t bytes) : limit_(bytes) {}
    Attempt keep(std::uint64_t bytes) { return charge(kept_, bytes, limit_); }
    /// Each chunk of a sound file is unpacked once, so that twice the kept bytes is generous.
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

/// One array of the Trace as slices in chunks. Asked in ascending order, it unpacks each chunk once.
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
        if (auto ok = budget_.keep((end - begin) * sizeof(Record)); !ok) return ok;
        while (begin < end) {
            const auto after =
                std::upper_bound(chunks_.begin(), chunks_.end(), begin,
                                 [](std::uint64_t index, const Chunk* c) { return index < c->header.first; });
            const auto at = static_cast<std::size_t>(after - chunks_.begin());
            if (at == 0 || begin - chunks_[at - 1]->header.first >= chunks_[at - 1]->header.count)
                return lost(fmt::format("its {} {} to {} are missing", to_string(Columns<Record>::kind),
                                        begin, end - 1));
            if (auto ok = load(at - 1); !ok) return ok;
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

class Assembler {
  public:
    Assembler(ChunkStore& store, const Selection& selection)
        : store_(store),
          selection_(selection),
          budget_(store.options().memory_limit),
          warps_(store, budget_),
          visits_(store, budget_),
          accesses_(store, budget_),
          masks_(store, budget_),
          exceptions_(store, budget_) {}

    Result<Assembly> run() {
        if (auto ok = read_description(); !ok) return tl::unexpected(ok.error());
        if (auto ok = read_problems(); !ok) return tl::unexpected(ok.error());
        for (std::size_t at = 0; at < warps_.chunks().size(); ++at) {
            const ChunkHeader& header = warps_.chunks()[at]->header;
            if (header.last_block < selection_.first_block || header.first_block > selection_.last_block)
                continue;
            auto attempt = warps_.load(at);
            if (attempt) {
                for (const WarpRecord& warp : warps_.records())
                    if (attempt && warp.block >= selection_.first_block &&
                        warp.block <= selection_.last_block)
                        attempt = add(warp);
            }
            if (!attempt) {
                if (attempt.error().fatal || !selection_.leave_out_damaged)
                    return fail("{}", attempt.error().message);
                remember(attempt.error().message);
            }
        }
        if (auto ok = finish_block(); !ok) return fail("{}", ok.error().message);
        if (auto ok = check(made_.trace); !ok)
            return fail("its content is malformed: {}", ok.error().message);
        return std::move(made_);
    }

  private:
    void remember(const std::string& damage) {
        if (made_.first_damage.empty()) made_.first_damage = damage;
    }

    const Chunk* find(ChunkKind kind) const {
        for (const Chunk& chunk : store_.chunks())
            if (chunk.header.kind == kind) return &chunk;
        return nullptr;
    }

    static std::string_view text_of(const std::vector<std::byte>& bytes) {
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }

    Status read_description() {
        const Chunk* chunk = find(ChunkKind::description);
        if (!chunk) return fail("the description of its launch and program is missing");
        std::vector<std::byte> bytes;
        if (auto ok = store_.load(*chunk, bytes); !ok) return ok;
        auto description = parse_description(text_of(bytes));
        if (!description) return tl::unexpected(description.error());
        if (auto ok = check_static(description->launch, description->program); !ok)
            return fail("its content is malformed: {}", ok.error().message);
        made_.trace.launch = std::move(description->launch);
        made_.trace.program = std::move(description->program);
        made_.recorded_blocks = description->recorded_blocks;
        return {};
    }

    Status read_problems() {
        const Chunk* chunk = find(ChunkKind::problems);
        std::vector<std::byte> bytes;
        Status ok = chunk ? store_.load(*chunk, bytes) : fail("its list of problems is missing");
        if (ok) {
            if (auto problems = parse_problems(text_of(bytes))) made_.trace.problems = std::move(*problems);
            else ok = tl::unexpected(problems.error());
        }
        if (ok || !selection_.leave_out_damaged) return ok;
        remember(ok.error().message);
        return {};
    }

    /// Gathers the warps of a block, which may go on in the next chunk.
    Attempt add(const WarpRecord& warp) {
        if (!block_.empty() && block_.back().block != warp.block)
            if (auto ok = finish_block(); !ok) return ok;
        block_.push_back(warp);
        return {};
    }

    /// Takes the gathered block over whole, or leaves no trace of it.
    Attempt finish_block() {
        if (block_.empty()) return {};
        const std::vector<WarpRecord> warps = std::move(block_);
        block_.clear();
        Trace& trace = made_.trace;
        const std::size_t sizes[] = {trace.warps.size(), trace.visits.size(), trace.accesses.size(),
                                     trace.masks.size(), trace.exceptions.size()};
        const std::uint64_t kept = budget_.kept();
        Attempt attempt;
        for (const WarpRecord& warp : warps)
            if (attempt) attempt = take(warp);
        if (attempt) {
            made_.read_blocks.push_back(warps.front().block);
            return {};
        }
        trace.warps.resize(sizes[0]);
        trace.visits.resize(sizes[1]);
        trace.accesses.resize(sizes[2]);
        trace.masks.resize(sizes[3]);
        trace.exceptions.resize(sizes[4]);
        budget_.give_back(budget_.kept() - kept);
        if (attempt.error().fatal || !selection_.leave_out_damaged) return attempt;
        remember(attempt.error().message);
        return {};
    }

    Attempt take(const WarpRecord& warp) {
        if (warp.visits_begin < previous_.visits_end || warp.accesses_begin < previous_.accesses_end ||
            warp.masks_begin < previous_.masks_end || warp.visits_end < warp.visits_begin ||
            warp.accesses_end < warp.accesses_begin || warp.masks_end < warp.masks_begin)
            return lost(
                fmt::format("the records of warp {} of block {} are out of order", warp.warp, warp.block));
        Trace& trace = made_.trace;
        if (auto ok = budget_.keep(sizeof(WarpRecord)); !ok) return ok;
        WarpRecord record = warp;
        record.visits_begin = trace.visits.size();
        record.accesses_begin = trace.accesses.size();
        record.masks_begin = trace.masks.size();
        if (auto ok = visits_.append(warp.visits_begin, warp.visits_end, trace.visits); !ok) return ok;
        if (auto ok = accesses_.append(warp.accesses_begin, warp.accesses_end, trace.accesses); !ok)
            return ok;
        if (auto ok = masks_.append(warp.masks_begin, warp.masks_end, trace.masks); !ok) return ok;
        for (std::uint64_t i = record.accesses_begin; i < trace.accesses.size(); ++i)
            if (trace.accesses[i].scattered)
                if (auto ok = take_exceptions(trace.accesses[i]); !ok) return ok;
        record.visits_end = trace.visits.size();
        record.accesses_end = trace.accesses.size();
        record.masks_end = trace.masks.size();
        trace.warps.push_back(record);
        previous_ = warp;
        return {};
    }

    Attempt take_exceptions(AccessRecord& access) {
        const auto count = static_cast<std::uint64_t>(access.mask.count());
        if (access.base < next_exception_ || access.base > ~std::uint64_t{0} - count)
            return lost("the addresses of its scattered accesses are out of order");
        next_exception_ = access.base + count;
        const std::uint64_t base = access.base;
        access.base = made_.trace.exceptions.size();
        return exceptions_.append(base, base + count, made_.trace.exceptions);
    }

    ChunkStore& store_;
    Selection selection_;
    Budget budget_;
    Slices<WarpRecord> warps_;
    Slices<Visit> visits_;
    Slices<AccessRecord> accesses_;
    Slices<MaskRecord> masks_;
    Slices<std::uint64_t> exceptions_;
    Assembly made_;
    std::vector<WarpRecord> block_;
    WarpRecord previous_{};  // as the file has it
    std::uint64_t next_exception_ = 0;
};

}  // namespace

Result<Assembly> assemble(ChunkStore& store, const Selection& selection) {
    return Assembler(store, selection).run();
}

}  // namespace warplens::trace
