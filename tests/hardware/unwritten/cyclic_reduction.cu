/*
[kernel]
title   = "Tridiagonal systems of 256 unknowns by parallel cyclic reduction, one for each block"

[parameters]
systems = { default = 1056 }

[buffers]
lower = { type = "f32", length = "systems * 256", fill = "random", seed = "1601" }
upper = { type = "f32", length = "systems * 256", fill = "random", seed = "1602" }
right = { type = "f32", length = "systems * 256", fill = "random", seed = "1603" }
solution = { type = "f32", length = "systems * 256", fill = "zero" }

[launch]
arguments = ["lower", "upper", "right", "solution"]
grid  = ["systems"]
block = ["256"]
*/
extern "C" __global__ void cyclic_reduction(const float* __restrict__ lower, const float* __restrict__ upper,
                                            const float* __restrict__ right, float* __restrict__ solution) {
    __shared__ float a[2][256], b[2][256], c[2][256], d[2][256];
    const int i = threadIdx.x, at = blockIdx.x * 256 + i;
    a[0][i] = i == 0 ? 0 : lower[at];
    b[0][i] = 3.0f;
    c[0][i] = i == 255 ? 0 : upper[at];
    d[0][i] = right[at];
    int from = 0;
    for (int step = 1; step < 256; step *= 2) {
        __syncthreads();
        const int before = i - step, behind = i + step, to = from ^ 1;
        float na = 0, nb = b[from][i], nc = 0, nd = d[from][i];
        if (before >= 0) {
            const float k = a[from][i] / b[from][before];
            na = -a[from][before] * k;
            nb -= c[from][before] * k;
            nd -= d[from][before] * k;
        }
        if (behind < 256) {
            const float k = c[from][i] / b[from][behind];
            nc = -c[from][behind] * k;
            nb -= a[from][behind] * k;
            nd -= d[from][behind] * k;
        }
        a[to][i] = na;
        b[to][i] = nb;
        c[to][i] = nc;
        d[to][i] = nd;
        from = to;
    }
    solution[at] = d[from][i] / b[from][i];
}
