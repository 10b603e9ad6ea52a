// Explain: what a selected request or site does, in one sentence with the numbers put in, and why. It states
// what the program did (exact at PTX level); how long that takes is the timing model's, and what to change is
// found by running it: app/scene/advice.h.
#pragma once

#include <string>

#include "analysis/report/launch_report.h"
#include "trace/trace.h"

namespace warplens::analysis {

struct Explanation {
    std::string what;    // "Load of line 14: 32 lanes fall into 1 bank and take 32 wavefronts, (ideal 1)."
    std::string why;     // one sentence; empty when there is nothing to explain
    std::string detail;  // the arithmetic in one line: "4 of 128 bytes of each sector …"; may be empty
    bool is_costly = false;  // more wavefronts or sectors than ideal, or lanes off
};

/// One request of the trace, by index into Trace::accesses.
Explanation explain_access(const trace::Trace& trace, std::uint64_t access);
/// One site, from the whole report.
Explanation explain_site(const LaunchReport& report, const Program& program, SiteId site);

}  // namespace warplens::analysis
