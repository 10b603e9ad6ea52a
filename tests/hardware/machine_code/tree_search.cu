/*
[kernel]
title   = "Binary search of keys of which each lane needs a different number of steps"

[parameters]
n    = { default = 20000, min = 1, max = 1000000 }
keys = { default = 10000, min = 1, max = 1000000 }

[buffers]
sorted = { type = "u32", length = "n", fill = "iota" }
wanted = { type = "u32", length = "keys", fill = "lcg", seed = "19", below = "2 * n" }
places = { type = "i32", length = "keys", fill = "zero" }

[launch]
arguments = ["sorted", "wanted", "places", "n", "keys"]
grid  = ["ceil_div(keys, 128)"]
block = ["128"]
*/
extern "C" __global__ void tree_search(const unsigned* sorted, const unsigned* wanted, int* places, int n, int keys) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= keys) return;
    const unsigned key = wanted[i];
    int low = 0, high = n - 1, found = -1;
    while (low <= high) {
        const int middle = (low + high) / 2;
        const unsigned value = sorted[middle];
        if (value == key) {
            found = middle;
            break;
        }
        if (value < key) {
            if (middle % 7 == 3) found -= key % 5;
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
    places[i] = found;
}
