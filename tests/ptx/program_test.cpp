// number_sites: kinds, spaces, blocks, source lines, memory layout.
#include "ptx/program.h"

#include <gmock/gmock.h>

#include "tests/ptx/ptx_text.h"

namespace warplens::ptx {
namespace {

using testing::ElementsAre;

Site only_site(const std::string& body) {
    const Program program = numbered(kernel_text(body));
    EXPECT_EQ(program.sites.size(), 1u) << body;
    return program.sites.empty() ? Site{} : program.sites.front();
}

struct AccessCase {
    std::string text;
    Space space;
    Operation operation;
    std::uint32_t bytes;
};

TEST(number_sites, space_operation_and_width_of_an_access_follow_from_its_modifiers_and_types) {
    const AccessCase cases[] = {
        {"ld.global.f32 %f1, [%rd1];", Space::global, Operation::load, 4},
        {"ld.global.nc.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1];", Space::global, Operation::load, 16},
        {"ld.shared::cta.u8 %h1, [%r1];", Space::shared, Operation::load, 1},
        {"ld.volatile.shared.u16 %h1, [%r1];", Space::shared, Operation::load, 2},
        {"ld.const.v2.u64 {%rd1,%rd2}, [%rd3];", Space::constant, Operation::load, 16},
        {"ld.param.u64 %rd1, [a];", Space::param, Operation::load, 8},
        {"ld.param::entry.u64 %rd1, [a];", Space::param, Operation::load, 8},
        {"ld.u32 %r1, [%rd1];", Space::none, Operation::load, 4},
        {"ld.relaxed.gpu.v2.u32 {%r1,%r2}, [%rd1];", Space::none, Operation::load, 8},
        {"ldu.global.u32 %r1, [%rd1];", Space::global, Operation::load, 4},
        {"st.local.v4.u32 [%rd1], {%r1,%r2,%r3,%r4};", Space::local, Operation::store, 16},
        {"st.release.sys.global.u8 [%rd1], %h1;", Space::global, Operation::store, 1},
        {"atom.shared.add.u32 %r1, [%r2], 1;", Space::shared, Operation::atomic, 4},
        {"atom.global.cas.b64 %rd1, [%rd2], %rd3, %rd4;", Space::global, Operation::atomic, 8},
        {"red.and.release.cta.b32 [%rd1], %r1;", Space::none, Operation::atomic, 4},
        {"cp.async.ca.shared.global [%r1], [%rd1], 8;", Space::global, Operation::load, 8},
        {"cp.async.cg.shared.global.L2::128B [%r1], [%rd1], 16, %r2;", Space::global, Operation::load, 16},
        {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1,%r2,%r3,%r4}, [%r5];", Space::shared, Operation::load,
         16},
        {"tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6}];", Space::texture, Operation::load, 16},
    };
    for (const AccessCase& expected : cases) {
        const Site site = only_site(expected.text);
        EXPECT_EQ(site.kind, SiteKind::memory) << expected.text;
        EXPECT_EQ(site.space, expected.space) << expected.text;
        EXPECT_EQ(site.operation, expected.operation) << expected.text;
        EXPECT_EQ(site.bytes_per_lane, expected.bytes) << expected.text;
    }
}

TEST(number_sites, kind_of_a_site_follows_from_opcode_and_modifiers) {
    const std::pair<std::string, SiteKind> cases[] = {
        {"add.s32 %r1, %r2, %r3;", SiteKind::lanewise},
        {"cvta.to.global.u64 %rd1, %rd2;", SiteKind::lanewise},
        {"cp.async.wait_group 0;", SiteKind::lanewise},
        {"membar.gl;", SiteKind::lanewise},
        {"frobnicate.u32 %r1;", SiteKind::lanewise},
        {"bar.sync 0;", SiteKind::barrier},
        {"bar.red.popc.u32 %r1, 0, %p1;", SiteKind::barrier},
        {"barrier.sync 1, 64;", SiteKind::barrier},
        {"bar.warp.sync -1;", SiteKind::warp_wide},
        {"shfl.sync.down.b32 %r1|%p1, %r2, 1, 31, -1;", SiteKind::warp_wide},
        {"vote.ballot.sync.b32 %r1, %p1, -1;", SiteKind::warp_wide},
        {"activemask.b32 %r1;", SiteKind::warp_wide},
        {"ret;", SiteKind::exit},
        {"exit;", SiteKind::exit},
        {"trap;", SiteKind::exit},
    };
    for (const auto& [text, kind] : cases) {
        const Site site = only_site(text);
        EXPECT_EQ(site.kind, kind) << text;
        EXPECT_EQ(site.bytes_per_lane, 0u) << text;
    }
}

std::vector<std::pair<SiteId, std::uint32_t>> blocks_of(const Program& program) {
    std::vector<std::pair<SiteId, std::uint32_t>> blocks;
    for (const BasicBlock& block : program.basic_blocks)
        blocks.emplace_back(block.first_site, block.site_count);
    return blocks;
}

TEST(number_sites, blocks_end_behind_branches_barriers_and_exits_and_begin_at_targets) {
    const Program program =
        numbered(kernel_text("setp.eq.s32 %p1, %r1, 0;\n"              // 0
                             "@%p1 bra L;\n"                           // 1
                             "mov.u32 %r1, 1;\n"                       // 2
                             "unused: mov.u32 %r2, 1;\n"               // 3: no target
                             "shfl.sync.up.b32 %r1, %r2, 1, 0, -1;\n"  // 4: ends no block
                             "mov.u32 %r3, 1;\n"                       // 5
                             "L: bar.sync 0;\n"                        // 6
                             "@!%p1 ret;\n"                            // 7
                             "bar.warp.sync -1;\n"                     // 8
                             "mov.u32 %r4, 1;\n"                       // 9
                             "ret;"));                                 // 10
    EXPECT_THAT(blocks_of(program), ElementsAre(std::pair(0u, 2u), std::pair(2u, 4u), std::pair(6u, 1u),
                                                std::pair(7u, 1u), std::pair(8u, 1u), std::pair(9u, 2u)));
    EXPECT_EQ(program.sites[5].basic_block, 1u);
    EXPECT_TRUE(program.sites[7].guarded);
    EXPECT_FALSE(program.sites[10].guarded);
}

TEST(number_sites, branch_targets_are_the_blocks_at_the_labels_of_the_same_function) {
    const std::string text = module_text(
        ".func helper() { .reg .pred p; .reg .b32 r1; @p bra $L; mov.u32 r1, 1; $L: ret; }\n"
        ".entry k() { .reg .pred p; .reg .b32 %r<4>;\n"
        " $L: @p bra $End; call helper; bra.uni $L; $Unused: mov.u32 %r1, 1; @p bra $M; $M: ret; $End: }\n");
    const auto numbered = number_sites(parsed(text), "k", "");
    ASSERT_TRUE(numbered);
    ASSERT_EQ(numbered->branch_targets.size(), numbered->program.basic_blocks.size());
    EXPECT_THAT(numbered->branch_targets,
                ElementsAre(no_index, no_index, 0, 4, no_index, 7, no_index, no_index));
}

TEST(number_sites, text_and_ptx_line_of_a_site_are_those_of_its_statement) {
    const Program program = numbered(kernel_text("\n\n@!%p1 st.global.v2.f32 [%rd1 + 4],\n {%f1, %f2};"));
    ASSERT_EQ(program.sites.size(), 1u);
    EXPECT_EQ(program.sites[0].opcode, "st.global.v2.f32");
    EXPECT_EQ(program.sites[0].text, "@!%p1 st.global.v2.f32 [%rd1+4], {%f1, %f2};");
    EXPECT_EQ(program.sites[0].ptx_line, 9u);
}

TEST(number_sites, functions_that_can_be_called_follow_the_entry_in_text_order) {
    const std::string text = module_text(
        ".func second(); .func unused() { .reg .b32 u; mov.u32 u, 9; ret; }\n"
        ".func third() { ret; }\n"
        ".global .u64 table[1] = {third};\n"
        ".visible .entry other() { trap; }\n"
        ".visible .entry k() { .reg .b64 t; call second; mov.u64 t, table; ret; }\n"
        ".func second() { .reg .b32 s; mov.u32 s, 2; ret; }\n");
    std::vector<std::string> texts;
    for (const Site& site : numbered(text).sites) texts.push_back(site.text);
    EXPECT_THAT(texts,
                ElementsAre("call second;", "mov.u64 t, table;", "ret;", "ret;", "mov.u32 s, 2;", "ret;"));
}

TEST(number_sites, origin_of_a_site_is_its_statement) {
    const Module module =
        parsed(module_text(".func f() { ret; } .entry k() { .reg .b32 a; L: call f; bra L; }"));
    const auto result = number_sites(module, "k", "");
    ASSERT_TRUE(result);
    for (std::size_t i = 0; i < result->origins.size(); ++i) {
        const SiteOrigin origin = result->origins[i];
        const auto& statement = module.functions[origin.function].body[origin.statement];
        EXPECT_EQ(std::get<Instruction>(statement).spelling, result->program.sites[i].opcode);
    }
    EXPECT_EQ(result->origins.size(), 3u);
}

TEST(number_sites, line_of_inlined_code_is_that_of_the_outermost_call_in_the_kernels_file) {
    const std::string text = kernel_text(
                                 ".loc 1 5 0\n mov.u32 %r1, 1;\n"
                                 ".loc 1 9 3\n.loc 2 40 1, function_name $a, inlined_at 1 9 3\n"
                                 ".loc 2 70 4, function_name $b, inlined_at 2 40 1\n mov.u32 %r2, 2;\n"
                                 ".loc 2 80 4, function_name $c, inlined_at 3 1 1\n mov.u32 %r3, 3;\n"
                                 ".loc 1 12 1\n ret;") +
                             ".file 1 \"kernel.cu\"\n.file 2 \"library.h\"\n";
    const Program program = numbered(text);
    ASSERT_EQ(program.sites.size(), 4u);
    ASSERT_EQ(program.sources.size(), 2u);
    EXPECT_EQ(program.sources[1].name, "library.h");
    EXPECT_EQ(program.sources[0].text, "");
    std::vector<std::pair<std::uint32_t, std::uint32_t>> positions;
    for (const Site& site : program.sites) positions.emplace_back(site.file, site.line);
    EXPECT_THAT(positions,
                ElementsAre(std::pair(0u, 5u), std::pair(0u, 9u), std::pair(1u, 80u), std::pair(0u, 12u)));
}

TEST(number_sites, used_shared_variables_lie_in_declaration_order_and_dynamic_memory_behind_them) {
    const std::string text = module_text(
        ".extern .shared .align 16 .b8 dynamic[];\n"
        ".shared .align 1 .b8 flags[3];\n"
        ".shared .align 8 .b8 of_another_kernel[64];\n"
        ".shared .f32 tile[4][4];\n"
        ".const .align 4 .b8 c[16] = {1};\n"
        ".global .align 8 .u64 g;\n"
        ".func helper() { .reg .b32 r; .shared .align 4 .b8 demoted[8]; mov.u32 r, demoted; ret; }\n"
        ".entry j() { .reg .b64 r; mov.u64 r, of_another_kernel; ret; }\n"
        ".entry k() { .reg .b32 r; .shared .align 2 .b8 own[2]; .shared .b32 never_named;\n"
        " mov.u32 r, dynamic; mov.u32 r, flags; ld.shared.f32 r, [tile+4]; mov.u32 r, own; mov.u32 r, c;\n"
        " ld.global.u64 r, [g]; call helper; ret; }\n");
    std::vector<std::tuple<std::string, Space, std::uint64_t, std::uint64_t, std::uint32_t>> variables;
    for (const Variable& v : numbered(text).variables)
        variables.emplace_back(v.name, v.space, v.offset, v.bytes, v.element_bytes);
    EXPECT_THAT(
        variables,
        ElementsAre(std::tuple("flags", Space::shared, 0, 3, 1), std::tuple("tile", Space::shared, 4, 64, 4),
                    std::tuple("c", Space::constant, 0, 16, 0), std::tuple("g", Space::global, 0, 8, 8),
                    std::tuple("own", Space::shared, 68, 2, 0),
                    std::tuple("demoted", Space::shared, 72, 8, 0),
                    std::tuple("dynamic", Space::shared, 80, 0, 0)));
}

TEST(number_sites, parameters_lie_at_their_alignment_in_order) {
    const std::string text = module_text(
        ".entry k(.param .u8 a, .param .u16 b, .param .u64 .ptr .global .align 4 c, .param .align 16 .b8 "
        "d[20],"
        " .param .f32 e) { ret; }");
    std::vector<std::tuple<std::string, std::string, std::uint32_t, std::uint32_t>> parameters;
    for (const Parameter& p : numbered(text).parameters)
        parameters.emplace_back(p.name, p.type, p.bytes, p.offset);
    EXPECT_THAT(parameters, ElementsAre(std::tuple("a", "u8", 1, 0), std::tuple("b", "u16", 2, 2),
                                        std::tuple("c", "u64", 8, 8), std::tuple("d", "b8", 20, 16),
                                        std::tuple("e", "f32", 4, 36)));
}

TEST(number_sites, unknown_entry_is_an_error_that_names_the_entries) {
    const auto program = number_sites(parsed(kernel_text("ret;")), "saxpy", "");
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().message, "the PTX has no entry \"saxpy\"; its entries are: k");
}

/// The engine counts shared memory with 32 bits.
TEST(numbering, more_shared_memory_than_any_gpu_has_is_refused) {
    const std::string text =
        module_text(".shared .b8 a[4294967296];\n.entry k() { .reg .b32 %r; ld.shared.u32 %r, [a]; ret; }");
    const auto numbered = number_sites(parsed(text), "k", text);
    ASSERT_FALSE(numbered);
    EXPECT_EQ(numbered.error().message,
              "\"a\" ends at byte 4294967296 of shared memory; at most 1048576 are possible");
}

}  // namespace
}  // namespace warplens::ptx
