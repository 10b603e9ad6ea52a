/*
[kernel]
title   = "A warp of each block that steps through memory, all blocks the same words"
subject = "Timing probes"
lesson  = "Who reads a line first, when many SMs want it."

[parameters]
blocks = { default = 132, min = 1, max = 132, help = "blocks, one for each SM" }
step = { default = 128, min = 4, max = 128, step = 4, help = "bytes from load to load" }

[buffers]
cycles = { type = "i64", length = "blocks * 4" }
sum = { type = "i32", length = "1" }
p = { type = "u8", length = "2048 * step" }

[launch]
arguments = ["p", "step", 2048, "cycles", "sum"]
grid  = ["blocks"]
block = ["32"]
*/

// The probe behind h200_walks.csv: cycles between two clock reads around each load, by the quarter of its line.
extern "C" __global__ void cold_walk(const char* p, int step, int count, long long* cycles, int* sum) {
    int s = 0;
    for (int i = 0; i < count; ++i) {
        long long a = clock64();
        int v;
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(p + (size_t)i * step));
        s += v;
        asm volatile("" ::"r"(s) : "memory");
        long long b = clock64() + (s == 12345 ? 1 : 0);
        if (threadIdx.x == 0) cycles[(size_t)blockIdx.x * 4 + (size_t)i * step % 128 / 32] += b - a;
    }
    if (s == 1) *sum = s;
}
