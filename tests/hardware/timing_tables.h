// The measured tables of times, each row with the modelled value: h200_latency.csv and h200_timing.csv
// through the probes, h200_bandwidth.csv and h200_counters.csv through whole launches. Cycles of whole
// launches are modelled at each start (TimingRequest::start), the rest at the one that is shown.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "core/sm_timing.h"
#include "tests/hardware/correlation.h"
#include "tests/hardware/measured_table.h"
#include "tests/hardware/timing_run.h"

namespace warplens::hardware {

inline std::string table_of(const std::string& gpu, const std::string& table) {
    return (gpu == "H100" ? "h100_" : "h200_") + table;
}

struct Comparison {
    std::string name;
    double modelled = 0, measured = 0;
    std::string problem;  // why there is no modelled figure; empty when there is one
    int start = 0;        // TimingRequest's

    double error() const { return modelled / measured - 1; }
};

inline Comparison compare(std::string name, double measured, const Result<double>& modelled) {
    if (!modelled) return {std::move(name), 0, measured, modelled.error().message};
    return {std::move(name), *modelled, measured, {}};
}

/// A whole launch: a row for each of the model's starts, for what a user sees is one of them.
inline void compare_launch(std::vector<Comparison>& rows, const std::string& name, double measured,
                           const TimingCase& asked) {
    const auto cycles = cycles_at_starts(asked);
    if (!cycles) {
        rows.push_back({name, 0, measured, cycles.error().message});
        return;
    }
    for (int start = 0; start < simt::start_count; ++start)
        rows.push_back({name, (*cycles)[static_cast<std::size_t>(start)], measured, {}, start});
}

inline std::vector<Comparison> rows_at_start(const std::vector<Comparison>& rows, int start) {
    std::vector<Comparison> out;
    std::ranges::copy_if(rows, std::back_inserter(out),
                         [&](const Comparison& row) { return row.start == start; });
    return out;
}

/// Of all rows together, whatever their start. Errors are absolute values.
struct Accuracy {
    std::size_t rows = 0;
    double mean = 0, ninetieth = 0, worst = 0;
    double correlation = 0, rank_correlation = 0;
    std::vector<std::string> problems;  // of rows without a figure, which the rest leaves out
};

inline Accuracy accuracy_of(const std::vector<Comparison>& rows) {
    Accuracy out;
    std::vector<double> errors, modelled, measured;
    for (const Comparison& row : rows) {
        if (!row.problem.empty()) {
            out.problems.push_back(row.name + ": " + row.problem);
            continue;
        }
        errors.push_back(std::abs(row.error()));
        modelled.push_back(row.modelled);
        measured.push_back(row.measured);
    }
    out.rows = errors.size();
    if (errors.empty()) return out;
    std::ranges::sort(errors);
    out.mean = std::accumulate(errors.begin(), errors.end(), 0.0) / double(errors.size());
    out.ninetieth = errors[(errors.size() - 1) * 9 / 10];
    out.worst = errors.back();
    out.correlation = linear_correlation(modelled, measured);
    out.rank_correlation = hardware::rank_correlation(modelled, measured);
    return out;
}

inline Result<double> clock_cycles(const std::string& probe, const Overrides& parameters,
                                   bool data_in_l2 = true, Level level = Level::ptx) {
    const auto run = run_case({"tests/hardware/probes", probe, parameters, data_in_l2, level});
    if (!run) return tl::unexpected(run.error());
    return cycles_between_clocks(*run);
}

/// Cycles per link of a chain, from two lengths of it, so that the time before and after it cancels out.
inline Result<double> cycles_a_link(const std::string& probe, Overrides parameters, bool data_in_l2 = true,
                                    Level level = Level::ptx) {
    const std::string length = probe == "atomic_chain" ? "n" : "ROUNDS";
    parameters[length] = "32";
    const auto little = clock_cycles(probe, parameters, data_in_l2, level);
    if (!little) return little;
    parameters[length] = "96";
    const auto more = clock_cycles(probe, parameters, data_in_l2, level);
    if (!more) return more;
    return (*more - *little) / 64;
}

inline std::vector<Comparison> compare_timing_table(Level level = Level::ptx) {
    std::vector<Comparison> out;
    for (const MeasuredRow& row : read_measured_table("h200_timing.csv")) {
        Overrides parameters = read_parameters(row.text("parameters"));
        if (parameters.count("ilp") > 0) parameters["ILP"] = parameters.at("ilp");
        parameters.erase("ilp");
        parameters.erase("steps");
        parameters["warps"] = row.text("warps");
        parameters["n"] = row.text("iterations");
        out.push_back(
            compare(row.text("probe") + " " + row.text("parameters") + " warps=" + row.text("warps"),
                    row.real("cycles"), clock_cycles(row.text("probe"), parameters, true, level)));
    }
    return out;
}

inline std::vector<Comparison> compare_latency_table(Level level = Level::ptx) {
    struct Probe {
        std::string what, kernel;
        Overrides parameters;
        bool data_in_l2 = true;
    };
    std::vector<Probe> probes{
        {"l1_hit", "cache_chase", {{"CACHE", "ca"}}},
        {"l2_hit", "cache_chase", {{"CACHE", "cg"}}},
        {"dram", "dram_chase", {}, false},
        {"ffma", "dependent_chain", {{"OP", "ffma"}}},
        {"fadd", "dependent_chain", {{"OP", "fadd"}}},
        {"imad", "dependent_chain", {{"OP", "imad"}}},
        {"dfma", "dependent_chain", {{"OP", "dfma"}}},
        {"mufu_ex2", "dependent_chain", {{"OP", "ex2"}}},
        {"shfl_bfly", "dependent_chain", {{"OP", "bfly"}}},
        {"redux_add", "dependent_chain", {{"OP", "redux"}}},
        {"vote_ballot_with_setp", "dependent_chain", {{"OP", "ballot"}}},
        {"atom_global_add_1_lane", "atomic_chain", {{"SPACE", "global"}, {"lanes", "1"}}},
        {"atom_global_add_32_lanes_same_address", "atomic_chain", {{"SPACE", "global"}, {"lanes", "32"}}},
        {"atom_shared_add_1_lane", "atomic_chain", {{"SPACE", "shared"}, {"lanes", "1"}}},
        {"atom_shared_add_32_lanes_same_address", "atomic_chain", {{"SPACE", "shared"}, {"lanes", "32"}}},
        {"ffma_issue_32_warps", "dependent_chain", {{"OP", "ffma"}, {"warps", "32"}}},
        {"imad_issue_16_warps", "dependent_chain", {{"OP", "imad"}, {"warps", "16"}}},
        {"imad_issue_32_warps", "dependent_chain", {{"OP", "imad"}, {"warps", "32"}}},
        {"mufu_issue_16_warps", "dependent_chain", {{"OP", "ex2"}, {"warps", "16"}}},
        {"mufu_issue_32_warps", "dependent_chain", {{"OP", "ex2"}, {"warps", "32"}}},
        {"shared_load_issue_32_warps", "shared_chase", {{"stride", "1"}, {"warps", "32"}}},
    };
    for (const char* ways : {"1", "2", "4", "8", "16", "32"})
        probes.push_back({"shared_load_" + std::string(ways) + "way", "shared_chase", {{"stride", ways}}});
    for (const char* warps : {"1", "2", "4", "8", "16", "32"})
        probes.push_back({"bar_sync_" + std::string(warps) + (warps == std::string("1") ? "_warp" : "_warps"),
                          "barrier_chain",
                          {{"warps", warps}}});
    std::vector<Comparison> out;
    for (const MeasuredRow& row : read_measured_table("h200_latency.csv")) {
        const auto probe = std::find_if(probes.begin(), probes.end(),
                                        [&](const Probe& each) { return each.what == row.text("what"); });
        if (probe == probes.end()) {
            out.push_back({row.text("what"), 0, row.real("cycles"), "there is no probe for it"});
            continue;
        }
        out.push_back(compare(row.text("what"), row.real("cycles"),
                              cycles_a_link(probe->kernel, probe->parameters, probe->data_in_l2, level)));
    }
    return out;
}

/// Cold loads of one warp of each block, all blocks the same words: cycles of a load.
inline std::vector<Comparison> compare_walks(Level level = Level::machine) {
    std::vector<Comparison> out;
    for (const MeasuredRow& row : read_measured_table("h200_walks.csv")) {
        const std::string blocks = row.text("blocks"), step = row.text("step");
        const auto run = run_case(
            {"tests/hardware/probes", "cold_walk", {{"blocks", blocks}, {"step", step}}, false, level});
        const auto cycles = run ? cycles_of_a_load(*run) : Result<double>(tl::unexpected(run.error()));
        out.push_back(compare(blocks + " blocks, step " + step, row.real("mean"), cycles));
    }
    return out;
}

/// The rate of a long copy. The launches on the GPU moved 1 GiB each way; these move less, several times what
/// L2 holds, and only the first SM's blocks are executed.
inline std::vector<Comparison> compare_bandwidth_table() {
    constexpr double elements = 1 << 26;
    std::vector<Comparison> out;
    for (const MeasuredRow& row : read_measured_table("h200_bandwidth.csv")) {
        const auto run = run_case({"tests/hardware/probes",
                                   "copy_stream",
                                   {{"n", std::to_string(long(elements))},
                                    {"blocks_per_sm", row.text("blocks_per_sm")},
                                    {"threads", row.text("threads")}}});
        Result<double> rate = fail("");
        if (run) {
            const double seconds = run->schedule.launch.cycles / sm_timing(default_gpu()).clock_hz;
            rate = 2 * 4 * elements / seconds * 1e-9;
        } else {
            rate = tl::unexpected(run.error());
        }
        out.push_back(
            compare(row.text("blocks_per_sm") + " blocks an SM of " + row.text("threads") + " threads",
                    row.real("gigabytes_per_s"), rate));
    }
    return out;
}

/// Reads of DRAM by so few warps that DRAM is nearly idle: one load or four at once. The launches on the GPU
/// read 1 GiB; these read enough for lines near and far to be equally many in each warp.
inline std::vector<Comparison> compare_idle_reads(const std::string& gpu, Level level = Level::ptx) {
    std::vector<Comparison> out;
    for (const MeasuredRow& row : read_measured_table(table_of(gpu, "memory_parameters.csv"))) {
        const std::string& parameters = row.text("parameters");
        if (row.text("what") != "dram_bandwidth" || !parameters.starts_with("read")) continue;
        Overrides probe = read_parameters(parameters.substr(5));
        const int warps = std::stoi(probe["warps_per_sm"]);
        if (warps > 4) continue;
        TimingCase asked{"tests/hardware/probes",
                         "dram_read",
                         {{"ILP", probe["ilp"]},
                          {"threads", std::to_string(32 * warps)},
                          {"n", std::to_string(132 * 32 * warps * 512)}},
                         false,
                         level};
        asked.gpu = gpu;
        const auto run = run_case(asked);
        Result<double> rate = fail("");
        if (run) {
            const double seconds = run->schedule.launch.sm_cycles / sm_timing(**find_gpu(gpu)).clock_hz;
            rate = run->schedule.launch.dram_bytes / seconds * 1e-9;
        } else {
            rate = tl::unexpected(run.error());
        }
        out.push_back(compare(parameters, row.real("value"), rate));
    }
    return out;
}

/// Launches of one element per thread, caches cold and warm.
inline std::vector<Comparison> compare_launch_table(const std::string& gpu = "H200") {
    std::vector<Comparison> out;
    for (const MeasuredRow& row : read_measured_table(table_of(gpu, "launches.csv"))) {
        const std::string& work = row.text("launch");
        if (work != "read" && work != "write" && work != "copy") continue;
        Overrides parameters = read_parameters(row.text("parameters"));
        parameters["WORK"] = work;
        TimingCase asked{"tests/hardware/probes", "one_element", parameters, row.text("caches") == "warm"};
        asked.gpu = gpu;
        compare_launch(out, work + " " + row.text("parameters") + " " + row.text("caches"),
                       row.real("cycles_elapsed_max"), asked);
    }
    return out;
}

/// Whole launches, their caches cold as the profiler leaves them.
inline std::vector<Comparison> compare_counters_table(Level level = Level::ptx) {
    std::vector<Comparison> out;
    for (const MeasuredRow& row : read_measured_table("h200_counters.csv")) {
        compare_launch(out, row.text("kernel") + " " + row.text("parameters"), row.real("cycles_elapsed_max"),
                       {"kernels",
                        row.text("kernel"),
                        read_parameters(row.text("parameters")),
                        false,
                        level,
                        {},
                        128,
                        true});
    }
    return out;
}

/// A launch from the stored machine code that was measured; `set` is a value of the table's column.
inline TimingCase machine_case(const std::string& set, const std::string& kernel, Level level,
                               bool data_in_l2 = false, const std::string& gpu = "H200") {
    const std::string folder = set == "catalogue" ? "kernels" : "tests/hardware/" + set;
    const std::string code = set == "catalogue" ? "machine_code" : set;
    return {folder, kernel, {}, data_in_l2, level, "tests/hardware/" + code + "/code", 128, true, gpu};
}

/// All launches of a set on an H200 or H100, with caches flushed, or as the copies of the buffers left them.
inline std::vector<Comparison> compare_machine_launches(const std::string& set, Level level,
                                                        bool warm = false, const std::string& gpu = "H200") {
    std::vector<Comparison> out;
    for (const MeasuredRow& row : read_measured_table(table_of(gpu, "machine_times.csv"))) {
        if (row.text("set") != set) continue;
        const std::string column = warm ? "cycles_elapsed_max_warm" : "cycles_elapsed_max";
        compare_launch(out, row.text("kernel"), row.real(column),
                       machine_case(set, row.text("kernel"), level, warm, gpu));
    }
    return out;
}

}  // namespace warplens::hardware
