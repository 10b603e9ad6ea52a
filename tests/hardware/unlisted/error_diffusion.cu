/*
[kernel]
title   = "Floyd-Steinberg dithering of tiles: a thread for each row, two pixels behind the row above, errors in shared memory"

[parameters]
tiles = { default = 264 }

[buffers]
grey = { type = "u8", length = "tiles * 64 * 64", fill = "random", seed = "1471", below = "256" }
dots = { type = "u8", length = "tiles * 64 * 64", fill = "zero" }

[launch]
arguments = ["grey", "dots"]
grid  = ["tiles"]
block = ["64"]
*/
extern "C" __global__ void error_diffusion(const unsigned char* __restrict__ grey,
                                           unsigned char* __restrict__ dots) {
    __shared__ int tile[65][66];
    const int row = threadIdx.x, base = blockIdx.x * 4096;
    for (int k = 0; k < 64; ++k) tile[k][row + 1] = grey[base + k * 64 + row] * 16;
    tile[row][0] = tile[row][65] = 0;
    if (row < 2)
        for (int k = row; k < 66; k += 2) tile[64][k] = 0;
    __syncthreads();
    for (int step = 0; step < 64 + 2 * 63; ++step) {
        const int column = step - 2 * row;
        if (column >= 0 && column < 64) {
            const int value = tile[row][column + 1];
            const int dot = value >= 2048 ? 4080 : 0, error = (value - dot) / 16;
            tile[row][column + 2] += 7 * error;
            tile[row + 1][column] += 3 * error;
            tile[row + 1][column + 1] += 5 * error;
            tile[row + 1][column + 2] += error;
            tile[row][column + 1] = dot;
        }
        __syncthreads();
    }
    for (int k = 0; k < 64; ++k) dots[base + k * 64 + row] = tile[k][row + 1] != 0;
}
