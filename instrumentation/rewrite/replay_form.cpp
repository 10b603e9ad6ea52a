#include "instrumentation/rewrite/replay_form.h"

#include <algorithm>
#include <string_view>

namespace warplens::instrumentation {

namespace {

using Kind = ReplaySource::Kind;

struct Form {
    std::string_view opcode;
    ReplayOp op;
    std::size_t sources;
    std::string_view modifier;  // the one that it may and must have; empty: none
};

constexpr Form forms[] = {
    {"mov", ReplayOp::move, 1, ""},           {"add", ReplayOp::add, 2, ""},
    {"sub", ReplayOp::subtract, 2, ""},       {"mul", ReplayOp::multiply, 2, "lo"},
    {"mul", ReplayOp::multiply, 2, "wide"},   {"mul", ReplayOp::multiply_high, 2, "hi"},
    {"mad", ReplayOp::multiply_add, 3, "lo"}, {"mad", ReplayOp::multiply_add, 3, "wide"},
    {"shl", ReplayOp::shift_left, 2, ""},     {"shr", ReplayOp::shift_right, 2, ""},
    {"and", ReplayOp::bit_and, 2, ""},        {"or", ReplayOp::bit_or, 2, ""},
    {"xor", ReplayOp::bit_xor, 2, ""},        {"not", ReplayOp::bit_not, 1, ""},
    {"neg", ReplayOp::negate, 1, ""},         {"min", ReplayOp::minimum, 2, ""},
    {"max", ReplayOp::maximum, 2, ""},        {"div", ReplayOp::divide, 2, ""},
    {"rem", ReplayOp::remainder, 2, ""},      {"selp", ReplayOp::select, 3, ""},
    {"setp", ReplayOp::equal, 2, "eq"},       {"setp", ReplayOp::unequal, 2, "ne"},
    {"setp", ReplayOp::less, 2, "lt"},        {"setp", ReplayOp::less_or_equal, 2, "le"},
    {"setp", ReplayOp::greater, 2, "gt"},     {"setp", ReplayOp::greater_or_equal, 2, "ge"},
    {"setp", ReplayOp::less, 2, "lo"},        {"setp", ReplayOp::less_or_equal, 2, "ls"},
    {"setp", ReplayOp::greater, 2, "hi"},     {"setp", ReplayOp::greater_or_equal, 2, "hs"},
};

bool is_integer(ptx::Type type) {
    switch (ptx::class_of(type)) {
        case ptx::TypeClass::untyped:
            return ptx::size_of(type) <= 8;
        case ptx::TypeClass::unsigned_integer:
        case ptx::TypeClass::signed_integer:
            return type != ptx::Type::u16x2 && type != ptx::Type::s16x2;
        default:
            return false;
    }
}

/// Moves may have any type.
std::optional<std::uint8_t> bits_of(ptx::Type type) {
    if (type == ptx::Type::pred) return std::uint8_t{1};
    const int bytes = ptx::size_of(type);
    if (bytes < 1 || bytes > 8) return std::nullopt;
    return static_cast<std::uint8_t>(8 * bytes);
}

bool is_signed(ptx::Type type) { return ptx::class_of(type) == ptx::TypeClass::signed_integer; }

class StepMaker {
  public:
    StepMaker(const ptx::Function& function, const ptx::Instruction& instruction, const ReplayNames& names)
        : function_(function), instruction_(instruction), names_(names) {}

    std::optional<ReplayStep> make() {
        if (instruction_.operands.empty() || instruction_.vector_width != 1) return std::nullopt;
        const auto* result = register_in(0);
        if (result == nullptr) return std::nullopt;
        step_.result = result->index;
        if (instruction_.has_guard)
            step_.guard = {Kind::slot, instruction_.guard.negated, instruction_.guard.predicate};
        const std::string& opcode = instruction_.opcode;
        const bool made = opcode == "ld"     ? load_parameter()
                          : opcode == "cvt"  ? convert()
                          : opcode == "cvta" ? change_space()
                                             : compute();
        if (!made) return std::nullopt;
        return step_;
    }

  private:
    const ptx::RegisterOperand* register_in(std::size_t operand) const {
        return std::get_if<ptx::RegisterOperand>(&instruction_.operands[operand].value);
    }
    std::uint8_t result_register_bits() const {
        return bits_of(function_.registers[step_.result].type).value_or(0);
    }

    bool compute() {
        const ptx::Type type = instruction_.type();
        const auto bits = bits_of(type);
        const bool logic =
            type == ptx::Type::pred && (instruction_.opcode == "and" || instruction_.opcode == "or" ||
                                        instruction_.opcode == "xor" || instruction_.opcode == "not");
        const bool moves = instruction_.opcode == "mov" || instruction_.opcode == "selp";
        if (!bits || instruction_.types.size() != 1 || (!is_integer(type) && !logic && !moves)) return false;
        for (const Form& form : forms) {
            const bool has_it = form.modifier.empty()
                                    ? instruction_.modifiers.empty()
                                    : instruction_.modifiers.size() == 1 && instruction_.has(form.modifier);
            if (form.opcode != instruction_.opcode || !has_it ||
                instruction_.operands.size() != 1 + form.sources)
                continue;
            step_.op = form.op;
            step_.bits = *bits;
            step_.is_signed = is_signed(type);
            step_.result_bits = form.opcode == "setp" ? 1 : *bits;
            if (form.modifier == "wide") step_.result_bits = static_cast<std::uint8_t>(2 * *bits);
            if (step_.result_bits > result_register_bits()) return false;
            return take_sources(form.sources);
        }
        return false;
    }

    bool take_sources(std::size_t count) {
        ReplaySource* const sources[] = {&step_.first, &step_.second, &step_.third};
        for (std::size_t i = 0; i < count; ++i) {
            const auto source = take(instruction_.operands[1 + i]);
            if (!source) return false;
            *sources[i] = *source;
        }
        return true;
    }

    std::optional<ReplaySource> take(const ptx::Operand& operand) const {
        if (operand.part.unit != 0 || operand.negated) return std::nullopt;
        if (const auto* reg = std::get_if<ptx::RegisterOperand>(&operand.value))
            return ReplaySource{Kind::slot, false, reg->index};
        if (const auto* immediate = std::get_if<ptx::Immediate>(&operand.value))
            return ReplaySource{Kind::constant, false, immediate->bits};
        if (const auto* special = std::get_if<ptx::SpecialRegister>(&operand.value))
            return take_special(special->name);
        const auto* symbol = std::get_if<ptx::Symbol>(&operand.value);
        if (symbol == nullptr || symbol->is_generic || symbol->offset != 0 || symbol->mask != 0)
            return std::nullopt;
        const auto number = names_.symbol(symbol->name);
        if (!number) return std::nullopt;
        return ReplaySource{Kind::symbol, false, *number};
    }

    static std::optional<ReplaySource> take_special(std::string_view name) {
        if (name == "laneid") return ReplaySource{Kind::lane, false, 0};
        const std::size_t dot = name.find('.');
        if (dot == std::string_view::npos || dot + 2 != name.size()) return std::nullopt;
        const std::string_view axes = "xyz", what = name.substr(0, dot);
        const std::size_t axis = axes.find(name[dot + 1]);
        if (axis == std::string_view::npos) return std::nullopt;
        if (what == "tid") return ReplaySource{Kind::thread, false, axis};
        if (what == "ctaid") return ReplaySource{Kind::block, false, axis};
        if (what == "ntid") return ReplaySource{Kind::block_shape, false, axis};
        if (what == "nctaid") return ReplaySource{Kind::grid_shape, false, axis};
        return std::nullopt;
    }

    /// ld.param: a narrower signed value fills the register with its sign.
    bool load_parameter() {
        const auto bits = bits_of(instruction_.type());
        if (!instruction_.has("param") || instruction_.modifiers.size() != 1 || !bits ||
            instruction_.operands.size() != 2)
            return false;
        const auto* address = std::get_if<ptx::Address>(&instruction_.operands[1].value);
        const auto* symbol = address ? std::get_if<ptx::Symbol>(&address->base) : nullptr;
        if (symbol == nullptr) return false;
        const auto offset = names_.parameter(symbol->name);
        if (!offset) return false;
        step_.bits = *bits;
        step_.is_signed = is_signed(instruction_.type());
        step_.result_bits = result_register_bits();
        step_.first = {Kind::parameter, false,
                       *offset + static_cast<std::uint64_t>(symbol->offset + address->offset)};
        return step_.result_bits >= *bits;
    }

    bool convert() {
        if (instruction_.types.size() != 2 || !instruction_.modifiers.empty() ||
            instruction_.operands.size() != 2)
            return false;
        const ptx::Type to = instruction_.type(0), from = instruction_.type(1);
        if (!is_integer(to) || !is_integer(from)) return false;
        step_.bits = *bits_of(from);
        step_.is_signed = is_signed(from);
        step_.result_bits = *bits_of(to);
        const bool fills_up = is_signed(to) && step_.result_bits < result_register_bits();
        return !fills_up && step_.result_bits <= result_register_bits() && take_sources(1);
    }

    /// Between a generic address and one of its space.
    bool change_space() {
        const bool to = instruction_.has("to");
        const auto known = static_cast<std::size_t>(to ? 2 : 1);
        if (instruction_.modifiers.size() != known || instruction_.operands.size() != 2 ||
            instruction_.type() != ptx::Type::u64 || !take_sources(1))
            return false;
        if (instruction_.has("global")) return true;
        const bool shared = instruction_.has("shared");
        if (!names_.windows || (!shared && !instruction_.has("local"))) return false;
        step_.op = to ? ReplayOp::subtract : ReplayOp::add;
        step_.second = {shared ? Kind::shared_window : Kind::local_window, false, 0};
        return true;
    }

    const ptx::Function& function_;
    const ptx::Instruction& instruction_;
    const ReplayNames& names_;
    ReplayStep step_;
};

/// Adds the step that loads the element into the operand; a narrower signed value fills the register with its
/// sign. False: it cannot be replayed.
bool add_element(const ptx::Function& function, const ptx::Operand& operand, ReplayStep step,
                 std::vector<ReplayStep>& steps) {
    const auto* result = std::get_if<ptx::RegisterOperand>(&operand.value);
    if (result == nullptr || operand.part.unit != 0 || result->index == step.first.number) return false;
    step.result = result->index;
    step.result_bits = bits_of(function.registers[result->index].type).value_or(0);
    if (step.result_bits < step.bits) return false;
    steps.push_back(step);
    return true;
}

}  // namespace

std::vector<ReplayStep> replay_load(const ptx::Function& function, const ptx::Instruction& instruction) {
    const auto bits = bits_of(instruction.type());
    if (instruction.opcode != "ld" || !instruction.has("global") || !bits || *bits < 8 ||
        instruction.operands.size() != 2)
        return {};
    const auto* address = std::get_if<ptx::Address>(&instruction.operands[1].value);
    const auto* base = address ? std::get_if<ptx::RegisterOperand>(&address->base) : nullptr;
    if (base == nullptr) return {};
    ReplayStep step;
    step.op = ReplayOp::load;
    step.bits = *bits;
    step.is_signed = is_signed(instruction.type());
    step.first = {Kind::slot, false, base->index};
    if (instruction.has_guard)
        step.guard = {Kind::slot, instruction.guard.negated, instruction.guard.predicate};
    std::vector<ReplayStep> steps;
    auto offset = static_cast<std::uint64_t>(address->offset);
    const auto add = [&](const ptx::Operand& operand) {
        step.second = {Kind::constant, false, offset};
        offset += *bits / 8u;
        return add_element(function, operand, step, steps);
    };
    const ptx::Operand& result = instruction.operands[0];
    const auto* vector = std::get_if<ptx::Vector>(&result.value);
    const bool taken = vector ? std::ranges::all_of(vector->elements, add) : add(result);
    return taken ? steps : std::vector<ReplayStep>{};
}

std::optional<ReplayStep> replay_step(const ptx::Function& function, const ptx::Instruction& instruction,
                                      const ReplayNames& names) {
    return StepMaker(function, instruction, names).make();
}

}  // namespace warplens::instrumentation
