/*
[kernel]
title   = "Deformable attention: eight points of a feature map for each query and head, sampled between pixels, 32 channels a head"

[parameters]
queries = { default = 2112 }

[buffers]
features = { type = "f32", length = "64 * 64 * 256", fill = "random", seed = "1818" }
points = { type = "f32", length = "queries * 8 * 8 * 2", fill = "random", seed = "1819" }
weights = { type = "f32", length = "queries * 8 * 8", fill = "random", seed = "1820" }
out = { type = "f32", length = "queries * 256", fill = "zero" }

[launch]
arguments = ["features", "points", "weights", "out"]
grid  = ["queries"]
block = ["256"]
*/
extern "C" __global__ void deformable_samples(const float* __restrict__ features, const float2* __restrict__ points, const float* __restrict__ weights,
                                              float* __restrict__ out) {
    const int query = blockIdx.x, head = threadIdx.x / 32, channel = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 8; ++k) {
        const float2 p = points[(query * 8 + head) * 8 + k];
        const float weight = weights[(query * 8 + head) * 8 + k];
        const float x = p.x * 64.0f - 0.5f, y = p.y * 64.0f - 0.5f;
        const int u = floorf(x), v = floorf(y);
        const float s = x - u, t = y - v;
        const bool left = u >= 0, right = u + 1 < 64, up = v >= 0, down = v + 1 < 64;
        const float* at = features + (v * 64 + u) * 256 + channel;
        const float a = left && up ? at[0] : 0.0f, b = right && up ? at[256] : 0.0f;
        const float c = left && down ? at[64 * 256] : 0.0f, d = right && down ? at[65 * 256] : 0.0f;
        sum += weight * ((1 - t) * ((1 - s) * a + s * b) + t * ((1 - s) * c + s * d));
    }
    out[query * 256 + channel] = sum;
}
