/*
[kernel]
title   = "Normal numbers from Philox 4x32-10 and the Box-Muller transform, four per counter"

[parameters]
n = { default = 2097152 }

[buffers]
out = { type = "f32", length = "n", fill = "zero" }

[launch]
arguments = ["out", "n // 4", "12345"]
grid  = ["512"]
block = ["256"]
*/
extern "C" __global__ void philox_normals(float4* out, int counters, unsigned seed) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < counters; i += gridDim.x * blockDim.x) {
        unsigned c0 = i, c1 = 0, c2 = 0, c3 = 0, k0 = seed, k1 = 0x1b873593u;
        for (int round = 0; round < 10; ++round) {
            const unsigned high0 = __umulhi(0xd2511f53u, c0), low0 = 0xd2511f53u * c0;
            const unsigned high1 = __umulhi(0xcd9e8d57u, c2), low1 = 0xcd9e8d57u * c2;
            c0 = high1 ^ c1 ^ k0;
            c1 = low1;
            c2 = high0 ^ c3 ^ k1;
            c3 = low0;
            k0 += 0x9e3779b9u;
            k1 += 0xbb67ae85u;
        }
        const float unit = 2.3283064e-10f, turn = 6.2831853f;
        const float radius0 = sqrtf(-2 * __logf((c0 + 0.5f) * unit)), angle0 = c1 * unit * turn;
        const float radius1 = sqrtf(-2 * __logf((c2 + 0.5f) * unit)), angle1 = c3 * unit * turn;
        out[i] = make_float4(radius0 * __cosf(angle0), radius0 * __sinf(angle0), radius1 * __cosf(angle1),
                             radius1 * __sinf(angle1));
    }
}
