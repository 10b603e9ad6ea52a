// Pieces of PTX that several passes insert.
#include <fmt/format.h>

#include "instrumentation/rewrite/passes.h"
#include "instrumentation/rewrite/recording_space.h"

namespace warplens::instrumentation {

std::string load_space(const FunctionDraft&) {
    return fmt::format(
        ".reg .b64 %base; .reg .b32 %size, %chunks, %slabs;\n"
        "ld.param.u64 %base, [warplens_space+{}];\n"
        "ld.param.u32 %size, [warplens_space+{}];\n"
        "ld.param.u32 %chunks, [warplens_space+{}];\n"
        "ld.param.u32 %slabs, [warplens_space+{}];\n",
        offsetof(SpaceParameter, base), offsetof(SpaceParameter, chunk_units),
        offsetof(SpaceParameter, chunks), offsetof(SpaceParameter, slabs));
}

std::string_view identify_warp() {
    return R"(
.reg .b32 %tx, %linear, %nx, %ny, %warp;
mov.u32 %linear, %tid.z;
mov.u32 %ny, %ntid.y;
mov.u32 %tx, %tid.y;
mad.lo.u32 %linear, %linear, %ny, %tx;
mov.u32 %nx, %ntid.x;
mov.u32 %tx, %tid.x;
mad.lo.u32 %linear, %linear, %nx, %tx;
shr.u32 %warp, %linear, 5;
)";
}

std::string_view identify_block() {
    return R"(
.reg .b32 %block, %gx, %bx;
mov.u32 %block, %ctaid.z;
mov.u32 %gx, %nctaid.y;
mov.u32 %bx, %ctaid.y;
mad.lo.u32 %block, %block, %gx, %bx;
mov.u32 %gx, %nctaid.x;
mov.u32 %bx, %ctaid.x;
mad.lo.u32 %block, %block, %gx, %bx;
)";
}

std::string_view find_slab() {
    return R"(
.reg .b64 %set, %where, %sets; .reg .b32 %index, %bits, %rank, %prior, %one, %slab, %warps, %nz;
.reg .pred %has, %selected, %filtered;
mov.u32 %nz, %ntid.z;
mul.lo.u32 %warps, %nx, %ny;
mad.lo.u32 %warps, %warps, %nz, 31;
shr.u32 %warps, %warps, 5;
mov.u32 %rank, %block;
setp.eq.u32 %selected, %nz, %nz;
ld.param.u64 %set, [warplens_space+8];
ld.param.u64 %sets, [warplens_space+16];
or.b64 %sets, %sets, %set;
setp.ne.u64 %filtered, %sets, 0;
@%filtered bra filter;
ranked:
mad.lo.u32 %slab, %rank, %warps, %warp;
.reg .pred %fits;
setp.lt.u32 %fits, %slab, %slabs;
@!%fits setp.eq.u32 %fits, %slabs, 0;
and.pred %selected, %selected, %fits;
)";
}

std::string_view filter_block() {
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

std::string record_address(BasicBlockId block) { return fmt::format("%warplens_record{}", block); }
std::string record_exists(BasicBlockId block) { return fmt::format("%warplens_exists{}", block); }
std::string record_leader(BasicBlockId block) { return fmt::format("%warplens_leads{}", block); }
std::string captured_mask(BasicBlockId block) { return fmt::format("%warplens_mask{}", block); }
std::string captured_clock(BasicBlockId block) { return fmt::format("%warplens_entered{}", block); }
std::string arrival_clock(BasicBlockId block) { return fmt::format("%warplens_arrived{}", block); }

}  // namespace warplens::instrumentation
