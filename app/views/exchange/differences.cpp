#include "app/views/exchange/differences.h"

#include <algorithm>

namespace warplens::app {

using analysis::Collective;

bool exchange_differs(std::span<const Collective> shown, std::span<const Collective> other, std::size_t row,
                      int lane) {
    if (other.empty()) return false;
    const std::size_t band = row == 0 ? 0 : row - 1;
    if (band >= shown.size() || band >= other.size()) return false;
    const Collective &a = shown[band], &b = other[band];
    if (a.mask.has(lane) != b.mask.has(lane)) return true;
    if (row == 0 || !a.mask.has(lane)) return false;
    if (is_shuffle(a.kind) != is_shuffle(b.kind)) return true;
    const auto at = static_cast<std::size_t>(lane);
    return a.recorded && b.recorded && a.lanes[at] != b.lanes[at];
}

bool exchange_value_differs(std::span<const ExchangeRow> values, std::span<const ExchangeRow> other,
                            std::size_t row, int lane) {
    if (row >= values.size() || row >= other.size()) return false;
    const auto at = static_cast<std::size_t>(lane);
    const std::string &a = values[row][at], &b = other[row][at];
    return !a.empty() && !b.empty() && a != b;
}

bool some_exchange_value_stays(std::span<const ExchangeRow> values, std::span<const ExchangeRow> other) {
    for (std::size_t row = 0; row < std::min(values.size(), other.size()); ++row)
        for (std::size_t lane = 0; lane < values[row].size(); ++lane)
            if (!values[row][lane].empty() && values[row][lane] == other[row][lane]) return true;
    return false;
}

}  // namespace warplens::app
