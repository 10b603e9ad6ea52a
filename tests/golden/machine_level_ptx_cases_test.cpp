// Every tests/ptx_cases/*.ptx at the machine level: assembled with the toolkit's ptxas and executed, the code
// must give the values that were calculated for the PTX.
#ifdef WARPLENS_SASS

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>

#include <algorithm>
#include <functional>
#include <map>

#include "core/read_file.h"
#include "instrumentation/compile/ptx_file.h"
#include "ptx/parser.h"
#include "sass/cubin.h"
#include "simt/functional/machine/machine.h"
#include "tests/simt/ptx_case_run.h"

namespace warplens {
namespace {

/// Cases whose machine code computes something else than the PTX ISA says, and what.
const std::map<std::string_view, std::string_view>& other_results() {
    static const std::map<std::string_view, std::string_view> reasons{
        {"bfe_u64", "ptxas shifts by the whole length, of which PTX takes the low 8 bits"},
        {"bfe_s64", "ptxas shifts by the whole length, of which PTX takes the low 8 bits"},
        {"bfi_b64", "ptxas shifts by the whole length, of which PTX takes the low 8 bits"},
        {"cvt_f32_from_f64", "ptxas flushes by the exponent of the input, PTX by that of the result"},
        {"barrier_diverged",
         "lanes that diverged meet in a WARPSYNC.COLLECTIVE, whose registers are not known"},
    };
    return reasons;
}

int failures_of(const std::function<void()>& run) {
    testing::TestPartResultArray failures;
    const testing::ScopedFakeTestPartResultReporter intercepts(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &failures);
    run();
    return failures.size();
}

void check_cases(const std::string& file, const std::string& text) {
    const auto cases = read_ptx_cases(text);
    ASSERT_TRUE(cases) << cases.error().message;
    const auto module = ptx::parse(text, file);
    ASSERT_TRUE(module) << module.error().message;
    const auto assembled = instrumentation::compile_ptx_file(file, text, "sm_90");
    ASSERT_TRUE(assembled) << assembled.error().message;
    if (assembled->compiled.cubin.empty()) GTEST_SKIP() << "needs ptxas: " << assembled->unknown;
    const auto cubin = sass::read_cubin(assembled->compiled.cubin);
    ASSERT_TRUE(cubin) << cubin.error().message;
    for (const PtxCase& ptx_case : *cases) {
        const auto of_ptx = simt::Kernel::load(*module, ptx_case.name, text);
        ASSERT_TRUE(of_ptx) << of_ptx.error().message;
        const auto kernel = simt::load_machine_code(*cubin, ptx_case.name);
        ASSERT_TRUE(kernel) << kernel.error().message;
        for (const auto& form : (*kernel)->unsupported())
            ADD_FAILURE() << fmt::format("{}, {}: {}: {}", file, ptx_case.name, form.spelling, form.reason);
        if (!(*kernel)->unsupported().empty()) continue;
        const auto run = [&] { run_ptx_case(**kernel, (*of_ptx)->program(), ptx_case, file); };
        if (other_results().contains(ptx_case.name))
            EXPECT_GT(failures_of(run), 0) << ptx_case.name << " gives the calculated values";
        else run();
    }
}

class MachineLevelPtxCases : public ::testing::TestWithParam<std::string> {};

TEST_P(MachineLevelPtxCases, give_the_calculated_values) {
    const std::string file = GetParam() + ".ptx";
    const auto text = read_file((ptx_case_folder() / file).string());
    ASSERT_TRUE(text) << text.error().message;
    check_cases(file, *text);
}

/// Numbers of 4 bits from each byte of a register, and two pairs of 6 bits packed into one: -6 and 1, 2 and
/// -2, 0.5 and 3, -1 and 6 as halves; 1, -2, 0.25 and 28 as e3m2.
TEST(machine_level_ptx_cases, take_small_numbers_from_any_byte) {
    check_cases("bytes.ptx", R"(// case bytes
// in u32 f32 f32 f32 f32
// out f16x2 cvt.rn.f16x2.e2m1x2 of byte 0
// out f16x2 cvt.rn.f16x2.e2m1x2 of byte 1
// out f16x2 cvt.rn.f16x2.e2m1x2 of byte 2
// out f16x2 cvt.rn.f16x2.e2m1x2 of byte 3
// out u32 cvt.rn.satfinite.e3m2x2.f32
// rows
// 7a51c42f 3f800000 c0000000 3e800000 41e00000 : 3c00c600 c0004000 42003800 4600bc00 041f0c30
.version 8.8
.target sm_100a
.address_size 64
.visible .entry bytes(.param .u64 in, .param .u64 out)
{
    .reg .b8 %b<4>;
    .reg .b16 %h<2>;
    .reg .b32 %a, %r<5>;
    .reg .f32 %f<4>;
    .reg .b32 %thread;
    .reg .b64 %in, %out;
    mov.u32 %thread, %tid.x;
    ld.param.u64 %in, [in];
    cvta.to.global.u64 %in, %in;
    mad.wide.u32 %in, %thread, 40, %in;
    ld.param.u64 %out, [out];
    cvta.to.global.u64 %out, %out;
    mad.wide.u32 %out, %thread, 40, %out;
    ld.global.b32 %a, [%in+0];
    ld.global.f32 %f0, [%in+8];
    ld.global.f32 %f1, [%in+16];
    ld.global.f32 %f2, [%in+24];
    ld.global.f32 %f3, [%in+32];
    mov.b32 {%b0, %b1, %b2, %b3}, %a;
    cvt.rn.f16x2.e2m1x2 %r0, %b0;
    cvt.rn.f16x2.e2m1x2 %r1, %b1;
    cvt.rn.f16x2.e2m1x2 %r2, %b2;
    cvt.rn.f16x2.e2m1x2 %r3, %b3;
    cvt.rn.satfinite.e3m2x2.f32 %h0, %f0, %f1;
    cvt.rn.satfinite.e3m2x2.f32 %h1, %f2, %f3;
    mov.b32 %r4, {%h0, %h1};
    st.global.b32 [%out+0], %r0;
    st.global.b32 [%out+8], %r1;
    st.global.b32 [%out+16], %r2;
    st.global.b32 [%out+24], %r3;
    st.global.b32 [%out+32], %r4;
    ret;
}
)");
}

INSTANTIATE_TEST_SUITE_P(opcodes, MachineLevelPtxCases, ::testing::ValuesIn(ptx_case_files()),
                         [](const auto& parameter) {
                             std::string name = parameter.param;
                             std::ranges::replace(name, '.', '_');
                             return name;
                         });

}  // namespace
}  // namespace warplens

#endif
