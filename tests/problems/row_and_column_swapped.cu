/*
[kernel]
title = "A 2-D index with the wrong pitch"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
in = { type = "f32", length = "960", fill = "iota" }
out = { type = "f32", length = "960", fill = "zero" }

[launch]
arguments = ["out", "in", "24", "40"]
grid  = ["1"]
block = ["8", "8"]
*/

extern "C" __global__ void row_and_column_swapped(float* out, const float* in, int height, int width) {
    for (int y = threadIdx.y; y < height; y += 8)
        for (int x = threadIdx.x; x < width; x += 8) {
#if FIXED
            const float value = in[y * width + x];
#else
            const float value = in[x * width + y];  // expect: out_of_bounds
#endif
            out[y * width + x] = value;
        }
}
