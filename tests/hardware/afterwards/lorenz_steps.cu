/*
[kernel]
title   = "The Lorenz system by Runge and Kutta's fourth order: 96 steps of one start per thread, all in registers"

[parameters]
starts = { default = 67584 }
steps = { default = 96 }

[buffers]
state = { type = "f32", length = "3 * starts", fill = "random", seed = "908" }

[launch]
arguments = ["state", "starts", "steps"]
grid  = ["starts // 128"]
block = ["128"]
*/
__device__ float3 slope(float3 p) { return {10.0f * (p.y - p.x), p.x * (28.0f - p.z) - p.y, p.x * p.y - 2.6666667f * p.z}; }
__device__ float3 moved(float3 p, float3 by, float step) { return {p.x + by.x * step, p.y + by.y * step, p.z + by.z * step}; }
extern "C" __global__ void lorenz_steps(float* state, int starts, int steps) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    float3 p = {state[at], state[starts + at], state[2 * starts + at]};
    for (int i = 0; i < steps; ++i) {
        const float3 k1 = slope(p), k2 = slope(moved(p, k1, 0.005f)), k3 = slope(moved(p, k2, 0.005f)), k4 = slope(moved(p, k3, 0.01f));
        p.x += 0.0016666667f * (k1.x + 2 * (k2.x + k3.x) + k4.x);
        p.y += 0.0016666667f * (k1.y + 2 * (k2.y + k3.y) + k4.y);
        p.z += 0.0016666667f * (k1.z + 2 * (k2.z + k3.z) + k4.z);
    }
    state[at] = p.x;
    state[starts + at] = p.y;
    state[2 * starts + at] = p.z;
}
