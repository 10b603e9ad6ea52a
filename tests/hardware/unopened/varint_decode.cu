/*
[kernel]
title   = "Numbers of one to five bytes: each thread decodes 16 of them, one after another"

[parameters]
streams = { default = 67584 }

[buffers]
bytes = { type = "u8", length = "streams * 80", fill = "random", seed = "604", below = "256" }
sums = { type = "u32", length = "streams", fill = "zero" }

[launch]
arguments = ["bytes", "sums", "streams"]
grid  = ["ceil_div(streams, 64)"]
block = ["64"]
*/
extern "C" __global__ void varint_decode(const unsigned char* __restrict__ bytes, unsigned* __restrict__ sums,
                                         int streams) {
    const int stream = blockIdx.x * blockDim.x + threadIdx.x;
    if (stream >= streams) return;
    const unsigned char* at = bytes + (size_t)stream * 80;
    unsigned sum = 0;
    for (int number = 0; number < 16; ++number) {
        unsigned value = 0;
        for (int part = 0; part < 5; ++part) {
            const unsigned byte = *at++;
            value |= (byte & 127) << 7 * part;
            if (byte < 128) break;
        }
        sum = sum * 31 + value;
    }
    sums[stream] = sum;
}
