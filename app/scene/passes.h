// Passes: a kernel's PTX after each instrumentation pass, with what each added, for the Passes view. Takes
// milliseconds and no GPU; not for the UI thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/line_diff.h"
#include "core/launch.h"
#include "instrumentation/rewrite/recording_plan.h"

namespace warplens::app {

/// The text after one pass, compared with the text before it.
struct PassText {
    std::string name, help;
    std::string before, after;
    std::vector<DiffLine> lines;  // of `before` and `after`
    std::uint32_t added = 0, removed = 0;
};

struct ModePasses {
    std::string failure;           // why this mode cannot record the kernel; empty when it can
    std::vector<PassText> passes;  // the first is the kernel's own; the last all of them together
};

struct KernelPasses {
    std::string failure;              // the PTX cannot be instrumented
    std::array<ModePasses, 3> modes;  // as RecordMode counts
};

inline constexpr std::array<instrumentation::RecordMode, 3> record_modes{instrumentation::RecordMode::light,
                                                                         instrumentation::RecordMode::full,
                                                                         instrumentation::RecordMode::proof};

/// As a recording of the whole launch instruments it. `entry` as in Program::entry; `shared_bytes` static and
/// dynamic, of a block.
KernelPasses make_passes(std::string_view ptx, std::string_view entry, const LaunchGeometry& geometry,
                         std::uint32_t shared_bytes);

}  // namespace warplens::app
