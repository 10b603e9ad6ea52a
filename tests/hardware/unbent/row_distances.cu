/*
[kernel]
title   = "How far the next set pixel of its row is from each pixel, to either side"

[parameters]
W = { default = 1024 }
H = { default = 264 }

[buffers]
image = { type = "u8", length = "W * H", fill = "random", seed = "1607", below = "20" }
distance = { type = "u16", length = "W * H", fill = "zero" }

[launch]
arguments = ["image", "distance", "W"]
grid  = ["W / 128", "H"]
block = ["128"]
*/
extern "C" __global__ void row_distances(const unsigned char* __restrict__ image,
                                         unsigned short* __restrict__ distance, int w) {
    const int x = blockIdx.x * 128 + threadIdx.x, row = blockIdx.y * w;
    int far = 0;
    while (far < w) {
        if (x - far >= 0 && image[row + x - far] == 0) break;
        if (x + far < w && image[row + x + far] == 0) break;
        ++far;
    }
    distance[row + x] = (unsigned short)far;
}
