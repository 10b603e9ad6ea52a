// Speed of the CPU engine in warp-instructions per second, at the PTX level and of the machine code that
// ptxas made of the same PTX: alone, with an observer that receives everything, with the recorder of traces,
// and with the search for races; on one core (processor time) and, but for races, on two and four threads
// (wall time).
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "instrumentation/compile/packed_bytes.h"
#include "ptx/parser.h"
#include "simt/functional/engine.h"
#ifdef WARPLENS_SASS
#include "simt/functional/machine/machine.h"
#endif
#include "tests/support/folders.h"
#include "trace/recorder.h"

namespace {

using namespace warplens;

struct Case {
    const char* code;  // below assets/ptx: with .ptx, and with .cubin.zst
    LaunchGeometry geometry;
    std::vector<std::size_t> buffers;  // elements of 4 bytes each
    std::vector<std::uint32_t> scalars;
    bool scalars_first = false;
    std::uint64_t recorded_blocks = 0;  // the first ones, as fit the recorder's memory
    std::byte fill{};                   // of all buffers
};

enum class Recording { none, heard, full, races };

/// Receives every event and keeps none: what a fold over the whole launch costs the engine.
class Listener final : public trace::Observer {
  public:
    std::unique_ptr<trace::BlockObserver> begin_block(std::uint64_t) override {
        return std::make_unique<Block>();
    }
    void finish(std::uint64_t, std::unique_ptr<trace::BlockObserver> block) override {
        events += static_cast<Block&>(*block).events;
    }
    std::uint64_t events = 0;

  private:
    struct Block final : trace::BlockObserver {
        std::uint64_t events = 0;
        void visit(int, BasicBlockId, LaneMask) override { ++events; }
        void access(int, const trace::Access& access) override { events += (*access.addresses)[0] & 1; }
        void guard(int, SiteId, LaneMask) override { ++events; }
        void branch(int, SiteId, LaneMask, LaneMask) override { ++events; }
        void barrier(int, SiteId, LaneMask) override { ++events; }
    };
};

std::string read_asset(const std::string& path) {
    std::ifstream file(source_folder() + "/assets/ptx/" + path, std::ios::binary);
    std::stringstream bytes;
    bytes << file.rdbuf();
    return std::move(bytes).str();
}

using LoadedKernel = Result<std::shared_ptr<const simt::Kernel>>;

LoadedKernel load_ptx(const std::string& code) {
    const std::string text = read_asset(code + ".ptx");
    WARPLENS_TRY(const auto module, ptx::parse(text, code));
    return simt::Kernel::load(module, module.entries().front()->name, text);
}

#ifdef WARPLENS_SASS
LoadedKernel load_machine_code(const std::string& code) {
    constexpr std::size_t most = 1 << 24;
    WARPLENS_TRY(const auto bytes, instrumentation::unpacked(read_asset(code + ".cubin.zst"), most));
    WARPLENS_TRY(const auto cubin, sass::read_cubin(bytes));
    return simt::load_machine_code(cubin, cubin.functions.front().name);
}
#else
LoadedKernel load_machine_code(const std::string&) { return fail("built without machine code"); }
#endif

void run_case(benchmark::State& state, const Case& test, Level level, Recording recording, int threads) {
    const auto loaded = level == Level::ptx ? load_ptx(test.code) : load_machine_code(test.code);
    if (!loaded) return state.SkipWithError(loaded.error().message.c_str());
    const simt::Kernel& kernel = **loaded;
    std::uint64_t steps = 0;
    for (auto _ : state) {
        state.PauseTiming();
        simt::GlobalMemory memory;
        std::vector<std::byte> arguments;
        auto append = [&](const void* bytes, std::size_t count) {
            arguments.resize((arguments.size() + count - 1) / count * count);
            const auto* from = static_cast<const std::byte*>(bytes);
            arguments.insert(arguments.end(), from, from + count);
        };
        auto scalars = [&] {
            for (std::uint32_t scalar : test.scalars) append(&scalar, 4);
        };
        if (test.scalars_first) scalars();
        for (std::size_t elements : test.buffers) {
            std::uint64_t address =
                memory.allocate("buffer", std::vector<std::byte>(4 * elements, test.fill));
            append(&address, 8);
        }
        if (!test.scalars_first) scalars();
        simt::RunOptions options;
        options.threads = threads;
        options.detect_races = recording == Recording::races;
        trace::Launch launch;
        launch.geometry = test.geometry;
        trace::RecorderOptions limits;
        limits.memory_limit = std::uint64_t{1} << 28;
        trace::Recorder recorder(launch, kernel.program(), limits);
        if (recording == Recording::full) {
            for (std::uint64_t i = 0; i < test.recorded_blocks; ++i) options.blocks.push_back(i);
        }
        Listener listener;
        trace::Observer* observer = nullptr;
        if (recording == Recording::heard) observer = &listener;
        if (recording == Recording::full) observer = &recorder;
        state.ResumeTiming();
        simt::RunResult result = simt::run(kernel, test.geometry, arguments, memory, options, observer);
        benchmark::DoNotOptimize(listener.events);
        steps += result.steps;
        if (!result.completed || !result.problems.empty() || recorder.truncated()) {
            state.SkipWithError(result.problems.empty() ? "not completed"
                                                        : result.problems[0].message.c_str());
            break;
        }
    }
    state.counters["warp_instructions/s"] =
        benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
}

constexpr std::uint32_t f32_two = 0x40000000;

const Case matmul{"matmul_naive/default",
                  {{32, 32, 1}, {16, 16, 1}, 0},
                  {512 * 512, 512 * 512, 512 * 512},
                  {512},
                  false,
                  256};
const Case saxpy{
    "saxpy/default", {{4096, 1, 1}, {256, 1, 1}, 0}, {1 << 20, 1 << 20}, {1 << 20, f32_two}, true, 4096};
const Case transpose{"transpose_tiled/PAD=1,TILE=32",
                     {{32, 32, 1}, {32, 32, 1}, 0},
                     {1 << 20, 1 << 20},
                     {1024, 1024},
                     false,
                     1024};
const Case reduction{
    "reduce_shuffle/default", {{1024, 1, 1}, {256, 1, 1}, 0}, {1 << 20, 1024}, {1 << 20}, false, 1024};
// f16 of 1.06: the shapes m16n16k16 and m16n8k16.
constexpr std::byte half_one{0x3c};
const Case wmma{"wmma_matmul/default",
                {{4, 16, 1}, {128, 1, 1}, 0},
                {256 * 128, 256 * 128, 256 * 256},
                {256},
                false,
                64,
                half_one};
const Case mma{"mma_matmul/PAD=8",
               {{4, 16, 1}, {128, 1, 1}, 0},
               {256 * 128, 256 * 128, 256 * 256},
               {256},
               false,
               64,
               half_one};

}  // namespace

#define ON_ONE(name, suffix, level, recording)                                             \
    BENCHMARK_CAPTURE(run_case, name##suffix, name, Level::level, Recording::recording, 1) \
        ->Unit(benchmark::kMillisecond)

#define ON_THREADS(name, suffix, level, recording, threads)                                      \
    BENCHMARK_CAPTURE(run_case, name##suffix, name, Level::level, Recording::recording, threads) \
        ->Unit(benchmark::kMillisecond)                                                          \
        ->UseRealTime()

#define AT_LEVEL(name, at, level)                           \
    ON_ONE(name, at, level, none);                          \
    ON_ONE(name, at##_races, level, races);                 \
    ON_ONE(name, at##_heard, level, heard);                 \
    ON_ONE(name, at##_recorded, level, full);               \
    ON_THREADS(name, at##_by_two, level, none, 2);          \
    ON_THREADS(name, at##_by_four, level, none, 4);         \
    ON_THREADS(name, at##_recorded_by_two, level, full, 2); \
    ON_THREADS(name, at##_recorded_by_four, level, full, 4)

#define ENGINE_CASE(name)  \
    AT_LEVEL(name, , ptx); \
    AT_LEVEL(name, _machine, machine)

ENGINE_CASE(matmul);
ENGINE_CASE(saxpy);
ENGINE_CASE(transpose);
ENGINE_CASE(reduction);
ENGINE_CASE(wmma);
ENGINE_CASE(mma);

BENCHMARK_MAIN();
