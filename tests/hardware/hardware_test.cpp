// Every launch of h200_counters.csv and h200_sites.csv, executed whole by the CPU engine and compared with
// the GPU's counters. The tables are for machine code and the engine executes PTX, so the two are compared
// where the assembler changes nothing: it unrolls loops, so sites are compared by kind of access; where it
// merges loads, known_differences below lists the launches.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

#include "app/pipeline/pipeline.h"
#include "tests/hardware/measured_table.h"
#include "tests/hardware/timing_run.h"

namespace warplens::hardware {
namespace {

using analysis::AccessTotals;
using analysis::LaunchReport;

struct KnownDifference {
    std::string kernel;
    std::string what;  // "shared load sites", "shared store counter", …
    std::string reason;
};

const std::vector<KnownDifference>& known_differences() {
    static const std::vector<KnownDifference> list{
        {"matmul_tiled", "shared load sites",
         "the assembler merges loads of neighbouring elements of A's row into 16-byte ones"},
        {"matmul_tiled", "shared load counter", "the same"},
        {"matmul_tiled", "shared store counter",
         "up to 20 % of its wavefronts are arbitration with the loads of other warps; its sites say 1-way"},
        {"histogram_shared", "global load sites",
         "the value is masked with 255, and NVRTC narrows its load to one byte where nvcc loads four: the "
         "sectors "
         "are the same, the ideal is not"},
        {"copy_strided n=1048576 stride=32", "DRAM reads",
         "DRAM is read 64 bytes at a time, so that lines used in one sector cause twice the traffic"},
        {"matmul_naive N=512", "DRAM reads", "one of the two matrices was still in L2 when the launch began"},
        {"matmul_uncoalesced N=512", "DRAM reads", "the same"},
        {"matmul_tiled M=512 N=512 K=512 TILE=16", "DRAM reads", "the same"},
        {"matmul_tiled M=512 N=512 K=512 TILE=32", "DRAM reads", "the same"},
    };
    return list;
}

bool is_known_difference(const std::string& kernel, const std::string& what) {
    return std::any_of(
        known_differences().begin(), known_differences().end(),
        [&](const KnownDifference& known) { return known.kernel == kernel && known.what == what; });
}

std::string by_x(Dim3 extent) {
    return std::to_string(extent.x) + "x" + std::to_string(extent.y) + "x" + std::to_string(extent.z);
}

struct Executed {
    LaunchReport report;
    Program program;
};

Result<Executed> run_row(const MeasuredRow& row) {
    auto launch = load_kernel({"kernels", row.text("kernel"), read_parameters(row.text("parameters"))});
    if (!launch) return tl::unexpected(launch.error());
    Executed run;
    run.program = launch->program;
    app::ExecuteOptions options;
    options.check_golden = false;
    auto executed = pipeline_for("kernels").execute(std::move(*launch), options);
    if (!executed) return tl::unexpected(executed.error());
    run.report = *executed->report;
    return run;
}

/// Sums over the sites of one kind of access.
struct KindSums {
    std::uint64_t lanes = 0, sectors = 0, ideal_sectors = 0;
    std::uint64_t least_wavefronts = 0, most_wavefronts = 0;  // the measured ones are rounded down per site
    std::uint64_t worst_ways = 0;
    /// Sectors per lane of each site, as a reduced fraction, which unrolling does not change.
    std::set<std::pair<std::uint64_t, std::uint64_t>> sectors_per_lane;

    void add_sectors(std::uint64_t site_sectors, std::uint64_t ideal, std::uint64_t site_lanes) {
        lanes += site_lanes;
        sectors += site_sectors;
        ideal_sectors += ideal;
        const std::uint64_t divisor = std::max<std::uint64_t>(1, std::gcd(site_sectors, site_lanes));
        sectors_per_lane.insert({site_sectors / divisor, site_lanes / divisor});
    }
};

using Kind = std::tuple<std::string, std::string, std::uint64_t>;  // space, operation, bits per lane

std::string to_string(const Kind& kind) {
    return std::get<0>(kind) + " " + std::get<1>(kind) + ", " + std::to_string(std::get<2>(kind)) + " bits";
}

std::map<Kind, KindSums> measured_kinds(const std::vector<MeasuredRow>& sites, const std::string& id) {
    std::map<Kind, KindSums> out;
    for (const MeasuredRow& site : sites) {
        if (site.text("id") != id) continue;
        std::string space = site.text("space");
        std::string operation = site.text("operation");
        std::transform(space.begin(), space.end(), space.begin(), ::tolower);
        std::transform(operation.begin(), operation.end(), operation.begin(), ::tolower);
        if (operation == "-") operation = "atomic";  // a reduction: an atomic whose result nobody reads
        KindSums& sums = out[{space, operation, site.number("access_bits")}];
        sums.add_sectors(site.number("l2_sectors"), site.number("l2_sectors_ideal"),
                         site.number("active_threads"));
        const std::uint64_t ways = site.number("conflict_nway");
        const std::uint64_t instructions = site.number("warp_instructions");
        // An average rounded down: exact if all requests of a site are alike, so not for atomics on random
        // words and not if some warps had no active lane, which shows as less than 1.
        const bool rounded = ways == 0 || operation == "atomic";
        sums.least_wavefronts += ways * instructions;
        sums.most_wavefronts += (rounded ? ways + 1 : ways) * instructions;
        sums.worst_ways = std::max(sums.worst_ways, ways);
    }
    return out;
}

std::map<Kind, KindSums> simulated_kinds(const Executed& run) {
    std::map<Kind, KindSums> out;
    for (const analysis::SiteReport& site : run.report.sites) {
        if (site.access.requests == 0) continue;
        const Site& about = run.program.sites[site.site];
        if (site.space != Space::global && site.space != Space::shared) continue;
        KindSums& sums = out[{std::string(warplens::to_string(site.space)),
                              std::string(warplens::to_string(about.operation)), 8 * about.bytes_per_lane}];
        sums.add_sectors(site.access.sectors, site.access.ideal_sectors, site.executed_lanes);
        sums.least_wavefronts += site.access.wavefronts;
        sums.worst_ways = std::max<std::uint64_t>(sums.worst_ways, site.access.worst_wavefronts);
    }
    return out;
}

class measured_launch : public testing::TestWithParam<MeasuredRow> {};

void compare_counters(const MeasuredRow& row, const LaunchReport& report) {
    EXPECT_EQ(by_x(report.launch.geometry.grid), row.text("grid"));
    EXPECT_EQ(by_x(report.launch.geometry.block), row.text("block"));
    EXPECT_EQ(report.global_load.requests, row.number("gld_requests"));
    EXPECT_EQ(report.global_load.sectors, row.number("gld_sectors"));
    EXPECT_EQ(report.global_store.requests, row.number("gst_requests"));
    EXPECT_EQ(report.global_store.sectors, row.number("gst_sectors"));
    EXPECT_EQ(report.global_atomic.requests, row.number("gred_requests"));
    EXPECT_EQ(report.global_atomic.serialized_sectors, row.number("gred_sectors"));
    EXPECT_DOUBLE_EQ(100 * report.occupancy.theoretical, row.real("theoretical_occupancy_pct"));
    const auto compare_wavefronts = [&](const AccessTotals& ours, const char* column,
                                        const std::string& what) {
        if (is_known_difference(row.text("kernel"), what)) return;
        // The counter holds up to 5 % of arbitration with other traffic, never less than the accesses need.
        EXPECT_LE(ours.wavefronts, row.number(column)) << what;
        EXPECT_GE(1.05 * double(ours.wavefronts), row.real(column)) << what;
    };
    compare_wavefronts(report.shared_load, "shared_ld_wavefronts", "shared load counter");
    compare_wavefronts(report.shared_store, "shared_st_wavefronts", "shared store counter");
    compare_wavefronts(report.shared_atomic, "shared_atom_wavefronts", "shared atomic counter");
}

void compare_sites(const std::string& kernel, const std::map<Kind, KindSums>& measured,
                   const std::map<Kind, KindSums>& simulated) {
    for (const auto& [kind, want] : measured) {
        const auto& [space, operation, bits] = kind;
        if (is_known_difference(kernel, space + " " + operation + " sites")) continue;
        const auto found = simulated.find(kind);
        ASSERT_NE(found, simulated.end()) << to_string(kind);
        const KindSums& got = found->second;
        EXPECT_EQ(got.lanes, want.lanes) << to_string(kind);
        if (space == "global") {
            EXPECT_EQ(got.sectors, want.sectors) << to_string(kind);
            EXPECT_EQ(got.ideal_sectors, want.ideal_sectors) << to_string(kind);
            EXPECT_EQ(got.sectors_per_lane, want.sectors_per_lane) << to_string(kind);
        } else {
            EXPECT_GE(got.least_wavefronts, want.least_wavefronts) << to_string(kind);
            EXPECT_LE(got.least_wavefronts, want.most_wavefronts) << to_string(kind);
            if (want.least_wavefronts == want.most_wavefronts) {
                EXPECT_EQ(got.worst_ways, want.worst_ways) << to_string(kind);
            }
        }
    }
}

/// The distinct sectors a launch reads are what it fetched from DRAM, and a little more: its code and
/// constants, a few KB.
void compare_dram_reads(const MeasuredRow& row, const Executed& run) {
    if (is_known_difference(row.text("kernel") + " " + row.text("parameters"), "DRAM reads")) return;
    const auto ideal = analysis::roofline(run.report, run.program, default_gpu(), nullptr);
    const auto measured = static_cast<double>(row.number("dram_read_bytes"));
    EXPECT_GE(measured, ideal.dram_read_bytes_ideal);
    EXPECT_LE(measured, ideal.dram_read_bytes_ideal + 8192);
}

/// Whether the compiler loads fewer bytes than the measured code did.
bool is_narrowed(const std::string& kernel, const std::string& space, const std::string& operation) {
    return kernel == "histogram_shared" && space == "global" && operation == "load";
}

/// Bytes moved over all lanes stay the same however loads are merged.
std::uint64_t bits_moved(const std::map<Kind, KindSums>& kinds, const std::string& space,
                         const std::string& operation) {
    std::uint64_t sum = 0;
    for (const auto& [kind, sums] : kinds)
        if (std::get<0>(kind) == space && std::get<1>(kind) == operation)
            sum += std::get<2>(kind) * sums.lanes;
    return sum;
}

TEST_P(measured_launch, is_reproduced_by_the_engine) {
    const MeasuredRow& row = GetParam();
    const Result<Executed> run = run_row(row);
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_TRUE(run->report.problems.empty()) << run->report.problems.front().message;
    compare_counters(row, run->report);
    compare_dram_reads(row, *run);
    const auto measured = measured_kinds(read_measured_table("h200_sites.csv"), row.text("id"));
    const auto simulated = simulated_kinds(*run);
    ASSERT_FALSE(measured.empty());
    compare_sites(row.text("kernel"), measured, simulated);
    for (const char* space : {"global", "shared"}) {
        for (const char* operation : {"load", "store", "atomic"}) {
            if (is_narrowed(row.text("kernel"), space, operation)) continue;
            EXPECT_EQ(bits_moved(simulated, space, operation), bits_moved(measured, space, operation))
                << space << " " << operation;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(h200, measured_launch, testing::ValuesIn(read_measured_table("h200_counters.csv")),
                         [](const testing::TestParamInfo<MeasuredRow>& info) {
                             return "id_" + info.param.text("id") + "_" + info.param.text("kernel");
                         });

}  // namespace
}  // namespace warplens::hardware
