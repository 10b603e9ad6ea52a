/*
[kernel]
title = "Two tiles in turn need one barrier a step"

[buffers]
in = { type = "f32", length = "256", fill = "iota" }
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out", "in"]
grid  = ["1"]
block = ["128"]
*/

extern "C" __global__ void right_double_buffer(float* out, const float* in) {
    __shared__ float tile[2][128];
    const int i = threadIdx.x;
    float sum = 0.0f;
    tile[0][i] = in[i];
    for (int step = 0; step < 8; ++step) {
        __syncthreads();
        if (step < 7) tile[(step + 1) % 2][i] = in[(step * 16 + i) & 255];
        sum += tile[step % 2][127 - i];
    }
    out[i] = sum;
}
