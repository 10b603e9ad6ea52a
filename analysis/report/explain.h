// Explain: what a selected request or site does, in one sentence with its numbers, why, and what to try. It
// states what the program did (exact at PTX level); the timing model has the duration.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/launch_report.h"
#include "trace/trace.h"

namespace warplens::analysis {

/// One of the kernel's knobs. Explanations suggest only values that the knobs allow.
struct KnobHint {
    enum class Meaning { padding, tile, stride, offset, block_size, other };
    std::string parameter;               // "PAD"
    std::string value;                   // as set now
    std::vector<std::string> choices{};  // allowed values, ascending; empty: any number
    Meaning meaning = Meaning::other;

    bool allows(std::string_view wanted) const;
};

struct Suggestion {
    std::string parameter, value;  // "PAD", "1"
    std::string text;              // "Set PAD to 1: each row then begins one bank further on."
};

struct Explanation {
    std::string what;  // "Load of line 14: 32 lanes are in 1 bank and take 32 wavefronts (ideal 1)."
    std::string why;   // one sentence; empty if there is nothing to explain
    std::optional<Suggestion> suggestion;
    std::string detail;      // the arithmetic in one line: "4 of 128 bytes of each sector …"; may be empty
    bool is_costly = false;  // more wavefronts or sectors than ideal, or inactive lanes
};

/// One request of the trace, by index into Trace::accesses.
Explanation explain_access(const trace::Trace& trace, std::uint64_t access,
                           std::span<const KnobHint> knobs = {});
/// One site, from the whole report.
Explanation explain_site(const LaunchReport& report, const Program& program, SiteId site,
                         std::span<const KnobHint> knobs = {});

}  // namespace warplens::analysis
