// Speed of what sums a Schedule up, on an example of 10 million spans.
#include <benchmark/benchmark.h>

#include "analysis/time/exposed_cost.h"
#include "analysis/time/stalls.h"
#include "tests/support/synthetic_schedule.h"

namespace {

using namespace warplens;

const trace::Trace& example_trace() {
    static const trace::Trace trace = trace::make_example(trace::shape_for_spans(10'000'000));
    return trace;
}
const trace::Schedule& example() {
    static const trace::Schedule schedule = trace::make_example_schedule(example_trace());
    return schedule;
}
void count_spans(benchmark::State& state) {
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) *
                            static_cast<std::int64_t>(example().spans.size()));
}

void exposed_cost(benchmark::State& state) {
    example();
    for (auto _ : state) benchmark::DoNotOptimize(analysis::exposed_cost(example_trace(), example()));
    count_spans(state);
}
void summarise_a_range(benchmark::State& state) {
    const auto cycles = static_cast<std::uint32_t>(example().totals.cycles);
    for (auto _ : state) benchmark::DoNotOptimize(analysis::summarise(example(), {1, cycles - 1}));
    count_spans(state);
}
void history(benchmark::State& state) {
    example();
    for (auto _ : state) benchmark::DoNotOptimize(analysis::history(example(), {}, 1'000));
    count_spans(state);
}

BENCHMARK(exposed_cost)->Unit(benchmark::kMillisecond);
BENCHMARK(summarise_a_range)->Unit(benchmark::kMillisecond);
BENCHMARK(history)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
