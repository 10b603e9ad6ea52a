// GpuRecorder: runs launches on an NVIDIA GPU, clean and instrumented, in a child process, so that a fault, a
// hang or a lost driver ends the child and nobody else. The child is this same program (see runner_main.h);
// it is started when first needed, kept between runs with its modules and buffers, and started again after it
// died. The driver is loaded when the child starts: this builds and runs on machines without one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/caches.h"
#include "core/launch.h"
#include "core/problem.h"
#include "core/result.h"
#include "instrumentation/rewrite/recording_plan.h"
#include "instrumentation/rewrite/recording_space.h"
#include "trace/activity.h"

namespace warplens::instrumentation {

/// Why there is no result. `message` is a sentence for a person: what happened, where, what would be right.
struct GpuFailure {
    enum class Kind : std::uint8_t {
        no_driver,        // libcuda was not found, or is older than needed
        no_device,        // no GPU, or none that can be used
        load_failed,      // the driver's assembler refused the PTX; `message` holds what it said
        launch_refused,   // the launch cannot be: too large a block, too much shared memory, bad arguments
        kernel_fault,     // illegal address, misaligned address, trap, …: the context was lost
        recording_fault,  // the same with recording alone: before, the kernel without it came to its end
        time_limit,       // the kernel ran past it; the child was killed
        out_of_memory,
        child_died,  // killed from outside, or crashed
        protocol,    // the child sent an invalid message
        cancelled
    };
    Kind kind = Kind::no_driver;
    std::string message;
    ProblemKind problem = ProblemKind::trap;  // of a fault: which
};

template <class T>
using GpuResult = tl::expected<T, GpuFailure>;

struct DeviceFacts {
    std::string name;    // "NVIDIA H200"
    std::string driver;  // "580.159.04, CUDA 13.0"; what of it is known
    int compute_major = 0, compute_minor = 0;
    int sm_count = 0;
    double boost_clock_hz = 0;
    std::uint64_t memory_bytes = 0, free_bytes = 0;
};

struct GpuLaunch {
    struct Buffer {
        std::string name;
        std::span<const std::byte> data;  // before the launch; on the device 256-byte aligned
    };
    struct Pointer {
        std::uint32_t offset = 0;  // in `arguments`
        std::uint32_t buffer = 0;  // whose address is added to the offset that is there
    };
    std::string ptx;
    std::string_view cubin;  // the same as machine code, where the compiler gave it
    std::string target;      // what both were made for: "sm_90"
    std::string entry;
    LaunchGeometry geometry;
    std::vector<std::byte> arguments;  // the parameter space, laid out as Program::parameters
    std::vector<Pointer> pointers;
    std::vector<Buffer> buffers;
};

/// One instrumented form of the launch.
struct GpuVariant {
    RecordMode mode = RecordMode::light;
    std::string ptx;
    std::uint32_t chunk_units = 64;     // a power of two
    std::uint64_t space_bytes = 0;      // at most; rounded down to whole chunks
    std::uint32_t symbols = 0;          // RecordingPlan::symbols' count, for the size of the head
    std::vector<std::uint64_t> blocks;  // to record, ascending; empty: all
    std::vector<int> sms;               // to record; empty: all
    bool few_registers = false;         // as in AssemblerText
};

struct GpuRunOptions {
    int repeats = 1;  // of each timed launch; medians are reported
    Caches caches = Caches::warm;
    double time_limit_s = 2;    // of one kernel
    bool run_clean = true;      // for the clean time, and the results to compare with
    bool read_buffers = false;  // hand the buffers' contents back
    std::function<bool()> cancelled;
};

struct GpuKernelFacts {
    double time_us = 0;
    int registers = 0;
    int local_bytes = 0, shared_static_bytes = 0;
    int blocks_per_sm = 0;
};

struct GpuVariantResult {
    GpuKernelFacts kernel;
    SpaceParameter parameter;          // as the kernel had it
    std::span<const std::byte> space;  // chunks 0 … last written; valid until the next run
    bool identical_results = true;  // buffers bit for bit as after the clean launch; true when it was not run
    std::string first_difference;   // "y[3]: …" when not
};

struct GpuRunResult {
    GpuKernelFacts clean;
    std::vector<std::uint64_t> buffer_addresses;
    std::vector<GpuVariantResult> variants;
    std::vector<std::vector<std::byte>> buffers;  // after the clean launch, when asked for
    double assemble_ms = 0;                       // making machine code outside the driver
    std::string driver_assembles;                 // why the driver assembled the PTX; empty: it did not
    double load_ms = 0;                           // driver loads of this run; 0 when all were cached
    double total_ms = 0;                          // as the parent saw it
};

class Assembler;
struct StreamPlan;
struct PreparedRequest;
struct RunAnswer;

class GpuRecorder {
  public:
    /// `runner`: the program to start as the child and its first arguments; empty: this program itself.
    /// `assembler`: null: one that remembers what it made as long as this lives.
    explicit GpuRecorder(std::vector<std::string> runner = {}, std::shared_ptr<Assembler> assembler = {});
    ~GpuRecorder();
    GpuRecorder(const GpuRecorder&) = delete;
    GpuRecorder& operator=(const GpuRecorder&) = delete;

    /// Starts the child if need be. Cheap after the first time.
    GpuResult<DeviceFacts> device();
    /// Every buffer is as given before each launch. Not for two threads at once. The driver loads machine
    /// code that was made outside it, all modules at the same time, or assembles their PTX itself, one after
    /// another: see GpuRunResult::driver_assembles.
    GpuResult<GpuRunResult> run(const GpuLaunch& launch, const std::vector<GpuVariant>& variants,
                                const GpuRunOptions& options);
    /// Makes the machine code that run() would load for the same launch on `device`, and keeps it. May be
    /// called while another call runs.
    void assemble(const DeviceFacts& device, const GpuLaunch& launch, const std::vector<GpuVariant>& variants,
                  const std::function<bool()>& cancelled);
    /// Carries out a plan over the launch's kernel and buffers, and measures it: one activity a variant, in
    /// their order. Their date is left to the caller. Of the options, the time limit (of a part of the
    /// measurement) and `cancelled` count.
    GpuResult<std::vector<trace::Activity>> run_streams(const GpuLaunch& launch, const StreamPlan& plan,
                                                        const GpuRunOptions& options);

  private:
    GpuResult<RunAnswer> run_modules(const GpuLaunch& launch, const std::vector<GpuVariant>& variants,
                                     const GpuRunOptions& options, const StreamPlan& streams,
                                     double& assemble_ms);
    GpuResult<RunAnswer> converse(const PreparedRequest& prepared, const GpuRunOptions& options);
    struct Child;
    std::unique_ptr<Child> child_;
};

}  // namespace warplens::instrumentation
