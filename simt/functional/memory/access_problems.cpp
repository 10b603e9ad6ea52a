#include "simt/functional/memory/access_problems.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "analysis/wording.h"
#include "core/symbol_name.h"
#include "simt/functional/block/block_runner.h"
#include "simt/functional/memory/memory_access.h"
#include "simt/functional/memory/place_names.h"

namespace warplens::simt {

namespace {

constexpr u64 null_pages = u64{1} << 20;

std::string_view verb(Operation operation) {
    return operation == Operation::load ? "reads" : operation == Operation::store ? "writes" : "updates";
}

std::string counted_bytes(u64 bytes) { return analysis::counted(bytes, "byte"); }

/// Of the block or of its cluster.
bool is_in_window_of_shared_memory(u64 address) {
    return address >= shared_window && address - shared_window < (1 + most_ranks) * window_bytes;
}

struct Nearest {
    const Allocation* allocation = nullptr;  // null: the launch has none
    bool before = false;                     // the address is before its beginning, else past its end
};

Nearest nearest_allocation(const LaunchState& launch, u64 address) {
    const Allocation* const below = launch.memory->nearest_of_program(address);
    for (const Allocation& above : launch.memory->allocations()) {
        if (above.base <= address || !launch.memory->is_of_program(above)) continue;
        const bool closer =
            !below || above.base - address < address - std::min(address, below->base + below->bytes);
        return closer ? Nearest{&above, true} : Nearest{below, false};
    }
    return {below, false};
}

/// "in[-1]"; empty where the address is not before an allocation by whole elements.
std::string element_before(const LaunchState& launch, u64 address, u64 element_bytes) {
    const auto [near, before] = nearest_allocation(launch, address);
    if (!before || (near->base - address) % element_bytes != 0) return {};
    return fmt::format("{}[-{}]", plain_name(near->name), (near->base - address) / element_bytes);
}

/// Describes the nearest allocation of a bad address: its length in bytes, and in elements as place_name
/// counts them, so that the index in the name and the length fit together.
std::string nearest_text(const LaunchState& launch, u64 address, u32 bytes, u32 element_bytes) {
    if (address < null_pages) return "through a null pointer: is the argument missing, or an index wrong?";
    if (address / window_bytes == local_window / window_bytes)
        return "an address in the local memory of a thread: no other thread and no other grid can use it";
    if (is_in_window_of_shared_memory(address))
        return "an address in the shared memory of a block: no other block and no other grid can use it";
    const auto [near, before] = nearest_allocation(launch, address);
    if (near && before)
        return fmt::format("{} before the beginning of \"{}\" ({}): is the index negative?",
                           counted_bytes(near->base - address), plain_name(near->name),
                           counted_bytes(near->bytes));
    if (near) {
        const u64 past = address + bytes - (near->base + near->bytes);
        return fmt::format("{} past the end of \"{}\" ({}, {} of {})", counted_bytes(past),
                           plain_name(near->name), counted_bytes(near->bytes),
                           analysis::counted(near->bytes / element_bytes, "element"),
                           counted_bytes(element_bytes));
    }
    return "and the launch has no device memory";
}

/// The same within the heap of malloc.
std::string where_in_heap(const LaunchState& launch, const DeviceHeap& heap, u64 address, u32 bytes) {
    const HeapBlock* const block = heap.nearest(address);
    if (!block) return "in the heap, where nothing is allocated";
    const Program& program = launch.kernel->numbered;
    if (block->freed && address - block->base < std::max<u64>(block->bytes, 1))
        return fmt::format("which was freed at {}: memory is valid only until it is freed",
                           line_words(program, block->freed_by.site));
    return fmt::format("{} past the end of the {} that malloc returned at {}",
                       counted_bytes(address + bytes - (block->base + block->bytes)),
                       counted_bytes(block->bytes), line_words(program, block->allocated_by.site));
}

std::string where_in_cluster(const BlockRunner& block, u64 address, u32 bytes, u64 limit) {
    const u64 rank = address / window_bytes, ranks = block.cluster().blocks.size();
    if (rank >= ranks)
        return fmt::format("of the block with rank {}, and the cluster has {} block{}", rank, ranks,
                           ranks == 1 ? "" : "s");
    if (block.cluster().blocks[rank]->live_threads() == 0)
        return fmt::format(
            "of the block with rank {}, which has ended: its memory is no longer valid; a cluster barrier at "
            "the kernel's end keeps it valid",
            rank);
    return fmt::format("{} past the end of the shared memory of the block with rank {} ({})",
                       counted_bytes(address % window_bytes + bytes - limit), rank, counted_bytes(limit));
}

}  // namespace

namespace {

/// A clause: what of the launch is a guess and may be why the address is outside memory; empty: nothing.
std::string doubt_of(const LaunchState& launch, u64 address, u32 bytes, Space space) {
    const std::string& guessed_size = launch.options->shared_doubt;
    if (space == Space::shared) return guessed_size.empty() ? launch.options->doubt : guessed_size;
    if (space != Space::global) return {};
    const Allocation* const below = launch.memory->nearest_of_program(address);
    if (!below || !below->guessed_length) return launch.options->doubt;
    GlobalMemory::reach(*below, address + bytes);
    return fmt::format("the length of \"{}\" is a guess", plain_name(below->name));
}

std::string with_doubt(const std::string& message, const std::string& doubt) {
    return fmt::format("{}. This may be right in your program: {}", message, doubt);
}

}  // namespace

void doubt_races(const LaunchState& launch, RunResult& result) {
    const auto doubt_at = [&](SiteId id) -> std::string {
        if (id == no_index) return {};
        const auto& sites = launch.kernel->numbered.sites;
        const Site& site = sites[id];
        const auto note = std::ranges::find_if(result.notes, [&](const Problem& one) {
            if (one.kind != ProblemKind::doubtful_address || one.site == no_index) return false;
            const Site& at = sites[one.site];  // of an unrolled loop it may be another of the line
            return one.site == id || (at.line != 0 && at.line == site.line && at.file == site.file &&
                                      at.operation == site.operation && at.space == site.space);
        });
        if (note == result.notes.end()) return {};
        // How long shared memory is does not change which of its words two threads use.
        if (site.space == Space::shared) return launch.options->doubt;
        return doubt_of(launch, note->address, site.bytes_per_lane, Space::global);
    };
    const auto doubted = std::erase_if(result.problems, [&](Problem& race) {
        if (race.kind != ProblemKind::shared_race && race.kind != ProblemKind::global_race) return false;
        std::string doubt = doubt_at(race.site);
        if (doubt.empty() && race.other) doubt = doubt_at(race.other->site);
        if (doubt.empty()) return false;
        race.kind = ProblemKind::doubtful_race;
        race.message = with_doubt(race.message, doubt);
        result.notes.push_back(std::move(race));
        return true;
    });
    if (doubted == 0) return;
    std::ranges::stable_sort(result.notes, {}, [](const Problem& note) {
        return std::tuple(note.block.z, note.block.y, note.block.x);
    });
}

void report_out_of_bounds(Warp& warp, const DecodedOp& op, int lane, u64 address, u32 bytes, Space space,
                          Operation operation, u64 limit) {
    BlockRunner& block = *warp.block;
    const std::string doubt = doubt_of(block.launch(), address, bytes, space);
    const ProblemKind kind = doubt.empty() ? ProblemKind::out_of_bounds : ProblemKind::doubtful_address;
    if (block.reported_before(kind, op.site, 1)) return;
    const bool writes_constants = operation != Operation::load && address < limit;
    const DeviceHeap* const heap = block.launch().memory->heap();
    const bool in_heap = space == Space::global && heap && heap->holds(address);
    const u32 element_bytes = std::max<u32>(1, op.element_bytes);
    std::string where =
        in_heap                          ? where_in_heap(block.launch(), *heap, address, bytes)
        : space == Space::global         ? nearest_text(block.launch(), address, bytes, element_bytes)
        : space == Space::shared_cluster ? where_in_cluster(block, address, bytes, limit)
        : writes_constants               ? "which cannot be written"
        : static_cast<s64>(address) < 0
            ? fmt::format("{} before the start of the {} memory", counted_bytes(0 - address),
                          to_string(space))
            : fmt::format("{} past the end of the {} memory ({})", counted_bytes(address + bytes - limit),
                          to_string(space), counted_bytes(limit));
    const bool in_window = address < shared_window && address >= null_pages;
    std::string element = space == Space::global && !in_heap && in_window
                              ? element_before(block.launch(), address, element_bytes)
                              : "";
    if (element.empty()) element = place_name(block.launch(), space, address, element_bytes);
    const std::string what =
        counted_bytes(bytes) + fmt::format(" of {} memory at {:#x}", to_string(space), address);
    const bool has_name = !element.starts_with(to_string(space));
    std::string message = fmt::format("{} {}, {}", verb(operation),
                                      has_name ? fmt::format("{} ({})", element, what) : what, where);
    if (!doubt.empty()) message = with_doubt(message, doubt);
    block.report(warp, {.kind = kind,
                        .site = op.site,
                        .lanes = 1u << lane,
                        .address = address,
                        .element = std::move(element),
                        .message = std::move(message)});
}

void report_misaligned(Warp& warp, const DecodedOp& op, int lane, u64 address, u32 bytes, Space space,
                       Operation operation) {
    BlockRunner& block = *warp.block;
    if (block.reported_before(ProblemKind::misaligned, op.site, 1)) return;
    std::string element = place_name(block.launch(), space, address, std::max<u32>(1, op.element_bytes));
    std::string message = fmt::format(
        "{} {} bytes of {} memory at {:#x} ({}), which is not a multiple of {}: the address of an "
        "access must be a multiple of its size",
        verb(operation), bytes, to_string(space), address, element, bytes);
    block.report(warp, {.kind = ProblemKind::misaligned,
                        .site = op.site,
                        .lanes = 1u << lane,
                        .address = address,
                        .element = std::move(element),
                        .message = std::move(message)});
}

void report_uninitialised(Warp& warp, const DecodedOp& op, int lane, u64 address, Space space) {
    BlockRunner& block = *warp.block;
    if (block.reported_before(ProblemKind::uninitialised_read, op.site, 1)) return;
    std::string element = place_name(block.launch(), space, address, std::max<u32>(1, op.element_bytes));
    const std::string_view why = space == Space::shared ? "no thread of the block has written it by then"
                                 : space == Space::local
                                     ? "the thread has not written it by then"
                                     : "neither the host nor a thread has written it by then";
    std::string message = fmt::format("reads {} in {} memory, but {}", element, to_string(space), why);
    block.report(warp, {.kind = ProblemKind::uninitialised_read,
                        .site = op.site,
                        .lanes = 1u << lane,
                        .address = address,
                        .element = std::move(element),
                        .message = std::move(message)});
}

}  // namespace warplens::simt
