#include "trace/query.h"

#include <algorithm>
#include <cassert>
#include <string_view>
#include <tuple>

#include "core/matrix_fragment.h"
#include "trace/exchange.h"

namespace warplens::trace {

namespace {
constexpr std::uint64_t visits_per_checkpoint = 64;
bool copies_asynchronously(const Site& site) {
    return site.opcode.starts_with("cp.async") || site.opcode.starts_with("LDGSTS");
}

std::uint32_t requests_of(const Site& site) {
    if (!site.opcode.starts_with("wmma")) return 1;
    const auto matrix = matrix_instruction(site.opcode);
    return matrix ? static_cast<std::uint32_t>(std::max(1, matrix->requests())) : 1;
}
}  // namespace

Addresses addresses_of(const Trace& trace, const AccessRecord& access) {
    Addresses addresses{};
    if (access.scattered) {
        const bool shifted = access.stride != 0;
        const std::uint64_t* from =
            trace.exceptions.data() + (shifted ? static_cast<std::uint64_t>(access.stride) - 1 : access.base);
        const std::uint64_t shift = shifted ? access.base - *from : 0;
        for_each_lane(access.mask,
                      [&](int lane) { addresses[static_cast<std::size_t>(lane)] = *from++ + shift; });
        return addresses;
    }
    const auto stride = static_cast<std::uint64_t>(std::int64_t{access.stride});
    const int lowest = access.mask.lowest();
    for_each_lane(access.mask, [&](int lane) {
        addresses[static_cast<std::size_t>(lane)] =
            access.base + static_cast<std::uint64_t>(lane - lowest) * stride;
    });
    return addresses;
}

const WarpRecord* find_warp(const Trace& trace, std::uint64_t block, std::uint32_t warp) {
    const auto found = std::lower_bound(
        trace.warps.begin(), trace.warps.end(), std::tie(block, warp),
        [](const WarpRecord& record, const auto& key) { return std::tie(record.block, record.warp) < key; });
    if (found == trace.warps.end() || found->block != block || found->warp != warp) return nullptr;
    return &*found;
}

const WarpRecord& warp_of_access(const Trace& trace, std::uint64_t access) {
    const auto after = std::upper_bound(
        trace.warps.begin(), trace.warps.end(), access,
        [](std::uint64_t index, const WarpRecord& record) { return index < record.accesses_end; });
    assert(after != trace.warps.end());
    return *after;
}

std::vector<std::uint64_t> recorded_blocks(const Trace& trace) {
    std::vector<std::uint64_t> blocks;
    for (const WarpRecord& warp : trace.warps)
        if (blocks.empty() || blocks.back() != warp.block) blocks.push_back(warp.block);
    return blocks;
}

Operation operation_of(const Trace& trace, const AccessRecord& access) {
    const Site& site = trace.program.sites[access.site];
    if (copies_asynchronously(site))
        return access.space == Space::shared ? Operation::store : Operation::load;
    return site.operation;
}

RecordedSites::RecordedSites(const Program& program) {
    begin_.reserve(program.basic_blocks.size() + 1);
    begin_.push_back(0);
    for (const BasicBlock& block : program.basic_blocks) {
        for (SiteId id = block.first_site; id < block.first_site + block.site_count; ++id) {
            const Site& site = program.sites[id];
            const bool branch = site.kind == SiteKind::branch;
            const bool memory = site.kind == SiteKind::memory;
            const bool guard = site.guarded && !branch;
            const bool exchange = exchanges(site);
            if (branch || memory || guard || exchange)
                entries_.push_back({id, guard, branch, memory, memory && site.space == Space::none,
                                    memory && copies_asynchronously(site), exchange,
                                    memory ? requests_of(site) : 1});
        }
        begin_.push_back(entries_.size());
    }
}

/// Lanes with different member masks exchange in sets, one exchange each.
void RecordCursor::find_exchanges(const RecordedSites::Entry& entry, SiteRecords& found) {
    LaneMask rest = found.executed;
    while (exchange_ < exchange_end_ && !rest.empty()) {
        const ExchangeRecord& record = trace_->exchanges[exchange_];
        if (record.site != entry.site || record.mask.empty() || !(record.mask & ~rest).empty()) return;
        if (found.exchange_count == 0) found.exchange = exchange_;
        ++found.exchange_count;
        ++exchange_;
        rest = rest & ~record.mask;
    }
}

SiteRecords RecordCursor::next(const RecordedSites::Entry& entry, LaneMask active) {
    SiteRecords found;
    found.executed = active;
    if ((entry.guard || entry.branch) && mask_ < mask_end_ && trace_->masks[mask_].site == entry.site) {
        (entry.branch ? found.taken : found.executed) = trace_->masks[mask_].mask;
        ++mask_;
    }
    if (entry.exchange) find_exchanges(entry, found);
    if (!entry.memory) return found;
    if (entry.requests > 1) {  // a piece with a bad address in every lane has none
        while (access_ < access_end_ && found.access_count < entry.requests &&
               trace_->accesses[access_].site == entry.site) {
            if (found.access_count == 0) found.access = access_;
            ++found.access_count;
            ++access_;
        }
        return found;
    }
    // A generic access to two spaces has one request for each, with the lanes divided between them. Lanes
    // with a bad address are in none, so some may remain.
    LaneMask rest = found.executed;
    std::uint32_t spaces_met = 0;
    while (access_ < access_end_ && (found.access_count == 0 || entry.generic)) {
        const AccessRecord& record = trace_->accesses[access_];
        const std::uint32_t space = 1u << static_cast<int>(record.space);
        if (record.site != entry.site || !(record.mask & ~rest).empty() || (spaces_met & space)) break;
        if (found.access_count == 0) found.access = access_;
        ++found.access_count;
        ++access_;
        rest = rest & ~record.mask;
        spaces_met |= space;
    }
    // Lanes that copy zeros do not load, so a copy may be only a store.
    if (entry.copies && found.access_count == 1 && access_ < access_end_) {
        const AccessRecord& record = trace_->accesses[access_];
        if (record.site == entry.site && record.space == Space::shared &&
            trace_->accesses[found.access].space == Space::global) {
            ++found.access_count;
            ++access_;
        }
    }
    return found;
}

std::uint64_t step_count(const Trace& trace, const WarpRecord& warp) {
    std::uint64_t steps = 0;
    for (std::uint64_t visit = warp.visits_begin; visit < warp.visits_end; ++visit)
        steps += trace.program.basic_blocks[trace.visits[visit].basic_block].site_count;
    return steps;
}

WarpSteps::WarpSteps(const Trace& trace, const RecordedSites& sites, const WarpRecord& warp)
    : trace_(&trace), sites_(&sites), warp_(&warp) {
    const std::uint64_t visits = warp.visits_end - warp.visits_begin;
    checkpoints_.reserve(static_cast<std::size_t>(visits / visits_per_checkpoint + 1));
    Position at{warp.visits_begin, 0, RecordCursor(trace, warp)};
    while (at.visit < warp.visits_end) {
        if ((at.visit - warp.visits_begin) % visits_per_checkpoint == 0)
            checkpoints_.push_back({at.step, at.records.access(), at.records.mask(), at.records.exchange()});
        advance(at);
    }
    size_ = at.step;
}

std::uint32_t WarpSteps::sites_in(std::uint64_t visit) const {
    return trace_->program.basic_blocks[trace_->visits[visit].basic_block].site_count;
}

void WarpSteps::advance(Position& position) const {
    const Visit& visit = trace_->visits[position.visit];
    for (const RecordedSites::Entry& entry : sites_->of(visit.basic_block))
        position.records.next(entry, visit.active);
    position.step += sites_in(position.visit);
    ++position.visit;
}

WarpSteps::Position WarpSteps::checkpoint(std::size_t index) const {
    const Checkpoint& from = checkpoints_[index];
    return {warp_->visits_begin + index * visits_per_checkpoint, from.step,
            RecordCursor(*trace_, *warp_, from.access, from.mask, from.exchange)};
}

WarpSteps::Position WarpSteps::visit_with_step(std::uint64_t step) const {
    assert(step < size_);
    const auto after = std::upper_bound(
        checkpoints_.begin(), checkpoints_.end(), step,
        [](std::uint64_t value, const Checkpoint& checkpoint) { return value < checkpoint.step; });
    Position at = checkpoint(static_cast<std::size_t>(after - checkpoints_.begin()) - 1);
    while (at.step + sites_in(at.visit) <= step) advance(at);
    return at;
}

Step WarpSteps::at(std::uint64_t index) const {
    Step found;
    for_each(index, index + 1, [&](const Step& step) { found = step; });
    return found;
}

std::uint64_t WarpSteps::first_step_of_visit(std::uint64_t visit) const {
    const std::uint64_t index = (visit - warp_->visits_begin) / visits_per_checkpoint;
    std::uint64_t step = checkpoints_[static_cast<std::size_t>(index)].step;
    for (std::uint64_t v = warp_->visits_begin + index * visits_per_checkpoint; v < visit; ++v)
        step += sites_in(v);
    return step;
}

std::optional<std::uint64_t> WarpSteps::step_of_access(std::uint64_t access) const {
    if (access < warp_->accesses_begin || access >= warp_->accesses_end || checkpoints_.empty())
        return std::nullopt;
    const auto after = std::upper_bound(
        checkpoints_.begin(), checkpoints_.end(), access,
        [](std::uint64_t value, const Checkpoint& checkpoint) { return value < checkpoint.access; });
    Position at = checkpoint(static_cast<std::size_t>(after - checkpoints_.begin()) - 1);
    while (at.visit < warp_->visits_end) {
        const Visit& visit = trace_->visits[at.visit];
        const BasicBlock& block = trace_->program.basic_blocks[visit.basic_block];
        for (const RecordedSites::Entry& entry : sites_->of(visit.basic_block)) {
            const SiteRecords records = at.records.next(entry, visit.active);
            if (records.access_count > 0 && access - records.access < records.access_count)
                return at.step + (entry.site - block.first_site);
        }
        at.step += block.site_count;
        ++at.visit;
    }
    return std::nullopt;
}

std::optional<std::uint64_t> WarpSteps::find_site(SiteId site, std::uint64_t from) const {
    if (from >= size_) return std::nullopt;
    const BasicBlockId wanted = trace_->program.sites[site].basic_block;
    const std::uint32_t offset = site - trace_->program.basic_blocks[wanted].first_site;
    const Position start = visit_with_step(from);
    std::uint64_t step = start.step;
    for (std::uint64_t visit = start.visit; visit < warp_->visits_end; ++visit) {
        if (trace_->visits[visit].basic_block == wanted && step + offset >= from) return step + offset;
        step += sites_in(visit);
    }
    return std::nullopt;
}

AccessIndex::AccessIndex(const Trace& trace) : begin_(trace.program.sites.size() + 1, 0) {
    for (const AccessRecord& access : trace.accesses) ++begin_[access.site + 1];
    for (std::size_t site = 1; site < begin_.size(); ++site) begin_[site] += begin_[site - 1];
    accesses_.resize(trace.accesses.size());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t i = 0; i < trace.accesses.size(); ++i)
        accesses_[next[trace.accesses[i].site]++] = static_cast<std::uint32_t>(i);
}

}  // namespace warplens::trace
