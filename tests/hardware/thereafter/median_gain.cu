/*
[kernel]
title   = "The gain of opening a median in a stream of points: distances of 32 dimensions stored by columns, a table of lowered costs"

[parameters]
points = { default = 50688 }

[buffers]
coordinates = { type = "f32", length = "points * 32", fill = "random", seed = "1130" }
costs = { type = "f32", length = "points", fill = "formula", value = "3 + 3 * random(1000) / 1000", seed = "1131" }
centres = { type = "i32", length = "points", fill = "random", seed = "1132", below = "24" }
switched = { type = "u8", length = "points", fill = "zero" }
lowered = { type = "f32", length = "points * 25", fill = "zero" }

[launch]
arguments = ["coordinates", "costs", "centres", "switched", "lowered", "points", "i32=777"]
grid  = ["points // 256"]
block = ["256"]
*/
extern "C" __global__ void median_gain(const float* __restrict__ coordinates, const float* __restrict__ costs,
                                       const int* __restrict__ centres, unsigned char* __restrict__ switched,
                                       float* lowered, int points, int candidate) {
    __shared__ float own[32];
    if (threadIdx.x < 32) own[threadIdx.x] = coordinates[threadIdx.x * points + candidate];
    __syncthreads();
    const int i = blockIdx.x * 256 + threadIdx.x;
    float distance = 0;
    for (int d = 0; d < 32; ++d) {
        const float difference = coordinates[d * points + i] - own[d];
        distance += difference * difference;
    }
    const float change = distance - costs[i];
    float* row = lowered + i * 25;
    if (change < 0) {
        switched[i] = 1;
        row[24] += change;
    } else {
        row[centres[i]] += -change;
    }
}
