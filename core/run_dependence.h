// RunDependence: the parts of a kernel's execution that may differ between two correct runs of one launch,
// because they depend on a clock, on where a warp runs, on the order of atomic operations, or on rounding
// that PTX leaves to the assembler. ptx/run_dependence.h finds them; trace/agreement.h does not compare them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/program.h"

namespace warplens {

struct RunDependence {
    /// One bit per entry of `sources`; the last bit stands for all from the 64th on.
    using Sources = std::uint64_t;
    /// A register that is read; the order of atomic operations; rounding.
    enum class Kind : std::uint8_t { reads, order, rounding };
    struct Source {
        SiteId site = 0;
        std::string name;  // "%clock64", "atom.global.add.u32" or "sub.f32"
        Kind kind = Kind::reads;
    };
    struct SiteDependence {
        Sources lanes = 0;    // which lanes execute it or, of a branch, take it
        Sources address = 0;  // what it accesses
    };

    std::vector<Source> sources;
    std::vector<SiteDependence> sites;  // by SiteId
    std::vector<Sources> basic_blocks;  // by BasicBlockId: whether and how often lanes come there

    static Sources bit(std::size_t source) { return Sources{1} << (source < 64 ? source : 63); }
};

}  // namespace warplens
