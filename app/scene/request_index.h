// RequestIndex: the requests of a Scene's trace by kind of memory and site, worst site first. Made once per
// Scene by app/scene/index_scene.h; the views of requests step through it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "app/scene/selection.h"
#include "core/program.h"
#include "trace/trace.h"

namespace warplens::app {

struct Scene;

enum class MemoryKind { shared, global_or_local, atomic };
/// Whether a view of this kind shows the request.
bool is_of_kind(const trace::Trace& trace, const trace::AccessRecord& record, MemoryKind kind);

/// The requests of one kind in a trace, by site.
struct RequestIndex {
    struct SiteRequests {
        SiteId site = no_index;
        std::vector<std::uint64_t> accesses;  // indices into Trace::accesses, ascending
        std::uint64_t worst_access = no_access;
        std::uint64_t cost = 0, ideal = 0;  // wavefronts, sectors or rounds, over `requests`
        std::uint64_t requests = 0;         // of the whole run where a report has it, else of the trace
        double ratio() const { return ideal ? double(cost) / double(ideal) : 0; }
    };
    std::vector<SiteRequests> sites;  // worst first: by cost over ideal, then by cost, then by site
    std::uint64_t requests = 0;       // in the trace

    const SiteRequests* find(SiteId site) const;
    std::size_t rank(SiteId site) const;  // sites.size() when absent
};

/// One of each kind.
struct RequestIndexes {
    std::array<RequestIndex, 3> of_kind;
    const RequestIndex& operator[](MemoryKind kind) const { return of_kind[static_cast<std::size_t>(kind)]; }
};
RequestIndex index_requests(const Scene& scene, MemoryKind kind);
std::shared_ptr<const RequestIndexes> index_requests(const Scene& scene);

}  // namespace warplens::app
