// Every kernel of the catalogue as NVRTC writes it for each architecture, compute_75 to 90 and, by the newer
// of its two code generators, compute_100 and 120: each text parses and has no form that the engine does not
// execute, and with both generators' the launch passes its golden check. Without NVRTC the second generator's
// texts in tests/golden/generated/ stand for it: every test then executes those and says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "app/command_line/target.h"
#include "app/pipeline/pipeline.h"
#include "catalogue_kernels.h"
#include "instrumentation/catalog/catalogue.h"
#include "instrumentation/catalog/expected_problems.h"
#include "instrumentation/compile/compiler.h"
#include "ptx/parser.h"
#include "tests/support/folders.h"

namespace warplens::app {
namespace {

using instrumentation::KernelFile;
using instrumentation::ParameterDeclaration;

constexpr int of_the_older_generator = 75, of_the_newer_generator = 120;

/// Those of each generator. What one generator writes for them has only differed by the kernel's own #if so
/// far, so that the kernels with the header that takes half a second are compiled for the ends alone.
std::vector<int> architectures_of(const KernelFile& kernel) {
    if (kernel.source.find("cooperative_groups.h") != std::string::npos) return {75, 90, 120};
    return {75, 80, 86, 89, 90, 100, 120};
}

/// The first architecture with the instructions that the kernel uses; 0: all of them.
int least_architecture(const std::string& kernel) {
    if (kernel == "cluster_histogram") return 90;
    if (kernel == "reduce_redux" || kernel == "mma_matmul") return 80;
    return 0;
}

Pipeline& generator_pipeline() {
    static const auto shared = make_pipeline();
    return *shared;
}

bool with_nvrtc() { return generator_pipeline().compiler().description().starts_with("NVRTC "); }

std::string target_of(int architecture) { return "sm_" + std::to_string(architecture); }

/// An eighth of large defaults, a quarter of small ones: several blocks and, mostly, a tail.
std::map<std::string, std::string> small_sizes(const KernelFile& kernel) {
    const std::set<std::string> sizes{"n", "N", "M", "K", "W", "H"};
    std::map<std::string, std::string> overrides;
    for (const ParameterDeclaration& parameter : kernel.parameters) {
        const auto* size = std::get_if<std::int64_t>(&parameter.fallback);
        if (parameter.is_macro || !sizes.contains(parameter.name) || size == nullptr || *size < 128) continue;
        std::int64_t smaller = *size > 1024 ? std::min<std::int64_t>(*size / 8, 65536) : *size / 4;
        if (parameter.minimum) {
            const auto least = static_cast<std::int64_t>(*parameter.minimum);
            const auto step = std::max<std::int64_t>(1, static_cast<std::int64_t>(parameter.step));
            smaller = least + std::max<std::int64_t>(0, smaller - least) / step * step;
        }
        const auto& listed = parameter.values;
        const auto is_it = [&](const auto& value) { return value == instrumentation::Value{smaller}; };
        if (!listed.empty() && std::ranges::none_of(listed, is_it)) continue;
        overrides[parameter.name] = std::to_string(smaller);
    }
    return overrides;
}

Result<LoadedLaunch> load_generated(const std::shared_ptr<const KernelFile>& kernel, int architecture) {
    return generator_pipeline().load({kernel, small_sizes(*kernel), "", target_of(architecture)});
}

void expect_all_executed(const LoadedLaunch& loaded, const std::string& of) {
    for (const auto& missing : loaded.unsupported)
        ADD_FAILURE() << of << ": " << missing.form << ", " << missing.reason;
}

void expect_golden_result(LoadedLaunch loaded, const std::string& of) {
    const auto wrong = instrumentation::is_wrong_on_purpose(*loaded.kernel, loaded.prepared.parameters);
    ASSERT_TRUE(wrong) << wrong.error().message;
    const auto executed = generator_pipeline().execute(std::move(loaded), {});
    ASSERT_TRUE(executed) << of << ": " << executed.error().message;
    if (!*wrong) {
        EXPECT_EQ(executed->report->golden, "passed") << of;
        for (const Problem& problem : executed->report->problems)
            ADD_FAILURE() << of << ": " << problem.message;
    }
    EXPECT_GT(executed->report->steps, 0u);
}

/// What there is without NVRTC.
void expect_the_shipped_text(const std::shared_ptr<const KernelFile>& kernel) {
    EXPECT_THAT(generator_pipeline().compiler().description(), testing::HasSubstr("shipped PTX only"));
    for (const int architecture : {of_the_older_generator, of_the_newer_generator}) {
        const auto loaded = generator_pipeline().load({kernel, {}, "", target_of(architecture)});
        ASSERT_TRUE(loaded) << loaded.error().message;
        EXPECT_EQ(loaded->launch.resources.target, "sm_90");
        expect_all_executed(*loaded, "the shipped text");
    }
}

class BothGenerators : public testing::TestWithParam<std::shared_ptr<const KernelFile>> {};

TEST_P(BothGenerators, write_only_what_is_executed_for_every_architecture) {
    const auto& kernel = GetParam();
    if (!with_nvrtc()) return expect_the_shipped_text(kernel);
    for (const int architecture : architectures_of(*kernel)) {
        const auto loaded = load_generated(kernel, architecture);
        ASSERT_TRUE(loaded) << target_of(architecture) << ": " << loaded.error().message;
        // The pipeline takes sm_90 where the compiler cannot do as asked.
        const bool asked_too_much = architecture < least_architecture(kernel->name);
        EXPECT_EQ(loaded->launch.resources.target, asked_too_much ? "sm_90" : target_of(architecture));
        expect_all_executed(*loaded, target_of(architecture));
    }
}

TEST_P(BothGenerators, give_the_results_of_the_reference) {
    if (!with_nvrtc()) return expect_the_shipped_text(GetParam());
    for (const int architecture : {of_the_older_generator, of_the_newer_generator}) {
        auto loaded = load_generated(GetParam(), architecture);
        ASSERT_TRUE(loaded) << target_of(architecture) << ": " << loaded.error().message;
        expect_golden_result(std::move(*loaded), target_of(architecture));
    }
}

// Seven compilations for each kernel.
INSTANTIATE_TEST_SUITE_P(catalogue, BothGenerators, testing::ValuesIn(every(8, catalogue_kernels())),
                         [](const auto& info) { return info.param->name; });
INSTANTIATE_TEST_SUITE_P(others_long, BothGenerators,
                         testing::ValuesIn(all_but_every(8, catalogue_kernels())),
                         [](const auto& info) { return info.param->name; });

/// Returns a stored text, whatever the request is.
class WrittenBefore : public instrumentation::Compiler {
  public:
    explicit WrittenBefore(std::string ptx) : ptx_(std::move(ptx)) {}
    Result<instrumentation::Compiled> compile(const instrumentation::CompileRequest& request) override {
        instrumentation::Compiled compiled;
        compiled.ptx = ptx_;
        compiled.target = request.target;
        compiled.origin = description();
        const auto module = ptx::parse(ptx_, request.name);
        if (!module) return tl::unexpected(module.error());
        for (const ptx::Function* entry : module->entries()) compiled.entries[entry->name] = {};
        return compiled;
    }
    std::string description() const override { return "a text of tests/golden/generated"; }

  private:
    std::string ptx_;
};

TEST(newer_generator, texts_kept_here_give_the_results_of_the_reference) {
    const auto folder = std::filesystem::path(source_folder()) / "tests/golden/generated";
    int executed = 0;
    for (const auto& kernel : catalogue_kernels()) {
        std::ifstream file(folder / (kernel->name + ".ptx"), std::ios::binary);
        if (!file) continue;
        std::ostringstream text;
        text << file.rdbuf();
        // The newer generator has registers of no floating-point type.
        EXPECT_THAT(text.str(), testing::Not(testing::HasSubstr(".reg .f32"))) << kernel->name;
        Pipeline with_text(std::make_shared<WrittenBefore>(text.str()));
        auto loaded = with_text.load({kernel, small_sizes(*kernel), "", "sm_120"});
        ASSERT_TRUE(loaded) << kernel->name << ": " << loaded.error().message;
        expect_all_executed(*loaded, kernel->name);
        expect_golden_result(std::move(*loaded), kernel->name);
        ++executed;
    }
    EXPECT_EQ(executed, std::distance(std::filesystem::directory_iterator(folder), {}));
    EXPECT_GE(executed, 5);
}

}  // namespace
}  // namespace warplens::app
