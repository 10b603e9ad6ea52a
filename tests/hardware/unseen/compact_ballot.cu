/*
[kernel]
title   = "Compaction of the values above a limit within each block, by ballots"

[parameters]
n = { default = 1048576 }

[buffers]
in = { type = "i32", length = "n", fill = "random", seed = "106", below = "1000" }
out = { type = "i32", length = "n", fill = "zero" }
kept = { type = "i32", length = "n // 1024", fill = "zero" }

[launch]
arguments = ["in", "out", "kept", "600"]
grid  = ["n // 1024"]
block = ["256"]
*/
extern "C" __global__ void compact_ballot(const int* in, int* out, int* kept, int limit) {
    __shared__ int ends[8];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    in += blockIdx.x * 1024;
    out += blockIdx.x * 1024;
    int begin = 0;
    for (int part = 0; part < 4; ++part) {
        const int value = in[part * 256 + threadIdx.x];
        const bool keep = value > limit;
        const unsigned votes = __ballot_sync(0xffffffffu, keep);
        if (lane == 0) ends[warp] = __popc(votes);
        __syncthreads();
        int before = begin, all = 0;
        for (int i = 0; i < 8; ++i) {
            if (i < warp) before += ends[i];
            all += ends[i];
        }
        if (keep) out[before + __popc(votes & ((1u << lane) - 1))] = value;
        begin += all;
        __syncthreads();
    }
    if (threadIdx.x == 0) kept[blockIdx.x] = begin;
}
