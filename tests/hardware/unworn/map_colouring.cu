/*
[kernel]
title   = "Maps coloured with three colours by trying and going back: one map of twelve countries per thread"

[parameters]
maps = { default = 33792 }
tries = { default = 200 }

[buffers]
borders = { type = "u32", length = "maps * 12", fill = "random", seed = "2611", below = "4096" }
colours = { type = "u32", length = "maps", fill = "zero" }
failed = { type = "u32", length = "1", fill = "zero" }

[launch]
arguments = ["borders", "colours", "failed", "maps", "tries"]
grid  = ["ceil_div(maps, 128)"]
block = ["128"]
*/
extern "C" __global__ void map_colouring(const unsigned* borders, unsigned* colours, unsigned* failed,
                                         int maps, int tries) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= maps) return;
    unsigned of_colour[3] = {0, 0, 0}, chosen = 0;
    int country = 0, colour = 0;
    for (int tried = 0; tried < tries && country < 12; ++tried) {
        const unsigned mine = borders[i * 12 + country] & borders[i * 12 + (country + 5) % 12];
        const unsigned taken = colour == 0 ? of_colour[0] : colour == 1 ? of_colour[1] : of_colour[2];
        if (colour < 3 && !(mine & taken & ((1u << country) - 1))) {
            for (int c = 0; c < 3; ++c)
                if (c == colour) of_colour[c] |= 1u << country;
            chosen |= colour << 2 * country;
            ++country;
            colour = 0;
        } else if (colour < 2) {
            ++colour;
        } else {
            if (country == 0) break;
            --country;
            colour = (chosen >> 2 * country & 3u) + 1;
            chosen &= ~(3u << 2 * country);
            for (int c = 0; c < 3; ++c) of_colour[c] &= ~(1u << country);
        }
    }
    colours[i] = chosen;
    if (country < 12) atomicAdd(failed, 1u);
}
