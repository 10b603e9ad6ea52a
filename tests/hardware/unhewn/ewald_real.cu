/*
[kernel]
title   = "Ewald sums in real space: charges against tiles of 128 others in shared memory, by erfc and a cut-off"

[parameters]
charges = { default = 4224 }

[buffers]
places = { type = "f32", length = "charges * 4", fill = "random", seed = "2261" }
out = { type = "f32", length = "charges", fill = "zero" }

[launch]
arguments = ["places", "out", "charges"]
grid  = ["charges // 128"]
block = ["128"]
*/
extern "C" __global__ void ewald_real(const float4* __restrict__ places, float* __restrict__ out, int charges) {
    __shared__ float4 tile[128];
    const int i = blockIdx.x * 128 + threadIdx.x;
    const float4 own = places[i];
    float sum = 0;
    for (int first = 0; first < charges; first += 1056) {
        __syncthreads();
        tile[threadIdx.x] = places[first + threadIdx.x];
        __syncthreads();
#pragma unroll 2
        for (int j = 0; j < 128; ++j) {
            const float4 other = tile[j];
            const float dx = own.x - other.x, dy = own.y - other.y, dz = own.z - other.z;
            const float square = dx * dx + dy * dy + dz * dz + 1e-6f, inverse = rsqrtf(square), r = square * inverse;
            if (r < 0.9f) {
                const float t = 1 / (1 + 0.3275911f * 3 * r);
                const float erfc = ((((1.061405429f * t - 1.453152027f) * t + 1.421413741f) * t - 0.284496736f) * t + 0.254829592f) * t * __expf(-9 * square);
                sum += other.w * erfc * inverse;
            }
        }
    }
    out[i] = own.w * sum;
}
