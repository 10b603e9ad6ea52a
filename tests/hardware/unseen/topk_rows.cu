/*
[kernel]
title   = "The eight largest of each row of 2048, one warp per row"

[parameters]
rows = { default = 2048 }

[buffers]
in = { type = "f32", length = "rows * 2048", fill = "random", seed = "124" }
out = { type = "f32", length = "rows * 8", fill = "zero" }

[launch]
arguments = ["in", "out"]
grid  = ["rows // 4"]
block = ["32", "4"]
*/
extern "C" __global__ void topk_rows(const float* in, float* out) {
    const int row = blockIdx.x * 4 + threadIdx.y, lane = threadIdx.x;
    in += static_cast<size_t>(row) * 2048;
    float best[8];
    for (int k = 0; k < 8; ++k) best[k] = -1;
    for (int i = lane; i < 2048; i += 32) {
        float value = in[i];
        if (value <= best[7]) continue;
        for (int k = 0; k < 8; ++k) {
            const float larger = fmaxf(best[k], value);
            value = fminf(best[k], value);
            best[k] = larger;
        }
    }
    for (int k = 0; k < 8; ++k) {
        float largest = best[0];
        for (int distance = 16; distance > 0; distance /= 2)
            largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, distance));
        const unsigned holders = __ballot_sync(0xffffffffu, best[0] == largest);
        if (lane == __ffs(holders) - 1) {
            for (int i = 0; i < 7; ++i) best[i] = best[i + 1];
            best[7] = -1;
        }
        if (lane == k) out[row * 8 + k] = largest;
    }
}
