// BankRequest: one shared-memory request arranged for drawing: which word each bank serves in which
// wavefront, and to which lanes. analysis/memory/banks.h counts; this only arranges its result as tokens.
#pragma once

#include <string>
#include <vector>

#include "analysis/memory/banks.h"
#include "analysis/memory/shared_layout.h"
#include "trace/trace.h"

namespace warplens::app {

/// One word, served by one bank in one wavefront.
struct BankToken {
    int bank = 0;
    std::uint32_t wavefront = 0;
    std::uint64_t word = 0;  // byte address / 4
    LaneMask lanes;          // that get it; several: a broadcast
};

struct BankRequest {
    LaneMask lanes;
    trace::Addresses addresses{};
    Operation operation = Operation::load;
    std::uint32_t bytes_per_lane = 4;
    analysis::BankDetail detail;
    std::vector<BankToken> tokens;        // by group, then in the order in which lanes ask
    std::vector<std::uint32_t> group_of;  // of each wavefront: index into detail.groups
    int banks_used = 0;
    std::uint32_t most_words = 0;  // per bank
    int words_per_lane = 1;

    std::uint32_t wavefronts() const { return detail.count.wavefronts; }
    bool costly() const { return detail.count.wavefronts > detail.count.ideal_wavefronts; }
};

BankRequest bank_request(const trace::Trace& trace, std::uint64_t access);

/// The arithmetic of one lane: "lane 5 reads tile[5][3] = word 5 × 33 + 3 = 168 · bank = 168 mod 32 = 8".
std::string bank_arithmetic(const BankRequest& request, const analysis::SharedLayout& layout, int lane);
/// The same for the first few lanes in short, to show the pattern.
std::string bank_pattern(const BankRequest& request);
/// One sentence or two: why the request takes its number of wavefronts.
std::string bank_sentence(const BankRequest& request);

}  // namespace warplens::app
