/*
[kernel]
title = "Threads behind the end leave before the barrier"

[buffers]
in = { type = "f32", length = "256", fill = "iota" }
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out", "in", "200"]
grid  = ["1"]
block = ["256"]
*/

extern "C" __global__ void right_early_exit(float* out, const float* in, int n) {
    __shared__ float row[256];
    const int i = threadIdx.x;
    if (i >= n) return;
    row[i] = in[i];
    __syncthreads();
    out[i] = row[n - 1 - i];
}
