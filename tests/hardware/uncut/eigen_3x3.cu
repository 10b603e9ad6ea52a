/*
[kernel]
title   = "Eigenvalues of symmetric 3x3 matrices by sweeps of rotations, all in registers"

[parameters]
n = { default = 270336 }

[buffers]
matrices = { type = "f32", length = "6 * n", fill = "random", seed = "851" }
values = { type = "f32", length = "3 * n", fill = "zero" }

[launch]
arguments = ["matrices", "values", "n"]
grid  = ["ceil_div(n, 128)"]
block = ["128"]
*/
extern "C" __global__ void eigen_3x3(const float* __restrict__ matrices, float* __restrict__ values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float xx = matrices[i], yy = matrices[i + n], zz = matrices[i + 2 * n];
    float xy = matrices[i + 3 * n], xz = matrices[i + 4 * n], yz = matrices[i + 5 * n];
    const auto rotate = [](float& p, float& q, float& pq, float& pr, float& qr) {
        if (fabsf(pq) < 1e-7f) return;
        const float theta = (q - p) / (2.0f * pq);
        const float t = copysignf(1.0f, theta) / (fabsf(theta) + sqrtf(theta * theta + 1.0f));
        const float c = rsqrtf(t * t + 1.0f), s = t * c;
        p -= t * pq;
        q += t * pq;
        pq = 0.0f;
        const float was = pr;
        pr = c * was - s * qr;
        qr = s * was + c * qr;
    };
    for (int sweep = 0; sweep < 4; ++sweep) {
        rotate(xx, yy, xy, xz, yz);
        rotate(xx, zz, xz, xy, yz);
        rotate(yy, zz, yz, xy, xz);
    }
    values[i] = xx;
    values[i + n] = yy;
    values[i + 2 * n] = zz;
}
