#include "simt/functional/execute/tensor.h"

#include <algorithm>
#include <cmath>

#include "simt/functional/block/block_runner.h"
#include "simt/functional/execute/lane_functions.h"

namespace warplens::simt {

namespace {

/// One of the elements that the lanes left out.
u32 multiply_alone(const FloatProduct& product, int at) {
    const auto& [m, n, k] = product.shape;
    MatrixNumber row[most_float_elements], column[most_float_elements];
    for (int i = 0; i < k; ++i) {
        row[i] = matrix_number(product.a_type, product.a[at / n * k + i]);
        column[i] = matrix_number(product.b_type, product.b[i * n + at % n]);
    }
    const auto terms = static_cast<std::size_t>(k);
    return multiply_floats({row, terms}, product.a_type, {column, terms}, product.b_type,
                           matrix_number(product.c_type, product.c[at]), product.c_type, product.to_half);
}
/// Another result than the lanes' is possible only where it is a NaN.
double multiply_alone(const DoubleProduct& product, int at) {
    const auto& [m, n, k] = product.shape;
    double sum = product.c[at];
    for (int i = 0; i < k; ++i) sum = std::fma(product.a[at / n * k + i], product.b[i * n + at % n], sum);
    return sum;
}

template <class Product>
void multiply(const Product& product, bool (*in_lanes)(const Product&, bool*)) {
    bool left_out[most_results];
    if (!in_lanes(product, left_out)) return;
    for (int at = 0; at < product.shape.m * product.shape.n; ++at)
        if (left_out[at]) product.d[at] = multiply_alone(product, at);
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

/// The word of each lane in a register, or in a pair of them.
template <class Word>
void read_words(Warp& warp, const MatrixOp::Operand& operand, Row from, Word* words) {
    const u32* low = row<const u32>(warp, from);
    if constexpr (sizeof(Word) == sizeof(u64)) {
        if (operand.in_pairs) {
            const u32* high = row<const u32>(warp, from + warp_size * sizeof(u32));
            for (int lane = 0; lane < warp_size; ++lane) words[lane] = low[lane] | u64{high[lane]} << 32;
            return;
        }
        if (bits_of(operand.fragment.element) == 64) {
            std::copy_n(row<const u64>(warp, from), warp_size, words);
            return;
        }
    }
    std::copy_n(low, warp_size, words);
}
template <class Word>
void write_words(Warp& warp, const MatrixOp::Operand& operand, Row to, const Word* words, u32 mask) {
    if constexpr (sizeof(Word) == sizeof(u64)) {
        if (operand.in_pairs) {
            u32 *low = row<u32>(warp, to), *high = row<u32>(warp, to + warp_size * sizeof(u32));
            for_each_lane({mask}, [&](int lane) {
                low[lane] = static_cast<u32>(words[lane]);
                high[lane] = static_cast<u32>(words[lane] >> 32);
            });
            return;
        }
        if (bits_of(operand.fragment.element) == 64) {
            for_each_lane({mask}, [&](int lane) { row<u64>(warp, to)[lane] = words[lane]; });
            return;
        }
    }
    u32* low = row<u32>(warp, to);
    for (int lane = 0; lane < warp_size; ++lane)
        low[lane] = (mask >> lane & 1) != 0 ? static_cast<u32>(words[lane]) : low[lane];
}

}  // namespace

template <class Word>
void gather_matrix(Warp& warp, const MatrixOp::Operand& operand, Word* elements) {
    const MatrixFragment& fragment = operand.fragment;
    const int bits = bits_of(fragment.element), each = fragment.per_register(),
              registers = fragment.elements / each;
    const Word kept = static_cast<Word>(~Word{0} >> (static_cast<int>(sizeof(Word)) * 8 - bits));
    const u16* places = operand.places.data();
    for (int r = 0; r < registers; ++r) {
        if (fragment.repeats(r * each)) {
            places += each * warp_size;
            continue;
        }
        Word words[warp_size];
        read_words(warp, operand, operand.registers[static_cast<std::size_t>(r)], words);
        for (int i = 0; i < each; ++i, places += warp_size)
            for (int lane = 0; lane < warp_size; ++lane)
                elements[places[lane]] = words[lane] >> i * bits & kept;
    }
}

template <class Word>
void scatter_matrix(Warp& warp, const MatrixOp::Operand& operand, const Word* elements, u32 mask) {
    const MatrixFragment& fragment = operand.fragment;
    const int bits = bits_of(fragment.element), each = fragment.per_register(),
              registers = fragment.elements / each;
    const u16* places = operand.places.data();
    for (int r = 0; r < registers; ++r) {
        Word words[warp_size] = {};
        for (int i = 0; i < each; ++i, places += warp_size)
            for (int lane = 0; lane < warp_size; ++lane) words[lane] |= elements[places[lane]] << i * bits;
        write_words(warp, operand, operand.registers[static_cast<std::size_t>(r)], words, mask);
    }
}

template void gather_matrix(Warp&, const MatrixOp::Operand&, u32*);
template void gather_matrix(Warp&, const MatrixOp::Operand&, u64*);
template void scatter_matrix(Warp&, const MatrixOp::Operand&, const u32*, u32);
template void scatter_matrix(Warp&, const MatrixOp::Operand&, const u64*, u32);

namespace {

template <class Word, class Multiply>
void with_operands(Warp& warp, const MatrixOp& matrix, u32 mask, Multiply&& multiply) {
    alignas(64) Word a[largest_matrix];
    alignas(64) Word b[largest_matrix / 2];
    alignas(64) Word c[most_results];
    alignas(64) Word d[most_results];
    gather_matrix(warp, matrix.operands[1], a);
    gather_matrix(warp, matrix.operands[2], b);
    gather_matrix(warp, matrix.operands[3], c);
    multiply(a, b, c, d);
    scatter_matrix(warp, matrix.operands[0], d, mask);
}

TermOperation operation_of(const MatrixInstruction& form) {
    return form.combines_with_and   ? TermOperation::bitwise_and
           : form.combines_with_xor ? TermOperation::bitwise_xor
                                    : TermOperation::multiply;
}

}  // namespace

void multiply_matrices(Warp& warp, const DecodedOp& op, u32 mask) {
    require_whole_warp(warp, op, mask);
    const MatrixOp& matrix = warp.block->kernel().matrices[op.flags];
    const MatrixInstruction& form = matrix.form;
    const ProductShape shape{form.m, form.n, form.k};
    const LaneFunctions& lanes = lane_functions();
    const auto element = [&](std::size_t operand) { return form.fragments[operand].element; };
    if (element(0) == MatrixElement::f64) {
        with_operands<u64>(warp, matrix, mask, [&](const u64* a, const u64* b, const u64* c, u64* d) {
            multiply(
                DoubleProduct{shape, reinterpret_cast<const double*>(a), reinterpret_cast<const double*>(b),
                              reinterpret_cast<const double*>(c), reinterpret_cast<double*>(d)},
                lanes.multiply_doubles);
        });
    } else if (element(0) == MatrixElement::s32) {
        with_operands<u32>(warp, matrix, mask, [&](const u32* a, const u32* b, const u32* c, u32* d) {
            lanes.multiply_integers({shape, operation_of(form), matrix_integer(element(1)),
                                     matrix_integer(element(2)), form.saturates, a, b, c, d});
        });
    } else {
        with_operands<u32>(warp, matrix, mask, [&](const u32* a, const u32* b, const u32* c, u32* d) {
            multiply(FloatProduct{shape, matrix_float(element(1)), matrix_float(element(2)),
                                  matrix_float(element(3)), element(0) == MatrixElement::f16, a, b, c, d},
                     lanes.multiply_floats);
        });
    }
}

void transpose_matrix(Warp& warp, const DecodedOp& op, u32 mask) {
    require_whole_warp(warp, op, mask);
    const MatrixOp& matrix = warp.block->kernel().matrices[op.flags];
    u32 from[64], to[64];
    gather_matrix(warp, matrix.operands[1], from);
    for (int i = 0; i < 64; ++i) to[i % 8 * 8 + i / 8] = from[i];
    scatter_matrix(warp, matrix.operands[0], to, mask);
}

}  // namespace warplens::simt
