#include "analysis/report/whole_grid.h"

#include "analysis/report/access_figures.h"
#include "analysis/wording.h"

namespace warplens::analysis {

bool infers_whole_grid(const LaunchReport& report) {
    return report.blocks_alike && report.blocks_executed < report.launch.geometry.blocks();
}

Result<std::uint64_t> over_whole_grid(const LaunchReport& report, std::uint64_t sum) {
    const std::uint64_t blocks = report.launch.geometry.blocks();
    if (report.blocks_executed == blocks) return sum;
    if (!infers_whole_grid(report))
        return fail("{} of {} blocks were executed, and they are not alike: nothing follows for the others",
                    report.blocks_executed, blocks);
    return sum / report.blocks_executed * blocks;
}

double scaled_to_grid(const LaunchReport& report, double sum, double of_last) {
    const auto blocks = double(report.launch.geometry.blocks()), executed = double(report.blocks_executed);
    if (executed == blocks) return sum;
    if (executed == 0) return 0;
    if (!report.last_block || executed < 2) return sum * blocks / executed;
    return (sum - of_last) * (blocks - 1) / (executed - 1) + of_last;
}

std::vector<std::string> whole_grid_words(const LaunchReport& report) {
    std::vector<std::string> lines;
    if (!infers_whole_grid(report)) return lines;
    const auto whole = [&](std::uint64_t sum) { return grouped(*over_whole_grid(report, sum)); };
    for (const AccessKind& kind : access_kinds) {
        const AccessTotals& totals = report.*kind.totals;
        if (totals.requests == 0) continue;
        std::string line = fmt::format("{}: {} requests", words_of(kind), whole(totals.requests));
        if (totals.sectors > 0)
            line +=
                fmt::format(", {} sectors, {} bytes used", whole(totals.sectors), whole(totals.used_bytes));
        if (totals.wavefronts > 0) line += fmt::format(", {} wavefronts", whole(totals.wavefronts));
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace warplens::analysis
