// Walk: what the occupancy calculator of the CUDA runtime gives, of an H200 as all that is asked of the
// device.
#include <algorithm>

#include "instrumentation/host_code/assumed_sizes.h"
#include "instrumentation/host_code/known_words.h"
#include "instrumentation/host_code/walk.h"

namespace warplens::instrumentation::host_code {

namespace {

using Kind = Value::Kind;

struct BlockSize {
    std::int64_t threads = 0, blocks_per_sm = 0;
};

/// The largest block of whole warps with which most threads are resident, as cuda_runtime.h searches for it.
BlockSize most_resident(const KernelOccupancy& kernel, std::int64_t dynamic_shared_bytes,
                        std::int64_t limit) {
    const std::int64_t most = device_property("maxThreadsPerBlock").value_or(1024);
    std::int64_t largest = kernel.most_threads > 0 ? std::min(kernel.most_threads, most) : most;
    if (limit > 0) largest = std::min(largest, limit);
    constexpr std::int64_t warp = 32;
    BlockSize best;
    for (std::int64_t aligned = (largest + warp - 1) / warp * warp; aligned > 0; aligned -= warp) {
        const std::int64_t threads = std::min(aligned, largest);
        const std::int64_t blocks = kernel.blocks_per_sm(threads, dynamic_shared_bytes);
        if (threads * blocks > best.threads * best.blocks_per_sm) best = {threads, blocks};
    }
    return best;
}

}  // namespace

/// cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, dynamic shared bytes, limit) and
/// cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, dynamic shared bytes).
void Walk::call_of_occupancy(const Call& call) {
    const std::vector<Value>& given = call.arguments;
    const bool size = call.name == "cudaOccupancyMaxPotentialBlockSize";
    if (!size && !call.name.starts_with("cudaOccupancyMaxActiveBlocks")) return;
    const auto at = [&](std::size_t i) { return i < given.size() ? given[i] : Value(); };
    const auto number = [&](std::size_t i, std::int64_t otherwise) -> std::optional<std::int64_t> {
        if (i >= given.size()) return otherwise;
        const bool known = given[i].kind == Kind::integer && !given[i].varies && given[i].integer >= 0 &&
                           given[i].integer < (std::int64_t{1} << 30);
        return known ? std::optional(given[i].integer) : std::nullopt;
    };
    const Value kernel = at(size ? 2 : 1);
    HostLaunch asked;
    asked.kernel = kernel.kernel;
    for (const std::string& argument : kernel.template_arguments)
        asked.template_arguments.push_back(qualified(argument));
    const auto occupancy =
        occupancy_ && !kernel.kernel.empty() ? occupancy_(asked) : std::optional<KernelOccupancy>();
    const auto give = [&](std::size_t i, const Value& value) {
        if (at(i).target) assign(look_at(at(i).target), value, call.origin);
    };
    const auto bytes = number(3, 0), other = number(size ? 4 : 2, 0);
    const std::int64_t sms = device_property("multiProcessorCount").value_or(1);
    if (!occupancy || !bytes || !other) {
        give(0, assumed_number(size ? sms * 8 : 1));
        if (size) give(1, assumed_number(assumed_threads));
        return;
    }
    Value first = Value::of(0);
    if (size) {
        const BlockSize best = most_resident(*occupancy, *bytes, *other);
        first = Value::of(best.blocks_per_sm * sms);
        Value block = Value::of(best.threads);
        block.roots = own_root();
        give(1, block);
    } else {
        first = Value::of(occupancy->blocks_per_sm(*other, *bytes));
    }
    first.roots = own_root();
    give(0, first);
}

}  // namespace warplens::instrumentation::host_code
