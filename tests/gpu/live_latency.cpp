// From a changed knob to measured data on this machine's GPU, for every kernel of the catalogue: the window's
// own path, Engines::run_scene, in milliseconds of wall time, as CSV on standard output. `run_time`: a
// run-time parameter moved one step (a value never seen before); `compile_time`: a compile-time parameter
// changed, so that the kernel is compiled, instrumented and loaded again; `again`: the same launch once more.
// Start it in the project's root: gpu_live_latency [KERNEL…]
#include <algorithm>
#include <chrono>
#include <cstdio>
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

class Latencies {
  public:
    explicit Latencies(app::Engines& engines) : engines_(engines) {}

    void measure(const std::shared_ptr<const instrumentation::KernelFile>& kernel) {
        app::RunRequest request;
        request.kernel = kernel;
        request.engine = app::Engine::cuda;
        if (!timed(request)) return;
        print(*kernel, "again", "", {*timed(request), *timed(request), *timed(request)});
        for (const ParameterDeclaration& parameter : kernel->parameters) {
            std::vector<double> times;
            for (const std::string& value : other_values(parameter)) {
                request.overrides = {{parameter.name, value}};
                if (const auto time = timed(request)) times.push_back(*time);
            }
            print(*kernel, parameter.is_macro ? "compile_time" : "run_time", parameter.name, times);
        }
    }

    double worst_run_time = 0, worst_compile_time = 0;

  private:
    std::optional<double> timed(const app::RunRequest& request) {
        const auto from = std::chrono::steady_clock::now();
        const auto scene = engines_.run_scene(request, [] { return false; });
        if (!scene) {
            std::fprintf(stderr, "%s: %s\n", request.kernel->name.c_str(), scene.error().message.c_str());
            return std::nullopt;
        }
        if (!scene->notice.empty())
            std::fprintf(stderr, "%s: %s\n", request.kernel->name.c_str(), scene->notice.c_str());
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - from).count();
    }

    static std::vector<std::string> other_values(const ParameterDeclaration& parameter) {
        std::vector<std::string> values;
        const std::string fallback = instrumentation::to_string(parameter.fallback);
        for (const int steps : {-1, +1, -2, +2})
            if (auto value = app::stepped(parameter, fallback, steps)) values.push_back(std::move(*value));
        return values;
    }

    void print(const instrumentation::KernelFile& kernel, const char* kind, const std::string& parameter,
               std::vector<double> times) {
        if (times.empty()) return;
        std::sort(times.begin(), times.end());
        const double median = times[times.size() / 2];
        std::printf("%s,%s,%s,%zu,%.1f,%.1f\n", kernel.name.c_str(), kind, parameter.c_str(), times.size(),
                    median, times.back());
        std::fflush(stdout);
        if (kind == std::string_view("run_time")) worst_run_time = std::max(worst_run_time, median);
        if (kind == std::string_view("compile_time"))
            worst_compile_time = std::max(worst_compile_time, median);
    }

    app::Engines& engines_;
};

int run(const std::set<std::string>& wanted) {
    instrumentation::CompilerOptions options;
    options.assets_folder = "assets";
    auto pipeline = std::make_shared<app::Pipeline>(
        std::shared_ptr<instrumentation::Compiler>(instrumentation::make_compiler(options)));
    std::fprintf(stderr, "compiler: %s\n", pipeline->compiler().description().c_str());
    app::Engines engines(pipeline, app::gpu_of_this_machine(), "");
    const auto device = engines.gpu().device();
    if (!device) {
        std::fprintf(stderr, "%s\n", device.error().message.c_str());
        return 2;
    }
    std::printf("# %s, driver %s\nkernel,kind,parameter,changes,median_ms,worst_ms\n", device->name.c_str(),
                device->driver.c_str());
    auto kernels = app::catalogue();
    if (!kernels) {
        std::fprintf(stderr, "%s\n", kernels.error().message.c_str());
        return 2;
    }
    Latencies latencies(engines);
    for (instrumentation::KernelFile& kernel : *kernels) {
        if (!wanted.empty() && !wanted.contains(kernel.name)) continue;
        latencies.measure(std::make_shared<const instrumentation::KernelFile>(std::move(kernel)));
    }
    std::fprintf(stderr, "worst median: run-time parameter %.1f ms, compile-time parameter %.1f ms\n",
                 latencies.worst_run_time, latencies.worst_compile_time);
    return 0;
}

}  // namespace
}  // namespace warplens

int main(int argc, char** argv) {
    if (const auto code = warplens::instrumentation::run_hidden_command(argc, argv)) return *code;
    return warplens::run(std::set<std::string>(argv + 1, argv + argc));
}
