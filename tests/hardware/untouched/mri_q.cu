/*
[kernel]
title   = "MRI reconstruction, matrix Q, as in Parboil: sines and cosines of samples held in constant memory"

[parameters]
points = { default = 98304 }
samples = { default = 256 }

[buffers]
x = { type = "f32", length = "points", fill = "random", seed = "724" }
y = { type = "f32", length = "points", fill = "random", seed = "725" }
z = { type = "f32", length = "points", fill = "random", seed = "726" }
qr = { type = "f32", length = "points", fill = "zero" }
qi = { type = "f32", length = "points", fill = "zero" }

[launch]
arguments = ["samples", "x", "y", "z", "qr", "qi"]
grid  = ["points // 256"]
block = ["256"]
*/
struct Sample {
    float kx, ky, kz, phi;
};
__constant__ Sample trajectory[256] = {{0.5f, 0.25f, 0.125f, 1.0f}, {1.5f, -0.25f, 2.0f, 0.5f}};
extern "C" __global__ void mri_q(int samples, const float* x, const float* y, const float* z, float* qr, float* qi) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    const float sx = x[at], sy = y[at], sz = z[at];
    float real = qr[at], imaginary = qi[at];
    int k = 0;
    if (samples % 2) {
        const float angle = 6.2831853f * (trajectory[0].kx * sx + trajectory[0].ky * sy + trajectory[0].kz * sz);
        real += trajectory[0].phi * __cosf(angle);
        imaginary += trajectory[0].phi * __sinf(angle);
        k = 1;
    }
    for (; k < samples; k += 2) {
        const float a = 6.2831853f * (trajectory[k].kx * sx + trajectory[k].ky * sy + trajectory[k].kz * sz);
        const float b = 6.2831853f * (trajectory[k + 1].kx * sx + trajectory[k + 1].ky * sy + trajectory[k + 1].kz * sz);
        real += trajectory[k].phi * __cosf(a) + trajectory[k + 1].phi * __cosf(b);
        imaginary += trajectory[k].phi * __sinf(a) + trajectory[k + 1].phi * __sinf(b);
    }
    qr[at] = real;
    qi[at] = imaginary;
}
