/*
[kernel]
title   = "Farthest points of a cloud, one after another: a block per cloud of 2048, distances in shared memory, the largest by a tree of pairs"

[parameters]
clouds = { default = 160 }
wanted = { default = 24 }

[buffers]
points = { type = "f32", length = "clouds * 2048 * 3", fill = "random", seed = "1403" }
chosen = { type = "i32", length = "clouds * wanted", fill = "zero" }

[launch]
arguments = ["points", "chosen", "wanted"]
grid  = ["clouds"]
block = ["256"]
*/
extern "C" __global__ void farthest_points(const float* __restrict__ points, int* __restrict__ chosen, int wanted) {
    __shared__ float nearest[2048], best[256];
    __shared__ int place[256];
    const float* cloud = points + blockIdx.x * 2048 * 3;
    for (int i = threadIdx.x; i < 2048; i += 256) nearest[i] = 1e10f;
    int last = 0;
    if (threadIdx.x == 0) chosen[blockIdx.x * wanted] = 0;
    __syncthreads();
    for (int round = 1; round < wanted; ++round) {
        const float x = cloud[last * 3], y = cloud[last * 3 + 1], z = cloud[last * 3 + 2];
        float most = -1;
        int at = 0;
        for (int i = threadIdx.x; i < 2048; i += 256) {
            const float dx = cloud[i * 3] - x, dy = cloud[i * 3 + 1] - y, dz = cloud[i * 3 + 2] - z;
            const float d = fminf(dx * dx + dy * dy + dz * dz, nearest[i]);
            nearest[i] = d;
            at = d > most ? i : at;
            most = fmaxf(d, most);
        }
        best[threadIdx.x] = most;
        place[threadIdx.x] = at;
        __syncthreads();
        for (int half = 128; half > 0; half /= 2) {
            if (threadIdx.x < half && best[threadIdx.x + half] > best[threadIdx.x]) {
                best[threadIdx.x] = best[threadIdx.x + half];
                place[threadIdx.x] = place[threadIdx.x + half];
            }
            __syncthreads();
        }
        last = place[0];
        if (threadIdx.x == 0) chosen[blockIdx.x * wanted + round] = last;
        __syncthreads();
    }
}
