#include "analysis/memory/footprint.h"

#include <algorithm>
#include <bit>

namespace warplens::analysis {
namespace {

constexpr std::uint64_t sectors_per_word = 64;
constexpr std::uint64_t sectors_per_page = sectors_per_word * SectorSet::words_per_page;
constexpr std::size_t most_pages = std::size_t{1} << 16;

/// Bits [first, last] of a word.
constexpr std::uint64_t bit_range(std::uint64_t first, std::uint64_t last) {
    return (~std::uint64_t{0} << first) & (~std::uint64_t{0} >> (sectors_per_word - 1 - last));
}

/// Calls use(word, bits) for the words of sectors [first, last].
template <class Use>
void for_each_word(std::uint64_t first, std::uint64_t last, Use&& use) {
    for (std::uint64_t word = first / sectors_per_word; word <= last / sectors_per_word; ++word) {
        const std::uint64_t begin = std::max(first, word * sectors_per_word);
        const std::uint64_t end = std::min(last, word * sectors_per_word + (sectors_per_word - 1));
        use(word, bit_range(begin % sectors_per_word, end % sectors_per_word));
    }
}

std::uint64_t count_page(const SectorSet::Page& page) {
    std::uint64_t count = 0;
    for (const auto& word : page) count += static_cast<std::uint64_t>(std::popcount(word.load()));
    return count;
}

}  // namespace

SectorSet::Page* SectorSet::page(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    if (const auto found = pages_.find(number); found != pages_.end()) return found->second.get();
    if (pages_.size() >= most_pages) return nullptr;
    return pages_.emplace(number, std::make_unique<Page>()).first->second.get();
}

std::uint64_t SectorSet::size() const {
    const std::lock_guard lock(mutex_);
    std::uint64_t count = 0;
    for (const auto& [number, page] : pages_) count += count_page(*page);
    return count;
}

std::uint64_t SectorSet::count(std::uint64_t first, std::uint64_t last) const {
    if (first >= last) return 0;
    --last;
    const std::lock_guard lock(mutex_);
    std::uint64_t count = 0;
    for (const auto& [number, page] : pages_) {  // a buffer may span more pages than there are
        const std::uint64_t begin = number * sectors_per_page;
        if (begin > last || begin + (sectors_per_page - 1) < first) continue;
        const auto& words = *page;
        for_each_word(std::max(first, begin), std::min(last, begin + (sectors_per_page - 1)),
                      [&](std::uint64_t word, std::uint64_t bits) {
                          const std::uint64_t there = words[word % words_per_page].load();
                          count += static_cast<std::uint64_t>(std::popcount(there & bits));
                      });
    }
    return count;
}

void FootprintCounter::Writer::set_bits(std::uint64_t word, std::uint64_t bits, SectorSet& set,
                                        Pages& pages) {
    const std::uint64_t number = word / SectorSet::words_per_page;
    Remembered& remembered = pages[number % pages.size()];
    if (remembered.number != number) remembered = {number, set.page(number)};
    if (!remembered.page) {
        counter_->left_out_.fetch_add(1, std::memory_order_relaxed);
        return;
    }
    auto& there = (*remembered.page)[word % SectorSet::words_per_page];
    if ((there.load(std::memory_order_relaxed) & bits) != bits)
        there.fetch_or(bits, std::memory_order_relaxed);
}

void FootprintCounter::Writer::add(const trace::Access& access, const SectorRange& range, SectorSet& set,
                                   Pages& pages) {
    if (range.count > 0) {
        for_each_word(range.first, range.first + (range.count - 1),
                      [&](std::uint64_t word, std::uint64_t bits) { set_bits(word, bits, set, pages); });
        return;
    }
    if (access.bytes_per_lane == 0) return;
    // Neighbouring lanes are usually in one word, whose bits are collected before they are set.
    std::uint64_t word = 0, bits = 0;
    const auto gather = [&](std::uint64_t sector) {
        if (sector / sectors_per_word != word) {
            if (bits != 0) set_bits(word, bits, set, pages);
            word = sector / sectors_per_word;
            bits = 0;
        }
        bits |= std::uint64_t{1} << sector % sectors_per_word;
    };
    if (range.ascending_lanes > 0) {
        const auto sector = [&](std::size_t lane) { return (*access.addresses)[lane] / sector_bytes; };
        for (std::size_t lane = 0; lane < range.ascending_lanes;) {
            gather(sector(lane));
            // Rows of lanes at one address are common: skip each row in one step.
            constexpr std::size_t row = 8;
            const bool same = lane + row <= range.ascending_lanes && sector(lane) == sector(lane + row - 1);
            lane += same ? row : 1;
        }
    } else {
        for_each_lane(access.mask, [&](int lane) {
            const std::uint64_t address = (*access.addresses)[static_cast<std::size_t>(lane)];
            const std::uint64_t last = (address + access.bytes_per_lane - 1) / sector_bytes;
            for (std::uint64_t sector = address / sector_bytes; sector <= last; ++sector) gather(sector);
        });
    }
    if (bits != 0) set_bits(word, bits, set, pages);
}

void FootprintCounter::Writer::add(const trace::Access& access, const SectorRange& range) {
    if (access.operation != Operation::store) add(access, range, counter_->read_, read_);
    if (access.operation != Operation::load) add(access, range, counter_->written_, written_);
}

Footprint FootprintCounter::footprint(std::span<const trace::Buffer> buffers) const {
    Footprint result;
    result.left_out = left_out_;
    result.elsewhere = {read_.size(), written_.size()};
    for (const trace::Buffer& buffer : buffers) {
        const std::uint64_t end = buffer.base + std::min(buffer.bytes, ~buffer.base);
        const std::uint64_t first = buffer.base / sector_bytes;
        const std::uint64_t last = end / sector_bytes + (end % sector_bytes != 0);
        const TouchedSectors touched{read_.count(first, last), written_.count(first, last)};
        result.buffers.push_back(touched);
        // Buffers of a recorded file may overlap.
        result.elsewhere.read -= std::min(result.elsewhere.read, touched.read);
        result.elsewhere.written -= std::min(result.elsewhere.written, touched.written);
    }
    return result;
}

}  // namespace warplens::analysis
