#include "trace/file/assemble.h"

#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "trace/check.h"
#include "trace/file/activity_description.h"
#include "trace/file/description.h"
#include "trace/file/measured_part.h"
#include "trace/file/slices.h"

namespace warplens::trace {

namespace {

class Assembler {
  public:
    Assembler(ChunkStore& store, const Selection& selection)
        : store_(store),
          selection_(selection),
          budget_(store.options().memory_limit),
          measured_(store, budget_, selection),
          warps_(store, budget_),
          visits_(store, budget_),
          accesses_(store, budget_),
          masks_(store, budget_),
          exceptions_(store, budget_),
          ranges_(store, budget_),
          exchanges_(store, budget_) {}

    Result<Assembly> run() {
        WARPLENS_TRY(read_description());
        WARPLENS_TRY(read_problems());
        WARPLENS_TRY(read_measured());
        WARPLENS_TRY(read_activities());
        for (std::size_t at = 0; at < warps_.chunks().size(); ++at) {
            const ChunkHeader& header = warps_.chunks()[at]->header;
            if (header.last_block < selection_.first_block || header.first_block > selection_.last_block)
                continue;
            auto attempt = warps_.load(at);
            if (attempt) {
                std::uint64_t index = header.first;
                for (WarpRecord warp : warps_.records()) {
                    // Until take() reads its range: the index of the warp in the file.
                    warp.exchanges_begin = index++;
                    if (attempt && warp.block >= selection_.first_block &&
                        warp.block <= selection_.last_block)
                        attempt = add(warp);
                }
            }
            if (!attempt) {
                if (attempt.error().fatal || !selection_.leave_out_damaged)
                    return fail("{}", attempt.error().message);
                remember(attempt.error().message);
            }
        }
        if (auto ok = finish_block(); !ok) return fail("{}", ok.error().message);
        if (auto ok = take_measured_below(~std::uint64_t{0}); !ok) return fail("{}", ok.error().message);
        made_.trace.measured = measured_.take();
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
        WARPLENS_TRY(store_.load(*chunk, bytes));
        WARPLENS_TRY(auto description, parse_description(text_of(bytes)));
        if (auto ok = check_static(description.launch, description.program); !ok)
            return fail("its content is malformed: {}", ok.error().message);
        made_.trace.launch = std::move(description.launch);
        made_.trace.program = std::move(description.program);
        made_.recorded_blocks = description.recorded_blocks;
        has_exchanges_ = description.has_exchanges;
        return {};
    }

    /// Reads an optional part.
    template <class Read>
    Status read_aside(ChunkKind kind, Read read) {
        std::vector<std::byte> bytes;
        Status ok;
        if (const Chunk* chunk = find(kind)) {
            ok = store_.load(*chunk, bytes);
            if (ok) ok = read(text_of(bytes));
        } else if (kind == ChunkKind::problems) {
            ok = fail("its list of problems is missing");
        }
        if (ok || !selection_.leave_out_damaged) return ok;
        remember(ok.error().message);
        return {};
    }

    Status read_problems() {
        return read_aside(ChunkKind::problems, [&](std::string_view json) -> Status {
            WARPLENS_TRY(made_.trace.problems, parse_problems(json));
            return {};
        });
    }

    Status read_measured() {
        auto ok =
            read_aside(ChunkKind::measured, [&](std::string_view json) { return measured_.describe(json); });
        made_.recorded_blocks += measured_.blocks_alone();
        if (!ok || measured_.described() || find(ChunkKind::measured) || !find(ChunkKind::measured_warps))
            return ok;
        ok = fail("the description of its measurement is missing");
        if (!selection_.leave_out_damaged) return ok;
        remember(ok.error().message);
        return {};
    }

    Status read_activities() {
        return read_aside(ChunkKind::activities, [&](std::string_view json) -> Status {
            WARPLENS_TRY(made_.trace.activities, parse_activities(json));
            return {};
        });
    }

    /// Gathers the warps of a block, which may continue in the next chunk.
    Attempt add(const WarpRecord& warp) {
        if (!block_.empty() && block_.back().block != warp.block) WARPLENS_TRY(finish_block());
        block_.push_back(warp);
        return {};
    }

    /// Adds the gathered block, and the measured blocks before it.
    Attempt finish_block() {
        if (block_.empty()) return {};
        const std::vector<WarpRecord> warps = std::move(block_);
        block_.clear();
        const std::uint64_t block = warps.front().block;
        WARPLENS_TRY(take_measured_below(block));
        return take_whole(block, [&]() -> Attempt {
            for (const WarpRecord& warp : warps) WARPLENS_TRY(take(warp));
            return measured_.take_block(block, false);
        });
    }

    /// Blocks with only recorded times are between the others.
    Attempt take_measured_below(std::uint64_t block) {
        for (;;) {
            const auto next = measured_.next_block();
            if (!next) {
                if (next.error().fatal || !selection_.leave_out_damaged) return tl::unexpected(next.error());
                remember(next.error().message);
                continue;
            }
            if (!*next || **next >= block) return {};
            const std::uint64_t alone = **next;
            WARPLENS_TRY(take_whole(alone, [&] { return measured_.take_block(alone, true); }));
        }
    }

    /// Adds a block completely or not at all.
    template <class Take>
    Attempt take_whole(std::uint64_t block, Take take) {
        Trace& trace = made_.trace;
        const std::size_t sizes[] = {trace.warps.size(), trace.visits.size(),     trace.accesses.size(),
                                     trace.masks.size(), trace.exceptions.size(), trace.exchanges.size()};
        const std::uint64_t kept = budget_.kept();
        measured_.mark();
        const Attempt attempt = take();
        if (attempt) {
            made_.read_blocks.push_back(block);
            return {};
        }
        trace.warps.resize(sizes[0]);
        trace.visits.resize(sizes[1]);
        trace.accesses.resize(sizes[2]);
        trace.masks.resize(sizes[3]);
        trace.exceptions.resize(sizes[4]);
        trace.exchanges.resize(sizes[5]);
        measured_.go_back();
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
        WARPLENS_TRY(budget_.keep(sizeof(WarpRecord)));
        WarpRecord record = warp;
        record.visits_begin = trace.visits.size();
        record.accesses_begin = trace.accesses.size();
        record.masks_begin = trace.masks.size();
        WARPLENS_TRY(visits_.append(warp.visits_begin, warp.visits_end, trace.visits));
        WARPLENS_TRY(accesses_.append(warp.accesses_begin, warp.accesses_end, trace.accesses));
        WARPLENS_TRY(masks_.append(warp.masks_begin, warp.masks_end, trace.masks));
        own_exceptions_.clear();
        for (std::uint64_t i = record.accesses_begin; i < trace.accesses.size(); ++i)
            if (trace.accesses[i].scattered) WARPLENS_TRY(take_exceptions(trace.accesses[i]));
        WARPLENS_TRY(take_exchanges(record));
        record.visits_end = trace.visits.size();
        record.accesses_end = trace.accesses.size();
        record.masks_end = trace.masks.size();
        trace.warps.push_back(record);
        previous_ = warp;
        return {};
    }

    /// Adds a scattered access's addresses, or finds those that it shares with an earlier one.
    Attempt take_exceptions(AccessRecord& access) {
        const auto count = static_cast<std::uint64_t>(access.mask.count());
        if (access.stride != 0) {
            const auto own =
                own_exceptions_.find(static_cast<std::uint64_t>(std::int64_t{access.stride}) - 1);
            if (own == own_exceptions_.end() || own->second.mask != access.mask ||
                own->second.begin >= static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()))
                return lost("an access repeats the addresses of one that its warp does not have");
            access.stride = static_cast<std::int32_t>(own->second.begin + 1);
            return {};
        }
        if (access.base < next_exception_ || access.base > ~std::uint64_t{0} - count)
            return lost("the addresses of its scattered accesses are out of order");
        next_exception_ = access.base + count;
        const std::uint64_t base = access.base;
        access.base = made_.trace.exceptions.size();
        own_exceptions_[base] = {access.base, access.mask};
        return exceptions_.append(base, base + count, made_.trace.exceptions);
    }

    /// Files without exchanges also have no ranges of them.
    Attempt take_exchanges(WarpRecord& record) {
        const std::uint64_t index = record.exchanges_begin;
        std::vector<ExchangeRecord>& to = made_.trace.exchanges;
        record.exchanges_begin = record.exchanges_end = to.size();
        if (!has_exchanges_) return {};
        std::vector<ExchangeRange> range;
        WARPLENS_TRY(ranges_.append(index, index + 1, range));
        budget_.give_back(sizeof(ExchangeRange));
        if (range[0].begin < next_exchange_ || range[0].end < range[0].begin)
            return lost("the exchanges of its warps are out of order");
        next_exchange_ = range[0].end;
        WARPLENS_TRY(exchanges_.append(range[0].begin, range[0].end, to));
        record.exchanges_end = to.size();
        return {};
    }

    ChunkStore& store_;
    Selection selection_;
    Budget budget_;
    MeasuredPart measured_;
    Slices<WarpRecord> warps_;
    Slices<Visit> visits_;
    Slices<AccessRecord> accesses_;
    Slices<MaskRecord> masks_;
    Slices<std::uint64_t> exceptions_;
    Slices<ExchangeRange> ranges_;
    Slices<ExchangeRecord> exchanges_;
    Assembly made_;
    std::vector<WarpRecord> block_;
    WarpRecord previous_{};  // as in the file
    std::uint64_t next_exception_ = 0, next_exchange_ = 0;
    struct Own {
        std::uint64_t begin = 0;  // in the Trace
        LaneMask mask;
    };
    std::unordered_map<std::uint64_t, Own> own_exceptions_;  // of the current warp; by position in the file
    bool has_exchanges_ = false;
};

}  // namespace

Result<Assembly> assemble(ChunkStore& store, const Selection& selection) {
    return Assembler(store, selection).run();
}

}  // namespace warplens::trace
