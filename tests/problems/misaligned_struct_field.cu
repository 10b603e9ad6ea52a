/*
[kernel]
title = "A packed struct read field by field"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
in = { type = "u8", length = "512", fill = "zero" }
out = { type = "f32", length = "32", fill = "zero" }

[launch]
arguments = ["out", "in"]
grid  = ["1"]
block = ["32"]
*/

// Records of a tag and a float: packed they take 5 bytes, as the compiler lays them out 8.
extern "C" __global__ void misaligned_struct_field(float* out, const char* in) {
#if FIXED
    const int size = 8, value = 4;
#else
    const int size = 5, value = 1;
#endif
    out[threadIdx.x] = *reinterpret_cast<const float*>(in + size * threadIdx.x + value);  // expect: misaligned
}
