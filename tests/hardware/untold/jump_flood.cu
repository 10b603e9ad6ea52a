/*
[kernel]
title   = "A pass of jump flooding: each pixel keeps the nearest of the seeds that nine pixels 32 apart know"

[parameters]
side = { default = 768 }

[buffers]
before = { type = "u32", length = "side * side", fill = "formula", value = "random(3) == 0 and random(768) * 65536 + random(768) or 4294967295", seed = "1405" }
after = { type = "u32", length = "side * side", fill = "zero" }

[launch]
arguments = ["before", "after", "side", "i32=32"]
grid  = ["side // 32", "side // 8"]
block = ["32", "8"]
*/
extern "C" __global__ void jump_flood(const unsigned* __restrict__ before, unsigned* __restrict__ after, int side, int step) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    unsigned best = 0xffffffffu;
    int least = 0x7fffffff;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            const int px = x + dx * step, py = y + dy * step;
            if (px < 0 || py < 0 || px >= side || py >= side) continue;
            const unsigned seed = before[py * side + px];
            if (seed == 0xffffffffu) continue;
            const int sx = int(seed & 65535) - x, sy = int(seed >> 16) - y, d = sx * sx + sy * sy;
            if (d < least) {
                least = d;
                best = seed;
            }
        }
    after[y * side + x] = best;
}
