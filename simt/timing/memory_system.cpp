#include "simt/timing/memory_system.h"

#include <algorithm>
#include <cmath>

namespace warplens::simt {
namespace {

/// A number in [0, 1) that depends on the granule alone, so that runs repeat.
double draw(std::uint64_t granule) {
    const std::uint64_t mixed = (granule ^ (granule >> 29)) * 0xbf58476d1ce4e5b9u;
    return double(mixed >> 11) / double(std::uint64_t{1} << 53);
}

double bytes_per_cycle(const GpuSpec& gpu, const SmTiming& timing) {
    return timing.clock_hz > 0 ? gpu.dram_bytes_per_second * timing.dram_efficiency / timing.clock_hz : 0;
}

}  // namespace

MemorySystem::MemorySystem(const LaunchPlan& plan, const GpuSpec& gpu, const SmTiming& timing,
                           const TimingOptions& options, MemoryShare share, const RequestTable& requests)
    : timing_(timing), options_(options), share_(std::move(share)), requests_(requests), l1_(plan.l1_bytes) {
    partitions_.assign(static_cast<std::size_t>(plan.schedulers),
                       Partition{Queue(timing.mio_queue), Queue(timing.lsu_queue), {}, {}});
    const double sms = plan.active_sms;
    read_interval_ = 1 / timing.l2_read_sectors_per_cycle;
    if (timing.l2_total_sectors_per_cycle > 0)
        read_interval_ = std::max(read_interval_, sms / timing.l2_total_sectors_per_cycle);
    write_interval_ = 1 / timing.l2_write_sectors_per_cycle;
    if (timing.l2_total_sectors_per_cycle > 0)
        write_interval_ = std::max(write_interval_, sms / timing.l2_total_sectors_per_cycle);
    const double dram = bytes_per_cycle(gpu, timing);
    dram_interval_ = dram > 0 ? double(granule_bytes) * sms / dram : 0;
    dram_extra_ = (timing.dram_latency - timing.l2_hit_latency) * options.dram_latency_factor;
}

Journey MemorySystem::shared(int partition, double at, const RequestCost& cost) {
    const int wavefronts = options_.no_bank_conflicts ? cost.ideal_wavefronts : cost.wavefronts;
    if (cost.operation != Operation::atomic) return shared(partition, at, wavefronts);
    // Reads, then writes once for each turn.
    Journey journey = shared(partition, at, wavefronts + cost.turns);
    journey.returns +=
        timing_.shared_atomic_latency - timing_.shared_load_latency - timing_.shared_atomic_turn;
    return journey;
}

Journey MemorySystem::shared(int partition, double at, int wavefronts) {
    Partition& own = partitions_[static_cast<std::size_t>(partition)];
    const double passes = std::max(wavefronts, 1);
    const double begin = own.mio_pipe.take(at, 0);
    const double sm_begin = mio_.take(begin, passes * timing_.shared_wavefront_interval);
    const double done = std::max(begin + passes * timing_.partition_wavefront_interval,
                                 sm_begin + passes * timing_.shared_wavefront_interval);
    own.mio_pipe.free = done;
    own.mio.push(sm_begin);
    const double after = timing_.shared_load_latency - timing_.partition_wavefront_interval;
    return {sm_begin, done + after, done, trace::ServedBy::shared};
}

Journey MemorySystem::exchange(int partition, double at, int latency) {
    Journey journey = shared(partition, at, 1);
    journey.returns += latency - timing_.shared_load_latency;
    return journey;
}

Journey MemorySystem::constant(double at, const RequestCost& cost) const {
    const double passes = std::max<int>(cost.wavefronts, 1);
    return {at, at + timing_.shared_load_latency + passes - 1, at, trace::ServedBy::constant};
}

Journey MemorySystem::global(int partition, double at, const RequestCost& cost, bool returns_value) {
    Partition& own = partitions_[static_cast<std::size_t>(partition)];
    switch (cost.operation) {
        case Operation::load:
            return load(own, at, cost);
        case Operation::atomic:
            return atomic(own, at, cost, returns_value);
        case Operation::store:
            return store(own, at, cost);
        case Operation::none:
            break;
    }
    return {at, at, at, trace::ServedBy::l1};
}

std::span<const SectorId> MemorySystem::sectors_of(const RequestCost& cost) const {
    const auto all = requests_.sectors(cost);
    return options_.perfect_coalescing ? all.first(std::min<std::size_t>(cost.ideal_sectors, all.size()))
                                       : all;
}

double MemorySystem::tag_cycles(std::span<const SectorId> sectors) const {
    if (sectors.empty()) return 1;
    std::uint64_t lines = 1;
    for (std::size_t i = 1; i < sectors.size(); ++i)
        lines += sectors[i] / sectors_per_line != sectors[i - 1] / sectors_per_line;
    if (options_.perfect_coalescing) lines = (sectors.size() + sectors_per_line - 1) / sectors_per_line;
    return std::max({1.0, double(lines) / timing_.l1_lines_per_cycle,
                     double(sectors.size()) / timing_.l1_sectors_per_cycle});
}

double MemorySystem::wait_for_miss_slot(double at) {
    while (!misses_.empty() && misses_.top() <= at) misses_.pop();
    while (timing_.l1_pending_sectors > 0 &&
           misses_.size() >= static_cast<std::size_t>(timing_.l1_pending_sectors)) {
        at = std::max(at, misses_.top());
        misses_.pop();
    }
    return at;
}

Journey MemorySystem::load(Partition& partition, double at, const RequestCost& cost) {
    const auto sectors = sectors_of(cost);
    const double lookup = tag_cycles(sectors);
    const double begin = l1_tags_.take(partition.lsu_pipe.take(at, timing_[Pipe::lsu].interval), lookup);
    partition.lsu.push(begin);
    Journey journey{begin, begin + lookup - 1 + timing_.l1_hit_latency, begin, trace::ServedBy::l1};
    for (std::size_t i = 0; i < sectors.size(); ++i) {
        const double looked_up = begin + lookup * double(i) / double(sectors.size());
        if (!cost.bypasses_l1) {
            if (const double* ready = l1_.find(sectors[i])) {
                journey.returns = std::max(journey.returns, *ready);
                continue;
            }
        }
        const Fetched fetched = fetch(wait_for_miss_slot(looked_up), sectors[i]);
        misses_.push(fetched.ready);
        if (!cost.bypasses_l1) l1_.insert(sectors[i], fetched.ready);
        journey.returns = std::max(journey.returns, fetched.ready);
        journey.by = std::max(journey.by, fetched.by);
    }
    return journey;
}

MemorySystem::Fetched MemorySystem::fetch(double at, SectorId sector) {
    const double asked = l2_read_.take(at, read_interval_);
    l2_bytes_ += 32;
    Fetched fetched{asked + timing_.l2_hit_latency, trace::ServedBy::l2};
    if (misses_l2(sector * 32 / granule_bytes)) {
        const double served = dram_.take(asked, dram_interval_);
        dram_bytes_ += granule_bytes;
        fetched = {served + timing_.l2_hit_latency + dram_extra_, trace::ServedBy::dram};
    }
    return fetched;
}

bool MemorySystem::misses_l2(std::uint64_t granule) {
    const MemoryShare::Buffer* buffer = share_.find(granule);
    if (buffer == nullptr) return false;
    const auto [entry, first] = in_l2_.try_emplace(granule, touched_bytes_);
    const bool evicted =
        !first && share_.evicted_after > 0 && touched_bytes_ - entry->second > share_.evicted_after;
    entry->second = touched_bytes_;
    if (!first && !evicted) return false;
    touched_bytes_ += granule_bytes;
    return draw(granule) < buffer->first_touch_misses;
}

double MemorySystem::begin_write(Partition& partition, double at, std::span<const SectorId> sectors) {
    // The pipe waits when the port to L2 lags further behind than its buffer holds.
    const double accepted = l2_write_.free - double(timing_.store_buffer_sectors) * write_interval_;
    const double begin = l1_tags_.take(
        std::max(accepted, partition.lsu_pipe.take(at, timing_[Pipe::lsu].interval)), tag_cycles(sectors));
    partition.lsu.push(begin);
    return begin;
}

Journey MemorySystem::store(Partition& partition, double at, const RequestCost& cost) {
    const auto sectors = sectors_of(cost);
    const double begin = begin_write(partition, at, sectors);
    Journey journey{begin, begin, begin, trace::ServedBy::l2};
    for (const SectorId sector : sectors) {
        const double left = l2_write_.take(begin, write_interval_) + write_interval_;
        l2_bytes_ += 32;
        const std::uint64_t granule = sector * 32 / granule_bytes;
        double taken = left;
        if (in_l2_.try_emplace(granule, touched_bytes_).second) {
            touched_bytes_ += granule_bytes;
            if (share_.write_back > 0 && draw(granule) < share_.write_back) {
                taken = dram_.take(left, dram_interval_);
                dram_bytes_ += granule_bytes;
            }
        }
        journey.returns = std::max(journey.returns, left);
        journey.visible = std::max(journey.visible, taken + timing_.l2_hit_latency);
    }
    return journey;
}

Journey MemorySystem::atomic(Partition& partition, double at, const RequestCost& cost, bool returns_value) {
    const auto sectors = sectors_of(cost);
    const double begin = begin_write(partition, at, sectors);
    Journey journey{begin, begin, begin, trace::ServedBy::l2};
    for (const SectorId sector : sectors) {
        const double left = l2_write_.take(begin, write_interval_) + write_interval_;
        l2_bytes_ += 32;
        const MemoryShare::Buffer* buffer = share_.find(sector * 32 / granule_bytes);
        const double sharers = buffer != nullptr ? buffer->sharers : 1;
        // The other SMs' requests to the same sector come between this one's; what L2 cannot take yet holds
        // up the port.
        const double done = atomic_sectors_[sector].take(left, timing_.atomic_sector_interval * sharers);
        l2_write_.free = std::max(l2_write_.free, done - timing_.atomic_latency);
        journey.returns = std::max(journey.returns, returns_value ? done : left);
        journey.visible = std::max(journey.visible, done + timing_.atomic_latency);
    }
    if (returns_value) journey.returns += timing_.atomic_latency;
    return journey;
}

}  // namespace warplens::simt
