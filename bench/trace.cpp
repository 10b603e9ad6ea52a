// Speed of recording, replaying, expanding and storing traces, on synthetic events of one small kernel.
#include <benchmark/benchmark.h>

#include "tests/support/synthetic.h"
#include "trace/file/trace_file.h"
#include "trace/query.h"
#include "trace/recorder.h"
#include "trace/replay.h"

namespace {

using namespace warplens::trace;

const ExampleShape shape = ExampleShape::huge(2'000'000);

const Trace& example() {
    static const Trace trace = make_example(shape);
    return trace;
}

std::int64_t events() {
    return static_cast<std::int64_t>(example().visits.size() + example().accesses.size() +
                                     example().masks.size());
}

std::int64_t event_bytes() {
    return static_cast<std::int64_t>(
        example().visits.size() * sizeof(Visit) + example().accesses.size() * sizeof(AccessRecord) +
        example().masks.size() * sizeof(MaskRecord) + example().exceptions.size() * sizeof(std::uint64_t));
}

struct Nobody final : Observer {
    std::unique_ptr<BlockObserver> begin_block(std::uint64_t) override {
        return std::make_unique<BlockObserver>();
    }
    void finish(std::uint64_t, std::unique_ptr<BlockObserver>) override {}
};

/// Items are events. What it costs to make them up is `synthesize_events`; the difference is the Recorder's.
void synthesize_events(benchmark::State& state) {
    for (auto _ : state) {
        Nobody nobody;
        run_example(shape, nobody);
    }
    state.SetItemsProcessed(state.iterations() * events());
}
BENCHMARK(synthesize_events)->Unit(benchmark::kMillisecond);

void record_events(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(make_example(shape));
    state.SetItemsProcessed(state.iterations() * events());
}
BENCHMARK(record_events)->Unit(benchmark::kMillisecond);

void replay_events(benchmark::State& state) {
    for (auto _ : state) {
        Nobody nobody;
        replay(example(), nobody);
    }
    state.SetItemsProcessed(state.iterations() * events());
}
BENCHMARK(replay_events)->Unit(benchmark::kMillisecond);

/// Items are steps.
void expand_steps(benchmark::State& state) {
    const RecordedSites sites(example().program);
    std::int64_t steps = 0;
    for (auto _ : state)
        for (const WarpRecord& warp : example().warps) {
            const WarpSteps of_warp(example(), sites, warp);
            of_warp.for_each(0, of_warp.size(),
                             [&](const Step& step) { benchmark::DoNotOptimize(step.executed.bits); });
            steps += static_cast<std::int64_t>(of_warp.size());
        }
    state.SetItemsProcessed(steps);
}
BENCHMARK(expand_steps)->Unit(benchmark::kMillisecond);

/// Bytes are those of the events in memory.
void write_to_memory(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(to_bytes(example()));
    state.SetBytesProcessed(state.iterations() * event_bytes());
}
BENCHMARK(write_to_memory)->Unit(benchmark::kMillisecond);

void read_from_memory(benchmark::State& state) {
    const auto bytes = to_bytes(example());
    for (auto _ : state) {
        auto file = TraceFile::from_memory(*bytes, "bench.wltrace");
        benchmark::DoNotOptimize(file->read_all());
    }
    state.SetBytesProcessed(state.iterations() * event_bytes());
}
BENCHMARK(read_from_memory)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
