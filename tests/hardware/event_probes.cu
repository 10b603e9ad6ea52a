// What two events around a launch add to its time, as Warplens records launches: a delay, an event, the launch, an event. All blocks spin for given cycles.
//   nvcc -O3 -std=c++17 -arch=sm_90 event_probes.cu -o event_probes
//   ./event_probes; and ncu --metrics sm__cycles_active.max,sm__cycles_elapsed.max,gpu__time_duration.sum ./event_probes
// A row: median time between the events of 51 launches, and the block's cycles by its own clock, at the SM clock that a launch of 50 ms shows.
#include "probe_support.cuh"

__global__ void spin(long long cycles, Span* out) {
    const long long begin = now();
    while (now() - begin < cycles) {}
    if (threadIdx.x == 0) out[blockIdx.x] = {begin, now()};
}
__global__ void empty() {}

cudaEvent_t before, after;
template <class Launch>
double between_events(Launch launch, int launches) {
    static const Spans spun_by(132);
    std::vector<double> us;
    for (int i = 0; i < launches; i++) {
        spin<<<1, 1>>>(40000, spun_by.device());
        CK(cudaEventRecord(before));
        launch();
        CK(cudaEventRecord(after));
        CK(cudaDeviceSynchronize());
        float ms = 0;
        CK(cudaEventElapsedTime(&ms, before, after));
        us.push_back(1e3 * ms);
    }
    return median(us);
}

int main() {
    CK(cudaEventCreate(&before));
    CK(cudaEventCreate(&after));
    const Spans spans(132);
    const auto spun = [&](int blocks, long long cycles) { spin<<<blocks, 32>>>(cycles, spans.device()); };
    std::printf("launch,blocks,us_between_events,block_cycles,sm_hz\n");
    const long long long_cycles = 100'000'000;
    between_events([&] { spun(132, long_cycles); }, 5);
    const double hz = long_cycles / (between_events([&] { spun(132, long_cycles); }, 5) * 1e-6);
    for (int blocks : {1, 132}) std::printf("empty,%d,%.3f,0,%.0f\n", blocks, between_events([&] { empty<<<blocks, 32>>>(); }, 51), hz);
    std::printf("nothing,0,%.3f,0,%.0f\n", between_events([] {}, 51), hz);
    for (int blocks : {1, 132})
        for (long long cycles : {500, 2000, 8000, 32000}) {
            const double us = between_events([&] { spun(blocks, cycles); }, 51);
            std::printf("spin,%d,%.3f,%.0f,%.0f\n", blocks, us, mean_length(spans.read(blocks)), hz);
        }
    return 0;
}
