/*
[kernel]
title   = "Random walks in a plane until they leave a disc, 200 steps at most"

[parameters]
walks = { default = 101376 }
radius = { default = 12 }

[buffers]
steps = { type = "u32", length = "walks", fill = "zero" }

[launch]
arguments = ["steps", "walks", "radius"]
grid  = ["ceil_div(walks, 128)"]
block = ["128"]
*/
extern "C" __global__ void disc_walks(unsigned* steps, int walks, int radius) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= walks) return;
    unsigned state = i * 2891336453u + 277803737u;
    int x = 0, y = 0;
    unsigned step = 0;
    while (step < 200 && x * x + y * y < radius * radius) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        const int way = state >> 30;
        if (way == 0) ++x;
        else if (way == 1) --x;
        else if (way == 2) ++y;
        else --y;
        ++step;
    }
    steps[i] = step;
}
