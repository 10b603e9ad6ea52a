// Random kernels on this machine's GPU and on the CPU engine (tests/support/random_kernel.h): a line for each
// seed whose results or records differ, then a table per group of instructions. NVRTC compiles the
// kernels.
//   gpu_agreement_fuzz FIRST COUNT [PROCESSES [in_a_row]]     seeds FIRST to FIRST + COUNT - 1
//   gpu_agreement_fuzz FILE.cu…                                kernel files with their headers instead
// in_a_row: without recursion, which hides what else differs.
// Exit code 1: a kernel failed.
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <string_view>

#include "instrumentation/hidden_command.h"
#include "tests/support/differential.h"
#include "tests/support/random_kernel.h"

namespace warplens {
namespace {

/// Shared by the processes.
struct Tally {
    std::array<std::array<std::atomic<std::uint64_t>, outcomes>, form_groups> counts{};
    std::atomic<std::uint64_t> records = 0;
};

struct Engines {
    app::Pipeline pipeline{
        std::shared_ptr<instrumentation::Compiler>(instrumentation::make_compiler({"", "", true}))};
    app::GpuLauncher launcher{app::gpu_of_this_machine()};
};

void print(const std::string& name, const Comparison& comparison) {
    // One write per line: the processes share the output.
    const std::string line =
        fmt::format("{}: {}: {}\n", name, to_string(comparison.outcome), comparison.sentence);
    if (write(STDOUT_FILENO, line.data(), line.size()) < 0) std::exit(2);
}

void compare_seeds(std::uint64_t first, std::uint64_t end, std::uint64_t step, Recursion recursion,
                   Tally& tally) {
    Engines engines;
    for (std::uint64_t seed = first; seed < end; seed += step) {
        const std::string name = fmt::format("random_{}", seed);
        const Comparison comparison =
            compare_engines(engines.pipeline, engines.launcher, name, random_kernel(seed, recursion), false);
        ++tally.counts[static_cast<std::size_t>(form_group(seed))]
                      [static_cast<std::size_t>(comparison.outcome)];
        tally.records += comparison.records;
        if (!comparison.good()) print(fmt::format("{} ({})", name, to_string(form_group(seed))), comparison);
    }
}

int compare_files(int count, char** paths) {
    Engines engines;
    bool good = true;
    for (int i = 0; i < count; ++i) {
        std::ifstream file(paths[i]);
        const std::string source{std::istreambuf_iterator<char>(file), {}};
        const std::string name = std::filesystem::path(paths[i]).stem();
        const Comparison comparison =
            compare_engines(engines.pipeline, engines.launcher, name, source, false);
        print(name, comparison);
        good = good && comparison.good();
    }
    return good ? 0 : 1;
}

int summary(const Tally& tally) {
    std::uint64_t kernels = 0, good = 0;
    fmt::print("{:8}", "group");
    for (std::size_t i = 0; i < outcomes; ++i)
        fmt::print(" {:>14}", to_string(static_cast<Comparison::Outcome>(i)));
    fmt::print("\n");
    for (int group = 0; group < form_groups; ++group) {
        fmt::print("{:8}", to_string(static_cast<FormGroup>(group)));
        for (std::size_t i = 0; i < outcomes; ++i) {
            const std::uint64_t count = tally.counts[static_cast<std::size_t>(group)][i];
            kernels += count;
            if (i < 2) good += count;
            fmt::print(" {:14}", count);
        }
        fmt::print("\n");
    }
    fmt::print("{} of {} kernels agree, {} records\n", good, kernels, tally.records.load());
    return good == kernels ? 0 : 1;
}

std::uint64_t number(const char* text) {
    std::uint64_t value = 0;
    const std::string_view all = text;
    std::from_chars(all.data(), all.data() + all.size(), value);
    return value;
}

int run(int argument_count, char** arguments) {
    if (argument_count < 2) {
        fmt::print(stderr, "usage: {} FIRST COUNT [PROCESSES [in_a_row]], or {} FILE.cu…\n", arguments[0],
                   arguments[0]);
        return 2;
    }
    if (std::string_view(arguments[1]).ends_with(".cu"))
        return compare_files(argument_count - 1, arguments + 1);
    const std::uint64_t first = number(arguments[1]), count = argument_count > 2 ? number(arguments[2]) : 1;
    const std::uint64_t processes = argument_count > 3 ? std::max<std::uint64_t>(number(arguments[3]), 1) : 1;
    const bool in_a_row = argument_count > 4 && std::string_view(arguments[4]) == "in_a_row";
    const Recursion recursion = in_a_row ? Recursion::replaced : Recursion::kept;
    void* const shared =
        mmap(nullptr, sizeof(Tally), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return 2;
    Tally& tally = *new (shared) Tally;
    for (std::uint64_t i = 0; i < processes; ++i) {
        if (fork() != 0) continue;
        compare_seeds(first + i, first + count, processes, recursion, tally);
        _exit(0);
    }
    bool all_ended = true;
    for (int status = 0; wait(&status) > 0;)
        all_ended = all_ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!all_ended) fmt::print("a process did not end by itself: its seeds are missing\n");
    return summary(tally) | (all_ended ? 0 : 1);
}

}  // namespace
}  // namespace warplens

int main(int argument_count, char** arguments) {
    if (const auto code = warplens::instrumentation::run_hidden_command(argument_count, arguments))
        return *code;
    return warplens::run(argument_count, arguments);
}
