// Random kernels, and kernels that once disagreed, recorded by the CPU engine in the part of a GPU: what the
// rewritten PTX writes has to decode to what the kernel did. tests/gpu/agreement_fuzz.cpp runs the same on a
// real GPU.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/app/emulated_gpu.h"
#include "tests/support/differential.h"
#include "tests/support/random_kernel.h"

namespace warplens {
namespace {

class RandomKernels : public testing::Test {
  protected:
    void SetUp() override {
        if (pipeline_.compiler().description().find("NVRTC") != 0)
            GTEST_SKIP() << "the kernels are compiled by NVRTC";
    }
    Comparison compare(const std::string& name, const std::string& source) {
        return compare_engines(pipeline_, launcher_, name, source, true);
    }
    static std::string text_of(const std::filesystem::path& path) {
        std::ifstream file(path);
        return {std::istreambuf_iterator<char>(file), {}};
    }

  private:
    app::Pipeline pipeline_{
        std::shared_ptr<instrumentation::Compiler>(instrumentation::make_compiler({"", "", true}))};
    app::EmulatedGpu emulated_;
    app::GpuLauncher launcher_{emulated_.gpu()};
};

TEST_F(RandomKernels, of_every_group_decode_to_what_they_did) {
    for (std::uint64_t seed = 0; seed < 3 * form_groups; ++seed) {
        const Comparison comparison = compare("random_" + std::to_string(seed), random_kernel(seed));
        EXPECT_EQ(comparison.outcome, Comparison::Outcome::agrees)
            << "seed " << seed << ": " << comparison.sentence;
    }
}

TEST_F(RandomKernels, that_once_disagreed_agree) {
    int found = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(WARPLENS_SOURCE_FOLDER "/tests/gpu/kernels")) {
        const std::string name = entry.path().stem();
        if (name == "clock_branch" || name == "tickets")
            continue;  // what they do depends on the order of events
        const Comparison comparison = compare(name, text_of(entry.path()));
        EXPECT_EQ(comparison.outcome, Comparison::Outcome::agrees) << name << ": " << comparison.sentence;
        ++found;
    }
    EXPECT_GE(found, 4);
}

TEST(random_kernel, of_a_seed_is_always_the_same) {
    EXPECT_EQ(random_kernel(7), random_kernel(7));
    EXPECT_NE(random_kernel(7), random_kernel(16));
}

}  // namespace
}  // namespace warplens
