// How far the timing model is from an H200: every row of tests/hardware/h200_{timing,latency,bandwidth,
// launches,counters}.csv, modelled, measured and the error, then the mean errors and correlations. Prints;
// asserts nothing. An argument picks tables: timing, latency, bandwidth, launches, counters.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "core/sm_timing.h"
#include "instrumentation/hidden_command.h"
#include "tests/hardware/measured_table.h"
#include "tests/hardware/timing_tables.h"

namespace {

using namespace warplens;
using namespace warplens::hardware;

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

void print_table(const std::string& title, const std::vector<Comparison>& rows) {
    fmt::print("== {}\n{:>9} {:>12} {:>12}  row\n", title, "error", "modelled", "measured");
    std::vector<double> errors, modelled, measured;
    for (const Comparison& row : rows) {
        if (!row.problem.empty()) {
            fmt::print("{:>9} {:>12} {:>12.1f}  {}: {}\n", "-", "-", row.measured, row.name, row.problem);
            continue;
        }
        fmt::print("{:>+8.1f}% {:>12.1f} {:>12.1f}  {}\n", 100 * row.error(), row.modelled, row.measured,
                   row.name);
        errors.push_back(std::abs(row.error()));
        modelled.push_back(row.modelled);
        measured.push_back(row.measured);
    }
    if (errors.size() < 2) return;
    fmt::print(
        "{} rows: mean absolute error {:.1f} %, worst {:.1f} %, correlation {:.4f} linear, {:.4f} rank\n\n",
        errors.size(), 100 * mean(errors), 100 * *std::max_element(errors.begin(), errors.end()),
        linear_correlation(modelled, measured), rank_correlation(modelled, measured));
}

}  // namespace

int main(int count, char** arguments) {
    if (const auto code = warplens::instrumentation::run_hidden_command(count, arguments)) return *code;
    const std::set<std::string> asked(arguments + 1, arguments + count);
    const auto wanted = [&](const char* table) { return asked.empty() || asked.count(table) > 0; };
    if (wanted("latency")) print_table("latencies and issue intervals", compare_latency_table());
    if (wanted("timing")) print_table("one block on one SM", compare_timing_table());
    if (wanted("bandwidth")) print_table("bandwidth of a copy, GB/s", compare_bandwidth_table());
    if (wanted("launches")) print_table("launches of one element per thread, cycles", compare_launch_table());
    if (wanted("counters")) print_table("whole launches, cycles", compare_counters_table());
    return 0;
}
