// Costly lines: where a kernel's requests take more than the ideal, line by line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/report/inlined_lines.h"
#include "analysis/report/launch_report.h"

namespace warplens::analysis {

/// The instructions of one kind on one line: an unrolled loop has many that do the same.
struct CostlyLine {
    const Site* first = nullptr;
    std::size_t instructions = 0;
    AccessTotals access;
    std::vector<InlinedPlace> inlined;  // where in inlined functions they stand, ascending

    bool is_of(const Site& site) const {
        return first->file == site.file && first->line == site.line && first->opcode == site.opcode &&
               (site.line != 0 || first->ptx_line == site.ptx_line);
    }
    /// Wavefronts and sectors above the ideal: the potential saving of a better access pattern.
    std::uint64_t excess() const {
        return access.sectors - access.ideal_sectors + access.wavefronts - access.ideal_wavefronts;
    }
    /// "8 sectors per request (ideal 4); 2 wavefronts per request (ideal 1); worst 2-way".
    std::string cost() const;
};

/// The most wasteful first; those at their ideal are left out. They refer to `program`.
std::vector<CostlyLine> costly_lines(const LaunchReport& report, const Program& program);

}  // namespace warplens::analysis
