#include "app/scene/measured_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "app/ui/number.h"
#include "trace/query.h"

namespace warplens::app {

namespace {

constexpr std::size_t coarse_bins = 4096;

}  // namespace

MeasuredIndex::MeasuredIndex(std::shared_ptr<const trace::Trace> trace)
    : trace_(std::move(trace)),
      measured_(trace_->measured),
      summary_(analysis::summarise(*measured_, trace_->launch.geometry.blocks())) {
    ns_per_cycle_ = measured_->clock_hz > 0 ? 1e9 / measured_->clock_hz : 1;
    sort_into_rows();
    shade_blocks();
    for (Sm& sm : sms_) count_resident(sm);
    for (std::size_t row = 0; row < rows_.size(); ++row)
        for (const Stay& stay : stays(row)) length_ns_ = std::max(length_ns_, ns_of(rows_[row].sm, stay.end));
    std::vector<float> bins(coarse_bins);
    coarse_.reserve(coarse_bins * sms_.size());
    std::vector<float> coarse;
    for (std::uint32_t sm = 0; sm < sms_.size(); ++sm) {
        resident(sm, 0, length_ns_, bins);
        coarse.insert(coarse.end(), bins.begin(), bins.end());
    }
    coarse_ = std::move(coarse);
}

void MeasuredIndex::sort_into_rows() {
    const auto& warps = measured_->warps;
    std::vector<std::uint32_t> order(warps.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::uint32_t i) {
        const trace::MeasuredWarp& warp = warps[i];
        return std::tuple(warp.sm, warp.slot, warp.begin, i);
    });
    row_of_warp_.resize(warps.size());
    stays_.reserve(warps.size());
    for (const std::uint32_t i : order) {
        const trace::MeasuredWarp& warp = warps[i];
        if (sms_.empty() || sms_.back().sm != warp.sm) {
            Sm sm;
            sm.sm = warp.sm;
            sm.first_row = rows_.size();
            const auto clock = std::ranges::lower_bound(measured_->sms, warp.sm, {}, &trace::MeasuredSm::sm);
            if (clock != measured_->sms.end() && clock->sm == warp.sm) sm.offset_ns = clock->offset_ns;
            sms_.push_back(sm);
        }
        const auto sm = static_cast<std::uint32_t>(sms_.size() - 1);
        if (sms_.back().rows == 0 || rows_.back().slot != warp.slot) {
            rows_.push_back({sm, warp.slot, stays_.size(), stays_.size()});
            ++sms_.back().rows;
        }
        stays_.push_back({warp.begin, std::max(warp.begin, warp.end), i});
        rows_.back().end = stays_.size();
        row_of_warp_[i] = static_cast<std::uint32_t>(rows_.size() - 1);
    }
}

void MeasuredIndex::shade_blocks() {
    const auto& warps = measured_->warps;
    shade_of_warp_.assign(warps.size(), 0);
    struct Block {
        std::uint32_t sm, begin, first, end, last_cycle;  // its warps are [first, end)
    };
    std::vector<Block> blocks;
    for (std::uint32_t i = 0; i < warps.size(); ++i) {
        if (i == 0 || warps[i].block != warps[i - 1].block)
            blocks.push_back({sm_of_warp(i), warps[i].begin, i, i, warps[i].end});
        blocks.back().begin = std::min(blocks.back().begin, warps[i].begin);
        blocks.back().last_cycle = std::max(blocks.back().last_cycle, warps[i].end);
        blocks.back().end = i + 1;
    }
    std::ranges::sort(blocks, {}, [](const Block& b) { return std::tuple(b.sm, b.begin, b.first); });
    std::uint32_t ordinal = 0;
    std::vector<double> cycles;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        ordinal = i > 0 && blocks[i].sm == blocks[i - 1].sm ? ordinal + 1 : 0;
        for (std::uint32_t warp = blocks[i].first; warp < blocks[i].end; ++warp)
            shade_of_warp_[warp] = static_cast<std::uint8_t>(ordinal % 7);
        cycles.push_back(static_cast<double>(blocks[i].last_cycle) - blocks[i].begin);
        if (i + 1 < blocks.size() && blocks[i + 1].sm == blocks[i].sm) continue;
        sms_[blocks[i].sm].block_cycles = analysis::spread_of(std::move(cycles));
        cycles.clear();
    }
}

void MeasuredIndex::count_resident(Sm& sm) {
    std::vector<std::pair<std::uint32_t, int>> events;  // cycle, +1 or -1
    for (std::size_t row = sm.first_row; row < sm.first_row + sm.rows; ++row)
        for (const Stay& stay : stays(row)) {
            events.emplace_back(stay.begin, 1);
            events.emplace_back(stay.end, -1);
        }
    std::ranges::sort(events);
    sm.changes_begin = changes_.size();
    std::int64_t now = 0;
    double before = 0;
    std::uint32_t last = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
        before += static_cast<double>(now) * (events[i].first - last);
        last = events[i].first;
        now += events[i].second;
        if (i + 1 < events.size() && events[i + 1].first == last) continue;
        const auto resident = static_cast<std::uint32_t>(std::max<std::int64_t>(now, 0));
        changes_.push_back({last, resident, before});
        sm.most_resident = std::max(sm.most_resident, resident);
    }
    sm.changes_end = changes_.size();
    most_resident_ = std::max(most_resident_, sm.most_resident);
}

/// Warp cycles of an SM before a cycle. `at` continues from call to call.
double MeasuredIndex::warp_cycles(const Sm& sm, double cycle, std::size_t& at) const {
    while (at + 1 < sm.changes_end && changes_[at + 1].cycle <= cycle) ++at;
    const Change& change = changes_[at];
    if (cycle <= change.cycle) return change.before;
    return change.before + change.resident * (cycle - change.cycle);
}

void MeasuredIndex::resident(std::uint32_t sm_index, double begin_ns, double end_ns,
                             std::span<float> out) const {
    const Sm& sm = sms_[sm_index];
    std::ranges::fill(out, 0.0f);
    if (out.empty() || end_ns <= begin_ns || sm.changes_begin == sm.changes_end) return;
    const double width = (end_ns - begin_ns) / static_cast<double>(out.size());
    const double bin = length_ns_ / coarse_bins;
    if (!coarse_.empty() && width >= 2 * bin) {
        const float* bins = coarse_.data() + sm_index * coarse_bins;
        for (std::size_t i = 0; i < out.size(); ++i) {
            const double from = (begin_ns + width * static_cast<double>(i)) / bin;
            const auto first = static_cast<std::int64_t>(std::max(0.0, std::floor(from)));
            const auto last = std::min(static_cast<std::int64_t>(coarse_bins),
                                       static_cast<std::int64_t>(std::ceil(from + width / bin)));
            for (std::int64_t b = first; b < last; ++b) out[i] += bins[b];
            if (last > first) out[i] /= static_cast<float>(last - first);
        }
        return;
    }
    const double first_cycle = std::max(0.0, cycle_of(sm_index, begin_ns));
    const auto begin = changes_.begin() + static_cast<std::ptrdiff_t>(sm.changes_begin);
    const auto end = changes_.begin() + static_cast<std::ptrdiff_t>(sm.changes_end);
    auto found = std::upper_bound(begin, end, first_cycle,
                                  [](double cycle, const Change& change) { return cycle < change.cycle; });
    if (found != begin) --found;
    auto at = static_cast<std::size_t>(found - changes_.begin());
    const double cycles = width / ns_per_cycle_, from = cycle_of(sm_index, begin_ns);
    double before = warp_cycles(sm, from, at);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const double after = warp_cycles(sm, from + cycles * static_cast<double>(i + 1), at);
        out[i] = static_cast<float>((after - before) / cycles);
        before = after;
    }
}

std::uint32_t MeasuredIndex::warp_of(std::uint64_t block, std::uint32_t warp) const {
    const auto& warps = measured_->warps;
    const auto found = std::ranges::lower_bound(warps, std::pair(block, warp), {},
                                                [](const auto& w) { return std::pair(w.block, w.warp); });
    if (found == warps.end() || found->block != block || found->warp != warp) return no_index;
    return static_cast<std::uint32_t>(found - warps.begin());
}

std::uint32_t MeasuredIndex::warp_of_record(std::uint32_t record) const {
    if (record >= trace_->warps.size()) return no_index;
    return warp_of(trace_->warps[record].block, trace_->warps[record].warp);
}

std::uint32_t MeasuredIndex::record_of_warp(std::uint32_t warp) const {
    if (warp >= measured_->warps.size()) return no_index;
    const trace::MeasuredWarp& measured = measured_->warps[warp];
    const trace::WarpRecord* record = trace::find_warp(*trace_, measured.block, measured.warp);
    return record ? static_cast<std::uint32_t>(record - trace_->warps.data()) : no_index;
}

std::uint32_t MeasuredIndex::warp_at(std::size_t row, double ns) const {
    if (row >= rows_.size()) return no_index;
    const double cycle = cycle_of(rows_[row].sm, ns);
    const auto all = stays(row);
    auto found = std::ranges::upper_bound(all, cycle, {}, [](const Stay& s) { return double(s.begin); });
    if (found == all.begin()) return no_index;
    --found;
    return cycle < found->end ? found->warp : no_index;
}

std::span<const trace::MeasuredVisit> MeasuredIndex::visits(std::uint32_t warp) const {
    const trace::MeasuredWarp& measured = measured_->warps[warp];
    return {measured_->visits.data() + measured.visits_begin, measured_->visits.data() + measured.visits_end};
}

std::uint32_t MeasuredIndex::visit_at(std::uint32_t warp, double cycle) const {
    const auto all = visits(warp);
    // The last that had been entered by then; those without a time count with the one before them.
    std::size_t low = 0, high = all.size();
    std::uint32_t best = no_index;
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        std::size_t timed = middle;
        while (timed < high && all[timed].entered == trace::no_time) ++timed;
        if (timed < high && all[timed].entered <= cycle) {
            best = static_cast<std::uint32_t>(timed);
            low = timed + 1;
        } else {
            high = middle;
        }
    }
    return best;
}

std::uint32_t MeasuredIndex::left(std::uint32_t warp, std::uint32_t visit) const {
    const auto all = visits(warp);
    for (std::size_t next = visit + std::size_t{1}; next < all.size(); ++next) {
        if (all[next].arrived != trace::no_time) return all[next].arrived;
        if (all[next].entered != trace::no_time) return all[next].entered;
    }
    return measured_->warps[warp].end;
}

std::string MeasuredIndex::warp_words(std::uint32_t warp) const {
    const trace::MeasuredWarp& measured = measured_->warps[warp];
    return fmt::format("block {} warp {}", grouped(measured.block), measured.warp);
}

const Site* MeasuredIndex::first_site(std::uint32_t basic_block) const {
    const Program& program = trace_->program;
    if (basic_block >= program.basic_blocks.size()) return nullptr;
    const BasicBlock& block = program.basic_blocks[basic_block];
    if (block.site_count == 0 || block.first_site >= program.sites.size()) return nullptr;
    return &program.sites[block.first_site];
}

std::shared_ptr<const MeasuredIndex> index_measured(const std::shared_ptr<const trace::Trace>& trace) {
    if (!trace || !trace->measured) return nullptr;
    return std::make_shared<const MeasuredIndex>(trace);
}

}  // namespace warplens::app
