#include "simt/timing/shared_counters.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace warplens::simt {
namespace {

bool adds_integers(const Site& site) {
    const std::string_view opcode = site.opcode;
    if (site.operation != Operation::atomic || site.space == Space::shared || opcode.starts_with("red") ||
        opcode.starts_with("RED"))
        return false;
    const auto has = [&](std::string_view part) { return opcode.find(part) != std::string_view::npos; };
    return (has(".add") || has(".inc") || has(".ADD") || has(".INC")) && !has(".f") && !has(".F");
}

}  // namespace

bool takes_numbers(const trace::Trace& trace, const std::vector<std::uint32_t>& warps,
                   const MachineProgram& code) {
    std::set<std::uint16_t> read;
    for (const MachineOp& op : code.ops)
        for (const std::uint16_t source : code.sources(op)) read.insert(source);
    std::set<BasicBlockId> counting;
    for (const MachineOp& op : code.ops) {
        const Site& site = trace.program.sites[op.site];
        const auto results = code.results(op);
        if (adds_integers(site) &&
            std::ranges::any_of(results, [&](std::uint16_t result) { return read.contains(result); }))
            counting.insert(site.basic_block);
    }
    if (counting.empty()) return false;
    return std::ranges::any_of(warps, [&](std::uint32_t warp) {
        const trace::WarpRecord& record = trace.warps[warp];
        int times = 0;
        for (std::uint64_t visit = record.visits_begin; visit < record.visits_end && times < 2; ++visit)
            times += counting.contains(trace.visits[visit].basic_block);
        return times == 2;
    });
}

}  // namespace warplens::simt
