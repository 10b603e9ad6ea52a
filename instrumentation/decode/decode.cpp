#include "instrumentation/decode/decode.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include "instrumentation/decode/block_decoder.h"

namespace warplens::instrumentation {

namespace {

/// Units that the warp's head and, where it leaves one, its hash take at the beginning of its first chunk.
std::uint64_t first_chunk_overhead(const BlockTable& table) { return table.first_record; }

/// What the streams that lost something would have taken beside everything else: each at most one chunk that
/// it does not fill, and in all others no more left over than the largest record less one.
std::uint64_t enough_bytes(const SpaceHead& head, const RecordingPlan& plan, const BlockTable& table,
                           const SpaceParameter& parameter) {
    if (head.dropped_records == 0) return 0;
    std::uint64_t largest = 1;
    for (const BlockPlan& block : plan.blocks) largest = std::max<std::uint64_t>(largest, block.units);
    const std::uint64_t streams =
        head.dropped_streams != 0 ? head.dropped_streams : std::uint64_t{head.dropped_records};
    const std::uint64_t units = head.dropped_units + streams * first_chunk_overhead(table);
    const std::uint64_t used = parameter.chunk_units > largest ? parameter.chunk_units - largest : 1;
    const std::uint64_t more = (units + used - 1) / used + streams;
    return chunk_offset(parameter.chunks + more, parameter.chunk_units, plan.symbols.size());
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

/// A warp began at cycle `begin` of its SM.
void place(Decoded& decoded, trace::MeasuredWarp& warp, std::uint32_t begin) {
    constexpr std::uint32_t last = trace::no_time - 1;
    const auto shifted = [&](std::uint32_t cycle) { return cycle > last - begin ? last : cycle + begin; };
    warp.begin = begin;
    warp.end = shifted(warp.end);
    for (std::uint64_t i = warp.visits_begin; i < warp.visits_end; ++i) {
        trace::MeasuredVisit& visit = decoded.visits[i];
        if (visit.entered != trace::no_time) visit.entered = shifted(visit.entered);
        if (visit.arrived != trace::no_time) visit.arrived = shifted(visit.arrived);
    }
}

/// Hands batches of blocks to threads and takes their parts back in order.
class Decoding {
  public:
    Decoding(const SpaceReader& space, trace::Observer* observer, std::vector<BlockChunks> blocks,
             std::size_t threads)
        : space_(space), observer_(observer), blocks_(std::move(blocks)), threads_(threads) {
        batch_ =
            std::clamp<std::size_t>(blocks_.size() / (std::max<std::size_t>(threads, 1) * 8), 1, most_blocks);
        batches_ = (blocks_.size() + batch_ - 1) / batch_;
    }

    template <class MakeDecoder>
    Decoded run(const MakeDecoder& make_decoder) {
        // Address space, not memory: each record is one visit at least, few are followed by many.
        decoded_.visits.reserve(space_.bytes() / unit_bytes);
        if (threads_ <= 1) {
            BlockDecoder decoder = make_decoder();
            for (std::size_t i = 0; i < batches_; ++i) take(decoder.decode(batch(i)));
        } else {
            run_parallel(make_decoder);
        }
        ClockFit fit = fit_clocks(clocks_);
        for (std::size_t i = 0; i < decoded_.warps.size(); ++i)
            place(decoded_, decoded_.warps[i], fit.begins[i]);
        decoded_.sms = std::move(fit.sms);
        decoded_.clock_hz = fit.clock_hz;
        decoded_.timer_bound_ns = fit.timer_step_ns;
        return std::move(decoded_);
    }

  private:
    static constexpr std::size_t most_blocks = 64;
    static constexpr std::size_t batches_ahead = 4;  // of each thread, decoded but not yet taken

    std::span<const BlockChunks> batch(std::size_t index) const {
        const std::size_t first = index * batch_;
        return {blocks_.data() + first, std::min(batch_, blocks_.size() - first)};
    }

    void take(DecodedPart part) {
        const std::uint64_t before = decoded_.visits.size();
        for (trace::MeasuredWarp& warp : part.warps) {
            warp.visits_begin += before;
            warp.visits_end += before;
        }
        append(decoded_.warps, part.warps);
        append(decoded_.visits, part.visits);
        append(decoded_.hashes, part.hashes);
        append(decoded_.incomplete, part.incomplete);
        append(decoded_.damaged, part.damaged);
        if (decoded_.first_damage.empty()) decoded_.first_damage = std::move(part.first_damage);
        append(clocks_, part.clocks);
        decoded_.warps_apart |= part.apart;
        decoded_.replay_differs |= part.replay_differs;
        decoded_.records += part.records;
        decoded_.written_bytes += part.written_bytes;
        for (auto& block : part.observed) observer_->finish(block.first, std::move(block.second));
    }

    template <class MakeDecoder>
    void run_parallel(const MakeDecoder& make_decoder) {
        std::mutex mutex;
        std::condition_variable changed;
        std::map<std::size_t, DecodedPart> finished;
        std::size_t next = 0, taken = 0;
        std::exception_ptr failure;  // memory that ran out: nobody may wait for ever
        const auto work_on = [&] {
            BlockDecoder decoder = make_decoder();
            for (;;) {
                std::unique_lock lock(mutex);
                changed.wait(lock, [&] {
                    return failure || next >= batches_ || next < taken + batches_ahead * threads_;
                });
                if (failure || next >= batches_) return;
                const std::size_t index = next++;
                lock.unlock();
                DecodedPart part = decoder.decode(batch(index));
                lock.lock();
                finished.emplace(index, std::move(part));
                changed.notify_all();
            }
        };
        const auto guarded = [&](const auto& work) {
            try {
                work();
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!failure) failure = std::current_exception();
                changed.notify_all();
            }
        };
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < threads_; ++i) threads.emplace_back([&] { guarded(work_on); });
        guarded([&] {
            while (taken < batches_) {
                std::unique_lock lock(mutex);
                changed.wait(lock, [&] { return failure || finished.count(taken) != 0; });
                if (failure) return;
                DecodedPart part = std::move(finished.extract(taken).mapped());
                ++taken;
                changed.notify_all();
                lock.unlock();
                take(std::move(part));
            }
        });
        threads.clear();
        if (failure) std::rethrow_exception(failure);
    }

    const SpaceReader& space_;
    trace::Observer* observer_;
    const std::vector<BlockChunks> blocks_;
    const std::size_t threads_;
    std::size_t batch_ = 1, batches_ = 0;
    Decoded decoded_;
    std::vector<WarpClock> clocks_;  // by decoded_.warps
};

/// A thread is not worth starting for less.
constexpr std::size_t bytes_a_thread = 256 * 1024;

}  // namespace

namespace {

bool is_in_global_memory(const Program& program, std::string_view symbol) {
    return std::ranges::any_of(program.variables, [&](const Variable& variable) {
        return variable.space == Space::global && variable.name == symbol;
    });
}

}  // namespace

std::vector<std::uint64_t> engine_symbol_bases(const RecordingPlan& plan, const Program& program) {
    std::vector<std::uint64_t> bases;
    bool has_local = false;
    for (const std::string& symbol : plan.symbols) {
        const auto variable = std::find_if(program.variables.begin(), program.variables.end(),
                                           [&](const Variable& v) { return v.name == symbol; });
        if (variable != program.variables.end()) {
            bases.push_back(variable->space == Space::global ? as_on_device : variable->offset);
        } else {
            // A function's own: the first is where local memory begins, others follow from there.
            bases.push_back(has_local ? as_on_device : 0);
            has_local = true;
        }
    }
    return bases;
}

Result<Decoded> decode(const RecordingPlan& plan, const Program& program, const LaunchGeometry& geometry,
                       const ReadBack& read, trace::Observer* observer) {
    WARPLENS_TRY(const auto table, BlockTable::make(plan, program));
    WARPLENS_TRY(const auto space, SpaceReader::open(plan, table, geometry, read));
    WARPLENS_TRY(const auto replay, Replay::make(plan, geometry, read, space));
    std::size_t threads =
        read.threads > 0 ? static_cast<std::size_t>(read.threads) : std::thread::hardware_concurrency();
    if (read.threads <= 0) threads = std::min(threads, read.bytes.size() / bytes_a_thread);
    auto blocks = space.blocks();
    const std::uint64_t count = blocks.size();
    Decoding decoding(space, observer, std::move(blocks), threads);
    Decoded decoded = decoding.run([&] {
        return BlockDecoder(plan, program, geometry, read, table, space, replay, observer, threads <= 1,
                            count);
    });
    const SpaceHead& head = space.head();
    decoded.dropped_records = head.dropped_records;
    decoded.openings_derived = table.derives_openings;
    decoded.outside_narrow = head.outside_narrow != 0;
    decoded.warps_apart |= head.warps_apart != 0;
    decoded.slabs_full = head.slabs_full != 0;
    decoded.enough_bytes = enough_bytes(head, plan, table, read.parameter);
    for (std::size_t i = 0; i < plan.symbols.size(); ++i)
        if (is_in_global_memory(program, plan.symbols[i]))
            decoded.variables.push_back({plan.symbols[i], space.symbol(i)});
    return decoded;
}

}  // namespace warplens::instrumentation
