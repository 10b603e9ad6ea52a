// Neighbours of a setting: compiled while nobody turns a knob, so that the next turn of one compiles nothing.
#include "app/pipeline/neighbours.h"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "app/command_line/target.h"
#include "app/pipeline/engines.h"
#include "app/session/session.h"
#include "instrumentation/catalog/catalogue.h"
#include "tests/app/emulated_gpu.h"

namespace warplens::app {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::shared_ptr<const instrumentation::KernelFile> kernel_with(const std::string& parameters) {
    auto kernel = instrumentation::read_kernel_file(
        "k.cu",
        "/*\n[kernel]\ntitle = \"K\"\nsubject = \"S\"\nlesson = \"L\"\n\n[parameters]\n" + parameters +
            "\n[buffers]\nout = { type = \"u32\", length = \"32\", fill = \"zero\" }\n\n[launch]\n"
            "arguments = [\"out\"]\ngrid = [\"1\"]\nblock = [\"32\"]\ndynamic_shared_bytes = \"0\"\n*/\n"
            "extern \"C\" __global__ void k(unsigned* out) { out[threadIdx.x] = 1; }\n");
    EXPECT_TRUE(kernel) << kernel.error().message;
    return std::make_shared<const instrumentation::KernelFile>(std::move(*kernel));
}

std::vector<std::string> settings_of(const std::vector<RunRequest>& requests) {
    std::vector<std::string> words;
    for (const RunRequest& each : requests) {
        std::string all;
        for (const auto& [name, value] : each.overrides) all += name + "=" + value + " ";
        words.push_back(all);
    }
    return words;
}

TEST(neighbours, are_one_step_from_each_compile_time_parameter_the_turned_one_first) {
    const auto kernel = kernel_with(
        "PAD = { macro = true, default = 0, min = 0, max = 4, help = \"p\" }\n"
        "TILE = { macro = true, default = 16, values = [8, 16, 32], help = \"t\" }\n"
        "n = { default = 3, min = 1, max = 9, help = \"n\" }\n");
    EXPECT_THAT(settings_of(neighbours({kernel, {}, "", 0, Engine::simt}, "TILE")),
                ElementsAre("TILE=32 ", "TILE=8 ", "PAD=1 "));
    EXPECT_THAT(settings_of(neighbours({kernel, {{"PAD", "2"}, {"n", "4"}}, "", 0, Engine::simt}, "")),
                ElementsAre("PAD=3 n=4 ", "PAD=1 n=4 ", "PAD=2 TILE=32 n=4 ", "PAD=2 TILE=8 n=4 "));
    EXPECT_THAT(
        neighbours(
            {kernel_with("n = { default = 3, min = 1, max = 9, help = \"n\" }\n"), {}, "", 0, Engine::simt},
            ""),
        IsEmpty());
}

/// Counts what it compiles.
class CountingCompiler final : public instrumentation::Compiler {
  public:
    explicit CountingCompiler(std::unique_ptr<Compiler> real) : real_(std::move(real)) {}
    std::string description() const override { return real_->description(); }
    Result<instrumentation::Compiled> compile(const instrumentation::CompileRequest& request) override {
        ++compiled;
        return real_->compile(request);
    }
    std::atomic<int> compiled = 0;

  private:
    std::unique_ptr<Compiler> real_;
};

class AfterNeighbours : public testing::TestWithParam<Engine> {};

TEST_P(AfterNeighbours, a_knob_turned_by_one_step_leaves_nothing_to_compile_or_assemble) {
    const auto folders = instrumentation::installed_folders();
    ASSERT_TRUE(folders) << folders.error().message;
    const auto compiler =
        std::make_shared<CountingCompiler>(instrumentation::make_compiler({folders->assets, "", false}));
    if (!compiler->description().starts_with("NVRTC ")) GTEST_SKIP() << "needs NVRTC: PAD=2 is not shipped";
    EmulatedGpu emulated;
    Engines engines(std::make_shared<Pipeline>(compiler), emulated.gpu(), "");
    const auto all = catalogue();
    ASSERT_TRUE(all) << all.error().message;
    Session session({std::make_shared<const instrumentation::KernelFile>(
                        **instrumentation::find_kernel(*all, "transpose_tiled"))},
                    [&](const RunRequest& request, const auto& cancelled) {
                        return engines.run_scene(request, cancelled);
                    });
    std::atomic<bool> prepared_all = false;
    session.set_preparer(
        [&](const RunRequest& request, const auto& cancelled) {
            engines.prepare(request, cancelled);
            const std::map<std::string, std::string> last{
                {"H", "64"}, {"PAD", "1"}, {"TILE", "16"}, {"W", "64"}};
            if (request.overrides == last) prepared_all = true;
        },
        std::chrono::milliseconds{0});
    const auto run = [&] {
        while (!session.poll() || session.running()) std::this_thread::yield();
        ASSERT_EQ(session.failure(), "");
    };
    const auto kernel = session.catalogue().front();
    session.open_setting({kernel, {{"W", "64"}, {"H", "64"}}, "", 0, GetParam()});
    run();
    session.set_parameter("PAD", "1");
    run();
    while (!prepared_all) std::this_thread::yield();
    const int before = compiler->compiled;
    const std::size_t runs = emulated.asked.size();
    session.set_preparer({}, {});
    session.set_parameter("PAD", "2");
    run();
    EXPECT_EQ(compiler->compiled, before);
    EXPECT_EQ(emulated.asked.size() > runs, GetParam() == Engine::cuda);
    for (std::size_t i = runs; i < emulated.asked.size(); ++i) EXPECT_EQ(emulated.not_assembled(i), 0u);
    EXPECT_EQ(instrumentation::to_string(session.scene()->parameters.at("PAD")), "2");
}

INSTANTIATE_TEST_SUITE_P(neighbours, AfterNeighbours, testing::Values(Engine::simt, Engine::cuda),
                         [](const auto& engine) {
                             return engine.param == Engine::simt ? "on_the_cpu_engine" : "on_a_gpu";
                         });

}  // namespace
}  // namespace warplens::app
