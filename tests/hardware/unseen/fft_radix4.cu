/*
[kernel]
title   = "Fourier transforms of 1024 points, radix 4, one block each, exchanged through shared memory"

[parameters]
transforms = { default = 512 }

[buffers]
in = { type = "f32", length = "transforms * 2048", fill = "random", seed = "108" }
roots = { type = "f32", length = "2048", fill = "formula", value = "i % 2 == 0 and math.cos(6.283185307179586 * (i // 2) / 1024) or -math.sin(6.283185307179586 * (i // 2) / 1024)" }
out = { type = "f32", length = "transforms * 2048", fill = "zero" }

[launch]
arguments = ["in", "roots", "out"]
grid  = ["transforms"]
block = ["256"]
*/
__device__ float2 times(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__device__ float2 plus(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ float2 minus(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }

extern "C" __global__ void fft_radix4(const float2* __restrict__ in, const float2* __restrict__ roots,
                                      float2* __restrict__ out) {
    __shared__ float real[1024], imaginary[1024];
    const int thread = threadIdx.x;
    in += blockIdx.x * 1024;
    out += blockIdx.x * 1024;
    float2 v[4];
    for (int i = 0; i < 4; ++i) v[i] = in[thread + i * 256];
    for (int size = 1; size < 1024; size *= 4) {
        const int within = thread % size;
        for (int i = 1; i < 4; ++i) v[i] = times(v[i], roots[within * i * (256 / size)]);
        const float2 a = plus(v[0], v[2]), b = minus(v[0], v[2]), c = plus(v[1], v[3]), d = minus(v[1], v[3]);
        v[0] = plus(a, c);
        v[1] = make_float2(b.x + d.y, b.y - d.x);
        v[2] = minus(a, c);
        v[3] = make_float2(b.x - d.y, b.y + d.x);
        const int to = (thread - within) * 4 + within;
        if (size == 256) break;
        for (int i = 0; i < 4; ++i) {
            real[to + i * size] = v[i].x;
            imaginary[to + i * size] = v[i].y;
        }
        __syncthreads();
        for (int i = 0; i < 4; ++i) v[i] = make_float2(real[thread + i * 256], imaginary[thread + i * 256]);
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i) out[thread + i * 256] = v[i];
}
