/*
[kernel]
title   = "Attention, one query per thread, keys and values in shared tiles of 32"

[parameters]
length = { default = 1024 }
heads = { default = 16 }

[buffers]
Q = { type = "f32", length = "heads * length * 32", fill = "random", seed = "15" }
K = { type = "f32", length = "heads * length * 32", fill = "random", seed = "16" }
V = { type = "f32", length = "heads * length * 32", fill = "random", seed = "17" }
out = { type = "f32", length = "heads * length * 32", fill = "zero" }

[launch]
arguments = ["Q", "K", "V", "out", "length"]
grid  = ["length // 128", "heads"]
block = ["128"]
*/
extern "C" __global__ void attention_tiles(const float* Q, const float* K, const float* V, float* out,
                                           int length) {
    constexpr int width = 32, tile = 32;
    __shared__ float keys[tile][width], values[tile][width];
    const size_t head = static_cast<size_t>(blockIdx.y) * length * width;
    const int query = blockIdx.x * blockDim.x + threadIdx.x;
    float q[width], sums[width] = {}, largest = -3.4e38f, weight = 0;
    for (int d = 0; d < width; ++d) q[d] = Q[head + query * width + d] * 0.1767767f;
    for (int first = 0; first < length; first += tile) {
        for (int i = threadIdx.x; i < tile * width; i += blockDim.x) {
            (&keys[0][0])[i] = K[head + first * width + i];
            (&values[0][0])[i] = V[head + first * width + i];
        }
        __syncthreads();
        for (int k = 0; k < tile; ++k) {
            float score = 0;
            for (int d = 0; d < width; ++d) score += q[d] * keys[k][d];
            const float next = fmaxf(largest, score), old = __expf(largest - next),
                        now = __expf(score - next);
            weight = weight * old + now;
            for (int d = 0; d < width; ++d) sums[d] = sums[d] * old + now * values[k][d];
            largest = next;
        }
        __syncthreads();
    }
    for (int d = 0; d < width; ++d) out[head + query * width + d] = sums[d] / weight;
}
