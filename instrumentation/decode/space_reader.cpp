#include "instrumentation/decode/space_reader.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace warplens::instrumentation {

namespace {

constexpr std::uint32_t high_bit = 0x80000000u;

bool by_owner(const TakenChunk& a, const TakenChunk& b) {
    return std::tie(a.block, a.owner, a.chunk) < std::tie(b.block, b.owner, b.chunk);
}

}  // namespace

Result<SpaceReader> SpaceReader::open(const RecordingPlan& plan, const BlockTable& table,
                                      const LaunchGeometry& geometry, const ReadBack& read) {
    const SpaceParameter& parameter = read.parameter;
    const std::uint32_t least = std::max({plan.min_chunk_units, table.first_record, 2u});
    if (!std::has_single_bit(parameter.chunk_units) || parameter.chunk_units < least)
        return fail("the recording space has chunks of {} units; a power of two of at least {} is needed",
                    parameter.chunk_units, least);
    if (plan.fixed_chunks && parameter.chunk_units != plan.min_chunk_units)
        return fail("the recording space has chunks of {} units where the code takes them to have {}",
                    parameter.chunk_units, plan.min_chunk_units);
    const std::uint64_t head = head_bytes(plan.symbols.size());
    if (read.bytes.size() < head)
        return fail("of the recording space {} bytes were read back; its head alone takes {}",
                    read.bytes.size(), head);
    SpaceReader reader;
    reader.read_ = &read;
    reader.head_ = reader.at<SpaceHead>(0);
    reader.head_units_ = static_cast<std::uint32_t>(head / unit_bytes);
    reader.chunk_units_ = parameter.chunk_units;
    reader.warps_per_block_ = static_cast<std::uint32_t>(geometry.warps_per_block());
    reader.blocks_in_grid_ = geometry.blocks();
    const std::uint64_t blocks = read.blocks.empty() ? geometry.blocks() : read.blocks.size();
    if (geometry.blocks() >= high_bit)
        return fail("a grid of {} blocks cannot be recorded: {} are the most", geometry.blocks(),
                    high_bit - 1);
    if (parameter.slabs != 0 && parameter.slabs != blocks * reader.warps_per_block_)
        return fail(
            "the recording space has {} warps' first chunks where {} blocks of {} warps were recorded",
            parameter.slabs, blocks, reader.warps_per_block_);
    if (parameter.slabs >= std::max(1u, parameter.chunks))
        return fail("the recording space has {} chunks, its {} recorded warps need more", parameter.chunks,
                    parameter.slabs);
    for (std::size_t i = 0; i < read.blocks.size(); ++i)
        if (read.blocks[i] >= geometry.blocks() || (i > 0 && read.blocks[i] <= read.blocks[i - 1]))
            return fail("the recorded blocks are not ascending or not in the grid of {} blocks",
                        geometry.blocks());
    reader.slabs_ = parameter.slabs;
    reader.keeps_words_ = plan.kept_words > 0;
    if ((reader.keeps_words_ || plan.value_words > 0) && parameter.slabs == 0)
        return fail("the recording space has no first chunks for what the warps' lanes kept");
    const std::uint64_t chunk_bytes = std::uint64_t{parameter.chunk_units} * unit_bytes;
    const std::uint64_t held = 1 + (read.bytes.size() - head) / chunk_bytes;
    const std::uint64_t written = std::max(reader.head_.next_chunk, 1 + parameter.slabs);
    const std::uint64_t chunks = std::min({held, written, std::uint64_t{parameter.chunks}});
    // Units are counted in 32 bits.
    const std::uint64_t countable = (0xffffffffu - head / unit_bytes) / parameter.chunk_units;
    reader.chunks_ = static_cast<std::uint32_t>(std::min(chunks, countable));
    reader.collect_taken();
    return reader;
}

/// Chunks whose first unit names no recorded warp are passed over: the warp that filled them will be found to
/// lack records.
void SpaceReader::collect_taken() {
    const auto is_recorded = [&](std::uint64_t block, std::uint32_t warp) {
        if (block >= blocks_in_grid_ || warp >= warps_per_block_) return false;
        return read_->blocks.empty() || std::binary_search(read_->blocks.begin(), read_->blocks.end(), block);
    };
    for (std::uint32_t chunk = 1 + slabs_; chunk < chunks_; ++chunk) {
        const std::byte* first = unit(first_unit(chunk));
        ChunkHead part;
        std::memcpy(&part, first, sizeof(part));
        TakenChunk taken;
        taken.chunk = chunk;
        if ((part.block & high_bit) != 0) {
            WarpHead warp;
            std::memcpy(&warp, first, sizeof(warp));
            const std::uint32_t index = warp.identity & 0xffffu;
            if (slabs_ != 0 || (warp.identity & high_bit) == 0 || !is_recorded(warp.block, index)) continue;
            taken.block = warp.block;
            taken.owner = index << 6;
        } else {
            const std::uint32_t index = part.marker & 0xffffu, lane = part.marker >> 16 & 0x7fffu;
            if ((part.marker & high_bit) == 0 || lane >= warp_size || !is_recorded(part.block, index))
                continue;
            taken.block = part.block;
            taken.owner = index << 6 | (1 + lane);
            taken.previous = part.previous;
        }
        taken_.push_back(taken);
    }
    if (!std::is_sorted(taken_.begin(), taken_.end(), by_owner))
        std::sort(taken_.begin(), taken_.end(), by_owner);
}

std::vector<BlockChunks> SpaceReader::blocks() const {
    constexpr std::uint64_t none = ~std::uint64_t{0};
    std::vector<BlockChunks> blocks;
    const TakenChunk* taken = taken_.data();
    const TakenChunk* const taken_end = taken + taken_.size();
    // Slabs that were not read back hold nothing.
    const std::uint64_t ranks = std::min<std::uint64_t>(
        slabs_ / warps_per_block_, (chunks_ - 1 + warps_per_block_ - 1) / warps_per_block_);
    blocks.reserve(ranks);
    for (std::uint64_t rank = 0; rank < ranks || taken != taken_end;) {
        const std::uint64_t of_slabs = rank < ranks ? block_of_rank(rank) : none;
        const std::uint64_t of_taken = taken != taken_end ? taken->block : none;
        BlockChunks block;
        block.block = std::min(of_slabs, of_taken);
        const TakenChunk* const first = taken;
        while (taken != taken_end && taken->block == block.block) ++taken;
        block.taken = {first, taken};
        if (block.block == of_slabs) block.slab = static_cast<std::uint32_t>(1 + rank++ * warps_per_block_);
        blocks.push_back(block);
    }
    return blocks;
}

void SpaceReader::warps_of(const BlockChunks& block, std::vector<WarpChunks>& warps) const {
    warps.clear();
    const TakenChunk* taken = block.taken.data();
    const TakenChunk* const taken_end = taken + block.taken.size();
    for (std::uint32_t warp = 0; warp < warps_per_block_; ++warp) {
        WarpChunks chunks;
        chunks.warp = warp;
        if (block.slab != 0 && block.slab + warp < chunks_) chunks.slab = block.slab + warp;
        const TakenChunk* const first = taken;
        while (taken != taken_end && taken->warp() == warp) ++taken;
        chunks.taken = {first, taken};
        if (chunks.slab != 0 || !chunks.taken.empty()) warps.push_back(chunks);
    }
}

WarpFacts SpaceReader::facts(const WarpChunks& warp) const {
    WarpFacts facts;
    const auto add = [&](std::uint32_t chunk) {
        auto head = at<WarpHead>(std::uint64_t{first_unit(chunk)} * unit_bytes);
        // Lanes store what they have, also where they have kept nothing.
        if (keeps_words_) head.identity = 0;
        if (keeps_words_ && warp.warp != 0) head.timer = 0;
        facts.lost_records |= (head.identity & lost_records) != 0;
        if ((head.place & high_bit) == 0) return;
        const bool later =
            facts.began && head.end_clock - head.start_clock >= facts.head.end_clock - facts.head.start_clock;
        if (facts.began && !later) return;
        facts.began = true;
        facts.head = head;
        facts.head_unit = first_unit(chunk);
    };
    if (warp.slab != 0) add(warp.slab);
    for (const TakenChunk& taken : warp.taken)
        if (taken.is_head()) add(taken.chunk);
    return facts;
}

/// What the other lanes lead, each in its part of the slab.
void WarpRecords::add_parts(std::uint32_t first) {
    for (std::uint32_t lane = 1; lane < warp_size; ++lane) {
        Stream& stream = streams_[count_++];
        stream = {};
        stream.lane = lane;
        stream.at = first + lane * table_.lane_units + 1;
        stream.end = first + (lane + 1) * table_.lane_units;
    }
}

void WarpRecords::begin(const WarpChunks& chunks, LaneMask lanes, std::uint32_t start_clock) {
    lanes_ = lanes;
    start_clock_ = start_clock;
    broken_ = false;
    count_ = current_ = 0;
    others_clock_ = 0;
    kept_.clear();
    if (table_.kept_words > 0) {
        if (chunks.slab != 0) read_kept(space_.first_unit(chunks.slab));
        return;
    }
    if (chunks.slab != 0) {
        Stream& stream = streams_[count_++];
        stream = {};
        const std::uint32_t first = space_.first_unit(chunks.slab);
        stream.at = first + table_.first_record;
        stream.end = first + (table_.lane_units > 0 ? table_.lane_units : space_.chunk_units());
        if (table_.lane_units > 0) add_parts(first);
    }
    for (std::size_t i = 0; i < chunks.taken.size();) {
        const std::size_t first = i;
        const TakenChunk& begins = chunks.taken[first];
        while (i < chunks.taken.size() && chunks.taken[i].owner == begins.owner) ++i;
        if (begins.is_head()) continue;
        std::uint32_t previous = 0;
        const bool goes_on = begins.lane() == 0 && chunks.slab != 0 && begins.previous == chunks.slab;
        if (goes_on) previous = chunks.slab;
        for (std::size_t k = first; k < i; ++k) {
            broken_ |= chunks.taken[k].previous != previous;
            previous = chunks.taken[k].chunk;
        }
        Stream& stream = goes_on ? streams_[0] : streams_[count_++];
        if (!goes_on) stream = {};
        stream.lane = begins.lane();
        stream.rest = chunks.taken.data() + first;
        stream.rest_end = chunks.taken.data() + i;
    }
    for (std::size_t i = 0; i < count_;) {
        if (advance(streams_[i])) ++i;
        else streams_[i] = streams_[--count_];
    }
}

void WarpRecords::read_kept(std::uint32_t first_unit) {
    const auto word = [&](std::uint32_t index) {
        return index == no_index ? 0
                                 : space_.at<std::uint32_t>(std::uint64_t{first_unit} * unit_bytes +
                                                            std::uint64_t{4} * index);
    };
    for (BasicBlockId b = 0; b < table_.blocks.size(); ++b) {
        const BlockRow& row = table_.blocks[b];
        if (row.kept.clock == no_index || word(row.kept.clock) == start_clock_) continue;
        Record record;
        record.visit = {b + 1, lanes_.bits, word(row.kept.clock), word(row.kept.extra)};
        record.clock = record.visit.clock - start_clock_;
        record.carried = word(row.kept.active);
        record.ballot = row.ballot == offsetof(VisitUnit, active)  ? record.carried
                        : row.ballot == offsetof(VisitUnit, extra) ? record.visit.extra
                                                                   : word(row.kept.ballot);
        record.unit = first_unit;
        kept_.push_back(record);
    }
    std::ranges::stable_sort(kept_, std::ranges::greater{}, &Record::clock);
}

/// To the stream's next record; false when there is none.
bool WarpRecords::advance(Stream& stream) {
    if (broken_) return false;
    for (;;) {
        if (stream.at < stream.end) {
            Record& record = stream.record;
            std::memcpy(&record.visit, space_.unit(stream.at), sizeof(VisitUnit));
            if (record.visit.block != 0) {
                const std::uint32_t id = record.visit.block - 1;
                record.carried = record.visit.active;
                // In its place stands what the record carries: the warp was whole. So it was where all lanes
                // are named, also those that there are not.
                if ((id < table_.blocks.size() && table_.blocks[id].carries != BlockPlan::Carries::none) ||
                    record.visit.active == LaneMask::all().bits)
                    record.visit.active = lanes_.bits;
                const std::uint32_t active = record.visit.active;
                const std::uint32_t clock = record.visit.clock - start_clock_;
                if (id >= table_.blocks.size() || table_.blocks[id].units > stream.end - stream.at ||
                    active == 0 || (active & ~lanes_.bits) != 0 ||
                    LaneMask{active}.lowest() != static_cast<int>(stream.lane) || clock < record.clock) {
                    broken_ = true;
                    return false;
                }
                record.clock = clock;
                record.unit = stream.at;
                const std::uint32_t ballot = table_.blocks[id].ballot;
                if (ballot != no_index && table_.blocks[id].units > 0)
                    record.ballot = space_.at<std::uint32_t>(std::uint64_t{stream.at} * unit_bytes + ballot);
                stream.at += table_.blocks[id].units;
                return true;
            }
        }
        if (stream.rest == stream.rest_end) return false;
        const std::uint32_t first = space_.first_unit(stream.rest->chunk);
        stream.at = first + 1;
        stream.end = first + space_.chunk_units();
        ++stream.rest;
    }
}

const Record* WarpRecords::next() {
    if (!kept_.empty()) {
        given_ = kept_.back();
        kept_.pop_back();
        return &given_;
    }
    if (count_ == 0 || broken_) return nullptr;
    if (count_ > 1 && streams_[current_].record.clock >= others_clock_) {
        current_ = 0;
        for (std::size_t i = 1; i < count_; ++i)
            if (streams_[i].record.clock < streams_[current_].record.clock) current_ = i;
        others_clock_ = 0xffffffffu;
        for (std::size_t i = 0; i < count_; ++i)
            if (i != current_) others_clock_ = std::min(others_clock_, streams_[i].record.clock);
    }
    given_ = streams_[current_].record;
    if (!advance(streams_[current_])) {
        streams_[current_] = streams_[--count_];
        current_ = 0;
        others_clock_ = 0;
    }
    return &given_;
}

}  // namespace warplens::instrumentation
