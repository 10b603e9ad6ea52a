#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <tuple>

#include "tests/support/folders.h"
#include "tests/support/synthetic_measured.h"
#include "trace/file/columns.h"
#include "trace/file/description.h"
#include "trace/file/differences.h"
#include "trace/file/trace_file.h"
#include "trace/query.h"
#include "trace/recorder.h"

namespace warplens::trace {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A folder of the test's own, empty at first and removed at the end.
struct Folder {
    Folder() {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        path = fs::path(testing::TempDir()) / fmt::format("warplens-{}-{}", test->name(), ::getpid());
        fs::create_directories(path);
    }
    ~Folder() { fs::remove_all(path); }
    std::string file(const char* name) const { return (path / name).string(); }
    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), {}));
    }
    fs::path path;
};

void expect_same(const Trace& a, const Trace& b) {
    EXPECT_EQ(describe(a), describe(b));
    EXPECT_EQ(describe_problems(a.problems), describe_problems(b.problems));
    EXPECT_EQ(a.launch.geometry, b.launch.geometry);
    EXPECT_EQ(a.warps, b.warps);
    EXPECT_EQ(a.visits, b.visits);
    EXPECT_EQ(a.accesses, b.accesses);
    EXPECT_EQ(a.masks, b.masks);
    EXPECT_EQ(a.exceptions, b.exceptions);
    EXPECT_EQ(a.activities, b.activities);
    ASSERT_EQ(a.measured != nullptr, b.measured != nullptr);
    if (a.measured) {
        EXPECT_EQ(*a.measured, *b.measured);
    }
}

Trace from_bytes(std::vector<std::byte> bytes) {
    auto file = TraceFile::from_memory(std::move(bytes), "test.wltrace");
    EXPECT_TRUE(file) << file.error().message;
    auto trace = file->read_all();
    EXPECT_TRUE(trace) << trace.error().message;
    return trace ? std::move(*trace) : Trace{};
}

TEST(trace_file, what_is_written_is_read_again) {
    const Folder folder;
    for (const ExampleShape& shape : {ExampleShape::empty(), ExampleShape::tiny(), ExampleShape{5, 200, 7}}) {
        const Trace trace = make_example(shape);
        const std::string path = folder.file("a.wltrace");
        const auto written = write(trace, path);
        ASSERT_TRUE(written) << written.error().message;
        auto file = TraceFile::open(path);
        ASSERT_TRUE(file) << file.error().message;
        EXPECT_EQ(file->damage(), "");
        const auto read = file->read_all();
        ASSERT_TRUE(read) << read.error().message;
        expect_same(*read, trace);
        EXPECT_EQ(folder.files(), 1u);
    }
}

TEST(trace_file, a_small_file_is_read_again_and_is_small) {
    for (const ExampleShape& shape :
         {ExampleShape::empty(), ExampleShape::tiny(), ExampleShape{32, 256, 250}}) {
        const Trace trace = make_measured_example(shape);
        const auto bytes = to_bytes(trace, {.small = true});
        ASSERT_TRUE(bytes) << bytes.error().message;
        expect_same(from_bytes(*bytes), trace);
        EXPECT_LE(bytes->size(), to_bytes(trace)->size());
        if (shape.blocks < 32) continue;
        std::uint64_t events = 0, stored = 0;
        const auto file = TraceFile::from_memory(*bytes, "small.wltrace");
        for (const Chunk& chunk : file->chunks()) {
            if (!has_differences(chunk.header.kind)) continue;
            events += chunk.header.count;
            stored += chunk.header.stored_bytes;
        }
        EXPECT_LT(stored, events / 2) << "bytes of records";
        EXPECT_EQ(find_warp(*file->read_blocks(19, 19), 19, 0)->visits_begin, 0u);
    }
}

TEST(trace_file, differences_give_back_any_columns) {
    std::mt19937 random(6);
    for (const ChunkKind kind : {ChunkKind::warps, ChunkKind::visits, ChunkKind::accesses, ChunkKind::masks,
                                 ChunkKind::exceptions}) {
        for (const std::size_t records : {0u, 1u, 100u}) {
            std::vector<std::byte> columns(records * record_bytes_of(kind)), differences, back;
            for (std::byte& byte : columns) byte = static_cast<std::byte>(random());
            to_differences(kind, columns, differences);
            from_differences(kind, differences, back);
            EXPECT_EQ(back, columns) << to_string(kind);
        }
    }
}

TEST(trace_file, a_trace_of_nothing_is_read_again) {
    const Trace trace;
    const auto bytes = to_bytes(trace);
    ASSERT_TRUE(bytes) << bytes.error().message;
    expect_same(from_bytes(*bytes), trace);
}

TEST(trace_file, every_field_of_the_static_part_survives) {
    Trace trace = make_example(ExampleShape::tiny());
    trace.launch.parameters = {{"TILE", "32"}, {"quote\"d", "\n\t"}};
    trace.launch.geometry.dynamic_shared_bytes = 4321;
    trace.launch.resources = {40, 4096, 16, "sm_90"};
    trace.launch.provenance = Provenance::measured;
    trace.launch.buffers[0].base = 0xfedcba9876543210u;
    trace.program.variables.push_back({"constants", Space::constant, 64, 1u << 16, 0});
    trace.program.sites[3].kind = SiteKind::warp_wide;
    trace.program.sites[3].file = no_index;
    trace.problems.push_back({.kind = ProblemKind::shared_race,
                              .message = "Two threads meet.",
                              .child = "",
                              .site = 7,
                              .file = "example.cu",
                              .line = 6,
                              .block = {1, 0, 0},
                              .thread = {4, 0, 0},
                              .address = 0xffffffffffffffffu,
                              .element = "tile[33]",
                              .other = OtherParty{5, "other.cuh", 9, {0, 0, 0}, {71, 0, 0}},
                              .count = 12});
    const Trace read = from_bytes(*to_bytes(trace));
    EXPECT_EQ(read.launch.parameters, trace.launch.parameters);
    EXPECT_EQ(read.launch.geometry, trace.launch.geometry);
    EXPECT_EQ(read.launch.resources.registers_per_thread, 40u);
    EXPECT_EQ(read.launch.resources.stack_bytes, 16u);
    EXPECT_EQ(read.launch.resources.target, "sm_90");
    EXPECT_EQ(read.launch.provenance, Provenance::measured);
    EXPECT_EQ(read.launch.engine, "synthetic");
    ASSERT_EQ(read.launch.buffers.size(), 2u);
    EXPECT_EQ(read.launch.buffers[0].base, 0xfedcba9876543210u);
    EXPECT_EQ(read.launch.buffers[0].element_type, "f32");
    EXPECT_EQ(read.launch.buffers[1].bytes, trace.launch.buffers[1].bytes);
    EXPECT_EQ(read.program.ptx, trace.program.ptx);
    EXPECT_EQ(read.program.sources.at(0).text, trace.program.sources[0].text);
    EXPECT_EQ(read.program.sites.at(3).kind, SiteKind::warp_wide);
    EXPECT_EQ(read.program.sites.at(3).file, no_index);
    for (std::size_t i = 0; i < trace.program.sites.size(); ++i) {
        const Site &a = read.program.sites[i], &b = trace.program.sites[i];
        EXPECT_EQ(std::tie(a.opcode, a.text, a.kind, a.space, a.operation, a.bytes_per_lane, a.guarded,
                           a.file, a.line, a.ptx_line, a.basic_block),
                  std::tie(b.opcode, b.text, b.kind, b.space, b.operation, b.bytes_per_lane, b.guarded,
                           b.file, b.line, b.ptx_line, b.basic_block));
    }
    EXPECT_EQ(read.program.variables.at(1).space, Space::constant);
    EXPECT_EQ(read.program.variables.at(1).element_bytes, 0u);
    EXPECT_EQ(read.program.parameters.at(3).offset, 20u);
    ASSERT_EQ(read.problems.size(), 1u);
    EXPECT_EQ(read.problems[0].kind, ProblemKind::shared_race);
    EXPECT_EQ(read.problems[0].message, "Two threads meet.");
    EXPECT_EQ(read.problems[0].block, (Dim3{1, 0, 0}));
    EXPECT_EQ(read.problems[0].thread, (Dim3{4, 0, 0}));
    EXPECT_EQ(read.problems[0].address, 0xffffffffffffffffu);
    EXPECT_EQ(read.problems[0].element, "tile[33]");
    EXPECT_EQ(read.problems[0].other, trace.problems[0].other);
    EXPECT_EQ(read.problems[0].count, 12u);
}

TEST(trace_file, a_source_that_is_no_utf8_is_still_written) {
    Trace trace = make_example(ExampleShape::tiny());
    trace.program.sources[0].text =
        "// Gr\xf6\xdf"
        "e";
    EXPECT_EQ(from_bytes(*to_bytes(trace)).program.sources[0].text,
              "// Gr\xef\xbf\xbd\xef\xbf\xbd"
              "e");
}

TEST(trace_file, opening_reads_the_header_and_the_contents_alone) {
    const Folder folder;
    const std::string path = folder.file("a.wltrace");
    ASSERT_TRUE(write(make_example({32, 256, 250}), path));
    const auto file = TraceFile::open(path);
    ASSERT_TRUE(file);
    ASSERT_GT(file->chunks().size(), 10u);
    EXPECT_EQ(file->bytes_read(), file_header_bytes + trailer_bytes + chunk_header_bytes +
                                      file->chunks().size() * contents_entry_bytes);
}

TEST(trace_file, one_block_is_read_without_the_others) {
    const Folder folder;
    const std::string path = folder.file("a.wltrace");
    const Trace whole = make_example({32, 256, 250});
    ASSERT_TRUE(write(whole, path));
    const auto file = TraceFile::open(path);
    const std::uint64_t opened = file->bytes_read();
    const auto part = file->read_blocks(19, 20);
    ASSERT_TRUE(part) << part.error().message;
    EXPECT_LT(file->bytes_read() - opened, fs::file_size(path) / 2);
    EXPECT_EQ(recorded_blocks(*part), (std::vector<std::uint64_t>{19, 20}));
    const auto slice = [](const auto& array, std::uint64_t begin, std::uint64_t end) {
        return std::vector(array.begin() + static_cast<std::ptrdiff_t>(begin),
                           array.begin() + static_cast<std::ptrdiff_t>(end));
    };
    for (std::uint32_t warp = 0; warp < 8; ++warp) {
        const WarpRecord& here = *find_warp(*part, 20, warp);
        const WarpRecord& there = *find_warp(whole, 20, warp);
        EXPECT_EQ(slice(part->visits, here.visits_begin, here.visits_end),
                  slice(whole.visits, there.visits_begin, there.visits_end));
        EXPECT_EQ(slice(part->masks, here.masks_begin, here.masks_end),
                  slice(whole.masks, there.masks_begin, there.masks_end));
        ASSERT_EQ(here.accesses_end - here.accesses_begin, there.accesses_end - there.accesses_begin);
        for (std::uint64_t i = 0; i < here.accesses_end - here.accesses_begin; ++i)
            ASSERT_EQ(addresses_of(*part, part->accesses[here.accesses_begin + i]),
                      addresses_of(whole, whole.accesses[there.accesses_begin + i]));
    }
    const auto none = file->read_blocks(32, 40);
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().message, HasSubstr("it contains none of the blocks 32 to 40"));
}

TEST(trace_file, a_trace_too_large_for_the_memory_allowed_is_refused) {
    const auto bytes = to_bytes(make_example({4, 256, 200}));
    ReadOptions options;
    options.memory_limit = 1 << 20;
    const auto file = TraceFile::from_memory(*bytes, "a.wltrace", options);
    ASSERT_TRUE(file);
    const auto trace = file->read_all();
    ASSERT_FALSE(trace);
    EXPECT_THAT(trace.error().message, HasSubstr("more memory than the limit of 1 MiB"));
}

TEST(trace_file, a_missing_or_foreign_file_is_named) {
    const Folder folder;
    auto file = TraceFile::open(folder.file("missing.wltrace"));
    ASSERT_FALSE(file);
    EXPECT_THAT(file.error().message, HasSubstr("does not exist"));
    file = TraceFile::open(folder.path.string());
    ASSERT_FALSE(file);
    EXPECT_THAT(file.error().message, HasSubstr("is a folder, not a regular file"));
    std::ofstream(folder.file("text.wltrace")) << "kernel,requests\n";
    file = TraceFile::open(folder.file("text.wltrace"));
    ASSERT_FALSE(file);
    EXPECT_THAT(file.error().message, HasSubstr("is not a trace file"));
    std::ofstream(folder.file("empty.wltrace"));
    EXPECT_FALSE(TraceFile::open(folder.file("empty.wltrace")));
}

TEST(trace_file, a_newer_version_is_reported_with_both_numbers) {
    auto bytes = *to_bytes(make_example(ExampleShape::tiny()));
    store_little_endian(bytes.data() + 8, std::uint32_t{7});
    store_little_endian(bytes.data() + 24, checksum_of(std::span(bytes).first(24)));
    const auto file = TraceFile::from_memory(bytes, "new.wltrace");
    ASSERT_FALSE(file);
    EXPECT_EQ(
        file.error().message,
        "new.wltrace has trace format version 7, but this Warplens reads version 1; open it with a newer "
        "Warplens");
}

TEST(trace_file, a_full_disk_leaves_no_partial_file_and_keeps_the_old_one) {
    const Folder folder;
    const std::string path = folder.file("a.wltrace");
    const Trace old = make_example(ExampleShape::tiny());
    ASSERT_TRUE(write(old, path));
    // A limit on the size of files stands for a full disk: both make writing fail in the middle.
    const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit small = before;
    small.rlim_cur = 3000;
    setrlimit(RLIMIT_FSIZE, &small);
    const auto written = write(make_example({8, 256, 100}), path);
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, ignored);
    ASSERT_FALSE(written);
    EXPECT_THAT(written.error().message, HasSubstr("cannot be written: File too large"));
    EXPECT_EQ(folder.files(), 1u);
    const auto kept = TraceFile::open(path)->read_all();
    ASSERT_TRUE(kept);
    expect_same(*kept, old);
}

TEST(trace_file, a_missing_folder_is_reported) {
    const Folder folder;
    const auto written = write(make_example(ExampleShape::tiny()), folder.file("no/such/a.wltrace"));
    ASSERT_FALSE(written);
    EXPECT_THAT(written.error().message, HasSubstr("No such file or directory"));
    EXPECT_EQ(folder.files(), 0u);
}

TEST(trace_file, a_malformed_trace_is_not_written) {
    const Folder folder;
    Trace trace = make_example(ExampleShape::tiny());
    trace.visits[0].basic_block = 99;
    const auto written = write(trace, folder.file("a.wltrace"));
    ASSERT_FALSE(written);
    EXPECT_THAT(written.error().message, HasSubstr("malformed: a visit names basic block 99"));
    EXPECT_EQ(folder.files(), 0u);
}

/// Two warps at two sites: a load that is strided or scattered, and a branch. Little else, so that a fuzzer's
/// changes hit what matters.
Trace few_bytes() {
    Program program;
    program.sites.resize(2);
    program.sites[0].opcode = "ld.f32";
    program.sites[0].kind = SiteKind::memory;
    program.sites[0].operation = Operation::load;
    program.sites[0].guarded = true;
    program.sites[1].kind = SiteKind::branch;
    program.basic_blocks = {{0, 2}};
    Launch launch;
    launch.geometry.block = {64, 1, 1};
    launch.buffers = {{"in", "f32", 4, 4096, 1024}};
    Recorder recorder(launch, program);
    auto block = recorder.begin_block(0);
    Addresses addresses{};
    for (int warp = 0; warp < 2; ++warp) {
        addresses[static_cast<std::size_t>(warp)] = 4096;
        block->visit(warp, 0, LaneMask{7});
        block->guard(warp, 0, LaneMask{7});
        block->access(warp, {0, LaneMask{7}, Space::global, Operation::load, 4, &addresses});
        block->branch(warp, 1, LaneMask{7}, LaneMask{1});
    }
    recorder.finish(0, std::move(block));
    return recorder.take();
}

/// The same with times, a block of nothing but times, and an activity.
Trace measured_bytes() {
    Trace trace = few_bytes();
    trace.launch.geometry.grid = {2, 1, 1};
    Measured measured = make_example_measured(trace);
    measured.perturbations.resize(1);
    for (std::size_t i = 0; i < 2; ++i) {
        MeasuredWarp warp = measured.warps[i];
        warp.block = 1;
        warp.visits_begin = measured.visits.size();
        measured.visits.push_back(measured.visits[warp.visits_end - 1]);
        warp.visits_end = measured.visits.size();
        measured.warps.push_back(warp);
    }
    trace.measured = std::make_shared<const Measured>(std::move(measured));
    Activity activity;
    activity.streams = {"a"};
    activity.spans = {{ActivityKind::graph, "g", 0, 0, 2, 0, -1}, {ActivityKind::kernel, "k", 0, 0, 1, 0, 0}};
    trace.activities = {activity};
    return trace;
}

/// The seeds of the fuzz target. Set WARPLENS_UPDATE to write them again after a change of format.
TEST(trace_file, the_fuzz_seeds_are_small_and_readable) {
    const std::string folder = source_folder() + "/tests/fuzz/corpus_trace/";
    struct Seed {
        std::string path;
        Trace trace;
        WriteOptions options;
    };
    const Seed seeds[] = {{folder + "tiny.wltrace", make_example(ExampleShape::tiny()), {}},
                          {folder + "few_bytes.wltrace", few_bytes(), {.compress = false}},
                          {folder + "small.wltrace", make_example({1, 32, 1}), {.small = true}},
                          {folder + "measured.wltrace", measured_bytes(), {.compress = false}}};
    for (const Seed& seed : seeds) {
        if (std::getenv("WARPLENS_UPDATE")) {
            ASSERT_TRUE(write(seed.trace, seed.path, seed.options));
        }
        const auto file = TraceFile::open(seed.path);
        ASSERT_TRUE(file) << file.error().message;
        const auto read = file->read_all();
        ASSERT_TRUE(read) << read.error().message;
        expect_same(*read, seed.trace);
        EXPECT_LT(fs::file_size(seed.path), 10'000u);
    }
}

}  // namespace
}  // namespace warplens::trace
