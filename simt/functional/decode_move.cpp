// mov between scalars and vectors of smaller ones; fences, hints and everything else without an effect here.
#include <array>

#include "simt/functional/decoder.h"
#include "simt/functional/exec_auxiliary.h"
#include "simt/functional/exec_order.h"
#include "simt/functional/exec_pack.h"
#include "simt/functional/executor_table.h"

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

}  // namespace

bool decode_move(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    if (instruction.opcode != "mov" || instruction.operands.size() != 2) return false;
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
