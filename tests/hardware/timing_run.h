// TimingRun: a kernel of tests/hardware/probes or of kernels/ executed by the CPU engine and timed by the
// model, for the tests and the bench that compare modelled with measured cycles.
#pragma once

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "app/pipeline/busiest_blocks.h"
#include "app/pipeline/pipeline.h"
#include "simt/timing/timing_model.h"
#include "tests/hardware/stored_code.h"
#include "tests/support/folders.h"
#include "trace/query.h"

namespace warplens::hardware {

using Overrides = std::map<std::string, std::string>;

struct TimingRun {
    std::shared_ptr<trace::Trace> trace;
    trace::Schedule schedule;
};

struct TimingCase {
    std::string folder;  // "kernels" or "tests/hardware/probes"
    std::string kernel;
    Overrides parameters;
    bool data_in_l2 = false;
    Level level = Level::ptx;
    std::string code = {};            // folder with the PTX and machine code to use; empty: compiled
    std::uint64_t most_blocks = 128;  // of one SM; the rest is extrapolated at their rate
    bool whole_grid = false;          // executed first, so that the SM that ends last is timed
    std::string gpu = "H200";
};

inline app::Pipeline& pipeline_for(const std::string& folder, const std::string& code = {}) {
    static std::map<std::string, std::unique_ptr<app::Pipeline>> pipelines;
    auto& one = pipelines[folder + " " + code];
    if (one == nullptr) {
        const std::string assets = folder == "kernels" ? "assets" : folder;
        std::shared_ptr<instrumentation::Compiler> compiler;
        if (code.empty())
            compiler = instrumentation::make_compiler({source_folder() + "/" + assets, {}, true});
        else compiler = std::make_shared<StoredCode>(source_folder() + "/" + code);
        one = std::make_unique<app::Pipeline>(std::move(compiler));
    }
    return *one;
}

/// "n=64 stride=4" as parameters.
inline Overrides read_parameters(const std::string& text) {
    Overrides out;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const std::size_t equals = word.find('=');
        out[word.substr(0, equals)] = word.substr(equals + 1);
    }
    return out;
}

/// Those of the first SM; when an SM has but one, all, for the launch ends with the slowest.
inline std::vector<std::uint64_t> blocks_to_record(std::uint64_t blocks, int sm_count, std::uint64_t most) {
    if (blocks > std::uint64_t(sm_count)) return simt::blocks_of_first_sm(blocks, sm_count, most);
    std::vector<std::uint64_t> all(blocks);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

/// The kernel of the case with its parameters, for its GPU.
inline Result<app::LoadedLaunch> load_kernel(const TimingCase& asked) {
    const std::string path = source_folder() + "/" + asked.folder + "/" + asked.kernel + ".cu";
    std::ifstream file(path);
    if (!file) return fail("{} is missing", path);
    std::ostringstream source;
    source << file.rdbuf();
    WARPLENS_TRY(auto kernel, instrumentation::read_kernel_file(asked.kernel + ".cu", source.str()));
    app::LaunchRequest request;
    request.kernel = std::make_shared<instrumentation::KernelFile>(std::move(kernel));
    request.overrides = asked.parameters;
    request.gpu = asked.gpu;
    request.level = asked.level;
    return pipeline_for(asked.folder, asked.code).load(request);
}

/// An executed case, ready to be modelled.
struct ExecutedCase {
    std::shared_ptr<trace::Trace> trace;
    const GpuSpec* gpu = nullptr;
    simt::TimingRequest timing;
};

inline Result<ExecutedCase> execute_case(const TimingCase& asked) {
    WARPLENS_TRY(auto launch, load_kernel(asked));
    const GpuSpec& gpu = *launch.gpu;
    app::ExecuteOptions options;
    options.check_golden = false;
    options.keep_trace = true;
    simt::TimingRequest timing;
    if (asked.whole_grid) {
        WARPLENS_TRY(const auto work, app::work_of_grid(launch));
        timing.sms = app::busiest_sms_of(launch, work);
        timing.launch_steps = steps_of(work);
    }
    options.blocks = timing.sms.empty()
                         ? blocks_to_record(launch.launch.geometry.blocks(), gpu.sm_count, asked.most_blocks)
                         : app::blocks_of(timing.sms, asked.most_blocks);
    timing.options.data_in_l2 = asked.data_in_l2;
    timing.code = launch.timed_code;
    WARPLENS_TRY(auto executed, pipeline_for(asked.folder, asked.code).execute(std::move(launch), options));
    return ExecutedCase{executed.trace, &gpu, std::move(timing)};
}

inline Result<TimingRun> run_case(const TimingCase& asked) {
    WARPLENS_TRY(auto executed, execute_case(asked));
    WARPLENS_TRY(auto schedule, simt::schedule(*executed.trace, *executed.gpu, executed.timing));
    return TimingRun{executed.trace, std::move(schedule)};
}

/// Cycles of the launch at each of the model's starts, in their order. The launch is executed once.
inline Result<std::vector<double>> cycles_at_starts(const TimingCase& asked) {
    WARPLENS_TRY(auto executed, execute_case(asked));
    executed.timing.keep_spans = false;
    std::vector<double> out;
    for (int start = 0; start < simt::start_count; ++start) {
        executed.timing.start = start;
        WARPLENS_TRY(const auto schedule, simt::schedule(*executed.trace, *executed.gpu, executed.timing));
        out.push_back(schedule.launch.cycles);
    }
    return out;
}

/// When a warp read the clock.
inline std::vector<std::uint32_t> clock_reads(const TimingRun& run, const trace::ScheduledWarp& warp) {
    std::vector<std::uint32_t> out;
    for (const auto& span : trace::spans_of(run.schedule, warp)) {
        if (span.state() != WarpState::selected) continue;
        const std::string& text = run.trace->program.sites[span.site()].text;
        if (text.find("%clock64") != std::string::npos || text.find("SR_CLOCKLO") != std::string::npos)
            out.push_back(span.begin);
    }
    return out;
}

/// Mean cycles from every second clock read to the next one, as a probe reports that times single loads.
inline Result<double> cycles_of_a_load(const TimingRun& run) {
    double sum = 0, pairs = 0;
    for (const auto& warp : run.schedule.warps) {
        const std::vector<std::uint32_t> reads = clock_reads(run, warp);
        for (std::size_t i = 0; i + 1 < reads.size(); i += 2) {
            sum += reads[i + 1] - reads[i];
            ++pairs;
        }
    }
    if (pairs == 0) return fail("{}: the schedule holds no two clock reads", run.schedule.gpu);
    return sum / pairs;
}

/// Cycles from the first warp's first clock read to the last warp's last, as the probes on the GPU report
/// them.
inline Result<double> cycles_between_clocks(const TimingRun& run) {
    std::uint32_t first = no_index, last = 0;
    for (const auto& warp : run.schedule.warps) {
        const std::vector<std::uint32_t> reads = clock_reads(run, warp);
        if (reads.empty()) continue;
        first = std::min(first, reads.front());
        last = std::max(last, reads.back());
    }
    if (first >= last) return fail("{}: the schedule holds no two clock reads", run.schedule.gpu);
    return double(last - first);
}

}  // namespace warplens::hardware
