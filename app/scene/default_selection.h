// The default selection, so that a first picture shows the worst access, and how a selection survives a new
// run. app/scene/requested_selection.h selects what a person requests.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "app/scene/scene.h"
#include "app/scene/selection.h"

namespace warplens::app {

/// The access that shows most of the view's subject (ViewRow::subject): the largest bank conflict, the most
/// excess sectors, the most divergent branch; else the first problem, or without problems the worst of any.
/// An empty Spot if the trace holds nothing to select.
Spot default_selection(const Scene& scene, std::string_view view);
/// In the kernel's own first view.
Spot default_selection(const Scene& scene);

/// The worst request of an instruction, its first divergent branch, or the instruction itself.
Spot spot_at(const Scene& scene, SiteId site);

/// Of the accesses that `wanted` takes (indices into Trace::accesses; of very many the first), the one
/// furthest from its ideal, in wavefronts or sectors; an empty Spot when it takes none.
Spot worst_access(const trace::Trace& trace, const std::function<bool(std::uint64_t access)>& wanted);

/// `spot` of scene `from` in scene `to`: the same warp of the same block, the same kind of instruction on the
/// same source line. `fallback` if the kernel is another one or this access no longer exists.
Spot carried_over(const Scene& from, const Spot& spot, const Scene& to, const Spot& fallback);

}  // namespace warplens::app
