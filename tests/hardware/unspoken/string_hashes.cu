/*
[kernel]
title   = "Strings of 4 to 67 bytes hashed byte by byte and counted in buckets, one thread per string"

[parameters]
strings = { default = 67584 }

[buffers]
begins = { type = "u32", length = "strings + 1", fill = "formula", value = "i * 36 + (i * 2654435761 // 65536) % 32" }
bytes = { type = "u8", length = "strings * 36 + 32", fill = "random", seed = "1251", below = "256" }
hashes = { type = "u32", length = "strings", fill = "zero" }
buckets = { type = "u32", length = "1024", fill = "zero" }

[launch]
arguments = ["begins", "bytes", "hashes", "buckets", "strings"]
grid  = ["ceil_div(strings, 128)"]
block = ["128"]
*/
extern "C" __global__ void string_hashes(const unsigned* begins, const unsigned char* bytes, unsigned* hashes,
                                         unsigned* buckets, int strings) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= strings) return;
    unsigned hash = 2166136261u;
    for (unsigned at = begins[i]; at < begins[i + 1]; ++at) hash = (hash ^ bytes[at]) * 16777619u;
    hashes[i] = hash;
    atomicAdd(&buckets[hash >> 22], 1u);
}
