#include "analysis/report/grouped_notes.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens::analysis {
namespace {

void add_sides(GroupedNote& group, const Problem& note) {
    const auto add = [&](SiteId site, std::uint32_t line) {
        if (site != no_index && !group.concerns(site)) group.sites.push_back(site);
        if (line != 0 && std::ranges::find(group.lines, line) == group.lines.end())
            group.lines.insert(std::ranges::upper_bound(group.lines, line), line);
    };
    add(note.site, note.line);
    if (note.kind == ProblemKind::lockstep && note.other) add(note.other->site, note.other->line);
}

/// "line 6"; "lines 12 to 17"; "lines 12, 14 and 17"
std::string words_of(const std::vector<std::uint32_t>& lines) {
    if (lines.size() == 1) return fmt::format("line {}", lines.front());
    if (lines.back() - lines.front() + 1 == lines.size() && lines.size() > 2)
        return fmt::format("lines {} to {}", lines.front(), lines.back());
    return fmt::format("lines {} and {}", fmt::join(lines.begin(), lines.end() - 1, ", "), lines.back());
}

}  // namespace

bool GroupedNote::concerns(SiteId site) const { return std::ranges::find(sites, site) != sites.end(); }

std::string GroupedNote::sentence() const {
    std::string words = lines.empty() ? message : words_of(lines) + ": " + message;
    if (!words.empty() && words[0] >= 'a' && words[0] <= 'z')
        words[0] = static_cast<char>(words[0] - 'a' + 'A');
    return words + ".";
}

std::vector<GroupedNote> grouped_notes(const std::vector<Problem>& notes) {
    std::vector<GroupedNote> groups;
    GroupedNote* lockstep = nullptr;
    std::size_t pairs = 0;
    groups.reserve(notes.size());  // keeps `lockstep` valid
    for (const Problem& note : notes) {
        const bool is_lockstep = note.kind == ProblemKind::lockstep;
        pairs += is_lockstep ? 1 : 0;
        if (is_lockstep && lockstep != nullptr) {
            add_sides(*lockstep, note);
            continue;
        }
        const auto same = std::ranges::find(groups, note.message, &GroupedNote::message);
        if (same != groups.end() && note.line != 0) {
            add_sides(*same, note);
            continue;
        }
        groups.push_back({{}, note.message, {}});
        add_sides(groups.back(), note);
        if (is_lockstep) lockstep = &groups.back();
    }
    if (pairs > 1)
        lockstep->message =
            "these rely on lanes that run in lockstep: lanes of a warp write and read the same words, and "
            "`volatile` does not order them. From compute capability 7.0 on lanes may run apart, and no "
            "__syncwarp() is between the accesses";
    return groups;
}

}  // namespace warplens::analysis
