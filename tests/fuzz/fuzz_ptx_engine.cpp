// libFuzzer target: PTX that parses is executed by the CPU engine, two blocks of 40 threads of it, and timed:
// any text may name any barrier, register, size or address. Seeds are in corpus_ptx/.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "core/gpu_spec.h"
#include "ptx/parser.h"
#include "simt/functional/engine.h"
#include "simt/timing/timing_model.h"
#include "trace/check.h"
#include "trace/recorder.h"

namespace {

using namespace warplens;

void run_entry(const ptx::Module& module, const std::string& entry, const std::string& text) {
    const auto kernel = simt::Kernel::load(module, entry, text);
    if (!kernel || (*kernel)->static_shared_bytes() > 64u << 10) return;
    const Program& program = (*kernel)->program();
    std::size_t argument_bytes = 0;
    for (const Parameter& parameter : program.parameters)
        argument_bytes = std::max<std::size_t>(argument_bytes, parameter.offset + parameter.bytes);
    trace::Launch launch;
    launch.kernel = entry;
    launch.geometry = {{2, 1, 1}, {40, 1, 1}, 256};
    simt::GlobalMemory memory;
    const std::uint64_t address = memory.allocate("data", std::vector<std::byte>(4096));
    std::vector<std::byte> arguments(argument_bytes);
    for (std::size_t at = 0; at + 8 <= arguments.size(); at += 8)
        std::memcpy(arguments.data() + at, &address, sizeof address);
    launch.buffers.push_back({"data", "u8", 1, address, 4096});
    simt::RunOptions options;
    options.threads = 1;
    options.max_steps_per_warp = 2000;
    options.limits.heap_bytes = 1 << 16;
    trace::Recorder recorder(launch, program, {{}, 4u << 20});
    simt::run(**kernel, launch.geometry, arguments, memory, options, &recorder);
    const trace::Trace trace = recorder.take();
    if (!trace::check(trace)) std::abort();
    simt::TimingRequest request;
    request.max_cycles = 1u << 18;
    (void)simt::schedule(trace, default_gpu(), request);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto module = ptx::parse(text, "fuzz.ptx");
    if (!module) return 0;
    for (const ptx::Function* entry : module->entries()) run_entry(*module, entry->name, text);
    return 0;
}
