// The recordings that come with the program: each opens, belongs to its kernel's source, is consistent, and
// agrees record by record with the CPU engine's run of the same PTX.
#include "app/pipeline/recordings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <vector>

#include "app/command_line/target.h"
#include "app/pipeline/agree.h"
#include "catalogue_kernels.h"
#include "trace/check.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

/// Kernels whose masks may differ although each lane executes the same sequence, and the reason.
const std::map<std::string, std::string> apart_on_the_gpu{
    {"early_exit",
     "lanes leave the loop in different iterations; the hardware does not wait for them after it, where the "
     "CPU engine, the earliest possible, does"},
    {"adaptive_area",
     "lanes that are in a function by different calls meet in its loop on the hardware; in the CPU engine "
     "the "
     "lanes of each call keep to themselves"},
    {"grid_barrier",
     "the thread that waits for the other blocks comes to the block's barrier after its warp's others, and "
     "on the "
     "hardware goes on alone; in the CPU engine that barrier brings them together"},
};

struct Recorded {
    std::shared_ptr<const instrumentation::KernelFile> kernel;
    Settings settings;
};

std::vector<Recorded> to_be_recorded() {
    std::vector<Recorded> all;
    const auto settings = settings_to_record(recordings_folder());
    if (!settings) return all;
    for (const auto& kernel : catalogue_kernels()) {
        const auto found = settings->find(kernel->name);
        if (found == settings->end()) continue;
        for (const Settings& one : found->second) all.push_back({kernel, one});
    }
    return all;
}

std::string test_name(const Recorded& recorded) {
    std::string name = recorded.kernel->name + "_" + recording_name(*recorded.kernel, recorded.settings);
    for (char& letter : name)
        if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
    return name;
}

class RecordingsOfTheCatalogue : public testing::TestWithParam<Recorded> {};

TEST_P(RecordingsOfTheCatalogue, open_and_agree_with_the_cpu_engine) {
    const Recorded& recorded = GetParam();
    const auto trace = load_recording(recordings_folder(), *recorded.kernel, recorded.settings);
    ASSERT_TRUE(trace) << trace.error().message;
    const Status promises = trace::check(**trace);
    EXPECT_TRUE(promises) << promises.error().message;
    EXPECT_EQ((*trace)->launch.provenance, Provenance::measured);
    ASSERT_NE((*trace)->measured, nullptr);
    EXPECT_FALSE((*trace)->measured->warps.empty());
    for (const trace::Perturbation& cost : (*trace)->measured->perturbations) {
        EXPECT_TRUE(cost.identical_results) << cost.mode;
        EXPECT_EQ(cost.dropped_records, 0u) << cost.mode;
    }
    const auto launch = launch_of_recording(recorded.kernel, **trace);
    ASSERT_TRUE(launch) << launch.error().message;
    const auto agreement = agree_with_engine(*make_pipeline(), *launch, **trace);
    ASSERT_TRUE(agreement) << agreement.error().message;
    EXPECT_GT(agreement->records, 0u);
    if (apart_on_the_gpu.contains(recorded.kernel->name))
        EXPECT_TRUE(agreement->lane_by_lane()) << agreement_words(*agreement);
    else EXPECT_TRUE(agreement->exact()) << agreement_words(*agreement);
}

/// By block and the number of the barrier as its warp met it: when each warp arrived and went on, in cycles.
/// Not of blocks with a warp that goes on in parts, and not at the cluster's barrier, where warps arrive
/// before they wait.
using Meeting = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
std::map<std::pair<std::uint64_t, int>, Meeting> meetings(const trace::Trace& trace) {
    std::map<std::pair<std::uint64_t, int>, Meeting> all;
    std::set<std::uint64_t> in_parts;
    const Program& program = trace.program;
    for (const trace::MeasuredWarp& warp : trace.measured->warps) {
        int barrier = 0;
        for (std::uint64_t i = warp.visits_begin; i < warp.visits_end; ++i) {
            const trace::MeasuredVisit& visit = trace.measured->visits[i];
            if (visit.arrived == trace::no_time) continue;
            const Site& before = program.sites[program.basic_blocks[visit.basic_block].first_site - 1];
            if (before.opcode.starts_with("barrier.cluster")) continue;
            if (visit.active != trace.launch.geometry.warp_lanes(static_cast<int>(warp.warp)).bits)
                in_parts.insert(warp.block);
            all[{warp.block, barrier++}].push_back({visit.arrived, visit.entered});
        }
    }
    std::erase_if(all, [&](const auto& meeting) { return in_parts.contains(meeting.first.first); });
    return all;
}

TEST_P(RecordingsOfTheCatalogue, let_no_warp_leave_a_barrier_before_the_last_has_arrived) {
    const Recorded& recorded = GetParam();
    const auto trace = load_recording(recordings_folder(), *recorded.kernel, recorded.settings);
    ASSERT_TRUE(trace) << trace.error().message;
    const auto warps = static_cast<std::size_t>((*trace)->launch.geometry.warps_per_block());
    for (const auto& [where, meeting] : meetings(**trace)) {
        if (meeting.size() != warps) continue;  // a warp that ended, or arrived in parts
        std::uint32_t last = 0, first_on = trace::no_time;
        for (const auto& [arrived, entered] : meeting) {
            last = std::max(last, arrived);
            first_on = std::min(first_on, entered);
        }
        ASSERT_GE(first_on, last) << "block " << where.first << ", barrier " << where.second;
    }
}

INSTANTIATE_TEST_SUITE_P(catalogue, RecordingsOfTheCatalogue, testing::ValuesIn(every(3, to_be_recorded())),
                         [](const auto& info) { return test_name(info.param); });
INSTANTIATE_TEST_SUITE_P(others_long, RecordingsOfTheCatalogue,
                         testing::ValuesIn(all_but_every(3, to_be_recorded())),
                         [](const auto& info) { return test_name(info.param); });

TEST(recordings_that_come_with_the_program, take_little_room) {
    std::uintmax_t all = 0;
    for (const auto& entry : fs::recursive_directory_iterator(recordings_folder())) {
        if (!entry.is_regular_file()) continue;
        EXPECT_LE(entry.file_size(), 1u << 20) << entry.path();
        all += entry.file_size();
    }
    EXPECT_LE(all, std::uintmax_t{20} << 20);
}

}  // namespace
}  // namespace warplens::app
