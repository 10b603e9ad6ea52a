#include "analysis/time/measured_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/time/measured_summary.h"
#include "core/sm_timing.h"

namespace warplens::analysis {
namespace {

using trace::Measured;
using trace::MeasuredVisit;
using trace::MeasuredWarp;

constexpr int first_process = 2;      // 1 is the modelled SM
constexpr int rows_of_one_slot = 10;  // warps that appear to share a slot get separate rows

double rounded_time(double time) { return std::round(time * 1000) / 1000; }

/// Converts cycles of an SM to the launch's.
class Axis {
  public:
    explicit Axis(const trace::Trace& trace) {
        clock_hz_ = trace.measured->clock_hz;
        if (const auto gpu = find_gpu(trace.launch.gpu); clock_hz_ <= 0 && gpu)
            clock_hz_ = sm_timing(**gpu).clock_hz;
        if (clock_hz_ <= 0) clock_hz_ = 1e9;
        for (const trace::MeasuredSm& sm : trace.measured->sms)
            begin_[sm.sm] = rounded_time(sm.offset_ns * 1e-9 * clock_hz_);
    }
    double at(std::uint16_t sm, std::uint32_t cycle) const {
        const auto found = begin_.find(sm);
        return (found == begin_.end() ? 0 : found->second) + cycle;
    }
    double ns(double time) const { return rounded_time(time / clock_hz_ * 1e9); }

  private:
    double clock_hz_ = 0;
    std::map<std::uint16_t, double> begin_;
};

class MeasuredEvents {
  public:
    MeasuredEvents(const trace::Trace& trace, const TraceEventOptions& options, EventStream& stream,
                   TraceEventCounts& counts)
        : trace_(trace),
          measured_(*trace.measured),
          options_(options),
          stream_(stream),
          counts_(counts),
          axis_(trace) {
        for (const BasicBlock& block : trace.program.basic_blocks) {
            std::string name = fmt::format("basic block {}", names_.size()), place;
            if (block.site_count > 0) {
                const Site& site = trace.program.sites[block.first_site];
                if (site.line > 0) name = fmt::format("line {}: {}", site.line, site.opcode);
                place = fmt::format(R"(,"site":{})", EventStream::written(site.text));
                if (site.line > 0) place += fmt::format(R"(,"line":{})", site.line);
            }
            names_.push_back(EventStream::written(name));
            places_.push_back(std::move(place));
        }
    }

    void put() {
        std::vector<const MeasuredWarp*> warps;
        for (const MeasuredWarp& warp : measured_.warps)
            if (overlaps(axis_.at(warp.sm, warp.begin), axis_.at(warp.sm, warp.end))) warps.push_back(&warp);
        std::sort(warps.begin(), warps.end(), [](const MeasuredWarp* a, const MeasuredWarp* b) {
            return std::tie(a->sm, a->begin, a->block, a->warp) <
                   std::tie(b->sm, b->begin, b->block, b->warp);
        });
        std::vector<int> rows;
        std::map<std::pair<int, int>, std::uint32_t> free_from;
        for (const MeasuredWarp* warp : warps) {
            int row = warp->slot * rows_of_one_slot + 1;
            while (free_from[{warp->sm, row}] > warp->begin) ++row;
            free_from[{warp->sm, row}] = warp->end;
            rows.push_back(row);
        }
        int sm = -1;
        for (const auto& [place, until] : free_from) {
            if (place.first != sm) name_sm(sm = place.first);
            name_row(place.first, place.second);
        }
        for (std::size_t i = 0; i < warps.size() && stream_.status(); ++i) put_warp(*warps[i], rows[i]);
    }

  private:
    bool overlaps(double begin, double end) const {
        return begin < end && begin < options_.last_cycle && end > options_.first_cycle;
    }
    double cut(double time) const {
        return std::clamp<double>(time, options_.first_cycle, options_.last_cycle);
    }

    void name_sm(int sm) {
        const int process = first_process + sm;
        stream_.put_name("process_name", process, 0,
                         {{"name", fmt::format("{}, measured, SM {}", trace_.launch.kernel, sm)}});
        stream_.put_name("process_labels", process, 0,
                         {{"labels", fmt::format("{}, 1 us = 1 cycle", measured_.device)}});
        stream_.put_name("process_sort_index", process, 0, {{"sort_index", process}});
    }

    void name_row(int sm, int row) {
        const int slot = (row - 1) / rows_of_one_slot, nth = (row - 1) % rows_of_one_slot;
        const std::string name =
            fmt::format("slot {:02}{}", slot, nth == 0 ? "" : fmt::format(", {} more", nth));
        stream_.put_name("thread_name", first_process + sm, row, {{"name", name}});
        stream_.put_name("thread_sort_index", first_process + sm, row, {{"sort_index", row}});
    }

    /// nullptr if it is outside the range. Otherwise the caller appends the arguments and two braces.
    std::string* slice(std::string_view name, std::string_view category, const MeasuredWarp& warp, int row,
                       double begin, double end) {
        if (!overlaps(begin, end)) return nullptr;
        std::string& text = stream_.next();
        text +=
            fmt::format(R"({{"name":{},"cat":"{}","ph":"X","ts":{},"dur":{},"pid":{},"tid":{},"args":{{)"
                        R"("provenance":"measured","block":{},"warp":{},"begin_ns":{},"end_ns":{})",
                        name, category, rounded_time(cut(begin)), rounded_time(cut(end) - cut(begin)),
                        first_process + warp.sm, row, warp.block, warp.warp, axis_.ns(begin), axis_.ns(end));
        return &text;
    }

    void put_warp(const MeasuredWarp& warp, int row) {
        const double begin = axis_.at(warp.sm, warp.begin), end = axis_.at(warp.sm, warp.end);
        const Dim3 at = coordinates(warp.block, trace_.launch.geometry.grid);
        std::string* text = slice(fmt::format(R"("block ({}, {}, {}) warp {}")", at.x, at.y, at.z, warp.warp),
                                  "measured warp", warp, row, begin, end);
        if (!text) return;
        *text += fmt::format(R"(,"cycles":{}}}}})", warp.end - warp.begin);
        ++counts_.measured_warps;
        put_visits(warp, row);
    }

    /// Visits without a time belong to the one before them.
    void put_visits(const MeasuredWarp& warp, int row) {
        const auto visits = visits_of(measured_, warp);
        for (std::size_t i = 0; i < visits.size();) {
            const std::uint32_t entered =
                i == 0 && visits[0].entered == trace::no_time ? warp.begin : visits[i].entered;
            std::size_t next = i + 1;
            while (next < visits.size() && visits[next].entered == trace::no_time) ++next;
            std::uint32_t end = warp.end;
            if (next < visits.size()) end = wait_begin(visits[next], entered);
            put_visit(warp, row, visits.subspan(i, next - i), entered, end);
            if (next < visits.size()) put_wait(warp, row, visits[next], end);
            i = next;
        }
    }

    /// Diverged lanes may have arrived while others ran: drawn from the end of those.
    static std::uint32_t wait_begin(const MeasuredVisit& visit, std::uint32_t not_before) {
        if (visit.arrived == trace::no_time) return visit.entered;
        return std::clamp(visit.arrived, std::min(not_before, visit.entered), visit.entered);
    }

    void put_visit(const MeasuredWarp& warp, int row, std::span<const MeasuredVisit> visits,
                   std::uint32_t begin, std::uint32_t end) {
        const MeasuredVisit& visit = visits.front();
        std::string* text = slice(names_[visit.basic_block], "measured visit", warp, row,
                                  axis_.at(warp.sm, begin), axis_.at(warp.sm, end));
        if (!text) return;
        *text += fmt::format(R"(,"cycles":{},"basic_block":{},"lanes":"0x{:08x}"{})", end - begin,
                             visit.basic_block, visit.active, places_[visit.basic_block]);
        if (visits.size() > 1) {
            *text += R"(,"and_without_times":[)";
            for (std::size_t i = 1; i < visits.size(); ++i)
                *text += fmt::format("{}{}", i == 1 ? "" : ",", visits[i].basic_block);
            *text += "]";
        }
        *text += "}}";
        ++counts_.measured_visits;
    }

    void put_wait(const MeasuredWarp& warp, int row, const MeasuredVisit& visit, std::uint32_t begin) {
        if (visit.arrived == trace::no_time) return;
        std::string* text = slice(R"("waits at the barrier")", "measured wait", warp, row,
                                  axis_.at(warp.sm, begin), axis_.at(warp.sm, visit.entered));
        if (!text) return;
        *text += fmt::format(R"(,"cycles":{},"lanes":"0x{:08x}"}}}})", visit.entered - visit.arrived,
                             visit.active);
        ++counts_.measured_waits;
    }

    const trace::Trace& trace_;
    const Measured& measured_;
    TraceEventOptions options_;
    EventStream& stream_;
    TraceEventCounts& counts_;
    Axis axis_;
    std::vector<std::string> names_, places_;  // per basic block, as JSON
};

}  // namespace

Json measured_event_data(const trace::Trace& trace) {
    const Measured& measured = *trace.measured;
    Json data;
    data["provenance"] = "measured";
    data["device"] = measured.device;
    data["driver"] = measured.driver;
    data["date"] = measured.date;
    data["clock_hz"] = measured.clock_hz > 0 ? Json(measured.clock_hz) : Json(nullptr);
    data["timer_bound_ns"] = measured.timer_bound_ns;
    data["clock"] = "1 microsecond is 1 cycle of that clock from the launch's first warp on any SM";
    if (const trace::Perturbation* timed = timed_perturbation(measured)) {
        data["mode"] = timed->mode;
        data["clean_us"] = timed->clean_us;
        data["traced_us"] = timed->traced_us;
        data["dropped_records"] = timed->dropped_records;
    }
    return data;
}

bool has_measured_events(const trace::Trace& trace, const TraceEventOptions& options) {
    if (!trace.measured) return false;
    const Axis axis(trace);
    return std::any_of(
        trace.measured->warps.begin(), trace.measured->warps.end(), [&](const MeasuredWarp& warp) {
            const double begin = axis.at(warp.sm, warp.begin), end = axis.at(warp.sm, warp.end);
            return begin < end && begin < options.last_cycle && end > options.first_cycle;
        });
}

void put_measured_events(const trace::Trace& trace, const TraceEventOptions& options, EventStream& stream,
                         TraceEventCounts& counts) {
    if (trace.measured) MeasuredEvents(trace, options, stream, counts).put();
}

Result<TraceEventCounts> write_trace_events(const trace::Trace& trace, const TraceEventOptions& options,
                                            const TextSink& sink) {
    if (!has_measured_events(trace, options))
        return fail("Nothing was measured of {} from cycle {} to {}", trace.launch.kernel,
                    options.first_cycle, options.last_cycle);
    EventStream stream(sink);
    TraceEventCounts counts;
    Json data;
    data["kernel"] = trace.launch.kernel;
    data["parameters"] = trace.launch.parameters;
    data["grid"] = to_string(trace.launch.geometry.grid);
    data["block"] = to_string(trace.launch.geometry.block);
    data["measured"] = measured_event_data(trace);
    stream.begin(data);
    put_measured_events(trace, options, stream, counts);
    WARPLENS_TRY(stream.end());
    return counts;
}

}  // namespace warplens::analysis
