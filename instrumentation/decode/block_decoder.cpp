#include "instrumentation/decode/block_decoder.h"

#include <algorithm>

#include "instrumentation/decode/open_barriers.h"

namespace warplens::instrumentation {

namespace {

/// How long lanes may hold back a head that they have read the clock for, while others of their warp run.
constexpr std::uint32_t most_late_cycles = 1u << 16;

/// Passes of loops that are counted and not recorded, of all blocks together.
constexpr std::uint64_t most_listed = std::uint64_t{1} << 28;

}  // namespace

DecodedPart BlockDecoder::decode(std::span<const BlockChunks> blocks) {
    part_ = {};
    for (const BlockChunks& block : blocks) decode_block(block);
    return std::move(part_);
}

void BlockDecoder::decode_block(const BlockChunks& chunks) {
    const std::uint64_t block = chunks.block;
    space_.warps_of(chunks, warps_);
    facts_.clear();
    bool began = false, lost = false;
    for (const WarpChunks& warp : warps_) {
        facts_.push_back(space_.facts(warp));
        began |= facts_.back().began || !warp.taken.empty();
        lost |= facts_.back().lost_records;
    }
    if (!began && !lost) return;  // ran on an SM that is not recorded
    const std::size_t first_warp = part_.warps.size(), first_visit = part_.visits.size();
    const std::size_t first_hash = part_.hashes.size();
    const std::uint64_t written_before = part_.written_bytes;
    const Outcome outcome = lost ? Outcome::incomplete : walk(block);
    if (outcome == Outcome::whole) {
        open_barriers(table_, std::span(part_.warps).subspan(first_warp),
                      std::span(part_.clocks).subspan(first_warp), part_.visits);
        emit(block);
        return;
    }
    part_.warps.resize(first_warp);
    part_.visits.resize(first_visit);
    part_.hashes.resize(first_hash);
    part_.written_bytes = written_before;
    part_.clocks.resize(first_warp);
    part_.apart |= table_.has_lane_words() && outcome == Outcome::damaged;
    if (lost) count_records();
    if (outcome == Outcome::damaged && part_.first_damage.empty())
        part_.first_damage = fmt::format("block {}, {}", block, refusal_);
    (outcome == Outcome::incomplete ? part_.incomplete : part_.damaged).push_back(block);
}

/// Memory for `passes` more visits of each block in a loop.
bool BlockDecoder::may_list(std::uint32_t passes) {
    listed_ += std::uint64_t{passes};
    return listed_ <= most_listed / std::max<std::uint64_t>(blocks_, 1);
}

/// Of a lane's one number: its passes through loop `part`, or its log.
std::uint32_t BlockDecoder::packed(std::uint64_t begin, std::uint32_t lane, std::uint32_t part) const {
    const std::uint64_t at = begin + std::uint64_t{lane} * table_.lane_bytes;
    const std::uint64_t number = table_.lane_bytes == 1   ? space_.at<std::uint8_t>(at)
                                 : table_.lane_bytes == 2 ? space_.at<std::uint16_t>(at)
                                                          : space_.at<std::uint32_t>(at);
    const std::uint64_t from = number >> (part * table_.tally_bits);
    return static_cast<std::uint32_t>(
        part < table_.tallies ? from & ((std::uint64_t{1} << table_.tally_bits) - 1) : from);
}

/// Of rows of words: word `part` of a lane's tallies and log, from 0.
std::uint32_t BlockDecoder::in_rows(std::uint64_t begin, std::uint32_t lane, std::uint32_t part) const {
    const bool tallies = part < plan_.tallies;
    const std::uint32_t row =
        tallies ? part / plan_.tallies_in_word : part - plan_.tallies + plan_.tally_rows();
    const auto word = space_.at<std::uint32_t>(begin + 4 * (std::uint64_t{warp_size} * row + lane));
    if (!tallies || plan_.tallies_in_word == 1) return word;
    const std::uint32_t bits = plan_.tally_bits + 1;
    return word >> part % plan_.tallies_in_word * bits & ((1u << bits) - 1);
}

bool BlockDecoder::read_tallies(const WarpFacts& facts, LaneMask lanes) {
    constexpr std::uint32_t bits_a_word = 31;
    tallies_.clear();
    if (!table_.has_lane_words()) return true;
    const std::uint64_t begin = (std::uint64_t{facts.head_unit} + table_.tally_unit) * unit_bytes;
    const std::uint64_t of_lanes = begin + plan_.hash_bytes();
    const std::uint64_t hash =
        plan_.hash_in_head ? std::uint64_t{facts.head_unit} * unit_bytes + offsetof(WarpHead, exit_mask)
                           : begin;
    for (std::uint32_t word = 0; word <= table_.tallies + table_.log_words; ++word) {
        std::uint32_t most = 0;
        for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
            const bool is_there = (lanes.bits >> lane & 1u) != 0;
            std::uint32_t value = 0;
            if (word == 0 && table_.warp_hash) value = lane == 0 ? space_.at<std::uint32_t>(hash) : 0;
            else if (word == 0 && is_there) value = space_.at<std::uint32_t>(begin + 4 * lane);
            else if (is_there && table_.lane_bytes > 0) value = packed(of_lanes, lane, word - 1);
            else if (is_there) value = in_rows(of_lanes, lane, word - 1);
            tallies_.push_back(value);
            if (word > 0) most = std::max(most, value);
        }
        const bool logs = word > table_.tallies;
        if (logs && most == 0) break;  // words behind it were not written
        if (!may_list(logs ? bits_a_word : most)) return false;
    }
    return true;
}

BlockDecoder::Outcome BlockDecoder::walk(std::uint64_t block) {
    visits_.clear();
    ranges_.clear();
    listed_ = 0;
    measured_in_block_ = 0;
    const auto expected = static_cast<std::size_t>(geometry_.warps_per_block());
    const auto began = static_cast<std::size_t>(
        std::count_if(facts_.begin(), facts_.end(), [](const WarpFacts& facts) { return facts.began; }));
    // The block's first warp says which SM it is; no other one may say something else.
    const bool together = std::all_of(facts_.begin(), facts_.end(), [&](const WarpFacts& facts) {
        const std::uint32_t sm = facts.head.place & 0xffffu;
        return sm == 0 || sm == (facts_[0].head.place & 0xffffu);
    });
    if (began != expected || !together) {
        refuse(began != expected ? fmt::format("of its {} warps {} left a head", expected, began)
                                 : "its warps name several SMs");
        // Without slabs a warp may not even have found room for its head.
        return space_.head().dropped_records != 0 ? Outcome::incomplete : Outcome::damaged;
    }
    for (std::size_t i = 0; i < warps_.size(); ++i)
        if (!walk_warp(block, warps_[i], facts_[i])) return Outcome::damaged;
    return Outcome::whole;
}

bool BlockDecoder::refuse(std::string sentence) {
    refusal_ = std::move(sentence);
    return false;
}

bool BlockDecoder::refuse(const WarpChunks& warp, const Record& record, std::string_view what) {
    const SiteId first = program_.basic_blocks[record.visit.block - 1].first_site;
    return refuse(fmt::format("warp {}: after {} cycles lanes 0x{:08x} entered basic block {} ({}), {}",
                              warp.warp, record.clock, record.visit.active, record.visit.block - 1,
                              program_.sites[first].opcode, what));
}

/// Where lanes may wait for others or not, the hash of lanes shows what they did.
bool BlockDecoder::walk_warp(std::uint64_t block, const WarpChunks& chunks, const WarpFacts& facts) {
    using Order = WarpWalk::Order;
    const std::size_t visits = visits_.size(), measured = part_.visits.size(), timed = measured_in_block_;
    const std::uint64_t records = part_.records, listed = listed_;
    const auto reads = [&](Order order, const std::vector<WarpWalk::Choice>* choices) {
        visits_.resize(visits);
        part_.visits.resize(measured);
        measured_in_block_ = timed;
        part_.records = records;
        listed_ = listed;
        if (choices) walk_.set_order(order, *choices);
        else walk_.set_order(order);
        return try_warp(block, chunks, facts);
    };
    if (reads(Order::wait, nullptr)) return true;
    const std::string refusal = refusal_;
    if (!table_.ahead.empty() && reads(Order::ahead, nullptr)) return true;
    if (table_.keeps_apart && reads(Order::parted, nullptr)) return true;
    if (table_.gives_way && reads(Order::turns, nullptr)) return true;
    return search_order(reads) || refuse(refusal);
}

/// Each lane's way is known; which lanes were together is not where some went on in another order. So orders
/// are tried that differ from a likely one in one choice, then in two, and so on, until the hash is that of
/// the lanes that would have been together. That another order has this hash by chance is as likely as one in
/// 2^32 for each that is tried.
bool BlockDecoder::search_order(const ReadsInOrder& reads) {
    using Order = WarpWalk::Order;
    constexpr std::size_t most_tried = 8192;  // from each of two orders
    if (!table_.hashes_lanes || search_left_ == 0) return false;
    const std::size_t half = search_left_ / 2;
    for (const std::size_t kept : {half, std::size_t{0}}) {  // for the second
        const Order order = kept == 0            ? Order::apart
                            : table_.gives_way   ? Order::turns
                            : table_.keeps_apart ? Order::parted
                                                 : Order::wait;
        std::vector<std::vector<WarpWalk::Choice>> tries{{}};
        for (std::size_t i = 0; i < tries.size() && search_left_ > kept; ++i) {
            const std::vector<WarpWalk::Choice> choices = tries[i];
            const bool found = reads(order, &choices);
            search_left_ -= std::min(search_left_, visits_.size() + 1);
            if (found) return true;
            const std::vector<std::uint32_t>& ways = walk_.ways();
            const auto first = static_cast<std::uint32_t>(choices.empty() ? 0 : choices.back().at + 1);
            for (std::uint32_t at = first; at < ways.size(); ++at)
                for (std::uint32_t which = 1; which < ways[at] && tries.size() < most_tried; ++which) {
                    tries.push_back(choices);
                    tries.back().push_back({at, which});
                }
        }
    }
    search_left_ = 0;
    return false;
}

bool BlockDecoder::try_warp(std::uint64_t block, const WarpChunks& chunks, const WarpFacts& facts) {
    const WarpHead& head = facts.head;
    const int number = static_cast<int>(chunks.warp);
    const LaneMask lanes = geometry_.warp_lanes(number);
    const std::size_t first = visits_.size();
    std::uint32_t duration = head.end_clock - head.start_clock;
    const std::uint64_t records_before = part_.records;
    records_.begin(chunks, lanes, head.start_clock);
    if (!read_tallies(facts, lanes))
        return refuse(
            fmt::format("warp {}: ran loops too often to list every pass: record fewer blocks", number));
    const std::uint64_t most = most_listed / std::max<std::uint64_t>(blocks_, 1);
    walk_.enter(block, number, most - std::min(most, listed_));
    if (!walk_.begin(lanes, head_ballot(facts), tallies_))
        return refuse(fmt::format("warp {}: the branch of its first basic block leads nowhere", number));
    add_times(trace::no_time, trace::no_time);
    while (const Record* record = records_.next()) {
        ++part_.records;
        const VisitUnit& visit = record->visit;
        const BlockRow& row = table_.blocks[visit.block - 1];
        std::uint32_t arrived = trace::no_time;
        if (row.clock_of_arrival) arrived = record->clock;
        if (row.arrival) {
            arrived = visit.extra - head.start_clock;
            if (arrived > record->clock) return refuse(chunks, *record, "before they arrived at its barrier");
        }
        // Lanes that leave apart each write the head: the last to write need not be the last to read the
        // clock.
        if (record->clock > duration && record->clock - duration <= most_late_cycles)
            duration = record->clock;
        if (record->clock > duration)
            return refuse(chunks, *record, fmt::format("but the warp ended after {}", duration));
        if (row.carries == BlockPlan::Carries::count && !may_list(record->carried))
            return refuse(
                chunks, *record,
                fmt::format("and passed a loop {} times before, more than can be listed: record fewer "
                            "blocks",
                            record->carried));
        if (!walk_.record(visit.block - 1, visit.active, record->unit, record->ballot, record->carried))
            return refuse(chunks, *record, "where not all of them can have come");
        add_times(record->clock, arrived);
    }
    if (records_.broken())
        return refuse(
            fmt::format("warp {}: after its first {} records something follows that is not a record", number,
                        part_.records - records_before));
    if (!walk_.end())
        return refuse(fmt::format("warp {}: its records end before all of its lanes have left", number));
    listed_ += walk_.replayed();
    if (!walk_.tallies_hold()) return refuse(fmt::format("warp {}: its lanes were apart in a loop", number));
    add_times(trace::no_time, trace::no_time);
    ranges_.push_back({number, first, visits_.size(), facts.head_unit});
    part_.written_bytes += bytes_of_warp(chunks, facts, first);
    add_warp(block, chunks, facts, duration, visits_.size() - first);
    return true;
}

std::uint32_t BlockDecoder::head_ballot(const WarpFacts& facts) const {
    const std::uint32_t offset = table_.blocks[0].ballot;
    if (table_.blocks[0].source != BlockPlan::Source::whole || offset == no_index) return 0;
    return space_.at<std::uint32_t>(std::uint64_t{facts.head_unit} * unit_bytes + offset);
}

/// Times of the visits that the walk has added: `entered` is of the one that was recorded.
void BlockDecoder::add_times(std::uint32_t entered, std::uint32_t arrived) {
    const WalkedVisit* visit = visits_.data() + measured_in_block_;
    const WalkedVisit* const end = visits_.data() + visits_.size();
    for (; visit != end; ++visit) {
        const bool timed = visit->unit != no_record;
        part_.visits.push_back({visit->block, visit->active, timed ? entered : trace::no_time,
                                timed ? arrived : trace::no_time});
    }
    measured_in_block_ = visits_.size();
}

/// From `visits` on they are the warp's. The second unit of its head is written where it says something.
std::uint64_t BlockDecoder::bytes_of_warp(const WarpChunks& chunks, const WarpFacts& facts,
                                          std::size_t visits) const {
    std::uint64_t bytes = unit_bytes + unit_bytes * chunks.taken.size();
    if (facts.head.identity != 0) bytes += 8;
    if (facts.head.timer != 0) bytes += 8;
    if (plan_.hashes_addresses) bytes += 4;
    if (table_.kept_words > 0) bytes = 4 * table_.kept_words;
    if (table_.has_lane_words()) {
        const std::size_t tallies = std::size_t{warp_size} * table_.tallies;
        const auto logged = std::count_if(tallies_.begin() + static_cast<std::ptrdiff_t>(warp_size + tallies),
                                          tallies_.end(), [](std::uint32_t word) { return word != 0; });
        bytes += plan_.hash_in_head ? 0 : table_.warp_hash ? 4 : 4 * warp_size;
        bytes +=
            table_.lane_bytes > 0
                ? std::uint64_t{warp_size} * table_.lane_bytes
                : 4 * (std::uint64_t{warp_size} * plan_.tally_rows() + static_cast<std::uint64_t>(logged));
    }
    for (; visits < visits_.size(); ++visits) {
        const WalkedVisit& visit = visits_[visits];
        const BlockRow& row = table_.blocks[visit.block];
        bytes += 4 * row.lane_words * static_cast<std::uint64_t>(LaneMask{visit.active}.count());
        if (visit.unit == no_record && row.source != BlockPlan::Source::whole) continue;
        bytes += row.record_bytes +
                 std::uint64_t{row.lane_bytes} * static_cast<std::uint64_t>(LaneMask{visit.active}.count());
    }
    return bytes;
}

void BlockDecoder::add_warp(std::uint64_t block, const WarpChunks& chunks, const WarpFacts& facts,
                            std::uint32_t duration, std::size_t visits) {
    const WarpHead& head = facts.head;
    trace::MeasuredWarp warp;
    warp.block = block;
    warp.warp = chunks.warp;
    warp.sm = static_cast<std::uint16_t>(facts_[0].head.place & 0xffffu);
    warp.slot = static_cast<std::uint16_t>(head.place >> 16 & 0x7fffu);
    warp.end = duration;
    warp.visits_end = part_.visits.size();
    warp.visits_begin = warp.visits_end - visits;
    part_.warps.push_back(warp);
    part_.clocks.push_back({warp.sm, static_cast<std::uint32_t>(block), head.start_clock,
                            head.start_clock + duration, head.timer});
    if (plan_.mode == RecordMode::proof) part_.hashes.push_back(facts.head.block);
}

void BlockDecoder::emit(std::uint64_t block) {
    if (!observer_) return;
    auto to = observer_->begin_block(block);
    if (to) {
        emitter_.emit(block, visits_, ranges_, *to);
        for (std::size_t i = 0; i < ranges_.size() && plan_.mode == RecordMode::full; ++i)
            part_.replay_differs |= plan_.hashes_addresses && emitter_.hash(i) != facts_[i].head.block;
    }
    if (alone_) observer_->finish(block, std::move(to));
    else part_.observed.emplace_back(block, std::move(to));
}

/// Records of a block that is left out.
void BlockDecoder::count_records() {
    for (std::size_t i = 0; i < warps_.size(); ++i) {
        records_.begin(warps_[i], geometry_.warp_lanes(static_cast<int>(warps_[i].warp)),
                       facts_[i].head.start_clock);
        while (records_.next()) ++part_.records;
    }
}

}  // namespace warplens::instrumentation
