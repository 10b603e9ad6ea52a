// Checks a file's launch and program against the limits of all GPUs and kernels.
#include "core/bounded.h"
#include "core/launch_limits.h"
#include "trace/check.h"

namespace warplens::trace {

namespace {

Status check_geometry(const LaunchGeometry& geometry) {
    const Dim3& grid = geometry.grid;
    const Dim3& block = geometry.block;
    // Each extent first, so that the products cannot wrap.
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > most_grid_x || grid.y > most_grid_yz ||
        grid.z > most_grid_yz)
        return fail("a grid of {} is impossible; 1 to {} × {} × {} blocks are possible",
                    warplens::to_string(grid), most_grid_x, most_grid_yz, most_grid_yz);
    if (block.x == 0 || block.y == 0 || block.z == 0 || block.x > most_threads_per_block ||
        block.y > most_threads_per_block || block.z > most_threads_per_block ||
        block.count() > most_threads_per_block)
        return fail("a block of {} threads is impossible; 1 to {} threads are possible",
                    warplens::to_string(block), most_threads_per_block);
    if (geometry.cluster.x > most_blocks_per_cluster || geometry.cluster.y > most_blocks_per_cluster ||
        geometry.cluster.z > most_blocks_per_cluster || geometry.cluster.count() == 0 ||
        geometry.cluster.count() > most_blocks_per_cluster)
        return fail("a cluster of {} blocks is impossible; 1 to {} blocks are possible",
                    warplens::to_string(geometry.cluster), most_blocks_per_cluster);
    if (geometry.dynamic_shared_bytes > most_shared_bytes)
        return fail("{} bytes of dynamic shared memory are impossible; at most {} are possible",
                    geometry.dynamic_shared_bytes, most_shared_bytes);
    return {};
}

Status check_resources(const Launch& launch) {
    const Resources& resources = launch.resources;
    if (resources.registers_per_thread > most_registers_per_thread)
        return fail("{} registers per thread are impossible; at most {} are possible",
                    resources.registers_per_thread, most_registers_per_thread);
    if (resources.shared_static_bytes > most_shared_bytes)
        return fail("{} bytes of static shared memory are impossible; at most {} are possible",
                    resources.shared_static_bytes, most_shared_bytes);
    if (resources.stack_bytes > most_stack_bytes)
        return fail("a stack of {} bytes per thread is impossible; at most {} are possible",
                    resources.stack_bytes, most_stack_bytes);
    for (const Buffer& buffer : launch.buffers) {
        if (buffer.element_bytes == 0) return fail("buffer {} has elements of 0 bytes", buffer.name);
        if (!checked_sum(buffer.base, buffer.bytes))
            return fail("buffer {} of {} bytes at {} extends past the last address", buffer.name,
                        buffer.bytes, buffer.base);
    }
    return {};
}

Status check_sites(const Program& program) {
    for (std::size_t id = 0; id < program.basic_blocks.size(); ++id) {
        const BasicBlock& basic_block = program.basic_blocks[id];
        const std::uint64_t end = std::uint64_t{basic_block.first_site} + basic_block.site_count;
        if (!is_range_within(basic_block.first_site, end, program.sites.size()))
            return fail("basic block {} ends at site {}, but the program has {} sites", id, end,
                        program.sites.size());
        if (basic_block.site_count == 0) return fail("basic block {} has no instruction", id);
    }
    for (std::size_t id = 0; id < program.sites.size(); ++id) {
        const Site& site = program.sites[id];
        if (site.file != no_index && site.file >= program.sources.size())
            return fail("site {} names source file {}, but there are {}", id, site.file,
                        program.sources.size());
        if (site.basic_block >= program.basic_blocks.size())
            return fail("site {} belongs to basic block {}, but there are {}", id, site.basic_block,
                        program.basic_blocks.size());
        const BasicBlock& basic_block = program.basic_blocks[site.basic_block];
        if (id < basic_block.first_site || id - basic_block.first_site >= basic_block.site_count)
            return fail("site {} belongs to basic block {}, which does not contain it", id, site.basic_block);
        if (site.bytes_per_lane > most_bytes_per_lane)
            return fail("site {} accesses {} bytes per lane; at most {} are possible", id,
                        site.bytes_per_lane, most_bytes_per_lane);
    }
    return {};
}

}  // namespace

Status check_static(const Launch& launch, const Program& program) {
    WARPLENS_TRY(check_geometry(launch.geometry));
    WARPLENS_TRY(check_resources(launch));
    WARPLENS_TRY(check_sites(program));
    for (const Variable& variable : program.variables)
        if (!checked_sum(variable.offset, variable.bytes))
            return fail("variable {} of {} bytes at {} extends past the last address", variable.name,
                        variable.bytes, variable.offset);
    for (const Parameter& parameter : program.parameters)
        if (!are_within(parameter.offset, parameter.bytes, most_parameter_bytes))
            return fail("parameter {} has {} bytes at {}; at most {} are possible", parameter.name,
                        parameter.bytes, parameter.offset, most_parameter_bytes);
    return {};
}

}  // namespace warplens::trace
