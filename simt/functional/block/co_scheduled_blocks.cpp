#include "simt/functional/block/co_scheduled_blocks.h"

#include <algorithm>

namespace warplens::simt {

namespace {

// Steps that all blocks together may spend polling without any progress before they are considered stuck. A
// loop that resembles polling but is not (its counter is in local memory) ends well before.
constexpr u64 fruitless_steps = 2'000'000;
// If none of them changes memory either, rounds repeat each other for ever.
constexpr int fruitless_rounds = 4;
// The cost of a round over all blocks grows with their number, so each round starts a share of new blocks.
constexpr std::size_t share_to_begin = 4;
// What blocks that only wait for their turn may hold. Where a GPU holds more, the work is shared among fewer.
constexpr u64 most_bytes_in_turns = u64{2} << 30;
// Warps whose turns are this close, as a share of the time since the launch began, take them in any order.
constexpr u64 close_turns = 64;

}  // namespace

struct CoScheduledBlocks::Member {
    std::unique_ptr<BlockRunner> runner;
    std::unique_ptr<trace::BlockObserver> observer;
    u64 turn = no_turn;  // before it, the block does nothing
    bool over = false;
};

/// A cluster, or a block alone. Blocks that ended stay until all have ended: others may access their shared
/// memory.
struct CoScheduledBlocks::Unit {
    Cluster cluster;
    std::vector<Member> members;
    std::size_t over = 0;
};

CoScheduledBlocks::CoScheduledBlocks(const LaunchState& launch, const BlockPlan& plan,
                                     trace::Observer* observer)
    : launch_(launch), plan_(plan), observer_(observer) {}

CoScheduledBlocks::~CoScheduledBlocks() = default;

std::unique_ptr<BlockRunner> CoScheduledBlocks::take_runner() {
    if (idle_.empty()) return std::make_unique<BlockRunner>(launch_);
    auto runner = std::move(idle_.back());
    idle_.pop_back();
    return runner;
}

void CoScheduledBlocks::start(std::size_t index) {
    auto unit = std::make_unique<Unit>();
    const std::vector<u64> blocks = plan_.unit(index);
    for (std::size_t rank = 0; rank < blocks.size(); ++rank) {
        Member& member = unit->members.emplace_back();
        member.runner = take_runner();
        unit->cluster.blocks.push_back(member.runner.get());
    }
    for (std::size_t rank = 0; rank < blocks.size(); ++rank) {
        Member& member = unit->members[rank];
        if (observer_) member.observer = observer_->begin_block(blocks[rank]);
        member.runner->begin(blocks[rank], member.observer.get(), &unit->cluster, now_);
    }
    running_blocks_ += blocks.size();
    running_.push_back(std::move(unit));
}

bool CoScheduledBlocks::finish(Unit& unit, Member& member, const Done& done) {
    member.over = true;
    ++unit.over;
    --running_blocks_;
    FinishedBlock finished{member.runner->outcome(), std::move(member.observer)};
    const bool more = !finished.outcome.ends_run && !finished.outcome.cancelled;
    return done(plan_.index_of(member.runner->linear_block()), std::move(finished)) && more;
}

void CoScheduledBlocks::retire() {
    std::erase_if(running_, [&](const std::unique_ptr<Unit>& unit) {
        if (unit->over < unit->members.size()) return false;
        for (Member& member : unit->members) idle_.push_back(std::move(member.runner));
        return true;
    });
}

void CoScheduledBlocks::hand_over_rest(const Done& done) {
    for (auto& unit : running_)
        for (Member& member : unit->members)
            if (!member.over) finish(*unit, member, done);
    retire();
}

void CoScheduledBlocks::report_standstill(std::size_t not_begun) {
    std::string others;
    if (not_begun != 0)
        others = fmt::format(
            ", and {} block{} cannot begin before others end, because the GPU holds {} of them at a time",
            not_begun, not_begun == 1 ? "" : "s", launch_.resident_blocks);
    for (auto& unit : running_)
        for (Member& member : unit->members)
            if (!member.over) member.runner->report_standstill(others);
}

bool CoScheduledBlocks::has_room_for_turns() const {
    return running_.empty() ||
           (running_blocks_ + plan_.blocks_per_unit()) * running_.front()->members.front().runner->bytes() <=
               most_bytes_in_turns;
}

CoScheduledBlocks::Round CoScheduledBlocks::advance_all(const Done& done) {
    Round round;
    for (auto& unit : running_) {
        for (Member& member : unit->members) {
            if (member.over) continue;
            if (member.turn != no_turn && member.turn > now_) {
                round.turn = std::min(round.turn, member.turn);
                continue;
            }
            const u64 before = member.runner->steps();
            const Advance advance = member.runner->advance(now_);
            member.turn = advance.only_turns ? advance.turn : no_turn;
            round.turn = std::min(round.turn, advance.turn);
            round.steps += member.runner->steps() - before;
            round.moved |= advance.ended || (advance.moved && !advance.impatient);
            round.impatient |= advance.impatient;
            round.wrote |= advance.wrote;
            if (advance.ended && !finish(*unit, member, done)) {
                round.stop = true;
                return round;
            }
        }
    }
    retire();
    return round;
}

bool CoScheduledBlocks::run(std::size_t first, std::size_t end, const Done& done) {
    std::size_t next = first;
    u64 fruitless = 0;
    int rounds = 0;  // without any progress or change of memory
    auto may_start = [&] {
        return next < end && (running_.empty() || launch_.resident_blocks == 0 ||
                              running_blocks_ + plan_.blocks_per_unit() <= launch_.resident_blocks);
    };
    while (next < end || !running_.empty()) {
        const Round round = advance_all(done);
        if (round.stop) {
            hand_over_rest(done);
            return false;
        }
        if (round.moved || round.wrote || round.impatient) rounds = 0;
        if (round.moved) {
            fruitless = 0;
        } else if (may_start() && (round.turn == no_turn || has_room_for_turns())) {
            rounds = 0;
            for (std::size_t i = running_.size() / share_to_begin + 1; i > 0 && may_start(); --i)
                start(next++);
        } else if (round.turn != no_turn) {
            rounds = 0;
            now_ = std::max(now_, round.turn + round.turn / close_turns);
        } else if (!round.impatient) {
            fruitless += round.steps;
            if (round.steps != 0 && fruitless < fruitless_steps && ++rounds < fruitless_rounds) continue;
            report_standstill((end - next) * plan_.blocks_per_unit());
            hand_over_rest(done);
            return next == end;
        }
    }
    return true;
}

}  // namespace warplens::simt
