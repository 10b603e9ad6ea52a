/*
[kernel]
title   = "Pipeline: copy in, compute and copy out in chunks"
subject = "Streams and graphs"
lesson  = "Splitting the work into chunks over several streams lets the GPU compute one chunk while it copies the next one in and the previous one out."
views   = ["streams", "source", "lanes"]

[parameters]
n       = { default = 2097152, min = 1024, max = 16777216, help = "elements" }
streams = { default = 3, min = 2, max = 8, help = "streams that the chunks are distributed over" }
chunks  = { default = 8, min = 1, max = 32, help = "chunks that the work is split into" }
work    = { default = 128, min = 1, max = 1024, help = "steps of Heron's method per element: more steps, longer kernels" }
block   = { default = 256, values = [64, 128, 256, 512], help = "threads per block" }

[buffers]
x = { type = "f32", length = "n", fill = "iota" }
y = { type = "f32", length = "n", fill = "zero" }

[launch]
arguments = ["y", "x", "0", "n", "work"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[streams]
chunks = "chunks"
first  = "chunk * ceil_div(n, chunks)"
count  = "min(ceil_div(n, chunks), n - first)"
operations = [
    { copy_in = "x" },
    { launch = true, name = "heron", arguments = ["y", "x", "first", "first + count", "work"], grid = ["ceil_div(count, block)"] },
    { copy_out = "y" },
]
variants = [
    { name = "all at once", chunks = 1, title = "One stream, one copy in, one kernel, one copy out: each waits for the previous one." },
    { name = "1 stream, {chunks} chunks", title = "In chunks, but in one stream: stream order prevents any overlap." },
    { name = "{streams} streams", streams = "streams", title = "Chunks are distributed over {streams} streams: copies and kernels of different chunks overlap." },
    { name = "{streams} streams as a graph", streams = "streams", graph = true, title = "The same, captured once and launched as a graph." },
    { name = "{streams} streams, pageable", streams = "streams", pageable = true, title = "The same from pageable memory: each copy goes through a driver buffer, and the host waits for it." },
]

[golden.y]
lua = '''
return function(i)
    local square, value = f32(x[i] + 1.0), 1.0
    for step = 1, work do
        value = f32(0.5 * f32(value + f32(square / value)))
    end
    return value
end
'''
*/

// Thread i computes sqrt(x[first + i] + 1) by Heron's method. The host copies a chunk of x in, launches this
// kernel on it and copies the same chunk of y out. Chunks in different streams can overlap.
extern "C" __global__ void streams_pipeline(float* y, const float* x, int first, int end, int work) {
    const int index = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (index < end) {
        const float square = x[index] + 1.0f;
        float value = 1.0f;
        for (int step = 0; step < work; ++step) {
            value = 0.5f * (value + square / value);
        }
        y[index] = value;
    }
}
