#include "instrumentation/decode/decode.h"

#include <algorithm>

#include "instrumentation/decode/block_table.h"
#include "instrumentation/decode/block_teller.h"
#include "instrumentation/decode/clock_fit.h"
#include "instrumentation/decode/space_reader.h"
#include "instrumentation/decode/warp_walk.h"

namespace warplens::instrumentation {

namespace {

/// Units that the warp's head and, in proof, its hashes take at the beginning of its first chunk.
std::uint64_t first_chunk_overhead(const BlockTable& table) { return table.first_record; }

/// What the streams that lost something would have taken beside everything else: each at most one chunk that
/// it does not fill, and in all others no more left over than the largest record less one.
std::uint64_t enough_bytes(const SpaceHead& head, const RecordingPlan& plan, const BlockTable& table,
                           const SpaceParameter& parameter) {
    if (head.dropped_records == 0) return 0;
    std::uint64_t largest = 1;
    for (const BlockPlan& block : plan.blocks) largest = std::max<std::uint64_t>(largest, block.units);
    const std::uint64_t streams =
        head.dropped_streams != 0 ? head.dropped_streams : std::uint64_t{head.dropped_records};
    const std::uint64_t units = head.dropped_units + streams * first_chunk_overhead(table);
    const std::uint64_t used = parameter.chunk_units > largest ? parameter.chunk_units - largest : 1;
    const std::uint64_t more = (units + used - 1) / used + streams;
    return chunk_offset(parameter.chunks + more, parameter.chunk_units, plan.symbols.size());
}

class Decoder {
  public:
    Decoder(const RecordingPlan& plan, const Program& program, const LaunchGeometry& geometry,
            const ReadBack& read, const BlockTable& table, const SpaceReader& space,
            trace::Observer* observer)
        : plan_(plan),
          geometry_(geometry),
          table_(table),
          space_(space),
          observer_(observer),
          walk_(table, visits_),
          records_(space, table),
          teller_(plan, program, table, space, read) {}

    Decoded decode() {
        // Address space, not memory: each record is one visit at least, few are followed by many.
        decoded_.visits.reserve(space_.bytes() / unit_bytes);
        space_.for_each_block([this](std::uint64_t block, const std::vector<WarpChunks>& warps) {
            decode_block(block, warps);
        });
        ClockFit fit = fit_clocks(clocks_);
        for (std::size_t i = 0; i < decoded_.warps.size(); ++i) place(decoded_.warps[i], fit.begins[i]);
        decoded_.sms = std::move(fit.sms);
        decoded_.clock_hz = fit.clock_hz;
        decoded_.timer_bound_ns = fit.timer_step_ns;
        return std::move(decoded_);
    }

  private:
    enum class Outcome { whole, incomplete, damaged };

    void decode_block(std::uint64_t block, const std::vector<WarpChunks>& warps) {
        facts_.clear();
        bool began = false, lost = false;
        for (const WarpChunks& warp : warps) {
            facts_.push_back(space_.facts(warp));
            began |= facts_.back().began || !warp.taken.empty();
            lost |= facts_.back().lost_records;
        }
        if (!began && !lost) return;  // ran on an SM that is not recorded
        const std::size_t first_warp = decoded_.warps.size(), first_visit = decoded_.visits.size();
        const std::size_t first_hash = decoded_.hashes.size();
        const Outcome outcome = lost ? Outcome::incomplete : walk(block, warps);
        if (outcome == Outcome::whole) {
            tell(block);
            return;
        }
        decoded_.warps.resize(first_warp);
        decoded_.visits.resize(first_visit);
        decoded_.hashes.resize(first_hash);
        clocks_.resize(first_warp);
        if (lost) count(warps);
        (outcome == Outcome::incomplete ? decoded_.incomplete : decoded_.damaged).push_back(block);
    }

    Outcome walk(std::uint64_t block, const std::vector<WarpChunks>& warps) {
        visits_.clear();
        ranges_.clear();
        measured_in_block_ = 0;
        const auto expected = static_cast<std::size_t>(geometry_.warps_per_block());
        bool all_began = warps.size() == expected;
        for (std::size_t i = 0; i < warps.size(); ++i) {
            all_began &= facts_[i].began;
            all_began &= (facts_[i].head.place & 0xffffu) == (facts_[0].head.place & 0xffffu);
        }
        // Without slabs a warp may not even have found room for its head.
        const bool may_lack = space_.head().dropped_records != 0;
        if (!all_began) return may_lack ? Outcome::incomplete : Outcome::damaged;
        for (std::size_t i = 0; i < warps.size(); ++i)
            if (!walk_warp(block, warps[i], facts_[i])) return Outcome::damaged;
        return Outcome::whole;
    }

    bool walk_warp(std::uint64_t block, const WarpChunks& chunks, const WarpFacts& facts) {
        const WarpHead& head = facts.head;
        const int number = static_cast<int>(chunks.warp);
        const LaneMask lanes = geometry_.warp_lanes(number);
        const std::size_t first = visits_.size();
        const std::uint32_t duration = head.end_clock - head.start_clock;
        records_.begin(chunks, lanes, head.start_clock);
        if (!walk_.begin(lanes, head_ballot(facts))) return false;
        add_times(trace::no_time, trace::no_time);
        while (const Record* record = records_.next()) {
            ++decoded_.records;
            const VisitUnit& visit = record->visit;
            const BlockRow& row = table_.blocks[visit.block - 1];
            std::uint32_t arrived = trace::no_time;
            if (row.arrival) {
                arrived = visit.extra - head.start_clock;
                if (arrived > record->clock) return false;
            }
            if (record->clock > duration) return false;
            std::uint32_t ballot = 0;
            if (row.ballot != no_index)
                ballot = space_.at<std::uint32_t>(std::uint64_t{record->unit} * unit_bytes + row.ballot);
            if (!walk_.record(visit.block - 1, visit.active, record->unit, ballot)) return false;
            add_times(record->clock, arrived);
        }
        if (records_.broken() || !walk_.end()) return false;
        add_times(trace::no_time, trace::no_time);
        ranges_.push_back({number, first, visits_.size()});
        add_warp(block, chunks, facts, visits_.size() - first);
        return true;
    }

    std::uint32_t head_ballot(const WarpFacts& facts) const {
        const std::uint32_t offset = table_.blocks[0].ballot;
        if (table_.blocks[0].told != BlockPlan::Told::whole || offset == no_index) return 0;
        return space_.at<std::uint32_t>(std::uint64_t{facts.head_unit} * unit_bytes + offset);
    }

    /// Times of the visits that the walk has added: `entered` is of the one that was recorded.
    void add_times(std::uint32_t entered, std::uint32_t arrived) {
        const WalkedVisit* visit = visits_.data() + measured_in_block_;
        const WalkedVisit* const end = visits_.data() + visits_.size();
        for (; visit != end; ++visit) {
            const bool timed = visit->unit != no_record;
            decoded_.visits.push_back({visit->block, visit->active, timed ? entered : trace::no_time,
                                       timed ? arrived : trace::no_time});
        }
        measured_in_block_ = visits_.size();
    }

    void add_warp(std::uint64_t block, const WarpChunks& chunks, const WarpFacts& facts, std::size_t visits) {
        const WarpHead& head = facts.head;
        trace::MeasuredWarp warp;
        warp.block = block;
        warp.warp = chunks.warp;
        warp.sm = static_cast<std::uint16_t>(head.place & 0xffffu);
        warp.slot = static_cast<std::uint16_t>(head.place >> 16 & 0x7fffu);
        warp.end = head.end_clock - head.start_clock;
        warp.visits_end = decoded_.visits.size();
        warp.visits_begin = warp.visits_end - visits;
        decoded_.warps.push_back(warp);
        clocks_.push_back(
            {warp.sm, static_cast<std::uint32_t>(block), head.start_clock, head.end_clock, head.timer});
        if (plan_.mode != RecordMode::proof) return;
        const std::uint64_t hashes = std::uint64_t{facts.head_unit} * unit_bytes + plan_.hash_offset;
        for (std::uint32_t lane = 0; lane < warp_size; ++lane)
            decoded_.hashes.push_back(space_.at<std::uint32_t>(hashes + 4 * lane));
    }

    void tell(std::uint64_t block) {
        if (!observer_) return;
        auto to = observer_->begin_block(block);
        if (to) teller_.tell(visits_, ranges_, *to);
        observer_->finish(block, std::move(to));
    }

    /// Records of a block that is left out.
    void count(const std::vector<WarpChunks>& warps) {
        for (std::size_t i = 0; i < warps.size(); ++i) {
            records_.begin(warps[i], geometry_.warp_lanes(static_cast<int>(warps[i].warp)),
                           facts_[i].head.start_clock);
            while (records_.next()) ++decoded_.records;
        }
    }

    void place(trace::MeasuredWarp& warp, std::uint32_t begin) {
        constexpr std::uint32_t last = trace::no_time - 1;
        const auto shifted = [&](std::uint32_t cycle) { return cycle > last - begin ? last : cycle + begin; };
        warp.begin = begin;
        warp.end = shifted(warp.end);
        for (std::uint64_t i = warp.visits_begin; i < warp.visits_end; ++i) {
            trace::MeasuredVisit& visit = decoded_.visits[i];
            if (visit.entered != trace::no_time) visit.entered = shifted(visit.entered);
            if (visit.arrived != trace::no_time) visit.arrived = shifted(visit.arrived);
        }
    }

    const RecordingPlan& plan_;
    const LaunchGeometry& geometry_;
    const BlockTable& table_;
    const SpaceReader& space_;
    trace::Observer* observer_;
    Decoded decoded_;
    std::vector<WarpClock> clocks_;    // by decoded_.warps
    std::vector<WalkedVisit> visits_;  // of the block being decoded
    std::vector<WarpVisits> ranges_;
    std::vector<WarpFacts> facts_;
    std::size_t measured_in_block_ = 0;
    WarpWalk walk_;
    WarpRecords records_;
    BlockTeller teller_;
};

}  // namespace

std::vector<std::uint64_t> engine_symbol_bases(const RecordingPlan& plan, const Program& program) {
    std::vector<std::uint64_t> bases;
    bool has_local = false;
    for (const std::string& symbol : plan.symbols) {
        const auto variable = std::find_if(program.variables.begin(), program.variables.end(),
                                           [&](const Variable& v) { return v.name == symbol; });
        if (variable != program.variables.end()) {
            bases.push_back(variable->space == Space::global ? as_on_device : variable->offset);
        } else {
            // A function's own: the first is where local memory begins, others are told from there.
            bases.push_back(has_local ? as_on_device : 0);
            has_local = true;
        }
    }
    return bases;
}

Result<Decoded> decode(const RecordingPlan& plan, const Program& program, const LaunchGeometry& geometry,
                       const ReadBack& read, trace::Observer* observer) {
    const auto table = BlockTable::make(plan, program);
    if (!table) return tl::unexpected(table.error());
    const auto space = SpaceReader::open(plan, *table, geometry, read);
    if (!space) return tl::unexpected(space.error());
    Decoded decoded = Decoder(plan, program, geometry, read, *table, *space, observer).decode();
    const SpaceHead& head = space->head();
    decoded.dropped_records = head.dropped_records;
    decoded.outside_narrow = head.outside_narrow != 0;
    decoded.enough_bytes = enough_bytes(head, plan, *table, read.parameter);
    return decoded;
}

}  // namespace warplens::instrumentation
