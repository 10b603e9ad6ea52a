#include "sass/decoder.h"

#include <cstring>

#include "sass/instruction_table.h"

namespace warplens::sass {

namespace {

bool flag(const Encoding& encoding, std::int16_t bit) {
    return bit >= 0 && encoding.bit(static_cast<unsigned>(bit));
}

class Decoder {
  public:
    Decoder(const Encoding& encoding, std::uint64_t offset, int sm)
        : encoding_(encoding), offset_(offset), sm_(sm) {}

    Operand operand(const OperandSpec& spec) const {
        Operand result;
        result.kind = spec.kind;
        result.number = spec.number;
        result.destination = spec.destination;
        result.spec = &spec;
        result.negated = flag(encoding_, spec.negate);
        result.absolute = flag(encoding_, spec.absolute);
        result.inverted = flag(encoding_, spec.invert);
        if (flag(encoding_, spec.bfloat)) result.number = NumberType::bfloat2;
        result.reuse = flag(encoding_, spec.reuse);
        if (spec.swizzle) result.swizzle = static_cast<std::uint8_t>(spec.swizzle_field.of(encoding_));
        const std::uint64_t raw = spec.field.of(encoding_);
        switch (spec.kind) {
            case OperandKind::uniform_register:
                result.index = uniform(raw);
                break;
            case OperandKind::predicate:
            case OperandKind::uniform_predicate:
                result.index = static_cast<std::uint16_t>(spec.complemented ? predicate_true - raw : raw);
                break;
            case OperandKind::general_register:
            case OperandKind::special_register:
            case OperandKind::scoreboard:
            case OperandKind::convergence_barrier:
                result.index = static_cast<std::uint16_t>(raw);
                break;
            case OperandKind::immediate:
                result.value = spec.sign ? spec.field.signed_of(encoding_) * spec.unit
                                         : static_cast<std::int64_t>(raw * spec.unit);
                break;
            case OperandKind::scoreboards:
            case OperandKind::keyword:
                result.value = static_cast<std::int64_t>(raw);
                break;
            case OperandKind::target:
                result.value = static_cast<std::int64_t>(
                    offset_ + instruction_bytes +
                    static_cast<std::uint64_t>(spec.field.signed_of(encoding_)) * spec.unit);
                break;
            case OperandKind::constant:
                constant(spec, result);
                break;
            case OperandKind::address:
                address(spec.address, result);
                break;
        }
        return result;
    }

    bool hidden(const OperandSpec& spec) const {
        if (!hold(spec.conditions, encoding_)) return true;
        if (!spec.has_hidden) return false;
        const bool negated = spec.kind != OperandKind::immediate && flag(encoding_, spec.negate);
        const std::uint64_t value = spec.field.of(encoding_);
        if (spec.kind == OperandKind::uniform_register) return uniform(value) == uniform(spec.hidden);
        return !negated && value == spec.hidden;
    }

  private:
    std::uint16_t uniform(std::uint64_t raw) const {
        return static_cast<std::uint16_t>(raw & uniform_zero(sm_));
    }

    void constant(const OperandSpec& spec, Operand& result) const {
        const BitField offset{{{{static_cast<std::uint8_t>(spec.address.offset), spec.address.offset_bits}}},
                              1};
        result.value = offset.signed_of(encoding_);
        result.bank = static_cast<std::uint8_t>(encoding_.bits(54, 5));
        if (spec.address.general >= 0) {
            result.index = static_cast<std::uint16_t>(encoding_.bits(24, 8));
        } else if (spec.address.uniform >= 0) {
            result.index = uniform(encoding_.bits(24, 8));
        }
        if (spec.address.general < 0 && spec.address.uniform < 0 && encoding_.bit(91))
            result.uniform = uniform(encoding_.bits(32, 6));
    }

    void address(const AddressFields& fields, Operand& result) const {
        if (fields.general >= 0)
            result.index =
                static_cast<std::uint16_t>(encoding_.bits(static_cast<unsigned>(fields.general), 8));
        const bool has_uniform =
            fields.uniform >= 0 && (fields.has_uniform < 0 || flag(encoding_, fields.has_uniform));
        if (has_uniform) result.uniform = uniform(encoding_.bits(static_cast<unsigned>(fields.uniform), 8));
        unsigned first = static_cast<unsigned>(fields.offset), width = fields.offset_bits;
        if (fields.wide_offset && !has_uniform) first -= 8, width = 32;
        if (fields.offset >= 0) {
            const BitField offset{{{{static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(width)}}},
                                  1};
            result.value = offset.signed_of(encoding_);
        }
        if (fields.scale >= 0) {
            constexpr std::uint8_t scales[] = {1, 4, 8, 16};
            result.scale = scales[encoding_.bits(static_cast<unsigned>(fields.scale), 2)];
        }
        result.wide_register = has_uniform && (fields.always_wide || flag(encoding_, fields.wide));
        result.descriptor = has_uniform && flag(encoding_, fields.descriptor);
        result.descriptor_shown = result.descriptor && (sm_ >= 90 || encoding_.bit(101));
    }

    const Encoding& encoding_;
    std::uint64_t offset_;
    int sm_;
};

}  // namespace

std::uint16_t uniform_zero(int sm) { return sm >= 100 ? 255 : 63; }

bool is_known_target(int sm) { return sm >= 70 && sm <= 121; }

Control control_of(const Encoding& encoding) {
    Control control;
    control.stall = static_cast<std::uint8_t>(encoding.bits(105, 4));
    control.yield = !encoding.bit(109);
    control.write_scoreboard = static_cast<std::uint8_t>(encoding.bits(110, 3));
    control.read_scoreboard = static_cast<std::uint8_t>(encoding.bits(113, 3));
    control.wait_mask = static_cast<std::uint8_t>(encoding.bits(116, 6));
    control.reuse = static_cast<std::uint8_t>(encoding.bits(122, 4));
    return control;
}

Instruction decode(const Encoding& encoding, std::uint64_t offset, int sm) {
    Instruction instruction;
    instruction.encoding = encoding;
    instruction.control = control_of(encoding);
    const Row* row = find_row(encoding, sm);
    if (!row) return instruction;
    instruction.guard = static_cast<std::uint8_t>(encoding.bits(12, 3));
    instruction.guard_negated = encoding.bit(15);
    instruction.guard_uniform = row->pipe == Pipe::uniform;
    for (const ModifierSpec& spec : row->modifiers) {
        if (!hold(spec.conditions, encoding)) continue;
        const auto value = static_cast<std::uint8_t>(spec.field.of(encoding));
        if (spec.kind && (value >= spec.kind->values.size() || spec.kind->values[value] == "?"))
            return instruction;
        instruction.modifiers.push_back({&spec, value});
    }
    const Decoder decoder(encoding, offset, sm);
    const auto& specs = row->operands[encoding.bits(9, 3)];
    instruction.operands.reserve(specs.size());
    for (const OperandSpec& spec : specs) {
        if (decoder.hidden(spec)) continue;
        const Operand operand = decoder.operand(spec);
        if (spec.names) {
            const auto value = static_cast<std::size_t>(operand.value);
            if (value >= spec.names->values.size() || spec.names->values[value] == "?") return instruction;
        }
        if (spec.swizzle &&
            (operand.swizzle >= spec.swizzle->values.size() || spec.swizzle->values[operand.swizzle] == "?"))
            return instruction;
        instruction.operands.push_back(operand);
        if (row->pipe == Pipe::texture) instruction.operands.back().reuse = false;
    }
    instruction.row = row;
    return instruction;
}

std::vector<Instruction> decode(std::string_view code, int sm) {
    std::vector<Instruction> instructions;
    instructions.reserve(code.size() / instruction_bytes);
    for (std::size_t at = 0; at + instruction_bytes <= code.size(); at += instruction_bytes) {
        Encoding encoding;
        std::memcpy(&encoding.low, code.data() + at, 8);
        std::memcpy(&encoding.high, code.data() + at + 8, 8);
        instructions.push_back(decode(encoding, at, sm));
    }
    return instructions;
}

unsigned Instruction::modifier(std::string_view name) const {
    for (const Modifier& each : modifiers)
        if (each.spec->name == name) return each.value;
    return 0;
}

}  // namespace warplens::sass
