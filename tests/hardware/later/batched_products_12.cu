/*
[kernel]
title   = "Many products of 12 x 12 matrices in double: a block of 144 threads per matrix, both in shared memory"

[parameters]
matrices = { default = 2112 }

[buffers]
a = { type = "f64", length = "matrices * 144", fill = "random", seed = "1014" }
b = { type = "f64", length = "matrices * 144", fill = "random", seed = "1015" }
c = { type = "f64", length = "matrices * 144", fill = "zero" }

[launch]
arguments = ["a", "b", "c"]
grid  = ["matrices"]
block = ["144"]
*/
extern "C" __global__ void batched_products_12(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ c) {
    __shared__ double left[144], right[144];
    const int i = threadIdx.x, row = i / 12, column = i % 12;
    left[i] = a[blockIdx.x * 144 + i];
    right[i] = b[blockIdx.x * 144 + i];
    __syncthreads();
    double sum = 0;
    for (int k = 0; k < 12; ++k) sum += left[row * 12 + k] * right[k * 12 + column];
    c[blockIdx.x * 144 + i] = sum;
}
