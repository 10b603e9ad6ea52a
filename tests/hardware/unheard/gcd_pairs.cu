/*
[kernel]
title   = "Greatest common divisors of pairs: a loop with a remainder, as long as each pair takes"

[parameters]
pairs = { default = 540672 }

[buffers]
a = { type = "u32", length = "pairs", fill = "random", seed = "911", below = "4294967295" }
b = { type = "u32", length = "pairs", fill = "random", seed = "912", below = "4294967295" }
divisors = { type = "u32", length = "pairs", fill = "zero" }

[launch]
arguments = ["a", "b", "divisors", "pairs"]
grid  = ["ceil_div(pairs, 256)"]
block = ["256"]
*/
extern "C" __global__ void gcd_pairs(const unsigned* __restrict__ a, const unsigned* __restrict__ b,
                                     unsigned* __restrict__ divisors, int pairs) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pairs) return;
    unsigned x = a[i], y = b[i];
    while (y != 0) {
        const unsigned rest = x % y;
        x = y;
        y = rest;
    }
    divisors[i] = x;
}
