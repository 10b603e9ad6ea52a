#include "instrumentation/rewrite/kept_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/lane_mask.h"
#include "instrumentation/rewrite/lane_place.h"
#include "instrumentation/rewrite/passes.h"
#include "instrumentation/rewrite/recording_space.h"

namespace warplens::instrumentation {

namespace {

constexpr std::uint32_t head_words = sizeof(WarpHead) / 4;
/// Each takes a register for as long as the warp runs.
constexpr std::uint32_t most_rows = 4;
constexpr std::uint32_t words_of_a_sector = 8;

std::string row_register(std::uint32_t row) {
    return row == 0 ? "%warplens_start" : fmt::format("%warplens_kept{}", row);
}

std::uint32_t rows(const RecordingPlan& plan) { return (plan.kept_words + warp_size - 1) / warp_size; }

/// The last lane that has a word in some row, and one.
std::uint32_t lanes_with_words(const RecordingPlan& plan) {
    std::uint32_t most = head_words;
    for (const BlockPlan& block : plan.blocks)
        for (const std::uint32_t word :
             {block.kept.active, block.kept.clock, block.kept.extra, block.kept.ballot})
            if (word != no_index) most = std::max(most, word % warp_size + 1);
    return most;
}

/// A place for each word of the records, none of which is made twice.
class Keeper {
  public:
    explicit Keeper(Draft& draft) : draft_(draft), blocks_(draft.plan.blocks) {}

    void plan() {
        if (!lanes_stay_together() || !find_records() || records_.empty()) return;
        std::uint32_t words = head_words, most = 0;
        for (const BasicBlockId b : records_) {
            words += words_of(blocks_[b]);
            most = std::max(most, words_of(blocks_[b]));
        }
        if (words <= warp_size) side_by_side();
        else if (!in_rows(most)) return;
        const std::uint32_t sectors = (draft_.plan.kept_words + words_of_a_sector - 1) / words_of_a_sector;
        draft_.first_unit = sectors * words_of_a_sector * 4 / unit_bytes;
    }

  private:
    /// Every lane of every warp is there when the warp ends, at each way out.
    bool lanes_stay_together() const {
        if (!draft_.leaves_whole || draft_.plan.lanes_leave() || !fills_warps(draft_.options) ||
            !draft_.options.launch->has_slabs || draft_.functions.size() != 1 || draft_.calls)
            return false;
        for (BasicBlockId b = 0; b < blocks_.size(); ++b)
            if (draft_.graph.nodes[b].leaves && draft_.terminator(b).has_guard) return false;
        return true;
    }

    bool find_records() {
        for (BasicBlockId b = 0; b < blocks_.size(); ++b) {
            if (blocks_[b].source != BlockPlan::Source::recorded) continue;
            if (draft_.graph.reaches(b, b, no_index)) return false;
            records_.push_back(b);
        }
        return true;
    }

    static bool has_ballot_at(const BlockPlan& block, std::uint32_t offset) {
        return std::ranges::any_of(block.guards,
                                   [&](const RecordedGuard& guard) { return guard.offset == offset; });
    }
    static bool has_extra(const BlockPlan& block) {
        return block.extra != BlockPlan::Extra::none || has_ballot_at(block, offsetof(VisitUnit, extra));
    }
    static bool has_ballot_behind(const BlockPlan& block) { return has_ballot_at(block, unit_bytes); }

    static std::uint32_t words_of(const BlockPlan& block) {
        return 1u + has_extra(block) + (block.carries != BlockPlan::Carries::none) + has_ballot_behind(block);
    }

    /// The record's first word has place `word`, each one behind it one that is `step` further.
    static void place(BlockPlan& block, std::uint32_t word, std::uint32_t step) {
        block.kept.clock = word;
        if (has_extra(block)) block.kept.extra = word += step;
        if (block.carries != BlockPlan::Carries::none) block.kept.active = word += step;
        if (has_ballot_behind(block)) block.kept.ballot = word += step;
    }

    void side_by_side() {
        std::uint32_t word = head_words;
        for (const BasicBlockId b : records_) {
            place(blocks_[b], word, 1);
            word += words_of(blocks_[b]);
        }
        draft_.plan.kept_words = word;
    }

    /// One lane keeps all words of a record, so that it is asked for once. `words`: of the largest record.
    bool in_rows(std::uint32_t words) {
        const std::uint32_t beside_head = warp_size - head_words;
        const auto count = static_cast<std::uint32_t>(records_.size());
        const std::uint32_t others =
            count > beside_head ? (count - beside_head + warp_size - 1) / warp_size : 0;
        if ((1 + others) * words > most_rows) return false;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t at = head_words + i;
            place(blocks_[records_[i]], at / warp_size * words * warp_size + at % warp_size, warp_size);
        }
        draft_.plan.kept_words = (1 + others) * words * warp_size;
        return true;
    }

    Draft& draft_;
    std::vector<BlockPlan>& blocks_;
    std::vector<BasicBlockId> records_;
};

}  // namespace

void plan_kept_words(Draft& draft) { Keeper(draft).plan(); }

void begin_kept_words(Draft& draft, FunctionDraft& entry) {
    for (std::uint32_t row = 1; row < rows(draft.plan); ++row) {
        draft.share(entry, row_register(row), ptx::Type::b32);
        draft.put(entry, {}, fmt::format("mov.u32 {}, {};\n", row_register(row), row_register(0)));
    }
}

std::string keep_word(std::uint32_t word, std::string_view value) {
    const std::string lane = fmt::format("%keeper{}", word);
    return fmt::format(".reg .b32 {0};\nand.b32 {0}, {1}, {2};\n{3}", lane, lane_place, lane_bits,
                       keep_word_by(lane, word, value));
}

std::string keep_word_by(std::string_view lane, std::uint32_t word, std::string_view value) {
    return fmt::format(
        ".reg .pred %keeps{0};\nsetp.eq.u32 %keeps{0}, {4}, {1};\n@%keeps{0} mov.u32 {2}, {3};\n", word,
        4 * (word % warp_size), row_register(word / warp_size), value, lane);
}

HeadStores end_kept_words(const Draft& draft, std::string_view last) {
    constexpr std::uint32_t timer = offsetof(WarpHead, timer) / 4;
    std::string stores = keep_word_by("%of_lane", offsetof(WarpHead, place) / 4, "%place") +
                         keep_word_by("%of_lane", offsetof(WarpHead, end_clock) / 4, "%now") +
                         keep_word_by("%of_lane", offsetof(WarpHead, exit_mask) / 4, last) +
                         fmt::format(".reg .pred %has_word;\nsetp.lt.u32 %has_word, %of_lane, {};\n",
                                     4 * lanes_with_words(draft.plan));
    if (leaves_warps_out(draft.options)) stores += "and.pred %has_word, %has_word, %warplens_records;\n";
    for (std::uint32_t row = 0; row < rows(draft.plan); ++row)
        stores += fmt::format("@%has_word st.global.b32 [%to+{}], {};\n",
                              draft.chunks_begin() + row * 4 * warp_size, row_register(row));
    return {.timer = fmt::format(".reg .b32 %timer_low, %timer_high;\nor.b32 %place, %place, %sm;\n"
                                 "mov.b64 {{%timer_low, %timer_high}}, %timer;\n{}{}",
                                 keep_word_by("%of_lane", timer, "%timer_low"),
                                 keep_word_by("%of_lane", timer + 1, "%timer_high")),
            .stores = std::move(stores)};
}

}  // namespace warplens::instrumentation
