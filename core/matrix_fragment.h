// The matrix operands of wmma, mma, ldmatrix, stmatrix and movmatrix: which element of which matrix each
// register of each lane holds. The table is core/matrix_layouts.def. mma's layouts are those of the PTX ISA
// ("Matrix Fragments for mma"); wmma's, which it does not specify, were measured on an H200 (sm_90) by
// tests/hardware/tensor_probes.cu and are the same there for row-major and column-major memory. It holds no
// values; see simt/functional/execute/tensor.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace warplens {

enum class MatrixElement : std::uint8_t {
    b1,
    s4,
    u4,
    s8,
    u8,
    e4m3,
    e5m2,
    b16,
    f16,
    bf16,
    tf32,
    f32,
    s32,
    f64
};
int bits_of(MatrixElement element);
std::string_view to_string(MatrixElement element);

struct MatrixPlace {
    int row = 0, column = 0;
    friend bool operator==(const MatrixPlace&, const MatrixPlace&) = default;
};

/// One operand, spread over the lanes of a warp. Element e of a lane is in its register e / per_register(),
/// lowest bits first.
struct MatrixFragment {
    char operand = 'd';  // a, b, c or d; c and d have the same layout
    MatrixElement element = MatrixElement::f16;
    int rows = 0, columns = 0;
    int elements = 0;  // per lane, including repeats
    /// The contribution of each bit of the lane number and the element number to the position: a power of two
    /// in row or column, or nothing (both 0) if elements repeat others.
    std::array<MatrixPlace, 5> lane_bits{};
    std::array<MatrixPlace, 7> element_bits{};

    int per_register() const;
    int registers() const { return elements / per_register(); }
    MatrixPlace place(int lane, int element) const;
    /// The element is one that the same lane holds in an earlier register.
    bool repeats(int element) const;
    /// Elements of a lane that are adjacent in memory where rows (columns, if `column_major`) are
    /// contiguous.
    int contiguous(bool column_major) const;
};

enum class MatrixWork : std::uint8_t {
    multiply,    // wmma.mma, mma
    load,        // wmma.load: a fragment from a matrix in memory
    store,       // wmma.store
    load_rows,   // ldmatrix: each lane names a row of 16 bytes
    store_rows,  // stmatrix
    transpose,   // movmatrix
};

struct MatrixInstruction {
    MatrixWork work = MatrixWork::multiply;
    int m = 0, n = 0, k = 0;  // multiply, load, store
    /// In operand order: d, a, b, c of a multiplication; the one that is moved; one for each 8 x 8 matrix of
    /// ldmatrix and stmatrix, numbered by their place here; the result of movmatrix.
    std::vector<MatrixFragment> fragments;
    bool column_major = false;  // load, store: how the matrix is stored in memory
    bool transposed = false;    // ldmatrix, stmatrix
    bool saturates = false;     // integer results stop at the ends of s32
    bool combines_with_and = false, combines_with_xor = false;  // of single bits, then counted

    /// Requests to memory that one execution makes, all of the same size; 0 when it makes none. A wmma.load
    /// or store makes one for each contiguous piece a lane holds, at PTX level: the assembler chooses other
    /// instructions.
    int requests() const;
    /// Bytes that one lane moves in such a request.
    int bytes_per_request() const;
};

/// From the spelling of an instruction, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", modifiers in any
/// order. Nothing for other instructions and for forms whose layout is not in the table: sparse ones,
/// mma.m8n8k4 of f16, wmma of less than a byte.
std::optional<MatrixInstruction> matrix_instruction(std::string_view opcode);

}  // namespace warplens
