/*
[kernel]
title   = "Lines through two random points each, and how many points of a cloud are near them"

[parameters]
lines = { default = 33792 }
points = { default = 512 }

[buffers]
cloud = { type = "f32", length = "points * 2", fill = "random", seed = "1941" }
inliers = { type = "u32", length = "lines", fill = "zero" }

[launch]
arguments = ["cloud", "inliers", "lines", "points"]
grid  = ["ceil_div(lines, 128)"]
block = ["128"]
*/
extern "C" __global__ void ransac_lines(const float* __restrict__ cloud, unsigned* __restrict__ inliers,
                                        int lines, int points) {
    __shared__ float2 tile[128];
    const int line = blockIdx.x * 128 + threadIdx.x;
    unsigned state = line * 747796405u + 2891336453u;
    const int a = (state >> 9) % points;
    state = state * 747796405u + 2891336453u;
    const int b = (state >> 9) % points;
    const float ax = cloud[2 * a], ay = cloud[2 * a + 1];
    float nx = cloud[2 * b + 1] - ay, ny = ax - cloud[2 * b];
    const float length = nx * nx + ny * ny;
    const bool is_line = length > 1e-4f;
    const float scale = is_line ? rsqrtf(length) : 0.0f;
    nx *= scale;
    ny *= scale;
    unsigned count = 0;
    for (int from = 0; from < points; from += 128) {
        tile[threadIdx.x] = make_float2(cloud[2 * (from + threadIdx.x)], cloud[2 * (from + threadIdx.x) + 1]);
        __syncthreads();
        if (is_line)
            for (int k = 0; k < 128; ++k) {
                const float distance = (tile[k].x - ax) * nx + (tile[k].y - ay) * ny;
                count += fabsf(distance) < 0.02f;
            }
        __syncthreads();
    }
    if (line < lines) inliers[line] = count;
}
