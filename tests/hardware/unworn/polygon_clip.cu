/*
[kernel]
title   = "Triangles clipped at a window, side by side; the area that is left: one triangle per thread"

[parameters]
triangles = { default = 67584 }

[buffers]
corners = { type = "f32", length = "triangles * 6", fill = "random", seed = "2651" }
areas = { type = "f32", length = "triangles", fill = "zero" }

[launch]
arguments = ["corners", "areas", "triangles"]
grid  = ["ceil_div(triangles, 128)"]
block = ["128"]
*/
extern "C" __global__ void polygon_clip(const float* __restrict__ corners, float* __restrict__ areas,
                                        int triangles) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= triangles) return;
    float x[8], y[8];
    int count = 3;
    for (int k = 0; k < 3; ++k) {
        x[k] = corners[6 * i + 2 * k];
        y[k] = corners[6 * i + 2 * k + 1];
    }
    for (int side = 0; side < 4 && count > 0; ++side) {
        float u[8], v[8];
        int kept = 0;
        for (int k = 0; k < count; ++k) {
            const int next = k + 1 == count ? 0 : k + 1;
            const float a = side == 0   ? x[k] - 0.3f
                            : side == 1 ? 0.7f - x[k]
                            : side == 2 ? y[k] - 0.3f
                                        : 0.7f - y[k];
            const float b = side == 0   ? x[next] - 0.3f
                            : side == 1 ? 0.7f - x[next]
                            : side == 2 ? y[next] - 0.3f
                                        : 0.7f - y[next];
            if (a >= 0) {
                u[kept] = x[k];
                v[kept++] = y[k];
            }
            if ((a >= 0) != (b >= 0)) {
                const float t = a / (a - b);
                u[kept] = x[k] + t * (x[next] - x[k]);
                v[kept++] = y[k] + t * (y[next] - y[k]);
            }
        }
        count = kept;
        for (int k = 0; k < count; ++k) {
            x[k] = u[k];
            y[k] = v[k];
        }
    }
    float area = 0;
    for (int k = 2; k < count; ++k)
        area += (x[k - 1] - x[0]) * (y[k] - y[0]) - (x[k] - x[0]) * (y[k - 1] - y[0]);
    areas[i] = area;
}
