#include "simt/timing/timing_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "analysis/report/launch_tree.h"
#include "core/image_words.h"
#include "simt/timing/launch_plan.h"
#include "simt/timing/launch_time.h"
#include "simt/timing/memory_places.h"
#include "simt/timing/memory_share.h"
#include "simt/timing/memory_system.h"
#include "simt/timing/request_table.h"
#include "simt/timing/schedule_log.h"
#include "simt/timing/shared_counters.h"
#include "simt/timing/sm.h"
#include "trace/query.h"

namespace warplens::simt {
namespace {

/// A span stores the site in 24 bits.
constexpr std::size_t most_sites = std::size_t{1} << 24;

/// A call of the device run-time: see Callee::launch.
bool launches_a_grid(const Site& site) { return site.text.find("LaunchDeviceV2") != std::string::npos; }

Result<std::shared_ptr<const MachineProgram>> code_for(const trace::Trace& trace, const SmTiming& timing,
                                                       const TimingRequest& request) {
    if (request.code) return request.code;
    WARPLENS_TRY(auto lowered, lower(trace.program, timing, trace.launch.resources.registers_per_thread));
    return std::make_shared<const MachineProgram>(std::move(lowered));
}

/// The model has no timing for texture units.
bool accesses_images(const trace::Trace& trace) {
    return std::ranges::any_of(trace.program.sites, is_image, &Site::space) &&
           std::ranges::any_of(trace.accesses, is_image, &trace::AccessRecord::space);
}

/// A light trace has the warps' control flow but not their accesses.
bool lacks_accesses(const trace::Trace& trace) {
    if (!trace.accesses.empty()) return false;
    const trace::RecordedSites sites(trace.program);
    return std::ranges::any_of(trace.visits, [&](const trace::Visit& visit) {
        return std::ranges::any_of(sites.of(visit.basic_block), [&](const auto& entry) {
            const Space space = trace.program.sites[entry.site].space;
            const bool of_parameters = space == Space::param || space == Space::constant;
            return entry.memory && !entry.guard && !of_parameters;  // a guard may have left no lane
        });
    });
}

/// Fails with a message if the model has no answer for the Trace.
Status check_trace(const trace::Trace& trace) {
    if (trace.program.sites.size() >= most_sites)
        return fail("{}: a kernel of {} instructions exceeds the timing model's limit", trace.launch.kernel,
                    trace.program.sites.size());
    if (accesses_images(trace))
        return fail(
            "the kernel reads or writes textures or surfaces, whose units the timing model does not model");
    if (lacks_accesses(trace))
        return fail(
            "the trace of {} holds no addresses, without which its memory accesses cannot be timed; record "
            "it "
            "in full",
            trace.launch.kernel);
    return {};
}

/// By site; empty where the operations wait for registers.
std::vector<trace::SiteScoreboards> scoreboards_of(const MachineProgram& code, std::size_t sites) {
    if (!code.has_control_fields) return {};
    std::vector<trace::SiteScoreboards> found(sites);
    for (const MachineOp& op : code.ops) {
        if (op.site >= sites) continue;
        const unsigned awaited = op.awaited < scoreboard_count ? 1u << op.awaited : 0u;
        found[op.site] = {op.control.write_scoreboard, op.control.read_scoreboard,
                          static_cast<std::uint8_t>(op.control.wait_mask | awaited)};
    }
    return found;
}

MemoryStart start_of(int start) { return {double(start) / start_count, start % 2 == 0 ? 1u : 0u}; }

Result<trace::Schedule> schedule_plan(const trace::Trace& trace, const LaunchPlan& plan, const GpuSpec& gpu,
                                      const std::shared_ptr<const MachineProgram>& code,
                                      const TimingRequest& request) {
    const SmTiming& timing = sm_timing(gpu);
    const RequestTable requests(trace, plan.warps);
    MemorySystem memory(
        plan, gpu, timing, request.options, start_of(request.start),
        share_memory(trace, plan, timing, memory_places(gpu), requests, request.options.data_in_l2),
        requests);
    ScheduleLog log(request.keep_spans, trace.program.sites.size());
    PollingLoops polls(trace, *code);
    Sm sm(trace, plan, *code, timing, request.options, requests, memory, polls, log);
    WARPLENS_TRY(sm.run({request.max_cycles, request.cancelled}));

    trace::Schedule schedule;
    schedule.gpu = std::string(gpu.name);
    schedule.options = request.options;
    schedule.schedulers = plan.schedulers;
    schedule.resident_blocks = std::min<int>(plan.resident_blocks, static_cast<int>(plan.blocks.size()));
    schedule.l1_bytes = plan.l1_bytes;
    schedule.blocks_at_once = static_cast<int>(plan.blocks_at_once());
    if (request.keep_spans) schedule.site_scoreboards = scoreboards_of(*code, trace.program.sites.size());
    schedule.measured_latencies = !timing.measured_on.empty();
    if (!schedule.measured_latencies)
        schedule.notes.push_back(fmt::format(
            "no latencies of compute capability {}.{} have been measured; those of the H200 are used",
            gpu.major, gpu.minor));
    schedule.notes.insert(schedule.notes.end(), plan.notes.begin(), plan.notes.end());
    schedule.notes.insert(schedule.notes.end(), code->notes.begin(), code->notes.end());
    if (sm.forced_barriers() > 0)
        schedule.notes.push_back(
            fmt::format("{} barriers were forced open while warps were missing", sm.forced_barriers()));
    if (polls.rounds_left_out() > 0)
        schedule.notes.push_back(
            "a warp that polls memory for another warp's write is timed with two polls, and the counts have "
            "all that the CPU engine made: how long it waits is not known, and the other blocks are assumed "
            "to arrive at the same time");
    else if (plan.blocks_in_grid > 1 && polls.may_wait())
        schedule.notes.push_back(
            "a volatile, relaxed or acquiring load decides a branch: if it waits for another block's write, "
            "that wait is not in the time");
    else if (!request.of_whole_grid && plan.blocks_in_grid > 1 && takes_numbers(trace, plan.warps, *code))
        schedule.notes.push_back(
            "a warp takes numbers from a counter in global memory more than once: if they are work that all "
            "blocks share, the time is not a GPU's, because only some of the blocks were executed and took "
            "all of it");
    if (plan.blocks_in_grid > 1 && swaps_again(trace, plan.warps))
        schedule.notes.push_back(
            "a warp executes a compare-and-swap in global memory more than once: attempts that fail because "
            "other blocks change the word meanwhile are not in the time, nor that some blocks win more "
            "often");
    if (std::ranges::any_of(trace.program.sites, launches_a_grid))
        schedule.notes.emplace_back(analysis::untimed_grids_clause);
    log.finish(schedule);
    schedule.launch = launch_time(schedule, plan, gpu, timing, memory, sm.retirement_lag());
    return schedule;
}

}  // namespace

Result<trace::Schedule> schedule(const trace::Trace& trace, const GpuSpec& gpu,
                                 const TimingRequest& request) {
    const SmTiming& timing = sm_timing(gpu);
    WARPLENS_TRY(check_trace(trace));
    WARPLENS_TRY(const auto plans,
                 plan_launch(trace, gpu, timing, request.options, request.sms, request.launch_steps));
    WARPLENS_TRY(const auto code, code_for(trace, timing, request));
    if (code->blocks.size() != trace.program.basic_blocks.size())
        return fail("{}: the code to time has {} basic blocks, the recorded one {}", trace.launch.kernel,
                    code->blocks.size(), trace.program.basic_blocks.size());
    std::optional<trace::Schedule> slowest;
    for (const LaunchPlan& plan : plans) {
        WARPLENS_TRY(auto one, schedule_plan(trace, plan, gpu, code, request));
        if (!slowest || one.launch.cycles > slowest->launch.cycles) slowest = std::move(one);
    }
    return std::move(*slowest);
}

}  // namespace warplens::simt
