// SharedRequests: the requests that a launch makes to shared memory, each distinct one once with how often it
// was made. Blocks mostly repeat each other, so that a whole launch stays small enough to ask what another
// layout would make of it (analysis/memory/bank_fix.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "core/program.h"
#include "trace/observer.h"

namespace warplens::analysis {

struct SharedRequest {
    SiteId site = 0;
    Operation operation = Operation::load;
    std::uint32_t bytes_per_lane = 0;
    LaneMask mask;
    std::array<std::uint32_t, warp_size> offsets{};  // from the block's shared memory; 0 where a lane is off

    trace::Addresses addresses() const {
        trace::Addresses wide;
        for (std::size_t lane = 0; lane < wide.size(); ++lane) wide[lane] = offsets[lane];
        return wide;
    }
    friend bool operator==(const SharedRequest&, const SharedRequest&) = default;
};

struct SharedRequestHash {
    std::size_t operator()(const SharedRequest& request) const;
};

class SharedRequests : public trace::Observer {
  public:
    using Counts = std::unordered_map<SharedRequest, std::uint64_t, SharedRequestHash>;
    /// More distinct ones than this are left out: about 90 MB.
    static constexpr std::size_t most_kept = 500'000;

    std::unique_ptr<trace::BlockObserver> begin_block(std::uint64_t linear_block) override;
    void finish(std::uint64_t linear_block, std::unique_ptr<trace::BlockObserver> observer) override;

    const Counts& counts() const { return counts_; }
    std::uint64_t left_out() const { return left_out_; }  // requests

  private:
    Counts counts_;
    std::uint64_t left_out_ = 0;
};

}  // namespace warplens::analysis
