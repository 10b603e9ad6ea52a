/*
[kernel]
title   = "Seven-point stencil that walks along z with a plane in shared memory"

[parameters]
n = { default = 64, min = 16, max = 512, step = 16 }

[buffers]
in  = { type = "f32", length = "n * n * n", fill = "random", seed = "12" }
out = { type = "f32", length = "n * n * n", fill = "zero" }

[launch]
arguments = ["in", "out", "n"]
grid  = ["n // 16", "n // 16"]
block = ["16", "16"]
*/
extern "C" __global__ void stencil_3d(const float* in, float* out, int n) {
    __shared__ float plane[18][18];
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    const int column = threadIdx.x + 1, row = threadIdx.y + 1;
    const int plane_size = n * n, at = y * n + x;
    float below = 0.0f, here = in[at], above = in[at + plane_size];
    for (int z = 0; z < n; ++z) {
        __syncthreads();
        plane[row][column] = here;
        const int base = z * plane_size;
        if (threadIdx.x == 0) plane[row][0] = x > 0 ? in[base + at - 1] : 0.0f;
        if (threadIdx.x == 15) plane[row][17] = x < n - 1 ? in[base + at + 1] : 0.0f;
        if (threadIdx.y == 0) plane[0][column] = y > 0 ? in[base + at - n] : 0.0f;
        if (threadIdx.y == 15) plane[17][column] = y < n - 1 ? in[base + at + n] : 0.0f;
        __syncthreads();
        out[base + at] = plane[row][column - 1] + plane[row][column + 1] + plane[row - 1][column] +
                         plane[row + 1][column] + below + above - 6.0f * here;
        below = here;
        here = above;
        above = z + 2 < n ? in[base + 2 * plane_size + at] : 0.0f;
    }
}
