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

class MachineLevelPtxCases : public ::testing::TestWithParam<std::string> {};

TEST_P(MachineLevelPtxCases, give_the_calculated_values) {
    const std::string file = GetParam() + ".ptx";
    const auto text = read_file((ptx_case_folder() / file).string());
    ASSERT_TRUE(text) << text.error().message;
    const auto cases = read_ptx_cases(*text);
    ASSERT_TRUE(cases) << cases.error().message;
    const auto module = ptx::parse(*text, file);
    ASSERT_TRUE(module) << module.error().message;
    const auto assembled = instrumentation::compile_ptx_file(file, *text, "sm_90");
    ASSERT_TRUE(assembled) << assembled.error().message;
    if (assembled->compiled.cubin.empty()) GTEST_SKIP() << "needs ptxas: " << assembled->unknown;
    const auto cubin = sass::read_cubin(assembled->compiled.cubin);
    ASSERT_TRUE(cubin) << cubin.error().message;
    for (const PtxCase& ptx_case : *cases) {
        const auto of_ptx = simt::Kernel::load(*module, ptx_case.name, *text);
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

INSTANTIATE_TEST_SUITE_P(opcodes, MachineLevelPtxCases, ::testing::ValuesIn(ptx_case_files()),
                         [](const auto& parameter) {
                             std::string name = parameter.param;
                             std::ranges::replace(name, '.', '_');
                             return name;
                         });

}  // namespace
}  // namespace warplens

#endif
