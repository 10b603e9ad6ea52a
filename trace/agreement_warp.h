// The detailed comparison of trace/agreement.h: two records of one warp, matched per visit and, where lanes
// were together in one and diverged in the other, per lane.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trace/agreement.h"
#include "trace/query.h"
#include "trace/trace.h"

namespace warplens::trace {

/// The buffer of a launch or variable of its module that contains an address, and the offset in it.
class BufferPlaces {
  public:
    struct Place {
        std::size_t buffer = 0;    // 1 + its index, variables after buffers; 0: in none,
        std::uint64_t offset = 0;  // and this is the address
        friend bool operator==(const Place&, const Place&) = default;
    };
    /// Only variables that `other` also has.
    BufferPlaces(const Launch& launch, const Launch& other);
    Place of(std::uint64_t address);

  private:
    std::vector<Buffer> buffers_;
    std::size_t last_ = 0;  // last result
};

/// Global addresses of the two traces.
class GlobalPlaces {
  public:
    GlobalPlaces(const Launch& cpu, const Launch& gpu) : cpu_(cpu, gpu), gpu_(gpu, cpu) {}
    bool same(std::uint64_t cpu, std::uint64_t gpu);

  private:
    BufferPlaces cpu_, gpu_;
    std::optional<std::uint64_t> apart_;  // for addresses in no buffer: the GPU's minus the CPU engine's
};

/// The differences that a comparison ignores.
struct Overlooked {
    /// Polling iterations except the last.
    bool waits = false;
    /// Values that depend on the run.
    const RunDependence* run = nullptr;
};

/// "st.global.f32 (saxpy.cu:6)"
std::string words(const Program& program, SiteId id);

/// A warp's record with the records of each visit.
class OpenedWarp {
  public:
    explicit OpenedWarp(const Trace& trace) : trace_(trace) {}
    void open(const WarpRecord& warp, const RecordedSites& sites, const Overlooked& overlooked);

    struct Left {  // records of one execution of a recorded site
        SiteRecords records;
        bool masked = false;  // the mask was recorded, not assumed
    };

    std::size_t size() const { return begins_.size() - 1; }
    const Visit& visit(std::size_t index) const { return trace_.visits[visits_[index]]; }
    /// One for each entry of RecordedSites::of its block.
    std::span<const Left> left(std::size_t index) const {
        return {left_.data() + begins_[index], left_.data() + begins_[index + 1]};
    }
    /// Masks and accesses of the warp that no executed site explains.
    std::uint64_t masks_left_over() const { return masks_left_over_; }
    std::uint64_t accesses_left_over() const { return accesses_left_over_; }
    /// The sources on which the ignored visits depend.
    RunDependence::Sources left_out() const { return left_out_; }
    const Trace& trace() const { return trace_; }

  private:
    template <class LeavesOut>
    void drop(const LeavesOut& leaves_out);
    bool looks_again(std::size_t index, const RecordedSites& sites) const;

    const Trace& trace_;
    std::vector<std::uint64_t> visits_;
    std::vector<std::size_t> begins_;
    std::vector<Left> left_;
    std::uint64_t masks_left_over_ = 0, accesses_left_over_ = 0;
    RunDependence::Sources left_out_ = 0;
};

std::uint64_t address_of(const Trace& trace, const AccessRecord& access, int lane);
/// The request of `left` in `space` that `lane` was part of.
const AccessRecord* request_of(const Trace& trace, const OpenedWarp::Left& left, int lane, Space space);

class WarpComparison {
  public:
    WarpComparison(const Trace& cpu, const Trace& gpu, const AgreementOptions& options, GlobalPlaces& places);
    /// std::nullopt if the two agree. `records` grows by the number of matching records.
    std::optional<Divergence::Kind> compare(const WarpRecord& cpu, const WarpRecord& gpu,
                                            const Overlooked& overlooked, std::uint64_t& records);
    /// What the last comparison left out depends on.
    RunDependence::Sources left_out() const { return cpu_.left_out() | gpu_.left_out() | left_out_; }
    /// The first difference of the last compared warps.
    Divergence divergence() const;

  private:
    /// Where one lane differs.
    struct Difference {
        Divergence::Kind kind = Divergence::Kind::path;
        std::size_t visit = 0;  // of the CPU engine's warp
        std::size_t entry = 0;  // of its basic block's recorded sites; for a path: 0
        int lane = 0;
        std::size_t gpu_visit = 0;
        auto order() const { return std::tuple(visit, entry, lane); }
    };
    using Left = OpenedWarp::Left;

    std::optional<Divergence::Kind> compare_mask(const RecordedSites::Entry& entry, const Left& a,
                                                 const Left& b, int lane) const;
    bool same_addresses(const Left& a, const Left& b, int lane);
    std::optional<Divergence::Kind> compare_entry(const RecordedSites::Entry& entry, const Left& a,
                                                  const Left& b, LaneMask masks, LaneMask lanes, int& lane);
    std::optional<Difference> compare_visits(std::size_t cpu_visit, std::size_t gpu_visit, LaneMask lanes);
    std::optional<Difference> compare_alone(int lane, std::size_t a, std::size_t b, std::size_t not_after);
    std::size_t next_visit(const OpenedWarp& warp, std::size_t from, int lane) const;
    bool same_address(const AccessRecord* a, const AccessRecord* b, int lane);
    std::optional<std::uint64_t> shared_address(const OpenedWarp& warp, const Left& left, int lane) const;

    std::optional<Divergence::Kind> compare_left_over();
    std::optional<Divergence::Kind> keep(const Difference& difference);

    Divergence left_over() const;
    std::string where_lane_goes(const OpenedWarp& warp, std::size_t visit) const;
    std::string address_words(const OpenedWarp& warp, const Left& left, const Site& site, int lane) const;

    AgreementOptions options_;
    Overlooked overlooked_;
    RunDependence::Sources left_out_ = 0;
    RecordedSites sites_;
    OpenedWarp cpu_, gpu_;
    GlobalPlaces& places_;
    std::uint64_t block_ = 0;
    std::uint32_t warp_ = 0;
    std::optional<Difference> kept_;  // std::nullopt: they differ in leftover records
};

}  // namespace warplens::trace
