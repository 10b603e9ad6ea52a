#include "tests/support/synthetic_measured.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "trace/replay.h"

namespace warplens::trace {

namespace {

constexpr std::uint32_t warp_start_interval = 6;  // cycles between the starts of a block's warps
constexpr std::uint32_t release_cycles = 9;       // from the last arrival at a barrier to going on
constexpr std::uint32_t between_blocks =
    120;  // from the end of a block to the start of the next in its place

/// Differs from one place to the next, the same in every run.
std::uint32_t variation(std::uint64_t block, std::uint32_t warp, std::uint64_t visit, std::uint32_t most) {
    std::uint64_t x = block * 0x9e3779b97f4a7c15u + warp * 0xbf58476d1ce4e5b9u + visit * 0x94d049bb133111ebu;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    return static_cast<std::uint32_t>((x >> 32) % (most + 1));
}

std::uint32_t cycles_of(const Program& program, BasicBlockId id) {
    const BasicBlock& block = program.basic_blocks[id];
    std::uint32_t cycles = 0;
    for (SiteId site = block.first_site; site < block.first_site + block.site_count; ++site) {
        const Space space = program.sites[site].space;
        const bool memory = program.sites[site].kind == SiteKind::memory;
        cycles += memory && space == Space::global && program.sites[site].operation != Operation::store ? 320
                  : memory && space == Space::shared                                                    ? 29
                                                                                                        : 4;
    }
    return std::max(cycles, 1u);
}

bool ends_in_barrier(const Program& program, BasicBlockId id) {
    const BasicBlock& block = program.basic_blocks[id];
    return block.site_count > 0 &&
           program.sites[block.first_site + block.site_count - 1].kind == SiteKind::barrier;
}

/// One block's warps, in cycles from the block's start.
class BlockClock final : public BlockObserver {
  public:
    struct Warp {
        MeasuredWarp about;
        std::vector<MeasuredVisit> visits;
        std::uint32_t now = 0, arrived = no_time;
        bool waits = false;
    };

    BlockClock(const Program& program, std::uint64_t block, int warps)
        : program_(program), warps_(static_cast<std::size_t>(warps)) {
        for (std::uint32_t i = 0; i < warps_.size(); ++i) {
            warps_[i].about.block = block;
            warps_[i].about.warp = i;
            warps_[i].about.begin = warps_[i].now = i * warp_start_interval;
        }
    }

    void visit(int warp, BasicBlockId block, LaneMask active) override {
        Warp& of = warps_[static_cast<std::size_t>(warp)];
        MeasuredVisit visit{block, active.bits, of.now, of.arrived};
        if (!of.visits.empty() && of.arrived == no_time) {
            const MeasuredVisit& before = of.visits.back();
            if (before.basic_block + 1 == block && before.active == active.bits &&
                !ends_in_barrier(program_, before.basic_block))
                visit.entered = no_time;
        }
        of.now += cycles_of(program_, block) + variation(of.about.block, of.about.warp, of.visits.size(), 60);
        of.arrived = no_time;
        of.visits.push_back(visit);
    }
    void barrier(int warp, SiteId, LaneMask) override {
        Warp& of = warps_[static_cast<std::size_t>(warp)];
        of.waits = true;
        of.arrived = of.now;
    }
    void barrier_release() override {
        std::uint32_t last = 0;
        for (const Warp& warp : warps_)
            if (warp.waits) last = std::max(last, warp.arrived);
        for (Warp& warp : warps_) {
            if (!std::exchange(warp.waits, false)) continue;
            warp.now = last + release_cycles;
        }
    }

    /// Hands the warps that did anything over; their last cycle is theirs to end in.
    std::vector<Warp> take() {
        for (Warp& warp : warps_) warp.about.end = warp.now;
        std::erase_if(warps_, [](const Warp& warp) { return warp.visits.empty(); });
        return std::move(warps_);
    }

  private:
    const Program& program_;
    std::vector<Warp> warps_;
};

/// Room for one block on an SM.
struct Place {
    int sm = 0;
    int index = 0;  // of the SM's places
    std::uint32_t free_from = 0;
};

class ExampleClocks final : public Observer {
  public:
    ExampleClocks(const Trace& trace, const ExampleGpu& gpu)
        : trace_(trace), warps_(trace.launch.geometry.warps_per_block()) {
        for (int place = 0; place < gpu.resident_blocks; ++place)
            for (int sm = 0; sm < gpu.sms; ++sm) places_.push_back({2 * sm, place, 0});
    }

    std::unique_ptr<BlockObserver> begin_block(std::uint64_t block) override {
        return std::make_unique<BlockClock>(trace_.program, block, warps_);
    }

    void finish(std::uint64_t, std::unique_ptr<BlockObserver> observer) override {
        Place& place = *std::ranges::min_element(places_, {}, &Place::free_from);
        const std::uint32_t start = place.free_from;
        for (BlockClock::Warp& warp : static_cast<BlockClock&>(*observer).take()) {
            MeasuredWarp about = warp.about;
            about.sm = static_cast<std::uint16_t>(place.sm);
            about.slot =
                static_cast<std::uint16_t>(static_cast<std::uint32_t>(place.index * warps_) + about.warp);
            about.begin += start;
            about.end += start;
            about.visits_begin = made.visits.size();
            for (MeasuredVisit visit : warp.visits) {
                if (visit.entered != no_time) visit.entered += start;
                if (visit.arrived != no_time) visit.arrived += start;
                made.visits.push_back(visit);
            }
            about.visits_end = made.visits.size();
            made.warps.push_back(about);
            place.free_from = std::max(place.free_from, about.end + between_blocks);
        }
    }

    Measured made;

  private:
    const Trace& trace_;
    int warps_;
    std::vector<Place> places_;
};

}  // namespace

Measured make_example_measured(const Trace& trace, const ExampleGpu& gpu) {
    ExampleClocks clocks(trace, gpu);
    replay(trace, clocks);
    Measured made = std::move(clocks.made);
    made.device = "synthetic";
    made.driver = "none";
    made.date = "2026-01-01";
    made.compute_major = 9;
    made.sm_count = gpu.sms;
    made.clock_hz = gpu.clock_hz;
    made.timer_bound_ns = gpu.timer_bound_ns;
    made.addresses = trace.accesses.empty() ? "" : "recorded";
    std::uint32_t cycles = 0;
    for (const MeasuredWarp& warp : made.warps) {
        cycles = std::max(cycles, warp.end);
        if (std::ranges::find(made.sms, warp.sm, &MeasuredSm::sm) == made.sms.end())
            made.sms.push_back({warp.sm, static_cast<double>(warp.sm % 7) * 10});
    }
    std::ranges::sort(made.sms, {}, &MeasuredSm::sm);
    Perturbation light;
    light.mode = "light";
    light.traced_us = cycles / gpu.clock_hz * 1e6 + 3;
    light.clean_us = light.traced_us / 1.25;
    light.repeats = 5;
    light.clean_registers = 24;
    light.traced_registers = 27;
    light.clean_blocks_per_sm = light.traced_blocks_per_sm = gpu.resident_blocks;
    light.records = made.visits.size();
    light.recorded_bytes = 16 * (light.records + 2 * made.warps.size());
    Perturbation full = light;
    full.mode = "full";
    full.traced_us = 3 * light.clean_us;
    full.traced_registers = 32;
    full.recorded_bytes *= 8;
    made.perturbations = {light, full};
    return made;
}

Trace make_measured_example(const ExampleShape& shape, const ExampleGpu& gpu) {
    Trace trace = make_example(shape);
    trace.launch.provenance = Provenance::measured;
    trace.measured = std::make_shared<const Measured>(make_example_measured(trace, gpu));
    return trace;
}

}  // namespace warplens::trace
