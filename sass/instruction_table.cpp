#include "sass/instruction_table.h"

#include <algorithm>
#include <iterator>

namespace warplens::sass {

namespace {

constexpr int newest = 999;

struct Table {
    std::vector<Row> rows;
    std::vector<std::vector<const Row*>> by_opcode;  // by bits 0 to 11
    Status status;
};

/// A row as written, without what is parsed from it.
struct WrittenRow {
    InstructionId id;
    std::string_view id_name;
    std::uint16_t opcode;
    std::string_view forms;
    std::uint16_t first_sm, last_sm;
    std::string_view mnemonic;
    Pipe pipe;
    std::string_view modifiers, operands, meaning;
};

constexpr WrittenRow written_rows[] = {
#define SASS(id, opcode, forms, first, last, mnemonic, pipe, modifiers, operands, meaning) \
    {InstructionId::id, #id, opcode, forms, first, last, mnemonic, Pipe::pipe, modifiers, operands, meaning},
#include "sass/instructions/all.def"
#undef SASS
};

Table read_table() {
    Table table;
    table.rows.reserve(std::size(written_rows));
    for (const WrittenRow& written : written_rows) {
        Row& row = table.rows.emplace_back();
        row.id = written.id;
        row.id_name = written.id_name;
        row.opcode = written.opcode;
        row.forms = written.forms;
        row.first_sm = written.first_sm;
        row.last_sm = written.last_sm;
        row.mnemonic = written.mnemonic;
        row.pipe = written.pipe;
        row.modifiers_text = written.modifiers;
        row.operands_text = written.operands;
        row.meaning = written.meaning;
    }
    table.by_opcode.resize(std::size_t{1} << 12);
    for (Row& row : table.rows) {
        auto modifiers = parse_modifiers(row.modifiers_text);
        if (!modifiers) {
            table.status = fail("{}: {}", row.id_name, modifiers.error().message);
            continue;
        }
        row.modifiers = std::move(*modifiers);
        const std::size_t question = row.forms.find('?');
        auto conditions = parse_conditions(row.forms.substr(std::min(question, row.forms.size())));
        if (!conditions) table.status = fail("{}: {}", row.id_name, conditions.error().message);
        else row.conditions = std::move(*conditions);
        for (const char digit : row.forms.substr(0, question)) {
            if (digit == ',') continue;
            const auto form = static_cast<unsigned>(digit - '0');
            auto operands = parse_operands(row.operands_text, form);
            if (!operands || form >= row.operands.size()) {
                table.status =
                    fail("{}: {}", row.id_name, operands ? "no such form" : operands.error().message);
                continue;
            }
            row.operands[form] = std::move(*operands);
            table.by_opcode[row.opcode | form << 9].push_back(&row);
        }
    }
    return table;
}

const Table& table() {
    static const Table read = read_table();
    return read;
}

}  // namespace

std::span<const Row> rows() { return table().rows; }

Status check_table() { return table().status; }

const Row* find_row(const Encoding& encoding, int sm) {
    for (const Row* row : table().by_opcode[encoding.bits(0, 12)])
        if (sm >= row->first_sm && sm <= row->last_sm && hold(row->conditions, encoding)) return row;
    return nullptr;
}

std::string_view to_string(Pipe pipe) {
    constexpr std::string_view names[] = {"FMA",    "ALU",        "FP16",    "FP64",    "special functions",
                                          "tensor", "load/store", "texture", "uniform", "control"};
    return names[static_cast<std::size_t>(pipe)];
}

}  // namespace warplens::sass
