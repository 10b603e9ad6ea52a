// Matrices between memory and registers. Every access is executed like a load or store of its lanes, one
// request for each contiguous piece of a fragment or for the rows of ldmatrix, so that all checks and
// observers see it. rows[1 …]: the data of one request, 4 or 8 bytes per row; rows[address_row]: its
// addresses, computed here.
#include <algorithm>
#include <cstring>

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
    request.wide_address = true;
    request.sign_extends = false;
    request.rows[address_row] = addresses;
    for (u32 i = 0; i < request.vector_width; ++i) request.rows[i] = op.rows[first_data_row + i];
    return request;
}

u64 base_address(Warp& warp, const DecodedOp& op, int lane) {
    const Row from = op.rows[address_row];
    if (op.wide_address) return row<const u64>(warp, from)[lane] + op.immediate;
    return static_cast<u32>(row<const u32>(warp, from)[lane] + op.immediate);
}

/// The bytes of a lane's request, in the data rows.
void take_bytes(Warp& warp, const DecodedOp& request, int lane, std::byte* to) {
    for (u32 i = 0; i < request.vector_width; ++i) {
        const std::byte* from = warp.registers + request.rows[i] +
                                static_cast<std::size_t>(lane) * (request.element_bytes == 8 ? 8 : 4);
        std::memcpy(to + i * request.element_bytes, from, request.element_bytes);
    }
}
void put_bytes(Warp& warp, const DecodedOp& request, int lane, const std::byte* from) {
    for (u32 i = 0; i < request.vector_width; ++i) {
        std::byte* to = warp.registers + request.rows[i] +
                        static_cast<std::size_t>(lane) * (request.element_bytes == 8 ? 8 : 4);
        std::memcpy(to, from + i * request.element_bytes, request.element_bytes);
    }
}

/// Calls request(first element) for each piece once its addresses are computed.
template <class Each>
void for_each_piece(Warp& warp, const DecodedOp& op, const MatrixOp& matrix, Each&& each) {
    const MatrixOp::Operand& operand = matrix.operands.front();
    const MatrixFragment& fragment = operand.fragment;
    const int run = fragment.contiguous(matrix.form.column_major);
    const u32 bytes = static_cast<u32>(bits_of(fragment.element)) / 8;
    const u32* strides = row<const u32>(warp, op.rows[0]);
    u64* addresses = row<u64>(warp, op.rows[address_row + 1]);
    for (int e = 0; e < fragment.elements; e += run) {
        if (fragment.repeats(e)) continue;
        for (int lane = 0; lane < warp_size; ++lane) {
            const int place = operand.places[static_cast<std::size_t>(e * warp_size + lane)];
            const u64 r = static_cast<u64>(place / fragment.columns),
                      c = static_cast<u64>(place % fragment.columns);
            const u64 stride = strides[lane];
            const u64 index = matrix.form.column_major ? c * stride + r : r * stride + c;
            addresses[lane] = base_address(warp, op, lane) + index * bytes;
        }
        each(e, run, bytes);
    }
}

const MatrixOp& matrix_of(Warp& warp, const DecodedOp& op) { return warp.block->kernel().matrices[op.flags]; }

}  // namespace

Execute matrix_access(const DecodedOp& op, u32 bytes, bool load) {
    return access_executor(request_of(op, 0, bytes), load);
}

void load_fragment(Warp& warp, const DecodedOp& op, u32 mask) {
    require_whole_warp(warp, op, mask);
    const MatrixOp& matrix = matrix_of(warp, op);
    const MatrixOp::Operand& operand = matrix.operands.front();
    u64 elements[largest_fragment_in_memory] = {};
    for_each_piece(warp, op, matrix, [&](int first, int run, u32 bytes) {
        const DecodedOp request = request_of(op, op.rows[address_row + 1], static_cast<u32>(run) * bytes);
        matrix.access(warp, request, mask);
        for_each_lane({mask}, [&](int lane) {
            std::byte piece[matrix_row_bytes];
            take_bytes(warp, request, lane, piece);
            for (int i = 0; i < run; ++i) {
                u64 value = 0;
                std::memcpy(&value, piece + static_cast<u32>(i) * bytes, bytes);
                const auto at = static_cast<std::size_t>((first + i) * warp_size + lane);
                elements[operand.places[at]] = value;
            }
        });
    });
    scatter_matrix(warp, operand, elements, mask);
}

void store_fragment(Warp& warp, const DecodedOp& op, u32 mask) {
    require_whole_warp(warp, op, mask);
    const MatrixOp& matrix = matrix_of(warp, op);
    const MatrixOp::Operand& operand = matrix.operands.front();
    u64 elements[largest_fragment_in_memory];
    gather_matrix(warp, operand, elements);
    for_each_piece(warp, op, matrix, [&](int first, int run, u32 bytes) {
        const DecodedOp request = request_of(op, op.rows[address_row + 1], static_cast<u32>(run) * bytes);
        for_each_lane({mask}, [&](int lane) {
            std::byte piece[matrix_row_bytes];
            for (int i = 0; i < run; ++i) {
                const auto at = static_cast<std::size_t>((first + i) * warp_size + lane);
                std::memcpy(piece + static_cast<u32>(i) * bytes, &elements[operand.places[at]], bytes);
            }
            put_bytes(warp, request, lane, piece);
        });
        matrix.access(warp, request, mask);
    });
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
    if (lanes != 0) matrix.access(warp, request, lanes);
    for (std::size_t i = 0; i < matrix.operands.size(); ++i) {
        u32 elements[64] = {};
        for (int r = 0; r < 8; ++r) {
            std::byte bytes[matrix_row_bytes];
            take_bytes(warp, request, static_cast<int>(i) * 8 + r, bytes);
            for (int c = 0; c < 8; ++c) std::memcpy(&elements[r * 8 + c], bytes + 2 * c, 2);
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
        for (int r = 0; r < 8; ++r) {
            std::byte bytes[matrix_row_bytes];
            for (int c = 0; c < 8; ++c) std::memcpy(bytes + 2 * c, &elements[r * 8 + c], 2);
            put_bytes(warp, request, static_cast<int>(i) * 8 + r, bytes);
        }
    }
    const u32 lanes = mask & lanes_with_rows(matrix);
    if (lanes != 0) matrix.access(warp, request, lanes);
}

}  // namespace warplens::simt
