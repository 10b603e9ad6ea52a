#include "simt/functional/races/launch_races.h"

#include <algorithm>
#include <bit>
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

SiteStrength strength_of(const Site& site) {
    const std::string_view opcode = site.opcode;
    SiteStrength strength;
    strength.atomic = opcode.starts_with("atom") || opcode.starts_with("red.");
    strength.releases =
        has_ordering(opcode, "release") || has_ordering(opcode, "acq_rel") || has_ordering(opcode, "sc");
    strength.strong = strength.atomic || strength.releases;
    for (std::string_view modifier : {"volatile", "relaxed", "acquire", "mmio"})
        strength.strong |= has_ordering(opcode, modifier);
    strength.in_step = site.space == Space::shared && has_ordering(opcode, "volatile");
    strength.plain_store = opcode.starts_with("st.") && !strength.strong;
    strength.ignored = opcode.starts_with("cp.async.bulk") || opcode.starts_with("mbarrier") ||
                       opcode.starts_with("cp.reduce");
    strength.copies = opcode.starts_with("cp.async") && !strength.ignored;
    return strength;
}

}  // namespace

LaunchRaces::LaunchRaces(const DecodedKernel& kernel) {
    for (const Site& site : kernel.numbered.sites) {
        strengths_.push_back(strength_of(site));
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
