// Launches kernels from stored machine code, once each, so that a profiler can count what every instruction
// does: see count_instructions.py.
//   gpu_machine_counts store FOLDER KERNEL.cu…   compiles for sm_90 and writes PTX and cubin to FOLDER
//   gpu_machine_counts launch FOLDER KERNEL.cu…  launches those on the GPU; prints a hash of each buffer's
//   contents
//   gpu_machine_counts clocks FOLDER KERNEL.cu…  launches what sm_clocks.py made of them, with cold caches;
//   prints what each block wrote: its SM, the GPU's time and the SM's clock when it began, the clock when it
//   ended
#include <cstdio>
#include <cstring>

#include "app/pipeline/gpu/gpu.h"
#include "app/pipeline/gpu/gpu_launch.h"
#include "app/pipeline/kernel_code.h"
#include "instrumentation/hidden_command.h"
#include "tests/hardware/stored_code.h"

namespace warplens::hardware {
namespace {

namespace fs = std::filesystem;

Status write(const fs::path& path, const std::string& bytes) {
    std::ofstream file(path, std::ios::binary);
    if (!file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())))
        return fail("{} cannot be written", path.string());
    return {};
}

Status store(instrumentation::Compiler& compiler, const fs::path& folder, const std::string& path) {
    WARPLENS_TRY(const auto kernel, read_kernel(path));
    WARPLENS_TRY(const auto values, instrumentation::resolve_parameters(*kernel, {}));
    WARPLENS_TRY(const auto request, app::compile_request(*kernel, values, "sm_90"));
    WARPLENS_TRY(const auto compiled, compiler.compile(request));
    if (compiled.cubin.empty()) return fail("{}: the compiler gave no machine code", path);
    if (auto status = write(folder / (kernel->name + ".ptx"), compiled.ptx); !status) return status;
    return write(folder / (kernel->name + ".cubin"), compiled.cubin);
}

void print_hashes(const std::string& kernel, const instrumentation::GpuLaunch& launch,
                  const instrumentation::GpuRunResult& result) {
    for (std::size_t i = 0; i < result.buffers.size(); ++i)
        std::printf(
            "%s,%s,%016llx\n", kernel.c_str(), launch.buffers[i].name.c_str(),
            static_cast<unsigned long long>(hash_of(result.buffers[i].data(), result.buffers[i].size())));
}

/// `sm_clocks_` has four numbers for each block.
void print_clocks(const std::string& kernel, const instrumentation::GpuLaunch& launch,
                  const instrumentation::GpuRunResult& result) {
    std::vector<std::uint64_t> numbers;
    for (std::size_t i = 0; i < result.buffers.size(); ++i) {
        if (launch.buffers[i].name != "sm_clocks_") continue;
        numbers.resize(result.buffers[i].size() / sizeof(std::uint64_t));
        std::memcpy(numbers.data(), result.buffers[i].data(), numbers.size() * sizeof(std::uint64_t));
    }
    for (std::size_t i = 0; i + 4 <= numbers.size(); i += 4)
        std::printf(
            "%s,%zu,%llu,%llu,%llu,%llu\n", kernel.c_str(), i / 4,
            static_cast<unsigned long long>(numbers[i]), static_cast<unsigned long long>(numbers[i + 1]),
            static_cast<unsigned long long>(numbers[i + 2]), static_cast<unsigned long long>(numbers[i + 3]));
}

Status launch(app::Pipeline& pipeline, const app::Gpu& gpu, const fs::path& folder, const std::string& path,
              bool clocks) {
    WARPLENS_TRY(const auto kernel, read_kernel(path));
    app::LaunchRequest request{kernel, {}, "H200", {}};
    WARPLENS_TRY(const auto loaded, pipeline.load(request));
    WARPLENS_TRY(auto launch, app::gpu_launch(loaded));
    // The driver loads either.
    WARPLENS_TRY(launch.ptx, read_whole(folder / (kernel->name + ".cubin")));
    instrumentation::GpuRunOptions options;
    options.time_limit_s = 120;  // under a profiler, which repeats a launch
    options.read_buffers = true;
    if (clocks) options.caches = Caches::cold;
    const auto result = gpu.run(launch, {}, options);
    if (!result) return fail("{}: {}", kernel->name, result.error().message);
    if (clocks) print_clocks(kernel->name, launch, *result);
    else print_hashes(kernel->name, launch, *result);
    std::fflush(stdout);
    return {};
}

int run(int count, char** arguments) {
    if (count < 4) {
        std::fprintf(stderr, "usage: gpu_machine_counts store|launch|clocks FOLDER KERNEL.cu…\n");
        return 2;
    }
    const bool stores = std::strcmp(arguments[1], "store") == 0;
    const bool clocks = std::strcmp(arguments[1], "clocks") == 0;
    const fs::path folder = arguments[2];
    const std::shared_ptr<instrumentation::Compiler> compiler =
        stores ? std::shared_ptr<instrumentation::Compiler>(instrumentation::make_compiler({}))
               : std::make_shared<StoredCode>(folder);
    app::Pipeline pipeline(compiler);
    const app::Gpu gpu = app::gpu_of_this_machine();
    int failures = 0;
    for (int i = 3; i < count; ++i) {
        const Status status = stores ? store(*compiler, folder, arguments[i])
                                     : launch(pipeline, gpu, folder, arguments[i], clocks);
        if (status) continue;
        std::fprintf(stderr, "%s\n", status.error().message.c_str());
        ++failures;
    }
    return failures > 0 ? 1 : 0;
}

}  // namespace
}  // namespace warplens::hardware

int main(int argc, char** argv) {
    if (const auto code = warplens::instrumentation::run_hidden_command(argc, argv)) return *code;
    return warplens::hardware::run(argc, argv);
}
