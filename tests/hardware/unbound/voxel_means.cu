/*
[kernel]
title   = "Points of a scan gathered by voxels: sums of coordinates and their number, by atomics"

[parameters]
points = { default = 135168 }

[buffers]
scan = { type = "f32", length = "points * 4", fill = "random", seed = "1717" }
sums = { type = "f32", length = "32768 * 4", fill = "zero" }

[launch]
arguments = ["scan", "sums", "points"]
grid  = ["points // 256"]
block = ["256"]
*/
extern "C" __global__ void voxel_means(const float4* __restrict__ scan, float* sums, int points) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= points) return;
    const float4 p = scan[i];
    const int x = int((p.x * 0.5f + 0.5f) * 31.9f) & 31, y = int((p.y * 0.5f + 0.5f) * 31.9f) & 31, z = int((p.z * 0.5f + 0.5f) * 31.9f) & 31;
    float* voxel = sums + 4 * ((z * 32 + y) * 32 + x);
    atomicAdd(voxel, p.x);
    atomicAdd(voxel + 1, p.y);
    atomicAdd(voxel + 2, p.z);
    atomicAdd(voxel + 3, 1.0f);
}
