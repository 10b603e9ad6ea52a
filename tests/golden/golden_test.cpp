// Every kernel of the catalogue against its own golden check: executed whole by the CPU engine, at its
// default and at contrasting settings that its header allows. A new file in kernels/ is found automatically.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/command_line/target.h"
#include "app/pipeline/pipeline.h"
#include "catalogue_kernels.h"
#include "instrumentation/catalog/expected_problems.h"
#include "tests/support/every.h"

namespace warplens::app {
namespace {

using instrumentation::KernelFile;
using Overrides = std::map<std::string, std::string>;

Pipeline& pipeline() {
    static const auto shared = make_pipeline();
    return *shared;
}

/// Another choice wherever the header lists choices, and one element less than the default so that tails
/// show.
Overrides contrast(const KernelFile& kernel) {
    Overrides overrides;
    for (const auto& parameter : kernel.parameters) {
        if (!parameter.values.empty()) {
            const auto& values = parameter.values;
            const auto other = values.back() == parameter.fallback ? values.front() : values.back();
            overrides[parameter.name] = instrumentation::to_string(other);
        } else if (parameter.is_macro && parameter.minimum) {
            overrides[parameter.name] = fmt::format("{}", *parameter.minimum + parameter.step);
        } else if (parameter.name == "n" && parameter.step == 1) {
            overrides["n"] = std::to_string(std::get<std::int64_t>(parameter.fallback) - 1);
        }
    }
    return overrides;
}

void expect_golden(const std::shared_ptr<const KernelFile>& kernel, const Overrides& overrides) {
    auto loaded = pipeline().load({kernel, overrides, "", {}});
    ASSERT_TRUE(loaded) << loaded.error().message;
    ExecuteOptions options;
    options.detect_races = true;
    const auto wrong = instrumentation::is_wrong_on_purpose(*kernel, loaded->prepared.parameters);
    ASSERT_TRUE(wrong) << wrong.error().message;
    auto executed = pipeline().execute(std::move(*loaded), options);
    ASSERT_TRUE(executed) << executed.error().message;
    if (*wrong) {
        instrumentation::ExpectedProblems found;
        for (const Problem& problem : executed->report->problems) {
            found[std::string(to_string(problem.kind))].insert(problem.line);
            if (problem.other) found[std::string(to_string(problem.kind))].insert(problem.other->line);
        }
        EXPECT_EQ(found, instrumentation::expected_problems(kernel->source));
        return;
    }
    EXPECT_EQ(executed->report->golden, "passed");
    for (const Problem& problem : executed->report->problems) ADD_FAILURE() << problem.message;
}

class Golden : public testing::TestWithParam<std::shared_ptr<const KernelFile>> {};
class GoldenContrast : public Golden {};

TEST_P(Golden, results_at_the_default_equal_the_reference) {
    ASSERT_FALSE(GetParam()->golden.empty()) << "the header declares no golden check";
    expect_golden(GetParam(), {});
}

TEST_P(GoldenContrast, results_at_a_contrasting_setting_equal_the_reference) {
    const Overrides overrides = contrast(*GetParam());
    if (overrides.empty()) {
        // Nothing to turn but ranges: run the default again on one thread.
        auto loaded = pipeline().load({GetParam(), {}, "", {}});
        ASSERT_TRUE(loaded) << loaded.error().message;
        ExecuteOptions options;
        options.threads = 1;
        auto executed = pipeline().execute(std::move(*loaded), options);
        ASSERT_TRUE(executed) << executed.error().message;
        EXPECT_EQ(executed->report->golden, "passed");
        return;
    }
    expect_golden(GetParam(), overrides);
}

const auto name_of_case = [](const auto& info) { return info.param->name; };
INSTANTIATE_TEST_SUITE_P(catalogue, Golden, testing::ValuesIn(catalogue_kernels()), name_of_case);
INSTANTIATE_TEST_SUITE_P(catalogue, GoldenContrast, testing::ValuesIn(every(2, catalogue_kernels())),
                         name_of_case);
INSTANTIATE_TEST_SUITE_P(others_long, GoldenContrast,
                         testing::ValuesIn(all_but_every(2, catalogue_kernels())), name_of_case);

TEST(golden, the_catalogue_holds_the_kernels_that_the_hardware_tables_name) {
    std::vector<std::string> names;
    for (const auto& kernel : catalogue_kernels()) names.push_back(kernel->name);
    for (const char* name : {"copy_strided",
                             "copy_offset",
                             "saxpy",
                             "aos_read",
                             "vector4_copy",
                             "gather",
                             "branch_parity",
                             "collatz",
                             "transpose_tiled",
                             "transpose_swizzled",
                             "transpose_naive",
                             "shared_stride",
                             "shared_vector",
                             "matmul_naive",
                             "matmul_uncoalesced",
                             "matmul_tiled",
                             "reduce_interleaved",
                             "reduce_strided_index",
                             "reduce_sequential",
                             "reduce_shuffle",
                             "conv1d_naive",
                             "conv1d_shared",
                             "histogram_global",
                             "histogram_shared"}) {
        EXPECT_THAT(names, testing::Contains(name));
    }
}

}  // namespace
}  // namespace warplens::app
