// Program: the static side of one kernel, which all stages use — its sites, basic blocks, source lines,
// memory variables and parameters. ptx/ fills it from a module. A Trace contains it, so that a file can be
// opened on another machine. It holds no execution; see trace/trace.h for that.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/memory_space.h"

namespace warplens {

using SiteId = std::uint32_t;        // index into Program::sites
using BasicBlockId = std::uint32_t;  // index into Program::basic_blocks
inline constexpr std::uint32_t no_index = 0xffffffffu;

enum class SiteKind : std::uint8_t { lanewise, memory, branch, barrier, warp_wide, call, exit };

/// One static PTX instruction. Sites are numbered in text order over the entry and the functions it calls.
struct Site {
    std::string opcode;  // as written, with modifiers: "ld.shared.f32"
    std::string text;    // the whole instruction as printed, guard and operands included
    SiteKind kind = SiteKind::lanewise;
    Space space = Space::none;  // `none` also for a generic access, whose space is known only when it runs
    Operation operation = Operation::none;
    std::uint32_t bytes_per_lane = 0;  // whole access of one lane: 16 for a .v4.f32; 0 unless kind is memory
    bool guarded = false;              // carries @p or @!p, so that active lanes may be predicated off
    std::uint32_t file = no_index;     // index into Program::sources
    std::uint32_t line = 0;            // 1-based line in that file; 0 when unknown
    std::uint32_t ptx_line = 0;        // 1-based line in Program::ptx
    BasicBlockId basic_block = 0;
};

/// Straight-line run of sites: lanes enter together at the first and leave together after the last.
/// Branches, barriers, warp-wide synchronisation, calls and exits end one; every target of a branch begins
/// one.
struct BasicBlock {
    SiteId first_site = 0;
    std::uint32_t site_count = 0;
};

struct SourceFile {
    std::string name;  // as given to the compiler, never a path of the build machine
    std::string text;  // empty when the file was not available
};

/// A named array in shared, constant or global space.
struct Variable {
    std::string name;  // as in the PTX
    Space space = Space::none;
    std::uint64_t offset = 0;  // bytes from the start of the space's window (shared: from the block's base)
    std::uint64_t bytes = 0;   // 0 for dynamic shared memory, whose size the launch gives
    std::uint32_t element_bytes = 1;  // 0: not known from the PTX
};

struct Parameter {
    std::string name;
    std::string type;  // PTX type: "u64", "f32", "b8" for an aggregate
    std::uint32_t bytes = 0;
    std::uint32_t offset = 0;  // in the parameter space
};

struct Program {
    std::string entry;  // mangled name in the PTX
    std::vector<Site> sites;
    std::vector<BasicBlock> basic_blocks;
    std::vector<SourceFile> sources;
    std::vector<Variable> variables;
    std::vector<Parameter> parameters;
    std::string ptx;  // the module's text
};

}  // namespace warplens
