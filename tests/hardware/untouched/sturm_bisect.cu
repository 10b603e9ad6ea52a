/*
[kernel]
title   = "Eigenvalues of a tridiagonal matrix by bisection: Sturm counts with divisions, the matrix by pieces in shared memory"

[parameters]
n = { default = 128 }
matrices = { default = 270 }

[buffers]
diagonal = { type = "f32", length = "n * matrices", fill = "random", seed = "746" }
beside = { type = "f32", length = "n * matrices", fill = "random", seed = "747" }
found = { type = "f32", length = "n * matrices", fill = "zero" }

[launch]
arguments = ["diagonal", "beside", "found", "n"]
grid  = ["matrices"]
block = ["n"]
*/
extern "C" __global__ void sturm_bisect(const float* diagonal, const float* beside, float* found, int n) {
    __shared__ float d[128], squared[128];
    const int i = threadIdx.x, base = blockIdx.x * n;
    d[i] = diagonal[base + i];
    const float b = i == 0 ? 0.0f : beside[base + i];
    squared[i] = b * b;
    __syncthreads();
    float low = -2.5f, high = 3.5f;
    while (high - low > 2e-3f) {
        const float middle = 0.5f * (low + high);
        int below = 0;
        float q = 1;
        for (int k = 0; k < n; ++k) {
            q = d[k] - middle - squared[k] / q;
            if (fabsf(q) < 1e-12f) q = -1e-12f;
            below += q < 0;
        }
        if (below > i) high = middle;
        else low = middle;
    }
    found[base + i] = 0.5f * (low + high);
}
