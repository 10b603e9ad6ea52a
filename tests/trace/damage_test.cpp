#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/support/synthetic.h"
#include "trace/file/columns.h"
#include "trace/file/trace_file.h"
#include "trace/query.h"

namespace warplens::trace {
namespace {

using testing::HasSubstr;
using Bytes = std::vector<std::byte>;

/// 40 blocks of 2 warps in several groups of chunks.
const Trace& damage_example() {
    static const Trace trace = make_example({40, 64, 1000});
    return trace;
}

const Bytes& damage_example_bytes() {
    static const Bytes bytes = *to_bytes(damage_example());
    return bytes;
}

Bytes first_bytes(const Bytes& bytes, std::uint64_t count) {
    return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count)};
}

/// Every returned block is complete and unchanged.
void expect_part_of_example(const Trace& part) {
    for (const WarpRecord& here : part.warps) {
        const WarpRecord* there = find_warp(damage_example(), here.block, here.warp);
        ASSERT_NE(there, nullptr);
        ASSERT_TRUE(
            std::equal(part.visits.begin() + static_cast<std::ptrdiff_t>(here.visits_begin),
                       part.visits.begin() + static_cast<std::ptrdiff_t>(here.visits_end),
                       damage_example().visits.begin() + static_cast<std::ptrdiff_t>(there->visits_begin),
                       damage_example().visits.begin() + static_cast<std::ptrdiff_t>(there->visits_end)));
        ASSERT_EQ(here.accesses_end - here.accesses_begin, there->accesses_end - there->accesses_begin);
        const std::uint64_t last = here.accesses_end - 1;
        ASSERT_EQ(addresses_of(part, part.accesses[last]),
                  addresses_of(damage_example(), damage_example().accesses[there->accesses_end - 1]));
    }
}

TEST(damage, a_file_cut_at_any_chunk_border_gives_the_blocks_before_it) {
    const auto whole = TraceFile::from_memory(damage_example_bytes(), "a.wltrace");
    std::vector<std::uint64_t> borders;
    std::uint64_t groups = 0;
    for (const Chunk& chunk : whole->chunks()) {
        borders.push_back(chunk.offset);
        borders.push_back(chunk.offset + chunk_header_bytes);
        groups += chunk.header.kind == ChunkKind::warps;
    }
    ASSERT_GE(groups, 3u);
    std::size_t most = 0;
    for (const std::uint64_t border : borders) {
        const auto file = TraceFile::from_memory(first_bytes(damage_example_bytes(), border), "a.wltrace");
        ASSERT_TRUE(file) << file.error().message;
        EXPECT_THAT(file->damage(), HasSubstr("no table of contents"));
        const auto all = file->read_all();
        ASSERT_FALSE(all);
        const auto rest = file->recover();
        if (border <= whole->chunks()[0].offset + chunk_header_bytes) {
            ASSERT_FALSE(rest);
            EXPECT_THAT(all.error().message, HasSubstr("nothing of it could be read"));
            continue;
        }
        ASSERT_TRUE(rest) << rest.error().message;
        EXPECT_THAT(rest->note, HasSubstr("of the 40 recorded blocks could be read"));
        expect_part_of_example(rest->trace);
        const auto blocks = recorded_blocks(rest->trace);
        EXPECT_GE(blocks.size(), most) << "more of the file gives no fewer blocks";
        most = std::max(most, blocks.size());
        for (std::size_t i = 0; i < blocks.size(); ++i) EXPECT_EQ(blocks[i], i);
    }
    EXPECT_GT(most, 0u);
    EXPECT_LT(most, 40u);
}

TEST(damage, a_cut_file_says_which_blocks_are_left) {
    const auto whole = TraceFile::from_memory(damage_example_bytes(), "a.wltrace");
    const auto second = std::find_if(whole->chunks().begin(), whole->chunks().end(), [](const Chunk& chunk) {
        return chunk.header.kind == ChunkKind::warps && chunk.header.first_block > 0;
    });
    const std::uint64_t blocks = second->header.first_block;
    const auto file =
        TraceFile::from_memory(first_bytes(damage_example_bytes(), second->offset + 10), "a.wltrace");
    EXPECT_EQ(
        file->read_all().error().message,
        fmt::format("a.wltrace: it has no table of contents at its end, so it is cut short or damaged; {} of "
                    "the 40 recorded blocks could be read: 0 to {}",
                    blocks, blocks - 1));
}

TEST(damage, a_file_without_contents_but_whole_otherwise_gives_every_block) {
    const auto file = TraceFile::from_memory(
        first_bytes(damage_example_bytes(), damage_example_bytes().size() - trailer_bytes), "a.wltrace");
    const auto rest = file->recover();
    ASSERT_TRUE(rest);
    EXPECT_EQ(rest->trace.visits, damage_example().visits);
    EXPECT_EQ(rest->trace.accesses, damage_example().accesses);
    EXPECT_THAT(rest->note, HasSubstr("all 40 recorded blocks could be read"));
}

TEST(damage, a_file_cut_anywhere_is_an_error_and_never_a_wrong_trace) {
    std::mt19937 random(1);
    for (int i = 0; i < 30; ++i) {
        const std::uint64_t size = random() % damage_example_bytes().size();
        const auto file = TraceFile::from_memory(first_bytes(damage_example_bytes(), size), "a.wltrace");
        if (!file) {
            EXPECT_LT(size, file_header_bytes);
            continue;
        }
        EXPECT_FALSE(file->damage().empty());
        if (const auto rest = file->recover()) expect_part_of_example(rest->trace);
    }
}

TEST(damage, every_single_flipped_bit_is_detected) {
    const Trace tiny = make_example(ExampleShape::tiny());
    Bytes bytes = *to_bytes(tiny);
    std::mt19937 random(2);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        const auto bit = static_cast<std::byte>(1u << (random() % 8));
        bytes[at] ^= bit;
        const auto file = TraceFile::from_memory(bytes, "a.wltrace");
        if (file) {
            EXPECT_FALSE(file->read_all()) << "byte " << at;
            if (const auto rest = file->recover()) {
                EXPECT_FALSE(rest->note.empty()) << "byte " << at;
                EXPECT_LE(rest->trace.visits.size(), tiny.visits.size());
            }
        }
        bytes[at] ^= bit;
    }
    EXPECT_TRUE(TraceFile::from_memory(bytes, "a.wltrace")->read_all());
}

TEST(damage, every_single_flipped_bit_of_a_small_file_is_detected) {
    Bytes bytes = *to_bytes(make_example(ExampleShape::tiny()), {.small = true});
    std::mt19937 random(4);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        const auto bit = static_cast<std::byte>(1u << (random() % 8));
        bytes[at] ^= bit;
        if (const auto file = TraceFile::from_memory(bytes, "a.wltrace")) {
            EXPECT_FALSE(file->read_all()) << "byte " << at;
        }
        bytes[at] ^= bit;
    }
    EXPECT_TRUE(TraceFile::from_memory(bytes, "a.wltrace")->read_all());
}

TEST(damage, a_damaged_chunk_costs_its_own_blocks_only) {
    const auto whole = TraceFile::from_memory(damage_example_bytes(), "a.wltrace");
    const auto chunk = std::find_if(whole->chunks().begin(), whole->chunks().end(), [](const Chunk& c) {
        return c.header.kind == ChunkKind::accesses && c.header.first_block > 0 && c.header.last_block < 39;
    });
    ASSERT_NE(chunk, whole->chunks().end());
    Bytes bytes = damage_example_bytes();
    bytes[chunk->offset + chunk_header_bytes + 100] ^= std::byte{0x10};
    const auto file = TraceFile::from_memory(bytes, "a.wltrace");
    EXPECT_EQ(file->damage(), "");
    const auto all = file->read_all();
    ASSERT_FALSE(all);
    EXPECT_THAT(all.error().message, HasSubstr("chunk of accesses"));
    EXPECT_THAT(all.error().message, HasSubstr("its checksum does not match"));
    const auto rest = file->recover();
    ASSERT_TRUE(rest);
    expect_part_of_example(rest->trace);
    std::vector<std::uint64_t> expected;
    for (std::uint64_t block = 0; block < 40; ++block)
        if (block < chunk->header.first_block || block > chunk->header.last_block) expected.push_back(block);
    EXPECT_EQ(recorded_blocks(rest->trace), expected);
    EXPECT_TRUE(file->read_blocks(0, chunk->header.first_block - 1));
    EXPECT_FALSE(file->read_blocks(0, chunk->header.first_block));
}

TEST(damage, damage_in_the_middle_of_a_cut_file_is_stepped_over) {
    const auto whole = TraceFile::from_memory(damage_example_bytes(), "a.wltrace");
    const auto chunk = std::find_if(whole->chunks().begin(), whole->chunks().end(),
                                    [](const Chunk& c) { return c.header.kind == ChunkKind::visits; });
    Bytes bytes = first_bytes(damage_example_bytes(), damage_example_bytes().size() - 1);
    bytes[chunk->offset + 70] ^= std::byte{1};  // the chunk's header, by which its end is known
    const auto rest = TraceFile::from_memory(bytes, "a.wltrace")->recover();
    ASSERT_TRUE(rest) << rest.error().message;
    expect_part_of_example(rest->trace);
    const auto blocks = recorded_blocks(rest->trace);
    ASSERT_FALSE(blocks.empty());
    EXPECT_EQ(blocks.front(), chunk->header.last_block + 1);
    EXPECT_EQ(blocks.back(), 39u);
}

/// A file with sound checksums and hostile numbers in the header of its first chunk of `kind`.
Bytes forged(ChunkKind kind, void (*forge)(ChunkHeader&)) {
    Bytes bytes = *to_bytes(make_example(ExampleShape::tiny()));
    const auto file = TraceFile::from_memory(bytes, "a.wltrace");
    const auto chunk = std::find_if(file->chunks().begin(), file->chunks().end(),
                                    [&](const Chunk& c) { return c.header.kind == kind; });
    ChunkHeader header = chunk->header;
    forge(header);
    const auto encoded = encode(header);
    std::copy(encoded.begin(), encoded.end(), bytes.begin() + static_cast<std::ptrdiff_t>(chunk->offset));
    return first_bytes(bytes, bytes.size() - 1);  // without contents, so that the chunk's own header counts
}

TEST(damage, hostile_sizes_are_refused_before_memory_is_taken) {
    struct Case {
        ChunkKind kind;
        void (*forge)(ChunkHeader&);
        const char* part_of_sentence;
    };
    const Case cases[] = {
        {ChunkKind::visits,
         [](ChunkHeader& h) { h.count = std::uint64_t{1} << 40, h.raw_bytes = h.count * 8; }, "visits 0 to"},
        {ChunkKind::accesses, [](ChunkHeader& h) { h.raw_bytes = ~std::uint64_t{0}; }, "it claims"},
        {ChunkKind::description, [](ChunkHeader& h) { h.raw_bytes = std::uint64_t{1} << 60; },
         "nothing of it could be read"},
        {ChunkKind::masks, [](ChunkHeader& h) { h.compression = static_cast<Compression>(7); },
         "compressed by method 7"},
        {ChunkKind::problems, [](ChunkHeader& h) { h.compression = Compression::zstd_of_differences; },
         "compressed as differences"},
        {ChunkKind::exceptions, [](ChunkHeader& h) { h.stored_bytes = ~std::uint64_t{0} - 40; },
         "exceptions"},
        {ChunkKind::visits, [](ChunkHeader& h) { h.first = 1; }, "visits 0 to"},
        {ChunkKind::warps, [](ChunkHeader& h) { ++h.count, h.raw_bytes += 60; },
         "differs from the size it claims"},
    };
    for (const Case& hostile : cases) {
        const auto file = TraceFile::from_memory(forged(hostile.kind, hostile.forge), "a.wltrace");
        ASSERT_TRUE(file);
        EXPECT_FALSE(file->read_all());
        const auto blocks = file->read_blocks(0, 1);
        ASSERT_FALSE(blocks) << hostile.part_of_sentence;
        if (hostile.kind == ChunkKind::description)
            EXPECT_THAT(file->read_all().error().message, HasSubstr(hostile.part_of_sentence));
        else EXPECT_THAT(blocks.error().message, HasSubstr(hostile.part_of_sentence));
    }
}

}  // namespace
}  // namespace warplens::trace
