#include "app/views/timeline/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/number.h"
#include "app/views/shared/access_words.h"

namespace warplens::app {

TimelineIndex::TimelineIndex(std::shared_ptr<const trace::Schedule> schedule,
                             std::shared_ptr<const trace::Trace> trace,
                             std::shared_ptr<const analysis::ScheduleSums> sums,
                             std::shared_ptr<const DensityPyramid> density)
    : schedule_(std::move(schedule)),
      trace_(std::move(trace)),
      sums_(sums ? std::move(sums) : std::make_shared<const analysis::ScheduleSums>(schedule_)),
      density_(density ? std::move(density) : std::make_shared<const DensityPyramid>(*sums_)),
      warp_of_record_(trace_->warps.size(), no_index),
      row_of_warp_(schedule_->warps.size(), 0),
      recorded_(trace_->program) {
    for (std::uint32_t i = 0; i < schedule_->warps.size(); ++i)
        if (const std::uint32_t record = schedule_->warps[i].warp_record; record < warp_of_record_.size())
            warp_of_record_[record] = i;
    for (std::uint32_t row = 0; row < sums_->rows().size(); ++row)
        for (const std::uint32_t warp : sums_->rows()[row].warps) row_of_warp_[warp] = row;
    for (std::size_t row = 0; row < sums_->rows().size(); ++row) {
        const std::uint32_t scheduler = sums_->rows()[row].scheduler;
        if (groups_.empty() || groups_.back().group != scheduler) groups_.push_back({scheduler, row, 0});
        ++groups_.back().rows;
    }
}

std::uint32_t TimelineIndex::warp_of_record(std::uint32_t record) const {
    return record < warp_of_record_.size() ? warp_of_record_[record] : no_index;
}

std::string TimelineIndex::warp_words(std::uint32_t warp) const {
    const trace::ScheduledWarp& scheduled = schedule_->warps[warp];
    const trace::ScheduledBlock& block = schedule_->blocks[scheduled.block];
    return fmt::format("block {} warp {}", grouped(block.block), warp - block.first_warp);
}

std::string TimelineIndex::warp_sentence(std::uint32_t warp) const {
    const trace::ScheduledBlock& block = schedule_->blocks[schedule_->warps[warp].block];
    return fmt::format("warp {} of {}", warp - block.first_warp, block_words(*trace_, block.block));
}

const Site* TimelineIndex::site(SiteId id) const {
    return id < trace_->program.sites.size() ? &trace_->program.sites[id] : nullptr;
}

const trace::WarpSteps* TimelineIndex::steps_of(std::uint32_t warp) const {
    const std::uint32_t record = schedule_->warps[warp].warp_record;
    if (record >= trace_->warps.size()) return nullptr;
    if (steps_warp_ != warp || !steps_) {
        steps_ = std::make_unique<trace::WarpSteps>(*trace_, recorded_, trace_->warps[record]);
        steps_warp_ = warp;
    }
    return steps_.get();
}

Spot TimelineIndex::spot_of(const TimelinePoint& point) const {
    Spot spot;
    spot.cycle = point.cycle;
    if (point.warp >= schedule_->warps.size()) return spot;
    const trace::ScheduledWarp& warp = schedule_->warps[point.warp];
    const trace::StateSpan* span = trace::span_at(*schedule_, warp, point.cycle);
    if (!span || warp.warp_record >= trace_->warps.size()) return spot;
    spot.warp_record = warp.warp_record;
    spot.step = span->step;
    if (const Site* here = site(span->site())) {
        spot.site = span->site();
        spot.source_line = here->line;
    }
    if (const trace::WarpSteps* steps = steps_of(point.warp); steps && span->step < steps->size()) {
        const trace::Step step = steps->at(span->step);
        spot.access = step.access;
        spot.visit = static_cast<std::uint32_t>(step.visit - steps->warp().visits_begin);
    }
    return spot;
}

std::uint32_t TimelineIndex::issue_cycle(std::uint32_t warp, std::uint32_t step) const {
    for (const trace::StateSpan& span : trace::spans_of(*schedule_, schedule_->warps[warp]))
        if (span.state() == WarpState::selected && span.step == step) return span.begin;
    return no_index;
}

const trace::Flight* TimelineIndex::flight_of(std::uint32_t warp, std::uint32_t step) const {
    const auto flights = trace::flights_of(*schedule_, schedule_->warps[warp]);
    const auto found = std::ranges::find(flights, step, &trace::Flight::step);
    return found == flights.end() ? nullptr : &*found;
}

std::uint32_t TimelineIndex::step_of_access(std::uint32_t warp, std::uint64_t access) const {
    const trace::WarpSteps* steps = steps_of(warp);
    if (!steps || access < steps->warp().accesses_begin || access >= steps->warp().accesses_end)
        return no_index;
    const auto step = steps->step_of_access(access);
    return step ? static_cast<std::uint32_t>(*step) : no_index;
}

TimelinePoint TimelineIndex::point_of(const Spot& spot) const {
    TimelinePoint point;
    point.warp = warp_of_record(spot.warp_record);
    if (point.warp == no_index) return point;
    const trace::ScheduledWarp& warp = schedule_->warps[point.warp];
    point.cycle = warp.arrival;
    if (trace::span_at(*schedule_, warp, spot.cycle)) {
        point.cycle = spot.cycle;
        return point;
    }
    std::uint32_t step = spot.step;
    if (step == no_index && spot.access != no_access) step = step_of_access(point.warp, spot.access);
    if (step == no_index) return point;
    if (const std::uint32_t cycle = issue_cycle(point.warp, step); cycle != no_index) point.cycle = cycle;
    return point;
}

analysis::CycleRange TimelinePlot::cycles() const {
    return {static_cast<std::uint32_t>(std::max(0.0, std::floor(view.first))),
            static_cast<std::uint32_t>(std::max(0.0, std::ceil(view.last)))};
}

const TimelineLine* TimelinePlot::line_of_row(std::size_t row) const {
    const auto found =
        std::ranges::find_if(lines, [&](const TimelineLine& line) { return !line.head && line.row == row; });
    return found == lines.end() ? nullptr : &*found;
}

const TimelineLine* TimelinePlot::line_at(float y) const {
    const auto found =
        std::ranges::find_if(lines, [&](const TimelineLine& line) { return y >= line.y0 && y < line.y1; });
    return found == lines.end() ? nullptr : &*found;
}

}  // namespace warplens::app
