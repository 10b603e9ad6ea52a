// Calls of the functions that CUDA provides: vprintf, __assertfail, malloc and free.
#include <algorithm>
#include <bit>
#include <cstring>

#include "core/symbol_name.h"
#include "simt/functional/block/block_runner.h"
#include "simt/functional/execute/lane_call.h"
#include "simt/functional/execute/memory.h"
#include "simt/functional/memory/device_heap.h"
#include "simt/functional/memory/place_names.h"
#include "simt/functional/printing/lane_printf.h"
#include "simt/functional/races/launch_races.h"

namespace warplens::simt {

namespace {

/// A string to quote in a problem's message; unreadable parts are left out.
std::string quoted_text(Warp& warp, int lane, u64 address) {
    constexpr std::size_t longest = 200;
    return read_text(warp, lane, address, longest).text;
}

}  // namespace

void BlockRunner::call_provided(Warp& warp, const CallSite& call, SiteId site, u32 mask) {
    switch (call.callee) {
        case Callee::print:
            print(warp, call, site, mask);
            break;
        case Callee::assertion:
            assertion_failed(warp, call, site, mask);
            break;
        case Callee::allocate:
            allocate(warp, call, site, mask);
            break;
        case Callee::release:
            release(warp, call, site, mask);
            break;
        default:
            call_device_runtime(warp, call, site, mask);
    }
}

/// malloc(bytes): a null pointer if the heap is full.
void BlockRunner::allocate(Warp& warp, const CallSite& call, SiteId site, u32 mask) {
    GlobalMemory& memory = *launch_.memory;
    for_each_lane({mask}, [&](int lane) {
        LaneCall frame(warp, call, lane);
        const u64 bytes = frame.argument(0);
        const u64 address = memory.heap()->allocate(bytes, heap_call(warp, site, lane));
        frame.give_back(address);
        if (address == 0) return;
        memory.forget(address, bytes);
        if (launch_.races) launch_.races->forget(address, bytes);
    });
}

/// free(address); the address may be null.
void BlockRunner::release(Warp& warp, const CallSite& call, SiteId site, u32 mask) {
    DeviceHeap& heap = *launch_.memory->heap();
    for_each_lane({mask}, [&](int lane) {
        const u64 address = LaneCall(warp, call, lane).argument(0);
        if (address == 0) return;
        const Release done = heap.release(address, heap_call(warp, site, lane));
        if (done == Release::done || reported_before(ProblemKind::out_of_bounds, site, 1)) return;
        const HeapBlock* const block = heap.holds(address) ? heap.nearest(address) : nullptr;
        std::string what;
        if (done == Release::freed_before)
            what = fmt::format("frees {}, which was already freed at {}: each pointer can be freed once",
                               heap_block_name(launch_, *block),
                               line_words(kernel().numbered, block->freed_by.site));
        else if (block && address - block->base < block->bytes)
            what = fmt::format(
                "frees {:#x}, which is byte {} of {}: only the pointer that malloc returned can be freed",
                address, address - block->base, heap_block_name(launch_, *block));
        else
            what = fmt::format(
                "frees {:#x}{}, which malloc did not return: only its pointers can be freed", address,
                launch_.memory->at(address, 1) ? " (" + place_name(launch_, Space::global, address, 1) + ")"
                                               : "");
        report(warp, {.kind = ProblemKind::out_of_bounds,
                      .site = site,
                      .lanes = 1u << lane,
                      .address = address,
                      .message = std::move(what)});
    });
}

HeapCall BlockRunner::heap_call(const Warp& warp, SiteId site, int lane) const {
    return {site, coordinates(linear_block_, launch_.geometry.grid),
            coordinates(warp.index * u64{warp_size} + static_cast<u64>(lane), launch_.geometry.block)};
}

/// vprintf(format, arguments): lanes print one after another, the lowest first.
void BlockRunner::print(Warp& warp, const CallSite& call, SiteId site, u32 mask) {
    for_each_lane({mask}, [&](int lane) {
        LaneCall frame(warp, call, lane);
        const u64 format = frame.argument(0);
        if (format == 0) {
            frame.give_back(static_cast<u32>(-1));
            return;
        }
        const PrintfText printed = lane_printf(warp, site, lane, format, frame.argument(1));
        frame.give_back(static_cast<u32>(printed.arguments));
        // A wide text costs as much as many visits: the turn ends sooner, so that a run can be cancelled.
        constexpr std::size_t characters_of_a_visit = 1024;
        if (warp.visit_budget > 0)
            warp.visit_budget = std::max(
                1, warp.visit_budget - static_cast<int>(printed.text.size() / characters_of_a_visit));
        if (printed_.calls.size() >= launch_.options->max_printed) {
            ++printed_.dropped;
            return;
        }
        Printed one;
        one.block = coordinates(linear_block_, launch_.geometry.grid);
        one.thread =
            coordinates(warp.index * u64{warp_size} + static_cast<u64>(lane), launch_.geometry.block);
        one.site = site;
        one.line = with_line(site).line;
        one.text = printed.text;
        printed_.calls.push_back(std::move(one));
    });
}

/// __assertfail(condition, file, line, function, character size): the run ends, as on a GPU.
void BlockRunner::assertion_failed(Warp& warp, const CallSite& call, SiteId site, u32 mask) {
    const int lane = std::countr_zero(mask);
    const LaneCall frame(warp, call, lane);
    std::string what = "assertion failed";
    if (call.arguments.size() >= 4)
        what =
            fmt::format("assertion \"{}\" failed at {}:{} in {}", quoted_text(warp, lane, frame.argument(0)),
                        quoted_text(warp, lane, frame.argument(1)), frame.argument(2),
                        quoted_text(warp, lane, frame.argument(3)));
    report(warp, site, mask, ProblemKind::trap, 0, std::move(what));
    end_run();
}

}  // namespace warplens::simt
