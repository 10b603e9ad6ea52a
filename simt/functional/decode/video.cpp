// Video instructions: parts of registers as sources and result, and the operation on the result.
#include <algorithm>
#include <optional>

#include "simt/functional/decode/decoder.h"
#include "simt/functional/execute/video.h"

namespace warplens::simt {

namespace {

/// "vadd", "vadd2", "vadd4": the operation and the number of elements per register.
bool name_operation(std::string_view opcode, VideoForm& form) {
    constexpr std::pair<std::string_view, VideoOperation> names[] = {
        {"vadd", VideoOperation::add},          {"vsub", VideoOperation::subtract},
        {"vabsdiff", VideoOperation::distance}, {"vmin", VideoOperation::minimum},
        {"vmax", VideoOperation::maximum},      {"vavrg", VideoOperation::average},
        {"vshl", VideoOperation::shift_left},   {"vshr", VideoOperation::shift_right},
        {"vmad", VideoOperation::mad},          {"vset", VideoOperation::set}};
    if (opcode.ends_with('2') || opcode.ends_with('4')) {
        form.elements = static_cast<u8>(opcode.back() - '0');
        opcode.remove_suffix(1);
    }
    for (const auto& [name, operation] : names) {
        if (name != opcode) continue;
        form.operation = operation;
        return true;
    }
    return false;
}

bool is_signed_word(ptx::Type type) { return type == ptx::Type::s32; }

/// vset has the types of a and b; the others have that of d before them.
bool name_types(const ptx::Instruction& instruction, VideoForm& form) {
    const bool sets = form.operation == VideoOperation::set;
    const std::size_t first = sets ? 0 : 1;
    if (instruction.types.size() != first + 2) return false;
    for (const ptx::Type type : instruction.types)
        if (type != ptx::Type::u32 && type != ptx::Type::s32) return false;
    form.a_signed = is_signed_word(instruction.types[first]);
    form.b_signed = is_signed_word(instruction.types[first + 1]);
    form.d_signed = !sets && is_signed_word(instruction.types[0]);
    return true;
}

void name_comparison(const ptx::Instruction& instruction, VideoForm& form) {
    constexpr std::pair<const char*, VideoComparison> names[] = {
        {"eq", VideoComparison::eq}, {"ne", VideoComparison::ne}, {"lt", VideoComparison::lt},
        {"le", VideoComparison::le}, {"gt", VideoComparison::gt}, {"ge", VideoComparison::ge}};
    for (const auto& [name, comparison] : names)
        if (instruction.has(name)) form.comparison = comparison;
}

void name_modifiers(const ptx::Instruction& instruction, VideoForm& form) {
    form.saturate = instruction.has("sat");
    form.accumulates = instruction.has("add");
    form.wrap = instruction.has("wrap");
    form.plus_one = instruction.has("po");
    name_comparison(instruction, form);
}

/// Scalar forms for which an H100 gives other results than the PTX ISA states (found by
/// tests/gpu/run_ptx_cases.py): no result would be certain.
bool is_disputed(const ptx::Instruction& instruction, const VideoForm& form) {
    if (form.elements > 1) return false;
    for (const char* word : {"sat", "min", "max", "shr7", "shr15"})
        if (instruction.has(word)) return true;
    return form.d.shift != 0 || (form.operation == VideoOperation::set && form.d.bits != 32);
}

/// .b2 or .h1 of a scalar instruction.
std::optional<VideoForm::Part> part_of(const ptx::RegisterPart& part) {
    if (part.unit == 0) return VideoForm::Part{};
    const u8 bits = part.unit == 'b' ? 8 : 16;
    if (part.count != 1 || part.numbers[0] >= 32 / bits) return std::nullopt;
    return VideoForm::Part{bits, static_cast<u8>(part.numbers[0] * bits)};
}

/// .h32 or .b7531 of a SIMD instruction, by element; without a selector the elements from `first` on.
std::optional<std::array<u8, 4>> choice_of(const ptx::RegisterPart& part, u8 elements, u8 first) {
    std::array<u8, 4> from{};
    for (u8 i = 0; i < elements; ++i) from[i] = static_cast<u8>(first + i);
    if (part.unit == 0) return from;
    if (part.unit != (elements == 2 ? 'h' : 'b') || part.count != elements) return std::nullopt;
    for (u8 i = 0; i < elements; ++i) {
        from[i] = part.numbers[elements - 1u - i];
        if (from[i] >= 2 * elements) return std::nullopt;
    }
    return from;
}

bool name_parts(const std::vector<ptx::Operand>& operands, VideoForm& form) {
    if (form.elements == 1) {
        const auto d = part_of(operands[0].part), a = part_of(operands[1].part),
                   b = part_of(operands[2].part);
        if (!d || !a || !b) return false;
        form.d = *d, form.a = *a, form.b = *b;
        return true;
    }
    const auto a = choice_of(operands[1].part, form.elements, 0);
    const auto b = choice_of(operands[2].part, form.elements, form.elements);
    if (!a || !b) return false;
    form.a_from = *a, form.b_from = *b;
    const ptx::RegisterPart& mask = operands[0].part;
    if (mask.unit == 0) form.written = static_cast<u8>((1u << form.elements) - 1);
    for (u8 i = 0; i < mask.count; ++i) {
        if (mask.unit != (form.elements == 2 ? 'h' : 'b') || mask.numbers[i] >= form.elements) return false;
        form.written |= static_cast<u8>(1u << mask.numbers[i]);
    }
    return true;
}

/// Only vmad has negations: of the product or of c.
bool name_negations(const std::vector<ptx::Operand>& operands, VideoForm& form) {
    const bool any = std::ranges::any_of(operands, &ptx::Operand::negated);
    if (!any) return true;
    if (form.operation != VideoOperation::mad || form.plus_one) return false;
    form.negated_product = operands[1].negated != operands[2].negated;
    form.negated_c = operands[3].negated;
    return !(form.negated_product && form.negated_c);
}

ptx::Operand whole_register(ptx::Operand operand) {
    operand.part = {};
    operand.negated = false;
    return operand;
}

}  // namespace

bool decode_video(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    const auto& operands = instruction.operands;
    VideoForm form;
    if (!instruction.opcode.starts_with('v') || !name_operation(instruction.opcode, form)) return false;
    if (operands.size() < 3 || operands.size() > 4 || !name_types(instruction, form)) return false;
    name_modifiers(instruction, form);
    if (!name_parts(operands, form) || is_disputed(instruction, form)) return false;
    const bool has_c = operands.size() == 4;
    const bool wants_c =
        form.elements > 1 || form.operation == VideoOperation::mad || form.accumulates || form.d.bits != 32;
    if (has_c != wants_c || !name_negations(operands, form)) return false;
    if (has_c && operands[3].part.unit != 0) return false;

    const auto d = decoder.destination(whole_register(operands[0]), Shape::word);
    const auto a = decoder.source(whole_register(operands[1]), Shape::word);
    const auto b = decoder.source(whole_register(operands[2]), Shape::word);
    const auto c = has_c ? decoder.source(whole_register(operands[3]), Shape::word)
                         : std::optional<Row>(decoder.constant(Shape::word, 0));
    if (!d || !a || !b || !c) return false;
    DecodedOp& op = decoder.add(execute_video);
    const Row rows[] = {*d, *a, *b, *c};
    std::copy(std::begin(rows), std::end(rows), op.rows);
    op.flags = static_cast<u32>(decoder.kernel().videos.size());
    decoder.kernel().videos.push_back(form);
    return true;
}

}  // namespace warplens::simt
