#include "simt/functional/execute/tensor.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "simt/functional/block/block_runner.h"
#include "simt/functional/execute/matrix_product.h"

namespace warplens::simt {

namespace {

constexpr int most_rows = 32, most_columns = 32;

/// Rows of A and columns of B, each contiguous, as numbers of one kind.
template <class Number>
struct Factors {
    Number a[largest_matrix], b[largest_matrix];
    int k;

    template <class Convert>
    Factors(const u64* from_a, const u64* from_b, const MatrixInstruction& form, Convert&& convert)
        : k(form.k) {
        for (int i = 0; i < form.m * k; ++i) a[i] = convert(from_a[i], form.fragments[1].element);
        for (int column = 0; column < form.n; ++column)
            for (int i = 0; i < k; ++i)
                b[column * k + i] = convert(from_b[i * form.n + column], form.fragments[2].element);
    }
    std::span<const Number> row(int r) const { return {a + r * k, static_cast<std::size_t>(k)}; }
    std::span<const Number> column(int c) const { return {b + c * k, static_cast<std::size_t>(k)}; }
};

template <class Use>
void for_each_place(const MatrixInstruction& form, Use&& use) {
    for (int r = 0; r < form.m; ++r)
        for (int c = 0; c < form.n; ++c) use(r, c, r * form.n + c);
}

void multiply_single_bits(const MatrixInstruction& form, const u64* a, const u64* b, const u64* c, u64* d) {
    for_each_place(form, [&](int row, int column, int at) {
        u32 count = 0;
        for (int i = 0; i < form.k; ++i) {
            const u64 left = a[row * form.k + i], right = b[i * form.n + column];
            count += static_cast<u32>(form.combines_with_and ? left & right : left ^ right);
        }
        d[at] = static_cast<u32>(c[at]) + count;
    });
}

void multiply(const MatrixInstruction& form, const u64* a, const u64* b, const u64* c, u64* d) {
    const MatrixElement type = form.fragments[0].element, a_type = form.fragments[1].element,
                        b_type = form.fragments[2].element, c_type = form.fragments[3].element;
    if (a_type == MatrixElement::b1) return multiply_single_bits(form, a, b, c, d);
    if (type == MatrixElement::s32) {
        const Factors<s32> factors(a, b, form,
                                   [](u64 bits, MatrixElement from) { return matrix_integer(from, bits); });
        for_each_place(form, [&](int r, int column, int at) {
            d[at] = static_cast<u32>(multiply_integers(factors.row(r), factors.column(column),
                                                       static_cast<s32>(c[at]), form.saturates));
        });
    } else if (type == MatrixElement::f64) {
        const Factors<double> factors(a, b, form,
                                      [](u64 bits, MatrixElement) { return std::bit_cast<double>(bits); });
        for_each_place(form, [&](int r, int column, int at) {
            d[at] = std::bit_cast<u64>(
                multiply_doubles(factors.row(r), factors.column(column), std::bit_cast<double>(c[at])));
        });
    } else {
        const Factors<MatrixNumber> factors(
            a, b, form, [](u64 bits, MatrixElement from) { return matrix_number(from, bits); });
        for_each_place(form, [&](int r, int column, int at) {
            d[at] = multiply_floats(factors.row(r), a_type, factors.column(column), b_type,
                                    matrix_number(c_type, c[at]), c_type, type);
        });
    }
}

}  // namespace

void require_whole_warp(Warp& warp, const DecodedOp& op, u32 mask) {
    if (mask == 0xffffffffu || warp.block->reported_before(ProblemKind::absent_lane, op.site, 1)) return;
    warp.block->report(
        warp, op.site, mask, ProblemKind::absent_lane, 0,
        fmt::format("a matrix instruction needs all 32 lanes of the warp, and lanes {:#010x} do not execute "
                    "it: they have diverged, or the block is not a multiple of 32 threads",
                    ~mask));
}

namespace {

/// A register, or a pair of them, of one lane.
u64 read_word(Warp& warp, const MatrixOp::Operand& operand, Row from, int bits, int lane) {
    if (!operand.in_pairs)
        return bits == 64 ? row<const u64>(warp, from)[lane] : row<const u32>(warp, from)[lane];
    return row<const u32>(warp, from)[lane] | u64{row<const u32>(warp, from + warp_size * sizeof(u32))[lane]}
                                                  << 32;
}
void write_word(Warp& warp, const MatrixOp::Operand& operand, Row to, int bits, int lane, u64 word) {
    if (bits == 64 && !operand.in_pairs) {
        row<u64>(warp, to)[lane] = word;
        return;
    }
    row<u32>(warp, to)[lane] = static_cast<u32>(word);
    if (operand.in_pairs) row<u32>(warp, to + warp_size * sizeof(u32))[lane] = static_cast<u32>(word >> 32);
}

}  // namespace

void gather_matrix(Warp& warp, const MatrixOp::Operand& operand, u64* elements) {
    const MatrixFragment& fragment = operand.fragment;
    const int bits = bits_of(fragment.element), each = fragment.per_register();
    const u64 kept = bits == 64 ? ~u64{0} : (u64{1} << bits) - 1;
    for (int e = 0; e < fragment.elements; ++e) {
        if (fragment.repeats(e)) continue;
        const Row from = operand.registers[static_cast<std::size_t>(e / each)];
        const int shift = e % each * bits;
        for (int lane = 0; lane < warp_size; ++lane) {
            const u64 word = read_word(warp, operand, from, bits, lane);
            elements[operand.places[static_cast<std::size_t>(lane * fragment.elements + e)]] =
                word >> shift & kept;
        }
    }
}

void scatter_matrix(Warp& warp, const MatrixOp::Operand& operand, const u64* elements, u32 mask) {
    const MatrixFragment& fragment = operand.fragment;
    const int bits = bits_of(fragment.element), each = fragment.per_register();
    for (int r = 0; r < fragment.registers(); ++r) {
        const Row to = operand.registers[static_cast<std::size_t>(r)];
        for_each_lane({mask}, [&](int lane) {
            u64 word = 0;
            for (int i = 0; i < each; ++i) {
                const auto place = static_cast<std::size_t>(lane * fragment.elements + r * each + i);
                word |= elements[operand.places[place]] << i * bits;
            }
            write_word(warp, operand, to, bits, lane, word);
        });
    }
}

void multiply_matrices(Warp& warp, const DecodedOp& op, u32 mask) {
    require_whole_warp(warp, op, mask);
    const MatrixOp& matrix = warp.block->kernel().matrices[op.flags];
    u64 a[largest_matrix], b[largest_matrix], c[most_rows * most_columns], d[most_rows * most_columns];
    gather_matrix(warp, matrix.operands[1], a);
    gather_matrix(warp, matrix.operands[2], b);
    gather_matrix(warp, matrix.operands[3], c);
    multiply(matrix.form, a, b, c, d);
    scatter_matrix(warp, matrix.operands[0], d, mask);
}

void transpose_matrix(Warp& warp, const DecodedOp& op, u32 mask) {
    require_whole_warp(warp, op, mask);
    const MatrixOp& matrix = warp.block->kernel().matrices[op.flags];
    u64 from[64], to[64];
    gather_matrix(warp, matrix.operands[1], from);
    for (int i = 0; i < 64; ++i) to[i % 8 * 8 + i / 8] = from[i];
    scatter_matrix(warp, matrix.operands[0], to, mask);
}

}  // namespace warplens::simt
