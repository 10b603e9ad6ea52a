/*
[kernel]
title   = "One step of a stream's clustering: what opening a centre would save each point, whose coordinates lie by dimension"

[parameters]
points = { default = 67584 }
dimensions = { default = 32 }
centres = { default = 24 }

[buffers]
coordinates = { type = "f32", length = "points * dimensions", fill = "random", seed = "1301" }
weights = { type = "f32", length = "points", fill = "random", seed = "1302" }
costs = { type = "f32", length = "points", fill = "random", seed = "1303" }
assigned = { type = "u32", length = "points", fill = "random", seed = "1304", below = "24" }
lower = { type = "f32", length = "points * (centres + 1)", fill = "zero" }
switches = { type = "u8", length = "points", fill = "zero" }

[launch]
arguments = ["coordinates", "weights", "costs", "assigned", "lower", "switches", "points", "dimensions", "centres", "4711"]
grid  = ["ceil_div(points, 256)"]
block = ["256"]
*/
extern "C" __global__ void pgain_cost(const float* coordinates, const float* weights, const float* costs,
                                      const unsigned* assigned, float* lower, unsigned char* switches, int points,
                                      int dimensions, int centres, int candidate) {
    __shared__ float its[64];
    for (int d = threadIdx.x; d < dimensions; d += blockDim.x) its[d] = coordinates[d * points + candidate];
    __syncthreads();
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= points) return;
    float distance = 0.0f;
    for (int d = 0; d < dimensions; ++d) {
        const float by = coordinates[d * points + p] - its[d];
        distance += by * by;
    }
    const float cost = distance * weights[p] * 0.25f;
    float* row = lower + (size_t)p * (centres + 1);
    if (cost < costs[p]) {
        switches[p] = 1;
        row[centres] += cost - costs[p];
    } else {
        row[assigned[p]] += costs[p] - cost;
    }
}
