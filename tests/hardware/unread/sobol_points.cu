/*
[kernel]
title   = "Quasirandom points: each thread jumps to its index by the bits of a Gray code, then steps by the strides"

[parameters]
dimensions = { default = 32 }
points = { default = 32768 }

[buffers]
directions = { type = "u32", length = "dimensions * 32", fill = "random", seed = "710", below = "4294967295" }
out = { type = "f32", length = "dimensions * points", fill = "zero" }

[launch]
arguments = ["directions", "out", "points"]
grid  = ["16", "dimensions"]
block = ["128"]
*/
extern "C" __global__ void sobol_points(const unsigned* __restrict__ directions, float* __restrict__ out, int points) {
    __shared__ unsigned v[32];
    if (threadIdx.x < 32) v[threadIdx.x] = directions[blockIdx.y * 32 + threadIdx.x];
    __syncthreads();
    const int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    const unsigned gray = first ^ (first >> 1);
    unsigned x = 0;
    for (unsigned k = 0; k < 12; ++k) x ^= (gray >> k & 1) * v[k];
    const unsigned jump = v[__ffs(stride) - 2];
    float* mine = out + (size_t)blockIdx.y * points;
    for (int i = first; i < points; i += stride) {
        mine[i] = x * 2.3283064e-10f;
        x ^= jump ^ v[__ffs(~(unsigned)((i & ~(stride - 1)) | (stride - 1))) - 1 & 31];
    }
}
