// Pieces of PTX that several passes insert.
#include <fmt/format.h>

#include <charconv>
#include <set>

#include "instrumentation/rewrite/passes.h"
#include "instrumentation/rewrite/recording_space.h"

namespace warplens::instrumentation {

namespace {

const std::string kept_base = "%warplens_base";

}  // namespace

bool leaves_warps_out(const InstrumentOptions& options) {
    return !options.launch || options.launch->selects_blocks || options.launch->selects_sms;
}

std::string load_space(const FunctionDraft& function) {
    // A number needs no uniform register, which lanes that are apart would share.
    const std::string size = function.chunk_units > 0
                                 ? fmt::format("mov.u32 %size, {};\n", function.chunk_units)
                                 : fmt::format("ld.param.u32 %size, [warplens_space+{}];\n",
                                               offsetof(SpaceParameter, chunk_units));
    const std::string base =
        Draft::has_shared(function, kept_base)
            ? fmt::format("mov.b64 %base, {};\n", kept_base)
            : fmt::format("ld.param.u64 %base, [warplens_space+{}];\n", offsetof(SpaceParameter, base));
    return fmt::format(
        ".reg .b64 %base; .reg .b32 %size, %chunks, %slabs;\n{}{}"
        "ld.param.u32 %chunks, [warplens_space+{}];\n"
        "ld.param.u32 %slabs, [warplens_space+{}];\n",
        base, size, offsetof(SpaceParameter, chunks), offsetof(SpaceParameter, slabs));
}

void keep_base_by_lane(Draft& draft, FunctionDraft& function) {
    draft.share(function, kept_base, ptx::Type::b64);
    const std::string always = guard_that_holds(draft, function);
    draft.put(function, {},
              fmt::format("mov.b64 {0}, 0;\n@{1} ld.param.u64 {0}, [warplens_space+{2}];\n", kept_base,
                          always, offsetof(SpaceParameter, base)));
}

void keep_locals_by_lane(Draft& draft, FunctionDraft& entry) {
    std::set<std::string> locals;
    for (const ptx::Statement& statement : draft.body_of(entry).body)
        if (const auto* variable = std::get_if<ptx::VariableDeclaration>(&statement))
            if (variable->space == Space::local) locals.insert(variable->name);
    for (SiteId site = 0; site < draft.numbered.origins.size() && !locals.empty(); ++site) {
        if (draft.numbered.origins[site].function != entry.index) continue;
        const ptx::Instruction& instruction = draft.instruction(site);
        if (instruction.operands.size() != 2 || instruction.has_guard) continue;
        const auto* result = std::get_if<ptx::RegisterOperand>(&instruction.operands[0].value);
        const auto* symbol = std::get_if<ptx::Symbol>(&instruction.operands[1].value);
        if (result == nullptr || symbol == nullptr || !locals.contains(symbol->name)) continue;
        const std::uint32_t bytes = ptx::size_of(draft.body_of(entry).registers[result->index].type);
        draft.put(entry, draft.behind(site),
                  fmt::format("@!{} mov.b{} %own{}, 0;\n", guard_that_holds(draft, entry), 8 * bytes,
                              result->index));
    }
}

void keep_divisions_by_lane(Draft& draft, FunctionDraft& function) {
    for (SiteId site = 0; site < draft.numbered.origins.size(); ++site) {
        if (draft.numbered.origins[site].function != function.index) continue;
        const ptx::Instruction& instruction = draft.instruction(site);
        const std::string& opcode = instruction.opcode;
        if (opcode != "div" && opcode != "rem" && opcode != "rcp" && opcode != "sqrt") continue;
        if (ptx::size_of(instruction.type()) != 8) continue;
        for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
            const auto* operand = std::get_if<ptx::RegisterOperand>(&instruction.operands[i].value);
            if (operand == nullptr) continue;
            draft.put(
                function, draft.before(site),
                fmt::format("@!{} mov.b64 %own{}, 0;\n", guard_that_holds(draft, function), operand->index));
        }
    }
}

std::string identify_warp(const InstrumentOptions& options) {
    std::string text = ".reg .b32 %tx, %linear, %nx, %ny, %nz, %warp;\n";
    if (!options.launch)
        return text + R"(
mov.u32 %linear, %tid.z;
mov.u32 %ny, %ntid.y;
mov.u32 %tx, %tid.y;
mad.lo.u32 %linear, %linear, %ny, %tx;
mov.u32 %nx, %ntid.x;
mov.u32 %tx, %tid.x;
mad.lo.u32 %linear, %linear, %nx, %tx;
mov.u32 %nz, %ntid.z;
shr.u32 %warp, %linear, 5;
)";
    const Dim3 block = options.launch->geometry.block;
    if (!options.launch->exact_block) {
        text += "mov.u32 %nx, %ntid.x;\nmov.u32 %linear, %tid.x;\n";
        text += fmt::format("mov.u32 %ny, {};\n", block.y > 1 ? "%ntid.y" : "1");
        text += fmt::format("mov.u32 %nz, {};\n", block.z > 1 ? "%ntid.z" : "1");
        if (block.y > 1) text += "mov.u32 %tx, %tid.y;\nmad.lo.u32 %linear, %tx, %nx, %linear;\n";
        if (block.z > 1)
            text +=
                "mov.u32 %tx, %tid.z;\nmul.lo.u32 %warp, %nx, %ny;\n"
                "mad.lo.u32 %linear, %tx, %warp, %linear;\n";
        return text + "shr.u32 %warp, %linear, 5;\n";
    }
    text += fmt::format("mov.u32 %nx, {};\nmov.u32 %ny, {};\nmov.u32 %nz, {};\n", block.x, block.y, block.z);
    text += "mov.u32 %linear, %tid.x;\n";
    if (block.y > 1)
        text += fmt::format("mov.u32 %tx, %tid.y;\nmad.lo.u32 %linear, %tx, {}, %linear;\n", block.x);
    if (block.z > 1)
        text +=
            fmt::format("mov.u32 %tx, %tid.z;\nmad.lo.u32 %linear, %tx, {}, %linear;\n", block.x * block.y);
    if (block.count() <= 32) return text + "mov.u32 %warp, 0;\n";
    if (block.x == 32 && block.z == 1) return text + "mov.u32 %warp, %tid.y;\n";
    return text + "shr.u32 %warp, %linear, 5;\n";
}

std::string identify_block(const InstrumentOptions& options) {
    std::string text = ".reg .b32 %block, %gx, %bx;\n";
    if (!options.launch)
        return text + R"(
mov.u32 %block, %ctaid.z;
mov.u32 %gx, %nctaid.y;
mov.u32 %bx, %ctaid.y;
mad.lo.u32 %block, %block, %gx, %bx;
mov.u32 %gx, %nctaid.x;
mov.u32 %bx, %ctaid.x;
mad.lo.u32 %block, %block, %gx, %bx;
)";
    const Dim3 grid = options.launch->geometry.grid;
    text += "mov.u32 %block, %ctaid.x;\n";
    if (grid.y > 1 || grid.z > 1)
        text += "mov.u32 %gx, %nctaid.x;\nmov.u32 %bx, %ctaid.y;\nmad.lo.u32 %block, %bx, %gx, %block;\n";
    if (grid.z > 1)
        text +=
            "mov.u32 %bx, %nctaid.y;\nmul.lo.u32 %gx, %gx, %bx;\nmov.u32 %bx, %ctaid.z;\n"
            "mad.lo.u32 %block, %bx, %gx, %block;\n";
    return text;
}

std::string find_slab(const InstrumentOptions& options) {
    std::string text = R"(
.reg .b32 %rank, %slab, %warps; .reg .pred %selected;
mul.lo.u32 %warps, %nx, %ny;
mad.lo.u32 %warps, %warps, %nz, 31;
shr.u32 %warps, %warps, 5;
mov.u32 %rank, %block;
setp.eq.u32 %selected, %nx, %nx;
)";
    if (leaves_warps_out(options))
        text += R"(
.reg .b64 %set, %where, %sets; .reg .b32 %index, %bits, %prior, %one; .reg .pred %has, %filtered;
ld.param.u64 %set, [warplens_space+8];
ld.param.u64 %sets, [warplens_space+16];
or.b64 %sets, %sets, %set;
setp.ne.u64 %filtered, %sets, 0;
@%filtered bra filter;
ranked:
)";
    text += "mad.lo.u32 %slab, %rank, %warps, %warp;\n";
    if (!options.launch || !options.launch->has_slabs)
        text += R"(
.reg .pred %fits;
setp.lt.u32 %fits, %slab, %slabs;
@!%fits setp.eq.u32 %fits, %slabs, 0;
and.pred %selected, %selected, %fits;
)";
    return text;
}

std::string filter_block(const InstrumentOptions& options) {
    if (!leaves_warps_out(options)) return {};
    return R"(
filter:
setp.ne.u64 %has, %set, 0;
shr.u32 %index, %block, 5;
mul.wide.u32 %where, %index, 8;
add.u64 %where, %where, %set;
mov.u32 %bits, -1;
mov.u32 %rank, 0;
@%has ld.global.v2.u32 {%bits, %rank}, [%where];
and.b32 %index, %block, 31;
shl.b32 %one, 1, %index;
sub.u32 %prior, %one, 1;
and.b32 %prior, %prior, %bits;
popc.b32 %prior, %prior;
add.u32 %rank, %rank, %prior;
@!%has mov.u32 %rank, %block;
and.b32 %bits, %bits, %one;
setp.ne.u32 %selected, %bits, 0;
ld.param.u64 %set, [warplens_space+16];
setp.ne.u64 %has, %set, 0;
mov.u32 %one, %smid;
shr.u32 %index, %one, 5;
mul.wide.u32 %where, %index, 4;
add.u64 %where, %where, %set;
mov.u32 %bits, -1;
@%has ld.global.u32 %bits, [%where];
and.b32 %one, %one, 31;
shr.u32 %bits, %bits, %one;
and.b32 %bits, %bits, 1;
setp.ne.and.u32 %selected, %bits, 0, %selected;
bra ranked;
)";
}

bool relies_on_whole_warps(const Draft& draft) {
    return draft.options.predict_whole && draft.plan.predicted > 0;
}

bool adds_up_lanes(const ptx::Module& module) {
    constexpr std::string_view prefix = "sm_";
    if (module.targets.empty() || !module.targets.front().starts_with(prefix)) return false;
    const std::string& target = module.targets.front();
    int number = 0;
    std::from_chars(target.data() + prefix.size(), target.data() + target.size(), number);
    return number >= 80;
}

bool fills_warps(const InstrumentOptions& options) {
    return options.launch && options.launch->exact_block && options.launch->geometry.block.count() % 32 == 0;
}

bool has_rows_of_warps(const InstrumentOptions& options) {
    return fills_warps(options) && options.launch->geometry.block.x % 32 == 0;
}

std::string read_lane(const InstrumentOptions& options, std::string_view lane) {
    if (!has_rows_of_warps(options)) return fmt::format("mov.u32 {}, %laneid;\n", lane);
    return fmt::format("mov.u32 {0}, %tid.x;\nand.b32 {0}, {0}, 31;\n", lane);
}

std::string whole_mask(Draft& draft) {
    if (fills_warps(draft.options) && !draft.plan.lanes_leave()) return std::string(every_lane);
    const std::string whole = "%warplens_whole";
    FunctionDraft& entry = draft.functions.front();
    if (!Draft::has_shared(entry, whole)) {
        draft.share(entry, whole, ptx::Type::b32);
        draft.put(entry, {}, capture_under_guard(draft, entry, whole));
    }
    return whole;
}

std::string check_whole(Draft& draft) {
    return fmt::format(
        ".reg .b32 %on;\nactivemask.b32 %on;\nsetp.ne.or.u32 %warplens_apart, %on, {}, %warplens_apart;\n",
        whole_mask(draft));
}

std::string wait_for_whole(Draft& draft, FunctionDraft& function) {
    // For all 32 lanes, as a number or as those that are active, the assembler drops the wait.
    constexpr const char* all = "%warplens_all";
    if (!Draft::has_shared(function, all)) {
        const std::string always = guard_that_holds(draft, function);
        draft.share(function, all, ptx::Type::b32);
        draft.put(function, {}, fmt::format("selp.b32 {}, -1, 0, {};\n", all, always));
    }
    return fmt::format("bar.warp.sync {};\n", all);
}

std::string wait_once_for_whole(Draft& draft, FunctionDraft& function) {
    return fmt::format(".reg .b32 %everyone;\nselp.b32 %everyone, -1, 0, {};\nbar.warp.sync %everyone;\n",
                       guard_that_holds(draft, function));
}

std::string record_address(BasicBlockId block) { return fmt::format("%warplens_record{}", block); }
std::string record_exists(BasicBlockId block) { return fmt::format("%warplens_exists{}", block); }
std::string record_leader(BasicBlockId block) { return fmt::format("%warplens_leads{}", block); }
std::string has_no_slabs(const InstrumentOptions& options) {
    return options.launch && options.launch->has_slabs ? "setp.ne.u32 %none, %slabs, %slabs;\n"
                                                       : "setp.eq.u32 %none, %slabs, 0;\n";
}

std::string guard_that_holds(Draft& draft, FunctionDraft& function) {
    const std::string always = "%warplens_always";
    if (!Draft::has_shared(function, always)) {
        draft.share(function, always, ptx::Type::pred);
        draft.put(function, {},
                  fmt::format(".reg .b32 %bit;\nmov.u32 %bit, %tid.x;\nsetp.ne.u32 {}, %bit, -1;\n", always));
    }
    return always;
}

/// Under such a guard a mask moves to a register of each lane at once.
std::string capture_under_guard(Draft& draft, FunctionDraft& function, std::string_view mask) {
    return fmt::format("mov.u32 {0}, 0;\n@{1} activemask.b32 {0};\n", mask,
                       guard_that_holds(draft, function));
}

std::string capture_mask(Draft& draft, FunctionDraft& function, std::string_view mask) {
    // The assembler keeps the result of activemask in a uniform register, which lanes that have diverged
    // share: another group can overwrite it before the mask is used (measured on sm_90). Or-ing in a zero
    // that it can only compute lane by lane moves the mask to a register of each lane at once.
    if (draft.calls && Draft::has_shared(function, "%warplens_lt") && draft.functions.size() > 1)
        return fmt::format(
            ".reg .b32 %less;\nactivemask.b32 {0};\nadd.u32 %less, %warplens_lt, 1;\n"
            "and.b32 %less, %less, %warplens_lt;\nor.b32 {0}, {0}, %less;\n",
            mask);
    if (draft.calls)
        return fmt::format(
            ".reg .b32 %bit, %less;\nactivemask.b32 {0};\nmov.u32 %bit, %lanemask_eq;\nsub.u32 %less, %bit, "
            "1;\n"
            "and.b32 %less, %less, %bit;\nor.b32 {0}, {0}, %less;\n",
            mask);
    // With fewer instructions; where lanes that diverged call functions, two of 400 random kernels then wrote
    // elsewhere.
    return capture_under_guard(draft, function, mask);
}

std::string tally_register(std::uint32_t row) { return fmt::format("%warplens_tally{}", row); }

std::string captured_mask(BasicBlockId block) { return fmt::format("%warplens_mask{}", block); }
std::string captured_clock(BasicBlockId block) { return fmt::format("%warplens_entered{}", block); }
std::string arrival_clock(BasicBlockId block) { return fmt::format("%warplens_arrived{}", block); }

}  // namespace warplens::instrumentation
