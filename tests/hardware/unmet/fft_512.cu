/*
[kernel]
title   = "Fourier transforms of 512 points: 64 threads each, three steps of radix 8 in registers, exchanged through shared memory"

[parameters]
batch = { default = 2640 }

[buffers]
signal = { type = "f32", length = "batch * 1024", fill = "random", seed = "1316" }

[launch]
arguments = ["signal"]
grid  = ["batch"]
block = ["64"]
*/
__device__ inline float2 times(float2 a, float2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
__device__ inline void two(float2& a, float2& b) {
    const float2 d = {a.x - b.x, a.y - b.y};
    a = {a.x + b.x, a.y + b.y};
    b = d;
}
__device__ inline void four(float2& a, float2& b, float2& c, float2& d) {
    two(a, c);
    two(b, d);
    d = {d.y, -d.x};
    two(a, b);
    two(c, d);
}
__device__ inline void eight(float2* v) {
    for (int k = 0; k < 4; ++k) two(v[k], v[k + 4]);
    const float r = 0.70710678f;
    v[5] = times(v[5], {r, -r});
    v[6] = {v[6].y, -v[6].x};
    v[7] = times(v[7], {-r, -r});
    four(v[0], v[1], v[2], v[3]);
    four(v[4], v[5], v[6], v[7]);
}
__device__ inline void turn(float2* v, float angle) {
    const int order[8] = {0, 4, 2, 6, 1, 5, 3, 7};
#pragma unroll
    for (int k = 1; k < 8; ++k) {
        float s, c;
        __sincosf(angle * order[k], &s, &c);
        v[k] = times(v[k], {c, s});
    }
}
extern "C" __global__ void __launch_bounds__(64) fft_512(float2* __restrict__ signal) {
    __shared__ float shared[8 * 8 * 9];
    const int t = threadIdx.x, high = t / 8, low = t % 8;
    const int order[8] = {0, 4, 2, 6, 1, 5, 3, 7};
    float2 v[8];
    float2* own = signal + blockIdx.x * 512 + t;
#pragma unroll
    for (int k = 0; k < 8; ++k) v[k] = own[k * 64];
    eight(v);
    turn(v, -6.2831853f / 512 * t);
#pragma unroll
    for (int k = 0; k < 8; ++k) shared[order[k] * 72 + high * 9 + low] = v[k].x;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) v[k].x = shared[high * 72 + k * 9 + low];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) shared[order[k] * 72 + high * 9 + low] = v[k].y;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) v[k].y = shared[high * 72 + k * 9 + low];
    __syncthreads();
    eight(v);
    turn(v, -6.2831853f / 64 * low);
#pragma unroll
    for (int k = 0; k < 8; ++k) shared[high * 72 + order[k] * 9 + low] = v[k].x;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) v[k].x = shared[high * 72 + low * 9 + k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) shared[high * 72 + order[k] * 9 + low] = v[k].y;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) v[k].y = shared[high * 72 + low * 9 + k];
    eight(v);
#pragma unroll
    for (int k = 0; k < 8; ++k) own[order[k] * 64] = v[k];
}
