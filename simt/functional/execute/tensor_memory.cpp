// Matrices between memory and registers. Every access is executed like a load or store of its lanes, one
// request for each contiguous piece of a fragment or for the rows of ldmatrix, so that all checks and
// observers see it. rows[1 …]: the data of one request, 4 or 8 bytes per row; rows[address_row]: the operand;
// rows[address_row + 1]: the request's addresses, computed here; rows[matrix_examined_row]: its examined_row.
#include <algorithm>
#include <bit>

#include "simt/functional/block/block_runner.h"
#include "simt/functional/execute/tensor.h"
#include "simt/functional/memory/memory_access.h"

namespace warplens::simt {

namespace {

constexpr int first_data_row = 1;
constexpr u32 matrix_row_bytes = 16;

/// The access of one request: `bytes` per lane at the addresses in `addresses`.
DecodedOp request_of(const DecodedOp& op, Row addresses, u32 bytes) {
    DecodedOp request = op;
    request.element_bytes = static_cast<u8>(op.element_bytes == 8 ? 8 : std::min(bytes, 4u));
    request.vector_width = static_cast<u8>(bytes / request.element_bytes);
    request.immediate = 0;
    request.flags = 0;
    request.wide_address = true;
    request.sign_extends = false;
    request.rows[address_row] = addresses;
    request.rows[examined_row] = op.rows[matrix_examined_row];
    for (u32 i = 0; i < request.vector_width; ++i) request.rows[i] = op.rows[first_data_row + i];
    return request;
}

void access(Warp& warp, const MatrixOp& matrix, const DecodedOp& request, u32 mask) {
    if (matrix.examine) matrix.examine(warp, request, mask);
    matrix.access(warp, request, mask);
}

u64 base_address(Warp& warp, const DecodedOp& op, int lane) {
    const Row from = op.rows[address_row];
    if (op.wide_address) return row<const u64>(warp, from)[lane] + op.immediate;
    return static_cast<u32>(row<const u32>(warp, from)[lane] + op.immediate);
}

/// Where a lane's request has element i of a piece: the row of its word, and the bits below it.
struct ElementOfPiece {
    Row word;
    u32 shift;

    ElementOfPiece(const DecodedOp& request, int i, u32 bytes)
        : word(request.rows[static_cast<u32>(i) * bytes / request.element_bytes]),
          shift(static_cast<u32>(i) * bytes % request.element_bytes * 8) {}
};

/// Calls request(first element) for each piece once its addresses are computed.
template <class Each>
void for_each_piece(Warp& warp, const DecodedOp& op, const MatrixOp& matrix, Each&& each) {
    const MatrixOp::Operand& operand = matrix.operands.front();
    const MatrixFragment& fragment = operand.fragment;
    const int run = fragment.contiguous(matrix.form.column_major);
    const u32 bytes = static_cast<u32>(bits_of(fragment.element)) / 8;
    const int column_bits = std::countr_zero(static_cast<u32>(fragment.columns));  // a power of two
    const u32* strides = row<const u32>(warp, op.rows[0]);
    u64* addresses = row<u64>(warp, op.rows[address_row + 1]);
    for (int e = 0; e < fragment.elements; e += run) {
        if (fragment.repeats(e)) continue;
        for (int lane = 0; lane < warp_size; ++lane) {
            const u32 place = operand.places[static_cast<std::size_t>(e * warp_size + lane)];
            const u64 r = place >> column_bits, c = place & (static_cast<u32>(fragment.columns) - 1);
            const u64 stride = strides[lane];
            const u64 index = matrix.form.column_major ? c * stride + r : r * stride + c;
            addresses[lane] = base_address(warp, op, lane) + index * bytes;
        }
        each(e, run, bytes);
    }
}

const MatrixOp& matrix_of(Warp& warp, const DecodedOp& op) { return warp.block->kernel().matrices[op.flags]; }

}  // namespace

void set_matrix_access(MatrixOp& matrix, const DecodedOp& op, u32 bytes, bool load) {
    const DecodedOp request = request_of(op, 0, bytes);
    matrix.access = access_executor(request, load);
    matrix.examine = examining_executor(request, load);
}

namespace {

/// `Word` is that of the request: 64 bits for f64.
template <class Word>
void load_fragment_of(Warp& warp, const DecodedOp& op, const MatrixOp& matrix, u32 mask) {
    const MatrixOp::Operand& operand = matrix.operands.front();
    Word elements[largest_fragment_in_memory] = {};
    for_each_piece(warp, op, matrix, [&](int first, int run, u32 bytes) {
        const DecodedOp request = request_of(op, op.rows[address_row + 1], static_cast<u32>(run) * bytes);
        access(warp, matrix, request, mask);
        const Word kept = static_cast<Word>(~Word{0} >> (sizeof(Word) - bytes) * 8);
        for (int i = 0; i < run; ++i) {
            const ElementOfPiece element(request, i, bytes);
            const Word* words = row<const Word>(warp, element.word);
            const u16* places = operand.places.data() + (first + i) * warp_size;
            for_each_lane({mask},
                          [&](int lane) { elements[places[lane]] = words[lane] >> element.shift & kept; });
        }
    });
    scatter_matrix(warp, operand, elements, mask);
}

template <class Word>
void store_fragment_of(Warp& warp, const DecodedOp& op, const MatrixOp& matrix, u32 mask) {
    const MatrixOp::Operand& operand = matrix.operands.front();
    Word elements[largest_fragment_in_memory];
    gather_matrix(warp, operand, elements);
    for_each_piece(warp, op, matrix, [&](int first, int run, u32 bytes) {
        const DecodedOp request = request_of(op, op.rows[address_row + 1], static_cast<u32>(run) * bytes);
        for (int i = 0; i < run; ++i) {
            const ElementOfPiece element(request, i, bytes);
            Word* words = row<Word>(warp, element.word);
            const u16* places = operand.places.data() + (first + i) * warp_size;
            for_each_lane({mask}, [&](int lane) {
                words[lane] = (element.shift == 0 ? 0 : words[lane]) | elements[places[lane]]
                                                                           << element.shift;
            });
        }
        access(warp, matrix, request, mask);
    });
}

}  // namespace

void load_fragment(Warp& warp, const DecodedOp& op, u32 mask) {
    require_whole_warp(warp, op, mask);
    return op.element_bytes == 8 ? load_fragment_of<u64>(warp, op, matrix_of(warp, op), mask)
                                 : load_fragment_of<u32>(warp, op, matrix_of(warp, op), mask);
}

void store_fragment(Warp& warp, const DecodedOp& op, u32 mask) {
    require_whole_warp(warp, op, mask);
    return op.element_bytes == 8 ? store_fragment_of<u64>(warp, op, matrix_of(warp, op), mask)
                                 : store_fragment_of<u32>(warp, op, matrix_of(warp, op), mask);
}

namespace {

/// Lane 8 i + r names row r of matrix i. With fewer than four matrices the other lanes' addresses are
/// ignored.
u32 lanes_with_rows(const MatrixOp& matrix) {
    const auto matrices = static_cast<int>(matrix.operands.size());
    return LaneMask::first(8 * matrices).bits;
}

DecodedOp row_request(Warp& warp, const DecodedOp& op) {
    u64* addresses = row<u64>(warp, op.rows[address_row + 1]);
    for (int lane = 0; lane < warp_size; ++lane) addresses[lane] = base_address(warp, op, lane);
    return request_of(op, op.rows[address_row + 1], matrix_row_bytes);
}

}  // namespace

// The rows of one matrix are one wavefront if they are in different banks: the same as for 8 lanes of a load
// of 16 bytes per lane, so analysis/memory/banks counts ldmatrix like ld.shared.v4. Measured: x1, x2 and x4
// without conflicts keep an H200's shared memory busy for 1, 2 and 4 cycles, x4 with rows 64 bytes apart for
// 16, with 128 bytes for 32.
void load_matrix_rows(Warp& warp, const DecodedOp& op, u32 mask) {
    require_whole_warp(warp, op, mask);
    const MatrixOp& matrix = matrix_of(warp, op);
    const DecodedOp request = row_request(warp, op);
    const u32 lanes = mask & lanes_with_rows(matrix);
    if (lanes != 0) access(warp, matrix, request, lanes);
    for (std::size_t i = 0; i < matrix.operands.size(); ++i) {
        u32 elements[64];
        for (int c = 0; c < 8; ++c) {
            const ElementOfPiece element(request, c, 2);
            const u32* words = row<const u32>(warp, element.word) + i * 8;
            for (int r = 0; r < 8; ++r) elements[r * 8 + c] = words[r] >> element.shift & 0xffff;
        }
        scatter_matrix(warp, matrix.operands[i], elements, mask);
    }
}

void store_matrix_rows(Warp& warp, const DecodedOp& op, u32 mask) {
    require_whole_warp(warp, op, mask);
    const MatrixOp& matrix = matrix_of(warp, op);
    const DecodedOp request = row_request(warp, op);
    for (std::size_t i = 0; i < matrix.operands.size(); ++i) {
        u32 elements[64];
        gather_matrix(warp, matrix.operands[i], elements);
        for (int c = 0; c < 8; ++c) {
            const ElementOfPiece element(request, c, 2);
            u32* words = row<u32>(warp, element.word) + i * 8;
            for (int r = 0; r < 8; ++r)
                words[r] = (element.shift == 0 ? 0 : words[r]) | elements[r * 8 + c] << element.shift;
        }
    }
    const u32 lanes = mask & lanes_with_rows(matrix);
    if (lanes != 0) access(warp, matrix, request, lanes);
}

}  // namespace warplens::simt
