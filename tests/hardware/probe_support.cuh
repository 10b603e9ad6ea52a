// What the parameter probes share: clock reads, error checks, one timed block, rows of CSV on standard output.
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CK(x)                                                                                      \
    do {                                                                                           \
        cudaError_t e = (x);                                                                       \
        if (e != cudaSuccess) {                                                                    \
            std::printf("error: %s, line %d\n", cudaGetErrorString(e), __LINE__);                  \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)

using U64 = unsigned long long;

__device__ __forceinline__ long long now() {
    long long c;
    asm volatile("mov.u64 %0,%%clock64;" : "=l"(c)::"memory");
    return c;
}

/// The clock at a warp's first and last read.
struct Span {
    long long begin, end;
};

/// Largest end minus smallest begin.
inline double extent(const std::vector<Span>& spans) {
    long long begin = spans[0].begin, end = spans[0].end;
    for (const Span& s : spans) begin = std::min(begin, s.begin), end = std::max(end, s.end);
    return static_cast<double>(end - begin);
}

inline double mean_length(const std::vector<Span>& spans) {
    double sum = 0;
    for (const Span& s : spans) sum += static_cast<double>(s.end - s.begin);
    return sum / static_cast<double>(spans.size());
}

inline double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

/// Spans on the device, one a warp (or a block), and their copy here.
class Spans {
public:
    explicit Spans(int most) { CK(cudaMalloc(&device_, sizeof(Span) * most)); }
    Span* device() const { return device_; }
    std::vector<Span> read(int count) const {
        std::vector<Span> host(count);
        CK(cudaDeviceSynchronize());
        CK(cudaMemcpy(host.data(), device_, sizeof(Span) * count, cudaMemcpyDeviceToHost));
        return host;
    }

private:
    Span* device_ = nullptr;
};

/// `launch` three times; the median of what `measure` says after each.
template <class Launch, class Measure>
double repeat(Launch launch, Measure measure) {
    std::vector<double> v;
    for (int i = 0; i < 4; i++) {
        launch();
        CK(cudaGetLastError());
        const double m = measure();
        if (i > 0) v.push_back(m);
    }
    return median(v);
}

inline void row(const char* what, const char* parameters, double value, const char* unit) {
    std::printf("%s,%s,%.3f,%s\n", what, parameters, value, unit);
}
