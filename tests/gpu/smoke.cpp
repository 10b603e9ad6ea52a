// The recorder on a real GPU, one line per check: facts, clean and recorded runs, latency, and each way to
// fail. A program for a machine with a GPU, not part of ctest; it needs no file. Exit code: the number of
// failed checks.
#include <fmt/core.h>
#include <signal.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string_view>
#include <thread>

#include "instrumentation/device/gpu_recorder.h"
#include "instrumentation/hidden_command.h"
#include "instrumentation/rewrite/instrument.h"
#include "ptx/parser.h"

namespace {

using namespace warplens;
using namespace warplens::instrumentation;
using Kind = GpuFailure::Kind;

/// Kernels of (pointer, count) with the body given; %d1 is the pointer, %r1 the thread in the grid, %r2 the
/// count.
std::string kernel(const std::string& body, const std::string& version = "7.0") {
    return ".version " + version + "\n.target sm_50\n.address_size 64\n" +
           R"(.visible .entry probe(.param .u64 probe_0, .param .u32 probe_1)
{
    .reg .pred %p<8>;
    .reg .b32 %r<16>;
    .reg .b64 %d<16>;
    .shared .align 4 .b8 room[64];
    ld.param.u64 %d1, [probe_0];
    ld.param.u32 %r2, [probe_1];
    cvta.to.global.u64 %d1, %d1;
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %ntid.x;
    mov.u32 %r5, %tid.x;
    mad.lo.s32 %r1, %r3, %r4, %r5;
)" + body + "    ret;\n}\n";
}

const char* const triple = R"(    setp.ge.u32 %p1, %r1, %r2;
    @%p1 bra over;
    mul.wide.u32 %d2, %r1, 4;
    add.s64 %d3, %d1, %d2;
    ld.global.u32 %r6, [%d3];
    mul.lo.s32 %r7, %r6, 3;
    st.global.u32 [%d3], %r7;
over:
)";
const char* const wild = "    mov.u64 %d2, 64;\n    st.global.u32 [%d2], %r1;\n";
const char* const crooked = "    ld.global.u32 %r6, [%d1+2];\n    st.global.u32 [%d1], %r6;\n";
const char* const endless =
    "again:\n    ld.volatile.global.u32 %r6, [%d1];\n    setp.ne.s32 %p1, %r6, 77;\n    @%p1 bra again;\n";
const char* const trapped = "    trap;\n";

int failed = 0;

void check(bool good, const std::string& what, const std::string& detail = "") {
    fmt::print("{:6} {}{}{}\n", good ? "ok" : "FAILED", what, detail.empty() ? "" : ": ", detail);
    std::fflush(stdout);
    failed += good ? 0 : 1;
}

double ms_since(std::chrono::steady_clock::time_point begun) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
}

struct Probe {
    std::vector<std::uint32_t> values;
    GpuLaunch launch;

    Probe(const std::string& ptx, std::size_t count) : values(count) {
        for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::uint32_t>(i);
        launch.ptx = ptx;
        launch.entry = "probe";
        launch.geometry = {{static_cast<std::uint32_t>((count + 255) / 256), 1, 1}, {256, 1, 1}, 0};
        launch.arguments.resize(12);
        const auto number = static_cast<std::uint32_t>(count);
        std::memcpy(launch.arguments.data() + 8, &number, 4);
        launch.pointers = {{0, 0}};
        launch.buffers = {{"y", std::as_bytes(std::span(values))}};
    }
};

GpuVariant recorded(const GpuLaunch& launch, RecordMode mode) {
    GpuVariant variant;
    const auto module = ptx::parse(launch.ptx, "probe.ptx");
    InstrumentOptions options;
    options.mode = mode;
    options.shared_bytes = 64;
    const auto made = module ? instrument(*module, launch.entry, options)
                             : Result<Instrumented>(tl::unexpected(module.error()));
    check(made.has_value(), "instrument the probe", made ? "" : made.error().message);
    if (!made) return variant;
    variant.mode = mode;
    variant.ptx = made->ptx;
    variant.symbols = static_cast<std::uint32_t>(made->plan.symbols.size());
    variant.chunk_units = std::max(64u, made->plan.min_chunk_units);
    variant.space_bytes = std::uint64_t{1} << 30;
    return variant;
}

void check_failure(GpuRecorder& recorder, const char* what, const std::string& ptx, Kind kind,
                   GpuRunOptions options = {}) {
    Probe probe(ptx, 4096);
    auto begun = std::chrono::steady_clock::now();
    const auto result = recorder.run(probe.launch, {}, options);
    const double elapsed_ms = ms_since(begun);
    const bool good = !result && result.error().kind == kind;
    check(good, what,
          fmt::format("{:.0f} ms: {}", elapsed_ms, result ? "it worked" : result.error().message));
    Probe next(kernel(triple), 4096);
    begun = std::chrono::steady_clock::now();
    const auto again = recorder.run(next.launch, {}, {});
    check(
        again.has_value(), "  and the next run works",
        fmt::format("{:.0f} ms{}{}", ms_since(begun), again ? "" : ": ", again ? "" : again.error().message));
}

void check_recorded_runs(GpuRecorder& recorder, std::size_t count) {
    Probe probe(kernel(triple), count);
    std::vector<GpuVariant> variants;
    for (const RecordMode mode : {RecordMode::light, RecordMode::full, RecordMode::proof}) {
        variants.push_back(recorded(probe.launch, mode));
    }
    GpuRunOptions options;
    options.repeats = 7;
    options.read_buffers = true;
    auto begun = std::chrono::steady_clock::now();
    auto result = recorder.run(probe.launch, variants, options);
    check(result.has_value(), fmt::format("clean, light, full and proof of {} elements", count),
          result ? fmt::format("{:.1f} ms, loading {:.1f} ms", ms_since(begun), result->load_ms)
                 : result.error().message);
    if (!result) return;
    std::vector<std::uint32_t> after(count);
    std::memcpy(after.data(), result->buffers[0].data(), 4 * count);
    bool right = true;
    for (std::size_t i = 0; i < count; ++i) right = right && after[i] == 3 * probe.values[i];
    check(right, "  the results are right");
    fmt::print("       clean {:.2f} us, {} registers, {} blocks per SM; y at {:#x}\n", result->clean.time_us,
               result->clean.registers, result->clean.blocks_per_sm, result->buffer_addresses[0]);
    for (std::size_t i = 0; i < variants.size(); ++i) {
        const GpuVariantResult& one = result->variants[i];
        SpaceHead head;
        std::memcpy(&head, one.space.data(), sizeof(head));
        check(one.identical_results && head.dropped_records == 0 && head.next_chunk > one.parameter.slabs,
              fmt::format("  variant {}", i),
              fmt::format(
                  "{:.2f} us ({:.2f} times), {} registers, next chunk {} of {}, {} slabs, {} bytes read, "
                  "{} dropped {}",
                  one.kernel.time_us, one.kernel.time_us / result->clean.time_us, one.kernel.registers,
                  head.next_chunk, one.parameter.chunks, one.parameter.slabs, one.space.size(),
                  head.dropped_records, one.first_difference));
    }
    options.repeats = 1;
    options.read_buffers = false;
    const auto time_runs = [&](const char* what, const std::vector<GpuVariant>& with, bool change) {
        std::vector<double> times;
        for (int i = 0; i < 15; ++i) {
            if (change) probe.values[0] += 1;
            begun = std::chrono::steady_clock::now();
            result = recorder.run(probe.launch, with, options);
            times.push_back(ms_since(begun));
        }
        std::sort(times.begin(), times.end());
        const std::string read =
            result && !with.empty()
                ? fmt::format(", {:.1f} MB read back",
                              1e-6 * static_cast<double>(result->variants[0].space.size()))
                : "";
        check(
            result.has_value(), fmt::format("  warm run, {}", what),
            fmt::format("median {:.2f} ms, least {:.2f} ms{}", times[times.size() / 2], times.front(), read));
    };
    time_runs("clean only", {}, false);
    time_runs("clean and light", {variants[0]}, false);
    time_runs("clean and light, the buffer changed", {variants[0]}, true);
    time_runs("clean and full", {variants[1]}, false);
}

void check_full_memory(GpuRecorder& recorder, std::uint64_t device_bytes) {
    const std::uint64_t bytes = device_bytes / 3 + (std::uint64_t{1} << 30);
    void* const start = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) return check(false, "address space for the full-memory check");
    Probe probe(kernel(triple), 4096);
    probe.launch.buffers[0].data = {static_cast<const std::byte*>(start), bytes};
    const auto result = recorder.run(probe.launch, {recorded(probe.launch, RecordMode::light)}, {});
    check(!result && result.error().kind == Kind::out_of_memory, "device memory full",
          result ? "it worked" : result.error().message);
    munmap(start, bytes);
    Probe next(kernel(triple), 4096);
    const auto again = recorder.run(next.launch, {}, {});
    check(again.has_value(), "  and the next run works", again ? "" : again.error().message);
}

/// Kills this process's children while a kernel runs without an end.
void check_killed(GpuRecorder& recorder) {
    std::thread killer([] {
        std::this_thread::sleep_for(std::chrono::milliseconds(700));
        for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
            std::ifstream file(entry.path() / "children");
            for (int process = 0; file >> process;) kill(process, SIGKILL);
        }
    });
    GpuRunOptions options;
    options.time_limit_s = 20;
    check_failure(recorder, "the child is killed from outside", kernel(endless), Kind::child_died, options);
    killer.join();
}

}  // namespace

int main(int argument_count, char** arguments) {
    if (const auto code = warplens::instrumentation::run_hidden_command(argument_count, arguments))
        return *code;
    GpuRecorder recorder;
    auto begun = std::chrono::steady_clock::now();
    const auto facts = recorder.device();
    check(facts.has_value(), "device",
          facts ? fmt::format(
                      "{}, driver {}, {}.{}, {} SMs, {:.0f} MHz, {:.1f} of {:.1f} GiB free, {:.0f} ms",
                      facts->name, facts->driver, facts->compute_major, facts->compute_minor, facts->sm_count,
                      1e-6 * facts->boost_clock_hz, static_cast<double>(facts->free_bytes) / (1 << 30),
                      static_cast<double>(facts->memory_bytes) / (1 << 30), ms_since(begun))
                : facts.error().message);
    if (!facts) return failed;
    check_recorded_runs(recorder, std::size_t{1} << 20);
    check_recorded_runs(recorder, std::size_t{1} << 24);
    check_failure(recorder, "an illegal address", kernel(wild), Kind::kernel_fault);
    check_failure(recorder, "a misaligned address", kernel(crooked), Kind::kernel_fault);
    check_failure(recorder, "a trap", kernel(trapped), Kind::kernel_fault);
    check_failure(recorder, "a kernel without an end", kernel(endless), Kind::time_limit);
    GpuRunOptions options;
    begun = std::chrono::steady_clock::now();
    options.cancelled = [&] { return ms_since(begun) > 300; };
    check_failure(recorder, "a cancelled run", kernel(endless), Kind::cancelled, options);
    check_failure(recorder, "PTX that does not assemble", kernel("    mov.u32 %r6, %nonsense;\n"),
                  Kind::load_failed);
    check_failure(recorder, "PTX newer than the driver", kernel(triple, "42.0"), Kind::load_failed);
    Probe large(kernel(triple), 4096);
    large.launch.geometry.dynamic_shared_bytes = 100 * 1024;
    const auto opted = recorder.run(large.launch, {}, {});
    check(opted.has_value(), "100 KiB of dynamic shared memory", opted ? "" : opted.error().message);
    check_killed(recorder);
    check_full_memory(recorder, facts->memory_bytes);
    fmt::print("{} failed\n", failed);
    return failed;
}
