/*
[kernel]
title   = "Spectral elements of 8 x 8 x 8 in double precision: 64 threads walk up a column each, derivatives by a matrix in shared memory"

[parameters]
elements = { default = 1056 }

[buffers]
u = { type = "f64", length = "elements * 512", fill = "random", seed = "1406" }
metric = { type = "f64", length = "elements * 512 * 3", fill = "random", seed = "1407" }
derivative = { type = "f64", length = "64", fill = "random", seed = "1408" }
result = { type = "f64", length = "elements * 512", fill = "zero" }

[launch]
arguments = ["u", "metric", "derivative", "result"]
grid  = ["elements"]
block = ["8", "8"]
*/
extern "C" __global__ void spectral_ax(const double* __restrict__ u, const double* __restrict__ metric,
                                       const double* __restrict__ derivative, double* __restrict__ result) {
    __shared__ double d[8][9], plane[8][9], fr[8][9], fs[8][9];
    const int i = threadIdx.x, j = threadIdx.y, base = blockIdx.x * 512 + j * 8 + i;
    d[j][i] = derivative[j * 8 + i];
    double column[8], out[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        column[k] = u[base + k * 64];
        out[k] = 0;
    }
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        __syncthreads();
        plane[j][i] = column[k];
        __syncthreads();
        double r = 0, s = 0, t = 0;
#pragma unroll
        for (int m = 0; m < 8; ++m) {
            r += d[i][m] * plane[j][m];
            s += d[j][m] * plane[m][i];
            t += d[k][m] * column[m];
        }
        const int at = base + k * 64;
        fr[j][i] = metric[at * 3] * r;
        fs[j][i] = metric[at * 3 + 1] * s;
        const double up = metric[at * 3 + 2] * t;
        __syncthreads();
#pragma unroll
        for (int m = 0; m < 8; ++m) {
            out[k] += d[m][i] * fr[j][m] + d[m][j] * fs[m][i];
            out[m] += d[k][m] * up;
        }
    }
#pragma unroll
    for (int k = 0; k < 8; ++k) result[base + k * 64] = out[k];
}
