/*
[kernel]
title   = "Lucas and Kanade: gradients of a tile in shared memory, sums of a window of 7 x 7 pixels, and each pixel's motion"

[parameters]
width = { default = 528 }
height = { default = 256 }

[buffers]
before = { type = "u8", length = "width * height", fill = "random", seed = "2091", below = "256" }
after = { type = "u8", length = "width * height", fill = "random", seed = "2092", below = "256" }
motion = { type = "f32", length = "width * height * 2", fill = "zero" }

[launch]
arguments = ["before", "after", "motion", "width", "height"]
grid  = ["width // 16", "height // 16"]
block = ["16", "16"]
*/
extern "C" __global__ void lucas_kanade(const unsigned char* __restrict__ before, const unsigned char* __restrict__ after, float2* __restrict__ motion,
                                        int width, int height) {
    __shared__ float gx[22][23], gy[22][23], gt[22][23];
    const int x0 = blockIdx.x * 16 - 3, y0 = blockIdx.y * 16 - 3;
    for (int i = threadIdx.y * 16 + threadIdx.x; i < 22 * 22; i += 256) {
        const int x = min(max(x0 + i % 22, 1), width - 2), y = min(max(y0 + i / 22, 1), height - 2), at = y * width + x;
        gx[i / 22][i % 22] = 0.5f * (float(before[at + 1]) - float(before[at - 1]));
        gy[i / 22][i % 22] = 0.5f * (float(before[at + width]) - float(before[at - width]));
        gt[i / 22][i % 22] = float(after[at]) - float(before[at]);
    }
    __syncthreads();
    float xx = 0, xy = 0, yy = 0, xt = 0, yt = 0;
    for (int dy = 0; dy < 7; ++dy)
#pragma unroll
        for (int dx = 0; dx < 7; ++dx) {
            const float a = gx[threadIdx.y + dy][threadIdx.x + dx], b = gy[threadIdx.y + dy][threadIdx.x + dx],
                        t = gt[threadIdx.y + dy][threadIdx.x + dx];
            xx += a * a;
            xy += a * b;
            yy += b * b;
            xt += a * t;
            yt += b * t;
        }
    const float scale = 1 / (xx * yy - xy * xy + 1e-3f);
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    motion[y * width + x] = make_float2((xy * yt - yy * xt) * scale, (xy * xt - xx * yt) * scale);
}
