// Numbers of a file's text that are set or turned like parameters: which there are, what a value does to the
// text, and that the launch follows.
#include "app/pipeline/text_numbers.h"

#include <gmock/gmock.h>

#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

instrumentation::KernelFile with_text(const std::string& source) {
    instrumentation::KernelFile kernel;
    kernel.source = source;
    return kernel;
}

std::vector<std::string> knobs_of(const instrumentation::KernelFile& kernel) {
    std::vector<std::string> names;
    for (const auto& knob : text_knobs(kernel)) names.push_back(knob.name);
    return names;
}

TEST(text_numbers, constants_that_the_text_uses_are_knobs) {
    const auto kernel = with_text(
        "#define TILE 16\n#define UNUSED 3\n#define AREA (TILE * TILE)\nconstexpr int rows = 4;\n"
        "enum { lanes = 32 };\nint passes = 7;\n__global__ void k() { int a[TILE * rows * lanes]; }\n"
        "int main() { const int zero = 0; int x = zero + passes; const int twice = 2; twice; }\n"
        "void other() { const int twice = 4; twice; }\n");
    EXPECT_THAT(knobs_of(kernel), ElementsAre("TILE", "rows", "lanes"));
    auto named = kernel;
    named.parameters.emplace_back().name = "Rows";
    EXPECT_THAT(knobs_of(named), ElementsAre("TILE", "lanes")) << "the kernel has a parameter of that name";
}

TEST(text_numbers, a_knob_halves_and_doubles) {
    const auto knobs = text_knobs(with_text("#define BM 12\n#define TM 1\nint a[BM], b[TM];\n"));
    ASSERT_EQ(knobs.size(), 2u);
    std::vector<std::string> values;
    for (const auto& value : knobs[0].values) values.push_back(instrumentation::to_string(value));
    EXPECT_THAT(values, ElementsAre("3", "6", "12", "24", "48", "96"));
    EXPECT_EQ(instrumentation::to_string(knobs[1].values.front()), "1");
    EXPECT_THAT(knobs[0].help, HasSubstr("line 1 of the text"));
}

TEST(text_numbers, another_value_is_another_text) {
    const std::string text = "#define TM (4)\nconst unsigned n = 8u;\nint n2 = 3;\nint n2 = 4;\n";
    EXPECT_THAT(*with_text_number(text, "TM", "16"), HasSubstr("#define TM (16)\n"));
    EXPECT_THAT(*with_text_number(text, "n", "9"), HasSubstr("n = 9u;"));
    EXPECT_THAT(with_text_number(text, "TN", "2").error().message, HasSubstr("no number that is called"));
    EXPECT_THAT(with_text_number(text, "n2", "2").error().message,
                AllOf(HasSubstr("line 3"), HasSubstr("line 4")));
    for (const char* value : {"0", "-1", "2.5", "two", "", "99999999999"})
        EXPECT_THAT(with_text_number(text, "TM", value).error().message, HasSubstr("integer from 1 to"))
            << value;
}

TEST(text_numbers, settings_of_parameters_are_left) {
    const std::string text = "#define TM 4\nconst int n = 8;\n";
    auto kernel = with_text(text);
    kernel.parameters.emplace_back().name = "n";
    std::map<std::string, std::string> settings{{"TM", "2"}, {"n", "16"}, {"other", "1"}};
    const auto taken = take_text_settings(text, kernel, settings);
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->source, "#define TM 2\nconst int n = 8;\n");
    EXPECT_THAT(taken->said, ElementsAre("`TM` is 2 in line 1, in place of 4"));
    EXPECT_EQ(settings.size(), 2u) << "`n` is the kernel's, and `other` nobody's";
    settings = {{"TM", "4"}};
    const auto same = take_text_settings(text, kernel, settings);
    ASSERT_TRUE(same);
    EXPECT_EQ(same->source, text);
    EXPECT_THAT(same->said, IsEmpty());
    EXPECT_THAT(settings, IsEmpty());
}

using TextSettings_ = TypedCommands;

TEST_F(TextSettings_, set_and_sweep_a_number_of_the_text) {
    const std::string path = file("tiles.cu",
                                  "#define THREADS 64\n"
                                  "__global__ void fill(float* out, int n) {\n"
                                  "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                  "    if (i < n) out[i] = THREADS;\n}\n"
                                  "int main() {\n    const int n = 4096;\n    float* out;\n"
                                  "    cudaMalloc(&out, n * sizeof(float));\n"
                                  "    fill<<<n / THREADS, THREADS>>>(out, n);\n}\n");
    const Outcome set = warplens({"report", path, "--set", "THREADS=256", "--no-advice"});
    if (!compiles(set)) GTEST_SKIP() << "needs NVRTC";
    ASSERT_EQ(set.code, 0) << set.error;
    EXPECT_THAT(set.error, HasSubstr("`THREADS` is 256 in line 1, in place of 64"));
    EXPECT_THAT(set.out, HasSubstr("grid 16, block 256"));
    const Outcome sweep = warplens({"sweep", path, "--over", "THREADS=32,64,128", "--metric",
                                    "occupancy.theoretical", "--format", "csv"});
    ASSERT_EQ(sweep.code, 0) << sweep.error;
    EXPECT_THAT(sweep.out, AllOf(HasSubstr("\n32,"), HasSubstr("\n64,"), HasSubstr("\n128,")));
    EXPECT_THAT(refusal({"report", path, "--set", "THREADS=0"}), HasSubstr("integer from 1 to"));
    EXPECT_THAT(refusal({"sweep", path, "--over", "THREAD=1,2"}), HasSubstr("did you mean `THREADS`?"));
    const Outcome versus = warplens({"report", path, "--versus", "THREADS=128", "--no-advice"});
    ASSERT_EQ(versus.code, 0) << versus.error;
    EXPECT_THAT(versus.out, HasSubstr("block 64 → 128"));
}

}  // namespace
}  // namespace warplens::app
