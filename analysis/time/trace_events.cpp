#include "analysis/time/trace_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/time/event_stream.h"
#include "analysis/time/measured_events.h"
#include "analysis/time/schedule_flows.h"
#include "analysis/wording.h"

namespace warplens::analysis {
namespace {

constexpr int sm = 1;  // the process; viewers treat 0 as a machine's idle task
constexpr int first_block_row = 100;

int thread_of(const trace::ScheduledWarp& warp) { return 1000 * (warp.scheduler + 1) + warp.slot; }

std::string place_words(Dim3 at) { return fmt::format("({}, {}, {})", at.x, at.y, at.z); }

std::string written(std::string_view text) { return EventStream::written(text); }

/// The texts of a site, as JSON.
struct SiteTexts {
    std::string opcode, place, awaited;

    explicit SiteTexts(const Site& site) : opcode(written(site.opcode)) {
        const std::string text = written(site.text);
        place = fmt::format(R"("site":{})", text);
        awaited = fmt::format(R"("waits_for":{})", text);
        if (site.line == 0) return;
        place += fmt::format(R"(,"line":{})", site.line);
        awaited += fmt::format(R"(,"waits_for_line":{})", site.line);
    }
};

struct StateTexts {
    std::string name, title, sentence;

    explicit StateTexts(const WarpStateInfo& state)
        : name(written(state.name)), title(written(state.title)), sentence(written(state.sentence)) {}
};

/// The events of a cycle in their order: ends first, then begins from the outside in, then flows.
enum class Kind : std::uint8_t { departure, block, warp, state, flow_end, flow_begin };

struct Entry {
    std::uint32_t cycle = 0;
    Kind kind = Kind::state;
    std::uint32_t owner = 0;  // warp or block
    std::uint64_t index = 0;  // span or flow
    auto key() const { return std::tuple(cycle, kind, owner, index); }
};

/// Assigns each block a row that is free while it is resident.
std::vector<int> rows_of(std::span<const trace::ScheduledBlock> blocks) {
    std::vector<int> rows;
    std::vector<std::uint32_t> free_from;
    for (const trace::ScheduledBlock& block : blocks) {
        auto row = std::ranges::find_if(free_from, [&](std::uint32_t from) { return from <= block.arrival; });
        if (row == free_from.end()) row = free_from.insert(row, 0);
        *row = block.departure;
        rows.push_back(static_cast<int>(row - free_from.begin()));
    }
    return rows;
}

class EventWriter {
  public:
    EventWriter(const trace::Trace& trace, const trace::Schedule& schedule, const TraceEventOptions& options,
                const TextSink& sink)
        : trace_(trace),
          schedule_(schedule),
          options_(options),
          stream_(sink),
          flows_(flows_of(schedule, trace.program)),
          rows_(rows_of(schedule.blocks)),
          states_(schedule.warps.size(), nowhere),
          site_texts_(trace.program.sites.begin(), trace.program.sites.end()),
          state_texts_(warp_states.begin(), warp_states.end()) {}

    Result<TraceEventCounts> write() {
        make_entries();
        if (entries_.empty() && !has_measured_events(trace_, options_))
            return fail("No warp is resident from cycle {} to {}; the schedule has {} cycles",
                        grouped(options_.first_cycle), grouped(options_.last_cycle),
                        grouped(schedule_.totals.cycles));
        stream_.begin(other_data());
        put_names();
        for (std::size_t i = 0; i < entries_.size();) {
            const std::uint32_t cycle = entries_[i].cycle;
            for (; i < entries_.size() && entries_[i].cycle == cycle; ++i) put(entries_[i]);
            put_counters(cycle);
            WARPLENS_TRY(stream_.status());
        }
        put_measured_events(trace_, options_, stream_, counts_);
        WARPLENS_TRY(stream_.end());
        return counts_;
    }

  private:
    static constexpr std::uint8_t nowhere = 0xff;

    std::uint32_t cut(std::uint32_t cycle) const {
        return std::clamp(cycle, options_.first_cycle, options_.last_cycle);
    }
    bool inside(std::uint32_t cycle) const {
        return cycle >= options_.first_cycle && cycle < options_.last_cycle;
    }
    bool overlaps(std::uint32_t begin, std::uint32_t end) const {
        return begin < options_.last_cycle && end > options_.first_cycle && begin < end;
    }

    void make_entries() {
        for (std::uint32_t i = 0; i < schedule_.warps.size(); ++i) {
            const trace::ScheduledWarp& warp = schedule_.warps[i];
            if (!overlaps(warp.arrival, warp.departure)) continue;
            entries_.push_back({cut(warp.arrival), Kind::warp, i, 0});
            if (inside(warp.departure)) entries_.push_back({warp.departure, Kind::departure, i, 0});
            for (std::uint64_t s = warp.spans_begin; s < warp.spans_end; ++s) {
                const trace::StateSpan& span = schedule_.spans[s];
                if (overlaps(span.begin, end_of(schedule_, warp, span)))
                    entries_.push_back({cut(span.begin), Kind::state, i, s});
            }
        }
        if (entries_.empty()) return;
        for (std::uint32_t i = 0; i < schedule_.blocks.size(); ++i)
            if (overlaps(schedule_.blocks[i].arrival, schedule_.blocks[i].departure))
                entries_.push_back({cut(schedule_.blocks[i].arrival), Kind::block, i, 0});
        for (std::uint64_t i = 0; i < flows_.size(); ++i) {
            if (!inside(flows_[i].from_cycle) || !inside(flows_[i].to_cycle)) continue;
            entries_.push_back({flows_[i].from_cycle, Kind::flow_begin, flows_[i].from_warp, i});
            entries_.push_back({flows_[i].to_cycle, Kind::flow_end, flows_[i].to_warp, i});
            ++counts_.flows;
        }
        std::ranges::sort(entries_, {}, &Entry::key);
    }

    Json other_data() const {
        const trace::Launch& launch = trace_.launch;
        Json data;
        data["clock"] = "1 microsecond is 1 SM cycle";
        data["provenance"] = to_string(schedule_.provenance);
        data["kernel"] = launch.kernel;
        data["gpu"] = schedule_.gpu;
        data["parameters"] = launch.parameters;
        data["grid"] = to_string(launch.geometry.grid);
        data["block"] = to_string(launch.geometry.block);
        data["recorded_by"] = launch.engine;
        data["blocks_modelled"] = schedule_.blocks.size();
        data["cycles"] = schedule_.totals.cycles;
        data["first_cycle"] = options_.first_cycle;
        data["last_cycle"] =
            std::min<std::uint64_t>(options_.last_cycle, std::max<std::uint64_t>(schedule_.totals.cycles, 1));
        data["notes"] = schedule_.notes;
        if (trace_.measured) data["measured"] = measured_event_data(trace_);
        return data;
    }

    void put_event(const Json& event) { stream_.put(event); }
    void put_name(const char* what, int thread, const Json& value) {
        stream_.put_name(what, sm, thread, value);
    }

    void put_names() {
        // Short, since some viewers show it before the name of each row.
        put_name("process_name", 0,
                 {{"name", fmt::format("{}, {}", trace_.launch.kernel, to_string(schedule_.provenance))}});
        put_name("process_labels", 0,
                 {{"labels", fmt::format("one SM of {}, 1 us = 1 cycle", schedule_.gpu)}});
        put_name("process_sort_index", 0, {{"sort_index", 0}});
        std::vector<std::pair<int, std::string>> threads;
        const int rows = rows_.empty() ? 0 : *std::ranges::max_element(rows_) + 1;
        for (int row = 0; row < rows; ++row)
            threads.emplace_back(first_block_row + row, fmt::format("resident block {:02}", row));
        for (const trace::ScheduledWarp& warp : schedule_.warps)
            if (overlaps(warp.arrival, warp.departure))
                threads.emplace_back(thread_of(warp),
                                     fmt::format("scheduler {} slot {:02}", warp.scheduler, warp.slot));
        std::ranges::sort(threads);
        threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
        for (const auto& [thread, name] : threads) {
            put_name("thread_name", thread, {{"name", name}});
            put_name("thread_sort_index", thread, {{"sort_index", thread}});
        }
    }

    /// A complete event, clipped to the range.
    Json slice(std::string name, const char* category, int thread, std::uint32_t begin,
               std::uint32_t end) const {
        const std::uint32_t from = cut(begin);
        return {{"name", std::move(name)}, {"cat", category}, {"ph", "X"},    {"ts", from},
                {"dur", cut(end) - from},  {"pid", sm},       {"tid", thread}};
    }

    void put(const Entry& entry) {
        switch (entry.kind) {
            case Kind::departure:
                return set_state(entry.owner, nowhere);
            case Kind::block:
                return put_block(entry.owner);
            case Kind::warp:
                return put_warp(schedule_.warps[entry.owner]);
            case Kind::state:
                set_state(entry.owner, static_cast<std::uint8_t>(schedule_.spans[entry.index].state()));
                return put_state(schedule_.warps[entry.owner], schedule_.spans[entry.index]);
            case Kind::flow_begin:
                return put_flow(entry, "s");
            case Kind::flow_end:
                return put_flow(entry, "f");
        }
    }

    Dim3 place_of(const trace::ScheduledBlock& block) const {
        return coordinates(block.block, trace_.launch.geometry.grid);
    }

    void put_block(std::uint32_t index) {
        const trace::ScheduledBlock& block = schedule_.blocks[index];
        Json event = slice("block " + place_words(place_of(block)), "block", first_block_row + rows_[index],
                           block.arrival, block.departure);
        event["args"] = {{"block", block.block},
                         {"warps", block.warp_count},
                         {"arrival", block.arrival},
                         {"departure", block.departure}};
        put_event(event);
        ++counts_.blocks;
    }

    void put_warp(const trace::ScheduledWarp& warp) {
        const trace::ScheduledBlock& block = schedule_.blocks[warp.block];
        const std::uint32_t number = trace_.warps[warp.warp_record].warp;
        Json event = slice(fmt::format("block {} warp {}", place_words(place_of(block)), number), "warp",
                           thread_of(warp), warp.arrival, warp.departure);
        event["args"] = {{"block", block.block},
                         {"warp", number},
                         {"arrival", warp.arrival},
                         {"departure", warp.departure}};
        put_event(event);
        ++counts_.warps;
    }

    /// By far the most events: written from texts prepared once per site and state.
    void put_state(const trace::ScheduledWarp& warp, const trace::StateSpan& span) {
        const bool issues = span.state() == WarpState::selected;
        const StateTexts& state = state_texts_[static_cast<std::size_t>(span.state())];
        const SiteTexts& site = site_texts_[span.site()];
        const std::uint32_t from = cut(span.begin);
        std::string& text = stream_.next();
        text += fmt::format(
            R"({{"name":{},"cat":"{}","ph":"X","ts":{},"dur":{},"pid":{},"tid":{},"args":{{"block":{},)"
            R"("warp":{},"state":{},{},"why":{})",
            issues ? site.opcode : state.title, issues ? "issue" : "wait", from,
            cut(end_of(schedule_, warp, span)) - from, sm, thread_of(warp),
            schedule_.blocks[warp.block].block, trace_.warps[warp.warp_record].warp, state.name, site.place,
            state.sentence);
        if (const trace::StateSpan* cause = cause_of(warp, span))
            text += fmt::format(R"(,{},"issued_at":{})", site_texts_[cause->site()].awaited, cause->begin);
        text += "}}";
        ++counts_.states;
    }

    /// The span before `waiting` in which the warp issued what it waits for; nullptr if it does not wait for
    /// its own instruction. Searched backwards, since loads are moved up and steps are thus not in order.
    const trace::StateSpan* cause_of(const trace::ScheduledWarp& warp,
                                     const trace::StateSpan& waiting) const {
        if (waiting.cause == no_index) return nullptr;
        const trace::StateSpan* first = schedule_.spans.data() + warp.spans_begin;
        for (const trace::StateSpan* span = &waiting; span-- != first;)
            if (span->step == waiting.cause && span->state() == WarpState::selected) return span;
        return nullptr;
    }

    void put_flow(const Entry& entry, const char* phase) {
        const Flow& flow = flows_[entry.index];
        Json event{{"name", flow.kind == FlowKind::data ? "data" : "barrier"},
                   {"cat", flow.kind == FlowKind::data ? "memory" : "barrier"},
                   {"ph", phase},
                   {"id", entry.index + 1},
                   {"ts", entry.cycle},
                   {"pid", sm},
                   {"tid", thread_of(schedule_.warps[entry.owner])}};
        if (*phase == 'f') event["bp"] = "e";
        put_event(event);
    }

    void count(std::uint8_t state, int by) {
        if (state == nowhere) return;
        const auto is = [&](WarpState wanted) { return state == static_cast<std::uint8_t>(wanted); };
        resident_ += by;
        if (is(WarpState::selected)) issued_ += by;
        if (is(WarpState::selected) || is(WarpState::not_selected)) eligible_ += by;
    }

    void set_state(std::uint32_t warp, std::uint8_t state) {
        count(states_[warp], -1);
        states_[warp] = state;
        count(state, 1);
    }

    void put_counters(std::uint32_t cycle) {
        put_counter(0, "resident", "warps", resident_, cycle);
        put_counter(1, "eligible", "warps", eligible_, cycle);
        put_counter(2, "issued", "instructions", issued_, cycle);
    }

    /// Perfetto shows the name followed by the unit.
    void put_counter(std::size_t which, const char* name, const char* unit, int value, std::uint32_t cycle) {
        if (last_values_[which] == value) return;
        last_values_[which] = value;
        put_event(
            {{"name", name}, {"ph", "C"}, {"ts", cycle}, {"pid", sm}, {"tid", 0}, {"args", {{unit, value}}}});
        ++counts_.counter_values;
    }

    const trace::Trace& trace_;
    const trace::Schedule& schedule_;
    TraceEventOptions options_;
    EventStream stream_;
    std::vector<Flow> flows_;
    std::vector<int> rows_;
    std::vector<std::uint8_t> states_;  // of each warp, as of the last written cycle
    std::vector<SiteTexts> site_texts_;
    std::vector<StateTexts> state_texts_;
    std::vector<Entry> entries_;
    int resident_ = 0, eligible_ = 0, issued_ = 0;  // warps in that cycle
    int last_values_[3] = {-1, -1, -1};
    TraceEventCounts counts_;
};

}  // namespace

Result<TraceEventCounts> write_trace_events(const trace::Trace& trace, const trace::Schedule& schedule,
                                            const TraceEventOptions& options, const TextSink& sink) {
    if (schedule.spans.empty())
        return fail("The schedule of {} has no warp states to export", trace.launch.kernel);
    return EventWriter(trace, schedule, options, sink).write();
}

}  // namespace warplens::analysis
