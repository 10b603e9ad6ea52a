// Records a launch on a GPU: joins rewriting, running, decoding and folding, chooses sizes, and tries again
// where the first try had too little space. The kernel always runs its whole grid; only the recording is
// limited.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/pipeline/gpu/gpu.h"
#include "app/pipeline/gpu/instrument_cache.h"
#include "app/pipeline/gpu/recording_size.h"
#include "app/pipeline/gpu/shown_launch.h"
#include "app/pipeline/pipeline.h"
#include "trace/recorder.h"

namespace warplens::app {

/// Warps of a grid that a recording times whole.
inline constexpr std::uint64_t largest_timed_grid = std::uint64_t{1} << 17;

struct GpuRecordOptions {
    /// light: times, visits and masks. full: light's times, and every address from a second launch. proof:
    /// light's times and hashes of the addresses in one launch; the CPU engine's addresses are taken where
    /// its hashes are equal, else full's.
    instrumentation::RecordMode mode = instrumentation::RecordMode::full;
    std::vector<std::uint64_t> blocks;  // to record, linear, ascending; empty: the whole grid
    std::vector<std::uint64_t> timed;   // blocks whose times are recorded; empty: the same
    /// Instead of `timed`: begin, end and place of every warp, if the grid has at most this many warps;
    /// the times of visits are kept of `blocks` alone.
    std::uint64_t time_grids_up_to = 0;
    std::vector<int> sms;         // to record, empty: all
    trace::RecorderOptions kept;  // of the recorded blocks, those whose Trace is kept
    bool keep_trace = true;
    bool streams = false;  // measure also what the header's [streams] declares, for Trace::activities
    bool check_golden = true;
    bool keep_results = false;                                // fill GpuRecorded::results
    std::uint64_t most_space_bytes = std::uint64_t{2} << 30;  // of one recording space
    /// The knobs are turning: the code is made for any size of block, so that a new one needs no assembling.
    bool live = false;
    /// InstrumentOptions::predict_whole where it can be used; a launch that it does not fit is recorded
    /// again.
    bool predict_whole = true;
    int repeats = 5;               // of each timed launch
    Caches caches = Caches::warm;  // of every launch
    double time_limit_s = 2;       // of one kernel
    std::function<bool()> cancelled;
};

struct GpuRecorded {
    std::shared_ptr<analysis::LaunchReport> report;
    std::shared_ptr<trace::Trace> trace;  // null unless kept; with Trace::measured
    std::shared_ptr<const trace::Measured> measured;
    std::vector<std::string> notes;               // sentences: how the result differs from the request
    std::uint64_t blocks_left_out = 0;            // whose records could not be read, or were not all there
    std::vector<std::vector<std::byte>> results;  // the buffers after the clean launch, in header order
};

class GpuLauncher {
  public:
    explicit GpuLauncher(Gpu gpu) : gpu_(std::move(gpu)) {}

    /// One call at a time.
    instrumentation::GpuResult<GpuRecorded> record(LoadedLaunch launch, const GpuRecordOptions& gpu_options);

    /// Makes the forms and the machine code that record() with the same arguments begins with on `device`.
    /// What only a launch can show is not made: other forms for addresses that are further apart than
    /// expected, or for too little memory. May be called while record() runs; errors are record()'s to
    /// report.
    void prepare(LoadedLaunch launch, const GpuRecordOptions& gpu_options,
                 const instrumentation::DeviceFacts& device);

    const Gpu& gpu() const { return gpu_; }

  private:
    class Recording;

    /// What launches of a kernel have shown in one mode.
    struct Seen {
        std::optional<UnitsAWarp> units_a_warp;  // of the last launch, as is the next
        LaneRoom lane_room;
        /// How often warps that were predicted to be whole were not. After the first time bounds checks that
        /// are `parting` are not relied on, after the second no bounds check is, after the third nothing is.
        int apart = 0;
        /// Bounds checks at which some warp parted: InstrumentOptions::parting. And elsewhere, in launches
        /// that relied on it: InstrumentOptions::leave_at_once does not hold.
        std::vector<BasicBlockId> parting;
        bool parts_elsewhere = false;
        bool loads_differ = false;    // Decoded::replay_differs, with InstrumentOptions::replay_loads
        bool replay_differs = false;  // likewise, without
        std::uint32_t spills = 0;     // register_limit()
        bool few_registers = false;   // light mode took more than it may have (most_more_registers)
        /// The last launch whose hash showed the addresses that follow from it alone.
        std::optional<ShownLaunch> shown;
        /// Parts and columns of lanes have so many times the room that the launch before took.
        std::uint32_t part_growth = 1;
        bool needs_more_room = false;  // a launch took more than the one before, whose ways it did not go
        bool ways_differ = false;      // launches with the same arguments go different ways: nothing is shown
    };
    using SeenByMode = std::map<instrumentation::RecordMode, Seen>;

    SeenByMode seen(const std::string& code_key);
    void set_seen(const std::string& code_key, SeenByMode seen);
    /// How much the last launch of the kernel wrote, whichever value its knobs had: the first launch of other
    /// code is not run twice for want of that.
    SeenByMode written_by(const std::string& kernel);
    void set_written_by(const std::string& kernel, const SeenByMode& seen);

    Gpu gpu_;
    InstrumentCache forms_;
    std::mutex mutex_;                           // of the next
    std::map<std::string, SeenByMode> seen_;     // by PTX and entry
    std::map<std::string, SeenByMode> written_;  // by the kernel's name and entry
    bool said_slow_ = false;                     // that the driver assembles
};

/// A launch that its kernel's fault ended: nothing was recorded, and the problem says why.
std::shared_ptr<analysis::LaunchReport> faulted_report(const LoadedLaunch& launch,
                                                       const instrumentation::GpuFailure& failure);

}  // namespace warplens::app
