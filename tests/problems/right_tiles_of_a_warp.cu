/*
[kernel]
title = "Quarters of a warp work each for itself"

[buffers]
in = { type = "f32", length = "256", fill = "iota" }
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out", "in"]
grid  = ["1"]
block = ["64"]
*/

extern "C" __global__ void right_tiles_of_a_warp(float* out, const float* in) {
    __shared__ float row[64];
    const int i = threadIdx.x, lane = i & 31;
    const unsigned quarter = 0xffu << (lane & 24);
    row[i] = in[i];
    for (int step = 4; step > 0; step /= 2) {
        __syncwarp(quarter);
        const float other = row[i ^ step];
        __syncwarp(quarter);
        row[i] += other;
    }
    out[i] = row[i];
}
