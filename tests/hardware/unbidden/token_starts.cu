/*
[kernel]
title   = "Beginnings of words in a text are numbered within each block by a scan, and written side by side"

[parameters]
blocks = { default = 1056 }

[buffers]
text = { type = "u8", length = "blocks * 256", fill = "random", seed = "1881", below = "5" }
starts = { type = "u32", length = "blocks * 256", fill = "zero" }
counts = { type = "u32", length = "blocks", fill = "zero" }

[launch]
arguments = ["text", "starts", "counts"]
grid  = ["blocks"]
block = ["256"]
*/
extern "C" __global__ void token_starts(const unsigned char* text, unsigned* starts, unsigned* counts) {
    __shared__ unsigned sums[8];
    const unsigned i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const bool begins = text[i] != 0 && (i == 0 || text[i - 1] == 0);
    const unsigned those = __ballot_sync(~0u, begins);
    if (lane == 0) sums[warp] = __popc(those);
    __syncthreads();
    if (warp == 0) {
        unsigned sum = lane < 8 ? sums[lane] : 0;
        for (int step = 1; step < 8; step *= 2) {
            const unsigned other = __shfl_up_sync(~0u, sum, step);
            if (lane >= step) sum += other;
        }
        if (lane < 8) sums[lane] = sum;
        if (lane == 7) counts[blockIdx.x] = sum;
    }
    __syncthreads();
    if (!begins) return;
    const unsigned before = warp == 0 ? 0 : sums[warp - 1];
    starts[blockIdx.x * 256 + before + __popc(those & ((1u << lane) - 1))] = i;
}
