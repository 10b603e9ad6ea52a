/*
[kernel]
title   = "Attention over the edges of a graph: softmax of scores along each row, sixteen lanes a row"

[parameters]
nodes = { default = 33792 }

[buffers]
begins = { type = "u32", length = "nodes + 1", fill = "formula", value = "i * 20 + i * i % 17" }
source = { type = "f32", length = "65536", fill = "random", seed = "1611" }
target = { type = "f32", length = "nodes", fill = "random", seed = "1612" }
edges = { type = "u32", length = "nodes * 20 + 64", fill = "random", seed = "1613", below = "65536" }
weights = { type = "f32", length = "nodes * 20 + 64", fill = "zero" }

[launch]
arguments = ["begins", "edges", "source", "target", "weights"]
grid  = ["nodes // 16"]
block = ["256"]
*/
extern "C" __global__ void csr_softmax(const unsigned* __restrict__ begins, const unsigned* __restrict__ edges, const float* __restrict__ source,
                                       const float* __restrict__ target, float* __restrict__ weights) {
    const int node = (blockIdx.x * 256 + threadIdx.x) / 16, lane = threadIdx.x % 16;
    const unsigned begin = begins[node], end = begins[node + 1];
    const float own = target[node];
    float most = -1e30f, sum = 0;
    for (unsigned e = begin + lane; e < end; e += 16) {
        const float s = source[edges[e]] + own, score = s > 0 ? s : 0.2f * s;
        const float larger = fmaxf(most, score);
        sum = sum * __expf(most - larger) + __expf(score - larger);
        most = larger;
    }
    for (int offset = 8; offset > 0; offset /= 2) {
        const float other = __shfl_xor_sync(0xffffffffu, most, offset, 16), part = __shfl_xor_sync(0xffffffffu, sum, offset, 16);
        const float larger = fmaxf(most, other);
        sum = sum * __expf(most - larger) + part * __expf(other - larger);
        most = larger;
    }
    const float inverse = 1.0f / sum;
    for (unsigned e = begin + lane; e < end; e += 16) {
        const float s = source[edges[e]] + own, score = s > 0 ? s : 0.2f * s;
        weights[e] = __expf(score - most) * inverse;
    }
}
