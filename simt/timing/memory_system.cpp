#include "simt/timing/memory_system.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warplens::simt {
namespace {

constexpr int load_queue = 22;  // loads that the queues of an SM's sub-partitions hold together
/// A launch ends with its slowest SM. Of the mean SM's rate, what L2 gives to the one that it serves slowest:
/// 80 lines and 140 sectors in a cycle if all had as much (h200_gathers.csv).
constexpr double slowest_lines = 80.0 / 88, slowest_sectors = 140.0 / 150;

/// A pseudo-random number in [0, 1) per granule, so that runs are reproducible.
double draw(std::uint64_t granule) {
    const std::uint64_t mixed = (granule ^ (granule >> 29)) * 0xbf58476d1ce4e5b9u;
    return double(mixed >> 11) / double(std::uint64_t{1} << 53);
}

/// Cycles of the port to L2 for each of one SM alone, with so many SMs active.
double scale_of_stores(const SmTiming& timing, double sms) {
    return timing.l2_lines_per_cycle > 0 ? std::max(1.0, sms / (slowest_lines * timing.l2_lines_per_cycle))
                                         : 1;
}

}  // namespace

MemorySystem::MemorySystem(const LaunchPlan& plan, const GpuSpec& gpu, const SmTiming& timing,
                           const TimingOptions& options, MemoryStart start, MemoryShare share,
                           const RequestTable& requests)
    : timing_(timing),
      options_(options),
      share_(std::move(share)),
      requests_(requests),
      look_ups_(plan.schedulers),
      l2_write_(timing, scale_of_stores(timing, plan.busy_sms)),
      loads_(load_queue),
      partitions_(memory_places(gpu), start.far_half),
      dram_(gpu, timing, plan.busy_sms, granule_bytes, start.refresh_phase),
      l1_(plan.l1_bytes),
      slices_(timing, plan.busy_sms, share_.slices),
      shared_lines_(plan.busy_sms - 1, timing.dram_latency) {
    queues_.assign(static_cast<std::size_t>(plan.schedulers),
                   Partition{Queue(timing.mio_queue), Queue(timing.lsu_queue)});
    sms_ = plan.busy_sms;
    const auto shared_by_all = [&](double per_cycle) { return per_cycle > 0 ? sms_ / per_cycle : 0; };
    line_interval_ =
        std::max(timing.l2_line_interval, shared_by_all(slowest_lines * timing.l2_lines_per_cycle));
    sector_interval_ =
        std::max(timing.l2_sector_interval, shared_by_all(slowest_sectors * timing.l2_sectors_per_cycle));
    const MemoryPlaces& places = memory_places(gpu);
    // The SM that ends last is the farthest of those that work.
    const double farthest = most_extreme_of(plan.active_sms);
    l2_hit_ = timing.l2_hit_latency + farthest * places.l2_hit_farthest;
    atomic_latency_ = timing.atomic_latency + farthest * places.atomic_farthest;
    dram_extra_ = timing.dram_latency - l2_hit_ - dram_.mean_refresh();
}

Journey MemorySystem::shared(Client client, double at, const RequestCost& cost, bool counts_lanes) {
    const int wavefronts = options_.no_bank_conflicts ? cost.ideal_wavefronts : cost.wavefronts;
    if (cost.operation != Operation::atomic) return shared(client, at, wavefronts);
    // One wavefront for each lane at one address; the pipe is busy slightly longer, because the words are
    // written back.
    const int repeated = counts_lanes ? 0 : rounds_of(cost) - 1;
    shared_atomics_ += repeated * timing_.shared_wavefront_interval;
    Journey journey = shared(client, at, wavefronts + repeated);
    l1_pipe_.free += timing_.shared_atomic_write;
    journey.returns += timing_.shared_atomic_latency - timing_.shared_load_latency;
    return journey;
}

Journey MemorySystem::shared(Client client, double at, int wavefronts) {
    const double served = std::max(wavefronts, 1);
    const double begin = take_l1(at, served * timing_.shared_wavefront_interval);
    // A limit on the rate of one warp's wavefronts, even if the SM is idle.
    const double own = client.wavefronts.take(at, served * timing_.warp_wavefront_interval);
    const double done = std::max(begin + served * timing_.shared_wavefront_interval,
                                 own + served * timing_.warp_wavefront_interval);
    queues_[static_cast<std::size_t>(client.partition)].mio.push(std::max(begin, own));
    const double after = timing_.shared_load_latency - timing_.warp_wavefront_interval;
    return {std::max(begin, own), done + after, done, trace::ServedBy::shared};
}

Journey MemorySystem::exchange(Client client, double at, int latency) {
    Journey journey = shared(client, at, 1);
    journey.returns += latency - timing_.shared_load_latency;
    return journey;
}

Journey MemorySystem::constant(double at, const RequestCost& cost) {
    const double words = std::max<int>(cost.wavefronts, 1);
    const double begin = constants_.take(at, words * timing_.constant_word_interval);
    const double latency = timing_.shared_load_latency + (words - 1) * timing_.constant_word_latency;
    return {at, begin + latency, at, trace::ServedBy::constant};
}

Journey MemorySystem::global(int partition, double at, const RequestCost& cost, bool returns_value) {
    Partition& own = queues_[static_cast<std::size_t>(partition)];
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

Journey MemorySystem::shared_without_lanes(int partition, double at) {
    const double begin = take_l1(at, 0);
    queues_[static_cast<std::size_t>(partition)].mio.push(begin);
    return {begin, begin + timing_.shared_load_latency, begin, trace::ServedBy::shared};
}

int MemorySystem::rounds_of(const RequestCost& cost) const {
    if (cost.combines && options_.combine_atomics != AtomicCombining::none) return 1;
    return std::max<int>(cost.rounds, 1);
}

std::span<const SectorId> MemorySystem::sectors_of(const RequestCost& cost) const {
    const auto all = requests_.sectors(cost);
    if (!options_.perfect_coalescing || cost.ideal_sectors >= all.size()) return all;
    return all.subspan(cost.ideal_begin, cost.ideal_sectors);
}

template <class Use>
void MemorySystem::for_each_line(std::span<const SectorId> sectors, Use&& use) const {
    for (std::size_t begin = 0; begin < sectors.size();) {
        std::size_t end = begin + 1;
        while (end < sectors.size() && end - begin < sectors_per_line &&
               (options_.perfect_coalescing ||
                sectors[end] / sectors_per_line == sectors[begin] / sectors_per_line))
            ++end;
        use(sectors.subspan(begin, end - begin));
        begin = end;
    }
}

double MemorySystem::line_count(std::span<const SectorId> sectors) const {
    double lines = 0;
    for_each_line(sectors, [&](auto) { ++lines; });
    return lines;
}

int MemorySystem::whole_lines(std::span<const SectorId> sectors) const {
    int lines = 0;
    for_each_line(sectors, [&](std::span<const SectorId> line) { lines += line.size() == sectors_per_line; });
    return lines;
}

double MemorySystem::take_l1(double at, double cycles) {
    for (; !fills_.empty() && fills_.top() <= std::max(at, l1_pipe_.free); fills_.pop())
        l1_pipe_.take(fills_.top(), l1_fill_cycles);
    return l1_pipe_.take(at, cycles);
}

double MemorySystem::tag_cycles(std::span<const SectorId> sectors) const {
    if (options_.perfect_coalescing) return line_count(sectors) / l1_tag_banks;
    std::array<double, l1_tag_banks> lines{};
    for_each_line(sectors, [&](std::span<const SectorId> line) {
        ++lines[l1_tag_bank_of(line.front() / sectors_per_line)];
    });
    return *std::max_element(lines.begin(), lines.end());
}

double MemorySystem::first_access(double at) {
    // With its data in L2, an earlier launch has also left the address translations.
    if (translated_ < 0) translated_ = options_.data_in_l2 ? at : at + timing_.first_access_latency;
    return std::max(at, translated_);
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
    const double served = options_.perfect_coalescing
                              ? std::max<double>(1, std::ceil(double(sectors.size()) / 4))
                              : std::max<double>(1, cost.wavefronts);
    const double lookup = std::max(served, tag_cycles(sectors));
    const bool of_whole_lines = whole_lines(sectors) > 1;
    // The pipe waits for room for misses, not for the port to L2.
    const double begin = take_l1(wait_for_miss_slot(at), lookup);
    partition.lsu.push(begin);
    loads_.push(begin);
    Journey journey{begin, begin + timing_.l1_hit_latency + (served - 1) * timing_.l1_wavefront_latency,
                    begin, trace::ServedBy::l1};
    journey.behind_writes = std::max(0.0, std::min(begin, writes_hold_until_) - at);
    std::array<SectorId, sectors_per_line> missing;
    journey.repeated = true;
    double looked_up = begin;
    for_each_line(sectors, [&](std::span<const SectorId> line) {
        std::size_t count = 0;
        for (const SectorId sector : line) {
            const double* ready = cost.bypasses_l1 ? nullptr : l1_.find(sector);
            if (ready != nullptr) {
                journey.returns = std::max(journey.returns, *ready);
            } else {
                missing[count++] = sector;
            }
        }
        looked_up += 1 / timing_.l1_tags_per_cycle;
        if (count == 0) return;
        const Fetched fetched = fetch(wait_for_miss_slot(looked_up), {missing.data(), count}, of_whole_lines);
        for (std::size_t i = 0; i < count; ++i) {
            misses_.push(fetched.ready);
            if (!cost.bypasses_l1) l1_.insert(missing[i], fetched.ready);
        }
        if (!cost.bypasses_l1) fills_.push(fetched.ready);
        journey.returns = std::max(journey.returns, fetched.ready);
        journey.by = std::max(journey.by, fetched.by);
        journey.repeated &= fetched.repeated;
    });
    return journey;
}

MemorySystem::Fetched MemorySystem::fetch(double at, std::span<const SectorId> missing, bool of_whole_lines) {
    const double cost = std::max(line_interval_, double(missing.size()) * sector_interval_);
    // Addresses are translated behind the port: the first request does not hold the L1's pipe.
    const double asked = l2_.take(first_access(l2_read_.take(at, cost)), cost);
    l2_bytes_ += 32 * double(missing.size());
    Fetched fetched{asked + l2_hit_};
    of_whole_lines &= missing.size() == sectors_per_line;
    for (const SectorId sector : missing) {
        const Presence presence = look_up_l2(sector * 32 / granule_bytes, asked);
        fetched.repeated &= !presence.first;
        dram_bytes_ += presence.read_share * granule_bytes;
        if (presence.where == Presence::Where::there) {
            if (presence.first_of_half)
                fetched.ready = std::max(fetched.ready, asked + l2_hit_ + partitions_.from_far(sector));
            continue;
        }
        const bool asks = presence.where == Presence::Where::missing;
        // What another SM has asked for comes to its half; which that is, is not known.
        const double place = asks ? partitions_.dram(sector) : 0;
        const double served = asks ? dram_.read(asked, sector, of_whole_lines) : asked;
        const double way = (dram_extra_ + place) * options_.dram_latency_factor;
        fetched.ready = std::max(fetched.ready, served + l2_hit_ + way);
        fetched.by = trace::ServedBy::dram;
    }
    return fetched;
}

MemorySystem::Presence MemorySystem::look_up_l2(std::uint64_t granule, double at) {
    const MemoryShare::Buffer* buffer = share_.find(granule);
    if (buffer == nullptr) return {};
    const auto [entry, first] = in_l2_.try_emplace(granule, touched_bytes_);
    const bool there = !first && kept(granule, entry->second);
    entry->second = touched_bytes_;
    if (there) return {Presence::Where::there, false};
    touched_bytes_ += line_taken(granule);
    // What is read counts as the share that the SM reads in the mean, so that the SMs' bytes add up to the
    // launch's; which of the accesses waits for DRAM is drawn.
    const double share = buffer->first_touch_misses;
    if (first && buffer->scattered) {
        const auto index = static_cast<std::size_t>(buffer - share_.buffers.data());
        const auto chance = shared_lines_.read(index, double(buffer->end - buffer->begin), at);
        const double drawn = draw(granule);
        const auto where = drawn < chance.untouched                       ? Presence::Where::missing
                           : drawn < chance.untouched + chance.on_its_way ? Presence::Where::on_its_way
                                                                          : Presence::Where::there;
        return {where, first, share};
    }
    if (draw(granule) < share) return {Presence::Where::missing, first, share};
    // The SMs begin together: while they run their first blocks, what most of them share has just been asked
    // for. What a few share is a neighbour's, which has mostly used it before.
    constexpr double many = 8;
    const bool in_step = first && first_wave_ && buffer->sharers >= many && !options_.data_in_l2;
    return {in_step ? Presence::Where::on_its_way : Presence::Where::there, first, share,
            first && draw(granule) < buffer->first_of_half};
}

double MemorySystem::line_taken(std::uint64_t granule) const {
    const auto other = in_l2_.find(granule ^ 1);
    return other != in_l2_.end() && kept(granule ^ 1, other->second) ? 0 : 2 * granule_bytes;
}

bool MemorySystem::kept(std::uint64_t granule, double touched) const {
    const double since = (touched_bytes_ - touched) * share_.launch_per_sm_byte;
    return draw(~granule) < share_kept_in_l2(timing_, since);
}

double MemorySystem::begin_write(Partition& partition, double at, std::span<const SectorId> sectors) {
    // The pipe waits while the port to L2 has no room.
    const double accepted = l2_write_.accepts();
    const double lookup = std::max(1.0, line_count(sectors) / timing_.l1_tags_per_cycle);
    if (accepted > std::max(at, l1_pipe_.free)) writes_hold_until_ = accepted;
    const double begin = take_l1(std::max(accepted, at), lookup);
    partition.lsu.push(begin);
    return begin;
}

Journey MemorySystem::store(Partition& partition, double at, const RequestCost& cost) {
    const auto sectors = sectors_of(cost);
    const double begin = begin_write(partition, at, sectors);
    Journey journey{begin, begin, begin, trace::ServedBy::l2};
    l2_bytes_ += 32 * double(sectors.size());
    for_each_line(sectors, [&](std::span<const SectorId> line) {
        const WritePort::Stored stored = l2_write_.store(first_access(begin), line);
        double left = stored.leaves;
        if (stored.takes > 0) left += l2_write_.block(dram_.write_in_l2(begin, stored.takes));
        double taken = left;
        for (const SectorId sector : line) {
            const std::uint64_t granule = sector * 32 / granule_bytes;
            if (!in_l2_.try_emplace(granule, touched_bytes_).second) continue;
            touched_bytes_ += line_taken(granule);
            dram_bytes_ += share_.write_back * granule_bytes;
            if (share_.write_back == 0 || draw(granule) >= share_.write_back) continue;
            taken = std::max(taken, dram_.write(left));
        }
        journey.returns = std::max(journey.returns, left);
        journey.visible = std::max(journey.visible, taken + timing_.l2_hit_latency);
    });
    return journey;
}

Journey MemorySystem::atomic(Partition& partition, double at, const RequestCost& cost, bool returns_value) {
    const bool in_block = cost.combines && options_.combine_atomics == AtomicCombining::per_block;
    if (in_block && cost.new_sectors == 0)
        return {at, at + timing_.shared_load_latency, at, trace::ServedBy::shared};
    const auto sectors = in_block ? requests_.new_sectors(cost) : sectors_of(cost);
    const double begin = begin_write(partition, at, sectors);
    Journey journey{begin, begin, begin, trace::ServedBy::l2};
    l2_bytes_ += 32 * double(sectors.size());
    // Lanes at a word of each sector, in the mean.
    const double rounds = rounds_of(cost) == 1 ? 1 : double(cost.served) / double(cost.sectors);
    const Adds adds = !cost.adds_reals ? Adds::integers : cost.sectors == 1 ? Adds::one_real : Adds::reals;
    for_each_line(sectors, [&](std::span<const SectorId> line) {
        const double left = l2_write_.atomic(first_access(begin), line.size());
        const double count = double(line.size());
        const double at_slice = slices_.atomic(left, line, rounds, adds);
        const double anywhere = atomics_.take(left, sms_ * count * timing_.atomic_interval);
        const double done = std::max(at_slice, anywhere);
        atomics_done_ = std::max(atomics_done_, done);
        const double latency = atomic_latency_ + partitions_.atomic(line.front());
        // The port stalls until L2 accepts the data.
        l2_write_.block(done - latency);
        journey.returns = std::max(journey.returns, returns_value ? done + latency : left);
        journey.visible = std::max(journey.visible, done + latency);
    });
    return journey;
}

}  // namespace warplens::simt
