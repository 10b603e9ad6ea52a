#include "simt/timing/write_port.h"

#include <algorithm>
#include <bit>

namespace warplens::simt {

WritePort::WritePort(const SmTiming& timing, double scale)
    : timing_(&timing),
      scale_(scale),
      buffer_cycles_(timing.store_buffer_sectors * timing.store_sector_cycles * scale) {}

WritePort::Line* WritePort::waiting(std::uint64_t number, double at) {
    const auto line =
        std::find_if(last_.begin(), last_.end(), [&](const Line& each) { return each.number == number; });
    return line != last_.end() && line->begins > at ? &*line : nullptr;
}

WritePort::Stored WritePort::store(double at, std::span<const SectorId> line) {
    const std::uint64_t number = line.front() / sectors_per_line;
    unsigned sectors = 0;
    for (const SectorId sector : line) sectors |= 1u << (sector % sectors_per_line);
    if (Line* joined = waiting(number, at)) {
        const double more = cost(0, std::popcount(sectors & ~joined->sectors));
        port_.free += more;
        joined->leaves += more;
        joined->sectors |= sectors;
        return {joined->leaves, more};
    }
    const bool whole = line.size() == sectors_per_line;
    const double share = whole ? std::max(1 / scale_, whole_line_store_share) : 1;  // no SM alone gains
    const double takes = share * cost(1, double(line.size()));
    const double begins = port_.take(at, takes);
    const double waits = whole ? 0 : join_wait;
    last_.push_front({number, sectors, begins, begins + takes + waits});
    if (last_.size() > join_lines) last_.pop_back();
    return {begins + takes + waits, takes};
}

double WritePort::atomic(double at, std::size_t sectors) {
    const double takes = cost(1, double(sectors));
    return port_.take(at, takes) + takes;
}

double WritePort::block(double until) {
    const double later = std::max(0.0, until - port_.free);
    port_.free += later;
    return later;
}

}  // namespace warplens::simt
