// The machine level against an H200: the engine executes the very machine code that the profiler counted, and
// each instruction is executed as often, by as many lanes, and moves as many sectors in as many wavefronts.
// machine_code/, unseen/, untouched/, afterwards/, later/, thereafter/, giving_way/ and turns/ have the code
// and the kernels that are in no catalogue; README.md says how the tables were made.
#ifdef WARPLENS_SASS

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/hardware/measured_table.h"
#include "tests/hardware/stored_code.h"
#include "tests/support/every.h"
#include "tests/support/folders.h"

namespace warplens::hardware {
namespace {

/// Where a kernel and its machine code are: one of the folders beside this file, or the catalogue.
struct Place {
    std::string kernel, code;
};

Place place_of(const std::string& name) {
    const std::string here = source_folder() + "/tests/hardware/";
    for (const char* folder : {"machine_code", "unseen", "untouched", "afterwards", "later", "thereafter",
                               "giving_way", "turns"}) {
        const std::string path = here + folder + "/" + name + ".cu";
        if (std::filesystem::exists(path)) return {path, here + folder + "/code"};
    }
    return {source_folder() + "/kernels/" + name + ".cu", here + "machine_code/code"};
}

app::Pipeline& stored_pipeline(const std::string& code) {
    static std::map<std::string, std::unique_ptr<app::Pipeline>> pipelines;
    auto& one = pipelines[code];
    if (one == nullptr) one = std::make_unique<app::Pipeline>(std::make_shared<StoredCode>(code));
    return *one;
}

Result<app::Executed> execute_machine_code(const std::string& name) {
    const Place place = place_of(name);
    WARPLENS_TRY(const auto kernel, read_kernel(place.kernel));
    app::Pipeline& pipeline = stored_pipeline(place.code);
    app::LaunchRequest request{kernel, {}, "H200", {}};
    request.level = Level::machine;
    WARPLENS_TRY(auto loaded, pipeline.load(request));
    app::ExecuteOptions options;
    options.check_golden = false;
    return pipeline.execute(std::move(loaded), options);
}

enum Figure : unsigned { executions = 1, predication = 2, sectors = 4, wavefronts = 8, everything = 15 };

/// What is not compared, and why. An empty kernel or opcode stands for all.
struct Exception {
    std::string_view kernel, opcode;
    unsigned figures;
    std::string_view reason;
};
constexpr std::string_view
    time_decides = "how often a block polls depends on time",
    again =
        "the profiler counts instructions in a launch of their own, with other code, and lanes that wait "
        "execute this again: the counters of the launch, below, have it",
    two_conditions = "the profiler counts the guard, not the branch's second condition",
    meets_again = "parts of a warp that run apart meet by chance where the hardware chooses them together",
    returns = "lanes that return from a recursive function meet elsewhere",
    stack_sectors = "the profiler counts more sectors where few lanes access local memory",
    last_bits = "which boxes a ray enters depends on the last bit of approximate functions",
    last_bits_of_places = "in which voxel a sample lies does, too",
    order_decides = "the order of the blocks' atomics decides";
constexpr Exception exceptions[] = {
    {"", "BRA.DIV", predication, "its condition is in a uniform register"},
    {"", "BSYNC", executions | predication, again},
    {"", "WARPSYNC.ALL", executions | predication, again},
    {"grid_barrier", "", everything, time_decides},
    {"bvh_closest", "", everything, last_bits},
    {"mandelbrot_smooth", "BRA", predication, two_conditions},
    {"kepler_double", "BRA", predication, two_conditions},
    {"raster_tiles", "BRA", predication, two_conditions},
    {"bond_newton", "BRA", predication, two_conditions},
    {"run_lengths", "", sectors, order_decides},
    {"march_volume", "LDG.E.U8.CONSTANT", sectors, last_bits_of_places},
    {"nested_exits", "BRA", executions | predication, two_conditions},
    {"nested_exits", "LDL", sectors, stack_sectors},
    {"claim_again", "", everything, meets_again},
    {"claim_2_4", "", everything, again},
    {"adaptive_area", "FADD", executions, returns},
    {"adaptive_area", "STL", sectors, stack_sectors},
    {"adaptive_area", "LDL", sectors, stack_sectors},
    {"matmul_double_buffered", "LDGSTS.E", wavefronts,
     "the profiler counts two for a copy that has no conflict"},
    {"cluster_histogram", "ATOM.E.ADD.STRONG.GPU", wavefronts, "atomics on another block's shared memory"},
};

struct LaunchException {
    std::string_view kernel, reason;
};
constexpr LaunchException launches_that_differ[] = {
    {"grid_barrier", time_decides},
    {"claim_again", meets_again},
    {"nested_exits", returns},
    {"adaptive_area", returns},
    {"print_lanes", "the counters of the launch have what vprintf executes"},
    {"bvh_closest", last_bits},
    {"nqueens_bits", "27 of 7,464,516 lanes too many; the instructions are equal"},
};

/// MUFU is computed in double precision and rounded once, which is not the hardware's last bit.
constexpr std::string_view approximate[] = {
    "attention_naive", "attention_tiled", "attention_online", "softmax_rows",
    "layernorm_rows",  "nbody_tiled",     "cross_entropy",    "bilateral_filter",
    "bvh_closest",     "coulomb_slice",   "group_norm_silu",  "flash_forward",
    "mri_q",           "selective_scan",  "expert_choice",    "swiglu_half",
    "goertzel_bins",   "decayed_keys",    "paged_scores",     "march_volume"};
constexpr std::string_view ordered[] = {"edge_scatter", "run_lengths", "mesh_assembly"};

unsigned compared_figures(const std::string& kernel, const std::string& opcode) {
    unsigned figures = everything;
    for (const Exception& each : exceptions)
        if ((each.kernel.empty() || each.kernel == kernel) && (each.opcode.empty() || each.opcode == opcode))
            figures &= ~each.figures;
    return figures;
}

struct Counts {
    std::uint64_t executions = 0, lanes = 0, executed_lanes = 0, sectors = 0, wavefronts = 0;
    bool operator==(const Counts&) const = default;

    Counts only(unsigned figures) const {
        Counts kept;
        if (figures & Figure::executions) kept.executions = executions, kept.lanes = lanes;
        if (figures & Figure::predication) kept.executed_lanes = executed_lanes;
        if (figures & Figure::sectors) kept.sectors = sectors;
        if (figures & Figure::wavefronts) kept.wavefronts = wavefronts;
        return kept;
    }
};

void PrintTo(const Counts& counts, std::ostream* out) {
    *out << counts.executions << " executions, " << counts.lanes << " lanes, " << counts.executed_lanes
         << " after predication, " << counts.sectors << " sectors, " << counts.wavefronts << " wavefronts";
}

Counts counts_of(const analysis::SiteReport& site) {
    // The guard of a branch holds for the lanes that take it.
    Counts counts{site.steps, site.active_lanes, site.branches > 0 ? site.taken_lanes : site.executed_lanes};
    counts.sectors = site.access.sectors;
    // The profiler's column is of shared memory; lanes that ask for several words of constants are ours
    // alone.
    if (site.space != Space::constant) counts.wavefronts = site.access.wavefronts;
    return counts;
}

std::vector<MeasuredRow> rows_of(const std::string& table, const std::string& kernel) {
    static std::map<std::string, std::map<std::string, std::vector<MeasuredRow>>> tables;
    auto& rows = tables[table];
    if (rows.empty())
        for (const MeasuredRow& row : read_measured_table(table)) rows[row.text("kernel")].push_back(row);
    return rows[kernel];
}

std::vector<std::string> measured_kernels() {
    std::vector<std::string> names;
    for (const MeasuredRow& row : read_measured_table("h200_machine_launches.csv"))
        names.push_back(row.text("kernel"));
    return names;
}

class MachineCounts : public testing::TestWithParam<std::string> {};

TEST_P(MachineCounts, are_those_of_the_hardware_instruction_by_instruction) {
    const auto executed = execute_machine_code(GetParam());
    ASSERT_TRUE(executed) << executed.error().message;
    std::map<std::uint64_t, MeasuredRow> measured;
    for (const MeasuredRow& row : rows_of("h200_machine_counts.csv", GetParam()))
        measured[row.number("offset")] = row;
    ASSERT_FALSE(measured.empty());
    for (const analysis::SiteReport& site : executed->report->sites) {
        Counts expected;
        std::string opcode;
        const std::uint64_t offset = std::uint64_t{site.site} * 16;
        if (const auto found = measured.find(offset); found != measured.end()) {
            const MeasuredRow& row = found->second;
            opcode = row.text("opcode");
            expected = {row.number("executions"), row.number("lanes"), row.number("executed_lanes"),
                        row.number("sectors"), row.number("wavefronts")};
        }
        const unsigned figures = compared_figures(GetParam(), opcode);
        EXPECT_EQ(counts_of(site).only(figures), expected.only(figures)) << "at " << offset << " " << opcode;
    }
}

TEST_P(MachineCounts, are_those_of_the_whole_launch) {
    const auto differs = std::ranges::find(launches_that_differ, GetParam(), &LaunchException::kernel);
    if (differs != std::end(launches_that_differ)) GTEST_SKIP() << differs->reason;
    const auto executed = execute_machine_code(GetParam());
    ASSERT_TRUE(executed) << executed.error().message;
    std::uint64_t executions = 0, lanes = 0;
    for (const analysis::SiteReport& site : executed->report->sites) {
        executions += site.steps;
        lanes += site.active_lanes;
    }
    const std::vector<MeasuredRow> rows = rows_of("h200_machine_launches.csv", GetParam());
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(executions, rows.front().number("inst_executed"));
    EXPECT_EQ(lanes, rows.front().number("thread_inst_executed"));
}

TEST_P(MachineCounts, leave_the_bytes_that_the_hardware_leaves) {
    if (std::ranges::find(approximate, GetParam()) != std::end(approximate))
        GTEST_SKIP() << "approximate functions: tests/golden compares with the PTX level";
    if (std::ranges::find(ordered, GetParam()) != std::end(ordered)) GTEST_SKIP() << order_decides;
    const auto executed = execute_machine_code(GetParam());
    ASSERT_TRUE(executed) << executed.error().message;
    for (const MeasuredRow& row : rows_of("h200_machine_results.csv", GetParam())) {
        const simt::Allocation* buffer = executed->memory.find(row.text("buffer"));
        ASSERT_NE(buffer, nullptr);
        EXPECT_EQ(fmt::format("{:016x}", hash_of(buffer->data.data(), buffer->bytes)), row.text("hash"))
            << row.text("buffer");
    }
}

INSTANTIATE_TEST_SUITE_P(launches, MachineCounts, testing::ValuesIn(every(3, measured_kernels())),
                         [](const auto& info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(others_long, MachineCounts, testing::ValuesIn(all_but_every(3, measured_kernels())),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace warplens::hardware

#endif
