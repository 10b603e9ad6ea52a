// WarpWalk: follows the lanes of one warp through the program from record to record. It fills in the visits
// that were not written (BlockPlan::Source), derives from the lanes' next blocks which of them jumped, and
// refuses a record that the program cannot reach.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/lane_mask.h"
#include "instrumentation/decode/block_table.h"
#include "instrumentation/decode/replay.h"

namespace warplens::instrumentation {

inline constexpr std::uint32_t no_record = 0xffffffffu;

struct WalkedVisit {
    std::uint32_t block = 0;
    std::uint32_t active = 0;
    /// Of the instruction that ends the block: lanes that jumped, or that executed it if it is an exit,
    /// return, call or barrier.
    std::uint32_t jumped = 0;
    std::uint32_t unit = no_record;  // of the space, where its record begins
};

class WarpWalk {
  public:
    /// Visits are appended to `visits`.
    WarpWalk(const BlockTable& table, const Replay& replay, std::vector<WalkedVisit>& visits)
        : table_(table), replay_(replay), visits_(visits), captured_(table.anchors) {
        for (const BlockRow& row : table.blocks) calls_ |= row.end == BlockRow::End::calls;
    }

    /// Before begin(): which warp comes next, and how many visits of it may be found by replaying branches.
    void enter(std::uint64_t linear_block, int warp, std::uint64_t most_replayed);
    /// Of those, how many it had.
    std::uint64_t replayed() const { return replayed_; }
    /// Which of the lanes that are apart go on first, where no record says it.
    enum class Order : std::uint8_t {
        wait,    // those before the lowest block: the others wait until no lane is left before theirs
        ahead,   // but those that leave a loop to a block with BlockPlan::goes_ahead_of go on there at once
        turns,   // and those that give way where a loop begins (BlockPlan::gives_way) do so in turn
        parted,  // as `wait`, but at blocks with BlockPlan::keeps_apart those who came last, and nobody else
        apart    // who came last, and nobody with them: lanes that have parted stay so where they can
    };
    void set_order(Order order) {
        order_ = order;
        choices_.reset();
    }
    /// Where lanes could go on before several blocks, or not all of those before one: the `at`-th time they
    /// did so in the `which`-th other way, and not as the order has it.
    struct Choice {
        std::uint32_t at = 0, which = 0;
    };
    /// Likewise, but for these choices, of which each comes later than the one before.
    void set_order(Order order, std::vector<Choice> choices) {
        order_ = order;
        choices_ = std::move(choices);
    }
    /// With choices, after the warp: how many ways there were, each time that there were several.
    const std::vector<std::uint32_t>& ways() const { return ways_; }
    /// A warp begins. `head_ballot` is of the entry's branch, when the plan puts it into the head. The
    /// functions return false if the program cannot reach the record; the warp must then be dropped.
    /// `tallies`: 32 words each, as RecordingPlan::tallies has them, with the words of the lanes' logs that
    /// were written; empty without any.
    bool begin(LaneMask lanes, std::uint32_t head_ballot, std::span<const std::uint32_t> tallies = {});
    /// `ballot` as BlockRow::ballot says, `carried` as BlockRow::carries, else unused.
    bool record(std::uint32_t block, std::uint32_t active, std::uint32_t unit, std::uint32_t ballot,
                std::uint32_t carried = 0);
    bool end();
    /// After end(): the lanes' tallies and logs are those of lanes that stayed together where they could.
    bool tallies_hold();

  private:
    /// Lanes that are about to enter a block. Their masks have no lane in common.
    struct Group {
        std::uint32_t mask = 0;
        std::uint32_t next = no_index;  // no_index: their next record will show it
        std::uint32_t from = 0;         // the visit they come from, when `next` is no_index
        std::uint32_t captured = 0;     // of a checked block: lanes that have to meet
    };
    struct Arrival {
        std::uint32_t block, mask;
        std::uint32_t turn = 0;  // when they came
        std::size_t from = 0;    // how many visits there were then
    };
    struct Captured {
        std::uint32_t lanes, mask;
        std::uint32_t depth;  // of calls
    };

    void visit(std::uint32_t block, std::uint32_t mask, std::uint32_t unit, const std::uint32_t* ballot);
    void add_visit(std::uint32_t block, std::uint32_t mask, std::uint32_t jumped, std::uint32_t unit);
    void arrive(std::uint32_t block, std::uint32_t mask) { arrivals_.push_back({block, mask}); }
    bool settle();
    bool go_on_without_records();
    std::uint32_t next_without_record();
    std::uint32_t next_in_turn();
    std::uint32_t next_apart(std::uint32_t& alone) const;
    std::uint32_t last_before(std::uint32_t block) const;
    std::uint32_t choose(std::uint32_t& block, std::uint32_t alone);
    void visit_tallied(std::uint32_t block, std::uint32_t mask);
    std::uint32_t take_bits(std::uint32_t mask);
    std::uint32_t replay_branch(const BlockRow& row, std::uint32_t mask, std::uint32_t unit);
    std::uint32_t take_passes(const BlockRow& row, std::uint32_t mask);
    bool take_bit(std::size_t lane);
    bool logs_end() const;
    void hash_last_lanes(std::uint32_t mask);
    void hash_lanes(const BlockRow& row, std::uint32_t mask);
    std::span<const std::uint32_t> log() const;
    bool pass_to(std::uint32_t record);
    bool take_route(std::uint32_t record);
    void wait(const Group& group);
    void wait_to_meet(std::uint32_t block, std::uint32_t mask);
    void capture(std::uint32_t anchor, std::uint32_t mask);
    bool resolve(Group& group, std::uint32_t lanes, std::uint32_t block, bool& moved);
    bool go_to_checked(Group& group, std::uint32_t lanes, std::uint32_t except);
    bool is_complete(const Group& group) const;
    void meet(std::size_t index);
    std::uint32_t at_depth(std::uint32_t lanes, std::uint32_t depth) const;
    bool call_or_return(std::uint32_t lanes, bool calls);
    bool goes_to(const Group& group, std::uint32_t block);
    bool step(std::uint32_t lanes, int depth);
    bool has_left(const Group& group);
    std::uint32_t join_those_who_left(std::uint32_t block);
    bool end_those_who_left();
    void leave(const BlockRow& row, std::uint32_t lanes);
    void drop_empty();

    const BlockTable& table_;
    const Replay& replay_;
    std::vector<WalkedVisit>& visits_;
    ReplayedWarp slots_;  // where some branch is replayed
    std::uint64_t replayed_ = 0, most_replayed_ = 0;
    std::uint32_t lanes_ = 0;  // of the warp
    /// Lanes that left at BlockPlan::lanes_leave; and of those by the way out that they are at whom the
    /// others meet there.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> left_;
    std::uint32_t left_lanes_ = 0;
    std::array<Group, warp_size> groups_;
    std::size_t group_count_ = 0;
    std::vector<Arrival> arrivals_;                  // to be dealt with, last first
    std::vector<std::vector<Captured>> captured_;    // by anchor: the visit each lane was last in
    std::array<std::uint32_t, warp_size> depths_{};  // calls that each lane is in
    std::span<const std::uint32_t> tallies_;
    std::array<std::uint32_t, warp_size> tally_hashes_{}, last_lanes_{};  // last_lanes_: not hashed yet
    std::vector<std::uint32_t> tallied_;  // by tally: the lanes that visited it
    /// How far a lane's log has been read: `left` bits of the word before `word`.
    struct LogPlace {
        std::uint32_t word = 0, bits = 0, left = 0;
    };
    std::array<LogPlace, warp_size> log_places_{};
    std::array<std::uint32_t, warp_size> passes_left_{};  // of a branch that counts_passes; 0: not known yet
    std::uint32_t leaves_last_ = 0;                       // lanes that leave the loop by the last of them
    std::vector<Arrival> deferred_;  // before `tallied` and `logged` blocks: the lowest goes first
    bool took_bits_ = false;         // since the last arrival, or a branch was replayed
    std::uint32_t carried_ = 0;      // by the record that lanes are on their way to
    std::uint32_t passes_ = 0;       // of a counted loop that are still to come
    bool calls_ = false;             // some block of the kernel calls
    bool broken_ = false;
    Order order_ = Order::wait;
    std::optional<std::vector<Choice>> choices_;
    std::vector<std::uint32_t> ways_;
    std::uint32_t turns_ = 0;
    std::vector<bool> waits_over_;  // by block: some went on there without those that had given way
};

}  // namespace warplens::instrumentation
