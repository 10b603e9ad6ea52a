// Speed of the CPU engine on kernels that it was not tuned to, with their own inputs and whole grids, in
// million warp-instructions per second of one thread's processor time: the best of several runs, executed and
// recorded, of machine code and of PTX. Prints; asserts nothing.
// Arguments: a folder of tests/hardware that has the kernels' compiled code ("later"), then kernels (none:
// all of the folder), then parameters as name=value. runs=5 is how often each is executed.
#include <fmt/format.h>
#include <time.h>

#include <filesystem>

#include "app/pipeline/launch_run.h"
#include "instrumentation/hidden_command.h"
#include "tests/hardware/timing_run.h"
#include "tests/support/folders.h"

namespace {

using namespace warplens;
using namespace warplens::hardware;

/// Nanoseconds of the calling thread.
double processor_time() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e9 * double(now.tv_sec) + double(now.tv_nsec);
}

struct Rate {
    double millions = 0;  // per second
    std::uint64_t steps = 0;
};

Result<Rate> rate_of(const app::LoadedLaunch& loaded, bool record, int runs) {
    Rate best;
    for (int i = 0; i < runs; ++i) {
        app::LaunchRun::Keep keep;
        keep.keep_report = false;
        keep.keep_trace = record;
        WARPLENS_TRY(auto run, app::LaunchRun::start_again(loaded, std::move(keep)));
        simt::RunOptions options;
        options.threads = 1;
        const double begin = processor_time();
        if (auto status = run->execute(options); !status) return fail("{}", status.error().message);
        const double nanoseconds = processor_time() - begin;
        best.steps = run->steps();
        best.millions = std::max(best.millions, 1e3 * double(best.steps) / nanoseconds);
    }
    return best;
}

Status print_kernel(const std::string& folder, const std::string& kernel, const Overrides& parameters,
                    int runs) {
    std::string line = fmt::format("{:24}", kernel);
    for (const Level level : {Level::machine, Level::ptx}) {
        TimingCase asked;
        asked.folder = "tests/hardware/" + folder;
        asked.kernel = kernel;
        asked.code = asked.folder + "/code";
        asked.parameters = parameters;
        asked.level = level;
        WARPLENS_TRY(const auto loaded, load_kernel(asked));
        for (const bool record : {false, true}) {
            WARPLENS_TRY(const Rate rate, rate_of(loaded, record, runs));
            line += record ? fmt::format(" {:8.1f}", rate.millions)
                           : fmt::format(" {:12} {:8.1f}", rate.steps, rate.millions);
        }
    }
    fmt::print("{}\n", line);
    return {};
}

}  // namespace

int main(int argument_count, char** arguments) {
    if (const auto code = instrumentation::run_hidden_command(argument_count, arguments)) return *code;
    const std::string folder = argument_count > 1 ? arguments[1] : "later";
    std::vector<std::string> kernels;
    Overrides parameters;
    for (int i = 2; i < argument_count; ++i) {
        const std::string word = arguments[i];
        if (word.find('=') == std::string::npos) kernels.push_back(word);
        else parameters.merge(read_parameters(word));
    }
    int runs = 5;
    if (const auto asked = parameters.extract("runs"); !asked.empty()) runs = std::stoi(asked.mapped());
    if (kernels.empty()) {
        const std::filesystem::path sources = source_folder() + "/tests/hardware/" + folder;
        for (const auto& file : std::filesystem::directory_iterator(sources))
            if (file.path().extension() == ".cu") kernels.push_back(file.path().stem().string());
        std::ranges::sort(kernels);
    }
    fmt::print("{:24} {:>12} {:>8} {:>8} {:>12} {:>8} {:>8}\n", "kernel", "machine", "executed", "recorded",
               "PTX", "executed", "recorded");
    for (const std::string& kernel : kernels)
        if (const auto status = print_kernel(folder, kernel, parameters, runs); !status)
            fmt::print("{:24} {}\n", kernel, status.error().message);
    return 0;
}
