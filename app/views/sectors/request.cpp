#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "analysis/memory/element_name.h"
#include "analysis/memory/stored_request.h"
#include "app/ui/number.h"
#include "app/views/sectors/parts.h"
#include "trace/places.h"
#include "trace/query.h"

namespace warplens::app {

namespace {

/// "particles + 128 B"
std::string place_in_bytes(const trace::Place& place) {
    return fmt::format("{} + {} B", place.name, grouped(place.element * place.element_bytes + place.byte));
}

/// "options[8].price"; of an array whose type is not known but is not a plain number's, bytes.
std::string place_words(const trace::Trace& trace, const SectorRequest& request, std::uint64_t address) {
    if (auto words = analysis::structure_element_name(trace, request.space, address, request.bytes_per_lane))
        return *std::move(words);
    const auto place = request.in_bytes
                           ? trace::place_of(trace, request.space, address, request.bytes_per_lane)
                           : std::nullopt;
    return place ? place_in_bytes(*place)
                 : trace::describe_address(trace, request.space, address, request.bytes_per_lane);
}

bool index_differs(const trace::Trace& trace, const SectorRequest& request, std::string_view expression) {
    if (request.lanes.empty()) return false;
    const auto place = trace::place_of(trace, request.space,
                                       request.addresses[static_cast<std::size_t>(request.lanes.lowest())],
                                       request.bytes_per_lane);
    return place &&
           (request.bytes_per_lane > place->element_bytes || expression.find("].") != std::string_view::npos);
}

}  // namespace

SectorRequest sector_request(const trace::Trace& trace, std::uint64_t access, std::string_view expression) {
    using analysis::line_bytes, analysis::sector_bytes;
    SectorRequest request;
    const analysis::StoredRequest stored(trace, access);
    request.addresses = stored.addresses;
    const trace::Access described = stored.access();
    request.lanes = described.mask;
    request.space = described.space;
    request.operation = described.operation;
    request.bytes_per_lane = described.bytes_per_lane;
    request.in_bytes = index_differs(trace, request, expression);
    const analysis::SectorDetail detail = analysis::detail_sectors(described);
    request.count = detail.count;
    for (const analysis::Sector& sector : detail.sectors) {
        const std::uint64_t address = sector.address / line_bytes * line_bytes;
        if (request.lines.empty() || request.lines.back().address != address) {
            SectorLine& line = request.lines.emplace_back();
            line.address = address;
            if (request.lines.size() > 1)
                line.gap = address - request.lines[request.lines.size() - 2].address - line_bytes;
            line.words = place_words(trace, request, sector.address);
        }
        SectorLine& line = request.lines.back();
        const std::size_t slot = sector.address % line_bytes / sector_bytes;
        line.fetched[slot] = true;
        line.used[slot] = sector.byte_mask;
        line.used_bytes += static_cast<std::uint32_t>(std::popcount(sector.byte_mask));
        ++line.sectors;
    }
    for_each_lane(request.lanes, [&](int lane) {
        std::uint64_t begin = request.addresses[static_cast<std::size_t>(lane)];
        const std::uint64_t end = begin + request.bytes_per_lane;
        while (begin < end) {
            const std::uint64_t address = begin / line_bytes * line_bytes;
            const std::uint64_t stop = std::min(end, address + line_bytes);
            const auto line =
                std::lower_bound(request.lines.begin(), request.lines.end(), address,
                                 [](const SectorLine& l, std::uint64_t a) { return l.address < a; });
            if (line == request.lines.end() || line->address != address) break;
            const SectorStretch stretch{static_cast<std::size_t>(line - request.lines.begin()),
                                        static_cast<std::uint32_t>(begin - address),
                                        static_cast<std::uint32_t>(stop - address), LaneMask{1u << lane}};
            const auto same =
                std::find_if(request.stretches.begin(), request.stretches.end(), [&](const auto& s) {
                    return s.line == stretch.line && s.begin == stretch.begin && s.end == stretch.end;
                });
            if (same != request.stretches.end()) same->lanes = same->lanes | stretch.lanes;
            else request.stretches.push_back(stretch);
            begin = stop;
        }
    });
    return request;
}

std::string ideal_arithmetic(const SectorRequest& request) {
    return fmt::format("ideal {} = {} × {} B / {} B, packed and aligned", request.count.ideal_sectors,
                       counted(static_cast<std::uint64_t>(request.lanes.count()), "lane"),
                       request.bytes_per_lane, analysis::sector_bytes);
}

std::string sector_arithmetic(const trace::Trace& trace, const SectorRequest& request, int lane) {
    if (lane < 0 || lane >= warp_size || !request.lanes.has(lane))
        return fmt::format("lane {} is inactive in this request", lane);
    const std::uint64_t address = request.addresses[static_cast<std::size_t>(lane)];
    const char* does = request.operation == Operation::load    ? "reads"
                       : request.operation == Operation::store ? "writes"
                                                               : "updates";
    const auto place = trace::place_of(trace, request.space, address, request.bytes_per_lane);
    std::string where;
    const auto member =
        analysis::structure_element_name(trace, request.space, address, request.bytes_per_lane);
    if (member) {
        where = *member;
    } else if (place && request.in_bytes) {
        where = place_in_bytes(*place);
    } else if (place) {
        where = fmt::format("{}[{}]", place->name, place->element);
        // If the elements have a constant step from lane to lane, shows it: the index with the lane's number
        // put in.
        const int first = request.lanes.lowest();
        const auto at = [&](int l) {
            return static_cast<std::int64_t>(request.addresses[static_cast<std::size_t>(l)]);
        };
        const std::int64_t size = place->element_bytes;
        const auto base = trace::place_of(
            trace, request.space, request.addresses[static_cast<std::size_t>(first)], request.bytes_per_lane);
        int second = -1;
        for_each_lane(request.lanes, [&](int l) { second = second < 0 && l > first ? l : second; });
        if (base && second > 0 && base->name == place->name &&
            (at(second) - at(first)) % ((second - first) * size) == 0) {
            const std::int64_t step = (at(second) - at(first)) / (second - first);
            bool even = true;
            for_each_lane(request.lanes,
                          [&](int l) { even = even && at(l) == at(first) + step * (l - first); });
            // Counted from lane 0, whether it is active or not.
            const std::int64_t origin = static_cast<std::int64_t>(base->element) - first * (step / size);
            if (even && origin >= 0 && step % size == 0)
                where = step == 0
                            ? where
                            : fmt::format("{0}[{1} {5} {2} × {3}] = {0}[{4}]", place->name, origin, lane,
                                          std::abs(step / size), place->element, step < 0 ? "−" : "+");
        }
    } else {
        where = fmt::format("{} memory", to_string(request.space));
    }
    const auto line = std::find_if(request.lines.begin(), request.lines.end(), [&](const SectorLine& l) {
        return l.address == address / analysis::line_bytes * analysis::line_bytes;
    });
    std::string text = fmt::format("lane {} {} {} · address 0x{:x}", lane, does, where, address);
    if (line != request.lines.end())
        text += fmt::format(" · byte {} of its line · sector = {} div 32 = {}",
                            address % analysis::line_bytes, address % analysis::line_bytes,
                            address % analysis::line_bytes / analysis::sector_bytes);
    return text;
}

}  // namespace warplens::app
