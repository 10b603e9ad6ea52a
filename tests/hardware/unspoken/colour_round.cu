/*
[kernel]
title   = "One round of a graph's colouring: a vertex of the highest priority among its uncoloured neighbours takes a colour"

[parameters]
vertices = { default = 168960 }

[buffers]
first = { type = "u32", length = "vertices + 1", fill = "formula", value = "i * 7 + (i * 2654435761 // 65536) % 5" }
neighbours = { type = "u32", length = "vertices * 7 + 5", fill = "random", seed = "1211", below = "168960" }
colour = { type = "i32", length = "vertices", fill = "formula", value = "(i * 2654435761 // 8192) % 4 - 2" }
chosen = { type = "i32", length = "vertices", fill = "zero" }

[launch]
arguments = ["first", "neighbours", "colour", "chosen", "vertices"]
grid  = ["ceil_div(vertices, 128)"]
block = ["128"]
*/
__device__ unsigned priority(unsigned v) {
    v ^= v >> 16;
    v *= 0x7feb352du;
    v ^= v >> 15;
    v *= 0x846ca68bu;
    return v ^ v >> 16;
}
extern "C" __global__ void colour_round(const unsigned* __restrict__ first, const unsigned* __restrict__ neighbours,
                                        const int* __restrict__ colour, int* __restrict__ chosen, int vertices) {
    const unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices) return;
    int mine = colour[v];
    if (mine < 0) {
        const unsigned own = priority(v);
        unsigned taken = 0;
        bool highest = true;
        const unsigned end = first[v + 1];
        for (unsigned e = first[v]; e < end; ++e) {
            const unsigned u = neighbours[e];
            const int its = colour[u];
            if (its >= 0) {
                taken |= 1u << its;
            } else if (u != v && priority(u) > own) {
                highest = false;
                break;
            }
        }
        if (highest) mine = __ffs(~taken) - 1;
    }
    chosen[v] = mine;
}
