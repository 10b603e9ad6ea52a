// Matrix products: the engine's own. A lane's registers hold the same parts of a matrix as those of the PTX
// instruction that the assembler makes them from, of 64 bits in pairs of registers.
#include "simt/functional/execute/tensor.h"
#include "simt/functional/machine/lowering.h"
#include "simt/functional/machine/matrix_rows.h"
#include "simt/functional/machine/meaning.h"

namespace warplens::simt {

namespace {

using enum sass::InstructionId;

/// "m16n8k16" from "16816" or "16x8x16", "m8n8k4" from "884"; empty where it is no such shape.
std::string shape_in_ptx(std::string_view shape) {
    const std::string_view m = shape.starts_with("16") ? "16" : "8",
                           x = shape.find('x') != shape.npos ? "x" : "";
    const std::string before = fmt::format("{}{}8{}", m, x, x);
    if (!shape.starts_with(before)) return {};
    return fmt::format("m{}n8k{}", m, shape.substr(before.size()));
}

/// `opcode` in PTX; false where the engine has no such product, or a source is changed on its way.
bool add_product(Lowering& lowering, const std::string& opcode) {
    auto form = matrix_instruction(opcode);
    if (!form || lowering.source_count() != 3 || lowering.predicate(87) != lowering.rows().true_predicate())
        return false;
    for (std::size_t i = 0; i < 3; ++i)
        if (lowering.is_negated(i) || lowering.source_operand(i).absolute) return false;
    MatrixOp matrix;
    const Row rows[] = {lowering.result(), lowering.plain(0), lowering.plain(1), lowering.plain(2)};
    for (std::size_t i = 0; i < 4; ++i)
        matrix.operands.push_back(matrix_operand(lowering, form->fragments[i], rows[i]));
    matrix.form = std::move(*form);
    lowering.add(multiply_matrices).flags = keep_matrix(lowering, std::move(matrix));
    return true;
}

bool lower_float_product(Lowering& lowering) {
    const std::string_view input = lowering.modifier_name("hmma_input");
    const std::string shape = shape_in_ptx(lowering.modifier_name("hmma_shape"));
    if (lowering.modifier("SP") != 0 || lowering.modifier("SATFINITE") != 0 || shape.empty()) return false;
    const char* to = lowering.modifier_name("hmma_result") == "F32" ? "f32" : "f16";
    const char* from = input == "BF16" ? "bf16" : input == "TF32" ? "tf32" : "f16";
    return add_product(lowering,
                       fmt::format("mma.sync.aligned.{0}.row.col.{1}.{2}.{2}.{1}", shape, to, from));
}

bool lower_double_product(Lowering& lowering) {
    const std::string shape = shape_in_ptx(lowering.modifier_name("dmma_shape"));
    if (shape.empty() || !lowering.modifier_name("round").empty()) return false;
    return add_product(lowering, fmt::format("mma.sync.aligned.{}.row.col.f64.f64.f64.f64", shape));
}

const char* integer_in_ptx(std::string_view name) {
    return name == "U8" ? "u8" : name == "S8" ? "s8" : name == "U4" ? "u4" : "s4";
}

bool lower_integer_product(Lowering& lowering) {
    const std::string shape = shape_in_ptx(lowering.modifier_name("imma_shape"));
    std::vector<const char*> inputs;  // of A, of B
    for (const sass::Modifier& each : lowering.instruction().modifiers)
        if (each.spec->name == "imma_input")
            inputs.push_back(integer_in_ptx(each.spec->kind->values[each.value]));
    if (lowering.modifier("SP") != 0 || shape.empty() || inputs.size() != 2) return false;
    return add_product(lowering,
                       fmt::format("mma.sync.aligned.{}.row.col{}.s32.{}.{}.s32", shape,
                                   lowering.modifier("SAT") != 0 ? ".satfinite" : "", inputs[0], inputs[1]));
}

bool lower_bit_product(Lowering& lowering) {
    const std::string shape = shape_in_ptx(lowering.modifier_name("bmma_shape"));
    const char* combines = lowering.modifier_name("bmma_operation") == "AND" ? "and" : "xor";
    return !shape.empty() &&
           add_product(lowering,
                       fmt::format("mma.sync.aligned.{}.row.col.s32.b1.b1.s32.{}.popc", shape, combines));
}

constexpr Meaning product_table[] = {{HMMA, lower_float_product},
                                     {HMMA_75, lower_float_product},
                                     {DMMA, lower_double_product},
                                     {IMMA, lower_integer_product},
                                     {BMMA, lower_bit_product}};

}  // namespace

Meanings product_meanings() { return product_table; }

}  // namespace warplens::simt
