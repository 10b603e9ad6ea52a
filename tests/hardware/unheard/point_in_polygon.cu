/*
[kernel]
title   = "Points inside a polygon: its edges in shared memory, a branch for each edge that a point's ray may cross"

[parameters]
points = { default = 270336 }
edges = { default = 48 }

[buffers]
px = { type = "f32", length = "points", fill = "random", seed = "951" }
py = { type = "f32", length = "points", fill = "random", seed = "952" }
corner_x = { type = "f32", length = "edges", fill = "random", seed = "953" }
corner_y = { type = "f32", length = "edges", fill = "random", seed = "954" }
inside = { type = "u8", length = "points", fill = "zero" }

[launch]
arguments = ["px", "py", "corner_x", "corner_y", "inside", "points", "edges"]
grid  = ["ceil_div(points, 256)"]
block = ["256"]
*/
extern "C" __global__ void point_in_polygon(const float* __restrict__ px, const float* __restrict__ py,
                                            const float* __restrict__ corner_x, const float* __restrict__ corner_y,
                                            unsigned char* __restrict__ inside, int points, int edges) {
    __shared__ float x[64], y[64];
    if (threadIdx.x < edges) {
        x[threadIdx.x] = corner_x[threadIdx.x];
        y[threadIdx.x] = corner_y[threadIdx.x];
    }
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= points) return;
    const float at_x = px[i], at_y = py[i];
    int crossings = 0;
    for (int e = 0, before = edges - 1; e < edges; before = e++) {
        if ((y[e] > at_y) == (y[before] > at_y)) continue;
        const float part = (at_y - y[e]) / (y[before] - y[e]);
        if (at_x < x[e] + part * (x[before] - x[e])) ++crossings;
    }
    inside[i] = crossings & 1;
}
