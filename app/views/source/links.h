// Links: which lines of the CUDA, the PTX and the machine code belong to what is selected. A line of the CUDA
// is linked with everything that was made of it; a PTX instruction with the machine instructions made of it,
// and back.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/report/inlined_lines.h"
#include "app/scene/scene.h"
#include "app/scene/selection.h"

namespace warplens::app {

enum class CodeLevel : std::uint8_t { cuda, ptx, machine };

/// A line under the mouse, or clicked, and the spot that was made of it.
struct PickedLine {
    Spot spot;
    CodeLevel level = CodeLevel::cuda;
    std::uint32_t line = 0;  // 0: none
};

/// Numbers of lines, ascending; of the machine code sites from 1.
struct LinkedLines {
    std::vector<std::uint32_t> cuda, ptx, machine;
};

/// `file`: the kernel's own file among the sources. `inlined`: of the PTX's sites. `picked` counts if the
/// spot was made of it.
LinkedLines linked_lines(const Scene& scene, std::uint32_t file,
                         const std::vector<analysis::InlinedPlace>& inlined, const Spot& spot,
                         const PickedLine& picked);

/// The line of the PTX that a machine instruction was made of; 0: not known.
std::uint32_t ptx_line_of(const Scene& scene, SiteId machine_site);
/// The line of the kernel's own file that a machine instruction was made of; 0: not known.
std::uint32_t cuda_line_of(const Scene& scene, std::uint32_t file, SiteId machine_site);

}  // namespace warplens::app
