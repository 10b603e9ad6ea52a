/*
[kernel]
title = "Each block waits for the one before it"

[buffers]
flag = { type = "i32", length = "8", fill = "zero" }
sum = { type = "i32", length = "8", fill = "zero" }

[launch]
arguments = ["flag", "sum"]
grid  = ["8"]
block = ["64"]
*/

extern "C" __global__ void right_chain_of_blocks(volatile int* flag, int* sum) {
    __shared__ int before;
    if (threadIdx.x == 0) {
        if (blockIdx.x > 0)
            while (flag[blockIdx.x - 1] == 0) {}
        __threadfence();
        before = blockIdx.x > 0 ? sum[blockIdx.x - 1] : 0;
    }
    __syncthreads();
    if (threadIdx.x == 63) sum[blockIdx.x] = before + 64;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        flag[blockIdx.x] = 1;
    }
}
