// The list of a program's kernels in the window: it runs when somebody asks, shows launches while they come,
// and a click opens the launch of a kernel with the program's inputs.
#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/session/own_file/own_file.h"
#include "app/window/frame.h"
#include "instrumentation/catalog/host_launch.h"
#include "tests/app/example_scene.h"
#include "tests/support/headless.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;

const std::string text =
    "#define COUNT 512\n"
    "__global__ void first(float* out, int n) { out[threadIdx.x] = n; }\n"
    "__global__ void second(float* out, int n) { out[threadIdx.x] += n; }\n"
    "int main() {\n"
    "    float* out;\n"
    "    cudaMalloc(&out, COUNT * 4);\n"
    "    first<<<4, 128>>>(out, COUNT);\n"
    "    second<<<4, 128>>>(out, COUNT);\n"
    "}\n";

ProgramKernel kernel(const std::string& name, std::uint32_t block, std::uint64_t launches, double seconds,
                     std::uint32_t busiest) {
    ProgramKernel one;
    one.kernel = name;
    one.symbol = "_Z" + std::to_string(name.size()) + name + "Pfi";
    one.line = 7;
    one.grid = {4, 1, 1};
    one.block = {block, 1, 1};
    one.launches = one.executed = one.modelled = launches;
    one.seconds = seconds;
    one.steps = one.most_steps = block;
    one.busiest = busiest;
    return one;
}

class ProgramListTest : public testing::Test {
  protected:
    fs::path folder;
    ScriptedRun script;
    Session session{example_catalogue(), script.run(), script.wake()};
    OwnFile own{session, [](const instrumentation::KernelFile&) -> Entries {
                    return std::vector<instrumentation::EntryFacts>{
                        {"_Z5firstPfi", "first", {{"p0", "u64", 8, 0}, {"p1", "u32", 4, 8}}, 0},
                        {"_Z6secondPfi", "second", {{"p0", "u64", 8, 0}, {"p1", "u32", 4, 8}}, 0}};
                }};
    Layout layout;
    Frame frame{session, layout};
    Headless ui{[this](const Theme& theme) { frame.draw(theme); }, {1760, 1200}};
    std::atomic<int> lists = 0;
    std::atomic<bool> goes_on = true, was_cancelled = false;
    ProgramInputsRequest asked;

    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "warplens_test_XXXXXX").string();
        folder = ::mkdtemp(name.data());
        frame.set_own_file(&own);
        own.set_program_runner([this](ProgramInputsRequest request) -> Result<ProgramInputs> {
            asked = request;
            const auto entry =
                std::ranges::find(request.entries, request.symbol, &instrumentation::EntryFacts::symbol);
            ProgramInputs inputs;
            inputs.draft = instrumentation::guess_launch(*entry, request.kernel,
                                                         instrumentation::host_code_of(request.kernel));
            auto& arguments = inputs.draft.arguments;
            arguments[0].fill = "file";
            arguments[0].length = "n";
            arguments[1].value = std::to_string(request.argument ? request.argument->value : 512);
            if (request.argument)
                inputs.number = TextNumber{"COUNT", 1, request.argument->before, request.argument->value};
            inputs.said = {"the inputs are the program's own"};
            return inputs;
        });
        own.set_program_lister(
            [this](ProgramInputsRequest request, const auto& so_far) -> Result<ProgramLaunches> {
                ++lists;
                ProgramLaunches program;
                program.gpu = "H200";
                program.kernels = {kernel("first", 128, 1, 1e-6, 1)};
                so_far(program);
                while (!goes_on && !request.cancelled())
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                was_cancelled = request.cancelled();
                program.kernels.push_back(kernel("second", 64, 2, 5e-6, 2));
                program.kernels.push_back(kernel("second", 128, 1, 4e-6, 3));
                program.printed = "PASSED";
                program.ended = true;
                return program;
            });
        std::ofstream(folder / "mine.cu") << text;
        ASSERT_TRUE(own.open((folder / "mine.cu").string()));
        ASSERT_TRUE(
            eventually([&] { return !session.running() && session.scene() && own.may_list_program(); }));
    }
    void TearDown() override { fs::remove_all(folder); }
    template <class Condition>
    bool eventually(Condition&& condition) {
        for (int i = 0; i < 2000; ++i) {
            ui.frame();
            if (condition()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return false;
    }
};

TEST_F(ProgramListTest, a_button_lists_the_kernels_that_take_longest_first) {
    ui.frame(), ui.frame();
    EXPECT_EQ(lists, 0) << "nobody has asked for it";
    ASSERT_TRUE(ui.click("all kernels"));
    ASSERT_TRUE(eventually([&] { return frame.program().launches && !frame.program().running; }));
    EXPECT_EQ(frame.state.centre_view, "program");
    ui.frame(), ui.frame();
    ASSERT_NE(ui.find("program kernel 0"), nullptr);
    ASSERT_NE(ui.find("program kernel 1"), nullptr);
    EXPECT_EQ(ui.find("program kernel 2"), nullptr) << "both shapes of one kernel are one row";
    EXPECT_THAT(ui.words(), Contains(HasSubstr("90 %")));
    EXPECT_THAT(ui.words(), Contains(HasSubstr("PASSED")));
    ASSERT_TRUE(ui.click("all kernels"));
    ui.frame();
    EXPECT_EQ(lists, 1) << "it has been listed";
}

TEST_F(ProgramListTest, launches_appear_while_the_program_runs_and_it_can_be_cancelled) {
    goes_on = false;
    own.list_program();
    frame.open_view("program");
    ASSERT_TRUE(eventually([&] { return frame.program().launches != nullptr; }));
    EXPECT_TRUE(frame.program().running);
    ui.frame(), ui.frame();
    EXPECT_NE(ui.find("program kernel 0"), nullptr);
    ASSERT_TRUE(ui.click("cancel program list"));
    ASSERT_TRUE(eventually([&] { return was_cancelled && !frame.program().running; }));
    ASSERT_NE(frame.program().launches, nullptr) << "what was listed stays";
    EXPECT_FALSE(frame.program().launches->ended);
}

TEST_F(ProgramListTest, a_click_opens_the_busiest_launch_of_a_kernel) {
    own.list_program();
    frame.open_view("program");
    ASSERT_TRUE(eventually([&] { return frame.program().launches && !frame.program().running; }));
    ui.frame(), ui.frame();
    const HitBox row = *ui.find("program kernel 0");
    ASSERT_TRUE(ui.click("program kernel 0"));
    ASSERT_TRUE(eventually([&] { return own.is_programs_launch(); }));
    EXPECT_EQ(asked.symbol, "_Z6secondPfi");
    EXPECT_THAT(asked.number, AnyOf(2u, 3u));
    EXPECT_EQ(frame.program().shown_symbol, "_Z6secondPfi");
    EXPECT_EQ(frame.program().shown_launch, asked.number);
    EXPECT_GT(row.max.x, row.min.x);
}

TEST_F(ProgramListTest, a_knob_that_gives_a_length_runs_the_program_with_another_number) {
    own.run_program();
    ASSERT_TRUE(eventually([&] { return own.is_programs_launch() && !session.running(); }));
    EXPECT_FALSE(asked.argument);
    session.set_parameter("n", "1024");
    ASSERT_TRUE(eventually([&] { return asked.argument && !own.runs_program() && !session.running(); }));
    EXPECT_EQ(asked.argument->name, "n");
    EXPECT_EQ(asked.argument->before, 512u);
    EXPECT_EQ(asked.argument->value, 1024u);
    ASSERT_TRUE(eventually([&] {
        return script.requests.back().kernel->source.find("#define COUNT 1024") != std::string::npos;
    }));
    EXPECT_EQ(own.text(), text) << "the editor's text stays";
    EXPECT_EQ(session.failure(), "");
    session.set_parameter("n", "512");
    ASSERT_TRUE(eventually([&] { return !asked.argument && !own.runs_program() && !session.running(); }));
    EXPECT_EQ(script.requests.back().kernel->source, text);
}

}  // namespace
}  // namespace warplens::app
