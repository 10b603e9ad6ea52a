#include "analysis/report/costly_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "analysis/wording.h"

namespace warplens::analysis {
namespace {

std::uint64_t beyond_ideal(const AccessTotals& access) {
    return access.sectors - access.ideal_sectors + access.wavefronts - access.ideal_wavefronts;
}

std::string words_of_cost(const AccessTotals& access) {
    std::string words;
    if (access.sectors > access.ideal_sectors)
        words = fmt::format("{} sectors per request (ideal {})", ratio(access.sectors, access.requests),
                            ratio(access.ideal_sectors, access.requests));
    if (access.wavefronts > access.ideal_wavefronts) {
        if (!words.empty()) words += "; ";
        words += fmt::format(
            "{} wavefronts per request (ideal {}); worst {}-way", ratio(access.wavefronts, access.requests),
            ratio(access.ideal_wavefronts, access.requests), rounded(access.conflict_ways()));
    }
    return words;
}

std::string opcode_times(const std::string& opcode, std::size_t instructions) {
    return instructions == 1 ? opcode : fmt::format("{} × {}", opcode, instructions);
}

const std::string& file_of(const Site& site, const Program& program) {
    static const std::string unknown;
    return site.file < program.sources.size() ? program.sources[site.file].name : unknown;
}

/// Nothing: no machine instruction of this line accesses that memory. The line table then gives it another
/// line, or it was left out.
std::optional<MachineLine> machine_line(const Site& of, const Program& program, const MachineRun& machine) {
    MachineLine line;
    std::vector<std::pair<std::string, std::size_t>> opcodes;
    for (const SiteReport& counts : machine.report.sites) {
        const Site& site = machine.program.sites[counts.site];
        if (counts.access.requests == 0 || of.line == 0 || site.line != of.line || site.space != of.space ||
            site.operation != of.operation || file_of(site, machine.program) != file_of(of, program))
            continue;
        line.access.add(counts.access);
        const auto found = std::ranges::find(opcodes, site.opcode, &decltype(opcodes)::value_type::first);
        if (found == opcodes.end()) opcodes.emplace_back(site.opcode, 1);
        else ++found->second;
    }
    if (opcodes.empty()) return std::nullopt;
    std::ranges::stable_sort(opcodes, std::ranges::greater{}, &decltype(opcodes)::value_type::second);
    for (const auto& [opcode, instructions] : opcodes)
        line.words += (line.words.empty() ? "" : ", ") + opcode_times(opcode, instructions);
    return line;
}

}  // namespace

std::uint64_t CostlyLine::excess() const { return beyond_ideal(machine ? machine->access : access); }

std::string CostlyLine::instructions() const { return opcode_times(first->opcode, sites.size()); }

std::string CostlyLine::cost() const { return words_of_cost(access); }

std::string CostlyLine::cost_in_machine_code() const {
    if (!machine || words_of_cost(machine->access) == cost()) return {};
    const std::string words = words_of_cost(machine->access);
    return fmt::format("in the machine code {}: {}", machine->words, words.empty() ? "the ideal" : words);
}

std::vector<CostlyLine> costly_lines(const LaunchReport& report, const Program& program) {
    std::vector<CostlyLine> costly;
    const std::vector<InlinedPlace> inlined = inlined_places(program);
    for (const SiteReport& site : report.sites) {
        if (beyond_ideal(site.access) == 0) continue;
        const Site& about = program.sites[site.site];
        auto line = std::ranges::find_if(costly, [&](const CostlyLine& other) { return other.is_of(about); });
        if (line == costly.end()) line = costly.insert(costly.end(), {&about, {}, {}, {}, {}});
        line->sites.push_back(site.site);
        const InlinedPlace& inner = inlined[site.site];
        if (inner.line != 0 && std::ranges::find(line->inlined, inner) == line->inlined.end())
            line->inlined.push_back(inner);
        line->access.add(site.access);
    }
    if (report.machine_code)
        for (CostlyLine& line : costly)
            line.machine = machine_line(*line.first, program, *report.machine_code);
    for (CostlyLine& line : costly) std::ranges::sort(line.inlined);
    std::ranges::stable_sort(costly, std::ranges::greater{}, &CostlyLine::excess);
    return costly;
}

}  // namespace warplens::analysis
