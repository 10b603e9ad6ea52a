/*
[kernel]
title   = "Cross entropy of rows of 16384 scores: the largest, the sum of exponentials, the label's share"

[parameters]
rows = { default = 256 }

[buffers]
scores = { type = "f32", length = "rows * 16384", fill = "random", seed = "109" }
labels = { type = "i32", length = "rows", fill = "random", seed = "110", below = "16384" }
losses = { type = "f32", length = "rows", fill = "zero" }

[launch]
arguments = ["scores", "labels", "losses"]
grid  = ["rows"]
block = ["512"]
*/
extern "C" __global__ void cross_entropy(const float* __restrict__ scores, const int* __restrict__ labels,
                                         float* __restrict__ losses) {
    __shared__ float parts[16];
    const float* row = scores + static_cast<size_t>(blockIdx.x) * 16384;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float largest = -3.4e38f;
    for (int i = threadIdx.x; i < 16384; i += 512) largest = fmaxf(largest, row[i]);
    for (int distance = 16; distance > 0; distance /= 2)
        largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, distance));
    if (lane == 0) parts[warp] = largest;
    __syncthreads();
    for (int i = 0; i < 16; ++i) largest = fmaxf(largest, parts[i]);
    __syncthreads();
    float sum = 0;
    for (int i = threadIdx.x; i < 16384; i += 512) sum += expf(row[i] - largest);
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    if (lane == 0) parts[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        float all = 0;
        for (int i = 0; i < 16; ++i) all += parts[i];
        losses[blockIdx.x] = logf(all) + largest - row[labels[blockIdx.x]];
    }
}
