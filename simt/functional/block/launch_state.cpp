#include "simt/functional/block/launch_state.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "simt/functional/block/constant_banks.h"
#include "simt/functional/memory/memory_access.h"

namespace warplens::simt {

namespace {

// The driver provides cooperative_groups with a few words that are initially zero.
constexpr const char* grid_workspace_name = "cooperative_groups' grid workspace";
constexpr std::size_t grid_workspace_bytes = 256;

void write_addresses(const LaunchState& state, const std::vector<AddressInitialiser>& addresses,
                     std::byte* bytes) {
    for (const AddressInitialiser& initial : addresses) {
        const ModuleVariable& named = state.kernel->variables[initial.variable];
        u64 address = named.space == Space::constant ? constant_window + named.offset
                                                     : state.variable_addresses[initial.variable];
        address = (address + static_cast<u64>(initial.offset)) >> initial.shift;
        std::memcpy(bytes + initial.at, &address, initial.bytes);
    }
}

/// What the variable begins with; `is_given`: it is not its initializer.
std::vector<std::byte> first_contents(const ModuleVariable& variable, const RunOptions& options,
                                      bool& is_given) {
    std::vector<std::byte> image = variable.image;
    const VariableContents* const given = contents_of(variable.name, options.variables);
    is_given = given != nullptr;
    if (given != nullptr)
        std::copy_n(given->bytes->begin(), std::min(image.size(), given->bytes->size()), image.begin());
    return image;
}

/// Where it lies: at its address in the program, where it has one and memory there is free. A buffer that
/// begins there is the variable itself, which the host passes by its address.
u64 place_variable(const ModuleVariable& variable, const RunOptions& options, GlobalMemory& memory,
                   bool& has_initializer) {
    has_initializer = false;
    if (const Allocation* const known = memory.find(variable.name)) return known->base;
    const VariableContents* const given = contents_of(variable.name, options.variables);
    const u64 wanted = given == nullptr ? 0 : given->address;
    if (const Allocation* const there = wanted == 0 ? nullptr : memory.nearest(wanted);
        there != nullptr && there->base == wanted)
        return wanted;
    bool is_given = false;
    std::vector<std::byte> contents = first_contents(variable, options, is_given);
    has_initializer = !is_given;
    if (wanted != 0 && memory.allocate_at(wanted, variable.name, std::move(contents))) return wanted;
    return memory.allocate(variable.name, std::move(contents));
}

}  // namespace

LaunchState prepare_launch(const DecodedKernel& kernel, const LaunchGeometry& geometry,
                           const std::vector<std::byte>& arguments, GlobalMemory& memory,
                           const RunOptions& options) {
    LaunchState state;
    state.kernel = &kernel;
    state.geometry = geometry;
    state.arguments = &arguments;
    state.memory = &memory;
    state.options = &options;
    state.resident_blocks = options.resident_blocks;
    state.shared_bytes = u64{kernel.shared_bytes} + geometry.dynamic_shared_bytes;
    state.local_bytes = kernel.recurses
                            ? std::max(kernel.functions[0].depot_bytes, options.limits.stack_bytes)
                            : kernel.local_bytes;
    state.constants.resize(kernel.constant_bytes);
    if (kernel.machine) std::ranges::copy(kernel.machine->images[3], state.constants.begin());
    if (kernel.launches) memory.make_launch_buffers();
    if (kernel.uses_heap) memory.make_heap(options.limits.heap_bytes);

    if (geometry.cooperative) {
        const Allocation* known = memory.find(grid_workspace_name);
        state.grid_workspace =
            known ? known->base
                  : memory.allocate(grid_workspace_name, std::vector<std::byte>(grid_workspace_bytes));
    }

    std::vector<bool> fresh;  // it has its initializer, whose addresses are still to be written
    for (const ModuleVariable& variable : kernel.variables) {
        u64 address = 0;
        bool has_initializer = false;
        if (variable.space == Space::global)
            address = place_variable(variable, options, memory, has_initializer);
        state.variable_addresses.push_back(address);
        fresh.push_back(has_initializer);
    }
    for (std::size_t i = 0; i < kernel.variables.size(); ++i) {
        const ModuleVariable& variable = kernel.variables[i];
        if (variable.space == Space::constant) {
            bool is_given = false;
            std::ranges::copy(first_contents(variable, options, is_given),
                              state.constants.begin() + static_cast<std::ptrdiff_t>(variable.offset));
            if (!is_given)
                write_addresses(state, variable.addresses, state.constants.data() + variable.offset);
        } else if (fresh[i]) {
            write_addresses(state, variable.addresses,
                            memory.at(state.variable_addresses[i], variable.image.size()));
        }
    }
    if (kernel.machine) {
        fill_constant_banks(state);
        write_addresses(state, kernel.machine->addresses, state.banks[4].data());
        write_addresses(state, kernel.machine->constant_addresses, state.banks[3].data());
        write_addresses(state, kernel.machine->constant_addresses, state.constants.data());
    }
    return state;
}

}  // namespace warplens::simt
