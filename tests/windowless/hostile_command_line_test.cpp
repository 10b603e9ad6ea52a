// Hostile and faulty command lines: each is refused in one sentence of bounded length, or stops in time.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>
#include <thread>

#include "app/command_line/grammar.h"
#include "app/command_line/run_watch.h"
#include "app/command_line/target.h"
#include "app/pipeline/memory_limit.h"
#include "core/printable.h"
#include "tests/support/folders.h"
#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using HostileCommandLine = TypedCommands;

constexpr const char* header =
    "/*\n[kernel]\ntitle = \"T\"\nsubject = \"S\"\nlesson = \"L\"\nviews = [\"VIEW\"]\n\n[parameters]\n"
    "n = { default = 64, min = 1, max = 1000000 }\n\n[buffers]\nout = { type = \"f32\", length = \"n\", fill "
    "= "
    "\"zero\" }\n\n[launch]\narguments = [\"out\"]\ngrid = [\"n / 64\"]\nblock = [\"64\"]\n*/\n";

std::string kernel_text(const std::string& view, const std::string& body) {
    std::string text = header;
    text.replace(text.find("VIEW"), 4, view);
    return text + "extern \"C\" __global__ void k(float* out) { " + body + " }\n";
}

TEST_F(HostileCommandLine, a_message_is_one_line_of_bounded_length) {
    const std::string sentence = refusal({"report", "saxpy", "--set", "n=" + std::string(4000, '7')});
    EXPECT_LT(sentence.size(), longest_message + 20);
    EXPECT_THAT(sentence, HasSubstr("bytes left out"));
    EXPECT_THAT(refusal({"report", "saxpy", "--set", "n=" + std::string(100'000, '7')}),
                HasSubstr("argument 4 has 100002 bytes; at most 4096 are read"));
    EXPECT_THAT(refusal({"report", "\x1b]0;title\x07"}),
                AllOf(HasSubstr("\\x1b]0;title\\x07"), Not(HasSubstr("\x1b"))));
}

TEST_F(HostileCommandLine, an_empty_word_is_not_taken_for_an_option_left_out) {
    const std::vector<std::string> check{"check", "saxpy", "--max", "problems=0"};
    for (const char* option : {"--limits", "--versus", "--gpu", "--grid", "--seed", "--dynamic-shared"}) {
        std::vector<std::string> words = check;
        words.insert(words.end(), {option, ""});
        EXPECT_THAT(refusal(words), HasSubstr(std::string("argument 6, after ") + option + ", is empty"));
    }
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"sweep", "saxpy", "--over", "n=100,200", "-o", ""},
          {"record", "saxpy", "-o", ""},
          {"export", "saxpy", "-o", ""},
          {"recordings", "-o", ""},
          {"values", "saxpy", "--word", ""}})
        EXPECT_THAT(refusal(words), HasSubstr("is empty, such as a variable that is not set"));
    EXPECT_THAT(refusal({"report", ""}), HasSubstr("argument 2 is empty"));
}

TEST_F(HostileCommandLine, words_that_were_not_expected_are_named_as_they_were_typed) {
    EXPECT_THAT(refusal({"record", "saxpy", "--level", "machine", "-o", path("y.wltrace")}),
                HasSubstr("arguments were not expected: --level machine;"));
    EXPECT_THAT(refusal({"list", "saxpy"}), HasSubstr("argument was not expected: saxpy;"));
}

TEST_F(HostileCommandLine, a_compute_capability_has_no_sign) {
    EXPECT_THAT(refusal({"report", "saxpy", "--gpu", "-9.0"}), HasSubstr("no GPU is named \"-9.0\""));
}

TEST_F(HostileCommandLine, one_other_run_is_compared) {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"diff", "saxpy", "n=1000", "n=2000"},
          {"report", "saxpy", "--versus", "n=1000", "--versus", "n=2000"}})
        EXPECT_THAT(refusal(words), HasSubstr("n=1000 and n=2000 are two other runs, and one is compared; "
                                              "give n once"));
    EXPECT_THAT(refusal({"report", "saxpy", "--versus", "gpu=A100", "--versus", "gpu=H100"}),
                HasSubstr("give gpu once"));
}

TEST_F(HostileCommandLine, a_time_limit_stops_the_cpu_engine_with_what_is_known) {
    const std::string loop =
        file("loop.cu", kernel_text("lanes", "while (atomicAdd(&out[0], 1.0f) >= 0) out[1] = 1;"));
    const Outcome outcome =
        warplens({"report", loop, "--time-limit", "0.5", "--max-steps", "4611686018427387904"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 1) << outcome.error;
    EXPECT_THAT(outcome.error, HasSubstr("stopped at the time limit of 0.5 s"));
    EXPECT_NE(outcome.out, "");
    EXPECT_THAT(refusal({"check", loop, "--max", "problems=0", "--time-limit", "0.5", "--max-steps",
                         "4611686018427387904"}),
                HasSubstr("stopped at the time limit"));
}

// The PTX's run ends at the end of the stack. The machine code, whose time is modelled, would go on.
TEST_F(HostileCommandLine, an_endless_recursion_ends_with_its_stack) {
    const std::string recursion = file("r.cu",
                                       "__device__ int f(int n) { return n ? f(n + 1) + f(n + 2) : 1; }\n"
                                       "extern \"C\" __global__ void k(float* out) { out[0] = f(1); }\n");
    const auto begin = std::chrono::steady_clock::now();
    const Outcome outcome =
        warplens({"report", recursion, "--grid", "1", "--block", "32", "--arg", "buffer:f32[32]=zero",
                  "--no-advice", "--time-limit", "20", "--max-steps", "4611686018427387904"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_THAT(outcome.out, HasSubstr("stack_overflow"));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
}

// Counts of the machine code, and both builds of a comparison, load the launch again.
TEST_F(HostileCommandLine, what_is_guessed_of_a_launch_is_said_once) {
    const std::string own = file("own.cu",
                                 "__global__ void k(float* out) { out[threadIdx.x] = 1; }\n"
                                 "int main() { float* a; cudaMalloc(&a, 128); k<<<1, 32>>>(a); }\n");
    const auto times_said = [&](const std::vector<std::string>& words) {
        const std::string error = warplens(words).error;
        const std::string sentence = "is guessed from line";
        int times = 0;
        for (auto at = error.find(sentence); at != std::string::npos; at = error.find(sentence, at + 1))
            ++times;
        return times;
    };
    if (!compiles(warplens({"report", own}))) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(times_said({"report", own}), 1);
    EXPECT_EQ(times_said({"diff", own, own}), 2) << "once for each build";
}

// A recorded trace is not executed: what takes long is the model of its time, and the writing.
TEST_F(HostileCommandLine, ctrl_c_ends_the_export_of_a_trace) {
    const std::string trace = path("t.wltrace");
    ASSERT_EQ(warplens({"record", "saxpy", "--set", "n=1000", "-o", trace}).code, 0);
    expect_stopped_by_ctrl_c({"export", trace, "-o", path("x.json")});
    EXPECT_FALSE(fs::exists(path("x.json")));
}

// The run itself ends soon: what takes long is the search for races.
TEST_F(HostileCommandLine, a_time_limit_in_the_search_for_races_keeps_the_report) {
    const std::string loop =
        file("rounds.cu",
             "__global__ void k(float* out) {\n    __shared__ float s[32];\n"
             "    for (int i = 0; i < 4000; ++i)\n"
             "        for (int k = 0; k < 4; ++k) { s[threadIdx.x ^ (i + 7 * k & 31)] = i; __syncwarp(); }\n"
             "    out[threadIdx.x] = s[threadIdx.x];\n}\n");
    const Outcome outcome =
        warplens({"report", loop, "--grid", "512", "--block", "32", "--arg", "buffer:f32[32]=zero",
                  "--no-advice", "--time-limit", "2.2", "--check-races", "on"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 1) << outcome.error;
    EXPECT_THAT(outcome.error + outcome.out, HasSubstr("stopped at the time limit of 2.2 s"));
    EXPECT_THAT(outcome.out, HasSubstr("512 blocks of 1 warp"));
}

/// Takes longer than the limit of the run that comes after it.
class SlowCompiler : public instrumentation::Compiler {
  public:
    Result<instrumentation::Compiled> compile(const instrumentation::CompileRequest& request) override {
        std::this_thread::sleep_for(std::chrono::milliseconds(700));
        instrumentation::Compiled compiled;
        compiled.ptx = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n";
        compiled.entries["k"] = {};
        compiled.target = request.target;
        return compiled;
    }
    std::string description() const override { return "slow"; }
};

TEST_F(HostileCommandLine, a_compilation_takes_nothing_from_the_time_limit_of_the_run) {
    LaunchFlags flags;
    flags.target = file("k.cu", "extern \"C\" __global__ void k() {}\n");
    flags.entry = "k";
    flags.grid = "1";
    flags.block = "32";
    flags.time_limit_s = 0.5;
    const auto loaded = load_target(flags, std::make_shared<Pipeline>(std::make_shared<SlowCompiler>()));
    EXPECT_TRUE(loaded) << loaded.error().message;
    EXPECT_FALSE(should_stop());
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    EXPECT_TRUE(should_stop());
    EXPECT_EQ(RunWatch::of_this_process().reason(), "stopped at the time limit of 0.5 s (--time-limit)");
    RunWatch::of_this_process().finish();
}

TEST_F(HostileCommandLine, arguments_out_of_the_range_of_their_type_are_refused) {
    const std::string ptx =
        file("k.ptx",
             ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u32 "
             "a)\n{\nret;\n}\n");
    for (const char* argument :
         {"i32=2147483648", "i32=-2147483649", "u32=-1", "u32=4294967296", "f32=1e400", "f32=1e39", "i32=1.5",
          "i64=9223372036854775808", "u64=18446744073709551616", "i8=128", "i8=-129", "u8=256", "i16=32768",
          "u16=-1", "bool=2", "f16=65505", "bf16=3.4e38"})
        EXPECT_THAT(refusal({"report", ptx, "--grid", "1", "--block", "32", "--arg", argument}),
                    HasSubstr(std::string("--arg ") + argument));
    for (const char* argument : {"i32=2147483647", "i32=-2147483648", "u32=4294967295"})
        EXPECT_EQ(warplens({"report", ptx, "--grid", "1", "--block", "32", "--arg", argument}).code, 0)
            << argument;
}

TEST_F(HostileCommandLine, variables_that_do_not_fit_into_memory_are_refused_with_both_numbers) {
    const std::string ptx = file("k.ptx",
                                 ".version 8.0\n.target sm_90\n.address_size 64\n.global .b8 small[16];\n"
                                 ".global .b8 large[1000000000000];\n.visible .entry k()\n{\nret;\n}\n");
    EXPECT_THAT(refusal({"report", ptx, "--grid", "1", "--block", "32"}),
                AllOf(HasSubstr("its variables need 931.3 GiB (large 931.3 GiB), more than the limit of "),
                      HasSubstr("(a part of the free memory)")));
    EXPECT_TRUE(check_variables("a.ptx", {{"a", 60}, {"b", 40}}, 100));
    EXPECT_FALSE(check_variables("a.ptx", {{"a", 60}, {"b", 41}}, 100));
    EXPECT_FALSE(check_variables("a.ptx", {{"a", ~std::uint64_t{0}}, {"b", 2}}, 100)) << "no sum wraps";
}

TEST_F(HostileCommandLine, limits_that_no_value_passes_are_refused) {
    EXPECT_THAT(refusal({"check", "saxpy", "--max", "problems=nan"}), HasSubstr("nan"));
    const std::string limits =
        file("limits.toml", "checks = [ { kernel = \"saxpy\", max = { problems = nan } } ]\n");
    EXPECT_THAT(refusal({"check", "--limits", limits}), HasSubstr("must be a finite number"));
    EXPECT_THAT(refusal({"check", "transpose_tiled", "--fix", "--row-elements", "0"}),
                HasSubstr("not in range"));
}

TEST_F(HostileCommandLine, a_time_limit_is_a_number_in_its_range) {
    for (const char* seconds : {"nan", "inf", "0", "0.001", "1e9", "1s"})
        EXPECT_THAT(refusal({"report", "saxpy", "--time-limit", seconds}),
                    HasSubstr(std::string("--time-limit: Value ") + seconds + " not in range 0.01 to 86400"));
    EXPECT_THAT(refusal({"recordings", "-o", path("r"), "--time-limit", "nan"}),
                HasSubstr("--time-limit: Value nan not in range 0.01 to 3600"));
}

TEST_F(HostileCommandLine, a_thread_that_cannot_start_is_called_that) {
    const auto said = [](std::errc code) {
        CLI::App app("", "warplens");
        Result<int> outcome = 0;
        char name[] = "warplens";
        char* arguments[] = {name, nullptr};
        const auto failing = [code]() -> Result<int> {
            throw std::system_error(std::make_error_code(code), "it");
        };
        testing::internal::CaptureStderr();
        EXPECT_EQ(run_words(app, outcome, failing, 1, arguments), 2);
        return testing::internal::GetCapturedStderr();
    };
    EXPECT_THAT(said(std::errc::resource_unavailable_try_again), HasSubstr("a thread cannot be started"));
    EXPECT_THAT(said(std::errc::permission_denied),
                AllOf(HasSubstr("it: "), Not(HasSubstr("standard output"))));
}

TEST_F(HostileCommandLine, an_unknown_view_in_a_header_is_named) {
    const std::string kernel = file("k.cu", kernel_text("bancs", "out[0] = 1;"));
    EXPECT_THAT(refusal({"report", kernel}), AllOf(HasSubstr("bancs"), HasSubstr("did you mean `banks`?")));
}

TEST_F(HostileCommandLine, byte_order_marks_latin_1_and_quotes_in_names_compile) {
    const std::string kernel =
        file("a\"b\nc.cu", "\xef\xbb\xbf" + kernel_text("lanes", "out[0] = 1; // Gr\xfc\xdf\n"));
    const Outcome outcome = warplens({"report", kernel});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 0) << outcome.error;
}

TEST_F(HostileCommandLine, only_regular_files_are_opened) {
    for (const char* name : {"f.cu", "f.ptx", "f.wltrace", "f.toml"})
        ASSERT_EQ(::mkfifo(path(name).c_str(), 0600), 0);
    for (const char* name : {"f.cu", "f.ptx", "f.wltrace"}) refusal({"report", path(name)});
    EXPECT_THAT(refusal({"check", "--limits", path("f.toml")}), HasSubstr("not a regular file"));
}

TEST_F(HostileCommandLine, standard_output_takes_a_trace) {
    const Outcome outcome = warplens({"record", "saxpy", "--set", "n=64", "-o", "-"});
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_THAT(outcome.out, StartsWith("\x89WLT"));
    EXPECT_THAT(outcome.error, HasSubstr("1 block"));
    EXPECT_FALSE(fs::exists("-"));
}

TEST_F(HostileCommandLine, a_device_and_a_fifo_are_written_to_directly) {
    ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
    std::string through;
    std::thread reader([&] {
        std::ifstream read(path("fifo"), std::ios::binary);
        through.assign(std::istreambuf_iterator<char>(read), {});
    });
    const Outcome outcome = warplens({"record", "saxpy", "--set", "n=64", "-o", path("fifo")});
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    if (outcome.code != 0) std::ofstream(path("fifo")) << "";  // so that the reader ends
    reader.join();
    EXPECT_THAT(through, StartsWith("\x89WLT"));
    EXPECT_TRUE(fs::is_fifo(path("fifo")));
    EXPECT_EQ(warplens({"record", "saxpy", "--set", "n=64", "-o", "/dev/null"}).code, 0);
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(HostileCommandLine, a_seed_is_quoted_as_it_was_given) {
    for (const char* seed : {"-5", "18446744073709551616", "0x10", "1e3", "x"})
        EXPECT_THAT(refusal({"report", "histogram_shared", "--seed", seed}),
                    HasSubstr(std::string("--seed ") + seed + ": a seed is an integer from 0 to "));
    EXPECT_THAT(warplens({"report", "histogram_shared", "--set", "n=256", "--seed", "010"}).out,
                HasSubstr("seed=010"));
}

TEST_F(HostileCommandLine, a_device_needs_no_ending) {
    const Outcome exported = warplens({"export", "saxpy", "--set", "n=64", "-o", "/dev/null"});
    EXPECT_EQ(exported.code, 0) << exported.error;
    for (const char* format : {"text", "csv", "json"}) {
        const Outcome swept =
            warplens({"sweep", "saxpy", "--over", "n=64,128", "--format", format, "-o", "/dev/null"});
        EXPECT_EQ(swept.code, 0) << swept.error;
    }
}

TEST_F(HostileCommandLine, a_sweep_takes_its_format_from_the_name_of_the_file_alone) {
    fs::create_directory(path("v1.2"));
    for (const std::string& name : {path("v1.2/table"), path("v1.2/../table"), path("table.txt")}) {
        const Outcome swept = warplens({"sweep", "saxpy", "--over", "n=64,128", "-o", name});
        EXPECT_EQ(swept.code, 0) << swept.error;
        EXPECT_TRUE(fs::exists(name)) << name;
    }
    EXPECT_THAT(refusal({"sweep", "saxpy", "--over", "n=64,128", "-o", path("v1.2/table.xls")}),
                HasSubstr("xls is not a format of a sweep"));
}

TEST_F(HostileCommandLine, nothing_runs_whose_result_cannot_be_written) {
    const std::string endless = file("endless.cu", kernel_text("lanes", "for (;;) out[0] += 1;"));
    EXPECT_THAT(refusal({"record", endless, "--time-limit", "5", "-o", path("missing/x.wltrace")}),
                HasSubstr("missing/x.wltrace cannot be written"));
}

class HostileCommandLine_long : public HostileCommandLine {};

// The assembler of the CUDA toolkit takes most of its time.
TEST_F(HostileCommandLine_long, a_hundred_thousand_backward_labels_are_reported) {
    std::string body = "ld.param.u32 %r1, [a]; setp.eq.u32 %p1, %r1, 77;\n";
    for (int i = 0; i < 100'000; ++i) body += fmt::format("L{0}: @%p1 bra L{0};\n", i);
    const std::string ptx =
        file("labels.ptx",
             ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u32 a)\n"
             "{\n.reg .pred %p<2>; .reg .b32 %r<3>;\n" +
                 body + "ret;\n}\n");
    const Outcome outcome =
        warplens({"report", ptx, "--grid", "1", "--block", "32", "--arg", "u32=1", "--no-advice"});
    EXPECT_EQ(outcome.code, 0) << outcome.error;
}

TEST_F(HostileCommandLine, output_that_cannot_be_written_is_a_sentence) {
    const std::string program = build_folder() + "/warplens-record";
    for (const char* words : {"list", "--help", "report saxpy", "check saxpy --max problems=0"}) {
        const std::string error = path("error");
        const int status = std::system((program + " " + words + " > /dev/full 2> " + error).c_str());
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2) << words;
        std::ifstream read(error);
        EXPECT_THAT(std::string(std::istreambuf_iterator<char>(read), {}),
                    HasSubstr("standard output cannot be written"))
            << words;
    }
}

}  // namespace
}  // namespace warplens::app
