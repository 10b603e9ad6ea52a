/*
[kernel]
title   = "Count with a warp ballot"
subject = "Warp collectives"
lesson  = "A ballot gives every lane one bit per lane of the warp. Counting the bits below its own gives each lane its rank among the lanes that voted true."
views   = ["exchange", "lanes", "source"]

[parameters]
n     = { default = 8192, min = 1, max = 4194304, help = "elements" }
block = { default = 128, values = [32, 64, 128, 256, 512, 1024], help = "threads per block" }
limit = { default = 30, min = 0, max = 100, help = "counts the elements below this value; elements range from 0 to 99" }

[buffers]
input = { type = "i32", length = "n", fill = "random", below = "100", seed = "1" }
count = { type = "i32", length = "ceil_div(n, 32)", fill = "zero" }
rank  = { type = "i32", length = "n", fill = "constant", value = "-1" }

[launch]
arguments = ["input", "count", "rank", "n", "limit"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[golden.count]
lua = '''
return function(i)
    local found = 0
    for k = i * 32, min(i * 32 + 32, n) - 1 do
        if input[k] < limit then found = found + 1 end
    end
    return found
end
'''

[golden.rank]
lua = '''
return function(i)
    if input[i] >= limit then return -1 end
    local below = 0
    for k = i - i % 32, i - 1 do
        if input[k] < limit then below = below + 1 end
    end
    return below
end
'''
*/

// Each lane votes. The popcount of the ballot is the number of lanes that voted true. The popcount of the
// bits below a lane is that lane's rank: its index if the matching elements were written without gaps.
extern "C" __global__ void ballot_count(const int* input, int* count, int* rank, int n, int limit) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const bool holds = index < n && input[index] < limit;
    const unsigned ballot = __ballot_sync(0xffffffff, holds);
    if (holds) {
        rank[index] = __popc(ballot & ((1u << lane) - 1));
    }
    if (lane == 0 && index < n) {
        count[index / 32] = __popc(ballot);
    }
}
