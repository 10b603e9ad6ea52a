#include "app/scene/same_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "app/scene/instruction_diff.h"
#include "app/scene/own_source.h"
#include "app/scene/step_spot.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

SiteId same_site(const Program& from, SiteId site, const Program& to) {
    const InstructionDiff diff = diff_instructions(from, to);
    const auto pair = std::ranges::find(diff.pairs, site, &InstructionPair::before);
    return pair == diff.pairs.end() ? no_index : pair->after;
}

std::string instruction_words(const Site& site) {
    return site.line == 0 ? fmt::format("`{}`", site.opcode)
                          : fmt::format("`{}` of line {}", site.opcode, site.line);
}

/// "%rd4" and the like, in the order in which the instruction names them.
std::vector<std::string> registers_of(const std::string& text) {
    std::vector<std::string> names;
    for (std::size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at + 1)) {
        std::size_t end = at + 1;
        while (end < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
            ++end;
        names.push_back(text.substr(at, end - at));
    }
    return names;
}

}  // namespace

Result<Spot> same_step(const Scene& from, const Spot& spot, const Scene& to) {
    const trace::Trace &old_trace = *from.trace, &trace = *to.trace;
    if (!run_the_same_kernel(old_trace, trace))
        return fail("step that corresponds: it runs another kernel, `{}`", trace.launch.kernel);
    Spot wanted = spot;
    if (wanted.warp_record >= old_trace.warps.size()) wanted.warp_record = 0;
    const trace::WarpRecord& old_warp = old_trace.warps[wanted.warp_record];
    const trace::WarpRecord* warp = trace::find_warp(trace, old_warp.block, old_warp.warp);
    if (warp == nullptr) return fail("record of warp {} of block {}", old_warp.warp, old_warp.block);

    const trace::RecordedSites old_sites(old_trace.program), sites(trace.program);
    const trace::WarpSteps old_steps(old_trace, old_sites, old_warp), steps(trace, sites, *warp);
    const std::uint64_t old_step = step_of_spot(old_trace, wanted).value_or(0);
    if (old_step >= old_steps.size())
        return fail("steps of warp {} of block {}", old_warp.warp, old_warp.block);
    const SiteId old_site = old_steps.at(old_step).site;
    const SiteId site = same_site(old_trace.program, old_site, trace.program);
    if (site == no_index)
        return fail("instruction that corresponds to {}",
                    instruction_words(old_trace.program.sites[old_site]));

    std::uint64_t before = 0;  // executions of the instruction before the step
    for (auto at = old_steps.find_site(old_site); at && *at < old_step;
         at = old_steps.find_site(old_site, *at + 1))
        ++before;
    std::uint64_t made = 0;
    for (auto at = steps.find_site(site); at; at = steps.find_site(site, *at + 1)) {
        if (made++ < before) continue;
        WARPLENS_TRY(Spot same,
                     spot_of_step(trace, static_cast<std::uint32_t>(warp - trace.warps.data()), *at));
        same.lane = spot.lane;
        return same;
    }
    return fail("step that corresponds: its warp executes {} {} times, not {}",
                instruction_words(trace.program.sites[site]), made, before + 1);
}

std::map<std::string, std::string> same_registers(const Program& from, const Program& to) {
    // How often each register occurs, and how often each pair stands at the same place.
    std::map<std::string, int> uses, other_uses;
    std::map<std::pair<std::string, std::string>, int> together;
    for (const Site& site : from.sites)
        for (const std::string& name : registers_of(site.text)) ++uses[name];
    for (const Site& site : to.sites)
        for (const std::string& name : registers_of(site.text)) ++other_uses[name];
    for (const InstructionPair& pair : diff_instructions(from, to).pairs) {
        if (pair.before == no_index || pair.after == no_index) continue;
        const auto before = registers_of(from.sites[pair.before].text),
                   after = registers_of(to.sites[pair.after].text);
        for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i)
            ++together[{before[i], after[i]}];
    }
    // At most one pair of a register can have more than half of its uses.
    std::map<std::string, std::string> pairs;
    for (const auto& [pair, count] : together)
        if (2 * count > std::max(uses[pair.first], other_uses[pair.second])) pairs.insert(pair);
    return pairs;
}

}  // namespace warplens::app
