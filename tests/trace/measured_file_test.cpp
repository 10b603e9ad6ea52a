// Measured times and activities of streams in a .wltrace.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "tests/support/synthetic_measured.h"
#include "trace/file/activity_file.h"
#include "trace/file/columns.h"
#include "trace/file/measured_description.h"
#include "trace/file/trace_file.h"
#include "trace/query.h"

namespace warplens::trace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Bytes = std::vector<std::byte>;

/// 40 blocks in several groups; of blocks 0, 7, 8 and 39 nothing but times was recorded, of 20 no times.
const Trace& example() {
    static const Trace trace = [] {
        const Trace all = make_measured_example({40, 64, 1000});
        Measured measured = *all.measured;
        measured.warps.clear();
        measured.visits.clear();
        for (const MeasuredWarp& warp : all.measured->warps) {
            if (warp.block == 20) continue;
            MeasuredWarp& made = measured.warps.emplace_back(warp);
            made.visits_begin = measured.visits.size();
            measured.visits.insert(
                measured.visits.end(),
                all.measured->visits.begin() + static_cast<std::ptrdiff_t>(warp.visits_begin),
                all.measured->visits.begin() + static_cast<std::ptrdiff_t>(warp.visits_end));
            made.visits_end = measured.visits.size();
        }
        Trace made;
        made.launch = all.launch;
        made.program = all.program;
        for (const WarpRecord& warp : all.warps) {
            if (warp.block == 0 || warp.block == 7 || warp.block == 8 || warp.block == 39) continue;
            WarpRecord record = warp;
            record.visits_begin = made.visits.size();
            made.visits.insert(made.visits.end(),
                               all.visits.begin() + static_cast<std::ptrdiff_t>(warp.visits_begin),
                               all.visits.begin() + static_cast<std::ptrdiff_t>(warp.visits_end));
            record.visits_end = made.visits.size();
            record.accesses_begin = record.accesses_end = record.masks_begin = record.masks_end = 0;
            made.warps.push_back(record);
        }
        made.measured = std::make_shared<const Measured>(std::move(measured));
        return made;
    }();
    return trace;
}

const Bytes& example_bytes() {
    static const Bytes bytes = *to_bytes(example());
    return bytes;
}

TraceFile opened(Bytes bytes) {
    auto file = TraceFile::from_memory(std::move(bytes), "a.wltrace");
    EXPECT_TRUE(file) << file.error().message;
    return std::move(*file);
}

Bytes first(const Bytes& bytes, std::uint64_t count) {
    return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count)};
}

std::vector<std::uint64_t> measured_blocks(const Trace& trace) {
    std::vector<std::uint64_t> blocks;
    for (const MeasuredWarp& warp : trace.measured->warps)
        if (blocks.empty() || blocks.back() != warp.block) blocks.push_back(warp.block);
    return blocks;
}

/// Every block has its warps and its times, or neither.
void expect_whole_blocks(const Trace& part) {
    ASSERT_TRUE(part.measured);
    const auto recorded = recorded_blocks(part);
    const auto measured = measured_blocks(part);
    for (const std::uint64_t block : recorded)
        EXPECT_EQ(std::count(measured.begin(), measured.end(), block), block == 20 ? 0 : 1) << block;
    for (const std::uint64_t block : measured) {
        const bool alone = block == 0 || block == 7 || block == 8 || block == 39;
        EXPECT_EQ(std::count(recorded.begin(), recorded.end(), block), alone ? 0 : 1) << block;
    }
    const Measured& whole = *example().measured;
    for (const MeasuredWarp& here : part.measured->warps) {
        const auto there = std::find_if(
            whole.warps.begin(), whole.warps.end(),
            [&](const MeasuredWarp& warp) { return warp.block == here.block && warp.warp == here.warp; });
        ASSERT_NE(there, whole.warps.end());
        EXPECT_EQ(here.begin, there->begin);
        EXPECT_EQ(here.end, there->end);
        ASSERT_TRUE(std::equal(part.measured->visits.begin() + static_cast<std::ptrdiff_t>(here.visits_begin),
                               part.measured->visits.begin() + static_cast<std::ptrdiff_t>(here.visits_end),
                               whole.visits.begin() + static_cast<std::ptrdiff_t>(there->visits_begin),
                               whole.visits.begin() + static_cast<std::ptrdiff_t>(there->visits_end)));
    }
}

TEST(measured_file, what_was_measured_is_read_again) {
    for (const ExampleShape& shape : {ExampleShape::empty(), ExampleShape::tiny(), ExampleShape{5, 200, 7}}) {
        const Trace trace = make_measured_example(shape);
        const auto read = opened(*to_bytes(trace)).read_all();
        ASSERT_TRUE(read) << read.error().message;
        ASSERT_TRUE(read->measured);
        EXPECT_EQ(*read->measured, *trace.measured);
        EXPECT_EQ(read->visits, trace.visits);
    }
    EXPECT_FALSE(opened(*to_bytes(make_example(ExampleShape::tiny()))).read_all()->measured);
}

TEST(measured_file, every_field_survives_at_its_limits) {
    Trace trace = make_measured_example(ExampleShape::tiny());
    Measured measured = *trace.measured;
    measured.driver = "580.1 (CUDA 13.0)";
    measured.compute_minor = 3;
    measured.caches = Caches::cold;
    measured.openings_derived = true;
    measured.clock_hz = 1e10 / 3;
    measured.sms[0].offset_ns = -0.1;
    measured.perturbations[0].records = 1;
    measured.perturbations[0].recorded_bytes = ~std::uint64_t{0};
    measured.perturbations[0].dropped_records = 3;
    measured.perturbations[0].enough_bytes = 4;
    measured.perturbations[0].identical_results = false;
    measured.perturbations[1].traced_us = 1e15;
    MeasuredWarp& last = measured.warps.back();
    last.slot = 0xffff;
    last.end = no_time - 1;
    measured.visits.back().entered = no_time - 1;
    measured.visits.back().arrived = last.begin;
    trace.measured = std::make_shared<const Measured>(measured);
    const auto read = opened(*to_bytes(trace)).read_all();
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read->measured, measured);
}

TEST(measured_file, a_description_without_a_condition_was_measured_with_warm_caches) {
    const auto old = parse_measured(R"({"device":"NVIDIA H200"})");
    ASSERT_TRUE(old) << old.error().message;
    EXPECT_EQ(old->measured.caches, Caches::warm);
    EXPECT_FALSE(parse_measured(R"({"caches":"tepid"})"));
}

TEST(measured_file, the_columns_give_back_any_times_in_any_order) {
    std::mt19937 random(5);
    std::vector<MeasuredVisit> visits, read_visits;
    std::vector<MeasuredWarp> warps, read_warps;
    const auto time = [&]() -> std::uint32_t {
        switch (random() % 5) {
            case 0:
                return no_time;
            case 1:
                return no_time - 1;
            case 2:
                return 0;
            default:
                return static_cast<std::uint32_t>(random());
        }
    };
    for (int i = 0; i < 1000; ++i) {
        visits.push_back(
            {static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random()), time(), time()});
        warps.push_back({random() * std::uint64_t{random()}, static_cast<std::uint32_t>(random()),
                         static_cast<std::uint16_t>(random()), static_cast<std::uint16_t>(random()), time(),
                         time(), random() * std::uint64_t{random()}, random()});
    }
    Bytes bytes;
    Columns<MeasuredVisit>::encode(visits, bytes);
    EXPECT_EQ(bytes.size(), 1000 * Columns<MeasuredVisit>::record_bytes);
    Columns<MeasuredVisit>::decode(bytes, read_visits);
    EXPECT_EQ(read_visits, visits);
    Columns<MeasuredWarp>::encode(warps, bytes);
    EXPECT_EQ(bytes.size(), 1000 * Columns<MeasuredWarp>::record_bytes);
    Columns<MeasuredWarp>::decode(bytes, read_warps);
    EXPECT_EQ(read_warps, warps);
}

TEST(measured_file, times_take_a_few_bytes_a_visit) {
    const Trace trace = make_measured_example({32, 256, 250});
    std::uint64_t stored = 0;
    const auto file = opened(*to_bytes(trace));
    for (const Chunk& chunk : file.chunks())
        if (chunk.header.kind == ChunkKind::measured_visits) stored += chunk.header.stored_bytes;
    EXPECT_LT(stored, 4 * trace.visits.size());
}

TEST(measured_file, blocks_of_which_only_times_are_known_are_kept) {
    const auto file = opened(example_bytes());
    const auto read = file.read_all();
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read->measured, *example().measured);
    EXPECT_EQ(read->warps, example().warps);
    const auto parsed = parse_measured(describe_measured(example()));
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->blocks, (BlockRanges{{0, 19}, {21, 39}}));
    EXPECT_EQ(parsed->alone, (BlockRanges{{0, 0}, {7, 8}, {39, 39}}));
    EXPECT_EQ(count(parsed->alone), 4u);
    EXPECT_TRUE(contains(parsed->blocks, 19));
    EXPECT_FALSE(contains(parsed->blocks, 20));
    EXPECT_FALSE(contains(parsed->blocks, 40));
}

TEST(measured_file, a_block_is_read_with_its_own_times_alone) {
    const auto file = opened(example_bytes());
    const std::uint64_t before = file.bytes_read();
    const auto part = file.read_blocks(19, 21);
    ASSERT_TRUE(part) << part.error().message;
    EXPECT_LT(file.bytes_read() - before, example_bytes().size() / 2);
    EXPECT_THAT(recorded_blocks(*part), ElementsAre(19, 20, 21));
    EXPECT_THAT(measured_blocks(*part), ElementsAre(19, 21));
    expect_whole_blocks(*part);
    const auto alone = file.read_blocks(7, 8);
    ASSERT_TRUE(alone) << alone.error().message;
    EXPECT_TRUE(alone->warps.empty());
    EXPECT_THAT(measured_blocks(*alone), ElementsAre(7, 8));
    EXPECT_EQ(alone->measured->sms, example().measured->sms);
}

TEST(measured_file, a_file_cut_short_gives_whole_blocks_with_their_times) {
    const auto whole = opened(example_bytes());
    std::size_t most = 0, groups = 0;
    for (const Chunk& chunk : whole.chunks()) {
        if (chunk.header.kind == ChunkKind::description || chunk.header.kind == ChunkKind::problems ||
            chunk.header.kind == ChunkKind::measured)
            continue;
        groups += chunk.header.kind == ChunkKind::measured_warps;
        const auto file = opened(first(example_bytes(), chunk.offset + chunk_header_bytes));
        const auto all = file.read_all();
        ASSERT_FALSE(all);
        EXPECT_THAT(all.error().message, HasSubstr("of the 40 recorded blocks could be read"));
        const auto rest = file.recover();
        ASSERT_TRUE(rest) << rest.error().message;
        expect_whole_blocks(rest->trace);
        EXPECT_GE(rest->trace.measured->warps.size(), most);
        most = std::max(most, rest->trace.measured->warps.size());
    }
    EXPECT_GE(groups, 2u);
    EXPECT_GT(most, 0u);
    EXPECT_LT(most, 78u);
}

TEST(measured_file, damaged_times_cost_their_own_blocks_only) {
    for (const ChunkKind kind : {ChunkKind::measured_warps, ChunkKind::measured_visits}) {
        const auto whole = opened(example_bytes());
        const auto chunk = std::find_if(whole.chunks().begin(), whole.chunks().end(),
                                        [&](const Chunk& c) { return c.header.kind == kind; });
        Bytes bytes = example_bytes();
        bytes[chunk->offset + chunk_header_bytes + 50] ^= std::byte{4};
        const auto file = opened(bytes);
        const auto all = file.read_all();
        ASSERT_FALSE(all);
        EXPECT_THAT(all.error().message, HasSubstr("its checksum does not match"));
        const auto rest = file.recover();
        ASSERT_TRUE(rest) << rest.error().message;
        EXPECT_THAT(rest->note, HasSubstr("recorded blocks could be read"));
        expect_whole_blocks(rest->trace);
        EXPECT_GT(rest->trace.measured->warps.size(), 0u);
        for (const MeasuredWarp& warp : rest->trace.measured->warps)
            EXPECT_GT(warp.block, chunk->header.last_block);
        EXPECT_TRUE(file.read_blocks(chunk->header.last_block + 1, 39));
        EXPECT_FALSE(file.read_blocks(0, 1));
    }
}

TEST(measured_file, without_the_facts_of_the_measurement_the_rest_is_still_given_and_the_loss_reported) {
    const auto whole = opened(example_bytes());
    const auto chunk = std::find_if(whole.chunks().begin(), whole.chunks().end(),
                                    [](const Chunk& c) { return c.header.kind == ChunkKind::measured; });
    Bytes bytes = example_bytes();
    bytes[chunk->offset + chunk_header_bytes] ^= std::byte{1};
    const auto file = opened(bytes);
    EXPECT_FALSE(file.read_all());
    auto rest = file.recover();
    ASSERT_TRUE(rest);
    EXPECT_THAT(rest->note, HasSubstr("chunk of measured facts"));
    EXPECT_FALSE(rest->trace.measured);
    EXPECT_EQ(recorded_blocks(rest->trace), recorded_blocks(example()));
    // The same when the chunk itself cannot be found.
    bytes[chunk->offset + 70] ^= std::byte{1};
    rest = opened(first(bytes, bytes.size() - 1)).recover();
    ASSERT_TRUE(rest);
    EXPECT_FALSE(rest->trace.measured);
    EXPECT_FALSE(rest->note.empty());
}

std::vector<Activity> two_activities() {
    Activity one;
    one.name = "one stream";
    one.title = "All in one";
    one.device = "synthetic";
    one.driver = "none";
    one.date = "2026-01-01";
    one.streams = {"stream 1"};
    one.spans = {{ActivityKind::copy_to_device, "copy", 0, 0, 12.5, 4096, -1},
                 {ActivityKind::graph, "graph", 0, 12.5, 20.25, 0, -1},
                 {ActivityKind::kernel, "scale", 0, 13, 19.1, 0, 1},
                 {ActivityKind::fill, "fill", 0, 21, 22, 64, -1},
                 {ActivityKind::copy_on_device, "move", 0, 22, 23, 64, -1},
                 {ActivityKind::copy_to_host, "back", 0, 24, 30, 4096, -1}};
    one.timer_bound_us = 0.032;
    one.repeats = 7;
    one.device_us = 30;
    one.host_us = 41.0 / 3;
    one.launch_calls_us = 8;
    one.calls = 6;
    one.kernels = 1;
    one.pageable = true;
    one.same_results = false;
    Activity other = one;
    other.name = "3 streams";
    other.streams = {"a", "b", "c"};
    other.spans[0].stream = 2;
    other.pageable = false;
    return {one, other};
}

TEST(measured_file, activities_are_written_and_read_again_alone_or_beside_a_launch) {
    const std::string path =
        (std::filesystem::path(testing::TempDir()) / fmt::format("activity-{}.wltrace", ::getpid())).string();
    const auto written = write_activities(two_activities(), path);
    ASSERT_TRUE(written) << written.error().message;
    const auto read = read_activities(path);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, two_activities());
    Trace trace = make_measured_example(ExampleShape::tiny());
    ASSERT_TRUE(write(trace, path));
    EXPECT_THAT(read_activities(path).error().message, HasSubstr("has no activity of streams"));
    trace.activities = two_activities();
    ASSERT_TRUE(write(trace, path));
    EXPECT_EQ(*read_activities(path), two_activities());
    EXPECT_EQ(*TraceFile::open(path)->read_blocks(0, 0)->measured->sms.begin(), trace.measured->sms[0]);
    std::filesystem::remove(path);
    EXPECT_FALSE(read_activities(path));
}

TEST(measured_file, an_activity_that_breaks_its_promises_is_neither_written_nor_read) {
    Trace trace;
    trace.activities = two_activities();
    trace.activities[1].spans[2].graph = 77;
    const auto bytes = to_bytes(trace);
    ASSERT_FALSE(bytes);
    EXPECT_THAT(bytes.error().message, HasSubstr("activity \"3 streams\""));
}

TEST(measured_file_long, every_single_flipped_bit_is_detected) {
    Trace tiny = make_measured_example(ExampleShape::tiny());
    tiny.activities = two_activities();
    Bytes bytes = *to_bytes(tiny);
    std::mt19937 random(3);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        const auto bit = static_cast<std::byte>(1u << (random() % 8));
        bytes[at] ^= bit;
        const auto file = TraceFile::from_memory(bytes, "a.wltrace");
        if (file) {
            EXPECT_FALSE(file->read_all()) << "byte " << at;
            if (const auto rest = file->recover()) {
                EXPECT_FALSE(rest->note.empty()) << "byte " << at;
            }
        }
        bytes[at] ^= bit;
    }
    EXPECT_TRUE(opened(bytes).read_all());
}

}  // namespace
}  // namespace warplens::trace
