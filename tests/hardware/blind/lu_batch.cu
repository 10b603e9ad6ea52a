/*
[kernel]
title   = "LU factors of matrices of 32 x 32 with partial pivoting, one block of 128 threads each, in shared memory"

[parameters]
matrices = { default = 2112 }

[buffers]
a = { type = "f32", length = "matrices * 1024", fill = "random", seed = "416" }
pivots = { type = "u32", length = "matrices * 32", fill = "zero" }

[launch]
arguments = ["a", "pivots"]
grid  = ["matrices"]
block = ["32", "4"]
*/
extern "C" __global__ void lu_batch(float* __restrict__ a, unsigned* __restrict__ pivots) {
    __shared__ float m[32][33];
    const int x = threadIdx.x, y = threadIdx.y;
    float* own = a + size_t(blockIdx.x) * 1024;
    for (int row = y; row < 32; row += 4) m[row][x] = own[row * 32 + x];
    __syncthreads();
    for (int k = 0; k < 32; ++k) {
        if (y == 0) {
            float most = x >= k ? fabsf(m[x][k]) : -1;
            int at = x;
            for (int distance = 16; distance > 0; distance /= 2) {
                const float other = __shfl_xor_sync(0xffffffffu, most, distance);
                const int its = __shfl_xor_sync(0xffffffffu, at, distance);
                if (other > most || (other == most && its < at)) most = other, at = its;
            }
            if (x == 0) {
                pivots[blockIdx.x * 32 + k] = at;
            }
            __syncwarp();
            const float mine = m[k][x], theirs = m[at][x];
            m[k][x] = theirs;
            if (at != k) m[at][x] = mine;
        }
        __syncthreads();
        if (y == 0 && x > k) m[x][k] /= m[k][k];
        __syncthreads();
        for (int row = k + 1 + y; row < 32; row += 4)
            if (x > k) m[row][x] -= m[row][k] * m[k][x];
        __syncthreads();
    }
    for (int row = y; row < 32; row += 4) own[row * 32 + x] = m[row][x];
}
