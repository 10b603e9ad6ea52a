// What the timing model takes a request of machine code for, compared with the profiler's counters.
#ifdef WARPLENS_SASS

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <string>

#include "simt/timing/request_table.h"
#include "tests/hardware/timing_tables.h"

namespace warplens::hardware {
namespace {

/// The profiler counts no hit of the 1,179,648 sectors of gemm_cp_async (h200_cache_sectors.csv).
TEST(machine_requests, copies_that_bypass_l1_are_read_from_l2_each_time) {
    const auto run = run_case(machine_case("blind", "gemm_cp_async", Level::machine));
    ASSERT_TRUE(run) << run.error().message;
    const trace::Trace& trace = *run->trace;
    std::vector<std::uint32_t> warps(trace.warps.size());
    std::iota(warps.begin(), warps.end(), 0u);
    const simt::RequestTable requests(trace, warps);
    std::size_t copies = 0;
    for (const std::uint32_t warp : warps)
        for (auto access = trace.warps[warp].accesses_begin; access < trace.warps[warp].accesses_end;
             ++access) {
            const std::string& opcode = trace.program.sites[trace.accesses[access].site].opcode;
            if (!opcode.starts_with("LDGSTS")) continue;
            EXPECT_TRUE(requests.cost(warp, access).bypasses_l1) << opcode;
            ++copies;
        }
    EXPECT_GT(copies, 1000u);
}

/// What is measured is in h200_active_cycles.csv.
TEST(machine_requests, rows_that_several_sms_draw_come_from_dram_once) {
    const std::map<std::string, double> measured{{"unhurried/combine_experts", 19'780'096},
                                                 {"thereafter/paged_scores", 13'640'192}};
    for (const auto& [name, bytes] : measured) {
        const auto slash = name.find('/');
        const auto run =
            run_case(machine_case(name.substr(0, slash), name.substr(slash + 1), Level::machine));
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_NEAR(run->schedule.launch.dram_bytes / bytes, 1, 0.05) << name;
    }
}

}  // namespace
}  // namespace warplens::hardware

#endif
