// The soak: hostile inputs made from the fuzz targets' seeds, run through the same targets, and hostile
// command lines. `test_soak [SEED [CASES [FIRST]]]`; without CASES ten thousand. A finding names its seed and
// case, and `test_soak SEED 1 CASE` repeats it.
#include <fmt/core.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iterator>

#include "app/command_line/commands.h"
#include "core/read_file.h"
#include "instrumentation/hidden_command.h"
#include "tests/soak/mutation.h"
#include "tests/support/folders.h"

extern "C" {
int soak_ptx_parser(const std::uint8_t* data, std::size_t size);
int soak_ptx_engine(const std::uint8_t* data, std::size_t size);
int soak_trace_reader(const std::uint8_t* data, std::size_t size);
int soak_recording_space(const std::uint8_t* data, std::size_t size);
int soak_kernel_header(const std::uint8_t* data, std::size_t size);
int soak_recorder_message(const std::uint8_t* data, std::size_t size);
int soak_host_code(const std::uint8_t* data, std::size_t size);
int soak_lesson(const std::uint8_t* data, std::size_t size);
int soak_saved_session(const std::uint8_t* data, std::size_t size);
int soak_report_json(const std::uint8_t* data, std::size_t size);
int soak_limits_file(const std::uint8_t* data, std::size_t size);
int soak_kept_files(const std::uint8_t* data, std::size_t size);
int soak_kernel_text(const std::uint8_t* data, std::size_t size);
int soak_launch_words(const std::uint8_t* data, std::size_t size);
int soak_compile_log(const std::uint8_t* data, std::size_t size);
int soak_cubin(const std::uint8_t* data, std::size_t size);
}

namespace warplens::soak {
namespace {

constexpr unsigned longest_case_s = 30;
std::uint64_t seed = 1, current = 0;

/// Async-signal-safe except for fmt, which is acceptable in a process that ends.
void too_long(int) {
    fmt::print(stderr, "soak: seed {} case {} did not end within {} s\n", seed, current, longest_case_s);
    std::_Exit(1);
}

/// A target that finds a fault ends by a trap or by abort.
void name_case(int signal) {
    fmt::print(stderr, "soak: seed {} case {} ended with signal {}\n", seed, current, signal);
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}

std::vector<std::string> seeds_in(const std::string& corpus) {
    std::vector<std::string> paths, seeds;
    for (const auto& entry :
         std::filesystem::directory_iterator(source_folder() + "/tests/fuzz/corpus_" + corpus))
        paths.push_back(entry.path());
    std::ranges::sort(paths);
    for (const std::string& path : paths) seeds.push_back(read_file(path).value());
    return seeds;
}

/// The program without a window; exit codes are 0, 1 and 2.
bool run_command(const std::vector<std::string>& words) {
    const std::string recorder = build_folder() + "/warplens-record";
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(longest_case_s);
        if (!std::freopen("/dev/null", "w", stdout) || !std::freopen("/dev/null", "w", stderr)) ::_exit(9);
        std::vector<char*> arguments{const_cast<char*>(recorder.c_str())};
        for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);
        ::execv(recorder.c_str(), arguments.data());
        ::_exit(9);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) <= app::exit_bad_input;
}

struct Target {
    std::function<int(const std::uint8_t*, std::size_t)> run;
    std::vector<std::string> seeds;
};

int soak(std::uint64_t cases, std::uint64_t first) {
    ::signal(SIGALRM, too_long);
    for (const int signal : {SIGABRT, SIGILL, SIGTRAP, SIGFPE}) ::signal(signal, name_case);
    const Target targets[] = {
        {soak_ptx_parser, seeds_in("ptx")},
        {soak_ptx_engine, seeds_in("ptx")},
        {soak_trace_reader, seeds_in("trace")},
        {soak_recording_space, seeds_in("recording")},
        {soak_kernel_header, seeds_in("header")},
        {soak_recorder_message, seeds_in("recorder")},
        {soak_host_code, seeds_in("host_code")},
        {soak_lesson, seeds_in("lesson")},
        {soak_saved_session, seeds_in("saved_session")},
        {soak_report_json, seeds_in("report_json")},
        {soak_limits_file, seeds_in("limits_file")},
        {soak_kept_files, seeds_in("kept_files")},
        {soak_kernel_text, seeds_in("kernel_text")},
        {soak_launch_words, seeds_in("launch_words")},
        {soak_compile_log, seeds_in("compile_log")},
#ifdef WARPLENS_SASS
        {soak_cubin, seeds_in("cubin")},
#endif
    };
    constexpr std::uint64_t cases_per_command = 100;  // a command costs as much as a hundred texts
    std::uint64_t failed = 0;
    for (current = first; current < first + cases; ++current) {
        Random random(seed * 0x9e3779b97f4a7c15u + current);
        if (current % cases_per_command == 0) {
            const std::vector<std::string> words = hostile_command(random);
            if (run_command(words)) continue;
            ++failed;
            fmt::print(stderr, "soak: seed {} case {}: command failed:", seed, current);
            for (const std::string& word : words) fmt::print(stderr, " '{}'", word);
            fmt::print(stderr, "\n");
            continue;
        }
        const Target& target = targets[current % std::size(targets)];
        const std::string text = mutated(target.seeds, random);
        ::alarm(longest_case_s);
        target.run(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
        ::alarm(0);
    }
    fmt::print("soak: seed {}, {} cases, {} findings\n", seed, cases, failed);
    return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace warplens::soak

int main(int argument_count, char** arguments) {
    if (const auto code = warplens::instrumentation::run_hidden_command(argument_count, arguments))
        return *code;
    using namespace warplens;
    if (argument_count > 1) soak::seed = std::strtoull(arguments[1], nullptr, 10);
    const std::uint64_t cases = argument_count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 10'000;
    const std::uint64_t first = argument_count > 3 ? std::strtoull(arguments[3], nullptr, 10) : 0;
    return soak::soak(cases, first);
}
