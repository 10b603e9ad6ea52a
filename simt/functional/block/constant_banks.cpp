#include "simt/functional/block/constant_banks.h"

#include <algorithm>
#include <cstring>

#include "simt/functional/memory/memory_access.h"

namespace warplens::simt {

namespace {

// Where the driver puts things for sm_90, as the code that ptxas makes reads them.
constexpr u32 block_at = 0x0, grid_at = 0xc, local_window_at = 0x20, stack_at = 0x28,
              workspace_upper_at = 0x44, workspace_lower_at = 0x48;

template <class T>
void put(std::vector<std::byte>& bank, u64 at, T value) {
    if (bank.size() < at + sizeof(T)) bank.resize(at + sizeof(T));
    std::memcpy(bank.data() + at, &value, sizeof(T));
}

void put(std::vector<std::byte>& bank, u64 at, const Dim3& size) {
    put(bank, at, static_cast<u32>(size.x));
    put(bank, at + 4, static_cast<u32>(size.y));
    put(bank, at + 8, static_cast<u32>(size.z));
}

}  // namespace

void fill_constant_banks(LaunchState& state) {
    const MachineLayout& machine = *state.kernel->machine;
    state.banks = machine.images;
    std::vector<std::byte>& launch = state.banks[0];
    launch.assign(machine.parameter_base, std::byte{0});
    put(launch, block_at, state.geometry.block);
    put(launch, grid_at, state.geometry.grid);
    put(launch, local_window_at, local_window);
    put(launch, stack_at, state.local_bytes);
    put(launch, workspace_upper_at, static_cast<u32>(state.grid_workspace >> 32));
    put(launch, workspace_lower_at, static_cast<u32>(state.grid_workspace));
    launch.insert(launch.end(), state.arguments->begin(), state.arguments->end());
}

}  // namespace warplens::simt
