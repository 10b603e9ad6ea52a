/*
[kernel]
title   = "Powers modulo a prime of 256 bits in Montgomery's form: a thread per number, 32-bit limbs, 32 squarings"

[parameters]
n = { default = 16896 }

[buffers]
numbers = { type = "u32", length = "n * 8", fill = "random", seed = "1313", below = "2147483647" }
powers = { type = "u32", length = "n * 8", fill = "zero" }
prime = { type = "u32", length = "8", fill = "formula", value = "i == 0 and 4294967229 or 4294967295" }

[launch]
arguments = ["numbers", "powers", "prime", "u32=128207979", "n", "i32=32"]
grid  = ["n // 128"]
block = ["128"]
*/
extern "C" __global__ void montgomery_powers(const unsigned* __restrict__ numbers, unsigned* __restrict__ powers,
                                             const unsigned* __restrict__ prime, unsigned inverse, int n, int rounds) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    unsigned p[8], x[8];
    for (int k = 0; k < 8; ++k) {
        p[k] = prime[k];
        x[k] = numbers[k * n + i];
    }
    for (int round = 0; round < rounds; ++round) {
        unsigned t[9] = {};
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            unsigned long long carry = 0;
#pragma unroll
            for (int k = 0; k < 8; ++k) {
                carry += (unsigned long long)x[j] * x[k] + t[k];
                t[k] = unsigned(carry);
                carry >>= 32;
            }
            const unsigned long long top = carry + t[8];
            const unsigned factor = t[0] * inverse;
            carry = ((unsigned long long)factor * p[0] + t[0]) >> 32;
#pragma unroll
            for (int k = 1; k < 8; ++k) {
                carry += (unsigned long long)factor * p[k] + t[k];
                t[k - 1] = unsigned(carry);
                carry >>= 32;
            }
            carry += top;
            t[7] = unsigned(carry);
            t[8] = unsigned(carry >> 32);
        }
#pragma unroll
        for (int k = 0; k < 8; ++k) x[k] = t[k];
    }
    for (int k = 0; k < 8; ++k) powers[k * n + i] = x[k];
}
