// ComputePeaks: the arithmetic that a GPU can do per second, by unit and type, at boost clock as published.
// Dense: without structured sparsity. 0: unknown; it is never guessed.
#pragma once

namespace warplens {

struct ComputePeaks {
    double fp16 = 0;  // FP16 and BF16 on the ordinary cores, where both run at one rate
    double fp32 = 0;
    double fp64 = 0;
    double tensor_fp16 = 0;  // FP16 and BF16 with FP32 accumulation
    double tensor_tf32 = 0;
    double tensor_fp64 = 0;
    double tensor_fp8 = 0;
    double tensor_int8 = 0;
};

}  // namespace warplens
