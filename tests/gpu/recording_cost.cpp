// Recording overhead on this machine's GPU: every launch of tests/hardware/h200_counters.csv and a larger
// saxpy, or every kernel of a folder at its default parameters, clean and in each mode, as CSV on standard
// output, geometric means on standard error. Start it in the project's root:
//   gpu_recording_cost [--without-prediction] [--without-full] [--folder FOLDER [--parameters TEXT]]
//   [KERNEL…]
// --parameters, such as "n=33554432", replace the defaults of every kernel that is measured.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <string>

#include "app/pipeline/gpu/record_launch.h"
#include "instrumentation/device/protocol.h"
#include "instrumentation/hidden_command.h"
#include "tests/gpu/cost_launches.h"
#include "tests/hardware/timing_run.h"

namespace warplens {
namespace {

using instrumentation::RecordMode;

struct Options {
    std::string folder;  // of kernels; empty: the launches of the counter table
    std::string parameters;
    std::set<std::string> wanted;
    bool predict_whole = true;
    bool full = true;  // mode
};

/// The times of one mode, one per launch.
struct Ratios {
    double logarithms = 0, worst = 0;
    int count = 0, most_registers = 0, more_than_4_registers = 0;
    void add(const trace::Perturbation& cost) {
        const int extra = cost.traced_registers - cost.clean_registers;
        logarithms += std::log(cost.slowdown());
        worst = std::max(worst, cost.slowdown());
        most_registers = std::max(most_registers, extra);
        more_than_4_registers += extra > 4;
        ++count;
    }
};

void print(const CostLaunch& launch, const trace::Perturbation& cost) {
    std::printf("%s,\"%s\",%s,%.2f,%.2f,%.3f,%d,%d,%d,%d,%llu,%llu,%.3f,%llu,%s\n", launch.kernel.c_str(),
                launch.parameters.c_str(), cost.mode.c_str(), cost.clean_us, cost.traced_us, cost.slowdown(),
                cost.clean_registers, cost.traced_registers, cost.clean_blocks_per_sm,
                cost.traced_blocks_per_sm, static_cast<unsigned long long>(cost.records),
                static_cast<unsigned long long>(cost.recorded_bytes),
                static_cast<double>(cost.recorded_bytes) / cost.traced_us * 1e-6,
                static_cast<unsigned long long>(cost.dropped_records),
                cost.identical_results ? "identical" : "DIFFERENT");
    std::fflush(stdout);
}

int run(const Options& asked) {
    app::GpuLauncher launcher(app::gpu_of_this_machine());
    const auto device = launcher.gpu().device();
    if (!device) {
        std::fprintf(stderr, "%s\n", device.error().message.c_str());
        return 2;
    }
    std::printf("# %s, driver %s\n", device->name.c_str(), device->driver.c_str());
    std::printf(
        "kernel,parameters,mode,clean_us,traced_us,ratio,clean_registers,traced_registers,clean_blocks_per_"
        "sm,"
        "traced_blocks_per_sm,records,recorded_bytes,recorded_tb_per_s,dropped_records,results\n");
    std::map<std::string, Ratios> ratios;
    int failures = 0;
    for (CostLaunch launch : cost_launches(asked.folder, asked.wanted)) {
        if (!asked.parameters.empty()) launch.parameters = asked.parameters;
        for (const RecordMode mode : {RecordMode::light, RecordMode::full, RecordMode::proof}) {
            if (mode == RecordMode::full && !asked.full) continue;
            auto loaded = hardware::load_kernel(
                {launch.folder, launch.kernel, hardware::read_parameters(launch.parameters)});
            if (!loaded) {
                std::fprintf(stderr, "%s: %s\n", launch.kernel.c_str(), loaded.error().message.c_str());
                ++failures;
                break;
            }
            app::GpuRecordOptions gpu_options;
            gpu_options.mode = mode;
            gpu_options.keep_trace = false;
            gpu_options.check_golden = false;
            gpu_options.repeats = 15;
            gpu_options.predict_whole = asked.predict_whole;
            gpu_options.most_space_bytes = std::uint64_t{8} << 30;
            // Once to see how much a warp writes, then with chunks of that size, as in any second recording.
            const auto sized = launcher.record(*loaded, gpu_options);
            const auto recorded = launcher.record(std::move(*loaded), gpu_options);
            if (!recorded) {
                std::fprintf(stderr, "%s %s %s: %s\n", launch.kernel.c_str(), launch.parameters.c_str(),
                             name_of(mode), recorded.error().message.c_str());
                ++failures;
                continue;
            }
            for (const trace::Perturbation& cost : recorded->measured->perturbations) {
                if (cost.mode != name_of(mode)) continue;
                print(launch, cost);
                ratios[cost.mode].add(cost);
            }
            for (const std::string& note : recorded->notes)
                std::fprintf(stderr, "%s %s %s: %s\n", launch.kernel.c_str(), launch.parameters.c_str(),
                             name_of(mode), note.c_str());
        }
    }
    for (const auto& [mode, all] : ratios)
        std::fprintf(
            stderr,
            "%s: geometric mean %.3f of %d launches, worst %.2f, most extra registers %d, more than 4 "
            "in %d\n",
            mode.c_str(), std::exp(all.logarithms / all.count), all.count, all.worst, all.most_registers,
            all.more_than_4_registers);
    return failures > 0 ? 1 : 0;
}

}  // namespace
}  // namespace warplens

int main(int argc, char** argv) {
    if (const auto code = warplens::instrumentation::run_hidden_command(argc, argv)) return *code;
    warplens::Options asked;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--without-prediction") asked.predict_whole = false;
        else if (word == "--without-full") asked.full = false;
        else if (word == "--folder" && i + 1 < argc) asked.folder = argv[++i];
        else if (word == "--parameters" && i + 1 < argc) asked.parameters = argv[++i];
        else asked.wanted.insert(word);
    }
    return warplens::run(asked);
}
