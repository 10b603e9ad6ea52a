// Speed of the CPU engine in warp-instructions per second: alone, with an observer that receives everything,
// with the recorder of traces, and with the search for races; on one core (processor time) and, but for
// races, on two and four threads (wall time).
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "ptx/parser.h"
#include "simt/functional/engine.h"
#include "trace/recorder.h"

namespace {

using namespace warplens;

struct Case {
    const char* ptx;  // below assets/ptx
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

std::shared_ptr<const simt::Kernel> load(const std::string& path) {
    std::ifstream file(std::string(WARPLENS_SOURCE_FOLDER "/assets/ptx/") + path);
    std::stringstream text;
    text << file.rdbuf();
    auto module = ptx::parse(text.str(), path);
    if (!module) {
        std::fprintf(stderr, "%s\n", module.error().message.c_str());
        std::exit(2);
    }
    auto kernel = simt::Kernel::load(*module, module->entries().front()->name, text.str());
    if (!kernel) {
        std::fprintf(stderr, "%s\n", kernel.error().message.c_str());
        std::exit(2);
    }
    return *kernel;
}

void run_case(benchmark::State& state, const Case& test, Recording recording, int threads) {
    auto kernel = load(test.ptx);
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
        trace::Recorder recorder(launch, kernel->program(), limits);
        if (recording == Recording::full) {
            for (std::uint64_t i = 0; i < test.recorded_blocks; ++i) options.blocks.push_back(i);
        }
        Listener listener;
        trace::Observer* observer = nullptr;
        if (recording == Recording::heard) observer = &listener;
        if (recording == Recording::full) observer = &recorder;
        state.ResumeTiming();
        simt::RunResult result = simt::run(*kernel, test.geometry, arguments, memory, options, observer);
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

const Case matmul{"matmul_naive/default.ptx",
                  {{32, 32, 1}, {16, 16, 1}, 0},
                  {512 * 512, 512 * 512, 512 * 512},
                  {512},
                  false,
                  512};
const Case saxpy{
    "saxpy/default.ptx", {{4096, 1, 1}, {256, 1, 1}, 0}, {1 << 20, 1 << 20}, {1 << 20, f32_two}, true, 4096};
const Case transpose{"transpose_tiled/PAD=1,TILE=32.ptx",
                     {{32, 32, 1}, {32, 32, 1}, 0},
                     {1 << 20, 1 << 20},
                     {1024, 1024},
                     false,
                     1024};
const Case reduction{
    "reduce_shuffle/default.ptx", {{1024, 1, 1}, {256, 1, 1}, 0}, {1 << 20, 1024}, {1 << 20}, false, 1024};
// f16 of 1.06: the shapes m16n16k16 and m16n8k16.
constexpr std::byte half_one{0x3c};
const Case wmma{"wmma_matmul/default.ptx",
                {{4, 16, 1}, {128, 1, 1}, 0},
                {256 * 128, 256 * 128, 256 * 256},
                {256},
                false,
                64,
                half_one};
const Case mma{"mma_matmul/PAD=8.ptx",
               {{4, 16, 1}, {128, 1, 1}, 0},
               {256 * 128, 256 * 128, 256 * 256},
               {256},
               false,
               64,
               half_one};

}  // namespace

#define ENGINE_CASE_ON(name, suffix, recording, threads)                \
    BENCHMARK_CAPTURE(run_case, name##suffix, name, recording, threads) \
        ->Unit(benchmark::kMillisecond)                                 \
        ->UseRealTime()

#define ENGINE_CASE(name)                                                                                  \
    BENCHMARK_CAPTURE(run_case, name, name, Recording::none, 1)->Unit(benchmark::kMillisecond);            \
    BENCHMARK_CAPTURE(run_case, name##_races, name, Recording::races, 1)->Unit(benchmark::kMillisecond);   \
    BENCHMARK_CAPTURE(run_case, name##_heard, name, Recording::heard, 1)->Unit(benchmark::kMillisecond);   \
    BENCHMARK_CAPTURE(run_case, name##_recorded, name, Recording::full, 1)->Unit(benchmark::kMillisecond); \
    ENGINE_CASE_ON(name, _by_two, Recording::none, 2);                                                     \
    ENGINE_CASE_ON(name, _by_four, Recording::none, 4);                                                    \
    ENGINE_CASE_ON(name, _recorded_by_two, Recording::full, 2);                                            \
    ENGINE_CASE_ON(name, _recorded_by_four, Recording::full, 4)

ENGINE_CASE(matmul);
ENGINE_CASE(saxpy);
ENGINE_CASE(transpose);
ENGINE_CASE(reduction);
ENGINE_CASE(wmma);
ENGINE_CASE(mma);

BENCHMARK_MAIN();
