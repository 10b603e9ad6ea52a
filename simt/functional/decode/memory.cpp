// Loads, stores and address conversions.
#include "simt/functional/execute/memory.h"
#include "simt/functional/decode/decoder.h"
#include "simt/functional/execute/executor_table.h"
#include "simt/functional/memory/memory_access.h"

namespace warplens::simt {

namespace {

Space space_of_access(const ptx::Instruction& instruction) {
    for (const std::string& modifier : instruction.modifiers) {
        if (modifier == "global") return Space::global;
        if (modifier == "shared::cluster") return Space::shared_cluster;
        if (modifier.starts_with("shared")) return Space::shared;
        if (modifier == "local") return Space::local;
        if (modifier == "const") return Space::constant;
        if (modifier.starts_with("param")) return Space::param;
    }
    return Space::none;
}

u64 window_of(Space space) {
    switch (space) {
        case Space::shared:
        case Space::shared_cluster:
            return shared_window;
        case Space::local:
            return local_window;
        case Space::constant:
            return constant_window;
        case Space::param:
            return param_window;
        default:
            return 0;
    }
}

bool extends_sign(ptx::Type type) { return ptx::class_of(type) == ptx::TypeClass::signed_integer; }

/// Rows of a scalar or of a vector's elements.
bool data_rows(Decoder& decoder, const ptx::Operand& operand, ptx::Type type, bool load, DecodedOp& op) {
    Shape shape = shape_of(type);
    if (shape == Shape::predicate) return false;
    std::vector<ptx::Operand> one{operand};
    const std::vector<ptx::Operand>* elements = &one;
    if (auto* vector = std::get_if<ptx::Vector>(&operand.value)) elements = &vector->elements;
    if (elements->size() != op.vector_width || op.vector_width > address_row) return false;
    for (std::size_t i = 0; i < elements->size(); ++i) {
        auto row = load ? decoder.destination((*elements)[i], shape, extends_sign(type))
                        : decoder.source((*elements)[i], shape);
        if (!row) return false;
        op.rows[i] = *row;
    }
    return true;
}

bool decode_access(Decoder& decoder, bool load) {
    const ptx::Instruction& instruction = decoder.instruction();
    if (instruction.operands.size() < 2 || instruction.types.size() != 1) return false;
    const ptx::Type type = instruction.type();
    const ptx::Operand& data = instruction.operands[load ? 0 : 1];
    const ptx::Operand& where = instruction.operands[load ? 1 : 0];
    DecodedOp op;
    op.element_bytes = static_cast<u8>(ptx::size_of(type));
    op.vector_width = static_cast<u8>(instruction.vector_width);
    op.sign_extends = extends_sign(type);
    op.space = space_of_access(instruction);
    if (type == ptx::Type::b128) {  // two halves, one access
        const auto halves = decoder.quad(data);
        if (!halves || op.vector_width != 1) return false;
        op.element_bytes = 8;
        op.vector_width = 2;
        op.rows[0] = (*halves)[0];
        op.rows[1] = (*halves)[1];
    } else {
        if (op.element_bytes == 0 || !data_rows(decoder, data, type, load, op)) return false;
    }

    auto place = decoder.place(where);
    if (op.space == Space::param && place && place->space == Space::param) {
        op.immediate = place->offset;
        op.execute = !place->kernel_parameter ? (load ? load_parameter : store_parameter)
                     : load                   ? load_kernel_parameter
                                              : nullptr;
        if (!op.execute) return false;
        const u64 end =
            place->kernel_parameter ? decoder.kernel().kernel_param_bytes : decoder.kernel().param_bytes;
        if (op.immediate > end || op.bytes() > end - op.immediate) return false;
    } else {
        if (!decoder.address(where, op)) return false;
        decoder.examine(where, op, load);
        op.execute = access_executor(op, load);
    }
    const bool watches = instruction.has("volatile") || instruction.has("acquire") ||
                         instruction.has("relaxed") || instruction.has("mmio");
    if (load && watches && (op.space == Space::global || op.space == Space::none))
        decoder.kernel().ordered = true;
    DecodedOp& added = decoder.add(op.execute);
    op.site = added.site;
    added = op;
    return true;
}

bool decode_address_conversion(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    if (instruction.operands.size() != 2 || instruction.type() != ptx::Type::u64) return false;
    auto d = decoder.destination(instruction.operands[0], Shape::wide);
    auto a = decoder.source(instruction.operands[1], Shape::wide);
    if (!d || !a) return false;
    u64 window = window_of(space_of_access(instruction));
    const char* key = window == 0 ? "mov.u64" : instruction.has("to") ? "sub.u64" : "add.u64";
    DecodedOp& op = decoder.add(find_executor(key)->execute);
    op.rows[0] = *d;
    op.rows[1] = *a;
    if (window != 0) op.rows[2] = decoder.constant(Shape::wide, window);
    return true;
}

bool decode_space_question(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    if (instruction.operands.size() != 2) return false;
    auto p = decoder.destination(instruction.operands[0], Shape::predicate);
    auto a = decoder.source(instruction.operands[1], Shape::wide);
    if (!p || !a) return false;
    DecodedOp& op = decoder.add(is_space);
    op.space = space_of_access(instruction);
    op.rows[0] = *p;
    op.rows[1] = *a;
    return true;
}

}  // namespace

bool decode_memory(Decoder& decoder) {
    const std::string& opcode = decoder.instruction().opcode;
    if (opcode == "ld" || opcode == "ldu") return decode_access(decoder, true);
    if (opcode == "st") return decode_access(decoder, false);
    if (opcode == "cvta") return decode_address_conversion(decoder);
    if (opcode == "isspacep") return decode_space_question(decoder);
    return false;
}

}  // namespace warplens::simt
