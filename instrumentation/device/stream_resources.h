// What a plan of streams holds while it runs, given back when it goes: streams, events, captured graphs, and
// the host's side of the copies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "instrumentation/device/run_stream_plan.h"

namespace warplens::instrumentation {

class Streams {
  public:
    explicit Streams(const StreamDevice& device) : device_(device) {}
    ~Streams();
    Streams(const Streams&) = delete;
    Streams& operator=(const Streams&) = delete;

    bool create(int count);
    cuda::Stream operator[](int index) const { return streams_[static_cast<std::size_t>(index)]; }
    int count() const { return static_cast<int>(streams_.size()); }

  private:
    const StreamDevice& device_;
    std::vector<cuda::Stream> streams_;
};

class Events {
  public:
    explicit Events(const StreamDevice& device) : device_(device) {}
    ~Events();
    Events(const Events&) = delete;
    Events& operator=(const Events&) = delete;

    /// The first `count` are there.
    bool reserve(std::size_t count);
    cuda::Event operator[](std::size_t index) const { return events_[index]; }

  private:
    const StreamDevice& device_;
    std::vector<cuda::Event> events_;
};

class CapturedGraph {
  public:
    explicit CapturedGraph(const StreamDevice& device) : device_(device) {}
    ~CapturedGraph();
    CapturedGraph(const CapturedGraph&) = delete;
    CapturedGraph& operator=(const CapturedGraph&) = delete;

    /// What `work` asks of the streams, as a graph; it forks from and joins the first stream.
    bool capture(const Streams& streams, Events& forks, const std::function<bool()>& work);
    cuda::GraphExec exec() const { return exec_; }

  private:
    const StreamDevice& device_;
    cuda::GraphExec exec_ = nullptr;
};

/// Room for the buffers that are copied: what the GPU reads over the bus.
class HostBuffers {
  public:
    explicit HostBuffers(const StreamDevice& device) : device_(device) {}
    ~HostBuffers();
    HostBuffers(const HostBuffers&) = delete;
    HostBuffers& operator=(const HostBuffers&) = delete;

    bool allocate(const std::vector<std::uint64_t>& sizes, bool pageable);
    std::byte* of(std::uint32_t buffer) const { return memory_ + offsets_[buffer]; }

  private:
    const StreamDevice& device_;
    std::byte* memory_ = nullptr;
    bool pinned_ = false;
    std::vector<std::byte> pageable_;
    std::vector<std::uint64_t> offsets_;
};

}  // namespace warplens::instrumentation
