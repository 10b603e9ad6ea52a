/*
[kernel]
title   = "Rays against 256 boxes in shared memory: the nearest one that each enters"

[parameters]
rays = { default = 67584 }

[buffers]
boxes = { type = "f32", length = "256 * 8", fill = "random", seed = "1725" }
directions = { type = "f32", length = "rays * 3", fill = "random", seed = "1726" }
nearest = { type = "u32", length = "rays", fill = "zero" }

[launch]
arguments = ["boxes", "directions", "nearest", "rays"]
grid  = ["rays // 128"]
block = ["128"]
*/
extern "C" __global__ void ray_boxes(const float4* __restrict__ boxes, const float* __restrict__ directions, unsigned* __restrict__ nearest, int rays) {
    __shared__ float4 box[512];
    for (int i = threadIdx.x; i < 512; i += 128) box[i] = boxes[i];
    const int ray = blockIdx.x * 128 + threadIdx.x;
    const float ix = 1.0f / (directions[ray] + 1.5f), iy = 1.0f / (directions[rays + ray] + 1.5f), iz = 1.0f / (directions[2 * rays + ray] + 1.5f);
    __syncthreads();
    float most = 1e30f;
    unsigned found = 0xffffffffu;
#pragma unroll 2
    for (int i = 0; i < 256; ++i) {
        const float4 low = box[2 * i], size = box[2 * i + 1];
        const float x0 = (low.x + 2.0f) * ix, y0 = (low.y + 2.0f) * iy, z0 = (low.z + 2.0f) * iz;
        const float x1 = x0 + (size.x + 1.0f) * ix, y1 = y0 + (size.y + 1.0f) * iy, z1 = z0 + (size.z + 1.0f) * iz;
        const float enter = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fminf(z0, z1));
        const float leave = fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fmaxf(z0, z1));
        if (enter <= leave && enter < most) {
            most = enter;
            found = i;
        }
    }
    nearest[ray] = found;
}
