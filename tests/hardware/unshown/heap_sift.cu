/*
[kernel]
title   = "Binary heaps: one thread per heap of 31, which takes the root, puts a new key there and sifts it down"

[parameters]
heaps = { default = 67584 }
takes = { default = 8 }

[buffers]
keys = { type = "u32", length = "heaps * 32", fill = "random", seed = "1101", below = "1000000" }
taken = { type = "u32", length = "heaps", fill = "zero" }

[launch]
arguments = ["keys", "taken", "takes", "heaps"]
grid  = ["ceil_div(heaps, 128)"]
block = ["128"]
*/
extern "C" __global__ void heap_sift(unsigned* keys, unsigned* taken, int takes, int heaps) {
    const int heap = blockIdx.x * blockDim.x + threadIdx.x;
    if (heap >= heaps) return;
    unsigned* mine = keys + heap * 32;
    unsigned sum = 0;
    for (int take = 0; take < takes; ++take) {
        sum += mine[1];
        const unsigned key = mine[1] * 1664525u % 1000000u;
        int at = 1;
        while (2 * at < 32) {
            int child = 2 * at;
            if (child + 1 < 32 && mine[child + 1] > mine[child]) ++child;
            if (mine[child] <= key) break;
            mine[at] = mine[child];
            at = child;
        }
        mine[at] = key;
    }
    taken[heap] = sum;
}
