// What a launch takes beside its longest SM, what stores cost at a block's end and in scattered sectors, and where the
// scheduler holds an instruction back. "rates": the clock of each SM, as CSV rows what,parameters,value,unit.
// "profile": launches for the profiler, in the order that they are printed (launch,parameters).
// nvcc -O3 -arch=sm_90.
#include <cstring>

#include "probe_support.cuh"

__device__ unsigned long long timer() {
    unsigned long long t;
    asm volatile("mov.u64 %0,%%globaltimer;" : "=l"(t)::"memory");
    return t;
}

/// Until `cycles` are over, the block waits, or with `busy` multiplies and adds.
template <bool busy>
__global__ void __launch_bounds__(256) spin(long long cycles, float* sink) {
    const long long t0 = now();
    float a = threadIdx.x, b = 1, c = 2, d = 3;
    while (now() - t0 < cycles) {
        if (busy) {
#pragma unroll
            for (int i = 0; i < 32; ++i) a = a * 1.5f + 1, b = b * 1.5f + 1, c = c * 1.5f + 1, d = d * 1.5f + 1;
        }
    }
    if (busy && a + b + c + d == 12345.25f) sink[0] = 1;
}

struct Rate {
    long long cycles;
    unsigned long long nanoseconds, begin;
    unsigned sm, pad;
};

template <bool busy>
__global__ void __launch_bounds__(256) rate(long long cycles, Rate* rates, float* sink) {
    const unsigned long long w0 = timer();
    const long long t0 = now();
    float a = threadIdx.x, b = 1, c = 2, d = 3;
    while (now() - t0 < cycles) {
        if (busy) {
#pragma unroll
            for (int i = 0; i < 32; ++i) a = a * 1.5f + 1, b = b * 1.5f + 1, c = c * 1.5f + 1, d = d * 1.5f + 1;
        }
    }
    const long long t1 = now();
    const unsigned long long w1 = timer();
    if (threadIdx.x == 0) {
        unsigned sm;
        asm volatile("mov.u32 %0,%%smid;" : "=r"(sm));
        rates[blockIdx.x] = {t1 - t0, w1 - w0, w0, sm, 0};
    }
    if (busy && a + b + c + d == 12345.25f) sink[0] = 1;
}

/// A block waits some 1500 cycles, each thread stores a T, and the block ends.
template <class T>
__global__ void __launch_bounds__(256) store_at_end(T* out, int apart) {
    const long long t0 = now();
    while (now() - t0 < 1500) {
    }
    T value{};
    out[(size_t(blockIdx.x) * 256 + threadIdx.x) * apart] = value;
}
__global__ void __launch_bounds__(256) no_store(int apart) {
    const long long t0 = now();
    while (now() - t0 < 1500 + (apart >> 30)) {
    }
}

/// Thread i stores a T at place i with its bits reversed, or at i times an odd number; order 2: at i.
template <class T>
__global__ void __launch_bounds__(256) scatter(T* out, int bits, int order) {
    const unsigned i = blockIdx.x * 256 + threadIdx.x, mask = (1u << bits) - 1;
    const unsigned at = order == 0 ? __brev(i) >> (32 - bits) : order == 1 ? (i * 2654435761u) & mask : i;
    T value{};
    out[at] = value;
}

/// Each lane adds to a word of its own sector; sectors of the area in order.
__global__ void __launch_bounds__(256) word_of_sector(unsigned* out, int sectors) {
    const unsigned i = blockIdx.x * 256 + threadIdx.x;
    if (i < unsigned(sectors)) out[size_t(i) * 8] = i;
}

/// The same instructions again and again by all warps: `kind` says which.
template <int kind>
__global__ void __launch_bounds__(256) issue(float* sink, float x, float y, int rounds) {
    float r[16];
    int n[8];
#pragma unroll
    for (int i = 0; i < 16; ++i) r[i] = threadIdx.x + i;
#pragma unroll
    for (int i = 0; i < 8; ++i) n[i] = threadIdx.x * (i + 3);
#pragma unroll 1
    for (int k = 0; k < rounds; ++k) {
#pragma unroll
        for (int u = 0; u < 4; ++u) {
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                if (kind == 0) asm volatile("add.f32 %0, %0, %1;" : "+f"(r[i]) : "f"(r[8 + i]));
                if (kind == 1) asm volatile("add.f32 %0, %0, 0f41200000;" : "+f"(r[i]));
                if (kind == 2) asm volatile("mul.f32 %0, %0, 0f41200000;" : "+f"(r[i]));
                if (kind == 3) asm volatile("fma.rn.f32 %0, %0, 0f41200000, %1;" : "+f"(r[i]) : "f"(r[8 + i]));
                if (kind == 4) asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+f"(r[i]) : "f"(r[8 + i]), "f"(r[8 + (i + 3) % 8]));
                if (kind == 5) asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+f"(r[i]) : "f"(r[8 + i]), "f"(x));
                if (kind == 6) asm volatile("add.s32 %0, %0, %1;" : "+r"(n[i]) : "r"(n[(i + 1) % 8]));
                if (kind == 7) {
                    asm volatile("fma.rn.f32 %0, %0, 0f41200000, %1;" : "+f"(r[i]) : "f"(r[8 + i]));
                    if (i % 4 == 0) asm volatile("xor.b32 %0, %0, %1;" : "+r"(n[i]) : "r"(n[(i + 1) % 8]));
                }
                if (kind == 8) {
                    asm volatile("add.f32 %0, %0, %1;" : "+f"(r[i]) : "f"(r[8 + i]));
                    asm volatile("xor.b32 %0, %0, %1;" : "+r"(n[i]) : "r"(n[(i + 1) % 8]));
                }
                if (kind == 9) {
                    asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+f"(r[i]) : "f"(r[8 + i]), "f"(y));
                    if (i % 4 == 0) asm volatile("mad.lo.s32 %0, %0, %1, %0;" : "+r"(n[i]) : "r"(n[(i + 1) % 8]));
                }
                if (kind == 10) asm volatile("max.f32 %0, %0, %1;" : "+f"(r[i]) : "f"(r[8 + i]));
                if (kind == 11) {
                    asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(r[i]) : "f"(r[8 + i]), "f"(r[8 + (i + 1) % 8]));
                    if (i == 7) asm volatile("ex2.approx.f32 %0, %0;" : "+f"(r[15]));
                }
            }
        }
    }
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 16; ++i) sum += r[i];
#pragma unroll
    for (int i = 0; i < 8; ++i) sum += n[i];
    if (sum == 12345.25f) sink[0] = 1;
}

template <int kind>
void issue_all(float* sink) {
    for (int warps : {4, 16, 32})
        for (int rounds : {40, 140}) {
            issue<kind><<<132 * (warps < 8 ? 1 : warps / 8), warps < 8 ? 128 : 256>>>(sink, 1.5f, 0.5f, rounds);
            std::printf("issue,kind=%d warps=%d rounds=%d\n", kind, warps, rounds);
        }
    if constexpr (kind > 0) issue_all<kind - 1>(sink);
}

void profile() {
    char* area;
    CK(cudaMalloc(&area, size_t{256} << 20));
    float* sink = reinterpret_cast<float*>(area);
    for (int blocks : {132, 1056})
        for (int k = 1; k <= 256; k *= 4)
            for (int busy : {0, 1}) {
                if (busy) spin<true><<<blocks, 256>>>(k * 1000, sink);
                else spin<false><<<blocks, 256>>>(k * 1000, sink);
                std::printf("spin,blocks=%d cycles=%d busy=%d\n", blocks, k * 1000, busy);
            }
    for (int waves : {1, 2, 8}) {
        const int blocks = 132 * 8 * waves;
        no_store<<<blocks, 256>>>(1);
        std::printf("store_at_end,waves=%d bytes=0 apart=1\n", waves);
        for (int apart : {1, 8}) {
            store_at_end<char><<<blocks, 256>>>(reinterpret_cast<char*>(area), apart);
            std::printf("store_at_end,waves=%d bytes=1 apart=%d\n", waves, apart);
            store_at_end<short><<<blocks, 256>>>(reinterpret_cast<short*>(area), apart);
            std::printf("store_at_end,waves=%d bytes=2 apart=%d\n", waves, apart);
            store_at_end<float><<<blocks, 256>>>(reinterpret_cast<float*>(area), apart);
            std::printf("store_at_end,waves=%d bytes=4 apart=%d\n", waves, apart);
            if (apart > 1) continue;
            store_at_end<float2><<<blocks, 256>>>(reinterpret_cast<float2*>(area), apart);
            std::printf("store_at_end,waves=%d bytes=8 apart=%d\n", waves, apart);
            store_at_end<float4><<<blocks, 256>>>(reinterpret_cast<float4*>(area), apart);
            std::printf("store_at_end,waves=%d bytes=16 apart=%d\n", waves, apart);
        }
    }
    for (int mib = 1; mib <= 32; mib *= 2)
        for (int order = 0; order < 3; ++order) {
            int bits = 0;
            while ((size_t{8} << bits) < (size_t(mib) << 20)) ++bits;
            scatter<float><<<(1 << (bits + 1)) / 256, 256>>>(reinterpret_cast<float*>(area), bits + 1, order);
            std::printf("scatter,mib=%d bytes=4 order=%d\n", mib, order);
            scatter<float2><<<(1 << bits) / 256, 256>>>(reinterpret_cast<float2*>(area), bits, order);
            std::printf("scatter,mib=%d bytes=8 order=%d\n", mib, order);
            scatter<float4><<<(1 << (bits - 1)) / 256, 256>>>(reinterpret_cast<float4*>(area), bits - 1, order);
            std::printf("scatter,mib=%d bytes=16 order=%d\n", mib, order);
        }
    for (int mib = 1; mib <= 64; mib *= 2) {
        word_of_sector<<<(mib << 15) / 256, 256>>>(reinterpret_cast<unsigned*>(area), mib << 15);
        std::printf("word_of_sector,mib=%d\n", mib);
    }
    issue_all<11>(sink);
    CK(cudaDeviceSynchronize());
}

void rates() {
    std::printf("what,parameters,value,unit\n");
    Rate* device;
    CK(cudaMalloc(&device, sizeof(Rate) * 132));
    std::vector<Rate> host(132);
    for (int busy : {0, 1, 0, 1})
        for (long long cycles : {20000ll, 200000ll, 4000000ll}) {
            if (busy) rate<true><<<132, 256>>>(cycles, device, reinterpret_cast<float*>(device));
            else rate<false><<<132, 256>>>(cycles, device, reinterpret_cast<float*>(device));
            CK(cudaMemcpy(host.data(), device, sizeof(Rate) * 132, cudaMemcpyDeviceToHost));
            for (const Rate& r : host)
                std::printf("rate,busy=%d cycles=%lld sm=%u,%.6f,cycles per nanosecond\n", busy, cycles, r.sm, double(r.cycles) / double(r.nanoseconds));
        }
}

int main(int count, char** arguments) {
    if (count > 1 && std::strcmp(arguments[1], "profile") == 0) profile();
    else rates();
}
