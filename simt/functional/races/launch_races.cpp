#include "simt/functional/races/launch_races.h"

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <string_view>

namespace warplens::simt {

namespace {

/// "acq_rel" of "atom.acq_rel.gpu.global.add.u32".
bool has_ordering(std::string_view opcode, std::string_view modifier) {
    for (std::size_t at = opcode.find('.'); at != std::string_view::npos; at = opcode.find('.', at + 1)) {
        const std::string_view rest = opcode.substr(at + 1);
        if (rest.starts_with(modifier) && (rest.size() == modifier.size() || rest[modifier.size()] == '.'))
            return true;
    }
    return false;
}

SiteStrength strength_of(std::string_view opcode, Space space) {
    SiteStrength strength;
    strength.atomic = opcode.starts_with("atom") || opcode.starts_with("red.");
    strength.releases =
        has_ordering(opcode, "release") || has_ordering(opcode, "acq_rel") || has_ordering(opcode, "sc");
    strength.strong = strength.atomic || strength.releases;
    for (std::string_view modifier : {"volatile", "relaxed", "acquire", "mmio"})
        strength.strong |= has_ordering(opcode, modifier);
    strength.in_step = space == Space::shared && has_ordering(opcode, "volatile");
    strength.plain_store = opcode.starts_with("st.") && !strength.strong;
    strength.ignored = opcode.starts_with("cp.async.bulk") || opcode.starts_with("mbarrier") ||
                       opcode.starts_with("cp.reduce");
    strength.copies = opcode.starts_with("cp.async") && !strength.ignored;
    return strength;
}

bool is_machine_code(const Site& site) {
    return !site.opcode.empty() && site.opcode.front() >= 'A' && site.opcode.front() <= 'Z';
}

/// `ptx`: the opcode that the instruction was assembled from; empty: not known.
SiteStrength strength_of_machine(const Site& site, std::string_view ptx) {
    const std::string_view opcode = site.opcode, name = opcode.substr(0, opcode.find('.'));
    const auto is_any = [&](std::initializer_list<std::string_view> names) {
        return std::ranges::find(names, name) != names.end();
    };
    SiteStrength strength;
    if (site.space == Space::shared && site.kind == SiteKind::memory) strength = strength_of(ptx, site.space);
    strength.releases = false;
    strength.atomic = is_any({"ATOM", "ATOMG", "ATOMS", "RED", "REDG", "REDAS"});
    strength.strong |= strength.atomic || has_ordering(opcode, "STRONG");
    strength.plain_store = is_any({"ST", "STG", "STS"}) && !strength.strong;
    strength.ignored = name.starts_with("UBLK") || name.starts_with("UTMA") || name == "SYNCS";
    strength.copies = name == "LDGSTS";
    return strength;
}

/// The lines of a text, from number 1 on.
std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines{{}};
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

/// "ld.volatile.shared.u32" of "\t@%p1 ld.volatile.shared.u32 \t%r5, [%rd2];".
std::string_view opcode_in(std::string_view line) {
    constexpr std::string_view blank = " \t";
    while (true) {
        line.remove_prefix(std::min(line.find_first_not_of(blank), line.size()));
        const std::string_view word = line.substr(0, line.find_first_of(blank));
        if (!word.starts_with('@')) return word;
        line.remove_prefix(word.size());
    }
}

}  // namespace

LaunchRaces::LaunchRaces(const DecodedKernel& kernel, std::string_view ptx) {
    const auto& sites = kernel.numbered.sites;
    const bool has_machine_code = std::ranges::any_of(sites, is_machine_code);
    const std::vector<std::string_view> lines = lines_of(has_machine_code ? ptx : std::string_view());
    for (const Site& site : sites) {
        const std::string_view from =
            site.ptx_line < lines.size() ? opcode_in(lines[site.ptx_line]) : std::string_view();
        strengths_.push_back(is_machine_code(site) ? strength_of_machine(site, from)
                                                   : strength_of(site.opcode, site.space));
        strengths_.back().perhaps_volatile =
            is_machine_code(site) && ptx.empty() && site.space == Space::shared && !strengths_.back().atomic;
        if (site.kind != SiteKind::memory || site.bytes_per_lane == 0) continue;
        const u32 shift = static_cast<u32>(std::countr_zero(site.bytes_per_lane));
        const bool copies = strengths_.back().copies;
        if (site.space != Space::global || copies) shared_shift_ = std::min(shared_shift_, shift);
        if (site.space != Space::shared || copies) global_shift_ = std::min(global_shift_, shift);
    }
}

void LaunchRaces::drop_excused(std::vector<Problem>& problems) const {
    std::erase_if(problems, [&](const Problem& problem) {
        if (!problem.other || problem.site == no_index || problem.other->site == no_index) return false;
        if (problem.kind != ProblemKind::shared_race && problem.kind != ProblemKind::global_race)
            return false;
        const SiteId one = problem.site, two = problem.other->site;
        return (peeks.contains(one) && strengths_[two].atomic) ||
               (peeks.contains(two) && strengths_[one].atomic);
    });
}

}  // namespace warplens::simt
