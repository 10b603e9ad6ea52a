// Costly lines: where a kernel's requests take more than the ideal, line by line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/report/inlined_lines.h"
#include "analysis/report/launch_report.h"

namespace warplens::analysis {

/// The machine instructions that access the same memory on a line of the PTX level.
struct MachineLine {
    std::string words;    // "LDS.128 × 4", of the most frequent kind of instruction first
    AccessTotals access;  // of all of them
};

/// The instructions of one kind on one line: an unrolled loop has many that do the same.
struct CostlyLine {
    const Site* first = nullptr;
    std::vector<SiteId> sites;
    AccessTotals access;
    std::optional<MachineLine> machine;  // of counts from PTX, if the machine code was executed as well
    std::vector<InlinedPlace> inlined;   // where in inlined functions they stand, ascending

    bool is_of(const Site& site) const {
        return first->file == site.file && first->line == site.line && first->opcode == site.opcode &&
               (site.line != 0 || first->ptx_line == site.ptx_line);
    }
    /// Wavefronts and sectors above the ideal, in the machine code where it is known: the potential saving of
    /// a better access pattern.
    std::uint64_t excess() const;
    std::string instructions() const;  // "ld.shared.f32 × 8"
    /// "8 sectors per request (ideal 4); 2 wavefronts per request (ideal 1); worst 2-way".
    std::string cost() const;
    /// "in the machine code LDS.128 × 4: the ideal". Empty: the same as cost(), or not known.
    std::string cost_in_machine_code() const;
};

/// The most wasteful first; those at their ideal are left out. They refer to `program`, which the report's
/// sites are of.
std::vector<CostlyLine> costly_lines(const LaunchReport& report, const Program& program);

}  // namespace warplens::analysis
