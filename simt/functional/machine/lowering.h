// Lowering: one machine instruction on its way to operations of the engine. Rows of meaning.h use it: they
// ask for the rows of their operands, modifiers applied, and add operations.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "sass/decoder.h"
#include "sass/instruction.h"
#include "sass/instruction_table.h"
#include "simt/functional/decode/examined_addresses.h"
#include "simt/functional/machine/machine_rows.h"
#include "simt/functional/machine/registers_ahead.h"

namespace warplens::simt {

/// The name that the modifier's value has in the table: "FTZ", "ADD"; empty when it has none.
std::string_view modifier_name(const sass::Instruction& instruction, std::string_view kind);

class Lowering {
  public:
    Lowering(DecodedKernel& kernel, MachineRows& rows, int sm) : kernel_(kernel), rows_(rows), sm_(sm) {}
    /// Its instructions, which begin at that site.
    void begin_block(std::span<const sass::Instruction> block, SiteId first);
    /// The instruction before it in the block is complete.
    void begin(const sass::Instruction& instruction, SiteId site);

    const sass::Instruction& instruction() const { return *instruction_; }
    sass::InstructionId id() const { return instruction_->row->id; }
    unsigned modifier(std::string_view name) const { return instruction_->modifier(name); }
    std::string_view modifier_name(std::string_view kind) const {
        return simt::modifier_name(*instruction_, kind);
    }
    MachineRows& rows() { return rows_; }
    DecodedKernel& kernel() { return kernel_; }
    SiteId site() const { return site_; }
    int sm() const { return sm_; }
    /// The uniform data path computes once a warp, whichever lanes are active.
    bool is_uniform() const { return instruction_->row->pipe == sass::Pipe::uniform && !by_lanes_; }
    // Of the block being decoded:
    SiteId counter = no_index;
    ExaminedAddresses examined;
    /// What the rest of the block does with the instruction's registers.
    const RegistersAhead& ahead() const { return ahead_[site_ - first_site_]; }
    /// Registers that the instruction writes are not examined any more; what is added afterwards stays.
    void forget_written();
    bool is_uniform_zero(u32 index) const { return index == sass::uniform_zero(sm_); }

    /// Whether the contents of the constant bank there are known.
    bool knows(const sass::Operand& constant) const;

    // ---- sources other than predicates, in the order written
    std::size_t source_count() const { return sources_.size(); }
    const sass::Operand& source_operand(std::size_t index) const { return *sources_[index]; }
    /// With the chosen half, negation, magnitude and inversion applied, as the operand's type has
    /// them. One that is not there is zero. `words`: 2 for 64 bits.
    Row source(std::size_t index, u32 words = 1);
    /// As the register or the constant holds it.
    Row plain(std::size_t index, u32 words = 1);
    /// A floating-point number, or two, whose signs are these bits: its magnitude, then its negation.
    Row with_sign(Row row, bool absolute, bool negated, u32 sign = 0x80000000u);
    /// The half that part_name() names, in both halves of a row; `row` where it names none.
    Row chosen_half(std::size_t index, Row row);
    bool is_negated(std::size_t index) const;
    /// The half or byte of the register that is read: "H1_H1", "B2"; empty for the whole register.
    std::string_view part_name(std::size_t index) const;
    bool is_inverted(std::size_t index) const;
    s64 immediate(std::size_t index) const { return sources_[index]->value; }

    // ---- predicates, by the bit that they stand at
    /// A source; one that is not printed is true.
    Row predicate(unsigned bit);
    bool has_predicate(unsigned bit) const { return find_predicate(bit, false) != nullptr; }
    Row predicate_result(unsigned bit) const;

    // ---- results
    /// Rows of the register written; a sink for RZ and where there is none.
    Row result() const;
    bool has_result() const;  // other than RZ
    bool result_is_uniform() const;
    const sass::Operand* find(sass::OperandKind kind, bool destination = false) const;
    Row row_of(const sass::Operand& operand, u32 words);

    // ---- operations
    /// The instruction's own: for the lanes that its guard lets through.
    DecodedOp& add(Execute execute);
    /// A second one of it; observers receive only one guard.
    DecodedOp& add_silent(Execute execute);
    /// What follows is executed by the lanes that are active, though it belongs to the uniform data path.
    void execute_by_lanes() { by_lanes_ = true; }
    /// One that only writes rows of scratch(), before it.
    DecodedOp& prepare(Execute execute);
    /// The same of the engine's operation that has this key in execute/executor_table.h, with its rows.
    DecodedOp& add(std::string_view key, std::initializer_list<Row> rows);
    DecodedOp& add_silent(std::string_view key, std::initializer_list<Row> rows);
    DecodedOp& prepare(std::string_view key, std::initializer_list<Row> rows);
    /// The instruction's own: copies `words` rows. They are the same or apart.
    void add_copies(Row to, Row from, u32 words);
    /// A pair of registers as a row of 8 bytes per lane, as the operations of the PTX level have them.
    Row widened(Row pair);
    /// The guard as a row and whether it is negated; nothing when the instruction has none.
    bool guard(Row& row, bool& negated) const;

  private:
    const sass::Operand* find_predicate(unsigned bit, bool destination) const;
    DecodedOp& append(Execute execute, bool guarded);

    DecodedKernel& kernel_;
    MachineRows& rows_;
    int sm_;
    const sass::Instruction* instruction_ = nullptr;
    SiteId site_ = 0, first_site_ = 0;
    std::vector<RegistersAhead> ahead_;
    bool forgot_ = false;
    bool guard_reported_ = false;
    bool by_lanes_ = false;
    std::vector<const sass::Operand*> sources_;
};

}  // namespace warplens::simt
