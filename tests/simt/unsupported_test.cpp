// An instruction that the engine does not execute: it is listed at load; a block that does not reach it runs;
// a block that reaches it stops there and uses no result of it.
#include <gmock/gmock.h>

#include "ptx/parser.h"
#include "simt/functional/engine.h"

namespace warplens::simt {
namespace {

constexpr const char* unsupported_text =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry k(.param .u64 out)\n{\n"
    ".reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .b64 %d<4>;\n"
    "ld.param.u64 %d1, [out];\n"
    "mov.u32 %r1, %ctaid.x;\n"
    "mul.wide.u32 %d2, %r1, 4;\n"
    "add.s64 %d2, %d1, %d2;\n"
    "setp.eq.u32 %p1, %r1, 1;\n"
    "mov.u32 %r2, 7;\n"
    "@%p1 frobnicate.u32 %r2, %r1;\n"
    "st.global.u32 [%d2], %r2;\n"
    "@%p1 frobnicate.u32 %r2, %r1;\n"
    "frobnicated.s32 %r3, %r1;\n"
    "st.global.u32 [%d2], %r3;\n"
    "ret;\n}\n";

struct Ran {
    std::shared_ptr<const Kernel> kernel;
    RunResult result;
    std::vector<std::uint32_t> out;
};

Ran run_text(std::uint32_t blocks, const std::string& source) {
    auto module = ptx::parse(source, "test.ptx");
    EXPECT_TRUE(module) << module.error().message;
    Ran ran;
    ran.kernel = *Kernel::load(*module, "k", source);
    GlobalMemory memory;
    const std::uint64_t out = memory.allocate("out", std::vector<std::byte>(4 * blocks));
    std::vector<std::byte> arguments(8);
    std::memcpy(arguments.data(), &out, 8);
    ran.result = simt::run(*ran.kernel, {{blocks, 1, 1}, {32, 1, 1}, 0}, arguments, memory, {}, nullptr);
    ran.out.resize(blocks);
    std::memcpy(ran.out.data(), memory.at(out, 4 * blocks), 4 * blocks);
    return ran;
}

TEST(unsupported, instructions_are_listed_with_form_line_and_count) {
    const Ran ran = run_text(1, unsupported_text);
    ASSERT_EQ(ran.kernel->unsupported().size(), 2u);
    EXPECT_EQ(ran.kernel->unsupported()[0].spelling, "frobnicate.u32");
    EXPECT_EQ(ran.kernel->unsupported()[0].ptx_line, 15u);
    EXPECT_EQ(ran.kernel->unsupported()[0].count, 2u);
    EXPECT_EQ(ran.kernel->unsupported()[1].spelling, "frobnicated.s32");
    EXPECT_EQ(ran.kernel->unsupported()[1].ptx_line, 18u);
}

TEST(unsupported, instructions_are_listed_with_every_site_and_why) {
    const Ran ran = run_text(1, unsupported_text);
    EXPECT_EQ(ran.kernel->unsupported()[0].sites.size(), 2u);
    EXPECT_EQ(ran.kernel->program().sites[ran.kernel->unsupported()[0].sites[1]].ptx_line, 17u);
    EXPECT_THAT(ran.kernel->unsupported()[0].reason, ::testing::HasSubstr("frobnicate"));
}

/// All forms in an entry k with this body that the engine does not execute.
std::vector<std::string> forms_of(const std::string& body) {
    std::string source = unsupported_text;
    const std::size_t from = source.find("ld.param"), to = source.find("ret;");
    source.replace(from, to - from, body);
    auto module = ptx::parse(source, "test.ptx");
    EXPECT_TRUE(module) << module.error().message;
    std::vector<std::string> forms;
    const auto kernel = *Kernel::load(*module, "k", source);
    for (const auto& form : kernel->unsupported()) {
        forms.push_back(form.spelling);
        EXPECT_FALSE(form.reason.empty()) << form.spelling;
        EXPECT_EQ(form.sites.size(), form.count) << form.spelling;
    }
    return forms;
}

TEST(unsupported, forms_whose_operands_cannot_be_read_are_listed_beside_the_others) {
    EXPECT_THAT(forms_of("add.s32 %r1, %r2, %r3;\n"
                         "tcgen05.mma.cta_group::9.kind::new [%r1] <- %d1 : %d2;\n"
                         "multimem.red.global.add.f32 [%d1], %r1;\n"
                         "mul.lo.s32 %r1, %r2, %r3;\n"),
                ::testing::ElementsAre("tcgen05.mma.cta_group::9.kind::new", "multimem.red.global.add.f32"));
}

TEST(unsupported, modifiers_that_the_table_does_not_have_are_not_overlooked) {
    EXPECT_THAT(
        forms_of("ld.global.fresh.u32 %r1, [%d1];\nbar.sync.fresh 0;\nadd.fresh.s32 %r1, %r2, %r3;\n"),
        ::testing::ElementsAre("ld.global.fresh.u32", "bar.sync.fresh", "add.fresh.s32"));
}

TEST(unsupported, instructions_stop_the_blocks_that_meet_them_and_no_other) {
    const Ran ran = run_text(3, unsupported_text);
    EXPECT_FALSE(ran.result.completed);
    // Block 1 stops before its store, the others between their two.
    EXPECT_THAT(ran.out, ::testing::ElementsAre(7u, 0u, 7u));
    ASSERT_EQ(ran.result.problems.size(), 2u);
    for (const Problem& problem : ran.result.problems)
        EXPECT_EQ(problem.kind, ProblemKind::unsupported_instruction);
    EXPECT_EQ(ran.result.problems[0].block.x, 0u);
    EXPECT_EQ(ran.result.problems[1].block.x, 1u);
}

TEST(unsupported, instructions_that_no_block_meets_leave_the_run_complete) {
    std::string skipped = unsupported_text;
    const std::string from = "mov.u32 %r2, 7;\n";
    skipped.insert(skipped.find(from) + from.size(), "st.global.u32 [%d2], %r2;\nret;\n");
    const Ran ran = run_text(2, skipped);
    EXPECT_TRUE(ran.result.completed);
    EXPECT_TRUE(ran.result.problems.empty());
    EXPECT_THAT(ran.out, ::testing::ElementsAre(7u, 7u));
    EXPECT_EQ(ran.kernel->unsupported().size(), 2u);
}

}  // namespace
}  // namespace warplens::simt
