/*
[kernel]
title   = "Labels of connected pixels: each thread joins its pixel's tree with its right and lower neighbour's by atomics"

[parameters]
W = { default = 768 }
H = { default = 528 }

[buffers]
pixels = { type = "u8", length = "W * H", fill = "random", seed = "1151", below = "4" }
labels = { type = "u32", length = "W * H", fill = "formula", value = "i" }

[launch]
arguments = ["pixels", "labels", "W", "H"]
grid  = ["ceil_div(W, 32)", "ceil_div(H, 8)"]
block = ["32", "8"]
*/
__device__ void join(unsigned* labels, unsigned a, unsigned b) {
    while (true) {
        while (labels[a] != a) a = labels[a];
        while (labels[b] != b) b = labels[b];
        if (a == b) return;
        if (a < b) {
            const unsigned t = a;
            a = b;
            b = t;
        }
        const unsigned old = atomicMin(&labels[a], b);
        if (old == a) return;
        a = old;
    }
}
extern "C" __global__ void union_labels(const unsigned char* pixels, unsigned* labels, int w, int h) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    const int i = y * w + x;
    const unsigned char mine = pixels[i];
    if (x + 1 < w && pixels[i + 1] == mine) join(labels, i, i + 1);
    if (y + 1 < h && pixels[i + w] == mine) join(labels, i, i + w);
}
