#include "app/pipeline/gpu/recording_size.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/lane_mask.h"
#include "instrumentation/rewrite/count_passes.h"
#include "instrumentation/rewrite/recording_space.h"

namespace warplens::app {

namespace instr = instrumentation;

bool calls_functions(const Program& program) {
    return std::ranges::any_of(program.sites, [](const Site& site) { return site.kind == SiteKind::call; });
}

namespace {

constexpr double head_units = 2;
/// The largest first chunk: of a warp that writes more, taking the next ones is a small part of its time.
constexpr std::uint32_t most_units = 1024;
constexpr std::uint32_t largest_slab = 1u << 20;  // where all of a warp's records must be in it
constexpr double spare = 1.1;                     // warps differ
constexpr std::uint64_t smallest_pool = std::uint64_t{32} << 20;
/// Of all lanes' parts. Without parts each lane that leads takes chunks by an atomic addition to one word,
/// which decides the launch's time where many lanes lead (measured on an H200: 61 µs instead of 15).
constexpr std::uint64_t most_part_bytes = std::uint64_t{256} << 20;
constexpr std::uint64_t most_spare_column_bytes = std::uint64_t{32} << 20;
constexpr double unknown_loops = 8;  // a kernel not yet seen may loop; dropping costs a second run

/// Units of one lane's part.
std::uint64_t most_lane_units(std::uint64_t warps, std::uint64_t most_bytes) {
    return std::min(most_part_bytes, most_bytes) / (instr::unit_bytes * warp_size) /
           std::max<std::uint64_t>(warps, 1);
}

/// A slab in which the largest record would just fit counts as full.
double room_behind_records(const instr::RecordingPlan& plan) {
    double largest = 0;
    for (const instr::BlockPlan& block : plan.blocks) largest = std::max(largest, double(block.units));
    return largest + 1;
}

}  // namespace

double lane_area_units(const instr::RecordingPlan& plan) {
    return (plan.lane_area() + plan.value_area()) / double(instr::unit_bytes);
}

double least_units_a_warp(const instr::RecordingPlan& plan) {
    double units = head_units + lane_area_units(plan);
    for (const instr::BlockPlan& block : plan.blocks)
        if (block.source == instr::BlockPlan::Source::recorded) units += block.units;
    return units;
}

RecordingSize recording_size(const instr::RecordingPlan& plan, std::uint64_t warps,
                             std::optional<UnitsAWarp> seen, std::uint64_t most_bytes, bool in_first_chunks) {
    // What was seen may have been of another form, without tallies, logs and columns.
    double chunk_for = seen ? seen->mean + lane_area_units(plan) : least_units_a_warp(plan);
    if (seen && in_first_chunks) chunk_for = seen->most + lane_area_units(plan) + room_behind_records(plan);
    const double expected = seen ? seen->mean : unknown_loops * least_units_a_warp(plan);
    const double bounded =
        std::clamp(std::ceil(spare * chunk_for), 1.0, double(in_first_chunks ? largest_slab : most_units));
    RecordingSize size;
    size.chunk_units =
        std::bit_ceil(static_cast<std::uint32_t>(plan.bounded || plan.fixed_chunks ? 1.0 : bounded));
    while (double(warps) * size.chunk_units * instr::unit_bytes > 0.5 * double(most_bytes) &&
           size.chunk_units > 1)
        size.chunk_units /= 2;
    size.chunk_units = std::max(size.chunk_units, std::bit_ceil(std::max(plan.min_chunk_units, 1u)));
    const double chunk_bytes = double(size.chunk_units) * instr::unit_bytes;
    const double slabs = double(warps) * chunk_bytes;
    const double records = double(warps) * expected * instr::unit_bytes;
    const double wanted = slabs + std::max(1.5 * records, double(smallest_pool));
    size.space_bytes = static_cast<std::uint64_t>(std::min(wanted, double(most_bytes)));
    return size;
}

namespace {

/// In steps of four, so that few other launches need other code.
std::uint32_t in_steps(std::uint64_t bits) { return static_cast<std::uint32_t>((bits + 3) / 4 * 4); }

/// Its branch never takes room in a log. One that follows from loads may, in another form.
bool follows_from_launch(const instr::BlockPlan& block) {
    return block.replayed_branch && !block.hashes_branch;
}

/// What the lane does most of that does most, by visits of blocks that end in a conditional branch
/// which does not follow from the launch.
struct MostOfALane {
    std::uint64_t branches = 0;   // of all blocks
    std::uint64_t uncounted = 0;  // of those without a counted_loop
    std::uint64_t passes = 0;     // of one block
};

/// Of branches whose passes lanes can count (BlockPlan::counted_loop): the passes that follow one another of
/// the one with most, and how often the lane comes to their loops that comes to each most often.
struct LoopsOfALane {
    std::uint64_t passes = 0;
    std::vector<std::uint64_t> entries;                   // by block
    std::uint64_t sum_of_passes = 0, sum_of_entries = 0;  // of all lanes
    std::uint64_t all_entries(std::uint32_t bits, const instr::RecordingPlan& plan) const {
        std::uint64_t all = 0;
        for (std::size_t b = 0; b < entries.size(); ++b)
            all += entries[b] * (bits + (plan.blocks[b].logs_left ? 1 : 0));
        return all;
    }
};

LoopsOfALane loops_of_a_lane(const instr::RecordingPlan& plan, const instr::Decoded& decoded) {
    LoopsOfALane most;
    most.entries.assign(plan.blocks.size(), 0);
    std::vector<bool> in_loop;  // by block
    for (BasicBlockId branch = 0; branch < plan.blocks.size(); ++branch) {
        const auto& loop = plan.blocks[branch].counted_loop;
        if (loop.empty() || follows_from_launch(plan.blocks[branch])) continue;
        in_loop.assign(plan.blocks.size(), false);
        for (const BasicBlockId b : loop) in_loop[b] = true;
        for (const trace::MeasuredWarp& warp : decoded.warps) {
            std::array<std::uint64_t, warp_size> entries{}, passes{};
            std::uint32_t inside = 0;  // the lanes whose last visit was one of the loop
            for (std::uint64_t i = warp.visits_begin; i < warp.visits_end; ++i) {
                const trace::MeasuredVisit& visit = decoded.visits[i];
                if (!in_loop[visit.basic_block]) {
                    inside &= ~visit.active;
                    continue;
                }
                for_each_lane({visit.active}, [&](int index) {
                    const auto lane = static_cast<std::size_t>(index);
                    if ((inside >> index & 1u) == 0) {
                        ++entries[lane];
                        ++most.sum_of_entries;
                        passes[lane] = 0;
                    }
                    passes[lane] += visit.basic_block == branch;
                    most.sum_of_passes += visit.basic_block == branch;
                    most.passes = std::max(most.passes, passes[lane]);
                });
                inside |= visit.active;
            }
            most.entries[branch] = std::max(most.entries[branch], *std::ranges::max_element(entries));
        }
    }
    return most;
}

MostOfALane most_of_a_lane(const instr::RecordingPlan& plan, const Program& program,
                           const instr::Decoded& decoded) {
    constexpr std::uint32_t none = 0xffffffffu;
    std::vector<std::uint32_t> place;  // by block: among those that branch
    std::uint32_t branching = 0;
    for (BasicBlockId b = 0; b < program.basic_blocks.size(); ++b) {
        const BasicBlock& block = program.basic_blocks[b];
        const Site& last = program.sites[block.first_site + block.site_count - 1];
        const bool counts =
            last.kind == SiteKind::branch && last.guarded && !follows_from_launch(plan.blocks[b]);
        place.push_back(counts ? branching++ : none);
    }
    MostOfALane most;
    std::vector<std::array<std::uint64_t, warp_size>> passes(branching);
    for (const trace::MeasuredWarp& warp : decoded.warps) {
        std::array<std::uint64_t, warp_size> branches{}, uncounted{};
        for (auto& of_block : passes) of_block.fill(0);
        for (std::uint64_t i = warp.visits_begin; i < warp.visits_end; ++i) {
            const trace::MeasuredVisit& visit = decoded.visits[i];
            if (place[visit.basic_block] == none) continue;
            auto& of_block = passes[place[visit.basic_block]];
            const bool counts = !plan.blocks[visit.basic_block].counted_loop.empty();
            for_each_lane({visit.active}, [&](int lane) {
                ++branches[static_cast<std::size_t>(lane)];
                uncounted[static_cast<std::size_t>(lane)] += !counts;
                ++of_block[static_cast<std::size_t>(lane)];
            });
        }
        most.branches = std::max(most.branches, *std::ranges::max_element(branches));
        most.uncounted = std::max(most.uncounted, *std::ranges::max_element(uncounted));
        for (const auto& of_block : passes)
            most.passes = std::max(most.passes, *std::ranges::max_element(of_block));
    }
    return most;
}

/// Units of the records that the lane leads which leads most of them; 0 if only the first lanes of warps
/// lead, and no function is called. `columns`: they take the values that they can.
std::uint64_t most_units_of_a_lane(const instr::RecordingPlan& plan, const Program& program,
                                   const instr::Decoded& decoded, bool columns) {
    std::uint64_t most = 0;
    bool others_lead = false;
    for (const trace::MeasuredWarp& warp : decoded.warps) {
        std::array<std::uint64_t, warp_size> units{};
        for (std::uint64_t i = warp.visits_begin; i < warp.visits_end; ++i) {
            const trace::MeasuredVisit& visit = decoded.visits[i];
            const instr::BlockPlan& block = plan.blocks[visit.basic_block];
            if (block.source != instr::BlockPlan::Source::recorded &&
                block.source != instr::BlockPlan::Source::checked)
                continue;
            const int leader = LaneMask{visit.active}.lowest();
            others_lead |= leader > 0;
            units[static_cast<std::size_t>(leader)] += block.units - (columns ? block.value_units : 0);
        }
        most = std::max(most, *std::ranges::max_element(units));
    }
    return others_lead || calls_functions(program) ? most : 0;
}

/// Words of values that the lane records which records most, and that a warp records on average.
struct ValueWords {
    std::uint64_t most_of_a_lane = 0;
    std::uint32_t most_of_a_visit = 0;
    double mean_of_a_warp = 0;
};

ValueWords value_words(const instr::RecordingPlan& plan, const instr::Decoded& decoded) {
    std::vector<std::uint32_t> words;  // by block
    ValueWords found;
    for (const instr::BlockPlan& block : plan.blocks) {
        std::uint32_t bytes = 4 * block.lane_words();
        for (const instr::RecordedValue& value : block.values) bytes += std::max(4u, value.bytes);
        words.push_back(bytes / 4);
        found.most_of_a_visit = std::max(found.most_of_a_visit, words.back());
    }
    if (found.most_of_a_visit == 0 || decoded.warps.empty()) return found;
    for (const trace::MeasuredWarp& warp : decoded.warps) {
        std::array<std::uint64_t, warp_size> of_lane{};
        for (std::uint64_t i = warp.visits_begin; i < warp.visits_end; ++i) {
            const trace::MeasuredVisit& visit = decoded.visits[i];
            const std::uint32_t more = words[visit.basic_block];
            if (more == 0) continue;
            for_each_lane({visit.active}, [&](int lane) { of_lane[static_cast<std::size_t>(lane)] += more; });
            found.mean_of_a_warp += more * LaneMask{visit.active}.count();
        }
        found.most_of_a_lane = std::max(found.most_of_a_lane, *std::ranges::max_element(of_lane));
    }
    found.mean_of_a_warp /= static_cast<double>(decoded.warps.size());
    return found;
}

/// What the longest column takes, in steps, so that few other launches need other code. 0 where most of the
/// columns would stay empty and that is much memory.
std::uint32_t column_words(const ValueWords& values, std::uint64_t warps, std::uint64_t most_bytes) {
    constexpr double most_spread = 8;
    if (values.most_of_a_lane == 0) return 0;
    // A full one is not quite full.
    const std::uint64_t least = values.most_of_a_lane + values.most_of_a_visit + 2;
    const std::uint64_t step = std::max<std::uint64_t>(std::bit_floor(least) / 8, 4);
    const std::uint64_t words = (least + step - 1) / step * step;
    const double bytes = 4.0 * warp_size * static_cast<double>(words) * static_cast<double>(warps);
    const double written = 4.0 * values.mean_of_a_warp * static_cast<double>(warps);
    const bool fits = bytes <= static_cast<double>(most_bytes) &&
                      bytes <= most_spread * written + static_cast<double>(most_spare_column_bytes);
    return fits ? static_cast<std::uint32_t>(words) : 0;
}

}  // namespace

LaneRoom lane_room(const instr::RecordingPlan& plan, const Program& program, const instr::Decoded& decoded,
                   std::uint64_t warps, std::uint64_t most_bytes) {
    // A word is stored when fewer than 12 of its 31 bits may be left, or than the passes through a loop take;
    // of the first and the last one nothing is counted on. A power of two, so that few other launches need
    // other code.
    constexpr std::uint32_t bits_in_word = 31, most_bits_between = 12, more = 3;
    // In quarters of passes for each time that a lane comes to their loop: where there are fewer, a bit for
    // each pass takes fewer instructions (one kernel with 1.5 executes 5 % less, one with 1.9 3 % more).
    constexpr std::uint64_t least_passes_counted = 7;
    const MostOfALane most = most_of_a_lane(plan, program, decoded);
    LaneRoom room;
    if (most.passes < 1u << 24) {
        // Alone or with the bit above they fill the steps.
        const auto least = static_cast<unsigned>(std::bit_width(most.passes | 1));
        room.tally_bits = std::min(in_steps(least), in_steps(least + 1) - 1);
    }
    const LoopsOfALane loops = loops_of_a_lane(plan, decoded);
    const auto pass_bits = static_cast<std::uint32_t>(std::bit_width(loops.passes));
    std::uint64_t bits = most.branches;
    if (loops.passes > 0 && 4 * loops.sum_of_passes >= least_passes_counted * loops.sum_of_entries &&
        pass_bits < instr::most_pass_bits) {
        room.pass_bits = pass_bits;
        bits = most.uncounted + loops.all_entries(pass_bits, plan);
    }
    // With the bit above the log they fill the steps.
    if (bits < 32) room.log_bits = in_steps(bits + 1) - 1;
    const std::uint64_t words =
        std::bit_ceil(bits / (bits_in_word - std::max(most_bits_between, room.pass_bits + 1)) + more);
    if (words <= most_bytes / (4 * warp_size) / std::max<std::uint64_t>(warps, 1))
        room.log_words = static_cast<std::uint32_t>(words);
    room.value_words = column_words(value_words(plan, decoded), warps, most_bytes);
    // A part for each lane, most of which lead seldom: only where that is little memory. In steps, as above.
    const auto part = [&](bool columns) {
        const std::uint64_t units = (most_units_of_a_lane(plan, program, decoded, columns) + 15) / 16 * 16;
        return units <= most_lane_units(warps, most_bytes) ? static_cast<std::uint32_t>(units) : 0;
    };
    room.lane_units_with_values = part(false);
    room.lane_units = room.value_words > 0 ? part(true) : room.lane_units_with_values;
    return room;
}

LaneRoom with_more_parts(LaneRoom room, std::uint32_t times, std::uint64_t warps, std::uint64_t most_bytes) {
    const auto grow = [&](std::uint32_t& size, std::uint64_t most) {
        if (std::uint64_t{size} * times <= most) size *= times;
    };
    grow(room.lane_units, most_lane_units(warps, most_bytes));
    grow(room.lane_units_with_values, most_lane_units(warps, most_bytes));
    grow(room.value_words, most_bytes / (4 * warp_size) / std::max<std::uint64_t>(warps, 1));
    return room;
}

void add_parting_checks(const instr::RecordingPlan& plan, const instr::Decoded& decoded,
                        std::vector<BasicBlockId>& known) {
    if (std::ranges::none_of(plan.blocks, &instr::BlockPlan::checks_bounds)) return;
    std::vector<bool> parts(plan.blocks.size(), false);
    for (const BasicBlockId block : known) parts[block] = true;
    for (const trace::MeasuredWarp& warp : decoded.warps)
        for (std::uint64_t i = warp.visits_begin; i + 1 < warp.visits_end; ++i) {
            const BasicBlockId block = decoded.visits[i].basic_block;
            if (plan.blocks[block].checks_bounds && decoded.visits[i].active != decoded.visits[i + 1].active)
                parts[block] = true;
        }
    known.clear();
    for (BasicBlockId block = 0; block < parts.size(); ++block)
        if (parts[block]) known.push_back(block);
}

std::uint32_t lane_units_unseen(const Program& program, std::uint64_t warps, std::uint64_t most_bytes) {
    constexpr std::uint64_t least = 64, most = 4096;
    if (!calls_functions(program)) return 0;
    const std::uint64_t units = std::min(most_lane_units(warps, most_bytes), most);
    // Parts are powers of two, and begin with more than records.
    return units < least ? 0 : static_cast<std::uint32_t>(std::bit_floor(units) / 4 * 3);
}

bool takes_many_chunks(const instr::GpuVariantResult& result) {
    instr::SpaceHead head;
    if (result.space.size() < sizeof(head)) return false;
    std::memcpy(&head, result.space.data(), sizeof(head));
    const std::uint64_t slabs = result.parameter.slabs;
    return slabs > 0 && head.next_chunk > 1 + slabs + slabs / 20;
}

}  // namespace warplens::app
