#include <cuda_runtime.h>
// A scan with decoupled look-back; tiles are numbered by a counter. state: 0 nothing, 1 a tile's sum, 2 all
// up to here.
#ifndef TILES
#define TILES 1024
#endif
__global__ void lookback(const int* in, int* out, int n, unsigned long long* state, int* next) {
    __shared__ int tile_shared, warp_sums[8], before_shared;
    if (threadIdx.x == 0) tile_shared = atomicAdd(next, 1);
    __syncthreads();
    const int tile = tile_shared, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int items[4], sum = 0;
    const int base = tile * 1024 + threadIdx.x * 4;
    for (int i = 0; i < 4; ++i) {
        items[i] = base + i < n ? in[base + i] : 0;
        sum += items[i];
    }
    int scan = sum;
    for (int d = 1; d < 32; d *= 2) {
        const int other = __shfl_up_sync(0xffffffff, scan, d);
        if (lane >= d) scan += other;
    }
    if (lane == 31) warp_sums[warp] = scan;
    __syncthreads();
    if (threadIdx.x == 0) {
        int total = 0;
        for (int i = 0; i < 8; ++i) {
            const int s = warp_sums[i];
            warp_sums[i] = total;
            total += s;
        }
        volatile unsigned long long* flags = state;
        int before = 0;
        if (tile > 0) {
            flags[tile] = 1ull << 32 | (unsigned)total;
            for (int at = tile - 1; at >= 0;) {
                const unsigned long long seen = flags[at];
                if (seen >> 32 == 0) continue;
                before += (int)(unsigned)seen;
                if (seen >> 32 == 2) break;
                --at;
            }
        }
        flags[tile] = 2ull << 32 | (unsigned)(before + total);
        before_shared = before;
    }
    __syncthreads();
    int running = before_shared + warp_sums[warp] + scan - sum;
    for (int i = 0; i < 4; ++i) {
        running += items[i];
        if (base + i < n) out[base + i] = running;
    }
}
int main() {
    const int n = TILES * 1024;
    int *in, *out, *next;
    unsigned long long* state;
    cudaMalloc(&in, n * 4);
    cudaMalloc(&out, n * 4);
    cudaMalloc(&state, TILES * 8);
    cudaMalloc(&next, 4);
    cudaMemset(in, 0, n * 4);
    cudaMemset(state, 0, TILES * 8);
    cudaMemset(next, 0, 4);
    lookback<<<TILES, 256>>>(in, out, n, state, next);
    cudaDeviceSynchronize();
}
