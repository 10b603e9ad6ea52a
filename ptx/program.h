// Numbers the sites of a kernel and cuts it into basic blocks: ptx::Function -> core Program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/program.h"
#include "core/result.h"
#include "ptx/module.h"

namespace warplens::ptx {

/// Where an instruction of the module became a site: statement `statement` of function `function` in text
/// order.
struct SiteOrigin {
    std::uint32_t function = 0;   // index into Module::functions
    std::uint32_t statement = 0;  // index into Function::body
};

struct NumberedProgram {
    Program program;                  // `program.ptx` is the text given; sources' texts are left empty
    std::vector<SiteOrigin> origins;  // one per site
    /// One a basic block: where the `bra` that ends it goes. no_index when none does, and when it goes to the
    /// function's end.
    std::vector<BasicBlockId> branch_targets;
};

/// Sites of `entry`, then of every function it can call, in text order. Basic blocks end after
/// branches, barriers (block-wide and warp-wide), calls, returns and exits, and begin at labels that are
/// targets. A site's source line is its outermost one: the `inlined_at` position when it stands in the
/// kernel's file. Shared variables get their offsets here, in declaration order, aligned; dynamic shared
/// memory comes last.
Result<NumberedProgram> number_sites(const Module& module, std::string_view entry, std::string ptx_text);

}  // namespace warplens::ptx
