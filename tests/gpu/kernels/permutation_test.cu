/*
[kernel]
title   = "permutation_test"
subject = "Agreement"
lesson  = "A void function is called in a branch, and the lanes meet again right after the call."

[buffers]
values = { type = "u32", length = "64", fill = "iota" }
larger = { type = "u32", length = "4", fill = "zero" }

[launch]
arguments = ["values", "larger"]
grid  = ["16"]
block = ["96"]
dynamic_shared_bytes = "0"
*/

struct Generator {
    unsigned state[5];
};

__device__ __noinline__ unsigned draw(Generator* generator) {
    unsigned x = generator->state[4];
    const unsigned y = generator->state[0];
    for (int i = 4; i > 0; --i) generator->state[i] = generator->state[i - 1];
    x ^= x >> 2;
    x ^= x << 1;
    generator->state[0] = x ^ y ^ y << 4;
    return generator->state[0];
}

__device__ __noinline__ void shuffle(unsigned* values, int count, Generator* generator) {
    for (int i = count - 1; i > 0; --i) {
        const unsigned other = draw(generator) % (i + 1), kept = values[i];
        values[i] = values[other];
        values[other] = kept;
    }
}

extern "C" __global__ void permutation_test(const unsigned* values, unsigned* larger) {
    __shared__ unsigned hits;
    if (threadIdx.x == 0) hits = 0;
    __syncthreads();
    const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
    Generator generator = {{index + 1, 362436069u, 521288629u, 88675123u, index * 69069u}};
    unsigned own[12];
    for (int i = 0; i < 12; ++i) own[i] = values[(index + i) % 64];
    for (int round = 0; round < 6; ++round) {
        if ((draw(&generator) & 3) != 0) shuffle(own, 12, &generator);
        unsigned sum = 0;
        for (int i = 0; i < 6; ++i) sum += own[i];
        while (sum % 5 == 1) sum += draw(&generator) & 7;
        if (sum > 190) atomicAdd(&hits, 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&larger[blockIdx.x % 4], hits);
}
