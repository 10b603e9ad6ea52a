// What examines the addresses of loads and stores before them.
#include <algorithm>

#include "ptx/opcodes.h"
#include "simt/functional/decode/decoder.h"
#include "simt/functional/memory/memory_access.h"

namespace warplens::simt {

void Decoder::examine(const ptx::Operand& operand, DecodedOp& access, bool load) {
    const auto* address = std::get_if<ptx::Address>(&operand.value);
    const auto* base = address ? std::get_if<ptx::RegisterOperand>(&address->base) : nullptr;
    const Execute examine = examining_executor(access, load);
    // The address of anything else is not looked for again.
    const AddressRegister of =
        base ? AddressRegister{base->index, 1, access.bytes(), access.space} : AddressRegister{0, 0};
    const ExaminedAddresses::Known* known = base && examine ? examined.find(of) : nullptr;
    access.window = known ? known->window : kernel_.window_count++;
    if (!examine) return;
    const bool is_new = !known;
    if (is_new) known = &examined.add(of, access.window);
    Row& row = examined_rows_[known->slot];
    if (row == no_row) row = new_kept_row();
    access.rows[examined_row] = row;
    if (!is_new) return;
    DecodedOp& op = before(examine);
    const SiteId site = op.site;
    op = access;
    op.execute = examine;
    op.site = site;
}

void Decoder::forget_written() {
    if (!ptx::find_opcode(instruction_->opcode)) return examined.forget_all();
    const std::size_t results = std::min(ptx::result_count(*instruction_), instruction_->operands.size());
    for (std::size_t i = 0; i < results; ++i)
        for_each_register(instruction_->operands[i], [&](u32 index) { examined.forget(index, 1); });
}

}  // namespace warplens::simt
