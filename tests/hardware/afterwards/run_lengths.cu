/*
[kernel]
title   = "Runs of equal bytes: a warp finds where they begin by ballots, blocks reserve room by one addition and write begin and length"

[parameters]
bytes = { default = 1048576 }

[buffers]
in = { type = "u8", length = "bytes", fill = "formula", value = "random(16) // 13", seed = "911" }
begins = { type = "u32", length = "bytes", fill = "zero" }
values = { type = "u8", length = "bytes", fill = "zero" }
count = { type = "u32", length = "1", fill = "zero" }

[launch]
arguments = ["in", "begins", "values", "count", "bytes"]
grid  = ["bytes // 1024"]
block = ["256"]
*/
extern "C" __global__ void run_lengths(const unsigned char* in, unsigned* begins, unsigned char* values, unsigned* count, int bytes) {
    __shared__ unsigned in_warps[8], first;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, begin = blockIdx.x * 1024 + warp * 128;
    unsigned starts[4], found = 0;
    unsigned char own[4];
    for (int part = 0; part < 4; ++part) {
        const int at = begin + part * 32 + lane;
        own[part] = in[at];
        unsigned char before = __shfl_up_sync(~0u, own[part], 1);
        if (lane == 0) before = at > 0 ? in[at - 1] : ~own[part];
        starts[part] = __ballot_sync(~0u, before != own[part]);
        found += __popc(starts[part]);
    }
    if (lane == 0) in_warps[warp] = found;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned all = 0;
        for (int i = 0; i < 8; ++i) {
            const unsigned own_count = in_warps[i];
            in_warps[i] = all;
            all += own_count;
        }
        first = atomicAdd(count, all);
    }
    __syncthreads();
    unsigned to = first + in_warps[warp];
    for (int part = 0; part < 4; ++part) {
        if (starts[part] >> lane & 1) {
            const unsigned place = to + __popc(starts[part] & ((1u << lane) - 1));
            begins[place] = begin + part * 32 + lane;
            values[place] = own[part];
        }
        to += __popc(starts[part]);
    }
}
