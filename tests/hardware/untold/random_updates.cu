/*
[kernel]
title   = "Random updates of a table of 8 MiB: each thread draws 16 places by a shift register and exclusive-ors them in"

[parameters]
threads = { default = 67584 }

[buffers]
table = { type = "u64", length = "1048576", fill = "iota" }

[launch]
arguments = ["table", "i32=16"]
grid  = ["threads // 256"]
block = ["256"]
*/
extern "C" __global__ void random_updates(unsigned long long* __restrict__ table, int rounds) {
    unsigned long long draw = (blockIdx.x * 256ull + threadIdx.x + 1) * 0x9e3779b97f4a7c15ull;
    for (int i = 0; i < rounds; ++i) {
        draw = draw << 1 ^ ((long long)draw < 0 ? 7 : 0);
        const unsigned long long mixed = draw ^ draw >> 29;
        atomicXor(&table[mixed * 0xbf58476d1ce4e5b9ull >> 44], draw);
    }
}
