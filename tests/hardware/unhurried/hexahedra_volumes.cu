/*
[kernel]
title   = "Volumes and longest edges of hexahedra, from eight corners each, by an index of corners"

[parameters]
elements = { default = 33792 }

[buffers]
x = { type = "f32", length = "36864", fill = "random", seed = "1830" }
y = { type = "f32", length = "36864", fill = "random", seed = "1831" }
z = { type = "f32", length = "36864", fill = "random", seed = "1832" }
corners = { type = "u32", length = "elements * 8", fill = "formula", value = "(i % elements + (i // elements % 2) + (i // elements // 2 % 2) * 33 + (i // elements // 4) * 1089) % 36864" }
volumes = { type = "f32", length = "elements", fill = "zero" }
lengths = { type = "f32", length = "elements", fill = "zero" }

[launch]
arguments = ["x", "y", "z", "corners", "volumes", "lengths", "elements"]
grid  = ["elements // 64"]
block = ["64"]
*/
__device__ float triple(float ax, float ay, float az, float bx, float by, float bz, float cx, float cy, float cz) {
    return ax * (by * cz - bz * cy) + bx * (az * cy - ay * cz) + cx * (ay * bz - az * by);
}
extern "C" __global__ void hexahedra_volumes(const float* __restrict__ x, const float* __restrict__ y, const float* __restrict__ z,
                                             const unsigned* __restrict__ corners, float* __restrict__ volumes, float* __restrict__ lengths, int elements) {
    const int e = blockIdx.x * 64 + threadIdx.x;
    float px[8], py[8], pz[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        const unsigned c = corners[k * elements + e];
        px[k] = x[c];
        py[k] = y[c];
        pz[k] = z[c];
    }
    float volume = 0, longest = 0;
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        const int a = 1 << k, b = 1 << (k + 1) % 3;
        volume += triple(px[a] - px[0] + px[7] - px[7 ^ a], py[a] - py[0] + py[7] - py[7 ^ a], pz[a] - pz[0] + pz[7] - pz[7 ^ a], px[7] - px[b], py[7] - py[b],
                         pz[7] - pz[b], px[a | b] - px[0], py[a | b] - py[0], pz[a | b] - pz[0]);
    }
#pragma unroll
    for (int k = 0; k < 8; ++k)
#pragma unroll
        for (int d = 1; d < 8; d *= 2) {
            if (k & d) continue;
            const float dx = px[k | d] - px[k], dy = py[k | d] - py[k], dz = pz[k | d] - pz[k];
            longest = fmaxf(longest, dx * dx + dy * dy + dz * dz);
        }
    volumes[e] = volume / 12.0f;
    lengths[e] = sqrtf(longest);
}
