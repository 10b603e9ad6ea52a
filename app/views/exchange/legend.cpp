#include "app/views/exchange/legend.h"

#include <algorithm>

#include "app/views/shared/two_runs.h"

namespace warplens::app {

using analysis::Collective;
using analysis::CollectiveKind;

std::vector<LegendEntry> exchange_legend(const Theme& theme, std::span<const Collective> bands,
                                         bool compared) {
    using Shape = LegendEntry::Shape;
    std::vector<LegendEntry> entries;
    const auto any = [&](auto&& is) { return std::any_of(bands.begin(), bands.end(), is); };
    if (any([](const Collective& c) { return is_shuffle(c.kind); })) {
        entries.push_back({theme.category(0), "arrow: the value that a lane receives", Shape::line});
        if (bands.size() > 1)
            entries.push_back({mix(theme.category(0), theme.background, 0.25),
                               "dashes: the lane's previous value", Shape::line});
    }
    if (any([](const Collective& c) {
            bool out = false;
            for_each_lane(c.mask, [&](int lane) { out = out || c.reached_out(lane); });
            return out;
        }))
        entries.push_back({theme.inactive,
                           "gray dashes, gray rim: source outside the segment, keeps its own value",
                           Shape::outlined});
    if (any([](const Collective& c) {
            return c.kind == CollectiveKind::ballot || c.kind == CollectiveKind::vote;
        })) {
        entries.push_back({theme.category(0), "true"});
        entries.push_back({mix(theme.inactive, theme.background, 0.35), "false"});
        entries.push_back({theme.category(2), "receives the result"});
    }
    if (any([](const Collective& c) { return c.kind == CollectiveKind::match; }))
        entries.push_back({theme.category(1), "one color and one junction per value", Shape::line});
    entries.push_back({theme.inactive, "inactive lane", Shape::hatched});
    if (compared) entries.push_back(change_entry(theme, "the other run"));
    return entries;
}

}  // namespace warplens::app
