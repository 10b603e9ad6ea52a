// DeviceRunner, a plan of streams instead of launches.

#include "instrumentation/device/device_runner.h"
#include "instrumentation/device/run_stream_plan.h"
#include "trace/file/activity_description.h"

namespace warplens::instrumentation {

using Kind = GpuFailure::Kind;

bool DeviceRunner::run_streams(const RunRequest& request, const Loaded& kernel, RunAnswer& answer) {
    std::vector<std::uint64_t> sizes;
    for (const std::uint32_t blob : request.buffers) sizes.push_back(request.blobs[blob].bytes);
    if (const std::string wrong = check(request.streams, sizes); !wrong.empty() || !kernel.function)
        return calls_.fail_with(Kind::protocol, "the recorder requested invalid streams: " + wrong);
    const auto functions = cuda::StreamDriver::open(calls_.driver());
    if (!functions) return calls_.fail_with(Kind::launch_refused, functions.error().message);
    StreamDevice device{
        calls_.driver(), *functions, kernel.function, answer.buffer_addresses, sizes, {}, {}, {}};
    device.ok = [this](cuda::Code code, std::string_view doing) { return calls_.ok(code, doing); };
    device.restore = [this] { return buffers_.restore() && calls_.wait("filling the buffers"); };
    device.next_part = [&] {
        return not_cancelled() && report_phase(Phase::kernel, kernel.subject + " in its streams");
    };
    std::vector<trace::Activity> activities;
    if (!run_stream_plan(device, request.streams, {}, activities)) return false;
    const DeviceFacts facts = calls_.facts();
    for (trace::Activity& activity : activities) {
        activity.device = facts.name;
        activity.driver = facts.driver;
    }
    answer.activities = trace::describe_activities(activities);
    answer.clean = kernel.facts;
    answer.load_ms = modules_.take_load_ms();
    return true;
}

}  // namespace warplens::instrumentation
