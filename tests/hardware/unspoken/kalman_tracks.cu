/*
[kernel]
title   = "Filters of position and speed over 48 measurements each, some of which are missing, one thread per track"

[parameters]
tracks = { default = 67584 }
steps = { default = 48 }

[buffers]
measured = { type = "f32", length = "tracks * steps", fill = "formula", value = "random(16) // 15 * 9 + i % 7 / 4", seed = "1261" }
states = { type = "f32", length = "tracks * 2", fill = "zero" }
errors = { type = "f32", length = "tracks", fill = "zero" }

[launch]
arguments = ["measured", "states", "errors", "tracks", "steps"]
grid  = ["ceil_div(tracks, 128)"]
block = ["128"]
*/
extern "C" __global__ void kalman_tracks(const float* __restrict__ measured, float* __restrict__ states,
                                         float* __restrict__ errors, int tracks, int steps) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= tracks) return;
    float x = 0.0f, v = 0.0f, pxx = 1.0f, pxv = 0.0f, pvv = 1.0f, error = 0.0f;
    for (int s = 0; s < steps; ++s) {
        x += v;
        pxx += 2.0f * pxv + pvv + 0.01f;
        pxv += pvv;
        pvv += 0.02f;
        const float z = measured[s * tracks + t];
        if (z >= 8.0f) continue;
        const float gap = z - x, scale = 1.0f / (pxx + 0.5f), kx = pxx * scale, kv = pxv * scale;
        x += kx * gap;
        v += kv * gap;
        pvv -= kv * pxv;
        pxv -= kx * pxv;
        pxx -= kx * pxx;
        error += gap * gap * scale;
    }
    states[t] = x;
    states[tracks + t] = v;
    errors[t] = error;
}
