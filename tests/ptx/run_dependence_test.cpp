// The parts of a kernel that depend on clocks, on where a warp runs and on the order of atomic operations.
#include "ptx/run_dependence.h"

#include <gmock/gmock.h>

#include "tests/ptx/ptx_text.h"

namespace warplens::ptx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A kernel with the instructions that depend on the run, by their texts.
class Dependence {
  public:
    explicit Dependence(const std::string& text) {
        const Module module = parsed(text);
        auto numbered = number_sites(module, "k", text);
        if (!numbered) {
            ADD_FAILURE() << numbered.error().message;
            return;
        }
        found_ = find_run_dependence(module, *numbered);
        program_ = std::move(numbered->program);
    }
    static Dependence of_body(const std::string& body) { return Dependence(kernel_text(body)); }

    std::vector<std::string> sources() const {
        std::vector<std::string> names;
        for (const auto& source : found_.sources) names.push_back(source.name);
        return names;
    }
    /// The first site that begins so.
    SiteId site(const std::string& text) const {
        for (SiteId id = 0; id < program_.sites.size(); ++id)
            if (program_.sites[id].text.find(text) != std::string::npos) return id;
        ADD_FAILURE() << "no instruction " << text;
        return 0;
    }
    bool address(const std::string& text) const { return found_.sites.at(site(text)).address != 0; }
    bool lanes(const std::string& text) const { return found_.sites.at(site(text)).lanes != 0; }
    bool reached(const std::string& text) const {
        return found_.basic_blocks.at(program_.sites[site(text)].basic_block) != 0;
    }
    const RunDependence& found() const { return found_; }

  private:
    RunDependence found_;
    Program program_;
};

TEST(run_dependence, a_kernel_without_sources_depends_on_nothing) {
    const auto kernel = Dependence::of_body(
        "ld.param.u64 %rd1, [a]; mov.u32 %r1, %tid.x; setp.gt.u32 %p1, %r1, 3; @%p1 bra DONE; "
        "red.global.add.u32 [%rd1], %r1; DONE: ret;");
    EXPECT_THAT(kernel.sources(), IsEmpty());
    EXPECT_THAT(kernel.found().basic_blocks, testing::Each(0u));
}

TEST(run_dependence, a_branch_by_the_clock_leaves_the_rest_comparable) {
    const auto kernel = Dependence::of_body(
        "ld.param.u64 %rd1, [a]; ld.global.u32 %r1, [%rd1];"
        "mov.u64 %rd2, %clock64; and.b64 %rd3, %rd2, 1; setp.eq.u64 %p1, %rd3, 0;"
        "@%p1 bra ELSE; ld.global.u32 %r2, [%rd1+4]; bra JOIN;"
        "ELSE: ld.global.u32 %r2, [%rd1+8];"
        "JOIN: st.global.u32 [%rd1+12], %r1; setp.eq.u32 %p2, %r2, 7; @%p2 st.global.u32 [%rd1+16], %r1; "
        "ret;");
    EXPECT_THAT(kernel.sources(), ElementsAre("%clock64"));
    EXPECT_FALSE(kernel.reached("ld.global.u32 %r1"));
    EXPECT_TRUE(kernel.lanes("bra ELSE"));
    EXPECT_TRUE(kernel.reached("+4]"));
    EXPECT_TRUE(kernel.reached("+8]"));
    EXPECT_FALSE(kernel.reached("+12]"));
    EXPECT_FALSE(kernel.address("+12]"));
    EXPECT_TRUE(kernel.lanes("+16]")) << "by the value that either side loaded";
    EXPECT_FALSE(kernel.address("+16]"));
}

// PTX ISA, mul, add: without rounding modifiers the two may become one fused instruction.
TEST(run_dependence, a_sum_of_a_product_without_rounding_modifiers_may_be_rounded_once_or_twice) {
    const auto with = [](const std::string& product, const std::string& sum) {
        return Dependence::of_body("ld.param.u64 %rd1, [a]; ld.global.f32 %f1, [%rd1]; " + product +
                                   " %f2, %f1, %f1; " + sum +
                                   " %f3, %f2, %f1; setp.lt.f32 %p1, %f3, 0f00000000; @%p1 bra DONE;"
                                   "st.global.f32 [%rd1], %f1; DONE: ret;");
    };
    const auto merged = with("mul.f32", "sub.f32");
    EXPECT_THAT(merged.sources(), ElementsAre("sub.f32"));
    EXPECT_EQ(merged.found().sources[0].kind, RunDependence::Kind::rounding);
    EXPECT_TRUE(merged.lanes("bra DONE"));
    EXPECT_TRUE(merged.reached("st.global"));
    EXPECT_THAT(with("mul.rn.f32", "sub.f32").sources(), IsEmpty());
    EXPECT_THAT(with("mul.f32", "sub.rn.f32").sources(), IsEmpty());
    EXPECT_THAT(with("add.f32", "add.f32").sources(), IsEmpty());
}

TEST(run_dependence, the_last_bits_of_an_approximation_are_open) {
    const auto kernel = Dependence::of_body(
        "ld.param.u64 %rd1, [a]; mov.u32 %r1, %tid.x; cvt.rn.f32.u32 %f1, %r1; sin.approx.f32 %f2, %f1; "
        "sqrt.rn.f32 %f3, %f1;"
        "setp.lt.f32 %p1, %f2, 0f3F000000; setp.lt.f32 %p2, %f3, 0f3F000000;"
        "@%p1 st.global.f32 [%rd1+4], %f1; @%p2 st.global.f32 [%rd1+8], %f1; ret;");
    EXPECT_THAT(kernel.sources(), ElementsAre("sin.approx.f32"));
    EXPECT_TRUE(kernel.lanes("+4]"));
    EXPECT_FALSE(kernel.lanes("+8]"));
}

TEST(run_dependence, branches_in_a_dependent_block_depend_as_well) {
    const auto kernel = Dependence::of_body(
        "ld.param.u64 %rd1, [a]; mov.u32 %r1, %tid.x; mov.u32 %r2, %smid; setp.eq.u32 %p1, %r2, 0;"
        "setp.eq.u32 %p2, %r1, 0; @%p1 bra JOIN; @%p2 bra JOIN; ld.global.u32 %r3, [%rd1+4];"
        "JOIN: st.global.u32 [%rd1+8], %r1; ret;");
    EXPECT_TRUE(kernel.reached("+4]"));
    EXPECT_FALSE(kernel.lanes("@%p2 bra"));
    EXPECT_FALSE(kernel.reached("+8]"));
}

TEST(run_dependence, an_early_return_by_the_clock_decides_on_all_that_follows) {
    const auto kernel = Dependence::of_body(
        "ld.param.u64 %rd1, [a]; mov.u32 %r2, %clock; setp.eq.u32 %p1, %r2, 0; @%p1 ret;"
        "ld.global.u32 %r3, [%rd1+4]; ret;");
    EXPECT_TRUE(kernel.reached("+4]"));
}

TEST(run_dependence, a_loop_that_waits_for_the_clock_depends_and_what_follows_it_does_not) {
    const auto kernel = Dependence::of_body(
        "ld.param.u64 %rd1, [a]; WAIT: mov.u64 %rd2, %globaltimer; setp.lt.u64 %p1, %rd2, 100;"
        "@%p1 bra WAIT; ld.global.u32 %r3, [%rd1+4]; ret;");
    EXPECT_TRUE(kernel.reached("globaltimer"));
    EXPECT_FALSE(kernel.reached("+4]"));
}

TEST(run_dependence, the_value_an_atomic_returns_depends_on_the_order_and_an_integer_sum_does_not) {
    const auto kernel = Dependence::of_body(
        "ld.param.u64 %rd1, [a]; atom.global.add.u32 %r1, [%rd1], 1; mul.wide.u32 %rd2, %r1, 4;"
        "add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3+64], %r1; red.global.add.u32 [%rd1+4], 1; ret;");
    EXPECT_THAT(kernel.sources(), ElementsAre("atom.global.add.u32"));
    EXPECT_TRUE(kernel.address("+64]"));
    EXPECT_FALSE(kernel.lanes("+64]"));
    EXPECT_FALSE(kernel.address("atom"));
    EXPECT_FALSE(kernel.address("red.global"));
}

TEST(run_dependence, a_sum_of_reals_depends_on_the_order) {
    EXPECT_THAT(
        Dependence::of_body("ld.param.u64 %rd1, [a]; red.global.add.f32 [%rd1], 0f3F800000; ret;").sources(),
        ElementsAre("red.global.add.f32"));
}

TEST(run_dependence, memory_carries_it_by_variable_and_by_pointer) {
    const auto kernel = Dependence(module_text(
        ".global .u32 slots[4];\n.global .u32 other[4];\n"
        ".visible .entry k(.param .u64 a, .param .u64 b)\n{\n.reg .b32 %r<9>; .reg .b64 %rd<19>;\n"
        ".shared .u32 tile[8];\n"
        "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; cvta.to.global.u64 %rd3, %rd1;"
        "cvta.to.global.u64 %rd4, %rd2; mov.u32 %r1, %warpid; st.shared.u32 [tile], %r1;"
        "ld.shared.u32 %r2, [tile+4]; st.global.u32 [slots], %r2; st.global.u32 [%rd3], %r2;"
        "ld.global.u32 %r3, [slots]; ld.global.u32 %r4, [other]; ld.global.u32 %r5, [%rd3];"
        "ld.global.u32 %r6, [%rd4];"
        "cvt.u64.u32 %rd11, %r3; cvt.u64.u32 %rd12, %r4; cvt.u64.u32 %rd13, %r5; cvt.u64.u32 %rd14, %r6;"
        "ld.global.u32 %r7, [%rd11+1]; ld.global.u32 %r7, [%rd12+2]; ld.global.u32 %r7, [%rd13+3];"
        "ld.global.u32 %r7, [%rd14+4]; ret;\n}\n"));
    EXPECT_TRUE(kernel.address("%rd11+1]"));
    EXPECT_FALSE(kernel.address("%rd12+2]"));
    EXPECT_TRUE(kernel.address("%rd13+3]"));
    EXPECT_FALSE(kernel.address("%rd14+4]"));
}

TEST(run_dependence, calls_carry_it_in_and_out) {
    const auto kernel =
        Dependence(module_text(".func (.param .b32 result) twice(.param .b32 value, .param .b64 "
                               "table)\n{\n.reg .b32 %r<4>; .reg .b64 %rd<4>;\n"
                               "ld.param.b32 %r1, [value]; ld.param.b64 %rd1, [table]; mul.wide.u32 %rd2, "
                               "%r1, 4; add.s64 %rd3, %rd1, %rd2;"
                               "ld.global.u32 %r3, [%rd3+32]; ld.global.u32 %r3, [%rd1+36]; add.u32 %r2, "
                               "%r1, %r1; st.param.b32 [result], %r2; ret;\n}\n"
                               ".visible .entry k(.param .u64 a)\n{\n.reg .b32 %r<4>; .reg .b64 %rd<4>;\n"
                               "ld.param.u64 %rd1, [a]; mov.u32 %r1, %clock;\n"
                               "{ .param .b32 p; .param .b64 t; .param .b32 q; st.param.b32 [p], %r1; "
                               "st.param.b64 [t], %rd1; call (q), twice, (p, t); ld.param.b32 %r2, [q]; }\n"
                               "cvt.u64.u32 %rd2, %r2; ld.global.u32 %r3, [%rd2+8]; ret;\n}\n"));
    EXPECT_TRUE(kernel.address("%rd3+32]"));
    EXPECT_FALSE(kernel.address("%rd1+36]"));
    EXPECT_FALSE(kernel.reached("%rd3+32]"));
    EXPECT_TRUE(kernel.address("%rd2+8]"));
}

TEST(run_dependence, more_than_sixty_four_sources_share_the_last_bit) {
    std::string body;
    for (int i = 0; i < 100; ++i) body += "mov.u32 %r1, %clock;";
    const auto kernel = Dependence::of_body(body + "ret;");
    EXPECT_EQ(kernel.sources().size(), 100u);
    EXPECT_EQ(RunDependence::bit(99), RunDependence::bit(63));
}

}  // namespace
}  // namespace warplens::ptx
