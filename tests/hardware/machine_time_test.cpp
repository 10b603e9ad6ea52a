// Time from machine code: what the model issues is the instruction stream that the GPU executes, and the
// cycles of whole launches are those of an H200 within limits. machine_time/ and machine_code/ hold kernels
// that the model was not made on. bench/timing_accuracy prints the rows.
#ifdef WARPLENS_SASS

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "analysis/report/launch_report.h"
#include "simt/timing/machine_code.h"
#include "tests/hardware/stall_samples.h"
#include "tests/hardware/time_limits.h"
#include "tests/hardware/timing_tables.h"

namespace warplens::hardware {
namespace {

TimingCase stored(const std::string& kernel) {
    return {"tests/hardware/machine_code",     kernel, {}, false, Level::machine,
            "tests/hardware/machine_code/code"};
}

TEST(machine_time, every_instruction_is_one_operation_in_its_order) {
    const auto launch = load_kernel(stored("sgemm_vectorized"));
    ASSERT_TRUE(launch) << launch.error().message;
    ASSERT_TRUE(launch->timed_code);
    const simt::MachineProgram& code = *launch->timed_code;
    ASSERT_EQ(code.ops.size(), launch->program.sites.size());
    EXPECT_TRUE(code.has_control_fields);
    for (SiteId site = 0; site < code.ops.size(); ++site) {
        const simt::MachineOp& op = code.ops[site];
        EXPECT_EQ(op.site, site);
        const std::string& opcode = launch->program.sites[site].opcode;
        if (!opcode.starts_with("LDG")) continue;
        EXPECT_EQ(op.pipe, Pipe::lsu) << opcode;
        EXPECT_NE(op.record, simt::no_record) << opcode;
        EXPECT_LT(op.control.write_scoreboard, scoreboard_count) << opcode;
    }
}

TEST(machine_time, the_schedule_issues_each_executed_instruction_once) {
    for (const char* kernel : {"bitonic_sort", "histogram_privatized", "nested_exits", "sgemm_vectorized"}) {
        const auto run = run_case(stored(kernel));
        ASSERT_TRUE(run) << run.error().message;
        std::uint64_t executed = 0;
        for (const auto& warp : run->schedule.warps)
            executed += trace::step_count(*run->trace, run->trace->warps[warp.warp_record]);
        EXPECT_EQ(run->schedule.totals.issued, executed) << kernel;
        EXPECT_EQ(trace::check(run->schedule), "") << kernel;
    }
}

TEST(machine_time, the_states_of_the_instructions_sum_to_those_of_the_warps) {
    const auto run = run_case(stored("softmax_rows"));
    ASSERT_TRUE(run) << run.error().message;
    ByWarpState<std::uint64_t> sums;
    for (const auto& states : run->schedule.site_states)
        for (const WarpStateInfo& row : warp_states) sums[row.state] += states[row.state];
    EXPECT_EQ(sums, run->schedule.totals.states);
}

TEST(machine_time, a_wait_for_a_load_is_charged_to_the_instruction_whose_mask_names_its_scoreboard) {
    const auto launch = load_kernel(stored("stencil_3d"));
    ASSERT_TRUE(launch) << launch.error().message;
    const auto run = run_case(stored("stencil_3d"));
    ASSERT_TRUE(run) << run.error().message;
    std::uint64_t waited = 0;
    for (const simt::MachineOp& op : launch->timed_code->ops) {
        const auto cycles = run->schedule.site_states[op.site][WarpState::long_scoreboard];
        waited += cycles;
        const bool waits = op.control.wait_mask != 0 || op.kind == simt::MachineKind::scoreboard_wait;
        EXPECT_TRUE(waits || cycles == 0) << run->trace->program.sites[op.site].text;
    }
    EXPECT_GT(waited, 0u);
}

TEST(machine_time, a_report_names_the_level_of_its_schedule_and_the_stalls_of_each_instruction) {
    const TimingCase asked = stored("bitonic_sort");
    auto launch = load_kernel(asked);
    ASSERT_TRUE(launch) << launch.error().message;
    const Program program = launch->program;
    app::ExecuteOptions options;
    options.check_golden = false;
    options.model_time = true;
    const auto executed = pipeline_for(asked.folder, asked.code).execute(std::move(*launch), options);
    ASSERT_TRUE(executed) << executed.error().message;
    ASSERT_TRUE(executed->report->schedule) << executed->report->schedule_absent;
    const auto json = nlohmann::json::parse(analysis::to_json(*executed->report, program));
    EXPECT_EQ(json.at("schedule").at("level"), "machine");
    EXPECT_GT(json.at("roofline").at("integer_operations"), 0);
    std::uint64_t barrier = 0;
    for (const auto& site : json.at("sites")) barrier += site.at("stalls").value("barrier", std::uint64_t{0});
    EXPECT_EQ(barrier, executed->report->schedule->stalls.states[WarpState::barrier]);
    EXPECT_GT(barrier, 0u);
}

TEST(machine_time, the_sm_that_ends_last_is_timed_where_blocks_differ_in_work) {
    TimingCase asked = stored("mandelbrot_smooth");
    const auto first = run_case(asked);
    asked.whole_grid = true;
    const auto last = run_case(asked);
    ASSERT_TRUE(first) << first.error().message;
    ASSERT_TRUE(last) << last.error().message;
    EXPECT_GT(last->schedule.launch.cycles, 2 * first->schedule.launch.cycles);
    // A report executes the whole grid and finds the same SM.
    auto launch = load_kernel(stored("mandelbrot_smooth"));
    ASSERT_TRUE(launch) << launch.error().message;
    app::ExecuteOptions options;
    options.check_golden = false;
    options.model_time = true;
    const auto executed = pipeline_for(asked.folder, asked.code).execute(std::move(*launch), options);
    ASSERT_TRUE(executed) << executed.error().message;
    ASSERT_TRUE(executed->report->schedule) << executed->report->schedule_absent;
    EXPECT_EQ(executed->report->schedule->launch.cycles, last->schedule.launch.cycles);
}

TEST(machine_time, only_atomics_that_count_lanes_do_so) {
    const auto launch = load_kernel(stored("histogram_privatized"));
    ASSERT_TRUE(launch) << launch.error().message;
    std::size_t counting = 0;
    for (const simt::MachineOp& op : launch->timed_code->ops) {
        const bool counts = launch->program.sites[op.site].opcode.starts_with("ATOMS.POPC.INC");
        EXPECT_EQ(op.counts_lanes, counts) << launch->program.sites[op.site].text;
        counting += counts ? 1 : 0;
    }
    EXPECT_GE(counting, 16u);
}

/// The limits are a little above what the model reaches; docs/timing_model.md has its figures.
TEST(machine_time, catalogue_launches_take_the_measured_cycles) {
    expect_within(compare_machine_launches("catalogue", Level::machine), {0.0536, 0.113, 0.1929, 0.998},
                  {0, 0.1142, 0});  // gather
}

TEST(machine_time, launches_of_the_counter_table_take_the_measured_cycles) {
    expect_within(compare_counters_table(Level::machine), {0.034, 0.063, 0.096, 0.9999},
                  {0.0364, 0.0821, 0.1122, 0.9998});  // saxpy, transpose_tiled
}

TEST(machine_time_long, launches_of_kernels_written_before_they_were_modelled_take_the_measured_cycles) {
    expect_within(compare_machine_launches("unseen", Level::machine), {0.0401, 0.1002, 0.218, 0.9999},
                  {0.0408, 0.1015, 0.2253});  // inverse_3x3, radix_digits
}

TEST(machine_time_long, launches_on_an_h100_take_the_measured_cycles) {
    expect_within(compare_machine_launches("unseen", Level::machine, false, "H100"),
                  {0.048, 0.083, 0.2513, 0.9999}, {0.0497, 0.1282, 0.2517});  // inverse_3x3, radix_digits
    expect_within(compare_machine_launches("held_out", Level::machine, false, "H100"),
                  {0.0468, 0.0865, 0.1114, 0.997}, {0.0539, 0.0982, 0.1168});
}

TEST(machine_time_long, launches_that_were_modelled_before_any_was_measured_take_the_measured_cycles) {
    expect_within(compare_machine_launches("fresh", Level::machine, false, "H100"),
                  {0.047, 0.0972, 0.131, 0.999}, {0.0532, 0.0994, 0.1536});  // layernorm_backward, dct_8x8
    expect_within(compare_machine_launches("fresh", Level::machine), {0.037, 0.0831, 0.102, 0.998},
                  {0.0378, 0, 0});
}

/// Far from what is asked of the model (docs/timing_model.md says why): the limits only find what gets worse.
TEST(machine_time_long, launches_of_shapes_that_no_other_set_has_are_as_far_off_as_is_said_of_them) {
    expect_within(compare_machine_launches("blind", Level::machine), {0.0908, 0.1417, 0.354, 0.984},
                  {0.094, 0.1432, 0.478, 0.9823});  // gemm_cp_async (one start of four), planes_of_pixels
}

/// Modelled before any was measured (afterwards_modelled.csv), 17 % off, which took slices of L2 out again.
TEST(machine_time_long, sixteen_short_launches_are_as_far_off_as_is_said_of_them) {
    expect_within(compare_machine_launches("afterwards", Level::machine), {0.0768, 0.1122, 0.2913, 0.982});
}

/// Modelled before any was measured (later_modelled.csv).
TEST(machine_time_long, sixteen_launches_that_nothing_was_tuned_to_are_as_far_off_as_is_said_of_them) {
    expect_within(compare_machine_launches("later", Level::machine), {0.0725, 0.1411, 0.2917, 0.985},
                  {0, 0.1455, 0});  // mesh_assembly
}

/// Modelled before any was measured (thereafter_modelled.csv).
TEST(machine_time_long, sixteen_launches_half_of_which_gather_are_as_far_off_as_is_said_of_them) {
    expect_within(compare_machine_launches("thereafter", Level::machine), {0.0844, 0.1511, 0.1947, 0.995},
                  {0.0846, 0.1596, 0.2114});  // median_gain, relax_edges
}

/// Modelled before any was measured (unmet_modelled.csv). Two of them led to a change, and the rest is far
/// from what is asked of the model: the limits only find what gets worse.
TEST(machine_time_long, fourteen_launches_two_of_which_led_to_a_change_are_as_far_off_as_is_said_of_them) {
    expect_within(compare_machine_launches("unmet", Level::machine), {0.089, 0.251, 0.327, 0.995},
                  {0.0916, 0.2999, 0.3359, 0.9949});  // cache_slots, embedding_gradient
}

/// Modelled before any was measured (untold_modelled.csv), and within what is asked of the model: 0.08, 0.2,
/// 0.4 and 0.99. Who reads a shared line first, which unmet/ led to, makes these shorter than they are.
TEST(machine_time_long, fourteen_launches_of_well_known_shapes_are_within_what_is_asked) {
    expect_within(compare_machine_launches("untold", Level::machine), {0.0657, 0.11, 0.137, 0.999},
                  {0.0684, 0.1241, 0.1546});  // jump_flood
}

/// Modelled before any was measured (unforeseen_modelled.csv). Asked for is 0.08 in the mean.
TEST(machine_time_long, thirteen_launches_of_well_known_shapes_are_as_far_off_as_is_said_of_them) {
    expect_within(compare_machine_launches("unforeseen", Level::machine), {0.075, 0.1303, 0.2003, 0.995},
                  {0, 0.1517, 0});  // hash_build
}

/// Modelled before any was measured (unwritten_modelled.csv), and within what is asked of the model.
TEST(machine_time_long, eighteen_launches_of_well_known_shapes_are_within_what_is_asked) {
    expect_within(compare_machine_launches("unwritten", Level::machine), {0.0609, 0.1221, 0.1834, 0.998},
                  {0.0646, 0.1692, 0.1956});  // bicubic_resize, skin_vertices
}

/// Modelled before any was measured (unbound_modelled.csv). Asked for is a correlation of 0.99.
TEST(machine_time_long, sixteen_launches_of_well_known_shapes_are_as_far_off_as_is_said_of_them) {
    expect_within(compare_machine_launches("unbound", Level::machine), {0.0712, 0.1821, 0.3918, 0.983},
                  {0.0731, 0.2, 0});  // voxel_means, syrk_tiled
}

/// Modelled before any was measured (unhurried_modelled.csv), and within what is asked of the model: 0.08,
/// 0.2, 0.4 and 0.99. Rows that several SMs draw have changed the model since.
TEST(machine_time_long, sixteen_launches_of_other_well_known_shapes_are_within_what_is_asked) {
    expect_within(compare_machine_launches("unhurried", Level::machine), {0.0385, 0.0834, 0.1721, 0.997},
                  {0.0395, 0, 0.1746});  // jagged_spmv, reaction_rates
}

/// Modelled before any was measured (uncalled_ and unhewn_modelled.csv), and within what is asked.
TEST(machine_time_long, launches_that_no_choice_had_in_view_are_as_far_off_as_is_said_of_them) {
    expect_within(compare_machine_launches("uncalled", Level::machine), {0.0619, 0.1163, 0.2253, 0.998},
                  {0, 0, 0.2572});  // slice_grid
    expect_within(compare_machine_launches("unhewn", Level::machine), {0.0621, 0.124, 0.1705, 0.999});
    // Without what warps make each other repeat in boost_histograms.
    expect_within(compare_machine_launches("untrodden", Level::machine), {0.0969, 0.2385, 0.3595, 0.9966});
}

/// Modelled before any was measured (untouched_modelled.csv). Since then what waits at a barrier was read
/// from the samples of 150 kernels, these among them; no number of the model has been chosen by them.
TEST(machine_time_long, launches_of_kernels_that_nothing_is_tuned_to_are_as_far_off_as_is_said_of_them) {
    expect_within(compare_machine_launches("untouched", Level::machine), {0.0512, 0.131, 0.2001, 0.9937},
                  {0.0528, 0.1333, 0, 0.9932});  // component_hook, mri_q
}

TEST(machine_time_long, probes_of_one_block_take_the_measured_cycles) {
    expect_within(compare_timing_table(Level::machine), {0.0286, 0.0809, 0.27, 0.999},
                  {0.033, 0.1006, 0.348});  // shared_atomic
}

TEST(machine_time, warps_wait_where_the_profiler_samples_them) {
    std::vector<double> ranks, shares;
    for (const StallAgreement& row : compare_stalls("machine_code")) {
        EXPECT_EQ(row.problem, "") << row.kernel;
        ranks.push_back(row.rank_all);
        shares.push_back(row.shares);
    }
    ASSERT_GE(ranks.size(), 10u);
    std::ranges::sort(ranks);
    std::ranges::sort(shares);
    EXPECT_GE(ranks[ranks.size() / 2], 0.87);
    EXPECT_GE(shares[shares.size() / 2], 0.90);
}

/// By site: the fewest cycles from an issue of it to the warp's next issue.
std::map<SiteId, std::uint32_t> least_gaps(const trace::Schedule& schedule) {
    std::map<SiteId, std::uint32_t> out;
    for (const auto& warp : schedule.warps) {
        SiteId before = no_index;
        std::uint32_t at = 0;
        for (const auto& span : trace::spans_of(schedule, warp)) {
            if (span.state() != WarpState::selected) continue;
            if (before != no_index) {
                const auto entry = out.try_emplace(before, no_index).first;
                entry->second = std::min(entry->second, span.begin - at);
            }
            before = span.site();
            at = span.begin;
        }
    }
    return out;
}

TEST(machine_time, behind_a_reconvergence_a_warp_waits_as_behind_a_branch) {
    const auto launch = load_kernel(stored("stencil_3d"));
    ASSERT_TRUE(launch) << launch.error().message;
    const auto run = run_case(stored("stencil_3d"));
    ASSERT_TRUE(run) << run.error().message;
    const auto gaps = least_gaps(run->schedule);
    const auto branch = static_cast<std::uint32_t>(sm_timing(default_gpu()).branch_latency);
    std::uint32_t least = no_index;
    for (const simt::MachineOp& op : launch->timed_code->ops) {
        if (op.kind != simt::MachineKind::reconvergence || gaps.count(op.site) == 0) continue;
        ASSERT_GE(gaps.at(op.site), op.control.stall + branch) << op.site;
        least = std::min(least, gaps.at(op.site) - op.control.stall);
    }
    EXPECT_EQ(least, branch);  // some wait for nothing else
}

TEST(machine_time, a_warp_is_sampled_behind_a_taken_branch_until_its_stall_count_has_ended) {
    const auto launch = load_kernel(stored("tree_search"));
    ASSERT_TRUE(launch) << launch.error().message;
    const auto run = run_case(stored("tree_search"));
    ASSERT_TRUE(run) << run.error().message;
    std::set<SiteId> taken;
    for (const auto& warp : run->schedule.warps) {
        SiteId before = no_index;
        for (const auto& span : trace::spans_of(run->schedule, warp)) {
            if (span.state() != WarpState::selected) continue;
            if (before != no_index && span.site() != before + 1) taken.insert(before);
            before = span.site();
        }
    }
    const SitesByState samples = modelled_states(*run);
    for (const SiteId branch : taken) {
        ASSERT_EQ(samples.count((branch + std::uint64_t{1}) * 16), 1u) << branch;
        EXPECT_GT(samples.at((branch + std::uint64_t{1}) * 16)[WarpState::selected], 0) << branch;
    }
    EXPECT_FALSE(taken.empty());
}

/// In each of nine levels fewer warps take part. The samples of all of them have 140 to 230 cycles of a wait
/// behind the loads of a level.
TEST(machine_time, a_shared_load_of_no_lane_is_waited_for) {
    const auto run = run_case(machine_case("thereafter", "haar_levels", Level::machine));
    ASSERT_TRUE(run) << run.error().message;
    const auto& states = run->schedule.totals.states;
    double all = 0;
    for (const WarpStateInfo& row : warp_states) all += double(states[row.state]);
    EXPECT_GT(double(states[WarpState::short_scoreboard]), 0.07 * all);
}

TEST(machine_time, arithmetic_after_a_barrier_issues_before_it_opens) {
    const auto launch = load_kernel(stored("sgemm_vectorized"));
    ASSERT_TRUE(launch) << launch.error().message;
    const auto run = run_case(stored("sgemm_vectorized"));
    ASSERT_TRUE(run) << run.error().message;
    std::uint64_t waited = 0;
    for (const simt::MachineOp& op : launch->timed_code->ops) {
        const auto cycles = run->schedule.site_states[op.site][WarpState::barrier];
        waited += cycles;
        EXPECT_TRUE(cycles == 0 || !op.passes_barriers) << run->trace->program.sites[op.site].text;
    }
    EXPECT_GT(waited, 0u);
}

TEST(machine_time, of_the_uniform_datapath_a_barrier_holds_moves_and_constants_and_no_vote_waits) {
    std::map<std::string, int> passing, held;
    for (const TimingCase& asked : {machine_case("blind", "radix_scatter", Level::machine),
                                    machine_case("untouched", "hamming_matrix", Level::machine)}) {
        const auto launch = load_kernel(asked);
        ASSERT_TRUE(launch) << launch.error().message;
        for (const simt::MachineOp& op : launch->timed_code->ops)
            ++(op.passes_barriers ? passing : held)[launch->program.sites[op.site].opcode];
    }
    EXPECT_GT(passing["UIADD3"], 0);
    EXPECT_GT(passing["VOTE.ANY"], 0);
    EXPECT_GT(held["UMOV"], 0);
    EXPECT_GT(held["ULDC"], 0);
    EXPECT_EQ(held["UIADD3"] + held["VOTE.ANY"] + passing["UMOV"] + passing["ULDC"], 0);
}

TEST(machine_time_long, launches_that_the_model_was_not_made_on_take_the_measured_cycles) {
    std::vector<Comparison> rows = compare_machine_launches("machine_time", Level::machine);
    for (const Comparison& row : compare_machine_launches("machine_code", Level::machine))
        rows.push_back(row);
    expect_within(rows, {0.0502, 0.098, 0.15, 0.999}, {0.0507, 0, 0.196});  // histogram_privatized
}

}  // namespace
}  // namespace warplens::hardware

#endif
