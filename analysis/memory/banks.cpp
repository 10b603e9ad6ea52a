#include "analysis/memory/banks.h"

#include <algorithm>
#include <numeric>

namespace warplens::analysis {
namespace {

constexpr std::uint32_t wavefront_bytes = bank_count * bank_bytes;

struct Groups {
    std::array<LaneMask, warp_size> masks;
    int count = 0;
};

/// Whether every active lane's partner (lane ^ distance) is inactive or at the same address.
bool repeats_neighbour(const trace::Access& access, int distance) {
    bool repeats = true;
    for_each_lane(access.mask, [&](int lane) {
        const int partner = lane ^ distance;
        if (access.mask.has(partner) && (*access.addresses)[static_cast<std::size_t>(lane)] !=
                                            (*access.addresses)[static_cast<std::size_t>(partner)])
            repeats = false;
    });
    return repeats;
}

Groups group_lanes(const trace::Access& access) {
    std::uint32_t lanes = warp_size;
    if (access.bytes_per_lane > bank_bytes) {
        lanes = std::max(1u, wavefront_bytes / access.bytes_per_lane);
        if (access.operation == Operation::load &&
            (repeats_neighbour(access, 1) || repeats_neighbour(access, 2)))
            lanes *= 2;
    }
    Groups groups;
    for (std::uint32_t first = 0; first < warp_size; first += lanes) {
        const LaneMask group = access.mask & LaneMask{LaneMask::first(static_cast<int>(lanes)).bits << first};
        if (!group.empty()) groups.masks[static_cast<std::size_t>(groups.count++)] = group;
    }
    return groups;
}

/// Distinct words of one group, as one chain per bank.
class BankWords {
  public:
    /// Returns the word's position in its bank's chain, from 0.
    std::uint32_t add(std::uint64_t word) {
        const auto bank = static_cast<std::size_t>(word % bank_count);
        std::uint32_t place = 0;
        std::uint16_t* link = &first_[bank];
        while (*link != end_of_chain) {
            if (words_[*link] == word) return place;
            link = &next_[*link];
            ++place;
        }
        *link = used_;
        words_[used_] = word;
        next_[used_] = end_of_chain;
        ++used_;
        longest_ = std::max(longest_, place + 1);
        return place;
    }
    std::uint32_t longest() const { return longest_; }

  private:
    static constexpr std::uint16_t end_of_chain = 0xffff;
    static constexpr std::size_t capacity = 256;  // 32 lanes of up to 32 bytes
    std::array<std::uint16_t, bank_count> first_ = [] {
        std::array<std::uint16_t, bank_count> links;
        links.fill(end_of_chain);
        return links;
    }();
    std::array<std::uint16_t, capacity> next_;
    std::array<std::uint64_t, capacity> words_;
    std::uint16_t used_ = 0;
    std::uint32_t longest_ = 0;
};

/// The words that one lane requests: visit(word number).
template <class Visit>
void for_each_word(const trace::Access& access, int lane, Visit&& visit) {
    const std::uint64_t address = (*access.addresses)[static_cast<std::size_t>(lane)];
    const std::uint64_t last = (address + access.bytes_per_lane - 1) / bank_bytes;
    for (std::uint64_t word = address / bank_bytes; word <= last; ++word) visit(word);
}

std::uint32_t ideal_wavefronts(const trace::Access& access, std::uint32_t wavefronts) {
    const auto lanes = static_cast<std::uint32_t>(access.mask.count());
    return std::min(wavefronts, (lanes * access.bytes_per_lane + wavefront_bytes - 1) / wavefront_bytes);
}

/// Full warps at a constant pitch of whole words are the most common requests; one greatest common divisor
/// gives their count: lanes i and j share a bank if (i - j) * pitch is a multiple of 32 words.
bool count_regular(const trace::Access& access, std::uint32_t& wavefronts) {
    if (!access.mask.full() || access.bytes_per_lane < bank_bytes) return false;
    const std::uint64_t base = access.addresses->front();
    const std::uint64_t pitch = (*access.addresses)[1] - base;
    std::uint64_t difference = base % bank_bytes;
    for (std::uint64_t lane = 2; lane < warp_size; ++lane)
        difference |= (*access.addresses)[lane] - (base + lane * pitch);
    if (difference != 0) return false;
    if (access.bytes_per_lane == bank_bytes && pitch % bank_bytes == 0) {
        const auto words = static_cast<std::int64_t>(pitch) / bank_bytes;
        wavefronts = words == 0 ? 1u : static_cast<std::uint32_t>(std::gcd<std::int64_t>(words, bank_count));
        return true;
    }
    if (pitch == access.bytes_per_lane && wavefront_bytes % access.bytes_per_lane == 0) {
        wavefronts = access.bytes_per_lane / bank_bytes;
        return true;
    }
    return false;
}

/// Naturally aligned lanes of up to a word, no two of which request different words of one bank: one
/// wavefront for any pattern.
bool is_free_of_conflict(const trace::Access& access) {
    std::array<std::uint64_t, bank_count> word_of_bank;
    std::uint32_t asked = 0;
    std::uint64_t all = 0;
    for (std::uint32_t rest = access.mask.bits; rest != 0; rest &= rest - 1) {
        const std::uint64_t address = (*access.addresses)[static_cast<std::size_t>(std::countr_zero(rest))];
        const std::uint64_t word = address / bank_bytes;
        all |= address;
        const auto bank = static_cast<std::size_t>(word % bank_count);
        if ((asked >> bank & 1) == 0) {
            word_of_bank[bank] = word;
            asked |= 1u << bank;
        } else if (word_of_bank[bank] != word) {
            return false;
        }
    }
    return all % access.bytes_per_lane == 0;
}

}  // namespace

WavefrontCount count_wavefronts(const trace::Access& access) {
    if (access.mask.empty() || access.bytes_per_lane == 0) return {};
    std::uint32_t wavefronts = 0;
    if (access.bytes_per_lane <= bank_bytes && is_free_of_conflict(access)) return {1, 1};
    if (!count_regular(access, wavefronts)) {
        const Groups groups = group_lanes(access);
        for (int i = 0; i < groups.count; ++i) {
            BankWords words;
            for_each_lane(groups.masks[static_cast<std::size_t>(i)], [&](int lane) {
                for_each_word(access, lane, [&](std::uint64_t word) { words.add(word); });
            });
            wavefronts += words.longest();
        }
    }
    return {wavefronts, ideal_wavefronts(access, wavefronts)};
}

std::array<std::uint8_t, bank_count> count_bank_words(const trace::Access& access) {
    std::array<std::uint8_t, bank_count> counts{};
    BankWords words;
    for_each_lane(access.mask, [&](int lane) {
        for_each_word(access, lane, [&](std::uint64_t word) {
            std::uint8_t& count = counts[static_cast<std::size_t>(word % bank_count)];
            count = static_cast<std::uint8_t>(std::max<std::uint32_t>(count, words.add(word) + 1));
        });
    });
    return counts;
}

WavefrontCount count_constant_wavefronts(const trace::Access& access) {
    std::array<std::uint64_t, warp_size> seen;
    std::uint32_t wavefronts = 0;
    for_each_lane(access.mask, [&](int lane) {
        const std::uint64_t word = (*access.addresses)[static_cast<std::size_t>(lane)] / bank_bytes;
        auto* const end = seen.begin() + wavefronts;
        if (std::find(seen.begin(), end, word) == end) seen[wavefronts++] = word;
    });
    return {wavefronts, std::min(wavefronts, 1u)};
}

BankDetail detail_banks(const trace::Access& access) {
    BankDetail detail;
    if (access.mask.empty() || access.bytes_per_lane == 0) return detail;
    std::vector<std::uint64_t> distinct;
    const Groups groups = group_lanes(access);
    for (int i = 0; i < groups.count; ++i) {
        const LaneMask group = groups.masks[static_cast<std::size_t>(i)];
        detail.groups.push_back(group);
        const std::size_t first_wavefront = detail.wavefronts.size();
        BankWords words;
        for_each_lane(group, [&](int lane) {
            detail.word_address[static_cast<std::size_t>(lane)] =
                (*access.addresses)[static_cast<std::size_t>(lane)] / bank_bytes * bank_bytes;
            for_each_word(access, lane, [&](std::uint64_t word) {
                distinct.push_back(word);
                const std::size_t wavefront = first_wavefront + words.add(word);
                if (wavefront >= detail.wavefronts.size()) detail.wavefronts.resize(wavefront + 1);
                detail.wavefronts[wavefront].bits |= 1u << lane;
            });
        });
    }
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (const std::uint64_t word : distinct) ++detail.words[static_cast<std::size_t>(word % bank_count)];
    const auto wavefronts = static_cast<std::uint32_t>(detail.wavefronts.size());
    detail.count = {wavefronts, ideal_wavefronts(access, wavefronts)};
    return detail;
}

}  // namespace warplens::analysis
