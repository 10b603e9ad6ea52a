#include "analysis/memory/footprint.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <thread>

#include "analysis/report/launch_report.h"
#include "tests/analysis/small_trace.h"

namespace warplens::analysis {
namespace {

constexpr std::uint64_t base = 0x7f0000001000;

void add(FootprintCounter::Writer& writer, const Request& request) {
    SectorRange range;
    count_sectors(request.access(), range);
    writer.add(request.access(), range);
}

trace::Buffer buffer(std::uint64_t at, std::uint64_t bytes) { return {"b", "f32", 4, at, bytes}; }

TEST(footprint, a_sector_counts_once_however_often_it_is_read) {
    FootprintCounter counter;
    FootprintCounter::Writer writer(counter);
    for (int i = 0; i < 5; ++i) add(writer, global_request(4, [](auto lane) { return base + 4 * lane; }));
    const std::vector buffers{buffer(base, 256)};
    const Footprint footprint = counter.footprint(buffers);
    ASSERT_EQ(footprint.buffers.size(), 1u);
    EXPECT_EQ(footprint.buffers[0].read, 4u);
    EXPECT_EQ(footprint.buffers[0].written, 0u);
    EXPECT_EQ(footprint.elsewhere.read, 0u);
}

TEST(footprint, loads_read_stores_write_and_atomics_do_both) {
    FootprintCounter counter;
    FootprintCounter::Writer writer(counter);
    Request request = global_request(4, [](auto) { return base; });
    add(writer, request);
    request = global_request(4, [](auto lane) { return base + 64 + lane % 2 * 32; });
    request.operation = Operation::store;
    add(writer, request);
    request = global_request(4, [](auto lane) { return base + 1024 + 128 * lane; });
    request.operation = Operation::atomic;
    add(writer, request);
    const std::vector buffers{buffer(base, 1 << 20)};
    const Footprint footprint = counter.footprint(buffers);
    EXPECT_EQ(footprint.buffers[0].read, 1u + 32);
    EXPECT_EQ(footprint.buffers[0].written, 2u + 32);
}

TEST(footprint, each_buffer_has_its_own_and_the_rest_is_elsewhere) {
    FootprintCounter counter;
    FootprintCounter::Writer writer(counter);
    add(writer, global_request(16, [](auto lane) { return base + 16 * lane; }));  // 16 sectors
    const std::vector buffers{buffer(base, 100), buffer(base + 128, 64), buffer(base + 4096, 64)};
    const Footprint footprint = counter.footprint(buffers);
    EXPECT_EQ(footprint.buffers[0].read, 4u) << "100 bytes reach into a fourth sector";
    EXPECT_EQ(footprint.buffers[1].read, 2u);
    EXPECT_EQ(footprint.buffers[2].read, 0u);
    EXPECT_EQ(footprint.elsewhere.read, 10u);
}

TEST(footprint, buffers_of_a_file_with_impossible_lengths_are_counted_without_harm) {
    FootprintCounter counter;
    FootprintCounter::Writer writer(counter);
    add(writer, global_request(4, [](auto lane) { return ~std::uint64_t{0} - 127 + 4 * lane; }));
    const std::vector buffers{buffer(~std::uint64_t{0} - 127, ~std::uint64_t{0}),
                              buffer(0, ~std::uint64_t{0})};
    const Footprint footprint = counter.footprint(buffers);
    EXPECT_EQ(footprint.buffers[0].read, 4u);
    EXPECT_EQ(footprint.buffers[1].read, 4u);
    EXPECT_EQ(footprint.elsewhere.read, 0u);
}

/// Requests of every shape: contiguous, strided, rows, scattered, misaligned, wide, partly off.
std::vector<Request> requests_of_all_shapes(unsigned seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::uint64_t limit) { return random() % limit; };
    std::vector<Request> requests;
    for (int i = 0; i < 4'000; ++i) {
        const std::uint32_t bytes = 1u << below(5);
        const std::uint64_t start = base + below(8 << 20) / bytes * bytes;
        const std::uint64_t stride = bytes * below(40);
        Request request = global_request(bytes, [&](std::uint64_t lane) { return start + stride * lane; });
        switch (below(6)) {
            case 0:
                for (auto& address : request.addresses) address = base + below(8 << 20) / bytes * bytes;
                break;
            case 1:  // rows of 8, 16 or 32 lanes at one address
                for (std::uint64_t lane = 0; lane < warp_size; ++lane)
                    request.addresses[lane] = start + lane / (8u << i % 3) * 4096;
                break;
            case 2:
                for (auto& address : request.addresses) address += 1 + below(40);
                break;
            case 3:
                for (std::uint64_t lane = 0; lane < warp_size; ++lane)
                    request.addresses[lane] = start + stride * (warp_size - lane);
                break;
            default:
                break;
        }
        if (below(2)) request.mask = LaneMask{static_cast<std::uint32_t>(random() | 1)};
        request.operation = below(2) ? Operation::load : Operation::store;
        requests.push_back(request);
    }
    return requests;
}

TEST(footprint, requests_of_all_shapes_on_several_threads_equal_a_set_of_sectors) {
    std::vector<std::vector<Request>> parts;
    for (unsigned seed = 1; seed <= 3; ++seed) parts.push_back(requests_of_all_shapes(seed));
    FootprintCounter counter;
    std::vector<std::thread> threads;
    for (const auto& part : parts) {
        threads.emplace_back([&] {
            FootprintCounter::Writer writer(counter);
            for (const Request& request : part) add(writer, request);
        });
    }
    for (std::thread& thread : threads) thread.join();

    std::set<std::uint64_t> read, written;
    for (const auto& part : parts) {
        for (const Request& request : part) {
            for_each_lane(request.mask, [&](int lane) {
                for (std::uint32_t byte = 0; byte < request.bytes_per_lane; ++byte)
                    (request.operation == Operation::load ? read : written)
                        .insert((request.addresses[static_cast<std::size_t>(lane)] + byte) / 32);
            });
        }
    }
    const std::vector buffers{buffer(base, 4 << 20)};
    const Footprint footprint = counter.footprint(buffers);
    EXPECT_GT(read.size(), 10'000u);
    EXPECT_EQ(footprint.buffers[0].read + footprint.elsewhere.read, read.size());
    EXPECT_EQ(footprint.buffers[0].written + footprint.elsewhere.written, written.size());
    const auto in_buffer =
        static_cast<std::uint64_t>(std::distance(read.begin(), read.lower_bound((base + (4 << 20)) / 32)));
    EXPECT_EQ(footprint.buffers[0].read, in_buffer);
    EXPECT_EQ(footprint.left_out, 0u);
}

TEST(footprint, the_launch_fold_counts_global_requests_alone) {
    SmallTrace small({SmallTrace::memory_site(Space::global, Operation::load, 4, 1),
                      SmallTrace::memory_site(Space::shared, Operation::store, 4, 2)});
    small.launch.buffers = {buffer(base, 4096)};
    const Request request = global_request(4, [](auto lane) { return base + 4 * lane; });
    small.visit(0, 0, LaneMask::all());
    small.access(0, 0, request);
    small.visit(0, 1, LaneMask::all());
    small.access(0, 1, request);
    LaunchFold fold(small.program);
    small.report_to(fold);
    const LaunchReport report = fold.report(small.launch);
    ASSERT_EQ(report.footprint.buffers.size(), 1u);
    EXPECT_EQ(report.footprint.buffers[0].read, 4u);
    EXPECT_EQ(report.footprint.buffers[0].written, 0u);
}

}  // namespace
}  // namespace warplens::analysis
