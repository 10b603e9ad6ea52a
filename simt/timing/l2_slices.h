// L2Slices: where L2 does atomics. L2 is slices that serve one request after another; a KiB lies in two of
// them, in turns of 256 bytes (docs/notebook/timing/queues.md, "Queues at L2"). Which two, only the GPU
// knows: the model gives neighbouring KiB other slices, and each as much as the GPU's busiest one has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/sm_timing.h"
#include "simt/timing/request_table.h"
#include "simt/timing/server.h"

namespace warplens::simt {

/// The slice of a sector, of `slices`, an even number.
std::size_t slice_of(SectorId sector, int slices);

/// What an atomic adds. A sum of reals at a word waits for the one before; `one_real`: the request has one
/// sector.
enum class Adds : std::uint8_t { integers, reals, one_real };

class L2Slices {
  public:
    /// `shares`: of the atomics of the whole launch, by slice; empty if it has none. `sms`: that are busy,
    /// each with as many atomics as the modelled one.
    L2Slices(const SmTiming& timing, double sms, std::vector<double> shares);

    /// An atomic's sectors of one line come to L2 at cycle `at`, with `rounds` lanes at a word of each in the
    /// mean, one after another. While this SM makes a request, each of the others makes one, too; theirs go
    /// where the launch's atomics are. Returns the cycle at which the slice begins.
    double atomic(double at, std::span<const SectorId> line, double rounds, Adds adds = Adds::integers);

    /// Cycles for which atomics of all SMs have occupied the slice that was occupied longest, as far as this
    /// SM has met them.
    double busiest() const { return busiest_; }

  private:
    struct Slice {
        Server server;
        double seen = 0;     // of the other SMs' work, what its share was taken of
        SectorId added = 0;  // to by its last request, if that had one sector and added reals
    };
    double lane_interval_, real_lane_interval_;
    double other_sms_;
    std::vector<double> shares_;
    std::vector<Slice> slices_;
    double others_ = 0;  // cycles of slices that the other SMs' atomics take, all slices together
    double busiest_ = 0;
};

}  // namespace warplens::simt
