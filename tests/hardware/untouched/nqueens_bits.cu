/*
[kernel]
title   = "N queens by bit masks: each thread counts the solutions below one start, with its rows on a stack in shared memory"

[parameters]
n = { default = 11, macro = true }

[buffers]
counts = { type = "u32", length = "65 * 96", fill = "zero" }

[launch]
arguments = ["counts"]
grid  = ["65"]
block = ["96"]
*/
// A thread's start is the columns of three queens and one of the first five free columns of the fourth row.
extern "C" __global__ void nqueens_bits(unsigned* counts) {
    __shared__ unsigned stack[4][n][96];
    const int thread = threadIdx.x;
    const unsigned all = (1u << n) - 1;
    const int start = (blockIdx.x * 96 + thread) % (n * n * n), part = (blockIdx.x * 96 + thread) / (n * n * n);
    unsigned columns = 0, left = 0, right = 0;
    bool fits = part < 5;
    for (int row = 0, rest = start; row < 3; ++row, rest /= n) {
        const unsigned queen = 1u << rest % n;
        if ((columns | left | right) & queen) fits = false;
        columns |= queen;
        left = (left | queen) << 1;
        right = (right | queen) >> 1;
    }
    unsigned solutions = 0;
    if (fits) {
        int depth = 0;
        unsigned free = all & ~(columns | left | right);
        for (int skip = 0; skip < part; ++skip) free &= free - 1;
        free &= -free;  // one branch of the fourth row
        while (true) {
            if (free == 0) {
                if (depth == 0) break;
                --depth;
                columns = stack[0][depth][thread];
                left = stack[1][depth][thread];
                right = stack[2][depth][thread];
                free = stack[3][depth][thread];
                continue;
            }
            const unsigned queen = free & -free;
            free ^= queen;
            if ((columns | queen) == all) {
                ++solutions;
                continue;
            }
            stack[0][depth][thread] = columns;
            stack[1][depth][thread] = left;
            stack[2][depth][thread] = right;
            stack[3][depth][thread] = free;
            ++depth;
            columns |= queen;
            left = (left | queen) << 1;
            right = (right | queen) >> 1;
            free = all & ~(columns | left | right);
        }
    }
    counts[blockIdx.x * 96 + thread] = solutions;
}
