// Calls of .func functions. A function's registers and parameters have one place each, which is enough as
// long as a lane is in it once; a recursive call saves them for its lanes and the return restores them.
#include <algorithm>
#include <bit>
#include <cstring>

#include "simt/functional/block_runner.h"
#include "simt/functional/memory_access.h"

namespace warplens::simt {

namespace {

constexpr u32 deepest_call = 256;

}  // namespace

Frame* BlockRunner::frame_of_call(Frame* from, u32 call_block, u32 function) {
    for (auto& child : from->children)
        if (child->call_block == call_block) return child.get();
    auto frame = std::make_unique<Frame>();
    frame->parent = from;
    frame->call_block = call_block;
    frame->depth = from->depth + 1;
    frame->function = function;
    for (Frame* above = from; above; above = above->parent) frame->recursive |= above->function == function;
    return from->children.emplace_back(std::move(frame)).get();
}

void BlockRunner::save_lanes(Warp& warp, const DecodedFunction& function, u32 mask) {
    for_each_lane({mask}, [&](int lane) {
        std::vector<std::byte>& saved = warp.saved[static_cast<std::size_t>(lane)];
        auto append = [&](const void* bytes, std::size_t count) {
            const auto* from = static_cast<const std::byte*>(bytes);
            saved.insert(saved.end(), from, from + count);
        };
        for (const RegisterSlot& slot : function.registers) {
            const u32 bit = slot.bytes == 0 ? predicate(warp, slot.row) >> lane & 1u : 0;
            if (slot.bytes == 0) append(&bit, 4);
            else append(warp.registers + slot.row + lane * slot.bytes, slot.bytes);
        }
        append(warp.params + static_cast<u32>(lane) * warp.param_bytes + function.params_begin,
               function.params_end - function.params_begin);
    });
}

void BlockRunner::restore_lanes(Warp& warp, const DecodedFunction& function, u32 mask) {
    std::size_t bytes = function.params_end - function.params_begin;
    for (const RegisterSlot& slot : function.registers) bytes += slot.bytes == 0 ? 4 : slot.bytes;
    for_each_lane({mask}, [&](int lane) {
        std::vector<std::byte>& saved = warp.saved[static_cast<std::size_t>(lane)];
        const std::byte* from = saved.data() + (saved.size() - bytes);
        auto take = [&](void* to, std::size_t count) {
            std::memcpy(to, from, count);
            from += count;
        };
        for (const RegisterSlot& slot : function.registers) {
            if (slot.bytes == 0) {
                u32 bit;
                take(&bit, 4);
                set_predicate(warp, slot.row, 1u << lane, bit << lane);
            } else {
                take(warp.registers + slot.row + lane * slot.bytes, slot.bytes);
            }
        }
        take(warp.params + static_cast<u32>(lane) * warp.param_bytes + function.params_begin,
             function.params_end - function.params_begin);
        saved.resize(saved.size() - bytes);
    });
}

void BlockRunner::call(Warp& warp, const DecodedBlock& block, Group& group) {
    const CallSite& site = kernel().calls[block.target];
    const u32 mask = guarded_lanes(warp, block, group.mask);
    const u32 call_block = group.block;
    Frame* const from = group.frame;
    Group rest{block.next, group.mask & ~mask, from, group.yielded};
    if (mask == 0 || site.callee == Callee::print) {  // what a kernel prints is not kept
        rest.mask = group.mask;
        group = rest;
        return;
    }
    if (site.callee == Callee::assertion) {
        assertion_failed(warp, site, block.control_site, mask);
        group = rest;
        return;
    }
    const DecodedFunction& caller = kernel().functions[from->function];
    const DecodedFunction& callee = kernel().functions[site.function];
    const u32* bases = row<const u32>(warp, caller.local_base);
    u32 deepest = 0;
    for_each_lane({mask}, [&](int lane) { deepest = std::max(deepest, bases[lane]); });
    if (from->depth + 1 >= deepest_call ||
        u64{deepest} + caller.depot_bytes + callee.depot_bytes > warp.local_bytes) {
        report(warp, block.control_site, mask, ProblemKind::stack_overflow, 0,
               fmt::format("calls are nested {} deep: the call stack is full", from->depth + 1));
        exit_lanes(warp, mask);
        group = rest;
        return;
    }
    Frame* frame = frame_of_call(from, call_block, site.function);
    std::array<u32, warp_size> base{};
    for_each_lane({mask},
                  [&](int lane) { base[static_cast<std::size_t>(lane)] = bases[lane] + caller.depot_bytes; });
    if (frame->recursive) save_lanes(warp, callee, mask);
    for_each_lane({mask}, [&](int lane) {
        std::byte* params = warp.params + static_cast<u32>(lane) * warp.param_bytes;
        for (const CopiedParameter& argument : site.arguments)
            std::memmove(params + argument.to, params + argument.from, argument.bytes);
        row<u32>(warp, callee.local_base)[lane] = base[static_cast<std::size_t>(lane)];
    });
    push(warp, {callee.entry_block, mask, frame, group.yielded});
    group = rest;
}

void BlockRunner::leave_function(Warp& warp, Group& group, u32 mask) {
    Frame* const frame = group.frame;
    const DecodedBlock& block = kernel().blocks[frame->call_block];
    const CallSite& site = kernel().calls[block.target];
    const DecodedFunction& callee = kernel().functions[frame->function];
    // A recursive callee's results lie in the parameters that the return restores: take them out first.
    std::vector<std::byte> results;
    auto each_result = [&](auto&& copy) {
        for_each_lane({mask}, [&](int lane) {
            std::byte* params = warp.params + static_cast<u32>(lane) * warp.param_bytes;
            for (const CopiedParameter& result : site.results) copy(params, result);
        });
    };
    each_result([&](std::byte* params, const CopiedParameter& result) {
        results.insert(results.end(), params + result.from, params + result.from + result.bytes);
    });
    if (frame->recursive) restore_lanes(warp, callee, mask);
    const std::byte* next = results.data();
    each_result([&](std::byte* params, const CopiedParameter& result) {
        std::memcpy(params + result.to, next, result.bytes);
        next += result.bytes;
    });
    push(warp, {block.next, mask, frame->parent, group.yielded});
}

std::string BlockRunner::text_at(u64 address) const {
    std::string text;
    for (; text.size() < 200; ++address) {
        const std::byte* at = nullptr;
        if (address >= constant_window && address - constant_window < launch_.constants.size())
            at = launch_.constants.data() + (address - constant_window);
        else at = static_cast<const GlobalMemory*>(launch_.memory)->at(address, 1);
        if (!at || *at == std::byte{0}) break;
        text += static_cast<char>(*at);
    }
    return text;
}

/// __assertfail(message, file, line, function, character size): the run ends, as on a GPU.
void BlockRunner::assertion_failed(Warp& warp, const CallSite& call, SiteId site, u32 mask) {
    const std::byte* params = warp.params + static_cast<u32>(std::countr_zero(mask)) * warp.param_bytes;
    std::string what = "assertion failed";
    if (call.arguments.size() >= 3) {
        u64 message = 0, file = 0;
        u32 line = 0;
        std::memcpy(&message, params + call.arguments[0].from, 8);
        std::memcpy(&file, params + call.arguments[1].from, 8);
        std::memcpy(&line, params + call.arguments[2].from, 4);
        what = fmt::format("assertion \"{}\" failed at {}:{}", text_at(message), text_at(file), line);
    }
    report(warp, site, mask, ProblemKind::trap, 0, std::move(what));
    end_run();
}

}  // namespace warplens::simt
