// Matrix instructions: the engine's own. The registers of a lane hold the same parts of a matrix as those of
// the PTX instruction that the assembler makes them from.
#include "simt/functional/execute/tensor.h"

#include <algorithm>

#include "simt/functional/machine/lowering.h"
#include "simt/functional/machine/machine_address.h"
#include "simt/functional/machine/meaning.h"

namespace warplens::simt {

namespace {

using enum sass::InstructionId;

MatrixOp::Operand operand_of(const MatrixFragment& fragment, Row first) {
    MatrixOp::Operand operand{fragment, {}, {}};
    for (int i = 0; i < fragment.registers(); ++i)
        operand.registers.push_back(first + static_cast<u32>(i) * word_row_bytes);
    for (int lane = 0; lane < warp_size; ++lane)
        for (int e = 0; e < fragment.elements; ++e) {
            const MatrixPlace at = fragment.place(lane, e);
            operand.places.push_back(static_cast<u16>(at.row * fragment.columns + at.column));
        }
    return operand;
}

u32 keep(Lowering& lowering, MatrixOp matrix) {
    lowering.kernel().matrices.push_back(std::move(matrix));
    return static_cast<u32>(lowering.kernel().matrices.size() - 1);
}

/// Zero and the sink have four rows, which is as many as an operand has here.
bool lower_product(Lowering& lowering) {
    const std::string_view shape = lowering.modifier_name("hmma_shape"),
                           input = lowering.modifier_name("hmma_input"),
                           result = lowering.modifier_name("hmma_result");
    if (lowering.modifier("SP") != 0 || lowering.modifier("SATFINITE") != 0 ||
        (shape != "16816" && shape != "1688") || input == "TF32" || lowering.source_count() != 3 ||
        lowering.is_negated(0) || lowering.is_negated(1) ||
        lowering.predicate(87) != lowering.rows().true_predicate())
        return false;
    const std::string to = result == "F32" ? "f32" : "f16", from = input == "BF16" ? "bf16" : "f16";
    auto form = matrix_instruction(fmt::format("mma.sync.aligned.m16n8k{}.row.col.{}.{}.{}.{}",
                                               shape == "16816" ? 16 : 8, to, from, from, to));
    if (!form) return false;
    MatrixOp matrix;
    const Row rows[] = {lowering.result(), lowering.plain(0), lowering.plain(1), lowering.plain(2)};
    for (std::size_t i = 0; i < 4; ++i) matrix.operands.push_back(operand_of(form->fragments[i], rows[i]));
    matrix.form = std::move(*form);
    lowering.add(multiply_matrices).flags = keep(lowering, std::move(matrix));
    return true;
}

bool lower_transposition(Lowering& lowering) {
    auto form = matrix_instruction("movmatrix.sync.aligned.m8n8.trans.b16");
    if (!form || lowering.modifier_name("movm") != "16.MT88") return false;
    MatrixOp matrix;
    for (const Row row : {lowering.result(), lowering.plain(0)})
        matrix.operands.push_back(operand_of(form->fragments[0], row));
    matrix.form = std::move(*form);
    lowering.add(transpose_matrix).flags = keep(lowering, std::move(matrix));
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
        matrix.operands.push_back(operand_of(fragment, data));
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
    matrix.form = std::move(*form);
    access.flags = keep(lowering, std::move(matrix));
    complete(lowering, access, load ? load_matrix_rows : store_matrix_rows);
    return true;
}

constexpr Meaning tensor_table[] = {{HMMA, lower_product},
                                    {HMMA_75, lower_product},
                                    {MOVM, lower_transposition},
                                    {LDSM, lower_rows<true>},
                                    {STSM, lower_rows<false>}};

}  // namespace

Meanings tensor_meanings() { return tensor_table; }

}  // namespace warplens::simt
