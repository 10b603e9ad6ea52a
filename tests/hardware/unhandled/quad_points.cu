/*
[kernel]
title   = "Points find their leaf in a quadtree of nodes with four children each, and are counted there"

[parameters]
n = { default = 135168 }

[buffers]
x = { type = "f32", length = "n", fill = "random", seed = "1771" }
y = { type = "f32", length = "n", fill = "random", seed = "1772" }
children = { type = "u32", length = "4096 * 4", fill = "random", seed = "1773", below = "8192" }
counts = { type = "u32", length = "8192", fill = "zero" }

[launch]
arguments = ["x", "y", "children", "counts", "n"]
grid  = ["ceil_div(n, 256)"]
block = ["256"]
*/
extern "C" __global__ void quad_points(const float* x, const float* y, const unsigned* children, unsigned* counts,
                                       int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float px = x[i], py = y[i];
    unsigned node = 0;
    for (int depth = 0; depth < 12 && node < 4096; ++depth) {
        px *= 2.0f;
        py *= 2.0f;
        const unsigned side = (px >= 1.0f) | (py >= 1.0f) << 1;
        if (px >= 1.0f) px -= 1.0f;
        if (py >= 1.0f) py -= 1.0f;
        node = children[4 * node + side];
    }
    atomicAdd(&counts[node], 1u);
}
