// `warplens recordings`: records the catalogue's kernels on this machine's GPU for assets/recordings, as its
// settings.json lists them, and compares each with the CPU engine.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/command_line/commands.h"
#include "app/command_line/gpu_target.h"
#include "app/command_line/output.h"
#include "app/command_line/target.h"
#include "app/pipeline/agree.h"
#include "app/pipeline/block_sample.h"
#include "app/pipeline/engines.h"
#include "app/pipeline/gpu/sampled_options.h"
#include "app/pipeline/recordings.h"
#include "instrumentation/catalog/catalogue.h"
#include "instrumentation/compile/shipped_ptx.h"
#include "trace/file/trace_file.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
namespace instr = instrumentation;

/// What one file may take; blocks are left out until it does.
constexpr std::uintmax_t most_recording_bytes = 1 << 20;
constexpr std::uint64_t most_recorded_warps = 2048;  // of a grid that is too large to time all of it

struct Made {
    bool right = true;  // the results and the agreement
    std::uintmax_t bytes = 0;
    RecordedKernel::Recording recording;
};

class Maker {
  public:
    explicit Maker(const RecordingsOptions& options)
        : folder_(options.output),
          time_limit_s_(options.time_limit_s),
          caches_(options.caches == to_string(Caches::cold) ? Caches::cold : Caches::warm),
          pipeline_(make_pipeline()),
          launcher_(gpu_of_this_machine()) {}

    Result<instr::DeviceFacts> device() {
        auto device = launcher_.gpu().device();
        if (!device) return fail("recordings are made on a GPU: {}", device.error().message);
        return *device;
    }

    Result<Made> make(const std::shared_ptr<const instr::KernelFile>& kernel, const Settings& settings,
                      const instr::DeviceFacts& device) {
        WARPLENS_TRY(auto loaded, pipeline_->load(request_for({kernel, settings, {}, {}}, device)));
        Made made;
        made.recording.parameters = loaded.launch.parameters;
        made.recording.name = recording_name(*kernel, made.recording.parameters);
        const std::string path = recording_path(folder_, kernel->name, made.recording.name);
        std::error_code error;
        fs::create_directories(fs::path(path).parent_path(), error);

        std::uint64_t blocks = std::max<std::uint64_t>(blocks_of_a_full_sm(loaded.launch, *loaded.gpu), 2);
        for (;;) {
            GpuRecordOptions gpu_options;
            gpu_options.time_limit_s = time_limit_s_;
            gpu_options.streams = true;
            gpu_options.caches = caches_;
            gpu_options.predict_whole = false;  // so that every pass of a loop has its clock
            sample(gpu_options, loaded, blocks, most_recorded_warps);
            gpu_options.time_grids_up_to = largest_timed_grid;
            auto recorded = launcher_.record(loaded, gpu_options);
            if (!recorded) return fail("{}", recorded.error().message);
            WARPLENS_TRY(trace::write(*recorded->trace, path, {.small = true}));
            made.bytes = fs::file_size(path, error);
            if (made.bytes > most_recording_bytes && blocks > 2) {
                blocks = std::max<std::uint64_t>(blocks / 2, 2);
                continue;
            }
            WARPLENS_TRY(describe(loaded, *recorded, made));
            return made;
        }
    }

  private:
    Status describe(const LoadedLaunch& launch, const GpuRecorded& recorded, Made& made) {
        WARPLENS_TRY(const auto agreement, agree_with_engine(*pipeline_, launch, *recorded.trace));
        std::string costs;
        bool identical = true;
        for (const trace::Perturbation& cost : recorded.measured->perturbations) {
            costs += fmt::format(", {} {:.2f}", cost.mode, cost.slowdown());
            identical = identical && cost.identical_results;
        }
        const std::string& golden = recorded.report->golden;
        made.right =
            agreement.lane_by_lane() && identical && !golden.starts_with("failed") && recorded.notes.empty();
        print_result(fmt::format("{} {}: {} KiB, {} of {} blocks{}, golden {}{}; {}\n", launch.launch.kernel,
                                 made.recording.name, made.bytes >> 10, recorded.report->blocks_executed,
                                 launch.launch.geometry.blocks(), costs, golden,
                                 identical ? "" : ", RESULTS CHANGED", agreement_words(agreement)));
        for (const std::string& note : recorded.notes) print_result(fmt::format("    {}\n", note));
        std::fflush(stdout);
        return {};
    }

    std::string folder_;
    double time_limit_s_;
    Caches caches_;
    std::shared_ptr<Pipeline> pipeline_;
    GpuLauncher launcher_;
};

}  // namespace

Result<int> make_recordings(const RecordingsOptions& options) {
    WARPLENS_TRY(auto all,
                 settings_to_record(options.settings.empty() ? recordings_folder() : options.settings));
    WARPLENS_TRY(auto kernels, catalogue());
    Maker maker(options);
    WARPLENS_TRY(const auto device, maker.device());

    bool right = true;
    std::uintmax_t bytes = 0;
    std::size_t count = 0;
    for (const auto& [name, list] : all) {
        if (!options.kernels.empty() && std::ranges::count(options.kernels, name) == 0) continue;
        WARPLENS_TRY(auto found, instr::find_kernel(kernels, name));
        const auto kernel = std::make_shared<const instr::KernelFile>(*found);
        RecordedKernel recorded{instr::source_hash(kernel->source), {}};
        for (const Settings& settings : list) {
            auto made = maker.make(kernel, settings, device);
            if (!made) {
                print_message(fmt::format("{}: {}", name, made.error().message));
                right = false;
                continue;
            }
            right = right && made->right;
            bytes += made->bytes;
            ++count;
            recorded.recordings.push_back(std::move(made->recording));
        }
        WARPLENS_TRY(write_recorded_kernel(options.output, name, recorded));
    }
    print_result(fmt::format("{} recordings, {} KiB\n", count, bytes >> 10));
    return right ? exit_success : exit_kernel_problems;
}

}  // namespace warplens::app
