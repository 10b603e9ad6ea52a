#include "app/pipeline/gpu/register_limit.h"

#include <algorithm>
#include <vector>

#include "app/pipeline/launch_run.h"

namespace warplens::app {

namespace {

constexpr std::uint32_t unlimited = 256;

/// The most registers that keep as many blocks of the launch resident on an SM as it can have there; 256: any
/// number.
std::uint32_t most_resident(trace::Launch launch, const GpuSpec& gpu, bool any_grid) {
    constexpr std::uint32_t step = 8;
    std::uint32_t& registers = launch.resources.registers_per_thread;
    const auto resident = [&] { return launch_occupancy(launch, gpu).blocks_per_sm; };
    const auto sms = static_cast<std::uint64_t>(std::max(gpu.sm_count, 1));
    const std::uint64_t busiest = (launch.geometry.blocks() + sms - 1) / sms;
    const auto needed =
        static_cast<int>(std::min<std::uint64_t>(busiest, static_cast<std::uint64_t>(resident())));
    registers = std::max((registers + step - 1) / step * step, 32u);
    if (any_grid) return registers;
    while (registers < unlimited) {
        registers += step;
        if (resident() < needed) return registers - step;
    }
    return unlimited;
}

}  // namespace

std::uint32_t register_limit(instrumentation::RecordMode mode, const trace::Launch& launch,
                             const GpuSpec& gpu, bool any_grid, std::uint32_t spills) {
    using instrumentation::RecordMode;
    constexpr std::uint32_t least = 24;  // the assembler accepts no limit below it
    const std::uint32_t own = launch.resources.registers_per_thread;
    if (own == 0) return 0;
    const std::uint32_t wanted = std::max(own + most_more_registers, least),
                        resident = most_resident(launch, gpu, any_grid);
    std::vector<std::uint32_t> limits;  // each looser than the one before; behind them there is none
    if (mode == RecordMode::light) limits.push_back(std::min(wanted, resident));
    if (mode == RecordMode::light ? wanted < resident && resident < unlimited
                                  : mode == RecordMode::proof && resident < wanted)
        limits.push_back(resident);
    return spills < limits.size() ? limits[spills] : 0;
}

}  // namespace warplens::app
