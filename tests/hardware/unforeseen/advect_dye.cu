/*
[kernel]
title   = "Dye carried by a flow: each cell follows its velocity back and takes what was there, between four cells"

[parameters]
side = { default = 768 }

[buffers]
u = { type = "f32", length = "side * side", fill = "random", seed = "1505" }
v = { type = "f32", length = "side * side", fill = "random", seed = "1506" }
dye = { type = "f32", length = "side * side", fill = "random", seed = "1507" }
after = { type = "f32", length = "side * side", fill = "zero" }

[launch]
arguments = ["u", "v", "dye", "after", "side"]
grid  = ["side // 32", "side // 8"]
block = ["32", "8"]
*/
extern "C" __global__ void advect_dye(const float* __restrict__ u, const float* __restrict__ v, const float* __restrict__ dye,
                                      float* __restrict__ after, int side) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, place = y * side + x;
    float px = x - 9.0f * (u[place] - 0.5f), py = y - 9.0f * (v[place] - 0.5f);
    px = fminf(fmaxf(px, 0.0f), side - 1.001f);
    py = fminf(fmaxf(py, 0.0f), side - 1.001f);
    const int ix = int(px), iy = int(py), from = iy * side + ix;
    const float fx = px - ix, fy = py - iy;
    const float top = dye[from] * (1 - fx) + dye[from + 1] * fx;
    const float bottom = dye[from + side] * (1 - fx) + dye[from + side + 1] * fx;
    after[place] = 0.998f * (top * (1 - fy) + bottom * fy);
}
