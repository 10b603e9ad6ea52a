/*
[kernel]
title   = "Eigenvalues of symmetric 3 x 3 matrices by six sweeps of Jacobi rotations, one for each thread"

[parameters]
matrices = { default = 135168 }

[buffers]
entries = { type = "f32", length = "matrices * 6", fill = "random", seed = "1606" }
values = { type = "f32", length = "matrices * 3", fill = "zero" }

[launch]
arguments = ["entries", "values", "matrices"]
grid  = ["matrices // 128"]
block = ["128"]
*/
__device__ __forceinline__ void rotate(float& pp, float& qq, float& pq, float& pr, float& qr) {
    const float theta = 0.5f * (qq - pp) / (fabsf(pq) > 1e-12f ? pq : 1e-12f);
    const float t = copysignf(1.0f, theta) / (fabsf(theta) + sqrtf(theta * theta + 1.0f));
    const float c = rsqrtf(t * t + 1.0f), s = t * c;
    pp -= t * pq;
    qq += t * pq;
    pq = 0;
    const float left = pr;
    pr = c * left - s * qr;
    qr = s * left + c * qr;
}
extern "C" __global__ void eigen_3x3(const float* __restrict__ entries, float* __restrict__ values, int matrices) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= matrices) return;
    float xx = entries[i], yy = entries[matrices + i], zz = entries[2 * matrices + i];
    float xy = entries[3 * matrices + i], xz = entries[4 * matrices + i], yz = entries[5 * matrices + i];
#pragma unroll 1
    for (int sweep = 0; sweep < 6; ++sweep) {
        rotate(xx, yy, xy, xz, yz);
        rotate(xx, zz, xz, xy, yz);
        rotate(yy, zz, yz, xy, xz);
    }
    values[i] = xx;
    values[matrices + i] = yy;
    values[2 * matrices + i] = zz;
}
