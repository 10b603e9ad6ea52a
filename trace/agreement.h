// Compares two Traces of the same launch, the CPU engine's and a GPU's: the same sites, warps, masks and
// addresses, time left out. Diverged lanes may run in any order, so visits are matched lane by lane:
// equal means that every lane did the same in its own order, together with the same lanes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/run_dependence.h"
#include "trace/trace.h"

namespace warplens::trace {

/// The first record in which a lane differs, in the first such warp; if there is none, in the first warp
/// whose lanes were together in one trace and diverged in the other.
struct Divergence {
    enum class Kind : std::uint8_t { missing_warp, path, mask, guard, branch, address };
    Kind kind = Kind::path;
    std::uint64_t block = 0;
    std::uint32_t warp = 0;
    int lane = 0;
    SiteId site = 0;          // for a path or mask: the first site of the basic block
    std::uint64_t visit = 0;  // of the first trace's warp, counted from its first
    std::string sentence;     // "block 3, warp 1, lane 5: …, the GPU …, the CPU engine …"
};

struct Agreement {
    std::uint64_t warps = 0;    // compared
    std::uint64_t records = 0;  // visits, masks and accesses that agree
    std::uint64_t warps_that_differ = 0;
    /// Warps where every lane did the same in the same order with the same addresses, but lanes were together
    /// in one trace and diverged in the other. Part of warps_that_differ.
    std::uint64_t warps_with_other_masks = 0;
    /// Warps that agree except for the number of polls: a loop of one basic block that reads the same
    /// volatile or acquired word again, writes nothing, and of whose iterations only the last matters.
    std::uint64_t warps_that_waited = 0;
    /// Warps that differ only in what depends on the run (RunDependence). They count as warps that agree;
    /// where lanes were together in one trace and diverged in the other, as those above.
    std::uint64_t warps_that_depend_on_the_run = 0;
    /// What these warps depend on: "reads %clock64 (k.cu:12)", "order of atom.global.add.u32 (k.cu:9)",
    /// "rounding of sub.f32 (k.cu:5)".
    std::vector<std::string> reasons;
    std::optional<Divergence> first;

    bool exact() const { return warps_that_differ == 0; }
    bool lane_by_lane() const { return warps_that_differ == warps_with_other_masks; }
};

struct AgreementOptions {
    /// false: one of the two has none, and may also lack the masks of guards; if both have those, they are
    /// still compared.
    bool addresses = true;
    /// Of the traces' program: what of it is not compared in warps that differ. Null: everything is.
    const RunDependence* run_dependence = nullptr;
};

/// Global addresses are compared by buffer or module variable and offset (Launch::buffers, variables), those
/// outside, such as the driver's memory, by their distances from each other, and others directly. Addresses
/// of parameters follow from the program and are not compared. A block's own shared memory is the same
/// through either window. Both traces have the same blocks of the same Program.
Agreement compare(const Trace& cpu, const Trace& gpu, AgreementOptions options = {});

}  // namespace warplens::trace
