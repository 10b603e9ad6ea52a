#include <fmt/format.h>

#include "analysis/report/launch_report.h"
#include "analysis/warps/operation_count.h"
#include "core/lane_mask.h"

namespace warplens::analysis {
namespace {

/// Quoted according to RFC 4180 if the text contains a comma, a quote or a line break.
std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"') out.push_back('"');
        out.push_back(c);
    }
    out.push_back('"');
    return out;
}

}  // namespace

std::string to_csv(const LaunchReport& report, const Program& program) {
    std::string out =
        "site,file,line,ptx_line,opcode,space,operation,bytes_per_lane,steps,requests,sectors,ideal_sectors,"
        "wavefronts,ideal_wavefronts,conflict_ways,mean_active_lanes,branches,divergent_branches,flops,"
        "integer_operations\n";
    for (const SiteReport& row : report.sites) {
        const Site& site = program.sites[row.site];
        const Space space = site.space != Space::none ? site.space : row.space;
        const std::string_view file =
            site.file < program.sources.size() ? std::string_view(program.sources[site.file].name) : "";
        const OperationCount one = count_operations(site.opcode);
        const std::uint64_t operations =
            row.executed_lanes * one.per_lane + row.executed_lanes / warp_size * one.per_warp;
        const bool floating = one.kind != OperationKind::integer;
        out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", row.site,
                           csv_field(file), site.line, site.ptx_line, csv_field(site.opcode),
                           to_string(space), to_string(site.operation), site.bytes_per_lane, row.steps,
                           row.access.requests, row.access.sectors, row.access.ideal_sectors,
                           row.access.wavefronts, row.access.ideal_wavefronts, row.access.conflict_ways(),
                           row.mean_active_lanes(), row.branches, row.branches_divergent,
                           floating ? operations : 0, floating ? 0 : operations);
    }
    return out;
}

}  // namespace warplens::analysis
