// Every request of tests/hardware/h200_requests.csv, which was made once on a GPU under the profiler.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "analysis/memory/banks.h"
#include "analysis/memory/coalescing.h"
#include "tests/analysis/request.h"
#include "tests/support/folders.h"

namespace warplens::analysis {
namespace {

struct MeasuredRequest {
    Request request;
    std::string counter;  // empty: not counted by the hardware
    std::uint32_t source_page = 0, ideal = 0;
    std::string row;
};

std::vector<MeasuredRequest> measured_requests() {
    std::ifstream file(source_folder() + "/tests/hardware/h200_requests.csv");
    std::vector<MeasuredRequest> out;
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
        MeasuredRequest one;
        one.row = line;
        std::istringstream cells(line);
        std::string space, operation, bytes, source_page, ideal, addresses;
        std::getline(cells, space, ',');
        std::getline(cells, operation, ',');
        std::getline(cells, bytes, ',');
        std::getline(cells, one.counter, ',');
        std::getline(cells, source_page, ',');
        std::getline(cells, ideal, ',');
        std::getline(cells, addresses, ',');
        one.request.space = space == "shared" ? Space::shared : Space::global;
        one.request.operation = operation == "load"    ? Operation::load
                                : operation == "store" ? Operation::store
                                                       : Operation::atomic;
        one.request.bytes_per_lane = static_cast<std::uint32_t>(std::stoul(bytes));
        one.source_page = static_cast<std::uint32_t>(std::stoul(source_page));
        one.ideal = static_cast<std::uint32_t>(std::stoul(ideal));
        one.request.mask = LaneMask::none();
        std::istringstream lanes(addresses);
        std::string address;
        for (std::size_t lane = 0; lanes >> address; ++lane) {
            if (address == "-") continue;
            one.request.mask.bits |= 1u << lane;
            one.request.addresses[lane] = std::stoull(address);
        }
        out.push_back(std::move(one));
    }
    return out;
}

TEST(measured_requests, shared_wavefronts_equal_the_hardware_counter) {
    int compared = 0;
    for (const MeasuredRequest& one : measured_requests()) {
        if (one.request.space != Space::shared) continue;
        const WavefrontCount count = count_wavefronts(one.request.access());
        EXPECT_EQ(std::to_string(count.wavefronts), one.counter) << one.row;
        // The source page's ideal of one row is above what the hardware took.
        EXPECT_EQ(count.ideal_wavefronts, std::min(one.ideal, count.wavefronts)) << one.row;
        ++compared;
    }
    EXPECT_EQ(compared, 660);
}

TEST(measured_requests, global_sectors_equal_the_source_page_and_the_hardware_counter) {
    int compared = 0;
    for (const MeasuredRequest& one : measured_requests()) {
        if (one.request.space != Space::global) continue;
        const SectorCount count = count_sectors(one.request.access());
        EXPECT_EQ(count.sectors, one.source_page) << one.row;
        EXPECT_EQ(count.ideal_sectors, one.ideal) << one.row;
        if (one.request.operation != Operation::atomic) {
            EXPECT_EQ(std::to_string(count.sectors), one.counter) << one.row;
        } else if (!one.counter.empty()) {
            EXPECT_EQ(std::to_string(count_atomic_rounds(one.request.access()).sectors), one.counter)
                << one.row;
        }
        ++compared;
    }
    EXPECT_EQ(compared, 360);
}

}  // namespace
}  // namespace warplens::analysis
