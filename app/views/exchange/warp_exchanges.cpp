#include "app/views/exchange/warp_exchanges.h"

#include <algorithm>

namespace warplens::app {
namespace {

/// More steps than a sum or scan of a warp has would be too low to read.
constexpr std::size_t most_bands = 6;
/// Warps that are searched for an exchange.
constexpr std::size_t most_searched = 64;

}  // namespace

void WarpExchanges::take(const trace::Trace& trace, std::uint32_t wanted) {
    const auto take_one = [&](std::uint32_t record) {
        warp = record;
        all = analysis::warp_collectives(trace, record);
        series = analysis::collective_series(all);
        current = 0;
    };
    take_one(wanted == no_index ? 0 : wanted);
    if (wanted != no_index) return;
    for (std::uint32_t i = 1; series.empty() && i < std::min(trace.warps.size(), most_searched); ++i)
        take_one(i);
}

bool WarpExchanges::follow(const Spot& spot) {
    for (std::size_t i = 0; i < series.size(); ++i)
        for (std::size_t k = series[i].begin; k < series[i].end; ++k) {
            const bool here = spot.step != no_index ? all[k].step == spot.step : all[k].site == spot.site;
            if (!here) continue;
            current = i;
            return true;
        }
    return false;
}

void WarpExchanges::follow_play(std::uint64_t step) {
    std::uint64_t last = 0;
    for (std::size_t i = 0; i < series.size(); ++i) {
        const std::uint64_t begin = all[series[i].begin].step;
        if (begin > step || begin < last) continue;
        current = i;
        last = begin;
    }
}

std::span<const analysis::Collective> WarpExchanges::bands() const {
    const analysis::CollectiveSeries shown = series[current];
    return {all.data() + shown.begin, std::min(shown.steps(), most_bands)};
}

std::vector<LaneMask> lanes_behind(std::span<const analysis::Collective> shown, int lane) {
    std::vector<LaneMask> rows(shown.size() + 1);
    rows.back() = LaneMask{1u << lane};
    for (std::size_t band = shown.size(); band-- > 0;) {
        const analysis::Collective& c = shown[band];
        LaneMask from = rows[band + 1];
        if (!is_shuffle(c.kind)) {
            from = c.mask;
        } else if (c.recorded) {
            for_each_lane(rows[band + 1] & c.mask, [&](int to) {
                from = from | LaneMask{1u << c.lanes[static_cast<std::size_t>(to)]};
            });
        }
        rows[band] = from;
    }
    return rows;
}

}  // namespace warplens::app
