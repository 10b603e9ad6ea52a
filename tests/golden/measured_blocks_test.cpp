// Block durations of the recordings that come with the program, each compared with the model under the
// recording's own condition. WARPLENS_RECORDINGS names another folder of recordings of the same launches.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "analysis/report/measured_against_modelled.h"
#include "app/command_line/target.h"
#include "app/pipeline/recordings.h"
#include "catalogue_kernels.h"
#include "simt/timing/timing_model.h"

namespace warplens::app {
namespace {

struct BlockDurations {
    std::vector<double> errors;  // relative to the measured median of each recording
    std::string worst;
    double mean() const {
        double sum = 0;
        for (const double error : errors) sum += error;
        return errors.empty() ? 0 : sum / double(errors.size());
    }
};

/// Of every kernel's default recording that the model can time. `condition` gives the model's options.
template <class Condition>
BlockDurations compare_blocks(const std::string& folder, Condition&& condition) {
    BlockDurations made;
    double most = 0;
    for (const auto& kernel : catalogue_kernels()) {
        const auto trace = load_recording(folder, *kernel, {});
        if (!trace) continue;
        const GpuSpec& gpu = **find_gpu((*trace)->launch.gpu);
        simt::TimingRequest request;
        request.options = condition(*(*trace)->measured);
        request.keep_spans = false;
        const auto schedule = simt::schedule(**trace, gpu, request);
        if (!schedule) continue;
        const auto metrics = analysis::measured_against_modelled(**trace, nullptr, &*schedule, gpu);
        const auto block = std::ranges::find(metrics, "block_cycles", &analysis::ComparedMetric::key);
        if (block == metrics.end() || !block->modelled || !block->difference_percent()) continue;
        const double error = std::abs(*block->difference_percent());
        fmt::print("{}: measured {:.0f}, modelled {:.0f} cycles\n", kernel->name, *block->measured,
                   *block->modelled);
        made.errors.push_back(error);
        if (error <= most) continue;
        most = error;
        made.worst = fmt::format("{} {:.0f} %", kernel->name, error);
    }
    std::ranges::sort(made.errors);
    return made;
}

std::string folder_of_recordings() {
    const char* const other = std::getenv("WARPLENS_RECORDINGS");
    return other ? other : recordings_folder();
}

TEST(measured_blocks, the_model_is_nearer_under_the_recordings_own_condition) {
    const auto alike = compare_blocks(folder_of_recordings(), [](const trace::Measured& measured) {
        return trace::under_measured_condition(measured);
    });
    const auto unlike = compare_blocks(folder_of_recordings(), [](const trace::Measured& measured) {
        TimingOptions options = trace::under_measured_condition(measured);
        options.data_in_l2 = !options.data_in_l2;
        return options;
    });
    ASSERT_FALSE(alike.errors.empty());
    fmt::print("{} recordings: alike {:.1f} % (median {:.1f} %, worst {}), unlike {:.1f} % (worst {})\n",
               alike.errors.size(), alike.mean(), alike.errors[alike.errors.size() / 2], alike.worst,
               unlike.mean(), unlike.worst);
    EXPECT_LT(alike.mean(), unlike.mean());
    EXPECT_LT(alike.mean(), 45);
}

}  // namespace
}  // namespace warplens::app
