// Asynchronous copies, mbarriers, and addresses in a cluster's shared memory.
#include <algorithm>

#include "simt/functional/decode/decoder.h"
#include "simt/functional/execute/async.h"
#include "simt/functional/execute/auxiliary.h"
#include "simt/functional/execute/executor_table.h"

namespace warplens::simt {

namespace {

Space mbarrier_space(const ptx::Instruction& instruction) {
    if (instruction.has("shared::cluster")) return Space::shared_cluster;
    return instruction.has("shared") || instruction.has("shared::cta") ? Space::shared : Space::none;
}

/// Adds an operation with its address row filled from the operand.
std::optional<DecodedOp> at_address(Decoder& decoder, const ptx::Operand& operand) {
    DecodedOp op;
    if (!decoder.address(operand, op)) return std::nullopt;
    op.space = mbarrier_space(decoder.instruction());
    op.element_bytes = 8;
    return op;
}

bool put(Decoder& decoder, DecodedOp op, Execute execute) {
    DecodedOp& added = decoder.add(execute);
    op.execute = execute;
    op.site = added.site;
    added = op;
    return true;
}

/// How much of the source is read: a number of bytes, or none where the predicate ignores the source.
std::optional<Row> bytes_to_read(Decoder& decoder, const ptx::Operand& operand, u32 all) {
    if (decoder.own_shape(operand) != Shape::predicate) return decoder.source(operand, Shape::word);
    const auto ignored = decoder.source(operand, Shape::predicate);
    if (!ignored) return std::nullopt;
    DecodedOp& op = decoder.add(find_executor("selp.b32")->execute);
    const Row result = decoder.temporary(Shape::word);
    const Row rows[] = {result, decoder.constant(Shape::word, 0), decoder.constant(Shape::word, all),
                        *ignored};
    std::copy(std::begin(rows), std::end(rows), op.rows);
    return result;
}

/// cp.async [shared], [global], bytes {, bytes to read, or a predicate to read none}.
bool decode_copy(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    if (instruction.operands.size() < 3) return false;
    DecodedOp to, from;
    const auto bytes = decoder.immediate(instruction.operands[2]);
    if (!bytes || !decoder.address(instruction.operands[0], to) ||
        !decoder.address(instruction.operands[1], from))
        return false;
    std::optional<Row> read = decoder.constant(Shape::word, *bytes);
    if (instruction.operands.size() > 3 && !instruction.has("L2::cache_hint"))
        read = bytes_to_read(decoder, instruction.operands[3], *bytes);
    if (!read) return false;
    DecodedOp& op = decoder.add(copy_async);
    op.element_bytes = static_cast<u8>(*bytes);
    const Row rows[] = {to.rows[address_row], from.rows[address_row],
                        decoder.constant(Shape::wide, to.immediate),
                        decoder.constant(Shape::wide, from.immediate), *read};
    std::copy(std::begin(rows), std::end(rows), op.rows);
    op.flags = (to.wide_address ? 1u : 0u) | (from.wide_address ? 2u : 0u);
    return true;
}

/// cp.async.bulk.TARGET.SOURCE [target], [source], size {, [mbarrier]} {, mask of blocks}.
bool decode_bulk_copy(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    const auto& operands = instruction.operands;
    std::vector<Space> spaces;
    for (const std::string& modifier : instruction.modifiers) {
        if (modifier == "global") spaces.push_back(Space::global);
        if (modifier == "shared::cluster" || modifier == "shared::cta") spaces.push_back(Space::shared);
    }
    if (spaces.size() != 2 || instruction.has("tensor")) return false;
    const bool grouped = instruction.has("bulk_group"), multicast = instruction.has("multicast::cluster");
    if (operands.size() < (grouped ? 3u : 4u) + (multicast ? 1u : 0u)) return false;
    DecodedOp to, from, mbarrier;
    const auto size = decoder.source(operands[2], Shape::word);
    if (!size || !decoder.address(operands[0], to) || !decoder.address(operands[1], from) ||
        (!grouped && !decoder.address(operands[3], mbarrier)))
        return false;
    const auto blocks = decoder.source(multicast ? operands[4] : operands[2], Shape::word);
    if (!blocks) return false;
    DecodedOp& op = decoder.add(copy_bulk);
    const Row rows[] = {to.rows[address_row],
                        from.rows[address_row],
                        decoder.constant(Shape::wide, to.immediate),
                        decoder.constant(Shape::wide, from.immediate),
                        *size,
                        grouped ? *size : mbarrier.rows[address_row],
                        decoder.constant(Shape::wide, mbarrier.immediate),
                        *blocks};
    std::copy(std::begin(rows), std::end(rows), op.rows);
    op.space = spaces[0];
    op.immediate = static_cast<u64>(spaces[1]);
    op.flags = (to.wide_address ? 1u : 0u) | (from.wide_address ? 2u : 0u) |
               (mbarrier.wide_address ? 4u : 0u) | (multicast ? u32{bulk_multicast} : 0u) |
               (grouped ? u32{bulk_in_group} : 0u);
    return true;
}

bool decode_copies(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    if (!instruction.has("async")) return false;
    const bool bulk = instruction.has("bulk");
    if (instruction.has("mbarrier")) {
        if (instruction.operands.size() != 1) return false;
        auto op = at_address(decoder, instruction.operands[0]);
        if (!op) return false;
        op->flags = instruction.has("noinc") ? 1 : 0;
        return put(decoder, *op, arrive_after_copies);
    }
    if (instruction.has("commit_group") || instruction.has("wait_group") || instruction.has("wait_all")) {
        // Bulk copies from shared to global memory complete immediately: nothing is left to wait for.
        if (bulk) return put(decoder, {}, execute_nothing);
        DecodedOp op;
        if (instruction.has("wait_group")) {
            const auto groups =
                instruction.operands.empty() ? std::nullopt : decoder.immediate(instruction.operands[0]);
            if (!groups) return false;
            op.immediate = *groups;
            return put(decoder, op, wait_for_copies);
        }
        return put(decoder, op, instruction.has("wait_all") ? wait_for_all_copies : commit_copies);
    }
    if (bulk && instruction.has("prefetch") && !instruction.has("tensor"))
        return put(decoder, {}, execute_nothing);
    if (bulk) return decode_bulk_copy(decoder);
    return decode_copy(decoder);
}

bool decode_arrival(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    const auto& operands = instruction.operands;
    if (operands.size() < 2 || operands.size() > 3) return false;
    auto op = at_address(decoder, operands[1]);
    if (!op) return false;
    const bool has_token = !std::holds_alternative<ptx::Sink>(operands[0].value);
    const bool expects = instruction.has("expect_tx");
    const auto token = has_token ? decoder.destination(operands[0], Shape::wide) : std::optional<Row>(0);
    std::optional<Row> count = decoder.constant(Shape::word, 1), bytes = count;
    if (operands.size() == 3) (expects ? bytes : count) = decoder.source(operands[2], Shape::word);
    if (!token || !count || !bytes) return false;
    op->rows[0] = *token;
    op->rows[1] = *count;
    op->rows[2] = *bytes;
    op->flags = (instruction.has("arrive_drop") ? u32{arrive_drops} : 0u) |
                (expects ? u32{arrive_expects_bytes} : 0u) | (has_token ? u32{arrive_has_token} : 0u);
    return put(decoder, *op, mbarrier_arrive);
}

bool decode_test(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    if (instruction.operands.size() < 3) return false;  // a time limit may follow
    auto op = at_address(decoder, instruction.operands[1]);
    const bool parity = instruction.has("parity");
    const auto done = decoder.destination(instruction.operands[0], Shape::predicate);
    const auto phase = decoder.source(instruction.operands[2], parity ? Shape::word : Shape::wide);
    if (!op || !done || !phase) return false;
    op->rows[0] = *done;
    op->rows[1] = *phase;
    op->flags = parity ? 1 : 0;
    return put(decoder, *op, mbarrier_test);
}

bool decode_mbarrier(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    const auto& operands = instruction.operands;
    if (instruction.has("arrive") || instruction.has("arrive_drop")) return decode_arrival(decoder);
    if (instruction.has("test_wait") || instruction.has("try_wait")) return decode_test(decoder);
    if (instruction.has("pending_count")) {
        if (operands.size() != 2) return false;
        const auto count = decoder.destination(operands[0], Shape::word);
        const auto token = decoder.source(operands[1], Shape::wide);
        if (!count || !token) return false;
        DecodedOp op;
        op.rows[0] = *count;
        op.rows[1] = *token;
        return put(decoder, op, mbarrier_pending_count);
    }
    if (operands.empty()) return false;
    auto op = at_address(decoder, operands[0]);
    if (!op) return false;
    if (instruction.has("inval")) return put(decoder, *op, mbarrier_invalidate);
    if (operands.size() != 2) return false;
    const auto number = decoder.source(operands[1], Shape::word);
    if (!number) return false;
    op->rows[1] = *number;
    if (instruction.has("init")) return put(decoder, *op, mbarrier_init);
    if (instruction.has("expect_tx")) return put(decoder, *op, mbarrier_expect);
    if (instruction.has("complete_tx")) return put(decoder, *op, mbarrier_complete);
    return false;
}

/// mapa d, a, rank; getctarank d, a.
bool decode_rank(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    const bool maps = instruction.opcode == "mapa";
    if (instruction.operands.size() != (maps ? 3u : 2u)) return false;
    const Shape shape = shape_of(instruction.type());
    const Shape own = maps ? shape : decoder.own_shape(instruction.operands[1]);
    const auto d = decoder.destination(instruction.operands[0], maps ? shape : Shape::word);
    const auto a = decoder.source(instruction.operands[1], own);
    const auto rank = maps ? decoder.source(instruction.operands[2], Shape::word) : std::optional<Row>(0);
    if (!d || !a || !rank) return false;
    DecodedOp& op = decoder.add(maps ? map_to_rank : rank_of_address);
    op.rows[0] = *d;
    op.rows[1] = *a;
    if (maps) op.rows[2] = *rank;
    op.wide_address = bytes_of(own) == 8;
    op.flags = instruction.has("shared::cluster") ? 0 : 1;
    return true;
}

}  // namespace

bool decode_async(Decoder& decoder) {
    const std::string& opcode = decoder.instruction().opcode;
    if (opcode == "cp") return decode_copies(decoder);
    if (opcode == "mbarrier") return decode_mbarrier(decoder);
    if (opcode == "mapa" || opcode == "getctarank") return decode_rank(decoder);
    if (opcode == "nanosleep") return put(decoder, {}, give_way);
    return false;
}

}  // namespace warplens::simt
