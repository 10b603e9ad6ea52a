// Loads and stores. An address is put together by an operation of its own; the access itself is the engine's.
#include "simt/functional/memory/memory_access.h"

#include <algorithm>
#include <array>

#include "simt/functional/block/block_runner.h"
#include "simt/functional/machine/lowering.h"
#include "simt/functional/machine/machine_address.h"
#include "simt/functional/machine/meaning.h"
#include "simt/functional/machine/operations.h"

namespace warplens::simt {

std::optional<AccessWidth> width_of(std::string_view name) {
    if (name.empty()) return AccessWidth{};
    if (name == "U8") return AccessWidth{1, 1, false};
    if (name == "S8") return AccessWidth{1, 1, true};
    if (name == "U16") return AccessWidth{2, 1, false};
    if (name == "S16") return AccessWidth{2, 1, true};
    if (name == "64") return AccessWidth{4, 2, false};
    if (name == "128") return AccessWidth{4, 4, false};
    return std::nullopt;
}

namespace {

using enum sass::InstructionId;

constexpr std::array load_orders = {"load_order", "load_order_75"};

template <Space space, bool load>
bool lower_access(Lowering& lowering) {
    const auto width = width_of(lowering.modifier_name("access"));
    if (!width) return false;
    // A predicate as an operand of a load is not known to be anything but true.
    if (load && (lowering.predicate(64) != lowering.rows().true_predicate() ||
                 lowering.predicate_result(81) != lowering.rows().predicate_sink()))
        return false;
    DecodedOp access;
    access.space = space;
    access.element_bytes = width->element_bytes;
    access.vector_width = width->elements;
    access.sign_extends = width->sign;
    if (!lower_access_address(lowering, access, load)) return false;
    const Row first = load ? lowering.result() : lowering.plain(0);
    const bool fixed = first == lowering.rows().zero() || first == lowering.rows().sink();
    for (u32 i = 0; i < width->elements; ++i) access.rows[i] = fixed ? first : first + i * word_row_bytes;
    const bool watches = std::ranges::any_of(load_orders, [&](const char* kind) {
        const std::string_view order = lowering.modifier_name(kind);
        return order.starts_with("STRONG") || order.starts_with("MMIO");
    });
    if (load && watches && (space == Space::global || space == Space::none)) lowering.kernel().ordered = true;
    complete(lowering, access, access_executor(access, load));
    return true;
}

/// The bank of the `__constant__` variables.
constexpr u8 variables_bank = 3;

/// Notifies the observer of the lanes that read a variable, as the same load in PTX does.
void notify_constants(Warp& warp, const DecodedOp& op, u32 mask, u64 bank_bytes) {
    u32 inside = 0;
    for_each_lane({mask}, [&](int lane) {
        const u64 at = static_cast<u32>(row<const u32>(warp, op.rows[1])[lane] + op.immediate);
        if (at > bank_bytes || op.bytes() > bank_bytes - at) return;
        warp.addresses[static_cast<std::size_t>(lane)] = at;
        inside |= 1u << lane;
    });
    if (inside != 0) notify_access(warp, op, inside, Space::constant, Operation::load);
}

/// rows[0] = what the constant bank has at register rows[1] + immediate. flags: the bank.
template <u32 words>
void load_bank(Warp& warp, const DecodedOp& op, u32 mask) {
    const std::vector<std::byte>& bank = warp.block->launch().banks[op.flags];
    // First: the result may overwrite the index.
    if (op.space == Space::constant) notify_constants(warp, op, mask, bank.size());
    for_each_lane({mask}, [&](int lane) {
        const u64 at = static_cast<u32>(row<const u32>(warp, op.rows[1])[lane] + op.immediate);
        std::array<u32, words> values{};
        if (at < bank.size())
            std::memcpy(values.data(), bank.data() + at, std::min<u64>(4 * words, bank.size() - at));
        const u32 bits = 8 * op.element_bytes;
        if (op.element_bytes < 4) {
            values[0] &= (1u << bits) - 1;
            if (op.sign_extends && (values[0] >> (bits - 1) & 1) != 0) values[0] |= ~u32{0} << bits;
        }
        for (u32 i = 0; i < words; ++i) row<u32>(warp, op.rows[0] + i * word_row_bytes)[lane] = values[i];
    });
}

bool lower_constant(Lowering& lowering) {
    const sass::Operand* from = lowering.find(sass::OperandKind::constant);
    const bool since_blackwell = lowering.id() == LDCU;
    const auto width =
        width_of(lowering.modifier_name(since_blackwell ? "constant_access_100" : "constant_access"));
    if (!from || !width || from->bank >= constant_banks || !lowering.knows(*from) ||
        from->uniform != sass::no_register || !lowering.modifier_name("constant_index").empty() ||
        lowering.modifier("TEXUNPACK") != 0)
        return false;
    const bool by_uniform = lowering.instruction().row->pipe == sass::Pipe::uniform;
    const bool whole_words = width->element_bytes == 4;
    Row index = lowering.rows().zero();
    if (from->index != sass::no_register) {
        if (by_uniform && !lowering.is_uniform_zero(from->index))
            index = lowering.rows().uniform(from->index);
        if (!by_uniform && from->index != sass::register_zero) index = lowering.rows().general(from->index);
    }
    if (index == lowering.rows().zero() && whole_words) {
        lowering.add_copies(lowering.result(),
                            lowering.rows().bank(from->bank, static_cast<u32>(from->value), width->elements),
                            width->elements);
        return true;
    }
    DecodedOp& op = lowering.add(width->elements == 4   ? load_bank<4>
                                 : width->elements == 2 ? load_bank<2>
                                                        : load_bank<1>);
    op.rows[0] = lowering.result();
    op.rows[1] = index;
    op.flags = from->bank;
    op.immediate = static_cast<u64>(from->value);
    op.element_bytes = width->element_bytes;
    op.vector_width = width->elements;
    op.sign_extends = width->sign;
    // Only an index of each lane can ask for several words.
    const bool indexed = !by_uniform && index != lowering.rows().zero();
    if (indexed && from->bank == variables_bank) op.space = Space::constant;
    return true;
}

constexpr Meaning memory_table[] = {
    {LDG, lower_access<Space::global, true>},
    {LDG_75, lower_access<Space::global, true>},
    {STG, lower_access<Space::global, false>},
    {STG_75, lower_access<Space::global, false>},
    {LDS, lower_access<Space::shared, true>},
    {LDS_75, lower_access<Space::shared, true>},
    {STS, lower_access<Space::shared, false>},
    {LDL, lower_access<Space::local, true>},
    {STL, lower_access<Space::local, false>},
    {LD, lower_access<Space::none, true>},
    {LD_75, lower_access<Space::none, true>},
    {ST, lower_access<Space::none, false>},
    {ST_75, lower_access<Space::none, false>},
    {ST_UNIFORM_75, lower_access<Space::none, false>},
    {ST_1, lower_access<Space::none, false>},
    {LDC, lower_constant},
    {ULDC, lower_constant},
    {ULDC_U, lower_constant},
    {LDCU, lower_constant},
};

}  // namespace

Meanings memory_meanings() { return memory_table; }

}  // namespace warplens::simt
