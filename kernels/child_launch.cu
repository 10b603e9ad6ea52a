/*
[kernel]
title   = "A kernel that launches kernels"
subject = "Dynamic parallelism"
lesson  = "A thread with more work than its neighbors launches a grid of the right size, so that its warp does not wait for it in a loop."
views   = ["launches", "lanes", "source", "explain"]

[parameters]
n     = { default = 256, min = 1, max = 65536, help = "rows, one per parent thread" }
block = { default = 64, values = [32, 64, 128, 256], help = "threads per parent block" }
below = { default = 1024, min = 1, max = 32768, help = "upper bound (exclusive) for the elements per row" }
limit = { default = 512, min = 0, max = 32768, help = "rows longer than this get a child grid" }

[buffers]
length = { type = "i32", length = "n", fill = "random", below = "below", seed = "1" }
output = { type = "i32", length = "n * below", fill = "zero" }
grid_of = { type = "i32", length = "n", fill = "constant", value = "-1" }

[launch]
arguments = ["length", "output", "grid_of", "n", "below", "limit"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[golden.grid_of]
lua = '''
return function(i)
    return length[i] > limit and ceil_div(length[i], 128) or 0
end
'''

[golden.output]
lua = '''
return function(i)
    local row, column = i // below, i % below
    return column < length[row] and column * column or 0
end
'''

[sweep]
over    = ["limit=0,64,128,256,384,512,640,768,896,1024"]
metrics = ["divergence.mean_active_lanes", "schedule.cycles"]
*/

extern "C" __global__ void child(int* row, int length) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < length) {
        row[i] = i * i;
    }
}

// The parent's thread fills a short row in a loop; a long row gets a grid of its own. The parent does not wait
// for it: both end before the host sees the results.
extern "C" __global__ void child_launch(const int* length, int* output, int* grid_of, int n, int below,
                                        int limit) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) {
        return;
    }
    if (length[row] > limit) {
        const int blocks = (length[row] + 127) / 128;
        grid_of[row] = blocks;
        child<<<blocks, 128>>>(output + row * below, length[row]);
    } else {
        grid_of[row] = 0;
        for (int i = 0; i < length[row]; ++i) {
            output[row * below + i] = i * i;
        }
    }
}
