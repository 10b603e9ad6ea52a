// Loads and stores whose addresses use the engine's fast path (each half of a warp at one address, or at
// consecutive addresses), and those that barely miss it, compared with the same access executed lane by lane.
#include <functional>
#include <memory>

#include "kernel_under_test.h"

namespace warplens::simt {
namespace {

/// Places in elements.
struct Pattern {
    const char* name;
    std::function<std::uint32_t(std::uint32_t lane)> place;
};
const Pattern patterns[] = {
    {"one row", [](std::uint32_t i) { return 3 + i; }},
    {"two rows", [](std::uint32_t i) { return i / 16 * 40 + i % 16; }},
    {"two rows that overlap", [](std::uint32_t i) { return i / 16 * 5 + i % 16; }},
    {"one place", [](std::uint32_t) { return 7u; }},
    {"a place a half", [](std::uint32_t i) { return 60 - i / 16 * 50; }},
    {"a row and a place", [](std::uint32_t i) { return i < 16 ? i : 5u; }},
    {"a place and a row", [](std::uint32_t i) { return i < 16 ? 20u : i; }},
    {"all but the last lane", [](std::uint32_t i) { return i < 31 ? i : 50u; }},
    {"all but lane 15", [](std::uint32_t i) { return i == 15 ? 63u : i; }},
    {"backwards", [](std::uint32_t i) { return 40 - i; }},
    {"every other", [](std::uint32_t i) { return 2 * i; }},
};

/// Leaves %d5 = first parameter + place of the thread * `bytes`; %d2 = out + thread * `bytes`.
std::string addresses(int bytes) {
    return "ld.param.u64 %d1, [data];\nld.param.u64 %d3, [places];\nld.param.u64 %d4, [out];\n"
           "mov.u32 %r1, %tid.x;\nmul.wide.u32 %d2, %r1, 4;\nadd.s64 %d3, %d3, %d2;\n"
           "ld.global.u32 %r2, [%d3];\n"
           "mul.wide.u32 %d5, %r2, " +
           std::to_string(bytes) +
           ";\nadd.s64 %d5, %d1, %d5;\n"
           "mul.wide.u32 %d2, %r1, " +
           std::to_string(bytes) + ";\nadd.s64 %d2, %d4, %d2;\n";
}

struct AccessForm {
    int bytes;
    const char *load, *store;  // of one element, to and from registers of its own
};
const AccessForm forms[] = {
    {1, "ld.global.u8 %r9, [{}];\n", "st.global.u8 [{}], %r9;\n"},
    {2, "ld.global.u16 %h9, [{}];\n", "st.global.u16 [{}], %h9;\n"},
    {4, "ld.global.u32 %r9, [{}];\n", "st.global.u32 [{}], %r9;\n"},
    {8, "ld.global.u64 %d9, [{}];\n", "st.global.u64 [{}], %d9;\n"},
    {8, "ld.global.v2.u32 {%r9, %r8}, [{}];\n", "st.global.v2.u32 [{}], {%r9, %r8};\n"},
    {16, "ld.global.v4.u32 {%r9, %r8, %r7, %r6}, [{}];\n", "st.global.v4.u32 [{}], {%r9, %r8, %r7, %r6};\n"},
    {16, "ld.global.v2.u64 {%d9, %d8}, [{}];\n", "st.global.v2.u64 [{}], {%d9, %d8};\n"},
};

std::string at(std::string text, const std::string& address) {
    const std::size_t hole = text.find("{}");
    return text.replace(hole, 2, address);
}

std::vector<std::uint8_t> counted(std::size_t bytes) {
    std::vector<std::uint8_t> values(bytes);
    for (std::size_t i = 0; i < bytes; ++i) values[i] = static_cast<std::uint8_t>(i * 37 + i / 251);
    return values;
}

/// A run with 64 elements of data, the lanes' places, and 64 elements of `out`.
std::unique_ptr<KernelUnderTest> run_form(const std::string& body, const Pattern& pattern,
                                          const std::vector<std::uint8_t>& data,
                                          const std::vector<std::uint8_t>& out) {
    auto test =
        std::make_unique<KernelUnderTest>(body, ".param .u64 data, .param .u64 places, .param .u64 out");
    test->buffer(data, "data");
    std::vector<std::uint32_t> places;
    for (std::uint32_t lane = 0; lane < 32; ++lane) places.push_back(pattern.place(lane));
    test->buffer(places, "places");
    test->buffer(out, "out");
    const RunResult result = test->run();
    EXPECT_TRUE(result.completed && result.problems.empty()) << pattern.name;
    return test;
}

TEST(half_warps, each_lane_loads_from_its_own_address) {
    for (const AccessForm& form : forms) {
        for (const Pattern& pattern : patterns) {
            const auto bytes = static_cast<std::size_t>(form.bytes);
            const std::vector<std::uint8_t> data = counted(64 * bytes);
            const auto out =
                run_form(addresses(form.bytes) + at(form.load, "%d5") + at(form.store, "%d2") + "ret;",
                         pattern, data, std::vector<std::uint8_t>(64 * bytes))
                    ->contents<std::uint8_t>(2);
            for (std::uint32_t lane = 0; lane < 32; ++lane)
                for (std::size_t i = 0; i < bytes; ++i)
                    ASSERT_EQ(out[lane * bytes + i], data[pattern.place(lane) * bytes + i])
                        << form.load << pattern.name << ", lane " << lane;
        }
    }
}

TEST(half_warps, where_lanes_store_to_one_place_the_highest_is_the_last) {
    for (const AccessForm& form : forms) {
        for (const Pattern& pattern : patterns) {
            const auto bytes = static_cast<std::size_t>(form.bytes);
            // The lane's own element of `out`, filled first, goes to its place in `data`.
            const std::vector<std::uint8_t> before = counted(64 * bytes);
            const auto data =
                run_form(addresses(form.bytes) + at(form.load, "%d2") + at(form.store, "%d5") + "ret;",
                         pattern, std::vector<std::uint8_t>(64 * bytes), before)
                    ->contents<std::uint8_t>(0);
            std::vector<std::uint8_t> expected(64 * bytes);
            for (std::uint32_t lane = 0; lane < 32; ++lane)
                for (std::size_t i = 0; i < bytes; ++i)
                    expected[pattern.place(lane) * bytes + i] = before[lane * bytes + i];
            ASSERT_EQ(data, expected) << form.store << pattern.name;
        }
    }
}

/// Remembers where the last load read.
struct Addresses final : trace::Observer {
    struct Block final : trace::BlockObserver {
        explicit Block(trace::Addresses& to) : seen(to) {}
        void access(int, const trace::Access& access) override { seen = *access.addresses; }
        trace::Addresses& seen;
    };
    std::unique_ptr<trace::BlockObserver> begin_block(std::uint64_t) override {
        return std::make_unique<Block>(seen);
    }
    void finish(std::uint64_t, std::unique_ptr<trace::BlockObserver>) override {}
    trace::Addresses seen{};
};

TEST(half_warps, a_load_into_its_own_address_register_is_reported_with_the_old_addresses) {
    KernelUnderTest test(
        "ld.param.u64 %d1, [out];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %d2, %r1, 8;\n"
        "add.s64 %d2, %d1, %d2;\nld.global.u64 %d2, [%d2+8];\nret;");
    const std::uint64_t base = test.buffer(std::vector<std::uint64_t>(33, 5));
    Addresses heard;
    EXPECT_TRUE(test.run(&heard).problems.empty());
    for (std::size_t lane = 0; lane < 32; ++lane) EXPECT_EQ(heard.seen[lane], base + 8 + 8 * lane);
}

/// Three rounds, of which the first finds the buffers: accesses through %d2, which has tid's element of data,
/// and sums in %r9 for tid's element of out.
std::string three_rounds(const std::string& accesses) {
    return "ld.param.u64 %d1, [data];\nld.param.u64 %d3, [out];\nmov.u32 %r1, %tid.x;\n"
           "mul.wide.u32 %d4, %r1, 4;\nadd.s64 %d3, %d3, %d4;\nmov.u32 %r5, 0;\nmov.u32 %r9, 0;\n"
           "ROUND: add.s64 %d2, %d1, %d4;\n" +
           accesses +
           "add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 3;\n@%p1 bra ROUND;\nst.global.u32 [%d3], %r9;\nret;";
}

constexpr const char* add_next = "add.u32 %r9, %r9, %r2;\n";

TEST(half_warps, accesses_through_one_register_have_offsets_of_their_own) {
    KernelUnderTest test(
        three_rounds(std::string("ld.global.u32 %r2, [%d2];\n") + add_next + "ld.global.u32 %r2, [%d2+4];\n" +
                     add_next + "add.s64 %d2, %d2, 256;\n" + "ld.global.u32 %r2, [%d2+-128];\n" + add_next +
                     "st.global.u32 [%d2+-4], %r9;\n"),
        ".param .u64 data, .param .u64 out");
    std::vector<std::uint32_t> data(96);
    for (std::uint32_t i = 0; i < 96; ++i) data[i] = i * i + 1;
    test.buffer(data, "data");
    test.buffer(std::vector<std::uint32_t>(32), "out");
    EXPECT_TRUE(test.run().problems.empty());
    const auto out = test.contents<std::uint32_t>(1), after = test.contents<std::uint32_t>(0);
    std::vector<std::uint32_t> sums(32);
    for (int round = 0; round < 3; ++round) {
        const std::vector<std::uint32_t> before = data;
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
            sums[lane] += before[lane] + before[lane + 1] + before[lane + 32];
            data[lane + 63] = sums[lane];
        }
    }
    EXPECT_EQ(out, sums);
    EXPECT_EQ(after, data);
}

TEST(half_warps, an_offset_that_leads_outside_is_reported_for_the_lanes_outside) {
    for (const char* offset : {"4", "-4"}) {
        KernelUnderTest test(three_rounds(std::string("ld.global.u32 %r2, [%d2];\nld.global.u32 %r2, [%d2+") +
                                          offset + "];\n"),
                             ".param .u64 data, .param .u64 out");
        test.buffer(std::vector<std::uint32_t>(32), "data");
        test.buffer(std::vector<std::uint32_t>(32), "out");
        const RunResult result = test.run();
        ASSERT_EQ(result.problems.size(), 1u) << offset;
        EXPECT_EQ(result.problems[0].kind, ProblemKind::out_of_bounds);
        EXPECT_EQ(result.problems[0].count, 3u);
    }
}

TEST(half_warps, an_offset_may_align_an_address_and_misalign_another) {
    KernelUnderTest aligned(
        three_rounds(std::string("add.s64 %d2, %d2, 2;\nld.global.u32 %r2, [%d2+2];\n") + add_next),
        ".param .u64 data, .param .u64 out");
    std::vector<std::uint32_t> data(33);
    for (std::uint32_t i = 0; i < 33; ++i) data[i] = i + 5;
    aligned.buffer(data, "data");
    aligned.buffer(std::vector<std::uint32_t>(32), "out");
    EXPECT_TRUE(aligned.run().problems.empty());
    const auto out = aligned.contents<std::uint32_t>(1);
    for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(out[lane], 3 * data[lane + 1]);
    KernelUnderTest misaligned(three_rounds("ld.global.u32 %r2, [%d2];\nld.global.u32 %r2, [%d2+2];\n"),
                               ".param .u64 data, .param .u64 out");
    misaligned.buffer(data, "data");
    misaligned.buffer(std::vector<std::uint32_t>(32), "out");
    const RunResult result = misaligned.run();
    ASSERT_EQ(result.problems.size(), 1u);
    EXPECT_EQ(result.problems[0].kind, ProblemKind::misaligned);
}

}  // namespace
}  // namespace warplens::simt
