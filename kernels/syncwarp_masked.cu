/*
[kernel]
title   = "Synchronize part of a warp"
subject = "Barriers and races"
lesson  = "`__syncwarp(mask)` synchronizes only the lanes in the mask: each path of a branch can synchronize without the other."
views   = ["lanes", "source", "banks"]

[parameters]
first = { default = 16, values = [4, 8, 16, 24], help = "lanes in the first group; the remaining lanes form the second" }

[buffers]
input  = { type = "u32", length = "16 * 128", fill = "lcg", below = "1000", seed = "7" }
output = { type = "u32", length = "16 * 128", fill = "zero" }

[launch]
arguments = ["output", "input", "first"]
grid  = ["16"]
block = ["128"]

[golden.output]
lua = '''
return function(i)
    local lane, base = i % 32, i - i % 32
    if lane < first then return input[base + first - 1 - lane] end
    local most = 0
    for other = first, 31 do most = math.max(most, input[base + other]) end
    return most
end
'''
*/

// The lanes below `first` reverse their values in shared memory; the others find their maximum. The two
// groups take different paths, so each uses its own mask. A full mask would wait for lanes that never arrive.
extern "C" __global__ void syncwarp_masked(unsigned* output, const unsigned* input, int first) {
    __shared__ unsigned values[128];
    const int thread = threadIdx.x;
    const int lane = thread % 32, base = thread - lane;
    const int at = blockIdx.x * 128 + thread;
    const unsigned low = (1u << first) - 1;
    values[thread] = input[at];
    unsigned result = 0;
    if (lane < first) {
        __syncwarp(low);
        result = values[base + first - 1 - lane];
    } else {
        __syncwarp(~low);
        for (int other = first; other < 32; ++other) result = max(result, values[base + other]);
    }
    output[at] = result;
}
