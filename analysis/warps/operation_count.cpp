#include "analysis/warps/operation_count.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/number_text.h"

namespace warplens::analysis {
namespace {

struct FloatRow {
    std::string_view name;
    std::uint32_t operations;
};
constexpr std::array float_rows{
    FloatRow{"add", 1}, FloatRow{"sub", 1}, FloatRow{"mul", 1},  FloatRow{"fma", 2},  FloatRow{"mad", 2},
    FloatRow{"div", 1}, FloatRow{"rcp", 1}, FloatRow{"sqrt", 1}, FloatRow{"ex2", 1},  FloatRow{"rsqrt", 1},
    FloatRow{"lg2", 1}, FloatRow{"sin", 1}, FloatRow{"cos", 1},  FloatRow{"tanh", 1},
};

constexpr std::array<std::string_view, 37> integer_names{
    "add",  "sub",   "mul",  "mad",  "div", "rem",  "min",   "max",  "neg",  "abs",  "sad", "mul24", "mad24",
    "addc", "subc",  "madc", "and",  "or",  "xor",  "not",   "cnot", "shl",  "shr",  "shf", "lop3",  "bfi",
    "bfe",  "szext", "bmsk", "popc", "clz", "brev", "bfind", "dp4a", "dp2a", "setp", "set",
};

std::vector<std::string_view> words(std::string_view opcode) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t dot = opcode.find('.');
        parts.push_back(opcode.substr(0, dot));
        if (dot == std::string_view::npos) return parts;
        opcode.remove_prefix(dot + 1);
    }
}

struct FloatType {
    OperationKind kind;
    std::uint32_t elements;
};
std::optional<FloatType> float_type(std::string_view type) {
    if (type == "f32") return FloatType{OperationKind::fp32, 1};
    if (type == "f32x2") return FloatType{OperationKind::fp32, 2};
    if (type == "f64") return FloatType{OperationKind::fp64, 1};
    if (type == "f16" || type == "bf16") return FloatType{OperationKind::fp16, 1};
    if (type == "f16x2" || type == "bf16x2") return FloatType{OperationKind::fp16, 2};
    return {};
}

/// "m16n8k16" is 16 * 8 * 16 multiply-adds.
std::uint32_t matrix_operations(std::string_view shape) {
    std::uint32_t product = 2;
    for (const char letter : {'m', 'n', 'k'}) {
        if (!shape.starts_with(letter)) return 0;
        shape.remove_prefix(1);
        const auto extent = take_number<std::uint32_t>(shape);
        if (!extent || *extent == 0 || *extent > 4096) return 0;
        product *= *extent;
    }
    return shape.empty() ? product : 0;
}

bool multiplies_matrices(const std::vector<std::string_view>& parts) {
    return parts.front() == "mma" ||
           (parts.front() == "wmma" && std::find(parts.begin(), parts.end(), "mma") != parts.end());
}

struct MachineRow {
    std::string_view name;
    OperationKind kind;
    std::uint32_t operations;  // per lane
};
constexpr std::array machine_rows{
    MachineRow{"FADD", OperationKind::fp32, 1},         MachineRow{"FMUL", OperationKind::fp32, 1},
    MachineRow{"FFMA", OperationKind::fp32, 2},         MachineRow{"MUFU", OperationKind::fp32, 1},
    MachineRow{"HADD2", OperationKind::fp16, 2},        MachineRow{"HMUL2", OperationKind::fp16, 2},
    MachineRow{"HFMA2", OperationKind::fp16, 4},        MachineRow{"DADD", OperationKind::fp64, 1},
    MachineRow{"DMUL", OperationKind::fp64, 1},         MachineRow{"DFMA", OperationKind::fp64, 2},
    MachineRow{"IADD3", OperationKind::integer, 1},     MachineRow{"VIADD", OperationKind::integer, 1},
    MachineRow{"IMAD", OperationKind::integer, 1},      MachineRow{"IDP", OperationKind::integer, 1},
    MachineRow{"LEA", OperationKind::integer, 1},       MachineRow{"LOP3", OperationKind::integer, 1},
    MachineRow{"SHF", OperationKind::integer, 1},       MachineRow{"ISETP", OperationKind::integer, 1},
    MachineRow{"IMNMX", OperationKind::integer, 1},     MachineRow{"VIMNMX", OperationKind::integer, 1},
    MachineRow{"VIMNMX3", OperationKind::integer, 1},   MachineRow{"IABS", OperationKind::integer, 1},
    MachineRow{"VIADDMNMX", OperationKind::integer, 1}, MachineRow{"SGXT", OperationKind::integer, 1},
    MachineRow{"BMSK", OperationKind::integer, 1},      MachineRow{"POPC", OperationKind::integer, 1},
    MachineRow{"FLO", OperationKind::integer, 1},       MachineRow{"BREV", OperationKind::integer, 1},
};

/// "16816" is 16 * 8 * 16 multiply-adds, "884" 8 * 8 * 4; 0 for other words.
std::uint32_t machine_matrix_operations(std::string_view shape) {
    const bool digits = !shape.empty() && shape.find_first_not_of("0123456789") == std::string_view::npos;
    const bool tall = digits && shape.size() > 3 && shape.starts_with("16");
    if (!digits || (!tall && !shape.starts_with("88"))) return 0;
    const auto depth = number_from<std::uint32_t>(shape.substr(tall ? 3 : 2));
    return depth && *depth <= 4096 ? 2 * (tall ? 16 : 8) * 8 * *depth : 0;
}

OperationCount count_matrix(const std::vector<std::string_view>& parts) {
    const auto has = [&](std::string_view word) { return std::ranges::find(parts, word) != parts.end(); };
    const bool sparse = has("SP");
    OperationKind kind = OperationKind::tensor_other;
    if (!sparse && parts.front() == "HMMA")
        kind = has("TF32") ? OperationKind::tensor_tf32 : OperationKind::tensor_fp16;
    if (!sparse && parts.front() == "DMMA") kind = OperationKind::tensor_fp64;
    if (!sparse && parts.front() == "IMMA" && !has("S4") && !has("U4")) kind = OperationKind::tensor_int8;
    if (!sparse && parts.front() == "QMMA") kind = OperationKind::tensor_fp8;
    for (const std::string_view part : parts)
        if (const auto operations = machine_matrix_operations(part)) return {kind, 0, operations};
    return {};
}

OperationCount count_machine_operations(const std::vector<std::string_view>& parts) {
    const std::string_view name = parts.front();
    if (name.ends_with("MMA") && name.size() == 4) return count_matrix(parts);
    // Spellings of a move that have the arithmetic of none.
    if (name == "IMAD" && parts.size() > 1 && parts[1] == "MOV") return {};
    const auto row = std::ranges::find(machine_rows, name, &MachineRow::name);
    return row != machine_rows.end() ? OperationCount{row->kind, row->operations, 0} : OperationCount{};
}

bool is_type(std::string_view word) {
    constexpr std::array<std::string_view, 15> types{"f16", "bf16", "f32", "f64",  "tf32", "s32", "s8", "u8",
                                                     "s4",  "u4",   "b1",  "e4m3", "e5m2", "s64", "u64"};
    return std::ranges::find(types, word) != types.end();
}

/// By the type of A. A wmma.mma on FP16 only names the types of D and C, every other those of D, A, B and C.
OperationKind matrix_kind(const std::vector<std::string_view>& parts) {
    if (std::ranges::find(parts, "sp") != parts.end()) return OperationKind::tensor_other;
    std::vector<std::string_view> types;
    for (const std::string_view part : parts)
        if (is_type(part)) types.push_back(part);
    if (types.size() == 2) return OperationKind::tensor_fp16;
    if (types.size() != 4) return OperationKind::tensor_other;
    const std::string_view type = types[1];
    if (type == "f16" || type == "bf16") return OperationKind::tensor_fp16;
    if (type == "tf32") return OperationKind::tensor_tf32;
    if (type == "f64") return OperationKind::tensor_fp64;
    if (type == "e4m3" || type == "e5m2") return OperationKind::tensor_fp8;
    if (type == "s8" || type == "u8") return OperationKind::tensor_int8;
    return OperationKind::tensor_other;
}

/// "@P0 FADD R4, -RZ, |R5|": R4, -RZ and |R5|.
std::vector<std::string_view> operands_of(std::string_view text) {
    if (text.starts_with('@')) text.remove_prefix(std::min(text.find(' '), text.size() - 1) + 1);
    text.remove_prefix(std::min(text.find(' '), text.size()));
    std::vector<std::string_view> operands;
    while (!text.empty()) {
        const std::size_t begin = std::min(text.find_first_not_of(", "), text.size());
        text.remove_prefix(begin);
        const std::size_t comma = std::min(text.find(','), text.size());
        operands.push_back(text.substr(0, comma));
        text.remove_prefix(comma);
    }
    return operands;
}

/// RZ is zero; the assembler writes 0 * 0 + x, and x + -0, which is x even where x is -0.
bool is_move(const Site& site) {
    const std::string_view name = words(site.opcode).front();
    const auto operands = operands_of(site.text);
    const auto is = [&](std::size_t operand, std::string_view what) {
        return operand < operands.size() && operands[operand].substr(0, operands[operand].find('.')) == what;
    };
    if (name == "FADD" || name == "HADD2" || name == "DADD") return is(1, "-RZ") || is(2, "-RZ");
    if (name != "FFMA" && name != "HFMA2" && name != "DFMA" && name != "IMAD") return false;
    return is(1, "RZ") || is(1, "-RZ") || is(2, "RZ") || is(2, "-RZ");
}

}  // namespace

std::string_view to_string(OperationKind kind) {
    switch (kind) {
        case OperationKind::none:
            return "none";
        case OperationKind::integer:
            return "integer";
        case OperationKind::fp16:
            return "FP16";
        case OperationKind::fp32:
            return "FP32";
        case OperationKind::fp64:
            return "FP64";
        case OperationKind::tensor_fp16:
            return "FP16 tensor cores";
        case OperationKind::tensor_tf32:
            return "TF32 tensor cores";
        case OperationKind::tensor_fp64:
            return "FP64 tensor cores";
        case OperationKind::tensor_fp8:
            return "FP8 tensor cores";
        case OperationKind::tensor_int8:
            return "INT8 tensor cores";
        case OperationKind::tensor_other:
            return "tensor cores";
    }
    return "";
}

OperationCount count_operations(std::string_view opcode) {
    const auto parts = words(opcode);
    if (!opcode.empty() && opcode.front() >= 'A' && opcode.front() <= 'Z')
        return count_machine_operations(parts);
    if (multiplies_matrices(parts)) {
        for (const std::string_view part : parts)
            if (const auto operations = matrix_operations(part)) return {matrix_kind(parts), 0, operations};
        return {};
    }
    const std::string_view name = parts.front();
    const std::string_view type = parts.back();
    if (const auto number = float_type(type)) {
        for (const FloatRow& row : float_rows)
            if (row.name == name) return {number->kind, row.operations * number->elements, 0};
        return {};
    }
    if (type == "pred") return {};
    const bool integer = std::find(integer_names.begin(), integer_names.end(), name) != integer_names.end();
    return integer ? OperationCount{OperationKind::integer, 1, 0} : OperationCount{};
}

OperationCount count_operations(const Site& site) {
    return is_move(site) ? OperationCount{} : count_operations(site.opcode);
}

}  // namespace warplens::analysis
