// OperationCount: the arithmetic of one instruction of PTX or machine code, by its opcode. Floating point as
// the profiler counts it (add and multiply 1, fused multiply-add 2; comparisons, minima, sign changes, moves
// and conversions 0); division, square root and the other functions 1 each, although the assembler expands
// them. Integer instructions count 1 each, as the profiler's op_integer does.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/program.h"

namespace warplens::analysis {

/// By the executing unit; tensor instructions by the type of the matrices that they multiply.
enum class OperationKind : std::uint8_t {
    none,
    integer,
    fp16,
    fp32,
    fp64,
    tensor_fp16,  // and BF16
    tensor_tf32,
    tensor_fp64,
    tensor_fp8,
    tensor_int8,
    tensor_other,  // 4-bit and single-bit integers, other small floats, sparse matrices
};
inline constexpr std::size_t operation_kind_count = 11;
constexpr bool is_tensor(OperationKind kind) { return kind >= OperationKind::tensor_fp16; }
/// "FP32", "FP16 tensor cores"
std::string_view to_string(OperationKind kind);

struct OperationCount {
    OperationKind kind = OperationKind::none;
    std::uint32_t per_lane = 0;  // for each lane that executes it
    std::uint32_t per_warp = 0;  // tensor instructions: for the warp as a whole
    friend bool operator==(const OperationCount&, const OperationCount&) = default;
};

/// `opcode` as in Site::opcode: "fma.rn.f32", "FFMA.FTZ".
OperationCount count_operations(std::string_view opcode);
/// The same of an instruction whose operands are known: the assembler spells moves, sign changes and
/// widenings as arithmetic on the register that is zero ("HFMA2.MMA R4, -RZ, RZ, 1.875, 0"), and they count
/// 0.
OperationCount count_operations(const Site& site);

}  // namespace warplens::analysis
