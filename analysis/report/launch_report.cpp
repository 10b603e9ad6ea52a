#include "analysis/report/launch_report.h"

#include <algorithm>
#include <mutex>

#include "analysis/memory/banks.h"
#include "analysis/memory/coalescing.h"

namespace warplens::analysis {
namespace {

constexpr std::size_t operation_count = 4;

struct BlockCounts {  // of one basic block
    std::uint64_t visits = 0;
    std::uint64_t active_lanes = 0;
    friend bool operator==(const BlockCounts&, const BlockCounts&) = default;
};

struct SiteCounts {
    std::uint64_t guard_lanes = 0;
    std::uint64_t branches = 0, branches_divergent = 0, taken_lanes = 0;
    std::uint16_t spaces = 0;  // bit per Space it accessed
    AccessTotals access;
    friend bool operator==(const SiteCounts&, const SiteCounts&) = default;
};

struct Counts {
    explicit Counts(const Program& program)
        : basic_blocks(program.basic_blocks.size()), sites(program.sites.size()) {}

    std::vector<BlockCounts> basic_blocks;
    std::vector<SiteCounts> sites;
    std::array<std::array<AccessTotals, operation_count>, space_count> totals;

    void add(const Counts& other) {
        for (std::size_t i = 0; i < basic_blocks.size(); ++i) {
            basic_blocks[i].visits += other.basic_blocks[i].visits;
            basic_blocks[i].active_lanes += other.basic_blocks[i].active_lanes;
        }
        for (std::size_t i = 0; i < sites.size(); ++i) {
            const SiteCounts& from = other.sites[i];
            sites[i].guard_lanes += from.guard_lanes;
            sites[i].branches += from.branches;
            sites[i].branches_divergent += from.branches_divergent;
            sites[i].taken_lanes += from.taken_lanes;
            sites[i].spaces |= from.spaces;
            if (from.access.requests > 0) sites[i].access.add(from.access);
        }
        for (std::size_t space = 0; space < totals.size(); ++space) {
            for (std::size_t operation = 0; operation < operation_count; ++operation)
                totals[space][operation].add(other.totals[space][operation]);
        }
    }
    void clear() {
        std::fill(basic_blocks.begin(), basic_blocks.end(), BlockCounts{});
        std::fill(sites.begin(), sites.end(), SiteCounts{});
        totals = {};
    }
    friend bool operator==(const Counts&, const Counts&) = default;
};

AccessTotals count(const trace::Access& access, FootprintCounter::Writer& footprint) {
    AccessTotals one;
    one.requests = 1;
    if (access.space == Space::shared || access.space == Space::constant) {
        const WavefrontCount wavefronts =
            access.space == Space::shared ? count_wavefronts(access) : count_constant_wavefronts(access);
        one.wavefronts = one.worst_wavefronts = wavefronts.wavefronts;
        one.ideal_wavefronts = wavefronts.ideal_wavefronts;
        one.worst_ideal_wavefronts = std::max(1u, wavefronts.ideal_wavefronts);
    } else if (access.space == Space::global || access.space == Space::local) {
        SectorRange range;
        const SectorCount sectors =
            access.space == Space::global ? count_sectors(access, range) : count_local_sectors(access);
        if (access.space == Space::global) footprint.add(access, range);
        one.sectors = sectors.sectors;
        one.ideal_sectors = sectors.ideal_sectors;
        one.used_bytes = sectors.used_bytes;
    }
    if (access.operation == Operation::atomic) {
        const AtomicRounds rounds = count_atomic_rounds(access);
        one.most_lanes_per_address = rounds.rounds;
        if (access.space == Space::global) one.serialized_sectors = rounds.sectors;
    }
    return one;
}

class BlockFold : public trace::BlockObserver {
  public:
    BlockFold(const Program& program, FootprintCounter& footprint, bool with_requests)
        : counts(program), footprint_(footprint), with_requests_(with_requests) {}

    void visit(int, BasicBlockId block, LaneMask active) override {
        ++counts.basic_blocks[block].visits;
        counts.basic_blocks[block].active_lanes += static_cast<std::uint64_t>(active.count());
    }
    void access(int, const trace::Access& access) override {
        if (!with_requests_) return;
        const AccessTotals one = count(access, footprint_);
        SiteCounts& site = counts.sites[access.site];
        site.spaces = static_cast<std::uint16_t>(site.spaces | 1u << static_cast<unsigned>(access.space));
        site.access.add(one);
        counts.totals[static_cast<std::size_t>(access.space)][static_cast<std::size_t>(access.operation)].add(
            one);
    }
    void guard(int, SiteId site, LaneMask executed) override {
        counts.sites[site].guard_lanes += static_cast<std::uint64_t>(executed.count());
    }
    void branch(int, SiteId site, LaneMask active, LaneMask taken) override {
        ++counts.sites[site].branches;
        counts.sites[site].taken_lanes += static_cast<std::uint64_t>(taken.count());
        if (!taken.empty() && taken != active) ++counts.sites[site].branches_divergent;
    }

    Counts counts;

  private:
    FootprintCounter::Writer footprint_;
    bool with_requests_;
};

std::uint64_t executed_lanes(const Counts& counts, const Program& program, SiteId id) {
    const Site& site = program.sites[id];
    if (site.guarded && site.kind != SiteKind::branch) return counts.sites[id].guard_lanes;
    return site.basic_block < counts.basic_blocks.size() ? counts.basic_blocks[site.basic_block].active_lanes
                                                         : 0;
}

LastBlock last_block_of(const Counts& counts, const Program& program) {
    LastBlock last;
    for (SiteId id = 0; id < program.sites.size(); ++id)
        last.executed_lanes.push_back(executed_lanes(counts, program, id));
    for (const Space space : {Space::global, Space::local})
        for (const AccessTotals& totals : counts.totals[static_cast<std::size_t>(space)]) {
            last.sectors += totals.sectors;
            last.used_bytes += totals.used_bytes;
        }
    for (const AccessTotals& totals : counts.totals[static_cast<std::size_t>(Space::shared)])
        last.wavefronts += totals.wavefronts;
    return last;
}

/// The space whose bit is set; none if no bit or several are set.
Space only_space(std::uint16_t spaces) {
    return std::has_single_bit(spaces) ? static_cast<Space>(std::countr_zero(spaces)) : Space::none;
}

}  // namespace

void AccessTotals::add(const AccessTotals& other) {
    requests += other.requests;
    sectors += other.sectors;
    ideal_sectors += other.ideal_sectors;
    used_bytes += other.used_bytes;
    wavefronts += other.wavefronts;
    ideal_wavefronts += other.ideal_wavefronts;
    serialized_sectors += other.serialized_sectors;
    most_lanes_per_address = std::max(most_lanes_per_address, other.most_lanes_per_address);
    // Compared as fractions; of equal ratios the smaller numbers are kept, so that the result does not depend
    // on the order of adding.
    const std::uint64_t ours = std::uint64_t{worst_wavefronts} * other.worst_ideal_wavefronts;
    const std::uint64_t theirs = std::uint64_t{other.worst_wavefronts} * worst_ideal_wavefronts;
    if (theirs > ours || (theirs == ours && other.worst_ideal_wavefronts < worst_ideal_wavefronts)) {
        worst_wavefronts = other.worst_wavefronts;
        worst_ideal_wavefronts = other.worst_ideal_wavefronts;
    }
}

struct LaunchFold::State {
    State(const Program& whole, bool requests)
        : program(&whole), with_requests(requests), sum(whole), highest(whole) {}

    const Program* program;
    bool with_requests;
    Counts sum;
    FootprintCounter footprint;
    std::uint64_t blocks = 0;
    Counts highest;  // of the block with the highest number so far
    std::uint64_t highest_block = 0;
    std::optional<Counts> first;  // of the first block, as long as all blocks have the same
    std::mutex spare_mutex;       // begin_block comes from many threads
    std::vector<std::unique_ptr<trace::BlockObserver>> spare;
};

LaunchFold::LaunchFold(const Program& program, bool with_requests)
    : state_(std::make_unique<State>(program, with_requests)) {}
LaunchFold::~LaunchFold() = default;

std::unique_ptr<trace::BlockObserver> LaunchFold::begin_block(std::uint64_t) {
    {
        const std::lock_guard lock(state_->spare_mutex);
        if (!state_->spare.empty()) {
            auto observer = std::move(state_->spare.back());
            state_->spare.pop_back();
            return observer;
        }
    }
    return std::make_unique<BlockFold>(*state_->program, state_->footprint, state_->with_requests);
}

void LaunchFold::finish(std::uint64_t block, std::unique_ptr<trace::BlockObserver> observer) {
    auto& fold = static_cast<BlockFold&>(*observer);
    state_->sum.add(fold.counts);
    if (state_->blocks == 0) state_->first = fold.counts;
    else if (state_->first && *state_->first != fold.counts) state_->first.reset();
    if (state_->blocks == 0 || block > state_->highest_block) {
        std::swap(state_->highest, fold.counts);
        state_->highest_block = block;
    }
    ++state_->blocks;
    fold.counts.clear();
    const std::lock_guard lock(state_->spare_mutex);
    state_->spare.push_back(std::move(observer));
}

LaunchReport LaunchFold::report(trace::Launch launch) const {
    const Program& program = *state_->program;
    const Counts& sum = state_->sum;
    LaunchReport report;
    report.launch = std::move(launch);
    report.footprint = state_->footprint.footprint(report.launch.buffers);
    report.blocks_executed = state_->blocks;
    report.blocks_alike = state_->blocks > 1 && state_->first.has_value();
    const std::uint64_t grid = report.launch.geometry.blocks();
    if (state_->blocks > 1 && state_->blocks < grid && state_->highest_block + 1 == grid)
        report.last_block = last_block_of(state_->highest, program);
    report.sites.resize(program.sites.size());
    for (SiteId id = 0; id < program.sites.size(); ++id) {
        const Site& site = program.sites[id];
        const SiteCounts& counts = sum.sites[id];
        SiteReport& out = report.sites[id];
        out.site = id;
        if (site.basic_block < sum.basic_blocks.size()) {
            out.steps = sum.basic_blocks[site.basic_block].visits;
            out.active_lanes = sum.basic_blocks[site.basic_block].active_lanes;
        }
        out.executed_lanes = executed_lanes(sum, program, id);
        out.branches = counts.branches;
        out.branches_divergent = counts.branches_divergent;
        out.taken_lanes = counts.taken_lanes;
        out.space = only_space(counts.spaces);
        out.operation = site.operation;
        out.copies = site.opcode.starts_with("cp.async");
        out.access = counts.access;
        report.steps += out.steps;
        report.active_lanes += out.active_lanes;
        report.branches += out.branches;
        report.branches_divergent += out.branches_divergent;
    }
    const auto total = [&](Space space, Operation operation) {
        return sum.totals[static_cast<std::size_t>(space)][static_cast<std::size_t>(operation)];
    };
    report.global_load = total(Space::global, Operation::load);
    report.global_store = total(Space::global, Operation::store);
    report.global_atomic = total(Space::global, Operation::atomic);
    report.shared_load = total(Space::shared, Operation::load);
    report.shared_store = total(Space::shared, Operation::store);
    report.shared_atomic = total(Space::shared, Operation::atomic);
    report.cluster_load = total(Space::shared_cluster, Operation::load);
    report.cluster_store = total(Space::shared_cluster, Operation::store);
    report.cluster_atomic = total(Space::shared_cluster, Operation::atomic);
    report.texture_load = total(Space::texture, Operation::load);
    report.surface_load = total(Space::surface, Operation::load);
    report.surface_store = total(Space::surface, Operation::store);
    report.surface_atomic = total(Space::surface, Operation::atomic);
    report.local_load = total(Space::local, Operation::load);
    report.local_store = total(Space::local, Operation::store);
    report.constant_load = total(Space::constant, Operation::load);
    return report;
}

void fill_occupancy(LaunchReport& report, const GpuSpec& gpu) {
    const trace::Launch& launch = report.launch;
    OccupancyInput input;
    input.threads_per_block = launch.geometry.threads_per_block();
    input.registers_per_thread = static_cast<int>(launch.resources.registers_per_thread);
    input.shared_bytes_per_block =
        static_cast<int>(launch.resources.shared_static_bytes + launch.geometry.dynamic_shared_bytes);
    report.occupancy = occupancy(gpu, input);
}

}  // namespace warplens::analysis
