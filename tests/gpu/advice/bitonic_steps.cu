#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void bitonic_sort_step(float* dev_values, int j, int k) {
    unsigned int i, ixj;
    i = threadIdx.x + blockDim.x * blockIdx.x;
    ixj = i ^ j;
    if ((ixj) > i) {
        if ((i & k) == 0) {
            if (dev_values[i] > dev_values[ixj]) {
                float temp = dev_values[i];
                dev_values[i] = dev_values[ixj];
                dev_values[ixj] = temp;
            }
        }
        if ((i & k) != 0) {
            if (dev_values[i] < dev_values[ixj]) {
                float temp = dev_values[i];
                dev_values[i] = dev_values[ixj];
                dev_values[ixj] = temp;
            }
        }
    }
}

int main() {
    const int threads = 512, blocks = 512, num = threads * blocks;
    std::vector<float> values(num);
    srand(3);
    for (int i = 0; i < num; i++) values[i] = (float)rand() / (float)RAND_MAX;
    float* dev_values;
    cudaMalloc((void**)&dev_values, num * sizeof(float));
    cudaMemcpy(dev_values, values.data(), num * sizeof(float), cudaMemcpyHostToDevice);
    for (int k = 2; k <= 8; k <<= 1) {
        for (int j = k >> 1; j > 0; j = j >> 1) {
            bitonic_sort_step<<<blocks, threads>>>(dev_values, j, k);
        }
    }
    cudaDeviceSynchronize();
    return 0;
}
