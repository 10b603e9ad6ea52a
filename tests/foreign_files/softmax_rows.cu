/*
Softmax over the rows of a matrix, a version at a time.
Compile: nvcc -O3 softmax_rows.cu -o softmax_rows
*/
#include <cuda_runtime.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include "check.h"

// CPU reference
void softmax_cpu(float* out, const float* inp, int N, int C) {
    for (int i = 0; i < N; i++) {
        const float* row = inp + i * C;
        float maxval = -INFINITY;
        for (int j = 0; j < C; j++) if (row[j] > maxval) maxval = row[j];
        double sum = 0.0;
        for (int j = 0; j < C; j++) { out[i * C + j] = expf(row[j] - maxval); sum += out[i * C + j]; }
        for (int j = 0; j < C; j++) out[i * C + j] /= (float)sum;
    }
}

__global__ void softmax_kernel1(float* out, const float* inp, int N, int C) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        const float* row = inp + i * C;
        float maxval = -FLT_MAX;
        for (int j = 0; j < C; j++) maxval = fmaxf(maxval, row[j]);
        float sum = 0.f;
        for (int j = 0; j < C; j++) sum += expf(row[j] - maxval);
        for (int j = 0; j < C; j++) out[i * C + j] = expf(row[j] - maxval) / sum;
    }
}

__device__ float warpReduceMax(float val) {
    for (int offset = 16; offset > 0; offset /= 2) {
        val = fmaxf(val, __shfl_down_sync(0xFFFFFFFF, val, offset));
    }
    return val;
}

// a warp a row
__global__ void softmax_kernel2(float* out, const float* inp, int N, int C) {
    extern __shared__ float shared[];
    int row = blockIdx.x, tid = threadIdx.x;
    const float* x = inp + row * C;
    float maxval = -FLT_MAX;
    for (int i = tid; i < C; i += blockDim.x) maxval = fmaxf(maxval, x[i]);
    maxval = __shfl_sync(0xFFFFFFFF, warpReduceMax(maxval), 0);
    float part = 0.f;
    for (int i = tid; i < C; i += blockDim.x) {
        shared[i] = expf(x[i] - maxval);
        part += shared[i];
    }
    float total = warp_sum(part);
    for (int i = tid; i < C; i += blockDim.x) out[row * C + i] = shared[i] / total;
}

void softmax1(float* out, const float* inp, int N, int C, const int block_size) {
    const int grid_size = divide_up(N, block_size);
    softmax_kernel1<<<grid_size, block_size>>>(out, inp, N, C);
    CHECK(cudaGetLastError());
}

void softmax2(float* out, const float* inp, int N, int C, const int block_size) {
    int grid_size = N;
    size_t shared_mem_size = C * sizeof(float);
    softmax_kernel2<<<grid_size, 32, shared_mem_size>>>(out, inp, N, C);
}

void softmax(int kernel_num, float* out, const float* inp, int N, int C, const int block_size) {
    switch (kernel_num) {
        case 1:
            softmax1(out, inp, N, C, block_size);
            break;
        case 2:
            softmax2(out, inp, N, C, block_size);
            break;
        default:
            printf("Invalid kernel number\n");
            exit(1);
    }
}

float* make_random_float(int N) {
    float* arr = (float*)malloc(N * sizeof(float));
    for (int i = 0; i < N; i++) arr[i] = ((float)rand() / RAND_MAX) * 2.0 - 1.0;
    return arr;
}

int main(int argc, char** argv) {
    srand(0);
    int B = 4;
    int T = 64;
    int V = 512;
    int deviceIdx = 0;
    CHECK(cudaSetDevice(deviceIdx));

    float* out = (float*)malloc(B * T * V * sizeof(float));
    float* inp = make_random_float(B * T * V);
    float* d_out;
    float* d_inp;
    CHECK(cudaMalloc(&d_out, B * T * V * sizeof(float)));
    CHECK(cudaMalloc(&d_inp, B * T * V * sizeof(float)));
    CHECK(cudaMemcpy(d_inp, inp, B * T * V * sizeof(float), cudaMemcpyHostToDevice));

    int kernel_num = 2;
    if (argc > 1) kernel_num = atoi(argv[1]);
    int block_sizes[] = {32, 64, 128, 256};
    softmax_cpu(out, inp, B * T, V);
    for (int j = 0; j < sizeof(block_sizes) / sizeof(int); j++) {
        int block_size = block_sizes[j];
        softmax(kernel_num, d_out, d_inp, B * T, V, block_size);
    }
    free(out);
    CHECK(cudaFree(d_out));
    return 0;
}
