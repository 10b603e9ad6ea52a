#include "instrumentation/device/stream_resources.h"

#include <algorithm>

#include "instrumentation/device/protocol.h"

namespace warplens::instrumentation {

Streams::~Streams() {
    // What a given up plan has queued still uses memory that goes next.
    for (const cuda::Stream stream : streams_) {
        device_.driver.wait_for_stream(stream);
        device_.streams.destroy_stream(stream);
    }
}

bool Streams::create(int count) {
    for (int i = 0; i < count; ++i) {
        cuda::Stream stream = nullptr;
        if (!device_.ok(device_.driver.create_stream(&stream, cuda::stream_non_blocking), "making a stream"))
            return false;
        streams_.push_back(stream);
    }
    return true;
}

Events::~Events() {
    for (const cuda::Event event : events_) device_.streams.destroy_event(event);
}

bool Events::reserve(std::size_t count) {
    while (events_.size() < count) {
        cuda::Event event = nullptr;
        if (!device_.ok(device_.driver.create_event(&event, 0), "making an event")) return false;
        events_.push_back(event);
    }
    return true;
}

CapturedGraph::~CapturedGraph() {
    if (exec_) device_.streams.destroy_exec(exec_);
}

bool CapturedGraph::capture(const Streams& streams, Events& forks, const std::function<bool()>& work) {
    const char* const doing = "capturing a graph";
    const auto count = static_cast<std::size_t>(streams.count());
    if (!forks.reserve(count) ||
        !device_.ok(device_.streams.begin_capture(streams[0], cuda::capture_thread_local), doing))
        return false;
    bool done = device_.ok(device_.driver.record_event(forks[0], streams[0]), doing);
    for (int i = 1; done && i < streams.count(); ++i)
        done = device_.ok(device_.streams.wait_for_event(streams[i], forks[0], 0), doing);
    done = done && work();
    for (int i = 1; done && i < streams.count(); ++i)
        done =
            device_.ok(device_.driver.record_event(forks[static_cast<std::size_t>(i)], streams[i]), doing) &&
            device_.ok(device_.streams.wait_for_event(streams[0], forks[static_cast<std::size_t>(i)], 0),
                       doing);
    // Also after a failure: a capture that is left open makes every later call fail.
    cuda::Graph graph = nullptr;
    const cuda::Code ended = device_.streams.end_capture(streams[0], &graph);
    done = done && device_.ok(ended, doing) &&
           device_.ok(device_.streams.instantiate(&exec_, graph, 0), "making a graph ready");
    if (graph) device_.streams.destroy_graph(graph);
    return done;
}

HostBuffers::~HostBuffers() {
    if (pinned_) device_.streams.free_host(memory_);
}

bool HostBuffers::allocate(const std::vector<std::uint64_t>& sizes, bool pageable) {
    offsets_ = lay_out(sizes);
    const auto bytes = std::max<std::size_t>(static_cast<std::size_t>(offsets_.back()), 1);
    if (pageable) {
        pageable_.assign(bytes, std::byte{0});
        memory_ = pageable_.data();
        return true;
    }
    void* memory = nullptr;
    if (!device_.ok(device_.streams.allocate_host(&memory, bytes), "pinning memory of the host"))
        return false;
    memory_ = static_cast<std::byte*>(memory);
    pinned_ = true;
    return true;
}

}  // namespace warplens::instrumentation
