/*
[kernel]
title   = "Regions of interest of a feature map, pooled to 7 x 7 bins of four bilinear samples each; a thread per bin and channel"

[parameters]
regions = { default = 32 }

[buffers]
features = { type = "f32", length = "64 * 100 * 152", fill = "random", seed = "1110" }
boxes = { type = "f32", length = "regions * 4", fill = "formula", value = "i % 4 < 2 and random(300) or 500 + random(300)", seed = "1111" }
pooled = { type = "f32", length = "regions * 64 * 49", fill = "zero" }

[launch]
arguments = ["features", "boxes", "pooled", "f32=0.125", "i32=100", "i32=152"]
grid  = ["regions * 64 * 49 // 256"]
block = ["256"]
*/
extern "C" __global__ void roi_align(const float* __restrict__ features, const float* __restrict__ boxes,
                                     float* __restrict__ pooled, float scale, int height, int width) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    const int column = i % 7, row = i / 7 % 7, channel = i / 49 % 64, region = i / 49 / 64;
    const float* box = boxes + region * 4;
    const float left = box[0] * scale - 0.5f, top = box[1] * scale - 0.5f;
    const float bin_width = (box[2] * scale - 0.5f - left) / 7, bin_height = (box[3] * scale - 0.5f - top) / 7;
    const float* plane = features + channel * height * width;
    float sum = 0;
    for (int v = 0; v < 2; ++v)
        for (int u = 0; u < 2; ++u) {
            float y = top + row * bin_height + (v + 0.5f) * bin_height / 2, x = left + column * bin_width + (u + 0.5f) * bin_width / 2;
            if (y < -1 || y > height || x < -1 || x > width) continue;
            y = fmaxf(y, 0);
            x = fmaxf(x, 0);
            const int low_y = min(int(y), height - 1), low_x = min(int(x), width - 1);
            const int high_y = min(low_y + 1, height - 1), high_x = min(low_x + 1, width - 1);
            const float ly = y - low_y, lx = x - low_x;
            sum += (1 - ly) * ((1 - lx) * plane[low_y * width + low_x] + lx * plane[low_y * width + high_x]) +
                   ly * ((1 - lx) * plane[high_y * width + low_x] + lx * plane[high_y * width + high_x]);
        }
    pooled[i] = sum / 4;
}
