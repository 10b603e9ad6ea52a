/*
[kernel]
title   = "The game of life: a tile of 32 x 32 cells and four steps in shared memory, one thread per cell"

[parameters]
W = { default = 1536 }
H = { default = 1056 }
steps = { default = 4 }

[buffers]
cells = { type = "u8", length = "W * H", fill = "random", seed = "1121", below = "2" }
after = { type = "u8", length = "W * H", fill = "zero" }

[launch]
arguments = ["cells", "after", "W", "H", "steps"]
grid  = ["ceil_div(W, 32)", "ceil_div(H, 32)"]
block = ["32", "32"]
*/
extern "C" __global__ void life_steps(const unsigned char* __restrict__ cells, unsigned char* __restrict__ after, int w,
                                      int h, int steps) {
    __shared__ unsigned char now[34][34];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 34 * 34; i += 1024) (&now[0][0])[i] = 0;
    __syncthreads();
    now[ty][tx] = x < w && y < h ? cells[y * w + x] : 0;
    __syncthreads();
    for (int step = 0; step < steps; ++step) {
        int around = 0;
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) around += now[ty + dy][tx + dx];
        const unsigned char own = now[ty][tx];
        around -= own;
        __syncthreads();
        now[ty][tx] = around == 3 || (around == 2 && own);
        __syncthreads();
    }
    if (x < w && y < h) after[y * w + x] = now[ty][tx];
}
