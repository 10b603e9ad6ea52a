#include "instrumentation/device/gpu_recorder.h"

#include <atomic>
#include <optional>

#include "instrumentation/device/assembled_modules.h"
#include "instrumentation/device/gpu_conversation.h"
#include "instrumentation/device/runner_main.h"
#include "trace/file/activity_description.h"

namespace warplens::instrumentation {

using Kind = GpuFailure::Kind;

namespace {

constexpr auto start_patience = std::chrono::seconds(60);  // a driver may wake eight GPUs first

}  // namespace

struct GpuRecorder::Child {
    std::vector<std::string> command;
    ChildProcess process;
    Regions regions;
    std::optional<GpuFailure> no_driver;  // which no later call changes
    DeviceFacts device;                   // once it has answered
    std::shared_ptr<Assembler> assembler;
    std::string driver_assembles;                 // why
    std::atomic<bool> takes_machine_code = true;  // as far as known

    /// A child that answers, and what it says of the GPU.
    GpuResult<DeviceFacts> greet(const std::function<bool()>& cancelled);
    /// Null: the driver is to assemble the PTX, and `driver_assembles` says why.
    std::shared_ptr<const AssembledModules> assemble(const GpuLaunch& launch,
                                                     const std::vector<GpuVariant>& variants,
                                                     const std::function<bool()>& cancelled);
    void end() {
        process.kill();
        regions.clear();
    }
};

GpuResult<DeviceFacts> GpuRecorder::Child::greet(const std::function<bool()>& cancelled) {
    if (no_driver) return tl::unexpected(*no_driver);
    if (!process.running()) {
        end();
        auto started = ChildProcess::start(command);
        if (!started) return tl::unexpected(GpuFailure{Kind::child_died, started.error().message});
        process = std::move(*started);
    }
    const auto give_up = [&](GpuFailure failure) {
        end();
        return tl::unexpected(std::move(failure));
    };
    const Clock::time_point deadline = Clock::now() + start_patience;
    const std::string meanwhile = "it opened the GPU";
    // A child that cannot open the GPU has said so and ended: what it said is read nevertheless.
    process.channel().send({{"ask", "hello"}}, deadline);
    while (true) {
        Json message;
        const Clock::time_point tick = Clock::now() + std::chrono::milliseconds(5);
        switch (process.channel().receive(message, std::min(deadline, tick))) {
            case Receipt::message:
                break;
            case Receipt::closed:
                return give_up(death_of(process, meanwhile));
            case Receipt::nonsense:
                return give_up({Kind::protocol,
                                "the recorder's process does not speak as Warplens does; it was "
                                "stopped"});
            case Receipt::timed_out:
                if (cancelled && cancelled()) return give_up({Kind::cancelled, "cancelled"});
                if (Clock::now() < deadline) {
                    if (process.running() || process.channel().has_input()) continue;
                    return give_up(death_of(process, meanwhile));
                }
                return give_up(
                    {Kind::child_died,
                     fmt::format("the recorder's process did not open the GPU within {} s; it was stopped",
                                 start_patience.count())});
        }
        DeviceFacts facts;
        if (from_message(message, facts)) {
            // The one before has had as long as this one took to start.
            ChildProcess::wait_for_killed(Clock::now() + std::chrono::seconds(2));
            device = facts;
            return facts;
        }
        GpuFailure failure;
        if (!from_message(message, failure)) {
            return give_up({Kind::protocol,
                            "the recorder's process sent an invalid description of the GPU; it was "
                            "stopped"});
        }
        if (failure.kind == Kind::no_driver) no_driver = failure;
        return give_up(std::move(failure));
    }
}

GpuRecorder::GpuRecorder(std::vector<std::string> runner, std::shared_ptr<Assembler> assembler)
    : child_(std::make_unique<Child>()) {
    child_->assembler = assembler ? std::move(assembler) : std::make_shared<Assembler>();
    if (runner.empty()) runner = {"/proc/self/exe", runner_word};
    child_->command = std::move(runner);
}

GpuRecorder::~GpuRecorder() {
    child_->end();
    ChildProcess::wait_for_killed(Clock::now() + std::chrono::seconds(2));
}

GpuResult<DeviceFacts> GpuRecorder::device() { return child_->greet({}); }

GpuResult<RunAnswer> GpuRecorder::converse(const PreparedRequest& prepared, const GpuRunOptions& options) {
    if (!child_->process.running()) {
        WARPLENS_TRY(child_->greet(options.cancelled));
    }
    ConversationEnd end = Conversation(child_->process, child_->regions, prepared, options).hold();
    if (end.lost) child_->end();
    return std::move(end.answer);
}

std::shared_ptr<const AssembledModules> GpuRecorder::Child::assemble(const GpuLaunch& launch,
                                                                     const std::vector<GpuVariant>& variants,
                                                                     const std::function<bool()>& cancelled) {
    if (!takes_machine_code) return nullptr;
    auto code = assemble_modules(*assembler, device, launch, variants, cancelled);
    if (code) driver_assembles.clear();
    else
        driver_assembles = assembler->found() ? "the CUDA Toolkit's ptxas does not accept it"
                                              : "the CUDA Toolkit's ptxas was not found";
    return code;
}

void GpuRecorder::assemble(const DeviceFacts& device, const GpuLaunch& launch,
                           const std::vector<GpuVariant>& variants, const std::function<bool()>& cancelled) {
    if (child_->takes_machine_code) assemble_modules(*child_->assembler, device, launch, variants, cancelled);
}

GpuResult<RunAnswer> GpuRecorder::run_modules(const GpuLaunch& launch,
                                              const std::vector<GpuVariant>& variants,
                                              const GpuRunOptions& options, const StreamPlan& streams,
                                              double& assemble_ms) {
    if (!child_->process.running()) {
        WARPLENS_TRY(child_->greet(options.cancelled));
    }
    const auto with = [&](std::shared_ptr<const AssembledModules> code) -> GpuResult<RunAnswer> {
        WARPLENS_TRY(auto prepared, prepare_request(launch, variants, options, std::move(code)));
        prepared.request.streams = streams;
        return converse(prepared, options);
    };
    const Clock::time_point begun = Clock::now();
    auto code = child_->assemble(launch, variants, options.cancelled);
    assemble_ms = std::chrono::duration<double, std::milli>(Clock::now() - begun).count();
    if (options.cancelled && options.cancelled())
        return tl::unexpected(GpuFailure{Kind::cancelled, "cancelled"});
    const bool has_code = code != nullptr;
    auto answer = with(std::move(code));
    if (answer || !has_code || answer.error().kind != Kind::load_failed) return answer;
    // The toolkit may be newer than the driver, which can still say what it thinks of the PTX.
    auto again = with(nullptr);
    if (again) {
        child_->takes_machine_code = false;
        child_->driver_assembles =
            fmt::format("the driver does not load the machine code of the CUDA Toolkit's ptxas ({})",
                        answer.error().message);
    }
    return again;
}

GpuResult<std::vector<trace::Activity>> GpuRecorder::run_streams(const GpuLaunch& launch,
                                                                 const StreamPlan& plan,
                                                                 const GpuRunOptions& options) {
    GpuRunOptions of_request = options;
    of_request.repeats = 1;
    of_request.run_clean = true;
    of_request.read_buffers = false;
    std::vector<std::uint64_t> sizes;
    for (const GpuLaunch::Buffer& buffer : launch.buffers) sizes.push_back(buffer.data.size());
    if (const std::string wrong = check(plan, sizes); !wrong.empty())
        return tl::unexpected(GpuFailure{Kind::launch_refused, wrong});
    double assemble_ms = 0;
    WARPLENS_TRY(const auto answer, run_modules(launch, {}, of_request, plan, assemble_ms));
    auto activities = trace::parse_activities(answer.activities);
    if (!activities || activities->size() != plan.variants.size()) {
        child_->end();
        return tl::unexpected(GpuFailure{Kind::protocol,
                                         "the recorder's process reported invalid streams; it was "
                                         "stopped, and the next run starts a new one"});
    }
    return std::move(*activities);
}

GpuResult<GpuRunResult> GpuRecorder::run(const GpuLaunch& launch, const std::vector<GpuVariant>& variants,
                                         const GpuRunOptions& options) {
    const Clock::time_point begun = Clock::now();
    GpuRunResult result;
    WARPLENS_TRY(const RunAnswer answer,
                 run_modules(launch, variants, options, StreamPlan{}, result.assemble_ms));
    result.clean = answer.clean;
    result.buffer_addresses = answer.buffer_addresses;
    result.load_ms = answer.load_ms;
    result.driver_assembles = child_->driver_assembles;
    for (std::uint32_t i = 0; i < answer.variants.size(); ++i) {
        const VariantAnswer& variant = answer.variants[i];
        const std::span<const std::byte> space = child_->regions[first_space_region + i].bytes();
        result.variants.push_back({variant.kernel, variant.parameter, space.first(variant.read_bytes),
                                   variant.identical_results, variant.first_difference});
    }
    if (options.read_buffers && options.run_clean) {
        std::vector<std::uint64_t> sizes;
        for (const GpuLaunch::Buffer& buffer : launch.buffers) sizes.push_back(buffer.data.size());
        const std::vector<std::uint64_t> offsets = lay_out(sizes);
        const std::span<const std::byte> all = child_->regions[buffers_region].bytes();
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            if (offsets.back() > all.size()) {
                child_->end();
                return tl::unexpected(GpuFailure{
                    Kind::protocol, "the recorder's process did not hand the buffers over; it was stopped"});
            }
            const auto part = all.subspan(offsets[i], sizes[i]);
            result.buffers.emplace_back(part.begin(), part.end());
        }
    }
    result.total_ms = std::chrono::duration<double, std::milli>(Clock::now() - begun).count();
    return result;
}

}  // namespace warplens::instrumentation
