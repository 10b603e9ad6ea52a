/*
[kernel]
title   = "A sieve in segments: each block crosses out multiples of small primes among its 8192 numbers in shared memory"

[parameters]
segments = { default = 1056 }
primes = { default = 64 }

[buffers]
small = { type = "u32", length = "primes", fill = "formula", value = "2 * i + 3" }
left = { type = "u32", length = "segments", fill = "zero" }

[launch]
arguments = ["small", "left", "primes"]
grid  = ["segments"]
block = ["256"]
*/
extern "C" __global__ void sieve_segments(const unsigned* __restrict__ small, unsigned* __restrict__ left, int primes) {
    __shared__ unsigned char crossed[8192];
    __shared__ unsigned count;
    for (int i = threadIdx.x; i < 8192; i += 256) crossed[i] = 0;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    const unsigned begin = blockIdx.x * 8192u + 8192u;
    for (int p = threadIdx.x / 32; p < primes; p += 8) {
        const unsigned prime = small[p];
        const unsigned start = (prime - begin % prime) % prime;
        for (unsigned i = start + prime * (threadIdx.x % 32); i < 8192; i += prime * 32) crossed[i] = 1;
    }
    __syncthreads();
    unsigned mine = 0;
    for (int i = threadIdx.x; i < 8192; i += 256) mine += crossed[i] == 0;
    atomicAdd(&count, mine);
    __syncthreads();
    if (threadIdx.x == 0) left[blockIdx.x] = count;
}
