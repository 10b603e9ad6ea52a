// mov between scalars and vectors of smaller ones; fences, hints and everything else without an effect here.
#include <algorithm>
#include <array>

#include "simt/functional/decode/decoder.h"
#include "simt/functional/execute/auxiliary.h"
#include "simt/functional/execute/executor_table.h"
#include "simt/functional/execute/order.h"
#include "simt/functional/execute/pack.h"

namespace warplens::simt {

namespace {

bool decode_pack(Decoder& decoder, const ptx::Vector& vector, bool pack_elements) {
    const ptx::Instruction& instruction = decoder.instruction();
    const int whole = ptx::size_of(instruction.type());
    const std::size_t count = vector.elements.size();
    if (whole > 8 || (count != 2 && count != 4) || whole % static_cast<int>(count) != 0) return false;
    const Shape shape = whole == 8 ? Shape::wide : Shape::word;
    DecodedOp op;
    op.flags = static_cast<u32>(count);
    op.element_bytes = static_cast<u8>(whole / static_cast<int>(count));
    op.wide_address = whole == 8;
    for (std::size_t i = 0; i < count; ++i) {
        auto row = pack_elements ? decoder.source(vector.elements[i], Shape::word)
                                 : decoder.destination(vector.elements[i], Shape::word);
        if (!row) return false;
        op.rows[i] = *row;
    }
    auto other = pack_elements ? decoder.destination(instruction.operands[0], shape)
                               : decoder.source(instruction.operands[1], shape);
    if (!other) return false;
    op.rows[address_row] = *other;
    DecodedOp& added = decoder.add(pack_elements ? pack_vector : unpack_vector);
    op.execute = added.execute;
    op.site = added.site;
    added = op;
    return true;
}

/// The rows of a .b128 register, or of the equivalent pair of 64-bit registers in braces.
std::optional<std::array<Row, 2>> halves_of(Decoder& decoder, const ptx::Operand& operand, bool result) {
    const auto* vector = std::get_if<ptx::Vector>(&operand.value);
    if (!vector) return decoder.quad(operand);
    if (vector->elements.size() != 2) return std::nullopt;
    std::array<Row, 2> rows{};
    for (std::size_t i = 0; i < 2; ++i) {
        const auto row = result ? decoder.destination(vector->elements[i], Shape::wide)
                                : decoder.source(vector->elements[i], Shape::wide);
        if (!row) return std::nullopt;
        rows[i] = *row;
    }
    return rows;
}

bool decode_quad_move(Decoder& decoder) {
    const auto& operands = decoder.instruction().operands;
    const auto to = halves_of(decoder, operands[0], true), from = halves_of(decoder, operands[1], false);
    if (!to || !from) return false;
    for (std::size_t i = 0; i < 2; ++i) {
        DecodedOp& op = decoder.add(find_executor("mov.u64")->execute);
        op.rows[0] = (*to)[i];
        op.rows[1] = (*from)[i];
    }
    return true;
}

/// mov.v4.u32 {x, y, z, w}, %tid: the old spelling of %tid.x, %tid.y, %tid.z and a zero.
bool decode_special_vector(Decoder& decoder, const ptx::Vector& vector) {
    const auto* special = std::get_if<ptx::SpecialRegister>(&decoder.instruction().operands[1].value);
    if (!special || vector.elements.size() != 4 || decoder.instruction().vector_width != 4) return false;
    constexpr std::array axes{".x", ".y", ".z"};
    for (std::size_t i = 0; i < 4; ++i) {
        const auto to = decoder.destination(vector.elements[i], Shape::word);
        const auto from = i == 3
                              ? std::optional(decoder.constant(Shape::word, 0))
                              : decoder.source({ptx::SpecialRegister{special->name + axes[i]}}, Shape::word);
        if (!to || !from) return false;
        DecodedOp& op = decoder.add(find_executor("mov.u32")->execute);
        op.rows[0] = *to;
        op.rows[1] = *from;
    }
    return true;
}

/// mov.pred %p, %is_explicit_cluster: true if not 0.
bool decode_special_predicate(Decoder& decoder) {
    const auto& operands = decoder.instruction().operands;
    const auto p = decoder.destination(operands[0], Shape::predicate);
    const auto value = decoder.source(operands[1], Shape::word);
    if (!p || !value) return false;
    DecodedOp& op = decoder.add(find_executor("ne.u32")->execute);
    const Row rows[] = {*p, *p, *value, decoder.constant(Shape::word, 0)};
    std::copy(std::begin(rows), std::end(rows), op.rows);
    return true;
}

}  // namespace

bool decode_move(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    if (instruction.opcode != "mov" || instruction.operands.size() != 2) return false;
    if (instruction.type() == ptx::Type::pred &&
        std::holds_alternative<ptx::SpecialRegister>(instruction.operands[1].value))
        return decode_special_predicate(decoder);
    if (instruction.type() == ptx::Type::b128) return decode_quad_move(decoder);
    if (auto* vector = std::get_if<ptx::Vector>(&instruction.operands[0].value); instruction.vector_width > 1)
        return vector != nullptr && decode_special_vector(decoder, *vector);
    if (auto* vector = std::get_if<ptx::Vector>(&instruction.operands[0].value))
        return decode_pack(decoder, *vector, false);
    if (auto* vector = std::get_if<ptx::Vector>(&instruction.operands[1].value))
        return decode_pack(decoder, *vector, true);
    return false;
}

bool decode_nothing(Decoder& decoder) {
    constexpr std::array names{"membar",  "fence", "prefetch",   "prefetchu",     "pmevent",
                               "discard", "brkpt", "setmaxnreg", "applypriority", "griddepcontrol"};
    const ptx::Instruction& instruction = decoder.instruction();
    if (instruction.opcode == "createpolicy") {  // opaque: only memory instructions use it, as a hint
        const auto d = instruction.operands.empty()
                           ? std::nullopt
                           : decoder.destination(instruction.operands[0], Shape::wide);
        if (!d) return false;
        DecodedOp& op = decoder.add(find_executor("mov.u64")->execute);
        op.rows[0] = *d;
        op.rows[1] = decoder.constant(Shape::wide, 0);
        return true;
    }
    bool known = false;
    for (const char* name : names) known |= instruction.opcode == name;
    if (!known) return false;
    if (instruction.opcode == "membar" || instruction.opcode == "fence") {
        decoder.add(execute_fence).flags = instruction.has("cta") ? 0 : 1;
    } else {
        decoder.add(execute_nothing);
    }
    return true;
}

}  // namespace warplens::simt
