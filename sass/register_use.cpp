// How many registers the operands of an instruction take, from its printed opcode.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "sass/instruction_table.h"
#include "sass/live_registers.h"
#include "sass/printer.h"

namespace warplens::sass {

namespace {

/// Registers of the result and of the sources, addresses left out.
struct Widths {
    std::uint16_t result = 1;
    std::array<std::uint16_t, 3> source{1, 1, 1};
};

/// The words of an opcode: "LDG", "E", "128".
class Opcode {
  public:
    explicit Opcode(std::string_view text) {
        while (true) {
            const std::size_t dot = text.find('.');
            words_.emplace_back(text.substr(0, dot));
            if (dot == std::string_view::npos) break;
            text.remove_prefix(dot + 1);
        }
    }
    std::string_view name() const { return words_.front(); }
    bool has(std::string_view word) const { return std::ranges::find(words_, word) != words_.end(); }
    bool has_any(std::initializer_list<std::string_view> words) const {
        return std::ranges::any_of(words, [&](std::string_view word) { return has(word); });
    }
    bool is(std::initializer_list<std::string_view> names) const {
        return std::ranges::find(names, name()) != names.end();
    }
    std::string_view word(std::size_t index) const {
        return index < words_.size() ? std::string_view(words_[index]) : std::string_view();
    }

  private:
    std::vector<std::string> words_;
};

std::uint16_t data_registers(const Opcode& opcode) {
    if (opcode.has_any({"128", "256", "F32x4", "F16x8", "BF16x8"})) return 4;
    return opcode.has_any({"64", "S64", "U64", "F64", "F32x2", "F16x4", "BF16x4"}) ? 2 : 1;
}

std::uint16_t matrices(const Opcode& opcode) { return opcode.has("4") ? 4 : opcode.has("2") ? 2 : 1; }

/// The products that the engine executes too.
std::optional<Widths> product_widths(const Opcode& opcode) {
    if (opcode.name() != "HMMA" || opcode.has_any({"SP", "TF32"})) return std::nullopt;
    const std::uint16_t sums = opcode.has("F32") ? 4 : 2;
    if (opcode.has("16816")) return Widths{sums, {4, 2, sums}};
    if (opcode.has("1688")) return Widths{sums, {2, 1, sums}};
    return std::nullopt;
}

std::optional<Widths> widths_of(const Opcode& opcode) {
    const auto wide = [](bool is_wide) { return static_cast<std::uint16_t>(is_wide ? 2 : 1); };
    if (opcode.is({"HMMA", "IMMA", "BMMA", "DMMA", "QMMA"})) return product_widths(opcode);
    if (opcode.is({"TEX", "TLD", "TLD4", "TXD", "TXQ", "SULD", "SUST", "SURED", "SYNCS", "LDGMC"}))
        return std::nullopt;
    if (opcode.is({"LD", "LDG", "LDS", "LDL", "LDC", "ATOM", "ATOMG", "ATOMS", "ST", "STG", "STS", "STL",
                   "RED", "REDG", "STAS", "REDAS"})) {
        const std::uint16_t data = data_registers(opcode);
        return Widths{data, {data, data, data}};
    }
    if (opcode.is({"LDSM", "STSM"})) return Widths{matrices(opcode), {matrices(opcode), 1, 1}};
    if (opcode.is({"DADD", "DMUL", "DFMA", "DSETP", "DMNMX", "FADD2", "FMUL2", "FFMA2"}))
        return Widths{2, {2, 2, 2}};
    if (opcode.is({"IMAD"}) && opcode.has("WIDE")) return Widths{2, {1, 1, 2}};
    if (opcode.is({"IMAD"}) && opcode.has("HI")) return Widths{1, {1, 1, 2}};
    if (opcode.is({"MOV", "SEL", "IADD", "IMNMX", "ISETP", "MATCH"})) {
        const std::uint16_t data = data_registers(opcode);
        return Widths{data, {data, data, data}};
    }

    if (opcode.is({"F2I"}))
        return Widths{wide(opcode.has_any({"S64", "U64"})), {wide(opcode.has("F64")), 1, 1}};
    if (opcode.is({"I2F"}))
        return Widths{wide(opcode.has("F64")), {wide(opcode.has_any({"S64", "U64"})), 1, 1}};
    if (opcode.is({"FRND"})) return Widths{wide(opcode.has("F64")), {wide(opcode.has("F64")), 1, 1}};
    if (opcode.is({"CS2R"})) return Widths{wide(!opcode.has("32")), {}};
    if (opcode.is({"LEPC"})) return Widths{2, {}};
    return Widths{};
}

/// F2F prints its result's type, then its source's, after other modifiers.
void set_conversion(const Opcode& opcode, Widths& widths) {
    if (opcode.name() != "F2F") return;
    std::vector<std::string_view> types;
    for (std::size_t i = 1; !opcode.word(i).empty(); ++i)
        if (opcode.word(i).starts_with("F") && opcode.word(i) != "FTZ") types.push_back(opcode.word(i));
    widths.result = !types.empty() && types[0] == "F64" ? 2 : 1;
    widths.source[0] = types.size() > 1 && types[1] == "F64" ? 2 : 1;
}

std::uint16_t address_registers(const Operand& operand, const Opcode& opcode) {
    if (operand.wide_register) return 2;
    const bool may_say =
        operand.spec && (operand.spec->address.wide >= 0 || operand.spec->address.always_wide);
    return !may_say && opcode.has("E") && operand.uniform == no_register ? 2 : 1;
}

}  // namespace

std::optional<RegisterUse> register_use(const Instruction& instruction) {
    if (!instruction.known()) return std::nullopt;
    const Opcode opcode(print_opcode(instruction));
    auto widths = widths_of(opcode);
    if (!widths) return std::nullopt;
    set_conversion(opcode, *widths);
    RegisterUse use;
    std::size_t sources = 0;
    for (const Operand& operand : instruction.operands) {
        const bool general = operand.kind == OperandKind::general_register;
        const bool value = general || operand.kind == OperandKind::uniform_register ||
                           operand.kind == OperandKind::immediate || operand.kind == OperandKind::constant;
        const std::uint16_t width = operand.destination ? widths->result
                                    : value && general  ? widths->source[std::min<std::size_t>(sources, 2)]
                                                        : 1;
        if (!operand.destination && value) ++sources;
        if (operand.index >= register_zero) continue;
        if (general) (operand.destination ? use.written : use.read).push_back({operand.index, width});
        else if (operand.kind == OperandKind::address)
            use.read.push_back({operand.index, address_registers(operand, opcode)});
        else if (operand.kind == OperandKind::constant) use.read.push_back({operand.index, 1});
    }
    return use;
}

}  // namespace warplens::sass
