/*
[kernel]
title   = "Attention with a running maximum, one query per thread, keys in shared memory"

[parameters]
length = { default = 256, min = 32, max = 4096, step = 32 }
heads  = { default = 4, min = 1, max = 64 }

[buffers]
Q = { type = "f32", length = "heads * length * 32", fill = "random", seed = "9" }
K = { type = "f32", length = "heads * length * 32", fill = "random", seed = "10" }
V = { type = "f32", length = "heads * length * 32", fill = "random", seed = "11" }
O = { type = "f32", length = "heads * length * 32", fill = "zero" }

[launch]
arguments = ["Q", "K", "V", "O", "length"]
grid  = ["length // 32", "heads"]
block = ["32"]
*/
extern "C" __global__ void attention_online(const float* Q, const float* K, const float* V, float* O, int length) {
    constexpr int width = 32, tile = 32;
    __shared__ float keys[tile][width], values[tile][width];
    const size_t head = static_cast<size_t>(blockIdx.y) * length * width;
    const int query = blockIdx.x * tile + threadIdx.x;
    float q[width], sum[width] = {};
    for (int i = 0; i < width; ++i) q[i] = Q[head + query * width + i] * 0.17677669f;
    float largest = -3.4e38f, weight = 0.0f;
    for (int first = 0; first < length; first += tile) {
        for (int row = 0; row < tile; ++row) {
            keys[row][threadIdx.x] = K[head + (first + row) * width + threadIdx.x];
            values[row][threadIdx.x] = V[head + (first + row) * width + threadIdx.x];
        }
        __syncwarp();
        for (int key = 0; key < tile; ++key) {
            float score = 0.0f;
            for (int i = 0; i < width; ++i) score += q[i] * keys[key][i];
            const float now = fmaxf(largest, score);
            const float keep = __expf(largest - now), power = __expf(score - now);
            weight = weight * keep + power;
            for (int i = 0; i < width; ++i) sum[i] = sum[i] * keep + power * values[key][i];
            largest = now;
        }
        __syncwarp();
    }
    for (int i = 0; i < width; ++i) O[head + query * width + i] = sum[i] / weight;
}
