/*
[kernel]
title   = "Densities of particles in order of their cells: each thread sums a smooth kernel over the 96 particles around it in the list"

[parameters]
particles = { default = 50688 }

[buffers]
at = { type = "f32", length = "particles * 4 + 512", fill = "random", seed = "1019" }
density = { type = "f32", length = "particles", fill = "zero" }

[launch]
arguments = ["at", "density"]
grid  = ["particles // 128"]
block = ["128"]
*/
extern "C" __global__ void sph_density(const float4* __restrict__ at, float* __restrict__ density) {
    __shared__ float4 near[224];
    const int first = blockIdx.x * 128;
    for (int i = threadIdx.x; i < 224; i += 128) near[i] = at[first + i];
    __syncthreads();
    const float4 mine = near[threadIdx.x + 48];
    float sum = 0;
    for (int k = 0; k < 96; ++k) {
        const float4 other = near[threadIdx.x + k];
        const float dx = other.x - mine.x, dy = other.y - mine.y, dz = other.z - mine.z;
        const float q = sqrtf(dx * dx + dy * dy + dz * dz) * 2.5f;
        if (q < 1) sum += other.w * (1 - 1.5f * q * q + 0.75f * q * q * q);
        else if (q < 2) sum += other.w * 0.25f * (2 - q) * (2 - q) * (2 - q);
    }
    density[first + threadIdx.x] = sum;
}
