/*
[kernel]
title   = "Lengths of runs: one thread per row of 96 bytes, a loop over the bytes of a run within one over the runs"

[parameters]
rows = { default = 135168 }

[buffers]
bytes = { type = "u8", length = "rows * 96", fill = "random", seed = "901", below = "2" }
runs = { type = "u16", length = "rows", fill = "zero" }
longest = { type = "u8", length = "rows", fill = "zero" }

[launch]
arguments = ["bytes", "runs", "longest", "rows"]
grid  = ["ceil_div(rows, 128)"]
block = ["128"]
*/
extern "C" __global__ void rle_rows(const unsigned char* __restrict__ bytes, unsigned short* __restrict__ runs,
                                    unsigned char* __restrict__ longest, int rows) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const unsigned char* at = bytes + row * 96;
    int i = 0, count = 0, most = 0;
    while (i < 96) {
        const int begin = i;
        const unsigned char value = at[i];
        while (i < 96 && at[i] == value) ++i;
        most = max(most, i - begin);
        ++count;
    }
    runs[row] = (unsigned short)count;
    longest[row] = (unsigned char)most;
}
