/*
[kernel]
title   = "Gravity between n bodies, tiles of bodies in shared memory"

[parameters]
n = { default = 1024, min = 128, max = 65536, step = 128 }

[buffers]
bodies        = { type = "f32", length = "4 * n", fill = "random", seed = "18" }
accelerations = { type = "f32", length = "4 * n", fill = "zero" }

[launch]
arguments = ["bodies", "accelerations", "n"]
grid  = ["n // 128"]
block = ["128"]
*/
extern "C" __global__ void nbody_tiled(const float4* bodies, float4* accelerations, int n) {
    __shared__ float4 tile[128];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 own = bodies[i];
    float3 sum = make_float3(0.0f, 0.0f, 0.0f);
    for (int first = 0; first < n; first += 128) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int j = 0; j < 128; ++j) {
            const float4 other = tile[j];
            const float x = other.x - own.x, y = other.y - own.y, z = other.z - own.z;
            const float square = x * x + y * y + z * z + 1e-4f;
            const float inverse = rsqrtf(square), force = other.w * inverse * inverse * inverse;
            sum.x += x * force;
            sum.y += y * force;
            sum.z += z * force;
        }
        __syncthreads();
    }
    accelerations[i] = make_float4(sum.x, sum.y, sum.z, 0.0f);
}
