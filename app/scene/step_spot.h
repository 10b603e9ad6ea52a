// A step of a warp as the Spot that all views follow, and the step that a Spot means.
#pragma once

#include <cstdint>
#include <optional>

#include "app/scene/selection.h"
#include "core/result.h"
#include "trace/trace.h"

namespace warplens::app {

/// Fails if the warp has fewer steps. The lane is left open.
Result<Spot> spot_of_step(const trace::Trace& trace, std::uint32_t warp_record, std::uint64_t step);

/// The step of the Spot's warp: its own, that of its access, or the first at its site in its visit; without
/// any of them the warp's first. std::nullopt: it has no warp.
std::optional<std::uint64_t> step_of_spot(const trace::Trace& trace, const Spot& spot);

/// The same instruction once the warp has stored to shared memory, which shows nothing before: at its first
/// execution after the warp's first store. The spot itself where there is no such store, or it is later;
/// std::nullopt: the warp does not execute the instruction any more.
std::optional<Spot> spot_once_stored(const trace::Trace& trace, const Spot& spot);

/// How many requests the warp has made up to the Spot's step, and with it.
std::uint32_t requests_until(const trace::Trace& trace, const Spot& spot);

/// Steps of the warp.
std::uint64_t steps_of_warp(const trace::Trace& trace, std::uint32_t warp_record);

}  // namespace warplens::app
