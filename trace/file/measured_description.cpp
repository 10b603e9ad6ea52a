#include "trace/file/measured_description.h"

#include <algorithm>

#include "core/json_text.h"
#include "trace/file/json_members.h"
#include "trace/query.h"

namespace warplens::trace {

namespace {

void add(BlockRanges& ranges, std::uint64_t block) {
    if (!ranges.empty() && block <= ranges.back().last) return;
    if (!ranges.empty() && block == ranges.back().last + 1) ranges.back().last = block;
    else ranges.push_back({block, block});
}

Json json_of(const BlockRanges& ranges) {
    Json list = Json::array();
    for (const BlockRange& range : ranges) list.push_back({{"first", range.first}, {"last", range.last}});
    return list;
}

Json json_of(const Perturbation& perturbation) {
    return {{"mode", perturbation.mode},
            {"clean_us", perturbation.clean_us},
            {"traced_us", perturbation.traced_us},
            {"repeats", perturbation.repeats},
            {"clean_registers", perturbation.clean_registers},
            {"traced_registers", perturbation.traced_registers},
            {"clean_blocks_per_sm", perturbation.clean_blocks_per_sm},
            {"traced_blocks_per_sm", perturbation.traced_blocks_per_sm},
            {"records", perturbation.records},
            {"recorded_bytes", perturbation.recorded_bytes},
            {"dropped_records", perturbation.dropped_records},
            {"enough_bytes", perturbation.enough_bytes},
            {"identical_results", perturbation.identical_results}};
}

void read(Members& from, Perturbation& perturbation) {
    from.get("mode", perturbation.mode);
    from.get("clean_us", perturbation.clean_us);
    from.get("traced_us", perturbation.traced_us);
    from.get("repeats", perturbation.repeats);
    from.get("clean_registers", perturbation.clean_registers);
    from.get("traced_registers", perturbation.traced_registers);
    from.get("clean_blocks_per_sm", perturbation.clean_blocks_per_sm);
    from.get("traced_blocks_per_sm", perturbation.traced_blocks_per_sm);
    from.get("records", perturbation.records);
    from.get("recorded_bytes", perturbation.recorded_bytes);
    from.get("dropped_records", perturbation.dropped_records);
    from.get("enough_bytes", perturbation.enough_bytes);
    from.get("identical_results", perturbation.identical_results);
}

void read(Members& from, const char* key, BlockRanges& ranges) {
    from.list(key, ranges, [](Members& members, BlockRange& range) {
        members.get("first", range.first);
        members.get("last", range.last);
    });
    for (std::size_t i = 0; i < ranges.size(); ++i)
        if (ranges[i].last < ranges[i].first || (i > 0 && ranges[i].first <= ranges[i - 1].last))
            return from.complain(key, "list of ascending ranges");
}

}  // namespace

bool contains(const BlockRanges& ranges, std::uint64_t block) {
    const auto after =
        std::upper_bound(ranges.begin(), ranges.end(), block,
                         [](std::uint64_t value, const BlockRange& range) { return value < range.first; });
    return after != ranges.begin() && block <= (after - 1)->last;
}

std::uint64_t count(const BlockRanges& ranges) {
    std::uint64_t blocks = 0;
    for (const BlockRange& range : ranges) blocks += range.last - range.first + 1;
    return blocks;
}

std::string describe_measured(const Trace& trace) {
    const Measured& measured = *trace.measured;
    const std::vector<std::uint64_t> recorded = recorded_blocks(trace);
    BlockRanges blocks, alone;
    for (const MeasuredWarp& warp : measured.warps) {
        add(blocks, warp.block);
        if (!std::binary_search(recorded.begin(), recorded.end(), warp.block)) add(alone, warp.block);
    }
    Json sms = Json::array(), perturbations = Json::array();
    for (const MeasuredSm& sm : measured.sms) sms.push_back({{"sm", sm.sm}, {"offset_ns", sm.offset_ns}});
    for (const Perturbation& perturbation : measured.perturbations)
        perturbations.push_back(json_of(perturbation));
    return printed({{"device", measured.device},
                    {"driver", measured.driver},
                    {"date", measured.date},
                    {"compute_major", measured.compute_major},
                    {"compute_minor", measured.compute_minor},
                    {"sm_count", measured.sm_count},
                    {"caches", to_string(measured.caches)},
                    {"openings_derived", measured.openings_derived},
                    {"clock_hz", measured.clock_hz},
                    {"timer_bound_ns", measured.timer_bound_ns},
                    {"addresses", measured.addresses},
                    {"perturbations", std::move(perturbations)},
                    {"sms", std::move(sms)},
                    {"blocks", json_of(blocks)},
                    {"alone", json_of(alone)}});
}

Result<MeasuredDescription> parse_measured(std::string_view text) {
    const auto json = parse_json(text);
    if (!json) return fail("its measurement is not valid JSON");
    MeasuredDescription made;
    std::string error;
    Members root(*json, "measured", error);
    root.get("device", made.measured.device);
    root.get("driver", made.measured.driver);
    root.get("date", made.measured.date);
    root.get("compute_major", made.measured.compute_major);
    root.get("compute_minor", made.measured.compute_minor);
    root.get("sm_count", made.measured.sm_count);
    root.get("caches", made.measured.caches, Caches::cold);
    root.get("openings_derived", made.measured.openings_derived);
    root.get("clock_hz", made.measured.clock_hz);
    root.get("timer_bound_ns", made.measured.timer_bound_ns);
    root.get("addresses", made.measured.addresses);
    root.list("perturbations", made.measured.perturbations,
              [](Members& members, Perturbation& perturbation) { read(members, perturbation); });
    root.list("sms", made.measured.sms, [](Members& members, MeasuredSm& sm) {
        members.get("sm", sm.sm);
        members.get("offset_ns", sm.offset_ns);
    });
    read(root, "blocks", made.blocks);
    read(root, "alone", made.alone);
    if (!error.empty()) return fail("{}", error);
    return made;
}

}  // namespace warplens::trace
