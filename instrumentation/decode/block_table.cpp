#include "instrumentation/decode/block_table.h"

#include <algorithm>
#include <bit>

#include <string_view>
#include "core/lane_mask.h"

#include "instrumentation/rewrite/recording_space.h"

namespace warplens::instrumentation {

namespace {

using Source = BlockPlan::Source;
using End = BlockRow::End;

constexpr std::uint32_t most_lane_words = 1u << 20;

bool ends_its_block(const Site& site) {
    return site.kind == SiteKind::branch || site.kind == SiteKind::exit || site.kind == SiteKind::call ||
           (site.kind == SiteKind::barrier && !site.opcode.starts_with("mbarrier"));
}

End end_of(const Site& site, const BlockPlan& plan) {
    switch (site.kind) {
        case SiteKind::branch:
            if (site.opcode.starts_with("brx")) return End::jumps_by_table;
            if (site.guarded) return End::branches;
            // To the function's end: lanes leave it there.
            return plan.target == no_index ? End::leaves_function : End::jumps;
        case SiteKind::exit:
            return site.opcode.starts_with("ret") ? End::leaves_function : End::exits;
        case SiteKind::call:
            return End::calls;
        default:
            return End::falls;
    }
}

class Builder {
  public:
    Builder(const RecordingPlan& plan, const Program& program) : plan_(plan), program_(program) {}

    Result<BlockTable> build() {
        const std::size_t count = program_.basic_blocks.size();
        if (plan_.blocks.size() != count)
            return fail("the recording plan has {} basic blocks, the program {}: they are of two kernels",
                        plan_.blocks.size(), count);
        if (count == 0) return fail("the program to decode has no basic block");
        for (BasicBlockId id = 0; id < count; ++id) WARPLENS_TRY(add(id));
        for (const BlockPlan& block : plan_.blocks) {
            if (block.source != Source::checked) continue;
            BlockRow& anchor = table_.blocks[block.follows];
            if (anchor.anchor == no_index) anchor.anchor = table_.anchors++;
        }
        for (const BlockPlan& block : plan_.blocks) {
            if (block.carries == BlockPlan::Carries::none || block.carries == BlockPlan::Carries::own_ballot)
                continue;
            if (block.source != Source::recorded || block.carrier >= count ||
                plan_.blocks[block.carrier].source != Source::passed)
                return fail("the recording plan counts passes of a block that leaves records");
            table_.blocks[block.carrier].begins_counted |= block.carries == BlockPlan::Carries::count;
        }
        for (const AddressPlan& address : plan_.addresses) {
            if (address.site >= program_.sites.size() ||
                (address.slot != no_index && address.slot >= plan_.replay_slots) ||
                (address.value != no_index && address.value >= plan_.values) ||
                (address.symbol != no_index && address.symbol >= plan_.symbols.size()))
                return fail("the recording plan takes an address of site {} from a value it does not have",
                            address.site);
        }
        table_.kept_words = plan_.kept_words;
        table_.first_record = std::max(table_.first_record, (plan_.kept_words + 3) / 4);
        if (plan_.has_lane_words()) {
            if (plan_.tally_offset % unit_bytes != 0 ||
                plan_.tally_offset / unit_bytes < table_.first_record || plan_.tallies > count ||
                plan_.log_words > most_lane_words || !packs_what_fits())
                return fail("the plan puts a warp's tallies at byte {} of its chunk", plan_.tally_offset);
            table_.tallies = plan_.tallies;
            table_.log_words = plan_.log_words;
            table_.hashes_lanes = plan_.hashes_lanes;
            table_.tally_unit = plan_.tally_offset / unit_bytes;
            table_.lane_bytes = plan_.lane_bytes;
            table_.tally_bits = plan_.tally_bits;
            table_.pass_bits = plan_.pass_bits;
            table_.warp_hash = plan_.warp_hash;
            table_.first_record = table_.tally_unit + plan_.lane_area() / unit_bytes;
        }
        if (plan_.value_words > 0) {
            // Behind the parts of lanes, up to the end of the chunk, or before the records.
            const std::uint32_t begin = plan_.values_offset / unit_bytes;
            const std::uint32_t parts = warp_size * plan_.lane_units;
            const bool before_records = plan_.lane_units == 0;
            if (plan_.values_offset % unit_bytes != 0 || begin < std::max(table_.first_record, parts) ||
                plan_.value_words > most_lane_words ||
                (!before_records && begin + plan_.value_area() / unit_bytes > plan_.min_chunk_units))
                return fail("the plan puts the lanes' values at byte {} of a warp's chunk",
                            plan_.values_offset);
            table_.value_words = plan_.value_words;
            table_.value_unit = begin;
            if (before_records) table_.first_record = begin + plan_.value_area() / unit_bytes;
        }
        if (plan_.lane_units > 0 &&
            (!std::has_single_bit(plan_.lane_units) || plan_.lane_units <= table_.first_record ||
             plan_.min_chunk_units / warp_size < plan_.lane_units))
            return fail("the plan gives each lane {} units of its warp's chunk", plan_.lane_units);
        table_.lane_units = plan_.lane_units;
        return std::move(table_);
    }

  private:
    bool packs_what_fits() const {
        const std::uint32_t bytes = plan_.lane_bytes;
        if (bytes == 0)
            return plan_.tallies_in_word == 1 ||
                   (plan_.tallies_in_word > 1 && plan_.tallies_in_word * (plan_.tally_bits + 1) <= 32);
        return (bytes == 1 || bytes == 2 || bytes == 4) && plan_.tally_bits <= 32 && plan_.log_words <= 1 &&
               plan_.tallies <= 32 &&
               plan_.tallies * plan_.tally_bits + (plan_.log_words > 0 ? 1 : 0) <= 8 * bytes;
    }

    /// All records are kept or none is, and their words lie behind the head.
    bool keeps_what_is_kept(const BlockPlan& plan) const {
        const bool keeps = plan_.kept_words > 0 && plan.source == Source::recorded;
        if ((plan.kept.clock != no_index) != keeps) return false;
        for (const std::uint32_t word :
             {plan.kept.active, plan.kept.clock, plan.kept.extra, plan.kept.ballot})
            if (word != no_index && (word < sizeof(WarpHead) / 4 || word >= plan_.kept_words)) return false;
        return !keeps || (plan.values.empty() && plan.guards.size() <= 1 &&
                          (plan.extra == BlockPlan::Extra::none || plan.kept.extra != no_index) &&
                          (plan.carries == BlockPlan::Carries::none || plan.kept.active != no_index));
    }

    Status add(BasicBlockId id) {
        const BlockPlan& plan = plan_.blocks[id];
        const BasicBlock& block = program_.basic_blocks[id];
        const std::size_t count = program_.basic_blocks.size();
        const bool written = plan.source == Source::recorded || plan.source == Source::checked;
        const bool follows = !written || plan.source == Source::checked;
        const bool by_itself = plan.source == Source::whole || plan.source == Source::passed ||
                               plan.source == Source::tallied || plan.source == Source::logged;
        if (block.site_count == 0 || (follows && !by_itself && plan.follows >= count) ||
            (plan.target != no_index && plan.target >= count) || (plan.units == 0 && written) ||
            (plan.source == Source::whole && id != 0))
            return fail("the recording plan of basic block {} names blocks that the program does not have",
                        id);
        BlockRow row;
        row.source = plan.source;
        row.units = plan.units;
        row.follows = plan.follows;
        row.target = plan.target;
        row.kept = plan.kept;
        if (!keeps_what_is_kept(plan)) return outside(id);
        if (written && plan_.kept_words == 0) row.record_bytes = unit_bytes;
        row.arrival = plan.extra == BlockPlan::Extra::arrival_clock;
        row.clock_of_arrival = plan.clock_of_arrival;
        table_.derives_openings |= plan.clock_of_arrival;
        row.last_site = block.first_site + block.site_count - 1;
        const Site& last = program_.sites[row.last_site];
        row.end = end_of(last, plan);
        const bool control = ends_its_block(last);
        row.guarded = control && last.guarded && row.end != End::branches;
        row.barrier = control && last.kind == SiteKind::barrier;
        row.only_arrives_at_cluster = row.barrier && last.opcode.starts_with("barrier.cluster.arrive");
        row.arrives_only = row.barrier && last.opcode.find(".arrive") != std::string::npos;
        for (const RecordedGuard& guard : plan.guards) {
            const std::uint32_t bytes =
                plan.source == Source::whole ? sizeof(WarpHead) : plan.units * unit_bytes;
            if (plan.source != Source::passed && guard.offset > bytes - 4) return outside(id);
            if (control && guard.site == row.last_site) row.ballot = guard.offset;
            if (guard.offset >= unit_bytes && plan_.kept_words == 0) row.record_bytes += 4;
        }
        for (const ReplayedGuard& guard : plan.replayed_guards)
            if (guard.slot >= plan_.replay_slots) return outside(id);
        for (const RecordedValue& value : plan.values) {
            const std::uint64_t end = value.offset + std::uint64_t{31} * value.stride + value.bytes;
            const bool good_size = value.bytes == 2 || value.bytes == 4 || value.bytes == 8;
            if (!good_size || value.value >= plan_.values || end > std::uint64_t{plan.units} * unit_bytes)
                return outside(id);
            row.lane_bytes += value.bytes;
        }
        for (const RecordedValue& value : plan.lane_values)
            if ((value.bytes != 2 && value.bytes != 4 && value.bytes != 8) || value.value >= plan_.values)
                return outside(id);
        row.lane_words = plan.lane_words();
        if (row.lane_words > plan_.value_words) return outside(id);
        if (plan.source == Source::tallied && (plan.tally >= plan_.tallies || plan.target != id))
            return outside(id);
        row.tally = plan.tally;
        row.logs_branch = plan.logs_branch;
        row.hashes_lanes = plan.hashes_lanes;
        row.hashes_last_pass = plan.hashes_last_pass;
        row.precedes_loop = plan.precedes_loop;
        // A plan without logs, tallies and hashes has `logged` blocks, too, where all branches before them
        // are replayed.
        if ((plan.hashes_lanes && !plan_.hashes_lanes) ||
            (plan.logs_branch &&
             (plan_.log_words == 0 || row.end != End::branches || row.ballot != no_index)))
            return fail("the recording plan of basic block {} logs a branch that it does not have", id);
        row.counts_passes = plan.counts_passes;
        row.logs_left = plan.logs_left;
        const auto stays_at = [&](BasicBlockId next) {
            return std::ranges::find(plan.counted_loop, next) != plan.counted_loop.end();
        };
        row.stays_by_jump = stays_at(plan.target);
        if (plan.counts_passes &&
            (!plan.logs_branch || plan.replayed_branch || row.stays_by_jump == stays_at(id + 1) ||
             plan_.pass_bits == 0 || plan_.pass_bits > 31))
            return outside(id);
        if (plan.replayed_branch) {
            if (row.end != End::branches || plan.replayed_branch->slot >= plan_.replay_slots)
                return outside(id);
            row.predicate = plan.replayed_branch->slot;
            row.negated = plan.replayed_branch->negated;
            table_.replays = true;
        }
        row.hashes_branch = plan.hashes_branch;
        if (plan.hashes_branch && (!plan.replayed_branch || !plan_.hashes_lanes)) return outside(id);
        row.lanes_leave = plan.lanes_leave;
        row.lanes_leave_first = plan.lanes_leave_first;
        if (plan.lanes_leave && (!plan.replayed_branch || plan.target == no_index || plan.target == id + 1))
            return outside(id);
        row.carries = plan.carries;
        table_.passes |= plan.source == Source::passed;
        row.routes_begin = static_cast<std::uint32_t>(table_.routes.size());
        table_.routes.insert(table_.routes.end(), plan.routes.begin(), plan.routes.end());
        row.routes_end = static_cast<std::uint32_t>(table_.routes.size());
        row.lanes_meet = plan.lanes_meet;
        row.gives_way = plan.gives_way;
        row.keeps_apart = plan.keeps_apart;
        table_.keeps_apart |= plan.keeps_apart && plan.hashes_lanes;
        table_.gives_way |= plan.gives_way;
        row.ahead_begin = static_cast<std::uint32_t>(table_.ahead.size());
        table_.ahead.insert(table_.ahead.end(), plan.goes_ahead_of.begin(), plan.goes_ahead_of.end());
        row.ahead_end = static_cast<std::uint32_t>(table_.ahead.size());
        row.steps_begin = static_cast<std::uint32_t>(
            std::ranges::lower_bound(plan_.replay, block.first_site, {}, &ReplayStep::site) -
            plan_.replay.begin());
        row.sites_begin = static_cast<std::uint32_t>(table_.sites.size());
        for (SiteId site = block.first_site; site <= row.last_site; ++site)
            add_site(plan, site, control && site == row.last_site);
        row.sites_end = static_cast<std::uint32_t>(table_.sites.size());
        table_.blocks.push_back(row);
        return {};
    }

    void add_site(const BlockPlan& plan, SiteId id, bool control) {
        SiteRow row;
        row.site = id;
        row.guarded = program_.sites[id].guarded && !control;
        for (const RecordedGuard& guard : plan.guards)
            if (guard.site == id && !control) row.ballot = guard.offset;
        for (const ReplayedGuard& guard : plan.replayed_guards) {
            if (guard.site != id || control) continue;
            row.predicate = guard.slot;
            row.negated = guard.negated;
        }
        for (; next_address_ < plan_.addresses.size() && plan_.addresses[next_address_].site <= id;
             ++next_address_) {
            if (plan_.addresses[next_address_].site != id) continue;
            row.memory = true;
            const auto index = static_cast<std::uint32_t>(next_address_);
            (plan_.addresses[next_address_].which == 0 ? row.address : row.address2) = index;
        }
        const bool reports_guard = row.guarded && (row.ballot != no_index || row.predicate != no_index);
        if (row.memory || reports_guard) table_.sites.push_back(row);
    }

    static Status outside(BasicBlockId id) {
        return fail("the recording plan of basic block {} puts something outside of its record", id);
    }

    const RecordingPlan& plan_;
    const Program& program_;
    BlockTable table_;
    std::size_t next_address_ = 0;
};

}  // namespace

Result<BlockTable> BlockTable::make(const RecordingPlan& plan, const Program& program) {
    return Builder(plan, program).build();
}

}  // namespace warplens::instrumentation
