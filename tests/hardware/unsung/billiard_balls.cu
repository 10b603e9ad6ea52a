/*
[kernel]
title   = "Balls on a table with pins, one path per thread: each bounces until it falls into a pocket or comes to rest"

[parameters]
balls = { default = 67584 }
bounces = { default = 40 }

[buffers]
start = { type = "f32", length = "balls * 2", fill = "random", seed = "1901" }
pockets = { type = "u32", length = "16", fill = "zero" }
rest = { type = "f32", length = "balls * 2", fill = "zero" }

[launch]
arguments = ["start", "pockets", "rest", "balls", "bounces"]
grid  = ["ceil_div(balls, 128)"]
block = ["128"]
*/
extern "C" __global__ void billiard_balls(const float* __restrict__ start, unsigned* __restrict__ pockets,
                                          float* __restrict__ rest, int balls, int bounces) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= balls) return;
    float x = start[2 * i], y = start[2 * i + 1], dx = 0.31f + 0.4f * y, dy = 0.83f - 0.5f * x;
    for (int bounce = 0; bounce < bounces; ++bounce) {
        x += dx;
        y += dy;
        if (x < 0.0f || x > 1.0f) {
            x = x < 0.0f ? -x : 2.0f - x;
            dx = -dx * 0.97f;
        }
        if (y < 0.0f || y > 1.0f) {
            y = y < 0.0f ? -y : 2.0f - y;
            dy = -dy * 0.97f;
        }
        const float px = x - 0.5f, py = y - 0.25f;
        if (px * px + py * py < 0.002f) {
            atomicAdd(&pockets[bounce & 15], 1u);
            rest[2 * i] = -1.0f;
            return;
        }
    }
    rest[2 * i] = x;
    rest[2 * i + 1] = y;
}
