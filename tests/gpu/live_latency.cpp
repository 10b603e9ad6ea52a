// From a changed knob to measured data on this machine's GPU, for every kernel of the catalogue: the window's
// own path, Engines::run_scene, in milliseconds of wall time, as CSV on standard output. `run_time`: a
// run-time parameter moved one step (a value never seen before); `compile_time`: a compile-time parameter
// changed, so that the kernel is compiled, instrumented and loaded again; `prepared`: the same values, each
// prepared before, as the window does for the neighbours of a setting that nobody changes; `again`: the same
// launch once more. Of the median's time: NVRTC with its process, the runs on the GPU and how many they are,
// and of these the time in which machine code was made, and in which the driver loaded it. The rest is the
// program's own: parsing, instrumenting, decoding. `prepare_ms`: what preparing took, before. Start it in the
// project's root; so that no folder has what an earlier start made:
// env -u HOME -u XDG_CACHE_HOME gpu_live_latency [KERNEL…]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/command_line/target.h"
#include "app/pipeline/engines.h"
#include "app/pipeline/knob_steps.h"
#include "instrumentation/compile/compiler.h"
#include "instrumentation/hidden_command.h"
#include "tests/hardware/timing_run.h"

namespace warplens {
namespace {

using instrumentation::ParameterDeclaration;

/// Where the time of a change went, in milliseconds.
struct Spent {
    double prepare = 0, all = 0, compile = 0, runs = 0, assemble = 0, load = 0;
    int run_count = 0;
};

double ms_since(std::chrono::steady_clock::time_point begun) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
}

class TimedCompiler final : public instrumentation::Compiler {
  public:
    TimedCompiler(std::unique_ptr<instrumentation::Compiler> compiler, Spent& spent)
        : compiler_(std::move(compiler)), spent_(spent) {}
    Result<instrumentation::Compiled> compile(const instrumentation::CompileRequest& request) override {
        const auto begun = std::chrono::steady_clock::now();
        auto compiled = compiler_->compile(request);
        spent_.compile += ms_since(begun);
        return compiled;
    }
    std::string description() const override { return compiler_->description(); }

  private:
    std::unique_ptr<instrumentation::Compiler> compiler_;
    Spent& spent_;
};

app::Gpu timed_gpu(Spent& spent) {
    app::Gpu gpu = app::gpu_of_this_machine();
    gpu.run = [&spent, run = gpu.run](const instrumentation::GpuLaunch& launch,
                                      const std::vector<instrumentation::GpuVariant>& variants,
                                      const instrumentation::GpuRunOptions& options) {
        auto result = run(launch, variants, options);
        if (result) {
            spent.runs += result->total_ms;
            spent.assemble += result->assemble_ms;
            spent.load += result->load_ms;
        }
        ++spent.run_count;
        return result;
    };
    return gpu;
}

bool never() { return false; }

/// The window's path to the GPU, which has seen nothing yet.
class Path {
  public:
    Path()
        : pipeline_(std::make_shared<app::Pipeline>(std::make_shared<TimedCompiler>(
              instrumentation::make_compiler(
                  {.assets_folder = "assets", .cache_folder = "", .keeps_ready = true}),
              spent_))),
          engines_(pipeline_, timed_gpu(spent_), "") {}

    std::string compiler() const { return pipeline_->compiler().description(); }
    instrumentation::GpuResult<instrumentation::DeviceFacts> device() const {
        return engines_.gpu().device();
    }

    std::optional<Spent> timed(const app::RunRequest& request, bool prepared) {
        const auto begun = std::chrono::steady_clock::now();
        if (prepared) engines_.prepare(request, never);
        spent_ = {};
        spent_.prepare = prepared ? ms_since(begun) : 0;
        const auto from = std::chrono::steady_clock::now();
        const auto scene = engines_.run_scene(request, never);
        if (!scene) {
            std::fprintf(stderr, "%s: %s\n", request.kernel->name.c_str(), scene.error().message.c_str());
            return std::nullopt;
        }
        if (!scene->notice.empty())
            std::fprintf(stderr, "%s: %s\n", request.kernel->name.c_str(), scene->notice.c_str());
        spent_.all = ms_since(from);
        return spent_;
    }

  private:
    Spent spent_;
    std::shared_ptr<app::Pipeline> pipeline_;
    app::Engines engines_;
};

class Latencies {
  public:
    void measure(const std::shared_ptr<const instrumentation::KernelFile>& kernel) {
        app::RunRequest request;
        request.kernel = kernel;
        request.engine = app::Engine::cuda;
        if (!unprepared.timed(request, false) || !prepared.timed(request, false)) return;
        std::vector<Spent> again;
        for (int i = 0; i < 3; ++i)
            if (const auto time = unprepared.timed(request, false)) again.push_back(*time);
        print(*kernel, "again", "", again);
        for (const ParameterDeclaration& parameter : kernel->parameters) {
            std::vector<Spent> times, times_prepared;
            for (const std::string& value : other_values(parameter)) {
                request.overrides = {{parameter.name, value}};
                if (const auto time = unprepared.timed(request, false)) times.push_back(*time);
                if (!parameter.is_macro) continue;
                if (const auto time = prepared.timed(request, true)) times_prepared.push_back(*time);
            }
            print(*kernel, parameter.is_macro ? "compile_time" : "run_time", parameter.name, times);
            print(*kernel, "prepared", parameter.name, times_prepared);
        }
    }

    Path unprepared, prepared;
    std::map<std::string, double> worst;  // median, by kind

  private:
    static std::vector<std::string> other_values(const ParameterDeclaration& parameter) {
        std::vector<std::string> values;
        const std::string fallback = instrumentation::to_string(parameter.fallback);
        for (const int steps : {-1, +1, -2, +2}) {
            auto value = app::stepped(parameter, fallback, steps);  // which stops at the end of the range
            if (value && std::ranges::find(values, *value) == values.end())
                values.push_back(std::move(*value));
        }
        return values;
    }

    void print(const instrumentation::KernelFile& kernel, const char* kind, const std::string& parameter,
               std::vector<Spent> times) {
        if (times.empty()) return;
        std::ranges::sort(times, {}, &Spent::all);
        const Spent& middle = times[times.size() / 2];
        const double median = middle.all;
        std::printf("%s,%s,%s,%zu,%.1f,%.1f,%.1f,%.1f,%d,%.1f,%.1f,%.1f\n", kernel.name.c_str(), kind,
                    parameter.c_str(), times.size(), median, times.back().all, middle.compile, middle.runs,
                    middle.run_count, middle.assemble, middle.load, middle.prepare);
        std::fflush(stdout);
        worst[kind] = std::max(worst[kind], median);
    }
};

int run(const std::set<std::string>& wanted) {
    Latencies latencies;
    std::fprintf(stderr, "compiler: %s\n", latencies.unprepared.compiler().c_str());
    const auto device = latencies.unprepared.device();
    if (!device) {
        std::fprintf(stderr, "%s\n", device.error().message.c_str());
        return 2;
    }
    std::printf(
        "# %s, driver %s\nkernel,kind,parameter,changes,median_ms,worst_ms,"
        "compile_ms,runs_ms,runs,assemble_ms,load_ms,prepare_ms\n",
        device->name.c_str(), device->driver.c_str());
    auto kernels = app::catalogue();
    if (!kernels) {
        std::fprintf(stderr, "%s\n", kernels.error().message.c_str());
        return 2;
    }
    for (instrumentation::KernelFile& kernel : *kernels) {
        if (!wanted.empty() && !wanted.contains(kernel.name)) continue;
        latencies.measure(std::make_shared<const instrumentation::KernelFile>(std::move(kernel)));
    }
    for (const auto& [kind, median] : latencies.worst)
        std::fprintf(stderr, "worst median, %s: %.1f ms\n", kind.c_str(), median);
    return 0;
}

}  // namespace
}  // namespace warplens

int main(int argc, char** argv) {
    if (const auto code = warplens::instrumentation::run_hidden_command(argc, argv)) return *code;
    return warplens::run(std::set<std::string>(argv + 1, argv + argc));
}
