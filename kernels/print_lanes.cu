/*
[kernel]
title   = "Printing from a kernel"
subject = "Divergence"
lesson  = "printf prints lane by lane for the active lanes: first the lanes of one path, then the lanes of the other, then all together."
views   = ["printed", "lanes", "source"]

[parameters]
threads = { default = 40, min = 1, max = 1024, help = "threads per block" }
blocks  = { default = 2, min = 1, max = 64, help = "blocks" }
every   = { default = 4, min = 1, max = 32, help = "one lane in this many takes the first path" }

[buffers]
returned = { type = "i32", length = "blocks * threads", fill = "zero" }

[launch]
arguments = ["returned", "every"]
grid  = ["blocks"]
block = ["threads"]

[golden.returned]
lua = '''
return function(i)
    local lane = i % threads % 32
    if lane % every == 0 then return 2 + 2 end
    return 3 + 2
end
'''
*/

// printf returns the number of its arguments. The compiler chooses which of the two paths runs first, but all
// lanes of one path print before those of the other.
extern "C" __global__ void print_lanes(int* returned, int every) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int arguments;
    if (lane % every == 0) {
        arguments = printf("lane %2d takes path %c\n", lane, 'A');
    } else {
        arguments = printf("lane %2d takes path %c: no multiple of %d\n", lane, 'B', every);
    }
    arguments += printf("warp %d is together again in lane %d\n", warp, lane);
    returned[blockIdx.x * blockDim.x + threadIdx.x] = arguments;
}
