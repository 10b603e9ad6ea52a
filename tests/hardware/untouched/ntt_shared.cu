/*
[kernel]
title   = "Number-theoretic transform of 2048 residues per block in shared memory: Montgomery products in 32 bits"

[parameters]
batch = { default = 600 }

[buffers]
values = { type = "u32", length = "batch * 2048", fill = "random", seed = "736", below = "998244353" }
roots = { type = "u32", length = "2048", fill = "random", seed = "737", below = "998244353" }

[launch]
arguments = ["values", "roots"]
grid  = ["batch"]
block = ["256"]
*/
constexpr unsigned prime = 998244353, minus_inverse = 998244351;
__device__ __forceinline__ unsigned times(unsigned a, unsigned b) {
    const unsigned long long product = static_cast<unsigned long long>(a) * b;
    const unsigned reduced = static_cast<unsigned>(product) * minus_inverse;
    const unsigned out = (product + static_cast<unsigned long long>(reduced) * prime) >> 32;
    return out >= prime ? out - prime : out;
}
extern "C" __global__ void ntt_shared(unsigned* __restrict__ values, const unsigned* __restrict__ roots) {
    __shared__ unsigned a[2048];
    unsigned* mine = values + blockIdx.x * 2048;
    for (int i = threadIdx.x; i < 2048; i += 256) a[__brev(i) >> 21] = mine[i];
    for (int half = 1; half < 2048; half *= 2) {
        __syncthreads();
        for (int i = threadIdx.x; i < 1024; i += 256) {
            const int in_group = i & (half - 1), low = (i - in_group) * 2 + in_group;
            const unsigned x = a[low], y = times(a[low + half], roots[half + in_group]);
            const unsigned sum = x + y;
            a[low] = sum >= prime ? sum - prime : sum;
            a[low + half] = x >= y ? x - y : x + prime - y;
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 2048; i += 256) mine[i] = a[i];
}
