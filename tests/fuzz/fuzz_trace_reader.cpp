// Feeds any bytes to the .wltrace reader: it must neither crash nor take more memory than it was allowed, and
// what it accepts must be safe to query, to time and to compare. Checksums are not compared, so that
// mutations reach the code after them.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "analysis/memory/banks.h"
#include "analysis/memory/coalescing.h"
#include "analysis/report/measured_against_modelled.h"
#include "core/gpu_spec.h"
#include "simt/timing/timing_model.h"
#include "trace/agreement.h"
#include "trace/file/trace_file.h"
#include "trace/places.h"
#include "trace/query.h"
#include "trace/replay.h"

namespace {

using namespace warplens::trace;

struct Nobody final : Observer {
    std::unique_ptr<BlockObserver> begin_block(std::uint64_t) override {
        return std::make_unique<BlockObserver>();
    }
    void finish(std::uint64_t, std::unique_ptr<BlockObserver>) override {}
};

void query(const Trace& trace) {
    const RecordedSites sites(trace.program);
    const AccessIndex index(trace);
    const LineIndex lines(trace.program);
    for (const AccessRecord& access : trace.accesses) {
        const Addresses addresses = addresses_of(trace, access);
        describe_address(trace, access.space, addresses[static_cast<std::size_t>(access.mask.lowest())],
                         trace.program.sites[access.site].bytes_per_lane);
        index.of(access.site);
        const Access request{access.site,
                             access.mask,
                             access.space,
                             operation_of(trace, access),
                             trace.program.sites[access.site].bytes_per_lane,
                             &addresses};
        warplens::analysis::count_sectors(request);
        warplens::analysis::count_local_sectors(request);
        warplens::analysis::count_wavefronts(request);
    }
    for (const WarpRecord& warp : trace.warps) {
        const WarpSteps steps(trace, sites, warp);
        if (steps.size() > 0) steps.at(steps.size() - 1);
        for (std::uint64_t access = warp.accesses_begin; access < warp.accesses_end; ++access)
            steps.step_of_access(access);
        find_warp(trace, warp.block, warp.warp);
    }
    Nobody nobody;
    replay(trace, nobody);
    warplens::simt::TimingRequest request;
    request.max_cycles = 1u << 20;
    if (const auto schedule = warplens::simt::schedule(trace, warplens::default_gpu(), request)) {
        if (!check(*schedule).empty()) std::abort();
        warplens::analysis::measured_against_modelled(trace, nullptr, &*schedule, warplens::default_gpu());
        warplens::analysis::align(trace, *schedule);
    }
    if (!compare(trace, trace).exact()) std::abort();
    Trace bare = trace;  // warp by warp another one than the trace, so that all are looked at with care
    bare.masks.clear();
    for (WarpRecord& warp : bare.warps) warp.masks_begin = warp.masks_end = 0;
    (void)compare(trace, bare);
    (void)compare(bare, trace, {.addresses = false});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    const ReadOptions options{.memory_limit = 16u << 20, .check_checksums = false};
    auto file = TraceFile::from_memory({bytes, bytes + size}, "input", options);
    if (!file) return 0;
    if (auto trace = file->read_blocks(0, 1); trace && trace->visits.size() < 1000) query(*trace);
    if (auto rest = file->recover(); rest && rest->trace.visits.size() < 1000) query(rest->trace);
    (void)file->read_all();
    return 0;
}
