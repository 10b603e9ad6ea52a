// atom and red, and whether a kernel's atomics let blocks observe each other's order.
#include <algorithm>
#include <array>

#include "simt/functional/decode/decoder.h"
#include "simt/functional/execute/atomic.h"

namespace warplens::simt {

namespace {

Space atomic_space(const ptx::Instruction& instruction) {
    if (instruction.has("global")) return Space::global;
    if (instruction.has("shared::cluster")) return Space::shared_cluster;
    for (const std::string& modifier : instruction.modifiers)
        if (modifier.starts_with("shared")) return Space::shared;
    return Space::none;
}

std::string operation_of(const ptx::Instruction& instruction) {
    for (const char* name : {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"})
        if (instruction.has(name)) return name;
    return "";
}

}  // namespace

namespace {

/// red.global.add.v4.f32 [a], {…} and atom, which has a vector of results in front.
bool decode_vector_atomic(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    const std::size_t first = instruction.opcode == "red" ? 0 : 1;
    const auto& operands = instruction.operands;
    const AtomicRow* atomic = find_vector_atomic(operation_of(instruction), instruction.type());
    if (!atomic || atomic_space(instruction) != Space::global || operands.size() < first + 2) return false;
    DecodedOp op;
    op.space = Space::global;
    op.element_bytes = static_cast<u8>(ptx::size_of(instruction.type()));
    op.vector_width = static_cast<u8>(instruction.vector_width);
    op.window = decoder.kernel().window_count++;
    const auto* data = std::get_if<ptx::Vector>(&operands[first + 1].value);
    const auto* results = first == 0 ? nullptr : std::get_if<ptx::Vector>(&operands[0].value);
    if (!data || data->elements.size() != op.vector_width || op.vector_width > address_row ||
        (first != 0 && (!results || results->elements.size() != op.vector_width)) ||
        !decoder.address(operands[first], op))
        return false;
    std::array<Row, 8> result_rows{};
    const Shape shape = shape_of(instruction.type());
    for (std::size_t i = 0; i < op.vector_width; ++i) {
        const auto row = decoder.source(data->elements[i], shape);
        const auto result =
            results ? decoder.destination(results->elements[i], shape) : std::optional<Row>(0);
        if (!row || !result) return false;
        op.rows[i] = *row;
        result_rows[i] = *result;
    }
    if (results) {
        decoder.kernel().vector_results.push_back(result_rows);
        op.flags = static_cast<u32>(decoder.kernel().vector_results.size());
    }
    decoder.kernel().ordered = true;  // sums of floats do not commute
    DecodedOp& added = decoder.add(atomic->execute);
    op.execute = added.execute;
    op.site = added.site;
    added = op;
    return true;
}

/// atom.exch.b128 d, [a], b and atom.cas.b128 d, [a], b, c.
bool decode_quad_atomic(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    const bool swaps = instruction.has("cas");
    const auto& operands = instruction.operands;
    if ((!swaps && !instruction.has("exch")) || operands.size() < (swaps ? 4u : 3u)) return false;
    const auto d = decoder.quad(operands[0]), b = decoder.quad(operands[2]);
    const auto c = swaps ? decoder.quad(operands[3]) : b;
    DecodedOp op;
    op.space = atomic_space(instruction);
    op.element_bytes = 8;
    op.vector_width = 2;
    op.window = decoder.kernel().window_count++;
    if (!d || !b || !c || !decoder.address(operands[1], op)) return false;
    const Row rows[] = {(*d)[0], (*d)[1], (*b)[0], (*b)[1], (*c)[0], (*c)[1]};
    std::copy(std::begin(rows), std::end(rows), op.rows);
    decoder.kernel().ordered = true;
    DecodedOp& added = decoder.add(swaps ? compare_and_swap_quad : exchange_quad);
    op.execute = added.execute;
    op.site = added.site;
    added = op;
    return true;
}

}  // namespace

bool decode_atomic(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    const bool red = instruction.opcode == "red";
    if (instruction.opcode == "atom" && instruction.type() == ptx::Type::b128)
        return instruction.vector_width == 1 && decode_quad_atomic(decoder);
    if ((red || instruction.opcode == "atom") && instruction.vector_width > 1)
        return instruction.types.size() == 1 && decode_vector_atomic(decoder);
    if ((!red && instruction.opcode != "atom") || instruction.types.size() != 1 ||
        instruction.vector_width != 1)
        return false;
    const std::string operation = operation_of(instruction);
    const ptx::Type type = instruction.type();
    const AtomicRow* atomic = find_atomic(operation, type);
    const std::size_t first = red ? 0 : 1;
    const std::size_t sources = operation == "cas" ? 2 : 1;
    if (!atomic || instruction.operands.size() < first + 1 + sources) return false;

    DecodedOp op;
    op.space = atomic_space(instruction);
    op.element_bytes = static_cast<u8>(ptx::size_of(type));
    op.window = decoder.kernel().window_count++;
    const Shape shape = shape_of(type);
    std::optional<Row> d =
        red ? decoder.destination({ptx::Sink{}}, shape) : decoder.destination(instruction.operands[0], shape);
    if (!d || !decoder.address(instruction.operands[first], op)) return false;
    op.rows[0] = *d;
    for (std::size_t i = 0; i < sources; ++i) {
        auto source = decoder.source(instruction.operands[first + 1 + i], shape);
        if (!source) return false;
        op.rows[1 + i] = *source;
    }
    bool counts = false;
    if (op.space != Space::shared && op.space != Space::shared_cluster) {
        const bool unseen = red || !decoder.is_read(instruction.operands[0]);
        if (!unseen || !atomic->commutes) decoder.kernel().ordered = true;
        counts = !unseen && atomic->counts;
    }
    DecodedOp& added = decoder.add(atomic->execute);
    op.execute = added.execute;
    op.site = added.site;
    added = op;
    if (counts) {
        decoder.counter = op.site;
        op.execute = note_counter;
        op.flags = operation == "cas" ? counter_swaps : 0;
        decoder.add(note_counter) = op;
    }
    return true;
}

}  // namespace warplens::simt
