#include "instrumentation/device/run_stream_plan.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>

#include "instrumentation/device/stream_activity.h"
#include "instrumentation/device/stream_resources.h"

namespace warplens::instrumentation {

namespace {

using Clock = std::chrono::steady_clock;
using OperationKind = StreamOperationKind;
using Operation = StreamPlan::Operation;

constexpr int poison = 0xee;

double us_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

class VariantRun {
  public:
    VariantRun(const StreamDevice& device, const StreamPlan::Variant& variant,
               const StreamRunOptions& options)
        : device_(device),
          variant_(variant),
          options_(options),
          host_(device),
          streams_(device),
          ends_(device),
          forks_(device),
          timers_(device),
          graph_(device) {
        for (int repeat = 0; repeat < variant.repeats; ++repeat) {
            if (variant.graph) entries_.push_back({repeat, -1, {}, {}, {}});
            for (int i = 0; i < static_cast<int>(variant.operations.size()); ++i)
                entries_.push_back({repeat, i, {}, {}, {}});
        }
    }

    bool run(std::vector<std::byte>& results) {
        return device_.next_part() && prepare() && first_run(results) && measure_totals() && measure_spans();
    }
    trace::Activity activity() const {
        return activity_of(variant_, entries_, one_run_, totals_, options_.repeats);
    }

  private:
    static constexpr std::size_t nothing_timed = ~std::size_t{0};

    bool ok(cuda::Code code, std::string_view doing) const { return device_.ok(code, doing); }
    bool prepare();
    bool first_run(std::vector<std::byte>& results);
    bool measure_totals();
    bool measure_spans();
    bool once(std::size_t part, std::size_t parts, StreamTotals& totals);
    bool enqueue(std::size_t part, std::size_t parts);
    bool enqueue_repeat(int repeat, std::size_t part, std::size_t parts, bool captured);
    bool call(const Operation& operation);
    bool take_samples(std::size_t part, std::size_t parts, double whole_us);
    bool timed(std::size_t entry, std::size_t part, std::size_t parts) const { return entry % parts == part; }
    std::size_t entries_a_repeat() const {
        return entries_.size() / static_cast<std::size_t>(variant_.repeats);
    }

    const StreamDevice& device_;
    const StreamPlan::Variant& variant_;
    const StreamRunOptions& options_;
    HostBuffers host_;
    Streams streams_;
    Events ends_;    // before all, after all, and one per stream to join it
    Events forks_;   // of captures
    Events timers_;  // two an entry
    CapturedGraph graph_;
    std::vector<TimedEntry> entries_;
    bool one_run_ = true;                                         // all spans are of one run
    std::map<int, std::unique_ptr<CapturedGraph>> timed_graphs_;  // of this part, by repeat
    std::vector<std::vector<std::byte>> arguments_;               // of each operation, with addresses
    double calls_us_ = 0;
    StreamTotals totals_;
};

bool VariantRun::prepare() {
    for (const Operation& operation : variant_.operations) {
        std::vector<std::byte>& arguments = arguments_.emplace_back(operation.arguments);
        for (const GpuLaunch::Pointer& pointer : operation.pointers) {
            std::uint64_t address = 0;  // the argument holds the offset into the buffer
            std::memcpy(&address, arguments.data() + pointer.offset, sizeof(address));
            address += device_.buffers[pointer.buffer];
            std::memcpy(arguments.data() + pointer.offset, &address, sizeof(address));
        }
    }
    if (!host_.allocate(device_.bytes, variant_.pageable) || !streams_.create(variant_.streams) ||
        !ends_.reserve(2 + static_cast<std::size_t>(variant_.streams)) ||
        !timers_.reserve(2 * entries_.size()))
        return false;
    if (!variant_.graph) return true;
    return graph_.capture(streams_, forks_, [&] { return enqueue_repeat(0, nothing_timed, 1, true); });
}

bool VariantRun::call(const Operation& operation) {
    const cuda::Stream stream = streams_[operation.stream];
    cuda::Code code = cuda::success;
    const Clock::time_point begun = Clock::now();
    if (operation.kind == OperationKind::launch) {
        std::vector<std::byte>& arguments =
            arguments_[static_cast<std::size_t>(&operation - variant_.operations.data())];
        std::size_t bytes = arguments.size();
        void* extra[] = {reinterpret_cast<void*>(1), arguments.data(), reinterpret_cast<void*>(2), &bytes,
                         nullptr};  // CU_LAUNCH_PARAM_BUFFER_POINTER, …_SIZE, …_END
        const Dim3 grid = operation.geometry.grid, block = operation.geometry.block;
        code = device_.driver.launch(device_.kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                     operation.geometry.dynamic_shared_bytes, stream, nullptr,
                                     bytes > 0 ? extra : nullptr);
    } else {
        const cuda::DeviceAddress there = device_.buffers[operation.buffer] + operation.offset;
        std::byte* const here = host_.of(operation.buffer) + operation.offset;
        code = operation.kind == OperationKind::copy_in
                   ? device_.driver.copy_to_device(there, here, operation.bytes, stream)
                   : device_.driver.copy_to_host(here, there, operation.bytes, stream);
    }
    calls_us_ += us_since(begun);
    return ok(code,
              operation.kind == OperationKind::launch ? "launching it in a stream" : "copying in a stream");
}

/// One time through all operations, with timers around those that the part times.
bool VariantRun::enqueue_repeat(int repeat, std::size_t part, std::size_t parts, bool captured) {
    std::size_t entry = static_cast<std::size_t>(repeat) * entries_a_repeat() + (variant_.graph ? 1 : 0);
    const auto mark = [&](cuda::Event event, cuda::Stream stream) {
        return ok(captured ? device_.streams.record_event_node(event, stream, cuda::event_record_external)
                           : device_.driver.record_event(event, stream),
                  "timing a stream");
    };
    for (const Operation& operation : variant_.operations) {
        const cuda::Stream stream = streams_[operation.stream];
        const bool marked = part != nothing_timed && timed(entry, part, parts);
        if (marked && !mark(timers_[2 * entry], stream)) return false;
        if (!call(operation)) return false;
        if (marked && !mark(timers_[2 * entry + 1], stream)) return false;
        ++entry;
    }
    return true;
}

bool VariantRun::enqueue(std::size_t part, std::size_t parts) {
    for (int repeat = 0; repeat < variant_.repeats; ++repeat) {
        if (!variant_.graph) {
            if (!enqueue_repeat(repeat, part, parts, false)) return false;
            continue;
        }
        const auto own = timed_graphs_.find(repeat);
        const cuda::GraphExec exec = own == timed_graphs_.end() ? graph_.exec() : own->second->exec();
        const std::size_t entry = static_cast<std::size_t>(repeat) * entries_a_repeat();
        const bool marked = part != nothing_timed && timed(entry, part, parts);
        if (marked && !ok(device_.driver.record_event(timers_[2 * entry], streams_[0]), "timing a graph"))
            return false;
        const Clock::time_point begun = Clock::now();
        const cuda::Code code = device_.streams.launch_graph(exec, streams_[0]);
        calls_us_ += us_since(begun);
        if (!ok(code, "launching a graph")) return false;
        if (marked && !ok(device_.driver.record_event(timers_[2 * entry + 1], streams_[0]), "timing a graph"))
            return false;
    }
    return true;
}

/// All of it, from nothing queued until all is done.
bool VariantRun::once(std::size_t part, std::size_t parts, StreamTotals& totals) {
    const cuda::CudaDriver& driver = device_.driver;
    const char* const doing = "timing the streams";
    const cuda::Event begin = ends_[0], end = ends_[1];
    calls_us_ = 0;
    const Clock::time_point begun = Clock::now();
    if (!ok(driver.record_event(begin, streams_[0]), doing)) return false;
    for (int i = 1; i < streams_.count(); ++i)
        if (!ok(device_.streams.wait_for_event(streams_[i], begin, 0), doing)) return false;
    if (!enqueue(part, parts)) return false;
    for (int i = 1; i < streams_.count(); ++i) {
        const cuda::Event joined = ends_[2 + static_cast<std::size_t>(i)];
        if (!ok(driver.record_event(joined, streams_[i]), doing) ||
            !ok(device_.streams.wait_for_event(streams_[0], joined, 0), doing))
            return false;
    }
    if (!ok(driver.record_event(end, streams_[0]), doing) ||
        !ok(driver.wait_for_stream(streams_[0]), "running the streams"))
        return false;
    totals.host_us = us_since(begun);
    totals.calls_us = calls_us_;
    float ms = 0;
    if (!ok(driver.elapsed(&ms, begin, end), doing)) return false;
    totals.device_us = std::max(0.0, 1e3 * double{ms});
    return true;
}

/// The one whose results count: what is copied in is nowhere on the device before, and nothing stands where
/// the results come.
bool VariantRun::first_run(std::vector<std::byte>& results) {
    const cuda::CudaDriver& driver = device_.driver;
    const char* const doing = "setting up the streams";
    std::vector<bool> goes_in(device_.bytes.size()), comes_out(device_.bytes.size());
    for (const Operation& operation : variant_.operations) {
        if (operation.kind == OperationKind::copy_in) goes_in[operation.buffer] = true;
        if (operation.kind == OperationKind::copy_out) comes_out[operation.buffer] = true;
    }
    if (!device_.restore()) return false;
    for (std::uint32_t i = 0; i < device_.bytes.size(); ++i) {
        const auto bytes = static_cast<std::size_t>(device_.bytes[i]);
        if (bytes == 0) continue;
        std::memset(host_.of(i), poison, bytes);
        if (!goes_in[i]) continue;
        if (!ok(driver.copy_to_host(host_.of(i), device_.buffers[i], bytes, streams_[0]), doing) ||
            !ok(driver.wait_for_stream(streams_[0]), doing) ||
            !ok(driver.set_bytes(device_.buffers[i], poison, bytes, streams_[0]), doing))
            return false;
    }
    if (!ok(driver.wait_for_stream(streams_[0]), doing) || !once(nothing_timed, 1, totals_)) return false;
    results.clear();
    for (std::uint32_t i = 0; i < device_.bytes.size(); ++i) {
        const auto bytes = static_cast<std::size_t>(device_.bytes[i]);
        if (bytes == 0) continue;
        const std::size_t at = results.size();
        results.resize(at + bytes);
        if (comes_out[i]) {
            std::memcpy(results.data() + at, host_.of(i), bytes);
        } else if (!ok(driver.copy_to_host(results.data() + at, device_.buffers[i], bytes, streams_[0]),
                       doing) ||
                   !ok(driver.wait_for_stream(streams_[0]), doing)) {
            return false;
        }
    }
    return true;
}

bool VariantRun::measure_totals() {
    StreamTotals cold;  // clocks rise with work
    for (int i = 0; i < options_.warm_ups; ++i)
        if (!once(nothing_timed, 1, cold)) return false;
    std::vector<double> device, host, calls;
    for (int i = 0; i < options_.repeats; ++i) {
        if (!device_.next_part()) return false;
        StreamTotals totals;
        if (!once(nothing_timed, 1, totals)) return false;
        device.push_back(totals.device_us);
        host.push_back(totals.host_us);
        calls.push_back(totals.calls_us);
    }
    totals_ = {median(device), median(host), median(calls)};
    return true;
}

bool VariantRun::measure_spans() {
    // Timers around an operation take a microsecond or two: little beside a long one, more than a short one.
    one_run_ = totals_.device_us >= options_.long_us * static_cast<double>(entries_.size());
    const auto runs = [&](double seconds) {
        return static_cast<int>(std::min(seconds * 1e6 / std::max(totals_.host_us, 1.0), 1e6));
    };
    const int most =
        static_cast<int>(std::min(entries_.size(), static_cast<std::size_t>(options_.most_parts)));
    const auto parts = static_cast<std::size_t>(one_run_ ? 1 : std::clamp(runs(options_.seconds), 1, most));
    const int of_all = runs(options_.seconds) / static_cast<int>(parts);
    const int samples = std::clamp(std::min(of_all, runs(options_.seconds_a_part)), 1, options_.samples);
    for (std::size_t part = 0; part < parts; ++part) {
        if (!device_.next_part()) return false;
        timed_graphs_.clear();
        for (std::size_t entry = part; variant_.graph && entry < entries_.size(); entry += parts) {
            const int repeat = entries_[entry].repeat;
            if (entries_[entry].operation < 0 || timed_graphs_.contains(repeat)) continue;
            auto graph = std::make_unique<CapturedGraph>(device_);
            const auto work = [&] { return enqueue_repeat(repeat, part, parts, true); };
            // Its first launch also brings it to the device, so that one goes before the time is taken.
            if (!graph->capture(streams_, forks_, work) ||
                !ok(device_.streams.launch_graph(graph->exec(), streams_[0]), "launching a graph") ||
                !ok(device_.driver.wait_for_stream(streams_[0]), "running the streams"))
                return false;
            timed_graphs_[repeat] = std::move(graph);
        }
        for (int sample = 0; sample < samples; ++sample) {
            StreamTotals totals;
            if (!once(part, parts, totals) || !take_samples(part, parts, totals.device_us)) return false;
        }
    }
    return true;
}

bool VariantRun::take_samples(std::size_t part, std::size_t parts, double whole_us) {
    for (std::size_t entry = part; entry < entries_.size(); entry += parts) {
        float begin = 0, end = 0;
        if (!ok(device_.driver.elapsed(&begin, ends_[0], timers_[2 * entry]), "timing the streams") ||
            !ok(device_.driver.elapsed(&end, ends_[0], timers_[2 * entry + 1]), "timing the streams"))
            return false;
        entries_[entry].begin_us.push_back(1e3 * double{begin});
        entries_[entry].end_us.push_back(1e3 * double{end});
        entries_[entry].whole_us.push_back(whole_us);
    }
    return true;
}

}  // namespace

bool run_stream_plan(const StreamDevice& device, const StreamPlan& plan, const StreamRunOptions& options,
                     std::vector<trace::Activity>& activities) {
    std::vector<std::byte> first, results;
    for (const StreamPlan::Variant& variant : plan.variants) {
        VariantRun run(device, variant, options);
        if (!run.run(activities.empty() ? first : results)) return false;
        trace::Activity activity = run.activity();
        activity.same_results = activities.empty() || results == first;
        activities.push_back(std::move(activity));
    }
    return true;
}

}  // namespace warplens::instrumentation
