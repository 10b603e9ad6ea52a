#include "simt/functional/exec_memory.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "simt/functional/block_runner.h"
#include "simt/functional/race_detector.h"

namespace warplens::simt {

namespace {

std::string_view verb(Operation operation) {
    return operation == Operation::load ? "reads" : operation == Operation::store ? "writes" : "updates";
}

/// Which part of a memory a bad address is nearest to.
std::string nearest_text(const LaunchState& launch, u64 address, u32 bytes) {
    constexpr u64 null_pages = u64{1} << 20;
    if (address < null_pages) return "through a null pointer";
    const Allocation* below = launch.memory->nearest(address);
    const Allocation* above = nullptr;
    for (const Allocation& allocation : launch.memory->allocations()) {
        if (allocation.base <= address) continue;
        above = &allocation;
        break;
    }
    if (below) {
        const u64 end = below->base + below->bytes;
        const u64 past = address + bytes - end;
        if (!above || address - below->base < above->base - address)
            return fmt::format("{} bytes past the end of \"{}\" ({} bytes)", past, below->name, below->bytes);
    }
    if (above)
        return fmt::format("{} bytes before the beginning of \"{}\" ({} bytes)", above->base - address,
                           above->name, above->bytes);
    return "and the launch has no device memory";
}

void report_out_of_bounds(Warp& warp, const DecodedOp& op, int lane, u64 address, u32 bytes, Space space,
                          Operation operation, u64 limit) {
    BlockRunner& block = *warp.block;
    if (block.reported_before(ProblemKind::out_of_bounds, op.site, 1)) return;
    std::string where = space == Space::global
                            ? nearest_text(block.launch(), address, bytes)
                            : fmt::format("{} bytes past the end of {} memory ({} bytes)",
                                          address + bytes - limit, to_string(space), limit);
    block.report(warp, op.site, 1u << lane, ProblemKind::out_of_bounds, address,
                 fmt::format("{} {} bytes of {} memory at {:#x}, {}", verb(operation), bytes,
                             to_string(space), address, where));
}

Space space_of_generic(u64& address) {
    const u64 window = address & ~(window_bytes - 1);
    Space space = window == shared_window     ? Space::shared
                  : window == local_window    ? Space::local
                  : window == constant_window ? Space::constant
                  : window == param_window    ? Space::param
                                              : Space::global;
    if (space != Space::global) address -= window;
    return space;
}

void check_written(Warp& warp, const DecodedOp& op, int lane, u64 address, u32 bytes) {
    for (u32 i = 0; i < bytes; ++i) {
        if (warp.shared_written[address + i] != 0) continue;
        if (!warp.block->reported_before(ProblemKind::uninitialised_read, op.site, 1))
            warp.block->report(warp, op.site, 1u << lane, ProblemKind::uninitialised_read, address,
                               fmt::format("reads shared memory at {:#x} that no thread of the block has "
                                           "written: store to it, and wait at a barrier, first",
                                           address));
        return;
    }
}

void mark_written(Warp& warp, u64 address, u32 bytes) {
    for (u32 i = 0; i < bytes; ++i) {
        u8& flag = warp.shared_written[address + i];
        *warp.shared_unwritten -= flag == 0;
        flag = 1;
    }
}

/// The fast path of the site's next request will check against this allocation.
void remember_window(Warp& warp, const DecodedOp& op, u64 address) {
    const Allocation* allocation = warp.block->launch().memory->nearest(address);
    Window& window = warp.windows[op.window];
    window.base = allocation->base;
    window.extent = allocation->bytes - op.bytes() + 1;
    window.host = const_cast<std::byte*>(allocation->data.data());
}

struct LanesBySpace {
    u32 lanes[6] = {};
    void add(Space space, int lane) { lanes[static_cast<std::size_t>(space)] |= 1u << lane; }
    void tell(Warp& warp, const DecodedOp& op, Operation operation) const {
        for (Space space : {Space::global, Space::shared, Space::local, Space::constant, Space::param})
            if (u32 mask = lanes[static_cast<std::size_t>(space)])
                tell_access(warp, op, mask, space, operation);
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

}  // namespace

void compute_addresses(Warp& warp, const DecodedOp& op, u32 mask) {
    for_each_lane({mask}, [&](int lane) {
        u64 address = op.wide_address ? row<const u64>(warp, op.rows[address_row])[lane]
                                      : row<const u32>(warp, op.rows[address_row])[lane];
        address += op.immediate;
        if (!op.wide_address) address = static_cast<u32>(address);
        warp.addresses[static_cast<std::size_t>(lane)] = address;
    });
}

std::byte* resolve(Warp& warp, const DecodedOp& op, int lane, u64& address, u32 bytes, Space& space,
                   Operation operation) {
    BlockRunner& block = *warp.block;
    const LaunchState& launch = block.launch();
    if (space == Space::none) space = space_of_generic(address);
    if (address % bytes != 0) {
        if (!block.reported_before(ProblemKind::misaligned, op.site, 1))
            block.report(warp, op.site, 1u << lane, ProblemKind::misaligned, address,
                         fmt::format("{} {} bytes of {} memory at {:#x}, which is no multiple of {}",
                                     verb(operation), bytes, to_string(space), address, bytes));
        return nullptr;
    }
    std::byte* memory = nullptr;
    u64 limit = 0;
    switch (space) {
        case Space::global:
            if (std::byte* at = launch.memory->at(address, bytes)) return at;
            break;
        case Space::shared:
            memory = warp.shared;
            limit = warp.shared_bytes;
            break;
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
    if (memory && address <= limit && bytes <= limit - address) return memory + address;
    report_out_of_bounds(warp, op, lane, address, bytes, space, operation, limit);
    return nullptr;
}

void tell_access(Warp& warp, const DecodedOp& op, u32 mask, Space space, Operation operation) {
    const trace::Access access{op.site, {mask}, space, operation, op.bytes(), &warp.addresses};
    if (warp.observer) warp.observer->access(static_cast<int>(warp.index), access);
    if (warp.watch_races) warp.block->races().note(warp, access);
}

void load_checked(Warp& warp, const DecodedOp& op, u32 mask) {
    compute_addresses(warp, op, mask);
    LanesBySpace good;
    for_each_lane({mask}, [&](int lane) {
        Space space = op.space;
        u64& address = warp.addresses[static_cast<std::size_t>(lane)];
        const std::byte* from = resolve(warp, op, lane, address, op.bytes(), space, Operation::load);
        constexpr std::byte zeros[8] = {};
        for (u32 i = 0; i < op.vector_width; ++i)
            put_element(warp, op, i, lane, from ? from + i * op.element_bytes : zeros);
        if (!from) return;
        if (space == Space::shared) check_written(warp, op, lane, address, op.bytes());
        if (op.space == Space::global) remember_window(warp, op, address);
        good.add(space, lane);
    });
    good.tell(warp, op, Operation::load);
}

void store_checked(Warp& warp, const DecodedOp& op, u32 mask) {
    compute_addresses(warp, op, mask);
    LanesBySpace good;
    for_each_lane({mask}, [&](int lane) {
        Space space = op.space;
        u64& address = warp.addresses[static_cast<std::size_t>(lane)];
        std::byte* to = resolve(warp, op, lane, address, op.bytes(), space, Operation::store);
        if (!to) return;
        for (u32 i = 0; i < op.vector_width; ++i) take_element(warp, op, i, lane, to + i * op.element_bytes);
        if (space == Space::shared) mark_written(warp, address, op.bytes());
        if (op.space == Space::global) remember_window(warp, op, address);
        good.add(space, lane);
    });
    good.tell(warp, op, Operation::store);
}

void load_kernel_parameter(Warp& warp, const DecodedOp& op, u32 mask) {
    const std::byte* from = warp.block->launch().arguments->data() + op.immediate;
    if (mask == 0xffffffffu && op.vector_width == 1 && op.element_bytes >= 4) {
        if (op.element_bytes == 8) {
            u64 value;
            std::memcpy(&value, from, 8);
            std::fill_n(row<u64>(warp, op.rows[0]), warp_size, value);
        } else {
            u32 value;
            std::memcpy(&value, from, 4);
            std::fill_n(row<u32>(warp, op.rows[0]), warp_size, value);
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
        bits |= u32{space_of_generic(address) == op.space} << lane;
    });
    set_predicate(warp, op.rows[0], mask, bits);
}

void copy_async(Warp& warp, const DecodedOp& op, u32 mask) {
    auto address_in = [&](int slot, bool wide, int lane) {
        u64 base =
            wide ? row<const u64>(warp, op.rows[slot])[lane] : row<const u32>(warp, op.rows[slot])[lane];
        u64 address = base + row<const u64>(warp, op.rows[slot + 2])[lane];
        return wide ? address : u64{static_cast<u32>(address)};
    };
    const u32 bytes = op.element_bytes;
    trace::Addresses from{}, to{};
    u32 reading = 0, writing = 0;
    for_each_lane({mask}, [&](int lane) {
        const std::size_t i = static_cast<std::size_t>(lane);
        to[i] = address_in(0, op.flags & 1, lane);
        from[i] = address_in(1, op.flags & 2, lane);
        const u32 read = std::min(bytes, row<const u32>(warp, op.rows[4])[lane]);
        Space shared = Space::shared, global = Space::global;
        std::byte* target = resolve(warp, op, lane, to[i], bytes, shared, Operation::store);
        const std::byte* source =
            read == 0 ? nullptr : resolve(warp, op, lane, from[i], bytes, global, Operation::load);
        if (source) reading |= 1u << lane;
        if (!target) return;
        std::memset(target, 0, bytes);
        if (source) std::memcpy(target, source, read);
        mark_written(warp, to[i], bytes);
        writing |= 1u << lane;
    });
    warp.addresses = from;
    if (reading) tell_access(warp, op, reading, Space::global, Operation::load);
    warp.addresses = to;
    if (writing) tell_access(warp, op, writing, Space::shared, Operation::store);
}

}  // namespace warplens::simt
