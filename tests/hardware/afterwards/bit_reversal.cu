/*
[kernel]
title   = "The permutation before a Fourier transform: complex numbers go to the place with the bits of their index reversed"

[parameters]
bits = { default = 20, macro = true }

[buffers]
in = { type = "f32", length = "2 << bits", fill = "random", seed = "902" }
out = { type = "f32", length = "2 << bits", fill = "zero" }

[launch]
arguments = ["in", "out"]
grid  = ["(1 << bits) // 256"]
block = ["256"]
*/
extern "C" __global__ void bit_reversal(const float2* __restrict__ in, float2* __restrict__ out) {
    const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    out[__brev(at) >> (32 - bits)] = in[at];
}
