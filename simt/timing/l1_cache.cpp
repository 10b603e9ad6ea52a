#include "simt/timing/l1_cache.h"

#include <algorithm>

namespace warplens::simt {

unsigned l1_tag_bank_of(std::uint64_t line) {
    std::uint64_t bank = 0;
    for (; line != 0; line /= l1_tag_banks) bank ^= line % l1_tag_banks;
    return static_cast<unsigned>(bank);
}

L1Cache::L1Cache(std::uint32_t bytes) : sets_(std::max<std::size_t>(bytes / (128 * ways), 1)) {}

std::array<L1Cache::Line, L1Cache::ways>& L1Cache::set_of(std::uint64_t tag) {
    // Power-of-two strides must not map to one set: the hardware uses an unpublished hash.
    const std::uint64_t mixed = tag * 0x9e3779b97f4a7c15u;
    return sets_[(mixed >> 32) % sets_.size()];
}

const double* L1Cache::find(SectorId sector) {
    const std::uint64_t tag = sector / sectors_per_line;
    const std::size_t part = sector % sectors_per_line;
    for (Line& line : set_of(tag)) {
        if (line.tag != tag) continue;
        line.last_use = ++clock_;
        return (line.valid >> part) & 1u ? &line.ready[part] : nullptr;
    }
    return nullptr;
}

void L1Cache::insert(SectorId sector, double ready) {
    const std::uint64_t tag = sector / sectors_per_line;
    const std::size_t part = sector % sectors_per_line;
    auto& set = set_of(tag);
    auto line = std::find_if(set.begin(), set.end(), [tag](const Line& each) { return each.tag == tag; });
    if (line == set.end()) {
        line = std::min_element(set.begin(), set.end(),
                                [](const Line& a, const Line& b) { return a.last_use < b.last_use; });
        *line = Line{};
        line->tag = tag;
    }
    line->last_use = ++clock_;
    line->valid |= static_cast<std::uint8_t>(1u << part);
    line->ready[part] = ready;
}

}  // namespace warplens::simt
