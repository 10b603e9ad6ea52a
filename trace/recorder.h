// Recorder: the Observer that builds a Trace. It records the events of the chosen blocks, from any source
// (CPU engine, replay), and stores addresses as base and stride if they fit. It does not store events that
// the Program already determines: barriers follow from their sites. See trace/query.h for reading.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "trace/observer.h"
#include "trace/trace.h"

namespace warplens::trace {

struct RecorderOptions {
    std::vector<std::uint64_t> blocks;  // linear indices to record, ascending; empty: every block that runs
    /// Bytes of events to keep. The first block that would exceed it and all later ones are left out
    /// completely. The blocks that are still running, one per thread, are not included in the limit.
    std::uint64_t memory_limit = std::uint64_t{2} << 30;
};

/// No trace within the limit has more blocks: each has a record for every warp.
std::uint64_t most_recorded_blocks(const LaunchGeometry& geometry, const RecorderOptions& options = {});

class BlockRecorder;

class Recorder final : public Observer {
  public:
    Recorder(Launch launch, Program program, RecorderOptions options = {});
    ~Recorder() override;

    std::unique_ptr<BlockObserver> begin_block(std::uint64_t linear_block) override;
    void finish(std::uint64_t linear_block, std::unique_ptr<BlockObserver> observer) override;

    /// Some blocks were left out because of the memory limit.
    bool truncated() const { return blocks_left_out_ > 0; }
    /// Whether that has happened; from any thread, while blocks run.
    bool full() const { return full_; }
    std::uint64_t blocks_recorded() const { return blocks_recorded_; }
    std::uint64_t blocks_left_out() const { return blocks_left_out_; }

    /// Returns the Trace; the Recorder is empty afterwards. The producer adds `problems`.
    Trace take();

  private:
    bool wanted(std::uint64_t linear_block) const;

    RecorderOptions options_;
    Trace trace_;
    std::uint64_t event_bytes_ = 0;
    std::uint64_t blocks_recorded_ = 0;
    std::uint64_t blocks_left_out_ = 0;
    std::atomic<bool> full_ = false;
    std::mutex spare_mutex_;
    std::vector<std::unique_ptr<BlockRecorder>> spare_;  // finished ones, kept for their capacity
};

}  // namespace warplens::trace
