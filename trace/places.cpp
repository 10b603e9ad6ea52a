#include "trace/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/symbol_name.h"

namespace warplens::trace {

namespace {

Place place_in(std::string name, std::uint64_t offset, std::uint32_t element_bytes,
               std::uint32_t access_bytes) {
    Place place;
    place.name = std::move(name);
    place.element_bytes = element_bytes ? element_bytes : std::max(access_bytes, 1u);
    place.element = offset / place.element_bytes;
    place.byte = static_cast<std::uint32_t>(offset % place.element_bytes);
    return place;
}

std::optional<Place> place_in_buffer(const Trace& trace, std::uint64_t address, std::uint32_t access_bytes) {
    const auto holds = [&](const Buffer& buffer) {
        return address >= buffer.base && address - buffer.base < buffer.bytes;
    };
    for (const Buffer& buffer : trace.launch.buffers)
        if (holds(buffer))
            return place_in(buffer.name, address - buffer.base, buffer.element_bytes, access_bytes);
    for (const Buffer& variable : trace.launch.variables)
        if (holds(variable))
            return place_in(plain_name(variable.name), address - variable.base, variable.element_bytes,
                            access_bytes);
    return std::nullopt;
}

/// Dynamic shared memory (0 bytes in the PTX) extends to the end, so several such names share one location:
/// the first is used.
std::optional<Place> place_in_variable(const Trace& trace, Space space, std::uint64_t address,
                                       std::uint32_t access_bytes) {
    const Variable* dynamic = nullptr;
    for (const Variable& variable : trace.program.variables) {
        if (variable.space != space || address < variable.offset) continue;
        if (address - variable.offset < variable.bytes)
            return place_in(plain_name(variable.name), address - variable.offset, variable.element_bytes,
                            access_bytes);
        if (variable.bytes == 0 && space == Space::shared && !dynamic &&
            address - variable.offset < trace.launch.geometry.dynamic_shared_bytes)
            dynamic = &variable;
    }
    if (!dynamic) return std::nullopt;
    return place_in(plain_name(dynamic->name), address - dynamic->offset, dynamic->element_bytes,
                    access_bytes);
}

}  // namespace

std::optional<Place> place_of(const Trace& trace, Space space, std::uint64_t address,
                              std::uint32_t access_bytes) {
    switch (space) {
        case Space::global:
            return place_in_buffer(trace, address, access_bytes);
        case Space::shared:
        case Space::constant:
            return place_in_variable(trace, space, address, access_bytes);
        default:
            return std::nullopt;
    }
}

std::string to_string(const Place& place) {
    std::string text = fmt::format("{}[{}]", place.name, place.element);
    if (place.byte != 0) text += fmt::format(" + {} {}", place.byte, place.byte == 1 ? "byte" : "bytes");
    return text;
}

std::string describe_address(const Trace& trace, Space space, std::uint64_t address,
                             std::uint32_t access_bytes) {
    if (const auto place = place_of(trace, space, address, access_bytes)) return to_string(*place);
    if (space == Space::global) return fmt::format("global {:#x}", address);
    return fmt::format("{} byte {}", warplens::to_string(space), address);
}

void LineIndex::Lines::add(std::uint32_t file, std::uint32_t line, SiteId site) {
    keys.push_back((std::uint64_t{file} << 32) | line);
    sites.push_back(site);
}

void LineIndex::Lines::sort() {
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [this](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
    Lines sorted;
    for (const std::size_t i : order) {
        sorted.keys.push_back(keys[i]);
        sorted.sites.push_back(sites[i]);
    }
    *this = std::move(sorted);
}

std::span<const SiteId> LineIndex::Lines::find(std::uint32_t file, std::uint32_t line) const {
    const auto [first, last] = std::equal_range(keys.begin(), keys.end(), (std::uint64_t{file} << 32) | line);
    return {sites.data() + (first - keys.begin()), static_cast<std::size_t>(last - first)};
}

LineIndex::LineIndex(const Program& program) {
    for (SiteId id = 0; id < program.sites.size(); ++id) {
        const Site& site = program.sites[id];
        if (site.file != no_index && site.line != 0) source_.add(site.file, site.line, id);
        if (site.ptx_line != 0) ptx_.add(0, site.ptx_line, id);
    }
    source_.sort();
    ptx_.sort();
}

std::span<const SiteId> LineIndex::of_source(std::uint32_t file, std::uint32_t line) const {
    return source_.find(file, line);
}

std::span<const SiteId> LineIndex::of_ptx(std::uint32_t line) const { return ptx_.find(0, line); }

}  // namespace warplens::trace
