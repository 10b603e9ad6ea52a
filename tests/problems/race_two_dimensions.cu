/*
[kernel]
title = "A 16 by 16 tile transposed without a barrier"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
in = { type = "f32", length = "256", fill = "iota" }
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out", "in"]
grid  = ["1"]
block = ["16", "16"]
*/

extern "C" __global__ void race_two_dimensions(float* out, const float* in) {
    __shared__ float tile[16][17];
    const int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[y * 16 + x];  // expect: shared_race
#if FIXED
    __syncthreads();
#endif
    out[y * 16 + x] = tile[x][y];  // expect: shared_race uninitialised_read
}
