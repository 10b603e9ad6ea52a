/*
[kernel]
title   = "Threads add to 64 buckets, each behind a lock, by the usual loop with a flag"

[buffers]
locks = { type = "u32", length = "64", fill = "zero" }
sums = { type = "u32", length = "64", fill = "zero" }
out = { type = "u32", length = "1024", fill = "zero" }

[launch]
arguments = ["locks", "sums", "out"]
grid  = ["1"]
block = ["64"]
*/
extern "C" __global__ void bucket_locks(unsigned* locks, volatile unsigned* sums, unsigned* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, bucket = i / 4;
    bool done = false;
    while (!done) {
        if (atomicCAS(&locks[bucket], 0u, 1u) == 0) {
            sums[bucket] = sums[bucket] * 3 + 1;
            __threadfence();
            atomicExch(&locks[bucket], 0u);
            done = true;
        }
    }
    out[i] = i % 13 * 7;
}
