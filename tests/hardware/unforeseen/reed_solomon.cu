/*
[kernel]
title   = "Reed-Solomon parity of stripes: 10 data blocks give 4, by tables of logarithms in shared memory, four bytes a thread"

[parameters]
words = { default = 135168 }

[buffers]
data = { type = "u32", length = "10 * words", fill = "random", seed = "1508", below = "4294967295" }
logs = { type = "u8", length = "256", fill = "formula", value = "(i * 37 + 11) % 255" }
powers = { type = "u8", length = "512", fill = "formula", value = "(i * 91 + 5) % 256" }
parity = { type = "u32", length = "4 * words", fill = "zero" }

[launch]
arguments = ["data", "logs", "powers", "parity", "words"]
grid  = ["words // 256"]
block = ["256"]
*/
extern "C" __global__ void reed_solomon(const unsigned* __restrict__ data, const unsigned char* __restrict__ logs,
                                        const unsigned char* __restrict__ powers, unsigned* __restrict__ parity, int words) {
    __shared__ unsigned char log_of[256], power_of[512];
    log_of[threadIdx.x] = logs[threadIdx.x];
    power_of[threadIdx.x] = powers[threadIdx.x];
    power_of[threadIdx.x + 256] = powers[threadIdx.x + 256];
    __syncthreads();
    const int word = blockIdx.x * 256 + threadIdx.x;
    unsigned sums[4] = {};
    for (int block = 0; block < 10; ++block) {
        const unsigned value = data[block * words + word];
#pragma unroll
        for (int byte = 0; byte < 4; ++byte) {
            const unsigned b = value >> (8 * byte) & 255, log = log_of[b];
#pragma unroll
            for (int p = 0; p < 4; ++p) {
                const unsigned product = b == 0 ? 0 : power_of[log + unsigned(block * (p + 1) * 7) % 255];
                sums[p] ^= product << (8 * byte);
            }
        }
    }
#pragma unroll
    for (int p = 0; p < 4; ++p) parity[p * words + word] = sums[p];
}
