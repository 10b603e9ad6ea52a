#include "simt/functional/block/block_runner.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "simt/functional/block/async_copies.h"
#include "simt/functional/block/step_watch.h"
#include "simt/functional/execute/lane_functions.h"
#include "simt/functional/memory/place_names.h"
#include "simt/functional/races/block_races.h"

namespace warplens::simt {

namespace {

constexpr std::size_t row_alignment = 64;

u32 lane_mask_value(Special which, u32 lane) {
    switch (which) {
        case Special::lanemask_eq:
            return 1u << lane;
        case Special::lanemask_lt:
            return (1u << lane) - 1;
        case Special::lanemask_le:
            return (2u << lane) - 1;
        case Special::lanemask_gt:
            return ~((2u << lane) - 1);
        default:
            return ~((1u << lane) - 1);
    }
}

/// Values that are the same for all blocks.
u64 launch_value(const LaunchState& launch, const Warp& warp, Special which, u32 lane) {
    const LaunchGeometry& geometry = launch.geometry;
    // Lanes past the last thread of the block never run; their coordinates do not matter.
    if (auto axis = axis_of(which, Special::tid_x))
        return coordinate(coordinates(warp.index * u64{warp_size} + lane, geometry.block), *axis);
    if (auto axis = axis_of(which, Special::ntid_x)) return coordinate(geometry.block, *axis);
    if (auto axis = axis_of(which, Special::nctaid_x)) return coordinate(geometry.grid, *axis);
    if (auto axis = axis_of(which, Special::cluster_nctaid_x)) return coordinate(geometry.cluster, *axis);
    if (auto axis = axis_of(which, Special::nclusterid_x)) return coordinate(clusters_of(geometry), *axis);
    if (which >= Special::lanemask_eq && which <= Special::lanemask_gt) return lane_mask_value(which, lane);
    switch (which) {
        case Special::laneid:
            return lane;
        case Special::warpid:
            return warp.index;
        case Special::nwarpid:
            return static_cast<u64>(geometry.warps_per_block());
        case Special::nsmid:
            return 1;
        case Special::cluster_nctarank:
            return geometry.cluster.count();
        case Special::is_explicit_cluster:
            return geometry.cluster.count() > 1;
        case Special::workspace_high:
            return launch.grid_workspace >> 32;
        case Special::workspace_low:
            return static_cast<u32>(launch.grid_workspace);
        case Special::warp_size:
            return static_cast<u64>(warp_size);
        case Special::dynamic_smem_size:
            return geometry.dynamic_shared_bytes;
        case Special::total_smem_size:
            return launch.shared_bytes;
        default:
            return 0;
    }
}

}  // namespace

BlockRunner::BlockRunner(const LaunchState& launch)
    : launch_(launch),
      problems_(launch.options->max_problems),
      notes_(launch.options->max_problems),
      copies_(
          std::make_unique<AsyncCopies>(*this, static_cast<std::size_t>(launch.geometry.warps_per_block()))) {
    const DecodedKernel& kernel = *launch.kernel;
    const std::size_t count = static_cast<std::size_t>(launch.geometry.warps_per_block());
    storage_ = std::make_unique<std::byte[]>(count * kernel.register_bytes + row_alignment);
    auto base = reinterpret_cast<std::uintptr_t>(storage_.get());
    std::byte* first = storage_.get() + (row_alignment - base % row_alignment) % row_alignment;
    windows_.resize(kernel.window_count);
    shared_.resize(launch.shared_bytes + 16);
    shared_written_.resize(launch.shared_bytes + 16);
    params_.resize(count * warp_size * kernel.param_bytes);
    local_.resize(count * warp_size * launch.local_bytes);
    local_written_.resize(local_.size());
    warps_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        Warp& warp = warps_[i];
        warp.registers = first + i * kernel.register_bytes;
        warp.windows = windows_.data();
        warp.block = this;
        warp.shared = shared_.data();
        warp.shared_written = shared_written_.data();
        warp.shared_bytes = launch.shared_bytes;
        warp.shared_unwritten = &shared_unwritten_;
        warp.index = static_cast<u32>(i);
        warp.lanes = launch.geometry.warp_lanes(static_cast<int>(i)).bits;
        warp.watch_races = launch.races != nullptr;
        warp.parallel = launch.parallel;
        warp.params = params_.data() + i * warp_size * kernel.param_bytes;
        warp.param_bytes = kernel.param_bytes;
        warp.local = local_.data() + i * warp_size * launch.local_bytes;
        warp.local_bytes = launch.local_bytes;
        warp.saved.resize(warp_size);
        write_launch_rows(warp);
    }
    if (launch.races) races_ = std::make_unique<BlockRaces>(*launch.races, count, launch.shared_bytes);
    for (Barrier& barrier : barriers_) {
        barrier.lanes.resize(count);
        barrier.sites.resize(count);
    }
}

BlockRunner::~BlockRunner() = default;

void BlockRunner::write_launch_rows(Warp& warp) {
    for (const ConstantRow& constant : kernel().constants) {
        u64 bits = constant.bits;
        if (constant.variable != no_index) bits += launch_.variable_addresses[constant.variable];
        if (constant.bytes == 0) predicate(warp, constant.row) = static_cast<u32>(bits);
        if (constant.bytes == 4) std::fill_n(row<u32>(warp, constant.row), warp_size, static_cast<u32>(bits));
        if (constant.bytes == 8) std::fill_n(row<u64>(warp, constant.row), warp_size, bits);
    }
    if (kernel().machine) {
        for (const BankRow& from : kernel().machine->rows) {
            const std::vector<std::byte>& bank = launch_.banks[from.bank];
            u32 word = 0;
            if (from.offset < bank.size())
                std::memcpy(&word, bank.data() + from.offset, std::min<u64>(4, bank.size() - from.offset));
            std::fill_n(row<u32>(warp, from.row), warp_size, word);
        }
    }
    for (const SpecialRow& special : kernel().specials) {
        for (u32 lane = 0; lane < warp_size; ++lane) {
            u64 value = launch_value(launch_, warp, special.which, lane);
            if (is_wide(special.which)) row<u64>(warp, special.row)[lane] = value;
            else row<u32>(warp, special.row)[lane] = static_cast<u32>(value);
        }
    }
}

void BlockRunner::write_block_rows(Warp& warp) {
    static const LaneFunctions& lanes = lane_functions();
    const Dim3 at = coordinates(linear_block_, launch_.geometry.grid);
    for (const SpecialRow& special : kernel().specials) {
        if (!is_of_block(special.which)) continue;
        u32 value = 0;  // smid: the engine does not assign blocks to SMs
        if (auto axis = axis_of(special.which, Special::ctaid_x)) value = coordinate(at, *axis);
        const auto place = [&] { return place_in_cluster(linear_block_, launch_.geometry); };
        if (auto axis = axis_of(special.which, Special::clusterid_x))
            value = coordinate(place().cluster, *axis);
        if (auto axis = axis_of(special.which, Special::cluster_ctaid_x))
            value = coordinate(place().block, *axis);
        if (special.which == Special::cluster_ctarank) value = cluster_rank_;
        lanes.fill_words(row<u32>(warp, special.row), value);
    }
}

void BlockRunner::begin(u64 linear_block, trace::BlockObserver* observer, Cluster* cluster, u64 now) {
    linear_block_ = linear_block;
    observer_ = observer;
    StepWatch* const watch = launch_.options->watch;
    watch_ = watch != nullptr && watch->wants(linear_block) ? watch : nullptr;
    cluster_ = cluster;
    cluster_rank_ = place_in_cluster(linear_block, launch_.geometry).rank;
    copies_->clear();
    ends_run_ = ends_alone_ = cancelled_ = stuck_ = false;
    step_limit_ = launch_.options->max_steps_per_warp;
    std::fill(shared_.begin(), shared_.end(), std::byte{0});
    std::fill(shared_written_.begin(), shared_written_.end(), u8{0});
    shared_unwritten_ = launch_.shared_bytes;
    std::fill(params_.begin(), params_.end(), std::byte{0});
    std::fill(local_.begin(), local_.end(), std::byte{0});
    std::fill(local_written_.begin(), local_written_.end(), u8{0});
    for (; barriers_in_use_ != 0; barriers_in_use_ &= barriers_in_use_ - 1) {
        Barrier& barrier = barriers_[static_cast<std::size_t>(std::countr_zero(barriers_in_use_))];
        barrier.arrived = barrier.expected = barrier.holding = 0;
        std::fill(barrier.lanes.begin(), barrier.lanes.end(), 0u);
    }
    live_threads_ = 0;
    for (Warp& warp : warps_) {
        std::memset(warp.registers, 0, kernel().zeroed_bytes);
        warp.observer = observer;
        warp.live = warp.lanes;
        warp.carry = warp.waiting = warp.gave_way = 0;
        warp.cluster_arrived = warp.cluster_passed = 0;
        warp.steps = warp.thread_steps = 0;
        warp.takes_numbers = false;
        warp.waited = static_cast<s64>(now);
        warp.spin = {};
        warp.waits.clear();
        warp.converging.clear();
        warp.groups.clear();
        if (kernel().recurses)
            for (auto& saved : warp.saved) saved.clear();
        if (warp.lanes != 0)
            warp.groups.push_back({kernel().functions[0].entry_block, warp.lanes, &root_, false});
        live_threads_ += static_cast<u32>(LaneMask{warp.lanes}.count());
        write_block_rows(warp);
    }
    if (races_) races_->begin(linear_block);
}

BlockOutcome BlockRunner::run(u64 linear_block, trace::BlockObserver* observer) {
    own_cluster_ = Cluster{{this}};
    begin(linear_block, observer, &own_cluster_);
    while (!ended()) {
        bool ran = false;
        for (Warp& warp : warps_) {
            if (warp.groups.empty()) continue;
            ran = true;
            run_warp(warp);
            if (ends_run_) break;
        }
        if (!ran && !let_go_of_waiting()) {
            report_deadlock();
            break;
        }
        ask_whether_cancelled();
    }
    return outcome();
}

Advance BlockRunner::advance(u64 now) {
    Advance advance;
    now_ = now;
    while (!ended()) {
        bool ran = false, moved = false;
        advance.turn = no_turn;
        advance.only_turns = true;
        for (Warp& warp : warps_) {
            if (warp.groups.empty()) continue;
            ran = true;
            const WarpProgress progress = run_watched(warp);
            moved |= progress == WarpProgress::moved;
            advance.only_turns &= progress == WarpProgress::takes_turns;
            if (progress == WarpProgress::takes_turns) advance.turn = std::min(advance.turn, warp.time());
            advance.impatient |= progress == WarpProgress::impatient;
            advance.wrote |= warp.spin.wrote;
            if (ends_run_) break;
        }
        advance.moved |= moved;
        ask_whether_cancelled();
        if (moved && !advance.impatient) continue;
        if (!ran && !ended()) {
            if (let_go_of_waiting()) continue;
            if (!waits_for_cluster()) report_deadlock();
        }
        break;
    }
    advance.ended = ended();
    return advance;
}

u64 BlockRunner::bytes() const {
    return warps_.size() * kernel().register_bytes + shared_.size() + shared_written_.size() +
           params_.size() + local_.size() + local_written_.size();
}

void BlockRunner::ask_whether_cancelled() {
    cancelled_ = launch_.options->cancelled && launch_.options->cancelled();
}

u64 BlockRunner::steps() const {
    u64 steps = 0;
    for (const Warp& warp : warps_) steps += warp.steps;
    return steps;
}

BlockOutcome BlockRunner::outcome() {
    BlockOutcome outcome;
    outcome.cancelled = cancelled_;
    for (const Warp& warp : warps_) {
        outcome.steps += warp.steps;
        outcome.thread_steps += warp.thread_steps;
        outcome.longest_warp = std::max(outcome.longest_warp, warp.steps);
    }
    outcome.problems = problems_.take();
    outcome.notes = notes_.take();
    outcome.printed = std::exchange(printed_, {});
    outcome.launches = std::exchange(launches_, {});
    last_errors_.clear();
    outcome.finished = all_exited() && !ends_run_;
    outcome.ends_run = ends_run_ && !ends_alone_;
    return outcome;
}

void BlockRunner::end_run() {
    ends_run_ = true;
    ends_alone_ = false;
    step_limit_ = 0;
}

void BlockRunner::end_block() {
    if (ends_run_) return;
    end_run();
    ends_alone_ = true;
}

void BlockRunner::report(Warp& warp, SiteId site, u32 lanes, ProblemKind kind, u64 address,
                         std::string message, std::optional<OtherParty> other) {
    report(warp, {.kind = kind,
                  .site = site,
                  .lanes = lanes,
                  .address = address,
                  .message = std::move(message),
                  .other = std::move(other)});
}

void BlockRunner::report(Warp& warp, Finding finding) {
    Problem problem;
    problem.kind = finding.kind;
    problem.message = std::move(finding.message);
    problem.site = finding.site;
    if (finding.site != no_index) {
        const Site& at = with_line(finding.site);
        if (at.file != no_index) {
            problem.file = kernel().numbered.sources[at.file].name;
            problem.line = at.line;
        }
    }
    problem.block = coordinates(linear_block_, launch_.geometry.grid);
    const u64 lane = finding.lanes == 0 ? 0 : static_cast<u64>(LaneMask{finding.lanes}.lowest());
    problem.thread = coordinates(warp.index * u64{warp_size} + lane, launch_.geometry.block);
    problem.address = finding.address;
    problem.element = std::move(finding.element);
    problem.other = std::move(finding.other);
    problem.count = static_cast<u64>(std::max(1, LaneMask{finding.lanes}.count()));
    problem.reach = finding.reach;
    log_of(finding.kind).add(std::move(problem));
    if (is_note(finding.kind)) return;
    if (launch_.options->stop_at_first_problem) end_run();
}

OtherParty BlockRunner::party(SiteId site, u64 thread) const {
    OtherParty party;
    party.site = site;
    const Site& at = with_line(site);
    if (at.file != no_index) {
        party.file = kernel().numbered.sources[at.file].name;
        party.line = at.line;
    }
    party.block = coordinates(linear_block_, launch_.geometry.grid);
    party.thread = coordinates(thread, launch_.geometry.block);
    return party;
}

const Site& BlockRunner::with_line(SiteId site) const { return site_with_line(kernel().numbered, site); }

std::string BlockRunner::describe_site(SiteId site) const { return line_words(kernel().numbered, site); }

}  // namespace warplens::simt
