// Calls of CUDA's device run-time: a grid's arguments, its launch, streams, and the last error of a thread.
#include <bit>
#include <cstring>
#include <utility>

#include "analysis/wording.h"
#include "core/symbol_name.h"
#include "simt/functional/block/block_runner.h"
#include "simt/functional/execute/lane_call.h"
#include "simt/functional/execute/memory.h"
#include "simt/functional/memory/launch_buffers.h"

namespace warplens::simt {

namespace {

// Of cudaError_t.
constexpr u32 success = 0, invalid_value = 1, invalid_configuration = 9, too_many_pending = 69,
              invalid_device_function = 98, out_of_resources = 701;

// "CUDA Programming Guide: Technical Specifications per Compute Capability".
constexpr Dim3 largest_grid{0x7fffffff, 65535, 65535}, largest_block{1024, 1024, 64};
constexpr u64 most_threads = 1024;

bool is_within(Dim3 extent, Dim3 largest) {
    return extent.count() != 0 && extent.x <= largest.x && extent.y <= largest.y && extent.z <= largest.z;
}

/// Why a grid cannot be launched, as a clause after "launches it with"; empty: it can.
std::string what_is_wrong(const LaunchableKernel& kernel, const RequestedGrid& asked, u64 most_shared) {
    const u64 threads = asked.block.count();
    if (asked.grid.count() == 0)
        return fmt::format("a grid of {} blocks: a grid has at least one", to_string(asked.grid));
    if (!is_within(asked.grid, largest_grid))
        return fmt::format("a grid of {} blocks: at most {} are allowed", to_string(asked.grid),
                           to_string(largest_grid));
    if (threads == 0 || threads > most_threads || !is_within(asked.block, largest_block))
        return fmt::format("blocks of {} threads: a block has 1 to {}, and at most {} in each direction",
                           to_string(asked.block), analysis::grouped(most_threads), to_string(largest_block));
    if (kernel.most_threads != 0 && threads > kernel.most_threads)
        return fmt::format("blocks of {} threads: its __launch_bounds__ allow {}", analysis::grouped(threads),
                           analysis::grouped(kernel.most_threads));
    if (kernel.exactly_threads != 0 && threads != kernel.exactly_threads)
        return fmt::format("blocks of {} threads: its __block_size__ asks for {}", analysis::grouped(threads),
                           analysis::grouped(kernel.exactly_threads));
    if (asked.dynamic_shared_bytes > most_shared)
        return fmt::format("{} bytes of dynamic shared memory: a block has at most {}",
                           analysis::grouped(asked.dynamic_shared_bytes), analysis::grouped(most_shared));
    return {};
}

}  // namespace

void BlockRunner::call_device_runtime(Warp& warp, const CallSite& call, SiteId site, u32 mask) {
    for_each_lane({mask}, [&](int lane) {
        switch (call.callee) {
            case Callee::launch_buffer:
                give_launch_buffer(warp, call, site, lane);
                break;
            case Callee::launch:
                launch_grid(warp, call, site, lane);
                break;
            case Callee::create_stream:
                create_stream(warp, call, site, lane);
                break;
            case Callee::destroy_stream:
                LaneCall(warp, call, lane).give_back(success);
                break;
            default:
                take_error(warp, call, lane);
        }
    });
}

void BlockRunner::launch_failed(Warp& warp, SiteId site, int lane, u32 error, std::string why) {
    last_errors_[warp.index * u64{warp_size} + static_cast<u64>(lane)] = error;
    if (!reported_before(ProblemKind::failed_launch, site, 1))
        report(warp, site, 1u << lane, ProblemKind::failed_launch, 0, std::move(why));
}

/// cudaGetParameterBufferV2(kernel, grid, block, dynamic shared bytes): a null pointer if there is no memory
/// for the arguments; the code that the compiler makes then leaves the launch out. As on a GPU, whether the
/// grid can be launched is seen when it is.
void BlockRunner::give_launch_buffer(Warp& warp, const CallSite& call, SiteId site, int lane) {
    LaneCall frame(warp, call, lane);
    frame.give_back(0);
    const u64 address = frame.argument(0);
    const auto& kernels = kernel().launchable;
    const auto named = std::ranges::find(kernels, address, &LaunchableKernel::address);
    if (named == kernels.end()) {
        launch_failed(
            warp, site, lane, invalid_device_function,
            fmt::format("launches {:#x}, which is not a kernel of this file: no grid runs", address));
        return;
    }
    const RequestedGrid asked{static_cast<u32>(named - kernels.begin()), frame.argument_as<Dim3>(1),
                              frame.argument_as<Dim3>(2), static_cast<u32>(frame.argument(3)),
                              named->parameter_bytes};
    const u64 buffer = launch_.memory->launch_buffers()->take(asked);
    if (buffer == 0)
        launch_failed(
            warp, site, lane, out_of_resources,
            fmt::format("launches `{}`, but the {} MiB that the CPU engine has for the arguments of "
                        "one grid's launches are full: this grid does not run",
                        plain_name(named->name), LaunchBuffers::bytes >> 20));
    frame.give_back(buffer);
}

/// cudaLaunchDeviceV2(buffer, stream): the grid is executed after the one that launches it.
void BlockRunner::launch_grid(Warp& warp, const CallSite& call, SiteId site, int lane) {
    LaneCall frame(warp, call, lane);
    const u64 buffer = frame.argument(0);
    const auto fails = [&](u32 error, std::string why) {
        frame.give_back(error);
        launch_failed(warp, site, lane, error, std::move(why));
    };
    const std::byte* const arguments = launch_.memory->at(buffer, 0);  // null after give()
    const auto asked = launch_.memory->launch_buffers()->give(buffer);
    if (!asked) {
        fails(
            invalid_value,
            fmt::format("launches a grid with {:#x} as its arguments, which cudaGetParameterBufferV2 did not "
                        "return, or which was launched already",
                        buffer));
        return;
    }
    const LaunchableKernel& launched = kernel().launchable[asked->kernel];
    const std::string name(plain_name(launched.name));
    if (const std::string wrong = what_is_wrong(launched, *asked, launch_.options->limits.shared_bytes);
        !wrong.empty()) {
        fails(invalid_configuration, fmt::format("launches `{}` with {}; no grid runs, and cudaGetLastError "
                                                 "gives cudaErrorInvalidConfiguration",
                                                 name, wrong));
        return;
    }
    if (launched.in_clusters) {
        fails(invalid_configuration,
              fmt::format("launches `{}`, whose blocks form clusters: the CPU engine does not run such grids "
                          "from device code",
                          name));
        return;
    }
    DeviceLaunch launch;
    launch.entry = launched.name;
    launch.stream = frame.argument(1);
    if (!launch.is_tail() && launch_.options->nesting_depth >= most_pending_launches) {
        fails(too_many_pending,
              fmt::format(
                  "launches `{}` {} levels below the grid of the host: none of these grids ends before "
                  "those that it launched, and a GPU holds {}. No grid runs, and cudaGetLastError gives "
                  "cudaErrorLaunchPendingCountExceeded. Does the recursion end?",
                  name, most_pending_launches + 1, most_pending_launches));
        return;
    }
    frame.give_back(success);
    launch.grid = asked->grid;
    launch.block = asked->block;
    launch.dynamic_shared_bytes = asked->dynamic_shared_bytes;
    launch.arguments.assign(arguments, arguments + launched.parameter_bytes);
    launch.by_block = coordinates(linear_block_, launch_.geometry.grid);
    launch.by_thread =
        coordinates(warp.index * u64{warp_size} + static_cast<u64>(lane), launch_.geometry.block);
    launch.site = site;
    const Site& at = with_line(site);
    launch.line = at.line;
    if (at.file != no_index) launch.file = kernel().numbered.sources[at.file].name;
    launches_.push_back(std::move(launch));
    if (launch_.memory->launch_buffers()->count_launch() == most_pending_launches + 1)
        report(warp, site, 1u << lane, ProblemKind::many_launches, 0,
               fmt::format("this grid launches more than {} grids, which is what a GPU holds by default "
                           "(cudaLimitDevRuntimePendingLaunchCount). Until some of them have ended, further "
                           "launches fail there with cudaErrorLaunchPendingCountExceeded; here all run",
                           most_pending_launches));
}

/// cudaStreamCreateWithFlags(where to put it, flags). The engine runs grids one after another, so streams do
/// not order anything further.
void BlockRunner::create_stream(Warp& warp, const CallSite& call, SiteId site, int lane) {
    LaneCall frame(warp, call, lane);
    const u64 address = frame.argument(0);
    const u64 stream = launch_.memory->launch_buffers()->new_stream();
    Space space = Space::none;
    std::byte* const to = const_cast<std::byte*>(peek(warp, lane, address, sizeof stream, &space));
    if (!to) {
        frame.give_back(invalid_value);
        if (!reported_before(ProblemKind::out_of_bounds, site, 1))
            report(warp, site, 1u << lane, ProblemKind::out_of_bounds, address,
                   fmt::format("lets cudaStreamCreateWithFlags put the stream at {:#x}, which is outside all "
                               "memory",
                               address));
        return;
    }
    std::memcpy(to, &stream, sizeof stream);
    mark_stored(warp, lane, address, sizeof stream);
    frame.give_back(success);
}

/// cudaGetLastError() and cudaPeekAtLastError(): only the first forgets it.
void BlockRunner::take_error(Warp& warp, const CallSite& call, int lane) {
    const auto found = last_errors_.find(warp.index * u64{warp_size} + static_cast<u64>(lane));
    LaneCall(warp, call, lane).give_back(found == last_errors_.end() ? success : found->second);
    if (call.callee == Callee::last_error && found != last_errors_.end()) last_errors_.erase(found);
}

}  // namespace warplens::simt
