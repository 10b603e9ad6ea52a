// What lines cost that many SMs read, what single lanes' atomics at one word cost, whole lines of atomics that L2 does
// not have, and pieces of sectors.
//   share_probes walk | words | lines             prints rows of CSV
//   share_probes pieces BYTES SECTORS PIECES ORDER  two launches, for a profiler: each sector is written PIECES times
#include "probe_support.cuh"
#include <cstring>
#include <string>

namespace {
constexpr int sms = 132;

__global__ void read_all(const uint4* from, unsigned* out, size_t n) {
    unsigned sum = 0;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) sum += from[i].x;
    if (sum == 12345) *out = sum;
}

__device__ unsigned mixed(unsigned v) {
    v = (v ^ v >> 16) * 0x7feb352du;
    v = (v ^ v >> 15) * 0x846ca68bu;
    return v ^ v >> 16;
}

// Each SM's first warp loads `loads` of `lines` lines, one after another, with some cycles of work between. order 0: all SMs the
// same lines in the same order; 1: each SM at random; 2: the SMs of a group of `group` the same, each group its own.
__global__ void walk(const unsigned* data, unsigned lines, int loads, int order, int group, int work, unsigned short* took, unsigned* begins) {
    extern __shared__ unsigned short own[];
    if (threadIdx.x != 0) return;
    unsigned seed = order == 0 ? 7u : order == 1 ? 1000u + blockIdx.x : 1000u + blockIdx.x / group;
    unsigned before = 0;
    const long long begin = now();
    for (int i = 0; i < loads; ++i) {
        const unsigned line = mixed(seed * 65537u + i + (before == 0xdeadbeef)) % lines;
        const long long a = now();
        before = __ldcg(data + line * 32u);
        asm volatile("" ::"r"(before) : "memory");
        unsigned sink = before + 1;
        asm volatile("add.u32 %0, %0, 1;" : "+r"(sink));
        const long long b = now() + (sink == 0xdeadbeef);
        own[i] = (unsigned short)min(b - a, 65535ll);
        if (work > 0) {
            // Every SM works as long in the mean, and up to a quarter more or less each time.
            const int cycles = work * 3 / 4 + int(mixed(blockIdx.x * 4096u + i) % unsigned(work / 2 + 1));
            while (now() - b < cycles) {}
        }
    }
    for (int i = 0; i < loads; ++i) took[blockIdx.x * loads + i] = own[i];
    begins[blockIdx.x] = unsigned(now() - begin);
}

// One lane or more of each warp at one word; kind 0 red, 1 atom, 2: atom and a compare-and-swap at a random word before it,
// 3: red and a minimum at a random word before it.
__global__ void words(unsigned* word, unsigned* table, int kind, int lanes, int rounds, Span* spans) {
    const int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    unsigned sum = 0;
    const long long begin = now();
    for (int i = 0; i < rounds; ++i) {
        const unsigned place = mixed(unsigned(warp * 32 + lane) * 64u + i) & 262143u;
        if (kind == 2) sum += atomicCAS(table + place, 0u, unsigned(i + 1));
        if (kind == 3) asm volatile("red.global.min.u32 [%0], %1;" ::"l"(table + place), "r"(unsigned(i)) : "memory");
        if (lane < lanes) {
            if (kind == 0 || kind == 3) asm volatile("red.global.add.u32 [%0], %1;" ::"l"(word), "r"(1u) : "memory");
            else {
                unsigned old;
                asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(word), "r"(1u) : "memory");
                sum += old;
            }
        }
    }
    asm volatile("" ::"r"(sum) : "memory");
    const long long issued = now();
    __threadfence();
    if (lane == 0) spans[warp] = {begin, kind == 0 || kind == 3 ? now() : issued};
    if (sum == 0xdeadbeef) table[0] = 1;
}

// Each warp adds to whole lines at random.
__global__ void lines_of_adds(float* table, unsigned lines, int rounds, Span* spans) {
    const int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const long long begin = now();
    for (int i = 0; i < rounds; ++i) atomicAdd(table + size_t(mixed(unsigned(warp) * 64u + i) % lines) * 32 + lane, 1.f);
    __threadfence();
    if (lane == 0) spans[warp] = {begin, now()};
}

template <class T>
__global__ void pieces(T* out, unsigned sectors, int times, int order) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, all = sectors * unsigned(times);
    if (i >= all) return;
    const unsigned number = i % sectors, piece = i / sectors;
    // order 0: in order; 1: sectors in an order that goes through all (sectors is not a multiple of 7919).
    const unsigned sector = order == 0 ? number : unsigned((number * 7919ull) % sectors);
    T value;
    memset(&value, int(i) & 255, sizeof(T));
    out[size_t(sector) * (32 / sizeof(T)) + piece] = value;
}

struct Eight { unsigned a, b; };

void flush(char* big, size_t bytes, unsigned* out) {
    read_all<<<1056, 256>>>(reinterpret_cast<const uint4*>(big), out, bytes / 16);
    CK(cudaDeviceSynchronize());
}
}  // namespace

int main(int count, char** arguments) {
    const std::string what = count > 1 ? arguments[1] : "";
    unsigned* out;
    CK(cudaMalloc(&out, 256));
    if (what == "pieces") {
        const int bytes = atoi(arguments[2]), times = atoi(arguments[4]), order = atoi(arguments[5]);
        const unsigned sectors = unsigned(atoi(arguments[3]));
        char* data;
        CK(cudaMalloc(&data, size_t(sectors) * 32));
        CK(cudaMemset(data, 0, size_t(sectors) * 32));
        const unsigned blocks = (sectors * times + 255) / 256;
        for (int again = 0; again < 2; ++again) {
            if (bytes == 2) pieces<<<blocks, 256>>>(reinterpret_cast<unsigned short*>(data), sectors, times, order);
            if (bytes == 4) pieces<<<blocks, 256>>>(reinterpret_cast<unsigned*>(data), sectors, times, order);
            if (bytes == 8) pieces<<<blocks, 256>>>(reinterpret_cast<Eight*>(data), sectors, times, order);
            if (bytes == 16) pieces<<<blocks, 256>>>(reinterpret_cast<uint4*>(data), sectors, times, order);
            CK(cudaDeviceSynchronize());
        }
        return 0;
    }
    const size_t big_bytes = size_t(256) << 20;
    char* big;
    CK(cudaMalloc(&big, big_bytes));
    CK(cudaMemset(big, 1, big_bytes));
    char* data;
    const size_t data_bytes = size_t(64) << 20;
    CK(cudaMalloc(&data, data_bytes));
    CK(cudaMemset(data, 0, data_bytes));
    Spans spans(sms * 64);
    if (what == "walk") {
        std::printf("what,parameters,value,unit\n");
        const int loads = 512, bins = 16;
        unsigned short* took;
        unsigned* begins;
        CK(cudaMalloc(&took, sizeof(unsigned short) * loads * sms));
        CK(cudaMalloc(&begins, sizeof(unsigned) * sms));
        struct Case { int order, group; unsigned lines; };
        const Case cases[] = {{0, 1, 524287}, {1, 1, 524287}, {1, 1, 4096}, {1, 1, 16384}, {2, 4, 524287}, {2, 12, 524287}, {2, 33, 524287}};
        for (const Case& c : cases)
            for (int work : {0, 400, 2000})
                for (int again = 0; again < 2; ++again) {
                    flush(big, big_bytes, out);
                    walk<<<sms, 32, loads * 2>>>(reinterpret_cast<unsigned*>(data), c.lines, loads, c.order, c.group, work, took, begins);
                    CK(cudaDeviceSynchronize());
                    std::vector<unsigned short> host(loads * sms);
                    CK(cudaMemcpy(host.data(), took, host.size() * 2, cudaMemcpyDeviceToHost));
                    for (int bin = 0; bin < bins; ++bin) {
                        double sum = 0, late = 0, part = 0;
                        const int each = loads / bins;
                        for (int s = 0; s < sms; ++s)
                            for (int i = bin * each; i < (bin + 1) * each; ++i) {
                                const double t = host[s * loads + i];
                                sum += t;
                                late += t > 560;
                                part += t > 360 && t <= 560;
                            }
                        std::printf("walk,order=%d group=%d lines=%u work=%d again=%d loads=%d,%.1f %.3f %.3f,mean cycles; part longer than 560; 360 to 560\n", c.order, c.group,
                                    c.lines, work, again, bin * each, sum / (each * sms), late / (each * sms), part / (each * sms));
                    }
                }
    } else if (what == "words") {
        std::printf("what,parameters,value,unit\n");
        for (int kind = 0; kind < 4; ++kind)
            for (int lanes : {1, 2, 4, 8, 32})
                for (int warps : {1, 4, 16}) {
                    const int rounds = 16;
                    double best = 1e30;
                    for (int again = 0; again < 4; ++again) {
                        CK(cudaMemset(data, 0, size_t(4) << 20));
                        words<<<sms, warps * 32>>>(reinterpret_cast<unsigned*>(data) + (2 << 20), reinterpret_cast<unsigned*>(data), kind, lanes, rounds, spans.device());
                        const auto found = spans.read(sms * warps);
                        double sum = 0, most = 0;
                        for (int s = 0; s < sms; ++s) {
                            long long begin = found[s * warps].begin, end = found[s * warps].end;
                            for (int w = 0; w < warps; ++w) begin = std::min(begin, found[s * warps + w].begin), end = std::max(end, found[s * warps + w].end);
                            sum += double(end - begin);
                            most = std::max(most, double(end - begin));
                        }
                        best = std::min(best, most);
                        if (again == 3)
                            std::printf("words,kind=%d lanes=%d warps=%d rounds=%d,%.0f %.0f %.3f,cycles longest SM (least of four); mean SM (last); a lane's\n", kind, lanes, warps, rounds,
                                        best, sum / sms, best / (double(sms) * warps * rounds * lanes));
                    }
                }
    } else if (what == "lines") {
        std::printf("what,parameters,value,unit\n");
        for (unsigned lines : {512u, 2048u, 8192u, 32768u, 131072u})
            for (int warps : {4, 16})
                for (int cold = 0; cold < 2; ++cold) {
                    std::vector<double> all, means;
                    for (int again = 0; again < 5; ++again) {
                        if (cold) flush(big, big_bytes, out);
                        else {
                            read_all<<<528, 256>>>(reinterpret_cast<const uint4*>(data), out, size_t(lines) * 8);
                            CK(cudaDeviceSynchronize());
                        }
                        lines_of_adds<<<sms, warps * 32>>>(reinterpret_cast<float*>(data), lines, 32, spans.device());
                        const auto found = spans.read(sms * warps);
                        double sum = 0, most = 0;
                        for (int s = 0; s < sms; ++s) {
                            long long begin = found[s * warps].begin, end = found[s * warps].end;
                            for (int w = 0; w < warps; ++w) begin = std::min(begin, found[s * warps + w].begin), end = std::max(end, found[s * warps + w].end);
                            sum += double(end - begin) / sms;
                            most = std::max(most, double(end - begin));
                        }
                        all.push_back(most);
                        means.push_back(sum);
                    }
                    std::printf("lines_of_adds,lines=%u warps=%d rounds=32 cold=%d,%.0f %.0f,cycles longest SM; mean SM\n", lines, warps, cold, median(all), median(means));
                }
    } else {
        std::fprintf(stderr, "usage: share_probes walk | words | lines | pieces BYTES SECTORS PIECES ORDER\n");
        return 2;
    }
    return 0;
}
