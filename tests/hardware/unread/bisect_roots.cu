/*
[kernel]
title   = "Eigenvalues of a tridiagonal matrix by bisection: sign changes counted until the interval is short"

[parameters]
n = { default = 48, macro = true }
values = { default = 67584 }

[buffers]
diagonal = { type = "f32", length = "n", fill = "random", seed = "711" }
beside = { type = "f32", length = "n", fill = "random", seed = "712" }
found = { type = "f32", length = "values", fill = "zero" }

[launch]
arguments = ["diagonal", "beside", "found", "values"]
grid  = ["ceil_div(values, 128)"]
block = ["128"]
*/
extern "C" __global__ void bisect_roots(const float* __restrict__ diagonal, const float* __restrict__ beside,
                                        float* __restrict__ found, int values) {
    __shared__ float d[n], e[n];
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        d[i] = diagonal[i];
        e[i] = beside[i] * beside[i];
    }
    __syncthreads();
    const int me = blockIdx.x * blockDim.x + threadIdx.x;
    if (me >= values) return;
    const int wanted = me % n;
    float low = -3.0f, high = 4.0f;
    const float exact = 0.001f * (1 + me % 7);
    while (high - low > exact) {
        const float middle = 0.5f * (low + high);
        int below = 0;
        float pivot = 1.0f;
        for (int i = 0; i < n; ++i) {
            pivot = d[i] - middle - (i > 0 ? __fdividef(e[i], pivot) : 0.0f);
            if (fabsf(pivot) < 1e-6f) pivot = -1e-6f;
            below += pivot < 0;
        }
        if (below <= wanted) low = middle;
        else high = middle;
    }
    found[me] = 0.5f * (low + high);
}
