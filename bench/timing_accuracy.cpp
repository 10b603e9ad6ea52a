// How far the timing model is from an H200 and an H100: every row of
// tests/hardware/h200_{timing,latency,bandwidth,launches,counters,machine_times}.csv and of an H100's
// launches, modelled, measured and the error, then the mean errors and correlations. Whole launches are
// modelled from the PTX and from machine code, at each of the model's starts. Prints; asserts nothing. An
// argument picks tables: timing, latency, bandwidth, walks, reads, launches, counters, catalogue,
// machine_code, machine_time, unseen, held_out, fresh; warm (the last six with warm caches), stalls
// (agreement with samples of stalls) and samples (those behind it: a row for each instruction).
#include <fmt/format.h>

#include <chrono>
#include <set>
#include <vector>

#include "core/sm_timing.h"
#include "instrumentation/hidden_command.h"
#include "tests/hardware/measured_table.h"
#include "tests/hardware/stall_samples.h"
#include "tests/hardware/timing_tables.h"

namespace {

using namespace warplens;
using namespace warplens::hardware;

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values.empty() ? 0 : values[values.size() / 2];
}

/// "gemm" at the start that is shown, "gemm, start 2" at another.
std::string name_of(const Comparison& row) {
    return row.start == 0 ? row.name : fmt::format("{}, start {}", row.name, row.start);
}

void print_accuracy(const Accuracy& found) {
    fmt::print(
        "{} rows: mean absolute error {:.2f} %, 90th percentile {:.2f} %, worst {:.2f} %, correlation "
        "{:.4f} linear, {:.4f} rank\n",
        found.rows, 100 * found.mean, 100 * found.ninetieth, 100 * found.worst, found.correlation,
        found.rank_correlation);
}

/// Of all starts together, and of the one that is shown.
void print_summary(const std::vector<Comparison>& rows) {
    const auto shown = rows_at_start(rows, 0);
    if (shown.size() < 2) return;
    print_accuracy(accuracy_of(rows));
    if (shown.size() == rows.size()) return;
    fmt::print("of these, the start that is shown: ");
    print_accuracy(accuracy_of(shown));
}

void print_table(const std::string& title, const std::vector<Comparison>& rows) {
    fmt::print("== {}\n{:>9} {:>12} {:>12}  row\n", title, "error", "modelled", "measured");
    for (const Comparison& row : rows) {
        if (!row.problem.empty())
            fmt::print("{:>9} {:>12} {:>12.1f}  {}: {}\n", "-", "-", row.measured, row.name, row.problem);
        else
            fmt::print("{:>+8.1f}% {:>12.1f} {:>12.1f}  {}\n", 100 * row.error(), row.modelled, row.measured,
                       name_of(row));
    }
    print_summary(rows);
    fmt::print("\n");
}

/// The same launches, modelled from the PTX and from machine code.
void print_levels(const std::string& title, const std::vector<Comparison>& ptx,
                  const std::vector<Comparison>& machine) {
    fmt::print("== {}\n{:>9} {:>9} {:>12}  row\n", title, "PTX", "machine", "measured");
    const auto error = [](const Comparison& row) {
        return row.problem.empty() ? fmt::format("{:+.1f}%", 100 * row.error()) : std::string("-");
    };
    for (std::size_t i = 0; i < ptx.size(); ++i)
        fmt::print("{:>9} {:>9} {:>12.1f}  {}{}\n", error(ptx[i]), error(machine[i]), ptx[i].measured,
                   name_of(ptx[i]), machine[i].problem.empty() ? "" : ": " + machine[i].problem);
    fmt::print("from PTX: ");
    print_summary(ptx);
    fmt::print("from machine code: ");
    print_summary(machine);
    fmt::print("\n");
}

/// Which states are at the wrong instructions: what the ranks gain if the model had exactly their samples.
void print_states(const std::vector<StallAgreement>& kernels) {
    fmt::print("{:>10} {:>10} {:>10} {:>8}  state put right\n", "sampled", "modelled", "median", "0.9");
    double samples = 0;
    for (const StallAgreement& row : kernels) samples += row.samples > 0 ? 1 : 0;
    for (const WarpStateInfo& info : warp_states) {
        double sampled = 0, expected = 0;
        std::vector<double> ranks;
        for (const StallAgreement& row : kernels) {
            if (row.samples == 0) continue;
            sampled += row.sampled_in[info.state] / double(row.samples) / samples;
            expected += row.expected_in[info.state] / double(row.samples) / samples;
            ranks.push_back(row.rank_with_right[info.state]);
        }
        if (ranks.empty()) continue;
        fmt::print("{:>8.1f} % {:>8.1f} % {:>10.3f} {:>8}  {}\n", 100 * sampled, 100 * expected,
                   median(ranks), std::ranges::count_if(ranks, [](double rank) { return rank >= 0.9; }),
                   info.name);
    }
}

/// set,kernel,offset,text, then for each state the samples and what the model expects, as one row.
void print_samples(const std::string& set, const std::string& gpu) {
    for (const MeasuredRow& row : read_measured_table(table_of(gpu, "machine_times.csv"))) {
        const std::string kernel = row.text("kernel");
        if (row.text("set") != set || sum_of(sampled_states(kernel, gpu)) < 1000) continue;
        const auto run = run_case(machine_case(set, kernel, Level::machine, false, gpu));
        if (!run) continue;
        const SampledSites sites = sampled_sites(kernel, *run, gpu);
        fmt::print("#CYC {} {} {} {}\n", set, kernel, run->schedule.launch.cycles,
                   row.real("cycles_elapsed_max"));
        for (const auto& [offset, states] : sites.measured) {
            const auto& texts = run->trace->program.sites;
            fmt::print("{}\t{}\t{}\t{}", set, kernel, offset,
                       offset / 16 < texts.size() ? texts[offset / 16].text : std::string("end"));
            for (const WarpStateInfo& info : warp_states)
                fmt::print("\t{}={:.0f}/{:.1f}", info.name, states[info.state],
                           sites.modelled.at(offset)[info.state]);
            fmt::print("\n");
        }
    }
}

void print_stalls(const std::string& set, const std::string& gpu, std::vector<StallAgreement>& kernels) {
    fmt::print("== stalls of {} on an {}\n{:>8} {:>12} {:>8} {:>8} {:>8} {:>8}  kernel\n", set, gpu,
               "samples", "instructions", "rank", "ceiling", "rank 16+", "states");
    std::vector<double> all, sampled, shares, ceilings;
    for (const StallAgreement& row : compare_stalls(set, gpu)) {
        if (!row.problem.empty()) {
            fmt::print("{}: {}\n", row.kernel, row.problem);
            continue;
        }
        fmt::print("{:>8} {:>5} of {:>4} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f}  {}\n", row.samples, row.sampled,
                   row.instructions, row.rank_all, row.ceiling, row.rank_sampled, row.shares, row.kernel);
        all.push_back(row.rank_all);
        ceilings.push_back(row.ceiling);
        shares.push_back(row.shares);
        kernels.push_back(row);
        if (row.sampled >= 10) sampled.push_back(row.rank_sampled);
    }
    const auto good = [](const std::vector<double>& ranks) {
        return std::ranges::count_if(ranks, [](double rank) { return rank >= 0.9; });
    };
    fmt::print(
        "rank correlation of all instructions: median {:.2f}, {} of {} at least 0.9 (chance leaves {:.2f} "
        "and "
        "{}); with 16 samples: median {:.2f}, {} of {}; shares of states: median {:.2f}\n\n",
        median(all), good(all), all.size(), median(ceilings), good(ceilings), median(sampled), good(sampled),
        sampled.size(), median(shares));
}

}  // namespace

int main(int count, char** arguments) {
    if (const auto code = warplens::instrumentation::run_hidden_command(count, arguments)) return *code;
    const std::set<std::string> asked(arguments + 1, arguments + count);
    const auto wanted = [&](const char* table) { return asked.empty() || asked.count(table) > 0; };
    if (wanted("latency"))
        print_levels("latencies and issue intervals", compare_latency_table(),
                     compare_latency_table(Level::machine));
    if (wanted("timing"))
        print_levels("one block on one SM", compare_timing_table(), compare_timing_table(Level::machine));
    if (wanted("bandwidth")) print_table("bandwidth of a copy, GB/s", compare_bandwidth_table());
    if (wanted("walks")) print_table("cold loads that blocks do in step, cycles", compare_walks());
    for (const char* gpu : {"H200", "H100"})
        if (wanted("reads"))
            print_levels(fmt::format("reads of an idle DRAM on an {}, GB/s", gpu), compare_idle_reads(gpu),
                         compare_idle_reads(gpu, Level::machine));
    for (const char* gpu : {"H200", "H100"})
        if (wanted("launches"))
            print_table(fmt::format("launches of one element per thread on an {}, cycles", gpu),
                        compare_launch_table(gpu));
    if (wanted("counters"))
        print_levels("whole launches, cycles", compare_counters_table(),
                     compare_counters_table(Level::machine));
    for (const char* gpu : {"H200", "H100"}) {
        std::set<std::string> sets;
        for (const MeasuredRow& row : read_measured_table(table_of(gpu, "machine_times.csv")))
            sets.insert(row.text("set"));
        std::vector<StallAgreement> kernels;
        for (const std::string& set : sets) {
            if (wanted(set.c_str()))
                print_levels(fmt::format("launches of {} on an {}, cycles", set, gpu),
                             compare_machine_launches(set, Level::ptx, false, gpu),
                             compare_machine_launches(set, Level::machine, false, gpu));
            if (wanted("warm"))
                print_table(fmt::format("launches of {} on an {} with warm caches, cycles", set, gpu),
                            compare_machine_launches(set, Level::machine, true, gpu));
            if (wanted("stalls")) print_stalls(set, gpu, kernels);
            if (asked.count("samples") > 0) print_samples(set, gpu);
        }
        if (!kernels.empty()) print_states(kernels);
    }
    return 0;
}
