#include <fmt/format.h>

#include "analysis/report/launch_report.h"
#include "analysis/warps/operation_count.h"
#include "core/csv_text.h"
#include "core/lane_mask.h"
#include "core/line_of_site.h"

namespace warplens::analysis {
namespace {

struct Row {
    const SiteReport& report;
    const Site& site;
    const Program& program;

    std::string_view file() const { return source_of(program, site); }
    Space space() const { return site.space != Space::none ? site.space : report.space; }
    /// The operations of its lanes, floating-point or integer; 0 where the site's are the other.
    std::uint64_t operations(bool floating) const {
        const OperationCount one = count_operations(site);
        if ((one.kind != OperationKind::integer) != floating) return 0;
        return report.executed_lanes * one.per_lane + report.executed_lanes / warp_size * one.per_warp;
    }
};

struct Column {
    const char* name;
    std::string (*text)(const Row& row);
};

constexpr Column columns[] = {
    {"site", [](const Row& row) { return fmt::to_string(row.report.site); }},
    {"file", [](const Row& row) { return csv_field(row.file()); }},
    {"line", [](const Row& row) { return fmt::to_string(row.site.line); }},
    {"ptx_line", [](const Row& row) { return fmt::to_string(row.site.ptx_line); }},
    {"opcode", [](const Row& row) { return csv_field(row.site.opcode); }},
    {"space", [](const Row& row) { return std::string(to_string(row.space())); }},
    {"operation", [](const Row& row) { return std::string(to_string(row.site.operation)); }},
    {"bytes_per_lane", [](const Row& row) { return fmt::to_string(row.site.bytes_per_lane); }},
    {"steps", [](const Row& row) { return fmt::to_string(row.report.steps); }},
    {"requests", [](const Row& row) { return fmt::to_string(row.report.access.requests); }},
    {"sectors", [](const Row& row) { return fmt::to_string(row.report.access.sectors); }},
    {"ideal_sectors", [](const Row& row) { return fmt::to_string(row.report.access.ideal_sectors); }},
    {"wavefronts", [](const Row& row) { return fmt::to_string(row.report.access.wavefronts); }},
    {"ideal_wavefronts", [](const Row& row) { return fmt::to_string(row.report.access.ideal_wavefronts); }},
    {"conflict_ways", [](const Row& row) { return fmt::format("{}", row.report.access.conflict_ways()); }},
    {"mean_active_lanes", [](const Row& row) { return fmt::format("{}", row.report.mean_active_lanes()); }},
    {"branches", [](const Row& row) { return fmt::to_string(row.report.branches); }},
    {"divergent_branches", [](const Row& row) { return fmt::to_string(row.report.branches_divergent); }},
    {"flops", [](const Row& row) { return fmt::to_string(row.operations(true)); }},
    {"integer_operations", [](const Row& row) { return fmt::to_string(row.operations(false)); }},
};

}  // namespace

std::string to_csv(const LaunchReport& report, const Program& program) {
    std::string out;
    const auto end_field = [&out](const Column& column) {
        out.push_back(&column == &columns[std::size(columns) - 1] ? '\n' : ',');
    };
    for (const Column& column : columns) {
        out += column.name;
        end_field(column);
    }
    for (const SiteReport& site : report.sites) {
        const Row row{site, program.sites[site.site], program};
        for (const Column& column : columns) {
            out += column.text(row);
            end_field(column);
        }
    }
    return out;
}

}  // namespace warplens::analysis
