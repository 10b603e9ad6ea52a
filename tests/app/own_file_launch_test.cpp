// A file of one's own that declares no launch and has host code: the kernel runs as the host code launches
// it, and follows it while it is edited.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "app/session/own_file/own_file.h"
#include "app/window/frame.h"
#include "app/window/launch_note.h"
#include "instrumentation/catalog/host_launch.h"
#include "tests/app/example_scene.h"
#include "tests/support/headless.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string program(const std::string& launch) {
    return "__global__ void mine(float* out, int n) { out[threadIdx.x] = n; }\n"
           "int main() {\n"
           "    float* out; float h[512];\n"
           "    for (int i = 0; i < 512; i++) h[i] = rand() % 7;\n"
           "    cudaMalloc(&out, 512 * 4);\n"
           "    cudaMemcpy(out, h, 512 * 4, cudaMemcpyHostToDevice);\n"
           "    " +
           launch + "\n}\n";
}

class OwnFileLaunchTest : public testing::Test {
  protected:
    fs::path folder;
    ScriptedRun script;
    Session session{example_catalogue(), script.run(), script.wake()};
    bool compiles = true;
    OwnFile own{session, [this](const instrumentation::KernelFile&) -> Entries {
                    if (!compiles) return fail("mine.cu:7: expected an expression");
                    return std::vector<instrumentation::EntryFacts>{
                        {"_Z4minePfi", "mine", {{"p0", "u64", 8, 0}, {"p1", "u32", 4, 8}}, 0}};
                }};
    Layout layout;
    Frame frame{session, layout};
    Headless ui{[this](const Theme& theme) { frame.draw(theme); }, {1760, 1200}};

    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "warplens_test_XXXXXX").string();
        folder = ::mkdtemp(name.data());
        frame.set_own_file(&own);
    }
    void TearDown() override { fs::remove_all(folder); }
    std::string write(const std::string& text) const {
        std::ofstream(folder / "mine.cu") << text;
        return (folder / "mine.cu").string();
    }
    template <class Condition>
    bool eventually(Condition&& condition) {
        for (int i = 0; i < 2000; ++i) {
            own.poll(0);
            session.poll();
            if (condition()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return false;
    }
    bool runs_with_block(const std::string& block) {
        return eventually([&] {
            return !session.running() && !script.requests.empty() &&
                   script.requests.back().kernel->block.front() == block;
        });
    }
};

TEST_F(OwnFileLaunchTest, what_the_host_code_launches_runs_without_a_question) {
    ASSERT_TRUE(own.open(write(program("mine<<<4, 128>>>(out, 512);"))));
    EXPECT_FALSE(own.asks_for_launch());
    ASSERT_TRUE(runs_with_block("128"));
    EXPECT_FALSE(own.asks_for_launch());
    ASSERT_NE(own.followed(), nullptr);
    EXPECT_EQ(launch_note_words(*own.followed()),
              "Launched as in line 7: grid 4, block 128. Not the program's own numbers: out.");
    EXPECT_EQ(own.entered(), nullptr);  // an edited program is read again at the next start
    ui.frame(), ui.frame();
    EXPECT_NE(ui.find("launch note"), nullptr);
    ASSERT_TRUE(ui.click("close launch note"));
    ui.frame(), ui.frame();
    EXPECT_EQ(ui.find("launch note"), nullptr);
}

TEST_F(OwnFileLaunchTest, the_launch_follows_the_host_code_until_it_is_set_in_the_form) {
    ASSERT_TRUE(own.open(write(program("mine<<<4, 128>>>(out, 512);"))));
    ASSERT_TRUE(runs_with_block("128"));
    own.edit(program("mine<<<2, 256>>>(out, 512);"), 0);
    own.run_now();
    ASSERT_TRUE(runs_with_block("256"));

    compiles = false;
    own.edit(program("mine<<<2, >>>(out, 512);"), 0);
    own.run_now();
    ASSERT_TRUE(eventually([&] { return !session.failure().empty(); }));
    EXPECT_FALSE(own.asks_for_launch());
    EXPECT_NE(own.followed(), nullptr);
    compiles = true;
    own.edit(program("mine<<<2, 64>>>(out, 512);"), 0);
    own.run_now();
    ASSERT_TRUE(runs_with_block("64"));
    EXPECT_TRUE(session.failure().empty());

    ui.frame(), ui.frame();
    ASSERT_TRUE(ui.click("change launch"));
    ASSERT_TRUE(eventually([&] { return own.asks_for_launch() && !own.finding_entries(); }));
    own.draft().block[0] = "96";
    own.use_draft();
    own.stop_asking();
    ASSERT_TRUE(runs_with_block("96"));
    EXPECT_EQ(own.followed(), nullptr);
    EXPECT_NE(own.entered(), nullptr);
    own.edit(program("mine<<<2, 32>>>(out, 512);"), 0);
    own.run_now();
    ASSERT_TRUE(eventually([&] { return !session.running(); }));
    EXPECT_EQ(script.requests.back().kernel->block.front(), "96");
}

TEST_F(OwnFileLaunchTest, a_number_of_the_text_is_a_knob_that_changes_the_text) {
    const std::string text = "#define THREADS 128\n" + program("mine<<<4, THREADS>>>(out, 512);");
    ASSERT_TRUE(own.open(write(text)));
    ASSERT_TRUE(runs_with_block("128"));
    ui.frame(), ui.frame();
    ASSERT_TRUE(ui.click("knob THREADS +"));
    EXPECT_THAT(own.text(), testing::StartsWith("#define THREADS 256\n"));
    EXPECT_TRUE(own.is_changed());
    ASSERT_TRUE(runs_with_block("256"));
    ui.frame(), ui.frame();
    ASSERT_TRUE(ui.click("knob THREADS -"));
    ASSERT_TRUE(ui.click("knob THREADS -"));
    EXPECT_THAT(own.text(), testing::StartsWith("#define THREADS 64\n"));
    ASSERT_TRUE(runs_with_block("64"));
    own.turn_number("THREADS", "none");
    EXPECT_THAT(own.take_notice(), HasSubstr("takes an integer from 1"));
    EXPECT_THAT(own.text(), testing::StartsWith("#define THREADS 64\n"));
}

TEST_F(OwnFileLaunchTest, without_a_launch_in_the_file_the_form_asks) {
    ASSERT_TRUE(own.open(write("__global__ void mine(float* out, int n) { out[threadIdx.x] = n; }\n")));
    ASSERT_TRUE(eventually([&] { return own.asks_for_launch() && !own.entries().empty(); }));
    EXPECT_TRUE(script.requests.empty());
    EXPECT_EQ(own.followed(), nullptr);
}

TEST_F(OwnFileLaunchTest, flags_that_leave_the_kernel_open_are_applied_when_the_kernels_are_found) {
    OpenedWith with;
    with.finds_kernel = true;
    with.launch = [](instrumentation::KernelFile& kernel, const FindEntries& entries) -> Status {
        const auto found = entries(kernel);
        if (!found || found->empty()) return fail("no kernels were found");
        kernel.entry = found->front().symbol;
        kernel.grid = {"1"};
        kernel.block = {"64"};
        kernel.has_header = true;
        return {};
    };
    const std::string path = write("__global__ void mine(float* out, int n) { out[threadIdx.x] = n; }\n");
    ASSERT_TRUE(own.open(path, with));
    EXPECT_TRUE(script.requests.empty()) << "no frame waits for the compiler";
    EXPECT_TRUE(own.looks_for_launch());
    ASSERT_TRUE(eventually([&] { return !script.requests.empty() && !session.running(); }));
    EXPECT_EQ(script.requests.back().kernel->entry, "_Z4minePfi");
    EXPECT_EQ(own.take_notice(), "");
    const std::size_t before = script.requests.size();
    own.edit("// moved\n" + own.text(), 0);
    own.run_now();
    ASSERT_TRUE(eventually([&] { return script.requests.size() > before && !session.running(); }));
    EXPECT_EQ(script.requests.back().kernel->block.front(), "64");
    EXPECT_THAT(script.requests.back().kernel->source, HasSubstr("// moved"));
}

class OwnFileProgramTest : public OwnFileLaunchTest {
  protected:
    /// Answers as a run of the program would, with block 96 and a variable's contents.
    void answer_with_block_96() {
        own.set_program_runner([this](ProgramInputsRequest request) -> Result<ProgramInputs> {
            asked = request;
            if (!runs) return fail("mine.cu: the program was killed by signal 11 (SIGSEGV)");
            ProgramInputs inputs;
            inputs.draft = instrumentation::guess_launch(request.entries.front(), request.kernel,
                                                         instrumentation::host_code_of(request.kernel));
            inputs.draft.block = {"96", "", ""};
            inputs.draft.from = "the program's run, line 7";
            for (auto& row : inputs.draft.arguments) row.guessed = false, row.contents.clear();
            inputs.initializers = {{"mask", "{1}"}};
            inputs.said = {"the inputs are the program's own"};
            return inputs;
        });
    }
    ProgramInputsRequest asked;
    bool runs = true;
};

TEST_F(OwnFileProgramTest, a_button_runs_the_program_for_its_inputs_and_an_edit_keeps_them) {
    answer_with_block_96();
    ASSERT_TRUE(own.open(write(program("mine<<<4, 128>>>(out, 512);"))));
    ASSERT_TRUE(runs_with_block("128"));
    EXPECT_TRUE(asked.symbol.empty()) << "nobody has asked for it";
    ui.frame(), ui.frame();
    ASSERT_TRUE(ui.click("run program"));
    ASSERT_TRUE(runs_with_block("96"));
    EXPECT_EQ(asked.symbol, "_Z4minePfi");
    EXPECT_TRUE(own.is_programs_launch());
    EXPECT_EQ(script.requests.back().kernel->initializers.size(), 1u);
    ui.frame(), ui.frame();
    EXPECT_EQ(frame.state.notice, "the inputs are the program's own");
    EXPECT_EQ(ui.find("run program"), nullptr) << "it has its own inputs now";
    EXPECT_NE(ui.find("launch note"), nullptr);

    own.edit(program("mine<<<4, 64>>>(out, 512);"), 0);
    own.run_now();
    ASSERT_TRUE(eventually([&] { return !session.running(); }));
    EXPECT_EQ(script.requests.back().kernel->block.front(), "96");
}

TEST_F(OwnFileProgramTest, a_program_that_fails_leaves_the_launch_and_says_why) {
    answer_with_block_96();
    runs = false;
    ASSERT_TRUE(own.open(write(program("mine<<<4, 128>>>(out, 512);"))));
    ASSERT_TRUE(runs_with_block("128"));
    own.run_program();
    ASSERT_TRUE(eventually([&] { return !own.program_failure().empty(); }));
    EXPECT_THAT(own.take_notice(), HasSubstr("SIGSEGV"));
    EXPECT_FALSE(own.is_programs_launch());
    EXPECT_EQ(script.requests.back().kernel->block.front(), "128");
    own.ask_for_launch();
    ASSERT_TRUE(eventually([&] { return own.asks_for_launch() && !own.finding_entries(); }));
    ui.frame(), ui.frame();
    EXPECT_NE(ui.find("run program"), nullptr);
}

TEST_F(OwnFileProgramTest, a_file_with_a_header_or_without_main_has_no_program) {
    answer_with_block_96();
    ASSERT_TRUE(own.open(write("__global__ void mine(float* out, int n) { out[threadIdx.x] = n; }\n")));
    EXPECT_FALSE(own.has_program());
}

}  // namespace
}  // namespace warplens::app
