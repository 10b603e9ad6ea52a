/*
[kernel]
title   = "A gate on one bit of a quantum register: amplitudes turned in pairs that are 4096 apart"

[parameters]
pairs = { default = 540672 }

[buffers]
state = { type = "f32", length = "pairs * 4", fill = "random", seed = "1721" }

[launch]
arguments = ["state", "pairs"]
grid  = ["pairs // 256"]
block = ["256"]
*/
extern "C" __global__ void gate_pairs(float2* __restrict__ state, int pairs) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= pairs) return;
    const int low = (i & ~4095) * 2 + (i & 4095), high = low + 4096;
    const float2 a = state[low], b = state[high];
    const float c = 0.8f, s = 0.6f;
    state[low] = make_float2(c * a.x + s * b.y, c * a.y - s * b.x);
    state[high] = make_float2(c * b.x + s * a.y, c * b.y - s * a.x);
}
