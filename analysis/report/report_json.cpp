#include <algorithm>
#include <span>

#include "analysis/report/access_figures.h"
#include "analysis/report/approximate_math.h"
#include "analysis/report/inlined_lines.h"
#include "analysis/report/launch_report.h"
#include "analysis/report/launch_tree.h"
#include "analysis/report/machine_counts.h"
#include "analysis/report/metrics.h"
#include "analysis/report/report_measured.h"
#include "analysis/report/whole_grid.h"
#include "core/json_text.h"
#include "core/number_text.h"

namespace warplens::analysis {
namespace {

Json triple(Dim3 extent) { return Json::array({extent.x, extent.y, extent.z}); }

/// A JSON number if the whole text is one.
Json parameter(const std::string& text) {
    if (const auto whole = number_from<std::int64_t>(text)) return *whole;
    if (const auto real = number_from<double>(text)) return *real;
    return text;
}

/// The launch's numbers by their names in the table of metrics.
class Numbers {
  public:
    explicit Numbers(const LaunchReport& report) : sums_(whole_launch(report)) {}

    /// `absent` when the launch lacks it.
    Json operator()(std::string_view name, const Json& absent = nullptr) const {
        const Metric& metric = *find_metric(name);
        const auto value = metric.read(sums_);
        if (!value) return absent;
        return metric.is_count ? Json(static_cast<std::int64_t>(*value)) : Json(*value);
    }

  private:
    MetricSums sums_;
};

/// Without requests there is no mean.
Json mean(std::uint64_t sum, std::uint64_t count) {
    return count == 0 ? Json(nullptr) : Json(static_cast<double>(sum) / static_cast<double>(count));
}

Json access_row(const AccessKind& kind, const AccessTotals& totals) {
    Json row;
    for (const AccessFigure& figure : access_figures(kind))
        row[figure.name] = figure.per ? mean(figure.of(totals), figure.per(totals)) : Json(figure.of(totals));
    return row;
}

Json problem(const Problem& problem, const Program& program) {
    Json out{{"kind", to_string(problem.kind)},
             {"message", problem.message},
             {"file", problem.file},
             {"line", problem.line},
             {"block", triple(problem.block)},
             {"thread", triple(problem.thread)},
             {"address", problem.address},
             {"element", problem.element},
             {"count", problem.count}};
    if (!problem.child.empty()) out["child"] = problem.child;
    if (is_found_at_load(problem)) out["block"] = out["thread"] = nullptr;
    if (problem.site < program.sites.size()) {
        out["site"] = problem.site;
        out["ptx_line"] = program.sites[problem.site].ptx_line;
    }
    if (problem.other) {
        const OtherParty& other = *problem.other;
        out["other"] = {{"file", other.file},
                        {"line", other.line},
                        {"block", triple(other.block)},
                        {"thread", triple(other.thread)}};
        if (other.site < program.sites.size()) out["other"]["site"] = other.site;
    }
    return out;
}

Json printed_row(const Printed& one) {
    Json out{{"block", triple(one.block)}, {"thread", triple(one.thread)}, {"text", one.text}};
    if (one.line != 0) out["line"] = one.line;
    if (one.site != no_index) out["site"] = one.site;
    if (!one.child.empty()) out["child"] = one.child;
    return out;
}

/// The location is that of the first site: the problem view and an editor jump to its lines.
Json unsupported_row(const UnsupportedForm& missing, const Program& program) {
    Json out{{"form", missing.form},  {"reason", missing.reason}, {"count", missing.sites.size()},
             {"ptx_line", nullptr},   {"line", nullptr},          {"file", ""},
             {"sites", missing.sites}};
    const SiteId first = missing.sites.empty() ? no_index : missing.sites.front();
    if (first >= program.sites.size()) return out;
    const Site& site = program.sites[first];
    out["ptx_line"] = site.ptx_line;
    if (site.line != 0) out["line"] = site.line;
    if (site.file < program.sources.size()) out["file"] = program.sources[site.file].name;
    return out;
}

Json approximation_row(const Approximation& one) {
    return {{"form", one.form},        {"allowed_error", one.bound->allowed},
            {"over", one.bound->over}, {"engine_error", one.bound->engine},
            {"steps", one.steps},      {"sites", one.sites}};
}

Json site_row(const SiteReport& report, const Site& site, const Program& program,
              const std::vector<InlinedPlace>& inlined) {
    const AccessTotals& access = report.access;
    const Space space = site.space != Space::none ? site.space : report.space;
    Json out{{"site", report.site},
             {"line", site.line},
             {"ptx_line", site.ptx_line},
             {"opcode", site.opcode},
             {"space", space == Space::none ? "generic" : to_string(space)},
             {"operation", to_string(site.operation)},
             {"bytes_per_lane", site.bytes_per_lane},
             {"requests", access.requests},
             {"sectors", access.sectors},
             {"ideal_sectors", access.ideal_sectors},
             {"wavefronts", access.wavefronts},
             {"ideal_wavefronts", access.ideal_wavefronts},
             {"conflict_ways", access.conflict_ways()},
             {"mean_active_lanes", report.mean_active_lanes()},
             {"steps", report.steps}};
    if (site.file < program.sources.size()) out["file"] = program.sources[site.file].name;
    if (site.operation == Operation::atomic) out["most_lanes_per_address"] = access.most_lanes_per_address;
    if (const InlinedPlace& place = inlined[report.site]; place.line != 0) {
        out["inlined_line"] = place.line;
        out["inlined_file"] = program.sources[place.file].name;
    }
    return out;
}

/// The states that occur, in warp-cycles of the modelled SM.
Json states_of(const ByWarpState<std::uint64_t>& states) {
    Json out = Json::object();
    for (const WarpStateInfo& row : warp_states)
        if (states[row.state] > 0) out[std::string(row.name)] = states[row.state];
    return out;
}

/// Every instruction of machine code has a row.
Json machine_row(const LaunchReport& launch, const SiteReport& report, const Program& program,
                 const std::vector<InlinedPlace>& inlined) {
    constexpr std::uint64_t instruction_bytes = 16;
    const Site& site = program.sites[report.site];
    Json out = site_row(report, site, program, inlined);
    if (launch.schedule && launch.schedule->level == launch.level &&
        report.site < launch.schedule->site_states.size())
        out["stalls"] = states_of(launch.schedule->site_states[report.site]);
    out["machine_offset"] = report.site * instruction_bytes;
    out["text"] = site.text;
    out["thread_steps"] = report.active_lanes;
    return out;
}

Json branch_row(const SiteReport& report, const Site& site) {
    return {{"site", report.site},
            {"line", site.line},
            {"ptx_line", site.ptx_line},
            {"branches", report.branches},
            {"divergent_branches", report.branches_divergent},
            {"mean_active_lanes", report.mean_active_lanes()}};
}

bool is_data_access(const Site& site) { return site.kind == SiteKind::memory && site.space != Space::param; }

Json resources_row(const LaunchReport& report, const Numbers& number) {
    return {{"registers_per_thread", number("resources.registers_per_thread", 0)},
            {"shared_static_bytes", number("resources.shared_static_bytes")},
            {"shared_dynamic_bytes", number("resources.shared_dynamic_bytes")},
            {"stack_bytes", number("resources.stack_bytes")},
            {"target", report.launch.resources.target}};
}

Json occupancy_row(const Occupancy& occupancy, const Numbers& number) {
    Json allowed;
    for (std::size_t i = 0; i < occupancy.blocks_allowed.size(); ++i)
        allowed[std::string(to_string(static_cast<Limiter>(i)))] = occupancy.blocks_allowed[i];
    Json out{{"blocks_per_sm", number("occupancy.blocks_per_sm")},
             {"warps_per_sm", number("occupancy.warps_per_sm")},
             {"theoretical", number("occupancy.theoretical")},
             {"limiter", to_string(occupancy.limiter)},
             {"blocks_allowed", allowed},
             {"steps", occupancy.steps}};
    if (!occupancy.reason.empty()) out["reason"] = occupancy.reason;
    return out;
}

Json divergence_row(const Numbers& number) {
    return {{"branches", number("divergence.branches")},
            {"divergent_branches", number("divergence.divergent_branches")},
            {"mean_active_lanes", number("divergence.mean_active_lanes", 0.0)},
            {"mean_executed_lanes", number("divergence.mean_executed_lanes", 0.0)}};
}

Json schedule_row(const LaunchReport& report, const Numbers& number) {
    if (!report.schedule) return nullptr;
    const ScheduleSummary& summary = *report.schedule;
    Json states;
    for (const WarpStateInfo& row : warp_states)
        states[std::string(row.name)] = number("schedule.stalls." + std::string(row.name));
    Json out{{"cycles", number("schedule.cycles")},
             {"provenance", "modelled"},
             {"issue_active", number("schedule.issue_active")},
             {"eligible_warps", number("schedule.eligible_warps")},
             {"stalls", states},
             {"limiting", summary.limiting},
             {"seconds", number("schedule.seconds")},
             {"overhead_cycles", summary.launch.overhead_cycles},
             {"memory_cycles", summary.launch.memory_cycles},
             {"atomic_cycles", summary.launch.atomic_cycles},
             {"sm_cycles", summary.launch.sm_cycles},
             {"drain_cycles", summary.launch.drain_cycles},
             {"blocks_on_sm", summary.launch.blocks_on_sm},
             {"blocks_modelled", summary.launch.blocks_modelled},
             {"resident_blocks", summary.resident_blocks},
             {"dram_bytes", number("schedule.dram_bytes")},
             {"l2_bytes", number("schedule.l2_bytes")},
             {"repeated_load_latency", number("schedule.repeated_load_latency")},
             {"measured_latencies", summary.measured_latencies},
             {"notes", summary.notes},
             {"level", level_word(summary.level)}};
    if (!summary.why_ptx.empty()) out["why_ptx"] = summary.why_ptx;
    return out;
}

/// A figure of the GPU that may be unknown.
Json known(double value) { return value > 0 ? Json(value) : Json(nullptr); }

Json roofline_row(const LaunchReport& report, const Numbers& number) {
    if (!report.roofline) return nullptr;
    const Roofline& roofline = *report.roofline;
    return {{"flops", number("roofline.flops")},
            {"dram_bytes_ideal", number("roofline.dram_bytes_ideal")},
            {"intensity", roofline.without_images ? Json(nullptr) : number("roofline.intensity", 0.0)},
            {"estimated", roofline.estimated},
            {"without_images", roofline.without_images},
            {"fp16_operations", roofline.fp16_operations},
            {"fp32_operations", roofline.fp32_operations},
            {"fp64_operations", roofline.fp64_operations},
            {"tensor_operations", number("roofline.tensor_operations")},
            {"integer_operations", number("roofline.integer_operations")},
            {"dram_read_bytes_ideal", roofline.dram_read_bytes_ideal},
            {"dram_write_bytes_ideal", roofline.dram_write_bytes_ideal},
            {"l2_bytes", number("roofline.l2_bytes")},
            {"peak_flops", known(roofline.peak_flops)},
            {"peak_unit", roofline.peak_unit},
            {"peak_bytes_per_second", known(roofline.peak_bytes_per_second)},
            {"ridge", known(roofline.ridge)},
            {"modelled_seconds", known(roofline.modelled_seconds.value_or(0))},
            {"measured_seconds", known(roofline.measured_seconds.value_or(0))}};
}

/// Kernel, launch and the sources of the numbers.
void add_launch(Json& out, const LaunchReport& report) {
    const trace::Launch& launch = report.launch;
    const std::string_view ran = to_string(launch.provenance);
    out["kernel"] = launch.kernel;
    out["engine"] = launch.engine;
    out["gpu"] = launch.gpu;
    out["note"] = launch.note;
    out["parameters"] = Json::object();
    for (const auto& [name, value] : launch.parameters) out["parameters"][name] = parameter(value);
    out["grid"] = triple(launch.geometry.grid);
    out["block"] = triple(launch.geometry.block);
    out["blocks_executed"] = report.blocks_executed;
    if (infers_whole_grid(report)) {
        Json& whole = out["whole_grid"];
        whole["source"] = "inferred from the executed blocks, which are alike";
        for (const AccessKind& kind : access_kinds)
            for (const auto& [key, sum] : {std::pair{"requests", &AccessTotals::requests},
                                           std::pair{"sectors", &AccessTotals::sectors},
                                           std::pair{"used_bytes", &AccessTotals::used_bytes},
                                           std::pair{"wavefronts", &AccessTotals::wavefronts}})
                if ((report.*kind.totals).*sum > 0)
                    whole[kind.name][key] = *over_whole_grid(report, (report.*kind.totals).*sum);
    }
    out["level"] = level_word(report.level);
    out["provenance"] = {{"resources", "exact"},  {"occupancy", "exact"},
                         {"memory", ran},         {"divergence", ran},
                         {"steps", ran},          {"problems", ran},
                         {"golden", ran},         {"schedule", "modelled"},
                         {"roofline", ran},       {"perturbation", "measured"},
                         {"measured", "measured"}};
}

/// Each kind of request, and what else belongs to clusters and cooperative grids.
void add_memory(Json& out, const LaunchReport& report) {
    const LaunchGeometry& geometry = report.launch.geometry;
    const auto add_access = [&](std::span<const AccessKind> kinds) {
        for (const AccessKind& kind : kinds) out[kind.name] = access_row(kind, report.*kind.totals);
    };
    const std::span all_kinds = access_kinds;
    const auto constants = std::ranges::find(all_kinds, Space::constant, &AccessKind::space);
    add_access({all_kinds.begin(), constants});
    if (geometry.cluster.count() > 1) {
        out["cluster"] = triple(geometry.cluster);
        out["cluster_shared"] = {{"load_requests", report.cluster_load.requests},
                                 {"store_requests", report.cluster_store.requests},
                                 {"atomic_requests", report.cluster_atomic.requests}};
    }
    if (geometry.cooperative) out["cooperative"] = true;
    add_access({constants, all_kinds.end()});
}

/// What the run found and said.
void add_messages(Json& out, const LaunchReport& report, const Program& program) {
    out["problems"] = Json::array();
    for (const Problem& one : report.problems) out["problems"].push_back(problem(one, program));
    out["notes"] = Json::array();
    for (const Problem& one : report.notes) out["notes"].push_back(problem(one, program));
    out["printed"] = report.printed ? Json(Json::array()) : Json(nullptr);
    out["prints_dropped"] = report.printed ? Json(report.printed->dropped) : Json(nullptr);
    if (report.printed)
        for (const Printed& one : report.printed->calls) out["printed"].push_back(printed_row(one));
    out["unsupported"] = nullptr;
    if (report.unsupported) {
        out["unsupported"] = Json::array();
        for (const UnsupportedForm& missing : *report.unsupported)
            out["unsupported"].push_back(unsupported_row(missing, program));
    }
    out["approximations"] = Json::array();
    for (const Approximation& one : approximations(report, program))
        out["approximations"].push_back(approximation_row(one));
    out["races"] = {{"looked_for", report.races.blocks > 0},
                    {"blocks", report.races.blocks},
                    {"complete", report.races.complete},
                    {"note", report.races.note}};
}

void add_sites(Json& out, const LaunchReport& report, const Program& program) {
    out["sites"] = Json::array();
    out["branch_sites"] = Json::array();
    const std::vector<InlinedPlace> inlined = inlined_places(program);
    for (const SiteReport& site : report.sites) {
        const Site& about = program.sites[site.site];
        if (report.level == Level::machine)
            out["sites"].push_back(machine_row(report, site, program, inlined));
        else if (is_data_access(about)) out["sites"].push_back(site_row(site, about, program, inlined));
        if (site.branches > 0) out["branch_sites"].push_back(branch_row(site, about));
    }
}

}  // namespace

std::string to_json(const LaunchReport& report, const Program& program) {
    const Numbers number(report);
    Json out;
    add_launch(out, report);
    out["resources"] = resources_row(report, number);
    out["occupancy"] = occupancy_row(report.occupancy, number);
    add_memory(out, report);
    out["divergence"] = divergence_row(number);
    out["steps"] = number("steps");
    if (report.level == Level::machine) out["thread_steps"] = report.active_lanes;
    add_messages(out, report, program);
    add_sites(out, report, program);
    out["machine_code"] = machine_counts_json(report);
    if (!report.machine_code_absent.empty()) out["machine_code_absent"] = report.machine_code_absent;
    out["launches"] = report.launches ? launch_tree_json(*report.launches) : Json(nullptr);
    out["schedule"] = schedule_row(report, number);
    if (!report.schedule_absent.empty()) out["schedule_absent"] = report.schedule_absent;
    out["roofline"] = roofline_row(report, number);
    out["perturbation"] = perturbation_row(report);
    out["measured"] = measured_row(report);
    out["golden"] = report.golden;
    // Names and messages may hold any bytes of a user's file; invalid UTF-8 is replaced instead of throwing.
    return json_text(out, 2) + "\n";
}

}  // namespace warplens::analysis
