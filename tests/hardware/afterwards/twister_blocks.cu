/*
[kernel]
title   = "A Mersenne twister for each block: 624 words of state in shared memory, made again three times, tempered numbers written"

[parameters]
blocks = { default = 528 }

[buffers]
seeds = { type = "u32", length = "blocks", fill = "random", below = "4294967296", seed = "923" }
out = { type = "u32", length = "blocks * 1872", fill = "zero" }

[launch]
arguments = ["seeds", "out"]
grid  = ["blocks"]
block = ["256"]
*/
__device__ unsigned twisted(unsigned a, unsigned b, unsigned c) {
    const unsigned y = (a & 0x80000000u) | (b & 0x7fffffffu);
    return c ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0u);
}
extern "C" __global__ void twister_blocks(const unsigned* seeds, unsigned* out) {
    __shared__ unsigned state[624];
    const int thread = threadIdx.x;
    for (int i = thread; i < 624; i += 256) {
        unsigned mixed = seeds[blockIdx.x] + i * 1812433253u;
        for (int k = 0; k < 3; ++k) mixed = (mixed ^ (mixed >> 15)) * 0x2c1b3c6du;
        state[i] = mixed;
    }
    __syncthreads();
    for (int round = 0; round < 3; ++round) {
        for (int begin = 0; begin < 624; begin += 227) {
            const int i = begin + thread;
            const bool works = thread < 227 && i < 624;
            unsigned made = 0;
            if (works) made = twisted(state[i], state[(i + 1) % 624], state[(i + 397) % 624]);
            __syncthreads();
            if (works) state[i] = made;
            __syncthreads();
        }
        for (int i = thread; i < 624; i += 256) {
            unsigned y = state[i];
            y ^= y >> 11;
            y ^= (y << 7) & 0x9d2c5680u;
            y ^= (y << 15) & 0xefc60000u;
            out[(blockIdx.x * 3 + round) * 624 + i] = y ^ (y >> 18);
        }
    }
}
