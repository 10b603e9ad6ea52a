// GpuLauncher::Recording: one call of record(), from the launch's code to its report and trace. Part of
// record_launch.cpp and read_recording.cpp.
#pragma once

#include "app/pipeline/gpu/prove_addresses.h"
#include "app/pipeline/gpu/record_launch.h"
#include "instrumentation/compile/shipped_ptx.h"
#include "instrumentation/decode/decode.h"
#include "instrumentation/device/protocol.h"

namespace warplens::app {

/// GpuLauncher::Seen::apart from which on no bounds check is relied on, and nothing is predicted.
inline constexpr int times_apart_with_bounds = 2, most_times_apart = 3;
/// With GpuLauncher::Seen::needs_more_room, times what the last launch took.
inline constexpr std::uint32_t more_room = 4;
/// GpuLauncher::Seen::part_growth at most.
inline constexpr std::uint32_t most_part_growth = 4;

/// One call of record().
class GpuLauncher::Recording {
  public:
    Recording(GpuLauncher& launcher, LoadedLaunch launch, const GpuRecordOptions& gpu_options,
              instrumentation::DeviceFacts device);

    instrumentation::GpuResult<GpuRecorded> record();
    void prepare();

    const std::string& code_key() const { return code_key_; }
    std::string kernel_key() const { return launch_.kernel->name + '\0' + launch_.program.entry; }
    const SeenByMode& seen() const { return seen_; }

  private:
    /// What the CPU engine's hashes are compared with after the form's next run.
    struct Shows {
        InstrumentCache::Form form;
        std::vector<std::byte> bytes;  // of `read`: the head
        instrumentation::ReadBack read;
        instrumentation::Decoded decoded;  // its warps and hashes
    };

    /// One instrumented form of the launch, until it has been completely recorded.
    struct Pass {
        instrumentation::RecordMode mode;
        std::vector<std::uint64_t> blocks;
        bool reported = false;  // its events are the report's and the Trace's
        bool narrow = true;
        bool replays = true;         // InstrumentOptions::replay
        bool replays_loads = true;   // InstrumentOptions::replay_loads
        bool slabs = true;           // there is room for a first chunk of every warp
        bool resized = false;        // run once more, with chunks of the size that was seen
        bool parts = true;           // lanes may have parts of slabs, and columns without predictions
        bool parts_resized = false;  // tried once more, as large as was seen
        // InstrumentOptions::predict_whole: used once a launch has shown how much a warp writes.
        bool predicts = false, may_predict = false;
        bool leaves_out = false;  // InstrumentOptions::shown
        bool done = false;
        std::uint64_t most_bytes = 0, given_bytes = 0;
        std::uint64_t enough_bytes = 0;  // as the last try said
        InstrumentCache::Form form;
        instrumentation::ReadBack read;  // until the next run
        instrumentation::Decoded decoded;
        trace::Perturbation perturbation;
        std::shared_ptr<const Shows> shows;  // proof: what Seen::shown came from, in this call
    };

    Pass pass(instrumentation::RecordMode mode, const std::vector<std::uint64_t>& blocks, bool reported);
    std::vector<Pass> passes();
    bool times_the_whole_grid() const { return warps({}) <= options_.time_grids_up_to; }
    instrumentation::GpuResult<void> run(std::vector<Pass>& passes);
    LaneRoom room_for(const Seen& seen, const Pass& pass) const;
    Result<InstrumentCache::Form> form(const Pass& pass, bool has_slabs);
    Result<instrumentation::GpuVariant> variant(Pass& pass);
    Result<std::vector<instrumentation::GpuVariant>> variants(const std::vector<Pass*>& passes);
    instrumentation::GpuResult<void> take(Pass& pass, const instrumentation::GpuRunResult& run,
                                          const instrumentation::GpuVariantResult& result);
    Status decode(Pass& pass, const instrumentation::GpuVariantResult& result);
    /// The next try relies on whole warps, if it may.
    void predict(Pass& pass);
    /// The last try relied on whole warps, and was wrong: the next one relies on less.
    bool mispredicted(Pass& pass, bool apart, bool full);
    /// What was replayed is not what the GPU had: the next try records more.
    void replay_less(Pass& pass);
    /// A launch showed the addresses that the next try leaves out.
    void show_addresses(Pass& pass);
    /// The last try left out what this launch needs: the next one hashes it.
    bool left_out_too_much(Pass& pass);
    /// register_limit() of the next try.
    std::uint32_t most_registers(instrumentation::RecordMode mode);
    bool spills_by_limit(const Pass& pass, const instrumentation::GpuRunResult& run,
                         const instrumentation::GpuVariantResult& result);
    /// Light mode has more registers than it may have: the assembler takes no limit below 24.
    bool takes_more_registers(const Pass& pass, const instrumentation::GpuRunResult& run,
                              const instrumentation::GpuVariantResult& result);
    void place(const instrumentation::GpuRunResult& run);
    void check_golden(const instrumentation::GpuRunResult& run);
    instrumentation::GpuResult<bool> prove(const Pass& pass);
    std::uint64_t warps(const std::vector<std::uint64_t>& blocks) const;

    GpuLauncher& launcher_;
    LoadedLaunch launch_;
    const GpuRecordOptions& options_;
    instrumentation::DeviceFacts device_;
    std::string code_key_;
    SeenByMode seen_;
    std::vector<Problem> problems_;
    std::string golden_ = "none";
    bool placed_ = false;
    // As it was when what is reported was recorded: a later run may have its buffers elsewhere.
    trace::Launch reported_;
    std::shared_ptr<analysis::LaunchReport> report_;
    std::shared_ptr<trace::Trace> trace_;
    std::vector<std::string> notes_;
    std::vector<std::vector<std::byte>> results_;
};

}  // namespace warplens::app
