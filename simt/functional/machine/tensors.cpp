// Matrices moved between registers, and between registers and shared memory: the engine's own operations.
#include "simt/functional/execute/tensor.h"

#include <algorithm>

#include "simt/functional/machine/lowering.h"
#include "simt/functional/machine/machine_address.h"
#include "simt/functional/machine/matrix_rows.h"
#include "simt/functional/machine/meaning.h"

namespace warplens::simt {

namespace {

using enum sass::InstructionId;

bool lower_transposition(Lowering& lowering) {
    auto form = matrix_instruction("movmatrix.sync.aligned.m8n8.trans.b16");
    if (!form || lowering.modifier_name("movm") != "16.MT88") return false;
    MatrixOp matrix;
    for (const Row row : {lowering.result(), lowering.plain(0)})
        matrix.operands.push_back(matrix_operand(lowering, form->fragments[0], row));
    matrix.form = std::move(*form);
    lowering.add(transpose_matrix).flags = keep_matrix(lowering, std::move(matrix));
    return true;
}

template <bool load>
bool lower_rows(Lowering& lowering) {
    const std::string_view layout = lowering.modifier_name(load ? "ldsm_layout" : "stsm_layout");
    if (layout != "M88" && layout != "MT88") return false;
    const std::string_view count = lowering.modifier_name("ldsm_count");
    auto form = matrix_instruction(fmt::format("{}.sync.aligned.m8n8.x{}{}.shared.b16",
                                               load ? "ldmatrix" : "stmatrix", count.empty() ? "1" : count,
                                               layout == "MT88" ? ".trans" : ""));
    if (!form) return false;
    MatrixOp matrix;
    Row data = load ? lowering.result() : lowering.plain(0);
    for (const MatrixFragment& fragment : form->fragments) {
        matrix.operands.push_back(matrix_operand(lowering, fragment, data));
        data += word_row_bytes;
    }
    MachineRows& rows = lowering.rows();
    DecodedOp access;
    access.space = Space::shared;
    access.element_bytes = 4;
    access.rows[0] = rows.zero();
    const u32 words = std::max(1u, static_cast<u32>(form->bytes_per_request()) / 4);
    for (u32 i = 0; i < words; ++i) access.rows[1 + i] = rows.scratch(1);
    if (!lower_address(lowering, access)) return false;
    access.rows[address_row + 1] = rows.scratch(2);
    access.window = lowering.kernel().window_count++;
    access.rows[matrix_examined_row] = rows.scratch(1);
    set_matrix_access(matrix, access, static_cast<u32>(form->bytes_per_request()), load);
    matrix.form = std::move(*form);
    access.flags = keep_matrix(lowering, std::move(matrix));
    complete(lowering, access, load ? load_matrix_rows : store_matrix_rows);
    return true;
}

constexpr Meaning tensor_table[] = {
    {MOVM, lower_transposition}, {LDSM, lower_rows<true>}, {STSM, lower_rows<false>}};

}  // namespace

MatrixOp::Operand matrix_operand(Lowering& lowering, const MatrixFragment& fragment, Row first) {
    MatrixOp::Operand operand{fragment, {}, {}, fragment.element == MatrixElement::f64};
    const bool fixed = first == lowering.rows().zero() || first == lowering.rows().sink();
    const u32 step = fixed ? 0 : operand.in_pairs ? 2 : 1;
    for (int i = 0; i < fragment.registers(); ++i)
        operand.registers.push_back(first + static_cast<u32>(i) * step * word_row_bytes);
    for (int e = 0; e < fragment.elements; ++e)
        for (int lane = 0; lane < warp_size; ++lane) {
            const MatrixPlace at = fragment.place(lane, e);
            operand.places.push_back(static_cast<u16>(at.row * fragment.columns + at.column));
        }
    return operand;
}

u32 keep_matrix(Lowering& lowering, MatrixOp matrix) {
    lowering.kernel().matrices.push_back(std::move(matrix));
    return static_cast<u32>(lowering.kernel().matrices.size() - 1);
}

Meanings tensor_meanings() { return tensor_table; }

}  // namespace warplens::simt
