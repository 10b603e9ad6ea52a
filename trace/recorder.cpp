#include "trace/recorder.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

#include "trace/exchange.h"
#include "trace/known_shapes.h"

namespace warplens::trace {

namespace {

/// A warp's events in order. Warps of a block interleave, so each has its own.
struct WarpStream {
    std::vector<Visit> visits;
    std::vector<AccessRecord> accesses;  // scattered ones index this stream's exceptions
    std::vector<MaskRecord> masks;
    std::vector<std::uint64_t> exceptions;
    std::vector<ExchangeRecord> exchanges;
    KnownShapes shapes;

    std::uint64_t bytes() const {
        return visits.size() * sizeof(Visit) + accesses.size() * sizeof(AccessRecord) +
               masks.size() * sizeof(MaskRecord) + exceptions.size() * sizeof(std::uint64_t) +
               exchanges.size() * sizeof(ExchangeRecord);
    }
    void clear() {
        visits.clear();
        accesses.clear();
        masks.clear();
        exceptions.clear();
        exchanges.clear();
        shapes.clear();
    }
};

// Bytes per array. This is address space, not memory: pages are allocated when they are filled.
constexpr std::uint64_t largest_first_reservation = 512u << 20;
// Limit per Trace: an AccessRecord indexes an exception with 32 bits. 16 GiB.
constexpr std::uint64_t most_exceptions = std::numeric_limits<std::int32_t>::max();

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

/// Requests large pages from the system: page faults of small ones cost more than recording.
void prefer_large_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
    constexpr std::uintptr_t page = 4096;
    const auto first = (reinterpret_cast<std::uintptr_t>(begin) + page - 1) / page * page;
    const auto last = (reinterpret_cast<std::uintptr_t>(begin) + bytes) / page * page;
    // If refused, only the speed changes.
    if (last > first) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

/// Reserves space for the expected blocks, assuming that each is like the first.
template <class T>
void reserve_for(std::vector<T>& array, std::uint64_t one_block, std::uint64_t blocks,
                 std::uint64_t memory_limit) {
    const std::uint64_t most = std::min(largest_first_reservation, memory_limit) / sizeof(T);
    if (one_block == 0) return;
    array.reserve(static_cast<std::size_t>(blocks >= most / one_block ? std::max(one_block, most)
                                                                      : one_block * blocks));
    prefer_large_pages(array.data(), array.capacity() * sizeof(T));
}

}  // namespace

class BlockRecorder final : public BlockObserver {
  public:
    void begin(int warps, std::uint64_t memory_limit) {
        streams_.resize(static_cast<std::size_t>(warps));
        for (WarpStream& stream : streams_) stream.clear();
        memory_limit_ = memory_limit;
        overflowed_ = false;
    }

    void visit(int warp, BasicBlockId block, LaneMask active) override {
        push(stream(warp).visits, Visit{block, active});
    }

    /// What it calls is inlined, so that a record is written where it belongs: a copy of what has just been
    /// written in smaller pieces waits for them.
    [[gnu::flatten]] void access(int warp, const Access& access) override {
        WarpStream& to = stream(warp);
        if (access.runs != nullptr) record(to, access, RunRequest(*access.runs));
        else record(to, access, LaneRequest(access, to.exceptions));
    }

    void guard(int warp, SiteId site, LaneMask executed) override {
        push(stream(warp).masks, MaskRecord{site, executed});
    }

    void branch(int warp, SiteId site, LaneMask /*active*/, LaneMask taken) override {
        push(stream(warp).masks, MaskRecord{site, taken});
    }

    void exchange(int warp, SiteId site, LaneMask mask, const Lanes& values) override {
        push(stream(warp).exchanges, pack_exchange(site, mask, values));
    }

    bool overflowed() const { return overflowed_; }
    const std::vector<WarpStream>& streams() const { return streams_; }
    std::uint64_t exceptions() const {
        std::uint64_t sum = 0;
        for (const WarpStream& stream : streams_) sum += stream.exceptions.size();
        return sum;
    }
    std::uint64_t bytes() const {
        std::uint64_t sum = streams_.size() * sizeof(WarpRecord);
        for (const WarpStream& stream : streams_) sum += stream.bytes();
        return sum;
    }

  private:
    WarpStream& stream(int warp) { return streams_[static_cast<std::size_t>(warp)]; }

    /// The limit is only checked when memory grows, so that the recording of an endless loop ends and the
    /// usual append costs one comparison.
    template <class T>
    void push(std::vector<T>& array, const T& value) {
        if (array.size() == array.capacity()) [[unlikely]] {
            if (overflowed_) return;
            if (bytes() > memory_limit_) {
                give_up();
                return;
            }
        }
        array.push_back(value);
    }

    template <class Request>
    void record(WarpStream& to, const Access& access, const Request& request) {
        KnownShape& usual = to.shapes.at(access.site);
        if (!request.lies_like(usual)) {  // no known shape is affine
            if (const auto stride = request.stride()) {
                push(to.accesses, {access.site, access.mask, request.lowest(), *stride, access.space, false});
                return;
            }
            const KnownShape* known = to.shapes.find(request);
            if (known == nullptr) {
                add_scattered(to, access, request.runs());
                return;
            }
            usual = *known;
        }
        push(to.accesses, {access.site, access.mask, request.lowest(),
                           static_cast<std::int32_t>(usual.first + 1), access.space, true});
    }

    void add_scattered(WarpStream& to, const Access& access, const std::optional<RunDistances>& runs) {
        std::array<std::uint64_t, warp_size> packed;
        std::size_t count = 0;
        for_each_lane(access.mask, [&](int lane) {
            packed[count++] = (*access.addresses)[static_cast<std::size_t>(lane)];
        });
        const std::size_t first = to.exceptions.size();
        if (to.exceptions.capacity() - first < count) [[unlikely]] {
            if (overflowed_) return;
            if (bytes() > memory_limit_ || first > most_exceptions) {
                give_up();
                return;
            }
        }
        to.exceptions.insert(to.exceptions.end(), packed.begin(),
                             packed.begin() + static_cast<std::ptrdiff_t>(count));
        to.shapes.add(access.site, {access.mask, static_cast<std::uint32_t>(first), runs});
        push(to.accesses, {access.site, access.mask, first, 0, access.space, true});
    }

    void give_up() {
        overflowed_ = true;
        for (WarpStream& stream : streams_) stream = WarpStream{};
    }

    std::vector<WarpStream> streams_;
    std::uint64_t memory_limit_ = 0;
    bool overflowed_ = false;
};

std::uint64_t most_recorded_blocks(const LaunchGeometry& geometry, const RecorderOptions& options) {
    const auto warps = static_cast<std::uint64_t>(geometry.warps_per_block());
    return options.memory_limit / (warps * sizeof(WarpRecord));
}

Recorder::Recorder(Launch launch, Program program, RecorderOptions options) : options_(std::move(options)) {
    trace_.launch = std::move(launch);
    trace_.program = std::move(program);
}

Recorder::~Recorder() = default;

bool Recorder::wanted(std::uint64_t linear_block) const {
    return options_.blocks.empty() ||
           std::binary_search(options_.blocks.begin(), options_.blocks.end(), linear_block);
}

std::unique_ptr<BlockObserver> Recorder::begin_block(std::uint64_t linear_block) {
    if (full_.load(std::memory_order_relaxed) || !wanted(linear_block)) return nullptr;
    std::unique_ptr<BlockRecorder> block;
    {
        const std::lock_guard lock(spare_mutex_);
        if (!spare_.empty()) {
            block = std::move(spare_.back());
            spare_.pop_back();
        }
    }
    if (!block) block = std::make_unique<BlockRecorder>();
    block->begin(trace_.launch.geometry.warps_per_block(), options_.memory_limit);
    return block;
}

void Recorder::finish(std::uint64_t linear_block, std::unique_ptr<BlockObserver> observer) {
    if (!wanted(linear_block)) return;
    auto* block = dynamic_cast<BlockRecorder*>(observer.get());
    if (!block || full_ || block->overflowed() || event_bytes_ + block->bytes() > options_.memory_limit ||
        trace_.exceptions.size() + block->exceptions() > most_exceptions) {
        full_ = true;
        ++blocks_left_out_;
        return;
    }
    if (trace_.warps.empty()) {
        std::uint64_t visits = 0, accesses = 0, masks = 0, exceptions = 0, exchanges = 0;
        for (const WarpStream& stream : block->streams()) {
            visits += stream.visits.size();
            accesses += stream.accesses.size();
            masks += stream.masks.size();
            exceptions += stream.exceptions.size();
            exchanges += stream.exchanges.size();
        }
        const std::uint64_t blocks =
            options_.blocks.empty() ? trace_.launch.geometry.blocks() : options_.blocks.size();
        reserve_for(trace_.warps, block->streams().size(), blocks, options_.memory_limit);
        reserve_for(trace_.visits, visits, blocks, options_.memory_limit);
        reserve_for(trace_.accesses, accesses, blocks, options_.memory_limit);
        reserve_for(trace_.masks, masks, blocks, options_.memory_limit);
        reserve_for(trace_.exceptions, exceptions, blocks, options_.memory_limit);
        reserve_for(trace_.exchanges, exchanges, blocks, options_.memory_limit);
    }
    event_bytes_ += block->bytes();
    ++blocks_recorded_;
    std::uint32_t warp = 0;
    for (const WarpStream& stream : block->streams()) {
        WarpRecord record{};
        record.block = linear_block;
        record.warp = warp++;
        record.visits_begin = trace_.visits.size();
        record.accesses_begin = trace_.accesses.size();
        record.masks_begin = trace_.masks.size();
        record.exchanges_begin = trace_.exchanges.size();
        const std::uint64_t first_exception = trace_.exceptions.size();
        append(trace_.visits, stream.visits);
        append(trace_.accesses, stream.accesses);
        append(trace_.masks, stream.masks);
        append(trace_.exceptions, stream.exceptions);
        append(trace_.exchanges, stream.exchanges);
        if (!stream.exceptions.empty() && first_exception != 0) {
            for (std::uint64_t i = record.accesses_begin; i < trace_.accesses.size(); ++i) {
                AccessRecord& access = trace_.accesses[i];
                if (!access.scattered) continue;
                if (access.stride == 0) access.base += first_exception;
                else access.stride += static_cast<std::int32_t>(first_exception);
            }
        }
        record.visits_end = trace_.visits.size();
        record.accesses_end = trace_.accesses.size();
        record.masks_end = trace_.masks.size();
        record.exchanges_end = trace_.exchanges.size();
        trace_.warps.push_back(record);
    }
    const std::lock_guard lock(spare_mutex_);
    observer.release();
    spare_.emplace_back(block);
}

Trace Recorder::take() {
    spare_.clear();
    event_bytes_ = 0;
    return std::move(trace_);
}

}  // namespace warplens::trace
