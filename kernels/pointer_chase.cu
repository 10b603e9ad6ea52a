/*
[kernel]
title   = "A chain of loads through the memory hierarchy"
subject = "Memory hierarchy"
lesson  = "Each load depends on the previous one, so nothing hides its latency. The latency rises in steps when the working set exceeds L1 and then L2."
views   = ["timeline", "hierarchy", "sectors", "source"]

[parameters]
bytes  = { default = 16384, values = [4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864], help = "working-set size in bytes" }
stride = { default = 128, values = [32, 64, 128, 256, 512, 1024, 4096], help = "bytes from one load to the next" }
hops   = { default = 1024, min = 1, max = 1048576, help = "loads in the chain" }

[buffers]
next = { type = "u32", length = "bytes // 4", fill = "ring", step = "stride // 4" }
last = { type = "u32", length = "1", fill = "zero" }

[launch]
arguments = ["next", "last", "hops"]
grid  = ["1"]
block = ["1"]
dynamic_shared_bytes = "0"

[golden.last]
lua = "return function(i) return hops * (stride // 4) % (bytes // 4) end"

[sweep]
over    = ["bytes", "hops=1048576"]
metrics = ["schedule.repeated_load_latency"]
*/

// Element i of the buffer holds the index of the next element, `stride` bytes on; the last points to the
// first. One thread follows the chain: the total time divided by the number of hops is the load latency.
extern "C" __global__ void pointer_chase(const unsigned* next, unsigned* last, int hops) {
    unsigned at = 0;
    for (int hop = 0; hop < hops; ++hop) {
        at = next[at];
    }
    *last = at;
}
