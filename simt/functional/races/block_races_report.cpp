// The message of a race: both threads, both lines, the element, and what is missing between the two. Which
// barrier repairs it is tried: app/pipeline/advice/barrier_fix.h.
#include "simt/functional/block/block_runner.h"
#include "simt/functional/memory/place_names.h"
#include "simt/functional/races/block_races.h"

namespace warplens::simt {

namespace {

std::string_view race_verb(Operation operation) {
    return operation == Operation::load    ? "reads"
           : operation == Operation::store ? "writes"
                                           : "updates atomically";
}

std::string thread_text(Dim3 thread) { return fmt::format("({}, {}, {})", thread.x, thread.y, thread.z); }

}  // namespace

std::string BlockRaces::missing_order(const Request& request, const Stamp& earlier) const {
    if (earlier.block != block_) return "blocks run in any order, until the kernel ends";
    const bool updates = request.op.site == earlier.site && request.access.operation != Operation::load;
    if (updates) return "which value stays is undefined";
    if (earlier.warp == request.warp.index)
        return "lanes of a warp need not run in step, and no __syncwarp() is executed between the two";
    return "no __syncthreads() is executed between the two";
}

void BlockRaces::report(const Request& request, StampId earlier_id, u32 lane_then, u32 lane, u64 address) {
    const ProblemKind kind =
        request.access.space == Space::shared ? ProblemKind::shared_race : ProblemKind::global_race;
    BlockRunner& runner = *request.warp.block;
    const SiteId site = request.access.site;
    const Stamp& earlier = request.stamps[earlier_id];
    const Reach reach = reach_of(request, earlier);
    if (runner.reported_before(kind, site, 1, reach)) return;

    const LaunchState& launch = runner.launch();
    const Site& at = launch.kernel->numbered.sites[earlier.site];
    OtherParty other = runner.party(earlier.site, earlier.warp * u64{warp_size} + lane_then);
    other.block = coordinates(earlier.block, launch.geometry.grid);

    const std::string element =
        place_name(launch, request.access.space, address, std::max<u32>(request.op.element_bytes, 1));
    std::string message = fmt::format(
        "{} {} in {} memory, which thread {}{} {} at {}, and nothing puts the two in order: {}",
        race_verb(request.access.operation), element, to_string(request.access.space),
        thread_text(other.thread),
        earlier.block == block_ ? "" : fmt::format(" of block {}", thread_text(other.block)),
        race_verb(at.operation), runner.describe_site(earlier.site), missing_order(request, earlier));
    runner.report(request.warp, {.kind = kind,
                                 .site = site,
                                 .lanes = 1u << lane,
                                 .address = address,
                                 .element = element,
                                 .message = std::move(message),
                                 .other = std::move(other),
                                 .reach = reach});
}

Reach BlockRaces::reach_of(const Request& request, const Stamp& earlier) const {
    if (earlier.block != block_) return Reach::grid;
    return earlier.warp == request.warp.index ? Reach::warp : Reach::block;
}

void BlockRaces::note_lockstep(const Request& request, StampId earlier_id, u32 lane_then, u32 lane) {
    BlockRunner& runner = *request.warp.block;
    const SiteId site = request.access.site;
    const SiteStrength& strength = launch_.strength(request.stamps[earlier_id].site);
    if (!strength.in_step && !strength.perhaps_volatile) return;
    if (runner.reported_before(ProblemKind::lockstep, site, 1)) return;
    const Stamp& earlier = request.stamps[earlier_id];
    OtherParty other = runner.party(earlier.site, earlier.warp * u64{warp_size} + lane_then);
    runner.report(request.warp,
                  {.kind = ProblemKind::lockstep,
                   .site = site,
                   .lanes = 1u << lane,
                   .message = fmt::format(
                       "this relies on lanes that run in lockstep: thread {} {} the same word at {}, and {} "
                       "does not order the two. From compute capability 7.0 on lanes may run apart, and no "
                       "__syncwarp() is executed between the two",
                       thread_text(other.thread),
                       race_verb(runner.launch().kernel->numbered.sites[earlier.site].operation),
                       runner.describe_site(earlier.site),
                       strength.in_step ? "`volatile`" : "`volatile`, which machine code does not show,"),
                   .other = std::move(other),
                   .reach = Reach::warp});
}

}  // namespace warplens::simt
