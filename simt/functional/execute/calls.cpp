// Calls of .func functions, by name and through pointers. A function's registers and parameters have one
// location each, which suffices while a lane is in the function once; a recursive call saves them for its
// lanes and the return restores them.
#include <algorithm>
#include <bit>
#include <cstring>

#include "analysis/wording.h"
#include "core/symbol_name.h"
#include "simt/functional/block/block_runner.h"
#include "simt/functional/decode/call_fit.h"

namespace warplens::simt {

namespace {

constexpr u32 deepest_call = 4096;  // the engine's own limit
constexpr u32 most_functions_of_a_module = 1u << 20;

/// Stack bytes of the activations on the path to a function, including the kernel's and the function's own.
u64 stack_bytes(const DecodedKernel& kernel, const Frame& frame) {
    u64 bytes = 0;
    for (const Frame* at = &frame; at; at = at->parent) bytes += kernel.functions[at->function].frame_bytes;
    return bytes;
}

}  // namespace

Frame* BlockRunner::frame_of_call(Frame* from, u32 call_block, u32 function) {
    for (auto& child : from->children)
        if (child->call_block == call_block && child->function == function) return child.get();
    auto frame = std::make_unique<Frame>();
    frame->parent = from;
    frame->call_block = call_block;
    frame->depth = from->depth + 1;
    frame->function = function;
    if (kernel().recurses)
        for (Frame* above = from; above; above = above->parent)
            frame->recursive |= above->function == function;
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
    const Group caller = group;
    group = {block.next, group.mask & ~mask, group.frame, group.yielded};
    if (mask == 0) return;
    switch (site.callee) {
        case Callee::function:
            enter(warp, block, caller, site.function, mask);
            break;
        case Callee::pointer:
            call_through_pointer(warp, block, caller, mask);
            break;
        case Callee::assertion:
            call_provided(warp, site, block.control_site, mask);
            break;
        default:  // another function that CUDA provides, after which the lanes go on
            call_provided(warp, site, block.control_site, mask);
            group.mask |= mask;
            break;
    }
}

/// Lanes with the same address call together, those of the lowest lane first; the order does not matter,
/// since the lowest position runs next.
void BlockRunner::call_through_pointer(Warp& warp, const DecodedBlock& block, const Group& caller, u32 mask) {
    const CallSite& site = kernel().calls[block.target];
    const u64* addresses = row<const u64>(warp, site.pointer);
    while (mask != 0) {
        const u64 address = addresses[std::countr_zero(mask)];
        u32 lanes = 0;
        for_each_lane({mask}, [&](int lane) { lanes |= u32{addresses[lane] == address} << lane; });
        mask &= ~lanes;
        const u32 function = function_at(kernel(), address);
        if (function != no_index && fits(site, kernel().functions[function])) {
            enter(warp, block, caller, function, lanes);
            continue;
        }
        if (function == no_index && address > code_window &&
            address <= function_address(most_functions_of_a_module)) {
            report(warp, block.control_site, lanes, ProblemKind::unsupported_instruction, address,
                   "calls a function that another kernel of the file names, through a pointer from there: "
                   "the CPU "
                   "engine knows only the functions that a kernel names itself");
            exit_lanes(warp, lanes);
            continue;
        }
        std::string what;
        if (function != no_index)
            what = fmt::format("calls {} through a pointer with parameters that do not match: {}",
                               plain_name(kernel().functions[function].name),
                               misfit(site, kernel().functions[function]));
        else if (address == 0) what = "calls a function through a null pointer";
        else
            what = fmt::format(
                "calls {:#x} through a pointer, which is not the address of a function of this kernel: was "
                "the pointer, or the object with the virtual function, created in device code?",
                address);
        report(warp, block.control_site, lanes, ProblemKind::out_of_bounds, address, std::move(what));
        exit_lanes(warp, lanes);
    }
}

void BlockRunner::enter(Warp& warp, const DecodedBlock& block, const Group& caller, u32 function, u32 mask) {
    const CallSite& site = kernel().calls[block.target];
    const DecodedFunction& from = kernel().functions[caller.frame->function];
    const DecodedFunction& callee = kernel().functions[function];
    Frame* const frame = frame_of_call(caller.frame, caller.block, function);
    if (kernel().recurses && (stack_bytes(kernel(), *frame) > launch_.options->limits.stack_bytes ||
                              frame->depth > deepest_call)) {
        report_full_stack(warp, block.control_site, *frame, mask);
        exit_lanes(warp, mask);
        return;
    }
    const u32* bases = row<const u32>(warp, from.local_base);
    std::array<u32, warp_size> base{};
    for_each_lane({mask},
                  [&](int lane) { base[static_cast<std::size_t>(lane)] = bases[lane] + from.depot_bytes; });
    if (frame->recursive) save_lanes(warp, callee, mask);
    const u32 together = caller.frame->entered & warp.live;
    if (frame->recursive && (together & mask) == mask && together != mask) warp.diverged_recursion = function;
    frame->entered = mask;
    for_each_lane({mask}, [&](int lane) {
        std::byte* params = warp.params + static_cast<u32>(lane) * warp.param_bytes;
        for (std::size_t i = 0; i < site.arguments.size(); ++i) {
            const CopiedParameter& argument = site.arguments[i];
            const u32 to = site.callee == Callee::pointer ? callee.parameters[i].at : argument.to;
            std::memmove(params + to, params + argument.from, argument.bytes);
        }
        // Values of an earlier activation are no longer valid.
        std::fill_n(local_written(warp, lane) + base[static_cast<std::size_t>(lane)], callee.depot_bytes,
                    u8{0});
        row<u32>(warp, callee.local_base)[lane] = base[static_cast<std::size_t>(lane)];
    });
    push(warp, {callee.entry_block, mask, frame, caller.yielded});
}

void BlockRunner::report_full_stack(Warp& warp, SiteId site, const Frame& frame, u32 mask) {
    const std::string name(plain_name(kernel().functions[frame.function].name));
    const u64 bytes = stack_bytes(kernel(), frame);
    const u32 limit = launch_.options->limits.stack_bytes;
    std::string what =
        bytes <= limit
            ? fmt::format("calls {} at a call depth of {}, which is above the engine's limit", name,
                          analysis::grouped(frame.depth))
            : fmt::format(
                  "calls {} at a call depth of {}, which needs {} bytes of stack; a thread "
                  "has {} (cudaLimitStackSize): does the recursion end? If it does, raise the "
                  "limit with --stack-bytes",
                  name, analysis::grouped(frame.depth), analysis::grouped(bytes), analysis::grouped(limit));
    report(warp, site, mask, ProblemKind::stack_overflow, 0, std::move(what));
}

void BlockRunner::leave_function(Warp& warp, Group& group, u32 mask) {
    Frame* const frame = group.frame;
    const DecodedBlock& block = kernel().blocks[frame->call_block];
    const CallSite& site = kernel().calls[block.target];
    const DecodedFunction& callee = kernel().functions[frame->function];
    // A recursive callee's results are in the parameters that the return restores: copy them first.
    std::vector<std::byte> results;
    for_each_lane({mask}, [&](int lane) {
        const std::byte* params = warp.params + static_cast<u32>(lane) * warp.param_bytes;
        for (std::size_t i = 0; i < site.results.size(); ++i) {
            const u32 from = site.callee == Callee::pointer ? callee.results[i].at : site.results[i].from;
            results.insert(results.end(), params + from, params + from + site.results[i].bytes);
        }
    });
    if (frame->recursive) restore_lanes(warp, callee, mask);
    const std::byte* next = results.data();
    for_each_lane({mask}, [&](int lane) {
        std::byte* params = warp.params + static_cast<u32>(lane) * warp.param_bytes;
        for (const CopiedParameter& result : site.results) {
            std::memcpy(params + result.to, next, result.bytes);
            next += result.bytes;
        }
    });
    push(warp, {block.next, mask, frame->parent, group.yielded});
}

}  // namespace warplens::simt
