// Trace: the immutable record of WHAT a launch did, warp by warp. Producers (CPU engine, GPU, file) fill it
// through trace/recorder.h; consumers use trace/query.h. It does not say WHEN: that is in the Schedule.
//
// A warp's record is a list of visits to basic blocks. Between branches all lanes of a visit execute the same
// sites, so steps need not be stored: they follow from the program (query.h expands them). Accesses and the
// masks of guarded and branching sites are stored in the order of the steps.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/lane_mask.h"
#include "core/launch.h"
#include "core/problem.h"
#include "core/program.h"
#include "core/provenance.h"
#include "trace/activity.h"
#include "trace/measured.h"

namespace warplens::trace {

struct Visit {
    BasicBlockId basic_block;
    LaneMask active;
    friend bool operator==(const Visit&, const Visit&) = default;
};

/// A request. Affine: lane i accessed base + (i - lowest active lane) * stride. Scattered, stride 0: one
/// address per active lane, lowest first, at Trace::exceptions[base]. Scattered, stride k + 1: base is the
/// lowest lane's address, and the other lanes' distances from it are those of the warp's earlier request with
/// this mask whose exceptions begin at k.
struct AccessRecord {
    SiteId site;
    LaneMask mask;        // never empty
    std::uint64_t base;   // byte address of the lowest active lane, or index into Trace::exceptions
    std::int32_t stride;  // bytes from lane to lane, or see above
    Space space;          // resolved space of the access
    bool scattered;
    friend bool operator==(const AccessRecord&, const AccessRecord&) = default;
};

/// The outcome of a conditional branch (lanes that jumped) or of a guard (lanes not predicated off).
struct MaskRecord {
    SiteId site;
    LaneMask mask;
    friend bool operator==(const MaskRecord&, const MaskRecord&) = default;
};

/// The exchange of a warp's lanes: a number below 32 per lane, as BlockObserver::exchange reports it. Bit k
/// of it, for all lanes, is bits[k]; lanes that did not participate have 0. See trace/exchange.h.
struct ExchangeRecord {
    SiteId site;
    LaneMask mask;
    std::array<std::uint32_t, 5> bits;
    friend bool operator==(const ExchangeRecord&, const ExchangeRecord&) = default;
};

/// Half-open ranges into the Trace's arrays, for one warp of one recorded block.
struct WarpRecord {
    std::uint64_t block;  // linear block index in the grid
    std::uint32_t warp;   // index within the block
    std::uint64_t visits_begin, visits_end;
    std::uint64_t accesses_begin, accesses_end;
    std::uint64_t masks_begin, masks_end;
    std::uint64_t exchanges_begin = 0, exchanges_end = 0;
    friend bool operator==(const WarpRecord&, const WarpRecord&) = default;
};

/// A device allocation of the launch, so that an address can be shown as buffer and element.
struct Buffer {
    std::string name;
    std::string element_type;  // "f32", "i32", "u8", …
    std::uint32_t element_bytes = 1;
    std::uint64_t base = 0;  // byte address in the kernel
    std::uint64_t bytes = 0;
};

struct Resources {
    std::uint32_t registers_per_thread = 0;  // 0: not known
    std::uint32_t shared_static_bytes = 0;
    std::uint32_t stack_bytes = 0;
    std::string target;  // target of the figures, e.g. "sm_90"
};

struct Launch {
    std::string kernel;  // readable name
    std::string title;
    std::string
        note;  // a sentence: which part of the kernel the launch does not show, and why; usually empty
    std::map<std::string, std::string> parameters;  // as set, printed: {"TILE": "32"}
    LaunchGeometry geometry;
    std::vector<Buffer> buffers;
    std::vector<Buffer> variables;  // the module's variables in global memory, if known; named as in the PTX
    Resources resources;
    std::string gpu;     // GpuSpec name, e.g. "H200"
    std::string engine;  // "simt" or "cuda"
    Provenance provenance = Provenance::simulated;
};

/// Every array consists of the warps' parts, consecutive and without gaps, and the exceptions are in the
/// order of the scattered accesses; trace/check.h checks this.
struct Trace {
    Launch launch;
    Program program;
    std::vector<WarpRecord> warps;  // ascending by block, then warp; blocks not recorded are absent
    std::vector<Visit> visits;
    std::vector<AccessRecord> accesses;
    std::vector<MaskRecord> masks;
    std::vector<std::uint64_t> exceptions;
    std::vector<ExchangeRecord> exchanges;  // only from the CPU engine; a GPU's recording has none
    std::vector<Problem> problems;
    std::shared_ptr<const Measured> measured;  // null unless a GPU ran the launch
    std::vector<Activity> activities;  // for a kernel that declares streams, one per variant; else none
};

}  // namespace warplens::trace
