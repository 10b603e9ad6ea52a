#include "simt/functional/execute/memory.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "simt/functional/block/async_copies.h"
#include "simt/functional/block/block_runner.h"
#include "simt/functional/execute/executor_table.h"
#include "simt/functional/execute/lane_functions.h"
#include "simt/functional/memory/access_problems.h"
#include "simt/functional/races/block_races.h"

namespace warplens::simt {

namespace {

Space space_of_generic(u64& address) {
    const u64 window = address & ~(window_bytes - 1);
    const u64 rank = (window - shared_window) / window_bytes;
    if (window > shared_window && rank <= most_ranks) {
        address -= shared_window;
        return Space::shared_cluster;
    }
    Space space = window == shared_window     ? Space::shared
                  : window == local_window    ? Space::local
                  : window == constant_window ? Space::constant
                  : window == param_window    ? Space::param
                                              : Space::global;
    if (space != Space::global) address -= window;
    return space;
}

/// The shared memory that contains an address of a shared space; `address` becomes the offset in it.
SharedBytes shared_bytes(Warp& warp, Space space, u64& address) {
    if (space == Space::shared) return warp.block->shared_bytes();
    BlockRunner& owner = *warp.block->cluster().blocks[address / window_bytes];
    address %= window_bytes;
    return owner.shared_bytes();
}

/// Unused elements of a vector may be unwritten: only a read without any written byte is reported.
void check_written(Warp& warp, const DecodedOp& op, int lane, Space space, u64 address, u32 bytes) {
    u64 first = address;
    const SharedBytes shared = shared_bytes(warp, space, first);
    u32 found = 0;
    for (u32 i = 0; i < bytes; ++i) {
        if (shared.written[first + i] != 0) ++found;
        else if (shared.copies->report_read(warp, op.site, lane, address, first + i)) return;
    }
    if (op.vector_width == 1 ? found < bytes : found == 0)
        report_uninitialised(warp, op, lane, address, Space::shared);
}

/// The same for local memory, where structs have padding.
void check_local(Warp& warp, const DecodedOp& op, int lane, u64 address, u32 bytes) {
    const u8* written = warp.block->local_written(warp, lane) + address;
    if (std::all_of(written, written + bytes, [](u8 flag) { return flag == 0; }))
        report_uninitialised(warp, op, lane, address, Space::local);
}

bool is_shared(Space space) { return space == Space::shared || space == Space::shared_cluster; }

/// The fast path of the site's next request checks against this allocation.
void remember_window(Warp& warp, const DecodedOp& op, u64 address) {
    const GlobalMemory& memory = *warp.block->launch().memory;
    const Allocation* allocation = memory.nearest(address);
    if (!allocation->written.empty() || !memory.is_of_program(*allocation)) return;
    Window& window = warp.windows[op.window];
    window.base = allocation->base;
    window.extent = allocation->bytes - op.bytes() + 1;
    window.host = const_cast<std::byte*>(allocation->data.data());
}

/// See shared_address().
void keep_own_shared(Warp& warp, const DecodedOp& op, u32 mask) {
    for_each_lane({mask}, [&](int lane) {
        u64& address = warp.addresses[static_cast<std::size_t>(lane)];
        address = shared_address(op, static_cast<u32>(address));
    });
}

struct LanesBySpace {
    u32 lanes[space_count] = {};
    void add(Space space, int lane) { lanes[static_cast<std::size_t>(space)] |= 1u << lane; }
    void notify(Warp& warp, const DecodedOp& op, Operation operation) const {
        for (Space space : {Space::global, Space::shared, Space::local, Space::constant, Space::param,
                            Space::shared_cluster})
            if (u32 mask = lanes[static_cast<std::size_t>(space)])
                notify_access(warp, op, mask, space, operation);
    }
};

void put_element(Warp& warp, const DecodedOp& op, u32 element, int lane, const std::byte* from) {
    const Row where = op.rows[element];
    if (op.element_bytes == 8) {
        std::memcpy(&row<u64>(warp, where)[lane], from, 8);
        return;
    }
    u32 word = 0;
    if (from) std::memcpy(&word, from, op.element_bytes);
    const int unused = 32 - 8 * op.element_bytes;
    if (op.sign_extends) word = static_cast<u32>(static_cast<s32>(word << unused) >> unused);
    row<u32>(warp, where)[lane] = word;
}

void take_element(Warp& warp, const DecodedOp& op, u32 element, int lane, std::byte* to) {
    if (op.element_bytes == 8) std::memcpy(to, &row<const u64>(warp, op.rows[element])[lane], 8);
    else std::memcpy(to, &row<const u32>(warp, op.rows[element])[lane], op.element_bytes);
}

/// The bytes at an address of `space`, or nullptr. `address` becomes the value that observers receive;
/// `limit`, if the address is invalid, the size of the memory.
std::byte* find_bytes(Warp& warp, int lane, u64& address, u64 bytes, Space space, Operation operation,
                      u64& limit) {
    BlockRunner& block = *warp.block;
    const LaunchState& launch = block.launch();
    std::byte* memory = nullptr;
    switch (space) {
        case Space::global:
            return launch.memory->at(address, bytes);
        case Space::shared:
            memory = warp.shared;
            limit = warp.shared_bytes;
            break;
        case Space::shared_cluster: {
            const u64 rank = address < window_bytes ? block.cluster_rank() : address / window_bytes - 1,
                      at = address % window_bytes;
            address = rank * window_bytes | at;
            if (rank >= block.cluster().blocks.size()) return nullptr;
            BlockRunner& owner = *block.cluster().blocks[rank];
            const SharedBytes shared = owner.shared_bytes();
            limit = shared.count;
            if (owner.live_threads() == 0 || at > limit || bytes > limit - at) return nullptr;
            return shared.bytes + at;
        }
        case Space::local:
            memory = warp.local + static_cast<u32>(lane) * warp.local_bytes;
            limit = warp.local_bytes;
            break;
        case Space::constant:
            memory = const_cast<std::byte*>(launch.constants.data());
            limit = operation == Operation::load ? launch.constants.size() : 0;
            break;
        default:
            memory = const_cast<std::byte*>(launch.arguments->data());
            limit = operation == Operation::load ? launch.arguments->size() : 0;
            break;
    }
    return memory && address <= limit && bytes <= limit - address ? memory + address : nullptr;
}

}  // namespace

void mark_written(Warp& warp, Space space, u64 address, u32 bytes) {
    const SharedBytes shared = shared_bytes(warp, space, address);
    for (u32 i = 0; i < bytes; ++i) {
        u8& flag = shared.written[address + i];
        *shared.unwritten -= flag == 0;
        flag = 1;
    }
}

void compute_addresses(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32* words = row<const u32>(warp, op.rows[address_row]);
    for_each_lane({mask}, [&](int lane) {
        u64 address = op.paired_address ? words[lane] | u64{words[lane + warp_size]} << 32
                      : op.wide_address ? row<const u64>(warp, op.rows[address_row])[lane]
                                        : words[lane];
        address += op.immediate;
        if (!op.wide_address) address = static_cast<u32>(address);
        warp.addresses[static_cast<std::size_t>(lane)] = address;
    });
}

std::byte* resolve(Warp& warp, const DecodedOp& op, int lane, u64& address, u32 bytes, Space& space,
                   Operation operation) {
    if (space == Space::none) space = space_of_generic(address);
    if (address % bytes != 0) {
        report_misaligned(warp, op, lane, address, bytes, space, operation);
        return nullptr;
    }
    return resolve_range(warp, op, lane, address, bytes, space, operation);
}

std::byte* resolve_remembered(Warp& warp, const DecodedOp& op, int lane, u64& address, Space& space,
                              Operation operation) {
    if (space == Space::none) space = space_of_generic(address);
    if (space != Space::global) return resolve(warp, op, lane, address, op.bytes(), space, operation);
    const Window& window = warp.windows[op.window];
    const u64 at = address - window.base;
    if (at < window.extent && address % op.bytes() == 0) return window.host + at;
    std::byte* const found = resolve(warp, op, lane, address, op.bytes(), space, operation);
    if (found) remember_window(warp, op, address);
    return found;
}

std::byte* resolve_range(Warp& warp, const DecodedOp& op, int lane, u64& address, u32 bytes, Space& space,
                         Operation operation) {
    u64 limit = 0;
    std::byte* const at = find_bytes(warp, lane, address, bytes, space, operation, limit);
    if (!at) {
        report_out_of_bounds(warp, op, lane, address, bytes, space, operation, limit);
        return nullptr;
    }
    GlobalMemory& memory = *warp.block->launch().memory;
    if (space == Space::global && memory.tracks_writes()) [[unlikely]] {
        if (operation != Operation::store && !memory.is_written(address, bytes))
            report_uninitialised(warp, op, lane, address, space);
        if (operation != Operation::load) memory.mark_written(address, bytes);
    }
    return at;
}

const std::byte* peek(Warp& warp, int lane, u64 address, u64 bytes, Space* space) {
    const Space of = space_of_generic(address);
    if (space) *space = of;
    u64 limit = 0;
    return find_bytes(warp, lane, address, bytes, of, Operation::load, limit);
}

bool is_local_written(Warp& warp, int lane, u64 address, u32 bytes) {
    if (space_of_generic(address) != Space::local) return true;
    const u8* written = warp.block->local_written(warp, lane) + address;
    return std::any_of(written, written + bytes, [](u8 flag) { return flag != 0; });
}

void mark_stored(Warp& warp, int lane, u64 address, u32 bytes) {
    const Space space = space_of_generic(address);
    if (space == Space::local) std::fill_n(warp.block->local_written(warp, lane) + address, bytes, u8{1});
    else if (is_shared(space)) mark_written(warp, space, address, bytes);
    else warp.block->launch().memory->mark_written(address, bytes);
}

void notify_access(Warp& warp, const DecodedOp& op, u32 mask, Space space, Operation operation,
                   const trace::LaneRuns* runs) {
    const trace::Access access{op.site, {mask}, space, operation, op.bytes(), &warp.addresses, runs};
    if (warp.observer) warp.observer->access(static_cast<int>(warp.index), access);
    if (warp.watch_races) warp.block->races().note(warp, op, access);
}

void load_checked(Warp& warp, const DecodedOp& op, u32 mask) {
    compute_addresses(warp, op, mask);
    if (op.flags != 0) keep_own_shared(warp, op, mask);
    LanesBySpace good;
    for_each_lane({mask}, [&](int lane) {
        Space space = op.space;
        u64& address = warp.addresses[static_cast<std::size_t>(lane)];
        const std::byte* from = resolve(warp, op, lane, address, op.bytes(), space, Operation::load);
        constexpr std::byte zeros[8] = {};
        for (u32 i = 0; i < op.vector_width; ++i)
            put_element(warp, op, i, lane, from ? from + i * op.element_bytes : zeros);
        if (!from) return;
        if (is_shared(space)) check_written(warp, op, lane, space, address, op.bytes());
        if (space == Space::local) check_local(warp, op, lane, address, op.bytes());
        if (op.space == Space::global) remember_window(warp, op, address);
        good.add(space, lane);
    });
    good.notify(warp, op, Operation::load);
}

void store_checked(Warp& warp, const DecodedOp& op, u32 mask) {
    compute_addresses(warp, op, mask);
    if (op.flags != 0) keep_own_shared(warp, op, mask);
    LanesBySpace good;
    for_each_lane({mask}, [&](int lane) {
        Space space = op.space;
        u64& address = warp.addresses[static_cast<std::size_t>(lane)];
        std::byte* to = resolve(warp, op, lane, address, op.bytes(), space, Operation::store);
        if (!to) return;
        for (u32 i = 0; i < op.vector_width; ++i) take_element(warp, op, i, lane, to + i * op.element_bytes);
        if (is_shared(space)) mark_written(warp, space, address, op.bytes());
        if (space == Space::local)
            std::fill_n(warp.block->local_written(warp, lane) + address, op.bytes(), u8{1});
        if (op.space == Space::global) remember_window(warp, op, address);
        good.add(space, lane);
    });
    good.notify(warp, op, Operation::store);
}

void load_kernel_parameter(Warp& warp, const DecodedOp& op, u32 mask) {
    const std::byte* from = warp.block->launch().arguments->data() + op.immediate;
    if (mask == 0xffffffffu && op.vector_width == 1 && op.element_bytes >= 4) {
        static const LaneFunctions& lanes = lane_functions();
        if (op.element_bytes == 8) {
            u64 value;
            std::memcpy(&value, from, 8);
            lanes.fill_wide(row<u64>(warp, op.rows[0]), value);
        } else {
            u32 value;
            std::memcpy(&value, from, 4);
            lanes.fill_words(row<u32>(warp, op.rows[0]), value);
        }
        return;
    }
    for (u32 i = 0; i < op.vector_width; ++i)
        for_each_lane({mask}, [&](int lane) { put_element(warp, op, i, lane, from + i * op.element_bytes); });
}

void load_parameter(Warp& warp, const DecodedOp& op, u32 mask) {
    for_each_lane({mask}, [&](int lane) {
        const std::byte* from = warp.params + static_cast<u32>(lane) * warp.param_bytes + op.immediate;
        for (u32 i = 0; i < op.vector_width; ++i) put_element(warp, op, i, lane, from + i * op.element_bytes);
    });
}

void store_parameter(Warp& warp, const DecodedOp& op, u32 mask) {
    for_each_lane({mask}, [&](int lane) {
        std::byte* to = warp.params + static_cast<u32>(lane) * warp.param_bytes + op.immediate;
        for (u32 i = 0; i < op.vector_width; ++i) take_element(warp, op, i, lane, to + i * op.element_bytes);
    });
}

void is_space(Warp& warp, const DecodedOp& op, u32 mask) {
    u32 bits = 0;
    for_each_lane({mask}, [&](int lane) {
        u64 address = row<const u64>(warp, op.rows[1])[lane];
        const Space space = space_of_generic(address);
        // A block's own part of its cluster's window is in both spaces.
        const bool own = space == Space::shared_cluster
                             ? address / window_bytes - 1 == warp.block->cluster_rank()
                             : space == Space::shared;
        const bool holds = op.space == Space::shared           ? own
                           : op.space == Space::shared_cluster ? is_shared(space)
                                                               : space == op.space;
        bits |= u32{holds} << lane;
    });
    set_predicate(warp, op.rows[0], mask, bits);
}

namespace {

/// Its key in the executors' table; empty: only the checked ones execute it. Addresses are examined without
/// the offset, which must not misalign them.
std::string key_of(const DecodedOp& op, bool load) {
    const bool has_loops = op.space == Space::shared || (op.space == Space::global && op.wide_address);
    if (!has_loops || op.immediate % op.bytes() != 0) return {};
    const bool sign = load && op.sign_extends && op.element_bytes < 4;
    const std::string vector = op.vector_width > 1 ? fmt::format(".v{}", op.vector_width) : "";
    return fmt::format("{}{}{}.{}{}", load ? "ld" : "st", op.space == Space::global ? ".global" : ".shared",
                       vector, sign ? 's' : 'u', op.element_bytes);
}

}  // namespace

Execute access_executor(const DecodedOp& op, bool load) {
    const ExecutorRow* executor = find_executor(key_of(op, load));
    return executor ? executor->execute : load ? load_checked : store_checked;
}

Execute examining_executor(const DecodedOp& op, bool load) {
    if (!find_executor(key_of(op, load))) return nullptr;
    return find_executor(fmt::format("examine.{}@{}", op.bytes(),
                                     op.paired_address ? "4+4"
                                     : op.wide_address ? "8"
                                                       : "4"))
        ->execute;
}

}  // namespace warplens::simt
