/*
[kernel]
title   = "Lanes that leave nested loops at different places, with a recursive function"

[parameters]
n = { default = 4096, min = 32, max = 1000000 }

[buffers]
in  = { type = "u32", length = "n", fill = "lcg", seed = "22", below = "4096" }
out = { type = "u32", length = "n", fill = "zero" }

[launch]
arguments = ["in", "out", "n"]
grid  = ["ceil_div(n, 64)"]
block = ["64"]
*/
__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

extern "C" __global__ void nested_exits(const unsigned* in, unsigned* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned value = in[i], steps = 0;
    for (unsigned a = 0; a < value % 13; ++a) {
        for (unsigned b = a; b < value % 29; ++b) {
            ++steps;
            if ((value ^ a * b) % 31 == 5) goto done;
            if (b % 11 == 10) break;
        }
        if (a % 5 == 4) continue;
        steps += value / (a + 1);
    }
done:
    switch (steps % 5) {
        case 0: value = steps; break;
        case 1: value = ackermann(1, steps % 4); break;
        case 2: value = steps * value; break;
        case 3: value ^= steps << 3; break;
        default: value = __popc(value) + ackermann(2, steps % 2);
    }
    out[i] = value;
}
