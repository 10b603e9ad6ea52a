#include "simt/functional/memory/place_names.h"

#include <algorithm>

#include "core/line_of_site.h"
#include "core/symbol_name.h"
#include "simt/functional/memory/memory_access.h"

namespace warplens::simt {

namespace {

std::string element(const std::string& name, u64 offset, u64 element_bytes) {
    element_bytes = std::max<u64>(element_bytes, 1);
    const u64 rest = offset % element_bytes;
    return rest == 0 ? fmt::format("{}[{}]", name, offset / element_bytes)
                     : fmt::format("byte {} of {}[{}]", rest, name, offset / element_bytes);
}

/// The name in the source; the compiler splits some arrays into parts, "range_$_0".
std::string written_name(std::string_view symbol) { return plain_name(symbol.substr(0, symbol.find("_$_"))); }

}  // namespace

const Site& site_with_line(const Program& program, SiteId site) {
    SiteId with_line = site;
    while (with_line > 0 && program.sites[with_line].line == 0) --with_line;
    return program.sites[with_line].line != 0 ? program.sites[with_line] : program.sites[site];
}

std::string line_words(const Program& program, SiteId site) {
    const Site& at = site_with_line(program, site);
    return at.line != 0 || at.ptx_line != 0 ? line_of(at) : fmt::format("{} without a line", at.opcode);
}

std::string heap_block_name(const LaunchState& launch, const HeapBlock& block) {
    return fmt::format("memory from malloc at {}",
                       line_words(launch.kernel->numbered, block.allocated_by.site));
}

std::string place_name(const LaunchState& launch, Space space, u64 address, u32 bytes) {
    if (space == Space::global) {
        const DeviceHeap* const heap = launch.memory->heap();
        if (const HeapBlock* block = heap && heap->holds(address) ? heap->nearest(address) : nullptr)
            return element(heap_block_name(launch, *block), address - block->base, bytes);
        const Allocation* allocation = launch.memory->nearest_of_program(address);
        if (!allocation || address >= shared_window) return fmt::format("global memory at {:#x}", address);
        return element(written_name(allocation->name), address - allocation->base, bytes);
    }
    if (space == Space::shared) {
        const Variable* holder = nullptr;
        for (const Variable& variable : launch.kernel->numbered.variables) {
            if (variable.space != Space::shared || variable.offset > address) continue;
            if (variable.bytes != 0 && address - variable.offset >= variable.bytes) continue;
            if (!holder || variable.bytes != 0) holder = &variable;
        }
        const RunOptions* options = launch.options;
        if (holder && options && options->shared_element)
            if (auto name = options->shared_element(written_name(holder->name), holder->bytes,
                                                    address - holder->offset))
                return *std::move(name);
        if (holder)
            return element(written_name(holder->name), address - holder->offset,
                           holder->element_bytes > 1 ? holder->element_bytes : bytes);
    }
    return fmt::format("{} memory at {:#x}", to_string(space), address);
}

}  // namespace warplens::simt
