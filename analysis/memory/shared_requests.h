// SharedRequests: a launch's distinct requests to shared memory, each with its number of occurrences. Most
// blocks repeat the same requests, so a whole launch is small enough to evaluate with other layouts
// (analysis/memory/bank_fix.h).
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
    std::array<std::uint32_t, warp_size> offsets{};  // in the block's shared memory; 0 for inactive lanes

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
    /// Limit on distinct requests, about 90 MB; others are left out.
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
