/*
[kernel]
title = "A flag that is neither volatile nor atomic"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
data = { type = "f32", length = "1", fill = "zero" }
flag = { type = "i32", length = "1", fill = "zero" }
out = { type = "f32", length = "1", fill = "zero" }

[launch]
arguments = ["data", "flag", "out"]
grid  = ["1"]
block = ["64"]
*/

extern "C" __global__ void race_plain_flag(float* data, int* flag, float* out) {
    const int i = threadIdx.x;
    if (i == 0) {
        *data = 5.0f;  // expect: global_race
        __threadfence();
#if FIXED
        atomicExch(flag, 1);
#else
        *flag = 1;  // expect: global_race
#endif
    } else if (i == 32) {
        while (*static_cast<volatile int*>(flag) == 0) {}  // expect: global_race
        __threadfence();
        *out = *static_cast<volatile float*>(data);  // expect: global_race
    }
}
