// Explain: what a selected request or site does, in one sentence with its numbers, and why. It states what
// the program did (exact at PTX level); the timing model has the duration, and what to change is found by
// running it: app/scene/advice.h.
#pragma once

#include <string>

#include "analysis/report/launch_report.h"
#include "trace/trace.h"

namespace warplens::analysis {

struct Explanation {
    std::string what;        // "Load of line 14: 32 lanes are in 1 bank and take 32 wavefronts (ideal 1)."
    std::string why;         // one sentence; empty if there is nothing to explain
    std::string detail;      // the arithmetic in one line: "4 of 128 bytes of each sector …"; may be empty
    bool is_costly = false;  // more wavefronts or sectors than ideal, or inactive lanes
};

/// One request of the trace, by index into Trace::accesses.
Explanation explain_access(const trace::Trace& trace, std::uint64_t access);
/// One site, from the whole report.
Explanation explain_site(const LaunchReport& report, const Program& program, SiteId site);

}  // namespace warplens::analysis
