/*
[kernel]
title   = "Colours of Gaussians seen from a camera: spherical harmonics of degree 3, 48 coefficients a point one after another"

[parameters]
points = { default = 67584 }

[buffers]
positions = { type = "f32", length = "points * 3", fill = "random", seed = "1517" }
coefficients = { type = "f32", length = "points * 48", fill = "random", seed = "1518" }
colours = { type = "f32", length = "points * 3", fill = "zero" }

[launch]
arguments = ["positions", "coefficients", "colours", "points"]
grid  = ["points // 256"]
block = ["256"]
*/
extern "C" __global__ void sh_colours(const float* __restrict__ positions, const float* __restrict__ coefficients,
                                      float* __restrict__ colours, int points) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= points) return;
    float x = positions[3 * i] - 0.1f, y = positions[3 * i + 1] + 0.3f, z = positions[3 * i + 2] + 2.0f;
    const float scale = rsqrtf(x * x + y * y + z * z);
    x *= scale;
    y *= scale;
    z *= scale;
    const float xx = x * x, yy = y * y, zz = z * z, xy = x * y, yz = y * z, xz = x * z;
    const float basis[16] = {0.28209479f, -0.48860251f * y, 0.48860251f * z, -0.48860251f * x, 1.09254843f * xy,
                             -1.09254843f * yz, 0.31539157f * (2 * zz - xx - yy), -1.09254843f * xz, 0.54627422f * (xx - yy),
                             -0.59004359f * y * (3 * xx - yy), 2.89061144f * xy * z, -0.45704579f * y * (4 * zz - xx - yy),
                             0.37317633f * z * (2 * zz - 3 * xx - 3 * yy), -0.45704579f * x * (4 * zz - xx - yy),
                             1.44530572f * z * (xx - yy), -0.59004359f * x * (xx - 3 * yy)};
    const float* own = coefficients + 48 * i;
    float r = 0.5f, g = 0.5f, b = 0.5f;
#pragma unroll
    for (int k = 0; k < 16; ++k) {
        r += basis[k] * own[3 * k];
        g += basis[k] * own[3 * k + 1];
        b += basis[k] * own[3 * k + 2];
    }
    colours[3 * i] = fmaxf(r, 0.0f);
    colours[3 * i + 1] = fmaxf(g, 0.0f);
    colours[3 * i + 2] = fmaxf(b, 0.0f);
}
