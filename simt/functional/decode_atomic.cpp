// atom and red, and whether a kernel's atomics let blocks see each other's order.
#include "simt/functional/decoder.h"
#include "simt/functional/exec_atomic.h"

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

bool decode_atomic(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    const bool red = instruction.opcode == "red";
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
    if (op.space != Space::shared && op.space != Space::shared_cluster) {
        const bool unseen = red || !decoder.is_read(instruction.operands[0]);
        if (!unseen || !atomic->commutes) decoder.kernel().ordered = true;
    }
    DecodedOp& added = decoder.add(atomic->execute);
    op.execute = added.execute;
    op.site = added.site;
    added = op;
    return true;
}

}  // namespace warplens::simt
