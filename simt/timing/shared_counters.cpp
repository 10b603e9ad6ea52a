#include "simt/timing/shared_counters.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string_view>

namespace warplens::simt {
namespace {

bool names_any_of(const Site& site, std::initializer_list<std::string_view> parts) {
    return std::ranges::any_of(
        parts, [&](std::string_view part) { return site.opcode.find(part) != std::string::npos; });
}

/// Its result can be used.
bool is_atomic_of_grid(const Site& site) {
    return site.operation == Operation::atomic && site.space != Space::shared &&
           !site.opcode.starts_with("red") && !site.opcode.starts_with("RED");
}

bool adds_integers(const Site& site) {
    return is_atomic_of_grid(site) && names_any_of(site, {".add", ".inc", ".ADD", ".INC"}) &&
           !names_any_of(site, {".f", ".F"});
}

/// Whether a warp visits one of the basic blocks twice.
bool visit_twice(const trace::Trace& trace, const std::vector<std::uint32_t>& warps,
                 const std::set<BasicBlockId>& blocks) {
    if (blocks.empty()) return false;
    return std::ranges::any_of(warps, [&](std::uint32_t warp) {
        const trace::WarpRecord& record = trace.warps[warp];
        int times = 0;
        for (std::uint64_t visit = record.visits_begin; visit < record.visits_end && times < 2; ++visit)
            times += blocks.contains(trace.visits[visit].basic_block);
        return times == 2;
    });
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
    return visit_twice(trace, warps, counting);
}

bool swaps_again(const trace::Trace& trace, const std::vector<std::uint32_t>& warps) {
    std::set<BasicBlockId> swapping;
    for (const Site& site : trace.program.sites)
        if (is_atomic_of_grid(site) && names_any_of(site, {".cas", ".CAS"}))
            swapping.insert(site.basic_block);
    return visit_twice(trace, warps, swapping);
}

}  // namespace warplens::simt
