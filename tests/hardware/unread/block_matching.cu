/*
[kernel]
title   = "Motion search: a warp compares a block of 8 by 8 pixels with its surroundings in the picture before"

[parameters]
width = { default = 1408, macro = true }
height = { default = 768, macro = true }

[buffers]
now = { type = "u8", length = "width * height", fill = "random", seed = "719", below = "256" }
before = { type = "u8", length = "width * height", fill = "random", seed = "720", below = "256" }
best = { type = "u32", length = "(width // 8) * (height // 8)", fill = "zero" }

[launch]
arguments = ["now", "before", "best"]
grid  = ["width // 32", "height // 8"]
block = ["32", "4"]
*/
extern "C" __global__ void block_matching(const unsigned char* __restrict__ now, const unsigned char* __restrict__ before,
                                          unsigned* __restrict__ best) {
    const int bx = (blockIdx.x * 4 + threadIdx.y) * 8, by = blockIdx.y * 8, lane = threadIdx.x;
    unsigned lowest = 0xffffffffu;
    for (int candidate = lane; candidate < 49; candidate += 32) {
        const int dx = candidate % 7 - 3, dy = candidate / 7 - 3;
        if (bx + dx < 0 || by + dy < 0 || bx + dx + 8 > width || by + dy + 8 > height) continue;
        unsigned sum = 0;
        for (int y = 0; y < 8 && sum < 5400; ++y)
            for (int x = 0; x < 8; ++x)
                sum += abs(now[(by + y) * width + bx + x] - before[(by + dy + y) * width + bx + dx + x]);
        lowest = min(lowest, sum << 8 | candidate);
    }
    lowest = __reduce_min_sync(0xffffffffu, lowest);
    if (lane == 0) best[by / 8 * (width / 8) + bx / 8] = lowest;
}
