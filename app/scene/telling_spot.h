// Telling spot: what to select when nobody has, so that a first picture shows the worst, and how a selection
// survives a new run.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "app/scene/scene.h"
#include "app/scene/selection.h"

namespace warplens::app {

/// The access that says most in the given view: the largest conflict for "banks", most excess sectors for
/// "sectors", the most divergent branch for "lanes"; else the worst of any. An empty Spot when the trace
/// holds nothing to select.
Spot telling_spot(const Scene& scene, std::string_view view);

/// Of the accesses that `wanted` takes (indices into Trace::accesses; of very many the first), the one
/// furthest from what would do, in wavefronts or sectors; an empty Spot when it takes none.
Spot worst_access(const trace::Trace& trace, const std::function<bool(std::uint64_t access)>& wanted);

/// `spot` of scene `from` in scene `to`: the same warp of the same block, the same kind of instruction on the
/// same source line. `fallback` when the kernel is another one or nothing of that is there any more.
Spot carried_over(const Scene& from, const Spot& spot, const Scene& to, const Spot& fallback);

}  // namespace warplens::app
