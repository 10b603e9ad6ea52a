#include "simt/timing/lowering/select_operations.h"

#include <algorithm>
#include <array>

#include "core/number_text.h"
#include "ptx/block_barrier.h"
#include "simt/timing/machine_operations.h"

namespace warplens::simt::lowering {

namespace {

struct SelectionRow {
    std::string_view name, types, modifier, operations;
};
constexpr std::array selection_rows{
#define WARPLENS_SELECT(name, types, modifier, operations) SelectionRow{name, types, modifier, operations},
#include "simt/timing/lowering/selection.def"
#undef WARPLENS_SELECT
};

using Sequence = std::vector<const MachineRow*>;

/// "iadd ffma*3" as rows.
Sequence parse_sequence(std::string_view text) {
    Sequence sequence;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        int count = 1;
        if (const std::size_t star = word.find('*'); star != std::string_view::npos) {
            count = number_from<int>(word.substr(star + 1)).value_or(1);
            word = word.substr(0, star);
        }
        sequence.insert(sequence.end(), static_cast<std::size_t>(count), find_machine_row(word));
    }
    return sequence;
}

bool contains_word(std::string_view words, std::string_view word) {
    for (std::size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
        const bool begins = at == 0 || words[at - 1] == ' ';
        const std::size_t end = at + word.size();
        if (begins && (end == words.size() || words[end] == ' ')) return true;
    }
    return false;
}

std::string_view type_word(ptx::Type type) {
    switch (type) {
        case ptx::Type::none:
            return "none";
        case ptx::Type::pred:
            return "pred";
        case ptx::Type::f16:
        case ptx::Type::f16x2:
        case ptx::Type::bf16:
        case ptx::Type::bf16x2:
            return "f16";
        case ptx::Type::f32:
        case ptx::Type::tf32:
            return "f32";
        case ptx::Type::f64:
            return "f64";
        default:
            return ptx::size_of(type) >= 8 ? "i64" : "i32";
    }
}

/// The spelling of a conversion in selection.def: by the kinds of both types, and their widths where they
/// matter.
std::string conversion_name(const Operation& operation) {
    const std::string_view to = type_word(operation.type), from = type_word(operation.source_type);
    const std::string exact = "cvt." + std::string(to) + "." + std::string(from);
    for (const SelectionRow& row : selection_rows)
        if (row.name == exact) return exact;
    return std::string("cvt.") + to[0] + "." + from[0];
}

const Sequence* find_sequence(const Operation& operation) {
    static const std::array<Sequence, selection_rows.size()> sequences = [] {
        std::array<Sequence, selection_rows.size()> parsed;
        for (std::size_t i = 0; i < parsed.size(); ++i)
            parsed[i] = parse_sequence(selection_rows[i].operations);
        return parsed;
    }();
    const std::string converted = operation.name == "cvt" ? conversion_name(operation) : std::string();
    const std::string_view name = converted.empty() ? operation.name : std::string_view(converted);
    const std::string_view type = operation.low_half_only ? "i32" : type_word(operation.type);
    for (std::size_t i = 0; i < sequences.size(); ++i) {
        const SelectionRow& row = selection_rows[i];
        if (row.name != name || (row.types != "any" && !contains_word(row.types, type))) continue;
        const bool is_type = row.modifier == "s32";
        const bool fits =
            row.modifier.empty() || (is_type ? ptx::class_of(operation.type) == ptx::TypeClass::signed_integer
                                             : operation.has(row.modifier));
        if (fits) return &sequences[i];
    }
    return nullptr;
}

std::uint16_t record_of(const SelectionContext& context, BasicBlockId block, SiteId site) {
    const auto entries = context.recorded.of(block);
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (entries[i].site == site) return static_cast<std::uint16_t>(i);
    return no_record;
}

bool holds(const MachineRow& row) {
    return row.kind == MachineKind::arithmetic && (row.pipe == Pipe::branch || row.name == "settle");
}

bool is_memory(MachineKind kind) {
    return kind == MachineKind::load || kind == MachineKind::store || kind == MachineKind::atomic ||
           kind == MachineKind::reduction || kind == MachineKind::copy;
}

using SmallCount = Bounded<std::uint8_t, 0, 255>;

/// The groups that cp.async.wait_group leaves unfinished.
std::uint8_t groups_left(const ptx::Instruction& instruction) {
    if (instruction.operands.empty()) return 0;
    const auto* literal = std::get_if<ptx::Immediate>(&instruction.operands[0].value);
    return literal != nullptr ? SmallCount::clamped(literal->bits).value() : 0;
}

/// Which barrier, and how many warps it waits for; a number in a register counts as 0.
void read_barrier(const ptx::Instruction& instruction, MachineOp& op) {
    const auto barrier = ptx::block_barrier(instruction);
    if (!barrier) return;
    if (barrier->number) op.barrier = BarrierId::clamped(barrier->number->bits);
    if (barrier->threads) op.barrier_warps = SmallCount::clamped(barrier->threads->bits / warp_size).value();
}

class BlockSelection {
  public:
    BlockSelection(Code& code, BasicBlockId block, SelectionContext& context)
        : code_(code), block_(block), context_(context) {}

    std::vector<Issue> issues;

    void add(const Operation& operation) {
        static const Sequence unknown{find_machine_row("lop3")};
        const Sequence* sequence = find_sequence(operation);
        if (sequence == nullptr) {
            ++context_.unknown[operation.instruction != nullptr ? operation.instruction->spelling
                                                                : std::string(operation.name)];
            sequence = &unknown;
        }
        Value between = no_value;
        for (std::size_t i = 0; i < sequence->size(); ++i) {
            Issue issue;
            issue.op = machine_op(operation, *(*sequence)[i]);
            issue.fixed = operation.name == "clock" || operation.name == "bsync" ||
                          operation.name == "loop.enter" || operation.name == "loop.leave" ||
                          (*sequence)[i]->name == "nojump";
            if (is_memory(issue.op.kind))
                for (const SiteId site : operation.merged)
                    issue.merged_records.push_back(record_of(context_, block_, site));
            issue.reads_constant = issue.op.kind == MachineKind::load && operation.has("nc");
            issue.holds = holds((*(*sequence)[i]));
            issue.sources = operation.sources;
            for (const Value value : operation.address_values) issue.sources.push_back(value);
            if (operation.guard != no_value) issue.sources.push_back(operation.guard);
            if (between != no_value) issue.sources.push_back(between);
            if (i + 1 == sequence->size()) {
                issue.results = operation.results;
                if (fills_guard(operation) && issue.op.latency == 0 &&
                    issue.op.kind == MachineKind::arithmetic)
                    issue.op.latency = find_machine_row("guardsetp")->latency(context_.timing);
            } else {
                between = code_.add_value(ptx::Type::b32);
                issue.results = {between};
            }
            issues.push_back(std::move(issue));
        }
    }

  private:
    /// A predicate is available later to guarded operations than as data; branches wait on their own.
    bool fills_guard(const Operation& operation) const {
        return std::any_of(operation.results.begin(), operation.results.end(),
                           [&](Value result) { return code_.values[result].guards; });
    }

    /// The assembler's form for a count: one is added for each lane, and no lane reads the sum before it.
    bool counts_lanes(const Operation& operation) const {
        const bool unread = std::ranges::all_of(operation.results,
                                                [&](Value result) { return code_.values[result].uses == 0; });
        return (operation.name == "atom" || operation.name == "red") && unread && operation.has("add") &&
               operation.immediate == 1 && type_word(operation.type) == "i32";
    }

    MachineOp machine_op(const Operation& operation, const MachineRow& row) {
        MachineOp op;
        op.site = operation.site;
        op.copy = operation.copy;
        op.kind = row.kind;
        op.pipe = row.pipe;
        op.latency = row.latency(context_.timing);
        op.guarded = operation.instruction != nullptr && operation.instruction->has_guard &&
                     row.kind != MachineKind::branch;
        if (row.balanced && (balance_++ & 1u) != 0) op.pipe = Pipe::fma_heavy;
        if (is_memory(row.kind)) {
            op.record = record_of(context_, block_, operation.site);
            if (operation.address && operation.address->space == Space::shared) {
                op.pipe = Pipe::mio;
                op.counts_lanes = counts_lanes(operation);
            }
        }
        const bool barrier =
            row.kind == MachineKind::block_barrier || row.kind == MachineKind::barrier_arrive;
        if (barrier) read_barrier(*operation.instruction, op);
        if (row.kind == MachineKind::copy_wait && operation.has("wait_group"))
            op.groups_left = groups_left(*operation.instruction);
        return op;
    }

    Code& code_;
    BasicBlockId block_;
    SelectionContext& context_;
    unsigned balance_ = 0;
};

}  // namespace

std::vector<Issue> select_operations(Code& code, std::span<const Operation> operations, BasicBlockId block,
                                     SelectionContext& context) {
    BlockSelection selection(code, block, context);
    for (const Operation& operation : operations) selection.add(operation);
    return std::move(selection.issues);
}

std::vector<Issue> predicated_off(std::span<const Issue> issues, SiteId site) {
    std::vector<Issue> off;
    for (const Issue& issue : issues) {
        Issue one;
        one.op.site = site;
        one.op.pipe = issue.op.pipe;
        one.op.latency = 1;
        one.sources = issue.sources;
        off.push_back(std::move(one));
    }
    return off;
}

void hold_behind_control(Code& code, std::vector<Issue>& issues) {
    for (std::size_t i = 0; i + 1 < issues.size(); ++i) {
        if (!issues[i].holds) continue;
        if (issues[i].results.empty()) issues[i].results = {code.add_value(ptx::Type::pred)};
        issues[i + 1].sources.push_back(issues[i].results.front());
    }
}

}  // namespace warplens::simt::lowering
