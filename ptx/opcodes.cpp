#include "ptx/opcodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "core/bounded.h"
#include "core/matrix_fragment.h"

// Word lists that rows of opcodes.def share; each ends with a blank so that they concatenate.
#define ROUNDING "rn rz rm rp "
#define COMPARISONS "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan "
#define SPACES "global shared local const param shared::cta shared::cluster param::entry param::func "
#define ORDERS "weak volatile relaxed acquire release acq_rel mmio cta cluster gpu sys "
#define CACHES                                                                                         \
    "ca cg cs lu cv wb wt L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last "        \
    "L1::no_allocate L2::evict_normal L2::evict_first L2::evict_last L2::cache_hint L2::64B L2::128B " \
    "L2::256B "
#define STORAGE_TYPES "b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64"
#define ARITHMETIC_TYPES "u16 u32 u64 s16 s32 s64 f16 f16x2 bf16 bf16x2 f32 f64 "
#define TEXTURE_SHAPES "1d 2d 3d a1d a2d cube acube 2dms a2dms "

namespace warplens::ptx {

namespace {

// Every row uses the macro's own words, so that the kinds and classes are checked by the compiler.
constexpr OpcodeRow rows[] = {
#define PTX_OPCODE(name, opcode_class, kind, results, modifiers, types, section) \
    OpcodeRow{#name, OpcodeClass::opcode_class, SiteKind::kind, results, modifiers, types, section},
#include "ptx/opcodes.def"
#undef PTX_OPCODE
};

bool contains_word(std::string_view words, std::string_view word) {
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(' '), words.size());
        if (words.substr(0, end) == word) return true;
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return false;
}

std::string_view without_sub_qualifier(std::string_view modifier) {
    return modifier.substr(0, modifier.find("::"));
}

bool is_asynchronous_copy(const Instruction& instruction) {
    return instruction.opcode == "cp" && (instruction.has("ca") || instruction.has("cg"));
}

bool is_matrix_row_access(const Instruction& instruction) {
    return instruction.opcode == "ldmatrix" || instruction.opcode == "stmatrix";
}

bool is_fragment_access(const Instruction& instruction) {
    return instruction.opcode == "wmma" && (instruction.has("load") || instruction.has("store"));
}

}  // namespace

std::string_view to_string(OpcodeClass opcode_class) {
    static constexpr std::array<std::string_view, 15> names{
        "control", "barrier", "warp",       "memory", "atomic",  "async copy",   "tensor",      "texture",
        "move",    "compare", "arithmetic", "carry",  "bitwise", "special math", "SIMD in word"};
    return names[static_cast<std::size_t>(opcode_class)];
}

std::span<const OpcodeRow> opcodes() { return rows; }

const OpcodeRow* find_opcode(std::string_view name) {
    static const std::unordered_map<std::string_view, const OpcodeRow*> by_name = [] {
        std::unordered_map<std::string_view, const OpcodeRow*> map;
        for (const OpcodeRow& row : rows) map.emplace(row.name, &row);
        return map;
    }();
    const auto found = by_name.find(name);
    return found == by_name.end() ? nullptr : found->second;
}

std::size_t result_count(const Instruction& instruction) {
    const OpcodeRow* row = find_opcode(instruction.opcode);
    if (row == nullptr) return 1;
    if (row->name == "bar" || row->name == "barrier") return instruction.has("red") ? 1 : 0;
    if (row->name == "wmma" && instruction.has("store")) return 0;
    return static_cast<std::size_t>(row->results);
}

std::optional<std::string> explain_unlisted(const Instruction& instruction) {
    const OpcodeRow* row = find_opcode(instruction.opcode);
    if (row == nullptr) return fmt::format("unknown opcode {}", instruction.opcode);
    for (const std::string& modifier : instruction.modifiers)
        if (!contains_word(row->modifiers, modifier))
            return fmt::format("modifier .{} of {} is not one of: {}", modifier, row->name,
                               row->modifiers.empty() ? "none" : row->modifiers);
    for (const Type type : instruction.types)
        if (!contains_word(row->types, to_string(type)))
            return fmt::format("type .{} of {} is not one of: {}", to_string(type), row->name,
                               row->types.empty() ? "none" : row->types);
    return std::nullopt;
}

SiteKind site_kind(const Instruction& instruction) {
    const OpcodeRow* row = find_opcode(instruction.opcode);
    if (row == nullptr) return SiteKind::lanewise;
    if (row->name == "bar" && instruction.has("warp")) return SiteKind::warp_wide;
    // Groups and bulk copies name no lane's own address.
    if (row->name == "cp" && !is_asynchronous_copy(instruction)) return SiteKind::lanewise;
    if (is_fragment_access(instruction)) return SiteKind::memory;
    return row->kind;
}

bool ends_basic_block(const Instruction& instruction) {
    switch (site_kind(instruction)) {
        case SiteKind::branch:
        case SiteKind::call:
        case SiteKind::exit:
            return true;
        case SiteKind::barrier:
            return instruction.opcode != "mbarrier";
        case SiteKind::warp_wide:
            return instruction.opcode == "bar";
        default:
            return instruction.opcode == "brkpt";
    }
}

Space space_of(const Instruction& instruction) {
    if (site_kind(instruction) != SiteKind::memory) return Space::none;
    if (is_asynchronous_copy(instruction)) return Space::global;
    if (instruction.has("shared::cluster")) return Space::shared_cluster;
    if (const OpcodeRow* row = find_opcode(instruction.opcode);
        row != nullptr && row->opcode_class == OpcodeClass::texture)
        return row->name.starts_with("su") ? Space::surface : Space::texture;
    for (const std::string& modifier : instruction.modifiers) {
        const std::string_view word = without_sub_qualifier(modifier);
        if (word == "global") return Space::global;
        if (word == "shared") return Space::shared;
        if (word == "local") return Space::local;
        if (word == "const") return Space::constant;
        if (word == "param") return Space::param;
    }
    return instruction.opcode == "ldu" ? Space::global : Space::none;
}

Operation operation_of(const Instruction& instruction) {
    if (site_kind(instruction) != SiteKind::memory) return Operation::none;
    const std::string_view opcode = instruction.opcode;
    if (opcode == "atom" || opcode == "red" || opcode == "sured") return Operation::atomic;
    if (opcode == "st" || opcode == "sust" || opcode == "stmatrix" ||
        (opcode == "wmma" && instruction.has("store")))
        return Operation::store;
    return Operation::load;
}

std::uint32_t bytes_per_lane(const Instruction& instruction) {
    if (site_kind(instruction) != SiteKind::memory) return 0;
    constexpr std::uint32_t matrix_row_bytes = 16;
    if (is_matrix_row_access(instruction)) return matrix_row_bytes;
    if (is_fragment_access(instruction)) {
        const auto matrix = matrix_instruction(instruction.spelling);
        return matrix ? static_cast<std::uint32_t>(matrix->bytes_per_request()) : 0;
    }
    if (is_asynchronous_copy(instruction)) {
        if (instruction.operands.size() < 3) return 0;
        const auto* size = std::get_if<Immediate>(&instruction.operands[2].value);
        return size != nullptr ? narrowed<std::uint32_t>(size->bits).value_or(no_index) : 0;
    }
    return static_cast<std::uint32_t>(size_of(instruction.type()) * instruction.vector_width);
}

}  // namespace warplens::ptx
