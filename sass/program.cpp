#include "sass/program.h"

#include <algorithm>

#include "sass/decoder.h"
#include "sass/instruction_table.h"
#include "sass/printer.h"

namespace warplens::sass {

namespace {

struct MemoryName {
    std::string_view name;
    Space space;
    Operation operation;
};

/// Opcodes that access memory, by their name up to the first dot.
constexpr MemoryName memory_names[] = {
    {"LDG", Space::global, Operation::load},
    {"STG", Space::global, Operation::store},
    {"LD", Space::none, Operation::load},
    {"ST", Space::none, Operation::store},
    {"LDS", Space::shared, Operation::load},
    {"STS", Space::shared, Operation::store},
    {"LDSM", Space::shared, Operation::load},
    {"STSM", Space::shared, Operation::store},
    {"LDL", Space::local, Operation::load},
    {"STL", Space::local, Operation::store},
    {"LDC", Space::constant, Operation::load},
    {"ULDC", Space::constant, Operation::load},
    {"LDCU", Space::constant, Operation::load},
    {"LDGSTS", Space::global, Operation::load},
    {"ATOM", Space::none, Operation::atomic},
    {"ATOMG", Space::global, Operation::atomic},
    {"RED", Space::global, Operation::atomic},
    {"REDG", Space::global, Operation::atomic},
    {"ATOMS", Space::shared, Operation::atomic},
    {"TEX", Space::texture, Operation::load},
    {"TLD", Space::texture, Operation::load},
    {"TLD4", Space::texture, Operation::load},
    {"TXD", Space::texture, Operation::load},
    {"SULD", Space::surface, Operation::load},
    {"SUST", Space::surface, Operation::store},
    {"SURED", Space::surface, Operation::atomic},
    {"STAS", Space::shared_cluster, Operation::store},
    {"REDAS", Space::shared_cluster, Operation::atomic},
};

constexpr std::string_view warp_names[] = {"SHFL", "VOTE", "VOTEU", "MATCH", "REDUX", "CREDUX", "ELECT",
                                           "HMMA", "IMMA", "BMMA",  "DMMA",  "QMMA",  "MOVM",   "WARPSYNC"};

std::string_view base_name(std::string_view opcode) { return opcode.substr(0, opcode.find('.')); }

/// Bytes that one lane accesses, from the modifiers of the printed opcode.
std::uint32_t bytes_of(std::string_view opcode) {
    std::uint32_t bytes = 4;
    while (true) {
        const std::size_t dot = opcode.find('.');
        if (dot == std::string_view::npos) return bytes;
        opcode.remove_prefix(dot + 1);
        const std::string_view word = opcode.substr(0, opcode.find('.'));
        if (word == "U8" || word == "S8") bytes = 1;
        if (word == "U16" || word == "S16") bytes = 2;
        if (word == "64" || word == "S64" || word == "F64" || word == "F32x2" || word == "F16x4") bytes = 8;
        if (word == "128" || word == "F32x4" || word == "F16x8") bytes = 16;
        if (word == "256") bytes = 32;
    }
}

SiteKind kind_of(const Instruction& instruction, std::string_view name) {
    switch (flow_of(instruction)) {
        case Flow::branch:
        case Flow::indirect:
            return SiteKind::branch;
        case Flow::call:
            return SiteKind::call;
        case Flow::leave:
            return SiteKind::exit;
        default:
            break;
    }
    if (name == "BAR" || name == "UCGABAR_ARV" || name == "UCGABAR_WAIT") return SiteKind::barrier;
    if (std::find(std::begin(warp_names), std::end(warp_names), name) != std::end(warp_names))
        return SiteKind::warp_wide;
    return SiteKind::lanewise;
}

Site site_of(const Instruction& instruction, int sm) {
    Site site;
    site.opcode = print_opcode(instruction);
    site.text = print(instruction, sm);
    site.guarded = instruction.guard != predicate_true || instruction.guard_negated;
    if (!instruction.known()) return site;
    const std::string_view name = base_name(site.opcode);
    site.kind = kind_of(instruction, name);
    for (const MemoryName& memory : memory_names) {
        if (memory.name != name) continue;
        site.kind = SiteKind::memory;
        site.space = memory.space;
        site.operation = memory.operation;
        site.bytes_per_lane = bytes_of(site.opcode);
    }
    return site;
}

/// The row of the outermost call that a row was inlined into. Rows that call each other in a circle, as only
/// a damaged table has them, end the search.
const LineRow& outermost(const std::vector<LineRow>& rows, const LineRow& row) {
    const LineRow* at = &row;
    for (std::size_t steps = 0; at->inlined_at > 0 && at->inlined_at <= rows.size() && steps < rows.size();
         ++steps)
        at = &rows[at->inlined_at - 1];
    return *at;
}

void set_lines(const Cubin& cubin, const CubinFunction& function, Program& program) {
    const auto in_order = [](std::vector<LineRow> rows) {
        std::stable_sort(rows.begin(), rows.end(),
                         [](const LineRow& a, const LineRow& b) { return a.offset < b.offset; });
        return rows;
    };
    const std::vector<LineRow> source = in_order(function.source_lines), ptx = in_order(function.ptx_lines);
    std::size_t s = 0, p = 0;
    for (std::size_t i = 0; i < program.sites.size(); ++i) {
        const std::uint64_t offset = i * instruction_bytes;
        while (s < source.size() && source[s].offset <= offset) ++s;
        while (p < ptx.size() && ptx[p].offset <= offset) ++p;
        if (s > 0) {
            const LineRow& row = outermost(function.source_lines, source[s - 1]);
            program.sites[i].line = row.line;
            program.sites[i].file = row.file < cubin.files.size() ? row.file : no_index;
        }
        if (p > 0) program.sites[i].ptx_line = ptx[p - 1].line;
    }
}

}  // namespace

std::vector<Parameter> parameters_of(const CubinFunction& function) {
    std::vector<Parameter> parameters;
    for (const CubinParameter& each : function.parameters) {
        const bool fits = each.bytes == 2 || each.bytes == 4 || each.bytes == 8;  // a register or a pair
        parameters.push_back({fmt::format("param_{}", each.ordinal),
                              fits ? fmt::format("b{}", 8 * each.bytes) : "b8", each.bytes, each.offset});
    }
    return parameters;
}

Result<MachineProgram> number_machine_sites(const Cubin& cubin, std::string_view entry) {
    const CubinFunction* function = cubin.find(entry);
    if (!function) return fail("the cubin has no function {}", entry);
    MachineProgram result;
    result.sm = cubin.sm;
    result.instructions = decode(function->code, cubin.sm);
    result.blocks = build_control_flow(result.instructions, function->indirect_branches);
    Program& program = result.program;
    program.entry = entry;
    program.sites.reserve(result.instructions.size());
    for (const Instruction& instruction : result.instructions)
        program.sites.push_back(site_of(instruction, cubin.sm));
    for (const MachineBlock& block : result.blocks) {
        const auto id = static_cast<BasicBlockId>(program.basic_blocks.size());
        program.basic_blocks.push_back({block.first, block.count});
        for (std::uint32_t i = 0; i < block.count; ++i) program.sites[block.first + i].basic_block = id;
    }
    for (const std::string& file : cubin.files) program.sources.push_back({file, ""});
    program.parameters = parameters_of(*function);
    set_lines(cubin, *function, program);
    return result;
}

std::vector<SiteId> unknown_sites(const MachineProgram& program) {
    std::vector<SiteId> unknown;
    for (SiteId site = 0; site < program.instructions.size(); ++site)
        if (!program.instructions[site].known()) unknown.push_back(site);
    return unknown;
}

}  // namespace warplens::sass
