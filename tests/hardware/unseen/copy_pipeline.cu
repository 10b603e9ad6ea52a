/*
[kernel]
title   = "Two warps copy tiles with cp.async into two buffers while six warps add a polynomial of them"

[parameters]
tiles = { default = 24 }
blocks = { default = 264 }

[buffers]
in = { type = "f32", length = "blocks * tiles * 768", fill = "random", seed = "101" }
out = { type = "f32", length = "blocks * 192", fill = "zero" }

[launch]
arguments = ["in", "out", "tiles"]
grid  = ["blocks"]
block = ["256"]
*/
__device__ void copy_tile(float* to, const float* from, int thread) {
    for (int i = thread; i < 192; i += 64) {
        const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(to + i * 4));
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from + i * 4));
    }
    asm volatile("cp.async.commit_group;");
}

extern "C" __global__ void copy_pipeline(const float* in, float* out, int tiles) {
    __shared__ __align__(16) float buffer[2][768];
    in += static_cast<size_t>(blockIdx.x) * tiles * 768;
    const bool copies = threadIdx.x < 64;
    const int worker = threadIdx.x - 64;
    float sum = 0;
    if (copies) copy_tile(buffer[0], in, threadIdx.x);
    for (int tile = 0; tile < tiles; ++tile) {
        if (copies) asm volatile("cp.async.wait_group 0;");
        __syncthreads();
        if (copies) {
            if (tile + 1 < tiles) copy_tile(buffer[(tile + 1) % 2], in + (tile + 1) * 768, threadIdx.x);
        } else {
            const float4 x = *reinterpret_cast<const float4*>(&buffer[tile % 2][worker * 4]);
            const float values[4] = {x.x, x.y, x.z, x.w};
            for (int i = 0; i < 4; ++i) {
                float value = 0.5f;
                for (int power = 0; power < 12; ++power) value = value * values[i] + 1.0f / (power + 1);
                sum += value;
            }
        }
    }
    if (!copies) out[blockIdx.x * 192 + worker] = sum;
}
