// Grouped notes: the remarks of a run (is_note) as a person reads them: one cause, one sentence, with all
// its lines. Not a problem: the kernel may be right.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/problem.h"

namespace warplens::analysis {

struct GroupedNote {
    std::vector<std::uint32_t> lines;  // of both sides, ascending; empty: not known
    std::string message;               // without a capital letter and a full stop, as of a problem
    std::vector<SiteId> sites;         // of both sides

    bool concerns(SiteId site) const;
    /// "Lines 12 to 17: these rely on …."
    std::string sentence() const;
};

std::vector<GroupedNote> grouped_notes(const std::vector<Problem>& notes);

}  // namespace warplens::analysis
