// Decoder: the state while one kernel's instructions become operations. It assigns rows to operands and adds
// auxiliary operations around an instruction if a register is wider than the instruction's type. decode.cpp
// drives it; each other file of this folder decodes a family of instructions.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "ptx/module.h"
#include "simt/functional/decode/decoded_kernel.h"
#include "simt/functional/decode/examined_addresses.h"
#include "simt/functional/decode/register_uses.h"

namespace warplens::simt {

/// What a row holds per lane, and how an immediate is converted to bits.
enum class Shape : char {
    predicate = 'p',
    word = 'w',
    wide = 'd',
    f16 = 'h',
    bf16 = 'b',
    f32 = 'f',
    f64 = 'D',
    quad = 'q',  // 128 bits: two wide rows, see Decoder::quad
};
Shape shape_of(ptx::Type type);
u32 bytes_of(Shape shape);

/// A variable's location. The offset is within its space; for .global it is an index into
/// DecodedKernel::variables; for a function, which has no space, into DecodedKernel::functions; for a kernel
/// into DecodedKernel::launchable.
struct Place {
    Space space = Space::none;
    u64 offset = 0;
    u32 bytes = 0;
    bool kernel_parameter = false;
    bool function = false;
    bool kernel = false;
};

/// Names visible in one function: its own variables and parameters, then the module's.
using Places = std::map<std::string, Place, std::less<>>;

struct Scope {
    u32 function_index = 0;
    const ptx::Function* function = nullptr;
    std::vector<Row> registers;                   // by index; no_row until used
    std::map<u32, Row> upper_halves;              // of .b128 registers, by index
    Places places;                                // of the function's own names
    std::shared_ptr<const Places> module_places;  // of the others, one list for all functions
    std::vector<RegisterUse> uses;                // by index
    std::vector<bool> need_clearing;              // by index; empty: all of them
};

class Decoder {
  public:
    Decoder(const ptx::Module& module, DecodedKernel& kernel) : module_(module), kernel_(kernel) {
        examined_rows_.fill(no_row);
    }

    // ---- while one instruction is decoded
    void begin(Scope& scope, const ptx::Instruction& instruction, SiteId site);
    /// Appends the instruction's operations, guarded if the instruction is, and their auxiliary operations.
    void finish();
    /// Appends only the auxiliary operations that a control instruction's operands need before it.
    void finish_operands();
    /// Adds an operation of this instruction.
    DecodedOp& add(Execute execute);

    /// Rows of operands; std::nullopt for an operand that this engine cannot read. The word row of a wider
    /// register is a copy of its low half.
    std::optional<Row> source(const ptx::Operand& operand, Shape shape);
    std::optional<Row> destination(const ptx::Operand& operand, Shape shape, bool sign_extends = false);
    /// The rows of the lower and the upper half of a .b128 register, as source or result.
    std::optional<std::array<Row, 2>> quad(const ptx::Operand& operand);
    /// Address operand: fills address row, width and offset.
    bool address(const ptx::Operand& operand, DecodedOp& op);
    /// Before a load or store whose other fields are set: what examines its address, unless that was examined
    /// before. Sets its window.
    void examine(const ptx::Operand& operand, DecodedOp& access, bool load);
    /// The location that an address operand names directly, with its offset added.
    std::optional<Place> place(const ptx::Operand& operand) const;
    const Place* find_place(std::string_view name) const;

    Row constant(Shape shape, u64 bits);
    Row temporary(Shape shape);
    Row special(Special which);
    std::optional<u32> immediate(const ptx::Operand& operand) const;
    /// The shape of the operand's own register; word for anything else.
    Shape own_shape(const ptx::Operand& operand) const;

    /// False if only this instruction names the result register.
    bool is_read(const ptx::Operand& result) const;
    /// Makes the lanes of the member mask reach the block together, as far as the mask is known here.
    void require_convergence(const ptx::Operand& members);
    // For the block being decoded:
    u32 convergence = 0;
    SiteId counter = no_index;
    ExaminedAddresses examined;
    Row guard_row(const ptx::Instruction& instruction) { return register_row(instruction.guard.predicate); }

    const ptx::Instruction& instruction() const { return *instruction_; }
    SiteId site() const { return site_; }
    const ptx::Module& module() const { return module_; }
    DecodedKernel& kernel() { return kernel_; }
    Scope& scope() { return *scope_; }

    // ---- layout of the register file
    Row add_register(Shape shape, bool cleared = true);
    /// Rows are assigned as class and number; this converts them to offsets once all are known.
    void place_rows();

  private:
    Row register_row(u32 index);
    Row add_constant(u8 bytes, u64 bits, u32 variable);
    std::optional<Row> symbol_address(const ptx::Symbol& symbol, Shape shape);
    DecodedOp& before(Execute execute);
    void forget_written();

    const ptx::Module& module_;
    DecodedKernel& kernel_;
    Scope* scope_ = nullptr;
    const ptx::Instruction* instruction_ = nullptr;
    SiteId site_ = no_index;
    std::vector<DecodedOp> before_, during_, after_;
    u32 temporaries_used_ = 0;
    std::vector<Row> temporaries_;
    std::map<std::tuple<u8, u64, u32>, Row> constants_;
    std::map<Special, Row> specials_;
    std::vector<u8> row_bytes_;  // by virtual row: 0 predicate, 4, 8
    std::vector<u8> row_class_;
    u32 sink_ = no_row;
    std::array<Row, ExaminedAddresses::slots> examined_rows_;

    Row new_row(u8 bytes, u8 row_class);
    Row new_kept_row();  // 4 bytes per lane
};

// The families. Each returns whether it decodes the instruction; false has no side effects.
bool decode_lanewise(Decoder& decoder);
bool decode_compare(Decoder& decoder);
bool decode_convert(Decoder& decoder);
bool decode_move(Decoder& decoder);
bool decode_video(Decoder& decoder);
bool decode_memory(Decoder& decoder);
bool decode_atomic(Decoder& decoder);
bool decode_warp(Decoder& decoder);
bool decode_async(Decoder& decoder);
bool decode_texture(Decoder& decoder);
bool decode_surface(Decoder& decoder);
bool decode_tensor(Decoder& decoder);
bool decode_nothing(Decoder& decoder);  // fences, hints: an instruction without an effect here

}  // namespace warplens::simt
