// Matrix instructions on a warp's registers: mma, wmma.mma and movmatrix (tensor.cpp); those that access
// memory (tensor_memory.cpp). DecodedOp::flags: index into DecodedKernel::matrices.
#pragma once

#include "simt/functional/block/warp.h"
#include "simt/functional/decode/decoded_kernel.h"

namespace warplens::simt {

void multiply_matrices(Warp& warp, const DecodedOp& op, u32 mask);
void transpose_matrix(Warp& warp, const DecodedOp& op, u32 mask);
/// wmma.load and wmma.store. rows[0]: distance in elements between rows (columns) of the matrix.
void load_fragment(Warp& warp, const DecodedOp& op, u32 mask);
void store_fragment(Warp& warp, const DecodedOp& op, u32 mask);
/// ldmatrix and stmatrix.
void load_matrix_rows(Warp& warp, const DecodedOp& op, u32 mask);
void store_matrix_rows(Warp& warp, const DecodedOp& op, u32 mask);

inline constexpr int matrix_examined_row = 7;

/// Sets what executes a request of theirs with `bytes` per lane.
void set_matrix_access(MatrixOp& matrix, const DecodedOp& op, u32 bytes, bool load);

/// The elements of an operand by position in the matrix, as bits; repeats are left out.
template <class Word>  // u32, or u64 for elements of any size
void gather_matrix(Warp& warp, const MatrixOp::Operand& operand, Word* elements);
/// Writes them back to the registers of the lanes in `mask`, repeats included.
template <class Word>
void scatter_matrix(Warp& warp, const MatrixOp::Operand& operand, const Word* elements, u32 mask);
/// Reports lanes that do not participate: these instructions need all 32 lanes of a warp.
void require_whole_warp(Warp& warp, const DecodedOp& op, u32 mask);

inline constexpr std::size_t largest_matrix = 16 * 256;             // elements: A of mma.m16n8k256
inline constexpr std::size_t largest_fragment_in_memory = 32 * 16;  // of wmma

}  // namespace warplens::simt
