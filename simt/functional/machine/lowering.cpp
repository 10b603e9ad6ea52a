#include "simt/functional/machine/lowering.h"

#include <algorithm>
#include <utility>

#include "sass/live_registers.h"
#include "simt/functional/block/constant_banks.h"
#include "simt/functional/execute/auxiliary.h"
#include "simt/functional/execute/executor_table.h"
#include "simt/functional/machine/operations.h"

namespace warplens::simt {

using sass::Operand;
using sass::OperandKind;

namespace {

bool is_value(const Operand& operand) {
    return operand.kind == OperandKind::general_register || operand.kind == OperandKind::uniform_register ||
           operand.kind == OperandKind::immediate || operand.kind == OperandKind::constant;
}

bool is_predicate(const Operand& operand) {
    return operand.kind == OperandKind::predicate || operand.kind == OperandKind::uniform_predicate;
}

DecodedOp& with_rows(DecodedOp& op, std::initializer_list<Row> rows) {
    std::ranges::copy(rows, op.rows);
    return op;
}

}  // namespace

std::string_view modifier_name(const sass::Instruction& instruction, std::string_view kind) {
    for (const sass::Modifier& each : instruction.modifiers) {
        if (each.spec->name != kind || !each.spec->kind) continue;
        const std::string_view name = each.spec->kind->values[each.value];
        return name == "-" ? std::string_view() : name;
    }
    return {};
}

void Lowering::begin_block(std::span<const sass::Instruction> block, SiteId first) {
    counter = no_index;
    ahead_ = registers_ahead(block, sm_);
    first_site_ = first;
    examined.forget_all();
    instruction_ = nullptr;
}

void Lowering::begin(const sass::Instruction& instruction, SiteId site) {
    if (instruction_) forget_written();
    instruction_ = &instruction;
    site_ = site;
    forgot_ = false;
    guard_reported_ = by_lanes_ = false;
    sources_.clear();
    for (const Operand& operand : instruction.operands)
        if (!operand.destination && is_value(operand)) sources_.push_back(&operand);
    rows_.end_instruction();
}

bool Lowering::knows(const Operand& constant) const {
    const MachineLayout& machine = *kernel_.machine;
    if (constant.bank != 0) return constant.bank < constant_banks && !machine.images[constant.bank].empty();
    // A negative one is subtracted from a register, which then points to parameters.
    return constant.value < 0 || static_cast<u64>(constant.value) >= machine.parameter_base ||
           knows_launch_constant(sm_, static_cast<u32>(constant.value));
}

void Lowering::forget_written() {
    if (!std::exchange(forgot_, true)) simt::forget_written(ahead(), examined);
}

Row Lowering::row_of(const Operand& operand, u32 words) {
    switch (operand.kind) {
        case OperandKind::general_register:
            return operand.index == sass::register_zero ? rows_.zero() : rows_.general(operand.index);
        case OperandKind::uniform_register:
            return is_uniform_zero(operand.index) ? rows_.zero() : rows_.uniform(operand.index);
        case OperandKind::constant:
            return rows_.bank(operand.bank, static_cast<u32>(operand.value), words);
        case OperandKind::convergence_barrier:
            return rows_.barrier(operand.index);
        default: {
            u64 bits = static_cast<u64>(operand.value);
            if (operand.number == sass::NumberType::float64) bits <<= 32;
            if (words == 1) bits &= 0xffffffffu;
            return rows_.constant(bits, words);
        }
    }
}

Row Lowering::plain(std::size_t index, u32 words) {
    return index < sources_.size() ? row_of(*sources_[index], words) : rows_.zero();
}

bool Lowering::is_negated(std::size_t index) const {
    return index < sources_.size() && sources_[index]->negated;
}

std::string_view Lowering::part_name(std::size_t index) const {
    if (index >= sources_.size() || !sources_[index]->spec || !sources_[index]->spec->swizzle) return {};
    const std::string_view name = sources_[index]->spec->swizzle->values[sources_[index]->swizzle];
    return name == "-" ? std::string_view() : name;
}

Row Lowering::chosen_half(std::size_t index, Row row) {
    const std::string_view part = part_name(index);
    if (part != "H0_H0" && part != "H1_H1") return row;
    const Row chosen = rows_.scratch(1);
    DecodedOp& op = prepare(repeat_half);
    op.rows[0] = chosen;
    op.rows[1] = row;
    op.flags = part == "H1_H1";
    return chosen;
}

Row Lowering::widened(Row pair) {
    const Row wide = rows_.scratch(2);
    prepare("machine.pair_to_wide", {wide, pair});
    return wide;
}

bool Lowering::is_inverted(std::size_t index) const {
    return index < sources_.size() && sources_[index]->inverted;
}

Row Lowering::source(std::size_t index, u32 words) {
    Row row = plain(index, words);
    if (index >= sources_.size()) return row;
    if (words == 1) row = chosen_half(index, row);
    const Operand& operand = *sources_[index];
    if (operand.kind == OperandKind::immediate ||
        (!operand.negated && !operand.absolute && !operand.inverted))
        return row;
    // The columns give a type to immediates only: instructions on floating point are known by their names.
    const std::string_view name = instruction_->row->mnemonic;
    const char first = name.starts_with("UF") ? 'F' : name[0];
    const bool floats = std::string_view("FDHM").find(first) != std::string_view::npos;
    const u32 sign = first == 'H' ? 0x80008000u : 0x80000000u;
    if (words == 1 && floats && !operand.inverted)
        return with_sign(row, operand.absolute, operand.negated, sign);
    const Row changed = rows_.scratch(words);
    if (words == 1) {
        prepare(operand.inverted ? "not.b32" : "neg.s32", {changed, row});
        return changed;
    }
    DecodedOp& op = prepare(operand.inverted ? invert_wide : floats ? change_sign_wide : negate_wide);
    op.rows[0] = changed;
    op.rows[1] = row;
    op.flags = sign;
    op.immediate = u64{operand.absolute} | u64{operand.negated} << 1;
    return changed;
}

Row Lowering::with_sign(Row row, bool absolute, bool negated, u32 sign) {
    if (!absolute && !negated) return row;
    const Row changed = rows_.scratch(1);
    const char* key = !absolute ? "xor.b32" : negated ? "or.b32" : "and.b32";
    prepare(key, {changed, row, rows_.constant(absolute && !negated ? ~sign : sign)});
    return changed;
}

const Operand* Lowering::find_predicate(unsigned bit, bool destination) const {
    for (const Operand& operand : instruction_->operands)
        if (is_predicate(operand) && operand.destination == destination &&
            operand.spec->field.runs[0].first == bit)
            return &operand;
    return nullptr;
}

Row Lowering::predicate(unsigned bit) {
    const Operand* operand = find_predicate(bit, false);
    if (!operand) return rows_.true_predicate();
    if (operand->index == sass::predicate_true)
        return operand->negated ? rows_.false_predicate() : rows_.true_predicate();
    const Row row = operand->kind == OperandKind::predicate ? rows_.predicate(operand->index)
                                                            : rows_.uniform_predicate(operand->index);
    if (!operand->negated) return row;
    const Row inverted = rows_.scratch_predicate();
    DecodedOp& op = prepare(invert_predicate);
    op.rows[0] = inverted;
    op.rows[1] = row;
    return inverted;
}

Row Lowering::predicate_result(unsigned bit) const {
    const Operand* operand = find_predicate(bit, true);
    if (!operand || operand->index == sass::predicate_true) return rows_.predicate_sink();
    return operand->kind == OperandKind::predicate ? rows_.predicate(operand->index)
                                                   : rows_.uniform_predicate(operand->index);
}

const Operand* Lowering::find(OperandKind kind, bool destination) const {
    for (const Operand& operand : instruction_->operands)
        if (operand.kind == kind && operand.destination == destination) return &operand;
    return nullptr;
}

Row Lowering::result() const {
    if (const Operand* operand = find(OperandKind::general_register, true))
        return operand->index == sass::register_zero ? rows_.sink() : rows_.general(operand->index);
    if (const Operand* operand = find(OperandKind::uniform_register, true))
        return is_uniform_zero(operand->index) ? rows_.sink() : rows_.uniform(operand->index);
    return rows_.sink();
}

bool Lowering::has_result() const { return result() != rows_.sink(); }

bool Lowering::result_is_uniform() const { return find(OperandKind::uniform_register, true) != nullptr; }

bool Lowering::guard(Row& row, bool& negated) const {
    const sass::Instruction& in = *instruction_;
    negated = in.guard_negated;
    if (in.guard == sass::predicate_true) {
        row = rows_.true_predicate();
        return in.guard_negated;
    }
    row = in.guard_uniform ? rows_.uniform_predicate(in.guard) : rows_.predicate(in.guard);
    return true;
}

DecodedOp& Lowering::append(Execute execute, bool guarded) {
    DecodedOp op;
    op.site = site_;
    op.execute = execute;
    bool negated = false;
    guarded = guarded && guard(op.guard, negated);
    op.guard_negated = negated;
    if (is_uniform()) {
        op.inner = execute;
        op.execute = guarded ? execute_everywhere_guarded : execute_everywhere;
    } else if (guarded) {
        op.inner = execute;
        op.execute = execute_guarded;
    }
    op.silent = guard_reported_;
    guard_reported_ |= guarded;
    return kernel_.ops.emplace_back(op);
}

DecodedOp& Lowering::add(Execute execute) { return append(execute, true); }

DecodedOp& Lowering::add_silent(Execute execute) {
    DecodedOp& op = append(execute, true);
    op.silent = true;
    return op;
}

DecodedOp& Lowering::prepare(Execute execute) {
    const bool reported = guard_reported_;
    DecodedOp& op = append(execute, false);
    guard_reported_ = reported;
    return op;
}

DecodedOp& Lowering::add(std::string_view key, std::initializer_list<Row> rows) {
    return with_rows(add(find_executor(key)->execute), rows);
}

void Lowering::add_copies(Row to, Row from, u32 words) {
    add("mov.b32", {to, from});
    for (u32 i = 1; i < words; ++i)
        add_silent("mov.b32", {to + i * word_row_bytes, from + i * word_row_bytes});
}

DecodedOp& Lowering::add_silent(std::string_view key, std::initializer_list<Row> rows) {
    return with_rows(add_silent(find_executor(key)->execute), rows);
}

DecodedOp& Lowering::prepare(std::string_view key, std::initializer_list<Row> rows) {
    return with_rows(prepare(find_executor(key)->execute), rows);
}

}  // namespace warplens::simt
