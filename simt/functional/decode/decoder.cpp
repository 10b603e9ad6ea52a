#include "simt/functional/decode/decoder.h"

#include <bit>
#include <cstring>

#include "simt/functional/execute/auxiliary.h"
#include "simt/functional/execute/executor_table.h"
#include "simt/functional/execute/half_values.h"
#include "simt/functional/memory/memory_access.h"

namespace warplens::simt {

namespace {

// Order of the row classes in the register file: rows that a block clears come first.
enum RowClass : u8 { cleared_predicate, cleared_row, uncleared_row, kept_row, kept_predicate };

}  // namespace

Shape shape_of(ptx::Type type) {
    switch (type) {
        case ptx::Type::pred:
            return Shape::predicate;
        case ptx::Type::f16:
            return Shape::f16;
        case ptx::Type::bf16:
            return Shape::bf16;
        case ptx::Type::f32:
            return Shape::f32;
        case ptx::Type::f64:
            return Shape::f64;
        case ptx::Type::b128:
            return Shape::quad;
        default:
            return ptx::size_of(type) == 8 ? Shape::wide : Shape::word;
    }
}

u32 bytes_of(Shape shape) {
    if (shape == Shape::quad) return 16;
    return shape == Shape::predicate ? 0 : shape == Shape::wide || shape == Shape::f64 ? 8 : 4;
}

Row Decoder::new_row(u8 bytes, u8 row_class) {
    row_bytes_.push_back(bytes);
    row_class_.push_back(row_class);
    return static_cast<Row>(row_bytes_.size() - 1);
}

Row Decoder::new_kept_row() { return new_row(4, kept_row); }

Row Decoder::add_register(Shape shape, bool cleared) {
    u8 bytes = static_cast<u8>(bytes_of(shape));
    return new_row(bytes, bytes == 0 ? cleared_predicate : cleared ? cleared_row : uncleared_row);
}

Row Decoder::register_row(u32 index) {
    Row& row = scope_->registers[index];
    if (row == no_row) {
        Shape shape = shape_of(scope_->function->registers[index].type);
        if (shape == Shape::quad) shape = Shape::wide;
        row = add_register(shape, scope_->need_clearing.empty() || scope_->need_clearing[index]);
        kernel_.functions[scope_->function_index].registers.push_back(
            {row, static_cast<u8>(bytes_of(shape)), index});
    }
    return row;
}

std::optional<std::array<Row, 2>> Decoder::quad(const ptx::Operand& operand) {
    const auto* reg = std::get_if<ptx::RegisterOperand>(&operand.value);
    if (!reg || operand.negated || operand.part.unit != 0 || own_shape(operand) != Shape::quad)
        return std::nullopt;
    auto [upper, is_new] = scope_->upper_halves.try_emplace(reg->index, no_row);
    if (is_new) {
        upper->second = add_register(Shape::wide);
        kernel_.functions[scope_->function_index].registers.push_back({upper->second, 8});
    }
    return std::array{register_row(reg->index), upper->second};
}

Row Decoder::add_constant(u8 bytes, u64 bits, u32 variable) {
    auto [at, added] = constants_.try_emplace({bytes, bits, variable}, no_row);
    if (added) {
        at->second = new_row(bytes, bytes == 0 ? kept_predicate : kept_row);
        kernel_.constants.push_back({at->second, bytes, bits, variable});
    }
    return at->second;
}

Row Decoder::constant(Shape shape, u64 bits) {
    u8 bytes = static_cast<u8>(bytes_of(shape));
    if (bytes == 4) bits = static_cast<u32>(bits);
    return add_constant(bytes, bits, no_index);
}

Row Decoder::special(Special which) {
    auto [at, added] = specials_.try_emplace(which, no_row);
    if (added) {
        at->second = new_row(is_wide(which) ? 8 : 4, kept_row);
        kernel_.specials.push_back({at->second, which});
    }
    return at->second;
}

Row Decoder::temporary(Shape shape) {
    // All temporaries have 8 bytes per lane, so that they can be reused for any shape.
    if (shape == Shape::predicate) return new_row(0, kept_predicate);
    if (temporaries_used_ == temporaries_.size()) temporaries_.push_back(new_row(8, kept_row));
    return temporaries_[temporaries_used_++];
}

void Decoder::begin(Scope& scope, const ptx::Instruction& instruction, SiteId site) {
    scope_ = &scope;
    instruction_ = &instruction;
    site_ = site;
    temporaries_used_ = 0;
    before_.clear();
    during_.clear();
    after_.clear();
}

DecodedOp& Decoder::add(Execute execute) {
    DecodedOp& op = during_.emplace_back();
    op.execute = execute;
    op.site = site_;
    return op;
}

DecodedOp& Decoder::before(Execute execute) {
    DecodedOp& op = before_.emplace_back();
    op.execute = execute;
    op.site = site_;
    return op;
}

void Decoder::finish() {
    auto append = [&](std::vector<DecodedOp>& ops, bool guarded, bool first_speaks) {
        for (DecodedOp& op : ops) {
            if (guarded && instruction_->has_guard) {
                op.guard = register_row(instruction_->guard.predicate);
                op.guard_negated = instruction_->guard.negated;
                op.inner = op.execute;
                op.execute = execute_guarded;
                op.silent = !first_speaks;
                first_speaks = false;
            }
            kernel_.ops.push_back(op);
        }
    };
    append(before_, false, false);
    append(during_, true, true);
    append(after_, true, false);
    forget_written();
}

void Decoder::finish_operands() { kernel_.ops.insert(kernel_.ops.end(), before_.begin(), before_.end()); }

Shape Decoder::own_shape(const ptx::Operand& operand) const {
    if (auto* reg = std::get_if<ptx::RegisterOperand>(&operand.value))
        return shape_of(scope_->function->registers[reg->index].type);
    return Shape::word;
}

std::optional<u32> Decoder::immediate(const ptx::Operand& operand) const {
    auto* value = std::get_if<ptx::Immediate>(&operand.value);
    if (!value) return std::nullopt;
    return static_cast<u32>(value->bits);
}

namespace {

u64 immediate_bits(const ptx::Immediate& value, Shape shape) {
    using Kind = ptx::Immediate::Kind;
    if (value.kind == Kind::integer) {
        // An integer literal as a floating-point operand is not valid PTX; its bits are used.
        return shape == Shape::predicate ? (value.bits ? 0xffffffffu : 0) : value.bits;
    }
    double number = value.kind == Kind::f64_bits ? std::bit_cast<double>(value.bits)
                                                 : double{std::bit_cast<float>(static_cast<u32>(value.bits))};
    switch (shape) {
        case Shape::f32:
            return value.kind == Kind::f32_bits ? value.bits : std::bit_cast<u32>(static_cast<float>(number));
        case Shape::f64:
            return value.kind == Kind::f64_bits ? value.bits : std::bit_cast<u64>(number);
        case Shape::f16:
            return half_from_double(number);
        case Shape::bf16:
            return bfloat_from_double(number);
        default:
            return value.bits;
    }
}

}  // namespace

const Place* Decoder::find_place(std::string_view name) const {
    const Places &own = scope_->places, &others = *scope_->module_places;
    if (const auto at = own.find(name); at != own.end()) return &at->second;
    const auto at = others.find(name);
    return at == others.end() ? nullptr : &at->second;
}

std::optional<Row> Decoder::symbol_address(const ptx::Symbol& symbol, Shape shape) {
    const Place* place = find_place(symbol.name);
    if (!place) return std::nullopt;
    u8 bytes = static_cast<u8>(bytes_of(shape));
    if (bytes == 0) return std::nullopt;
    u64 offset = static_cast<u64>(symbol.offset);
    if (place->kernel) return constant(shape, kernel_.launchable[place->offset].address + offset);
    if (place->function) {
        DecodedFunction& function = kernel_.functions[place->offset];
        function.address_taken = true;
        return constant(shape, function.address + offset);
    }
    switch (place->space) {
        case Space::global:
            return add_constant(bytes, offset, static_cast<u32>(place->offset));
        case Space::local: {
            DecodedOp& op = before(execute_local_address);
            op.rows[0] = temporary(shape);
            op.rows[1] = kernel_.functions[scope_->function_index].local_base;
            op.immediate = place->offset + offset;
            op.wide_address = bytes == 8;
            return op.rows[0];
        }
        case Space::param:
            if (!place->kernel_parameter) return std::nullopt;
            return constant(shape, place->offset + offset);
        default:
            return constant(shape, place->offset + offset);
    }
}

std::optional<Row> Decoder::source(const ptx::Operand& operand, Shape shape) {
    if (own_shape(operand) == Shape::quad) return std::nullopt;  // see quad()
    if (operand.part.unit != 0) return std::nullopt;  // only decode_video() reads part of a register
    if (auto* reg = std::get_if<ptx::RegisterOperand>(&operand.value)) {
        Row own = register_row(reg->index);
        u32 have = bytes_of(own_shape(operand)), want = bytes_of(shape);
        if (operand.negated) {
            if (want != 0 || have != 0) return std::nullopt;
            DecodedOp& op = before(find_executor("not.pred")->execute);
            op.rows[1] = own;
            op.rows[0] = temporary(Shape::predicate);
            return op.rows[0];
        }
        if (have == want) return own;
        if (have == 0 || want == 0) return std::nullopt;
        DecodedOp& op = before(find_executor(want == 4 ? "narrow" : "widen.u")->execute);
        op.rows[1] = own;
        op.rows[0] = temporary(shape);
        return op.rows[0];
    }
    if (auto* value = std::get_if<ptx::Immediate>(&operand.value))
        return constant(shape, immediate_bits(*value, shape));
    if (auto* name = std::get_if<ptx::SpecialRegister>(&operand.value)) {
        auto which = special_from(name->name);
        u32 want = bytes_of(shape);
        if (!which || want == 0) return std::nullopt;
        Row own;
        if (is_clock(*which)) {
            DecodedOp& op = before(execute_read_clock);
            op.flags = static_cast<u32>(*which);
            op.wide_address = want == 8;
            op.rows[0] = temporary(shape);
            return op.rows[0];
        }
        own = special(*which);
        if ((is_wide(*which) ? 8u : 4u) == want) return own;
        DecodedOp& op = before(find_executor(want == 4 ? "narrow" : "widen.u")->execute);
        op.rows[1] = own;
        op.rows[0] = temporary(shape);
        return op.rows[0];
    }
    if (auto* symbol = std::get_if<ptx::Symbol>(&operand.value)) return symbol_address(*symbol, shape);
    return std::nullopt;
}

std::optional<Row> Decoder::destination(const ptx::Operand& operand, Shape shape, bool sign_extends) {
    if (std::holds_alternative<ptx::Sink>(operand.value)) {
        if (bytes_of(shape) == 0) return new_row(0, kept_predicate);
        if (sink_ == no_row) sink_ = new_row(8, kept_row);
        return sink_;
    }
    auto* reg = std::get_if<ptx::RegisterOperand>(&operand.value);
    if (!reg || operand.part.unit != 0 || operand.negated) return std::nullopt;
    if (own_shape(operand) == Shape::quad) return std::nullopt;
    Row own = register_row(reg->index);
    u32 have = bytes_of(own_shape(operand)), want = bytes_of(shape);
    if (have == want) return own;
    if (have == 0 || want == 0) return std::nullopt;
    Row result = temporary(shape);
    DecodedOp& op = after_.emplace_back();
    op.execute = find_executor(have == 4 ? "narrow" : sign_extends ? "widen.s" : "widen.u")->execute;
    op.site = site_;
    op.rows[0] = own;
    op.rows[1] = result;
    return result;
}

bool Decoder::address(const ptx::Operand& operand, DecodedOp& op) {
    auto* address = std::get_if<ptx::Address>(&operand.value);
    if (!address) return false;
    op.wide_address = true;
    op.immediate = static_cast<u64>(address->offset);
    if (auto* reg = std::get_if<ptx::RegisterOperand>(&address->base)) {
        Shape shape = shape_of(scope_->function->registers[reg->index].type);
        if (bytes_of(shape) == 0) return false;
        op.wide_address = bytes_of(shape) == 8;
        op.rows[address_row] = register_row(reg->index);
        return true;
    }
    std::optional<Row> base;
    if (auto* symbol = std::get_if<ptx::Symbol>(&address->base)) base = symbol_address(*symbol, Shape::wide);
    else base = constant(Shape::wide, std::get<ptx::Immediate>(address->base).bits);
    if (!base) return false;
    op.rows[address_row] = *base;
    return true;
}

std::optional<Place> Decoder::place(const ptx::Operand& operand) const {
    ptx::Symbol symbol;
    if (auto* address = std::get_if<ptx::Address>(&operand.value)) {
        auto* base = std::get_if<ptx::Symbol>(&address->base);
        if (!base) return std::nullopt;
        symbol = *base;
        symbol.offset += address->offset;
    } else if (auto* direct = std::get_if<ptx::Symbol>(&operand.value)) {
        symbol = *direct;
    } else {
        return std::nullopt;
    }
    const Place* found = find_place(symbol.name);
    if (!found) return std::nullopt;
    Place place = *found;
    place.offset += static_cast<u64>(symbol.offset);
    return place;
}

void Decoder::place_rows() {
    constexpr u32 alignment = 64;
    std::vector<Row> offsets(row_bytes_.size());
    u32 next = 0;
    auto align = [&] { next = (next + alignment - 1) / alignment * alignment; };
    for (u8 row_class : {cleared_predicate, cleared_row, uncleared_row, kept_row, kept_predicate}) {
        align();
        if (row_class == uncleared_row) kernel_.zeroed_bytes = next;
        if (row_class == kept_row) kernel_.state_bytes = next;
        for (std::size_t i = 0; i < offsets.size(); ++i) {
            if (row_class_[i] != row_class) continue;
            offsets[i] = next;
            next += row_bytes_[i] == 0 ? 4 : row_bytes_[i] * u32{warp_size};
        }
    }
    align();
    kernel_.register_bytes = next;

    auto move = [&](Row& row) { row = row < offsets.size() ? offsets[row] : 0; };
    for (std::vector<DecodedOp>* ops : {&kernel_.ops, &kernel_.held_ops})
        for (DecodedOp& op : *ops) {
            for (Row& row : op.rows) move(row);
            move(op.guard);
        }
    for (MatrixOp& matrix : kernel_.matrices)
        for (MatrixOp::Operand& operand : matrix.operands)
            for (Row& row : operand.registers) move(row);
    for (auto& results : kernel_.vector_results)
        for (Row& row : results) move(row);
    for (DecodedBlock& block : kernel_.blocks)
        for (Row* row : {&block.guard, &block.table_index, &block.barrier, &block.barrier_count,
                         &block.reduced, &block.result})
            move(*row);
    for (CallSite& call : kernel_.calls) move(call.pointer);
    for (DecodedFunction& function : kernel_.functions) {
        move(function.local_base);
        for (RegisterSlot& slot : function.registers) move(slot.row);
    }
    for (ConstantRow& constant : kernel_.constants) move(constant.row);
    for (SpecialRow& special : kernel_.specials) move(special.row);
}

}  // namespace warplens::simt
