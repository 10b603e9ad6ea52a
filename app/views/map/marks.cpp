// The outlines of a map: what one thread accesses, and what its request does.
#include <set>

#include "app/views/map/panel.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

/// Each once, in the order of its accesses.
std::vector<std::uint64_t> elements_of(const trace::Trace& trace, const analysis::MappedArray& array,
                                       const analysis::MapThread& thread, const analysis::MapFilter& filter) {
    std::vector<std::uint64_t> elements;
    std::set<std::uint64_t> seen;
    for (const analysis::ThreadElement& one :
         analysis::elements_of_thread(trace, array, thread.warp_record, thread.lane, filter))
        if (seen.insert(one.element).second) elements.push_back(one.element);
    return elements;
}

}  // namespace

void mark_thread(const trace::Trace& trace, const analysis::MapThread& thread,
                 const analysis::MapFilter& filter, std::vector<MapPanel>& panels) {
    for (MapPanel& panel : panels) {
        panel.of_request.clear();
        panel.of_thread.clear();
        if (panel.array.name.empty()) continue;  // the run does not access it
        panel.of_thread = elements_of(trace, panel.array, thread, filter);
        if (thread.access >= trace.accesses.size()) continue;
        const trace::AccessRecord& record = trace.accesses[thread.access];
        if (record.space != panel.array.space) continue;
        const trace::Addresses addresses = trace::addresses_of(trace, record);
        for_each_lane(record.mask, [&](int lane) {
            const std::uint64_t address = addresses[static_cast<std::size_t>(lane)];
            if (address >= panel.array.base && address - panel.array.base < panel.array.bytes)
                panel.of_request.push_back((address - panel.array.base) / panel.array.element_bytes);
        });
    }
}

}  // namespace warplens::app
