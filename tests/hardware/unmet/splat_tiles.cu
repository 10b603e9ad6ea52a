/*
[kernel]
title   = "Gaussian splats blended front to back: a block per tile of 16 x 16 pixels, batches of 256 splats in shared memory, ended when all are opaque"

[parameters]
tiles = { default = 264 }

[buffers]
ends = { type = "i32", length = "tiles + 1", fill = "formula", value = "i * 384 + (i % 7) * 16" }
splats = { type = "i32", length = "tiles * 384 + 96", fill = "random", seed = "1307", below = "65536" }
means = { type = "f32", length = "65536 * 2", fill = "formula", value = "random(1600) / 100", seed = "1308" }
conics = { type = "f32", length = "65536 * 4", fill = "formula", value = "i % 4 == 1 and 0.01 or 0.05 + random(100) / 1000", seed = "1309" }
colours = { type = "f32", length = "65536 * 3", fill = "random", seed = "1310" }
image = { type = "f32", length = "tiles * 256 * 3", fill = "zero" }

[launch]
arguments = ["ends", "splats", "means", "conics", "colours", "image"]
grid  = ["tiles"]
block = ["16", "16"]
*/
extern "C" __global__ void __launch_bounds__(256) splat_tiles(const int* __restrict__ ends, const int* __restrict__ splats,
                                                              const float2* __restrict__ means, const float4* __restrict__ conics,
                                                              const float* __restrict__ colours, float* __restrict__ image) {
    __shared__ int ids[256];
    __shared__ float2 places[256];
    __shared__ float4 shapes[256];
    const int rank = threadIdx.y * 16 + threadIdx.x, first = ends[blockIdx.x], last = ends[blockIdx.x + 1];
    float left = 1, red = 0, green = 0, blue = 0;
    bool done = false;
    for (int batch = first; batch < last; batch += 256) {
        if (__syncthreads_count(done) == 256) break;
        if (batch + rank < last) {
            const int id = splats[batch + rank];
            ids[rank] = id;
            places[rank] = means[id];
            shapes[rank] = conics[id];
        }
        __syncthreads();
        for (int i = 0; !done && i < min(256, last - batch); ++i) {
            const float dx = places[i].x - threadIdx.x, dy = places[i].y - threadIdx.y;
            const float4 shape = shapes[i];
            const float power = -0.5f * (shape.x * dx * dx + shape.z * dy * dy) - shape.y * dx * dy;
            if (power > 0) continue;
            const float alpha = fminf(0.99f, shape.w * expf(power));
            if (alpha < 1 / 255.f) continue;
            const float next = left * (1 - alpha);
            if (next < 0.0001f) {
                done = true;
                continue;
            }
            red += colours[ids[i] * 3] * alpha * left;
            green += colours[ids[i] * 3 + 1] * alpha * left;
            blue += colours[ids[i] * 3 + 2] * alpha * left;
            left = next;
        }
    }
    float* out = image + (blockIdx.x * 256 + rank) * 3;
    out[0] = red;
    out[1] = green;
    out[2] = blue;
}
