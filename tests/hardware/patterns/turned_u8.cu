/*
[kernel]
title   = "A turned image, four neighbours of a place for each thread"

[parameters]


[buffers]
image = { type = "u8", length = "1536 * 704", fill = "random", seed = "9", below = "256" }
out = { type = "u8", length = "1536 * 704", fill = "zero" }

[launch]
arguments = ["image", "out"]
grid  = ["48", "88"]
block = ["32", "8"]
*/
extern "C" __global__ void turned_u8(const unsigned char* __restrict__ image, unsigned char* __restrict__ out) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    const int u = (83 * x - 36 * y) / 128 + 200, v = (36 * x + 83 * y) / 128;
    const int left = min(max(u, 0), 1534), top = min(max(v, 0), 702);
    const unsigned char* from = image + top * 1536 + left;
    out[y * 1536 + x] = (unsigned char)(from[0] + from[1] + from[1536] + from[1537]);
}
