// Instrumented PTX goes through the assembler if a CUDA toolkit is installed. Otherwise the test says so and
// checks only that the PTX parses; rewrite_test.cpp checks its structure.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "instrumentation/rewrite/instrument.h"
#include "ptx/parser.h"
#include "tests/support/folders.h"
#include "tests/support/one_entry.h"

namespace warplens::instrumentation {

namespace {

namespace fs = std::filesystem;

/// The assembler of the first toolkit found: in PATH, or below CUDA_PATH, CUDA_HOME or the usual folder.
std::string find_assembler() {
    std::vector<fs::path> folders;
    for (const char* name : {"CUDA_PATH", "CUDA_HOME"})
        if (const char* root = std::getenv(name)) folders.push_back(fs::path(root) / "bin");
    std::string path = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "";
    for (std::size_t end = 0; !path.empty(); path.erase(0, std::min(end, path.size() - 1) + 1)) {
        end = path.find(':');
        folders.emplace_back(path.substr(0, end));
    }
    folders.emplace_back("/usr/local/cuda/bin");
    for (const fs::path& folder : folders)
        if (std::error_code none; fs::exists(folder / "ptxas", none)) return (folder / "ptxas").string();
    return {};
}

std::string read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> all_ptx() {
    std::vector<fs::path> files;
    const fs::path root = source_folder();
    for (const auto& file : fs::recursive_directory_iterator(root / "assets/ptx"))
        if (file.path().extension() == ".ptx") files.push_back(file.path());
    for (const auto& file : fs::directory_iterator(root / "tests/ptx/corpus"))
        if (file.path().extension() == ".ptx") files.push_back(file.path());
    for (const char* name : {"call", "ret", "exit", "brx", "bar", "barrier", "atom", "red", "cp", "ld", "st"})
        files.push_back(root / "tests/ptx_cases" / (std::string(name) + ".ptx"));
    std::sort(files.begin(), files.end());
    return files;
}

/// The first three kernels of every `step`-th file, one mode and one way of recording for each in turn:
/// together they cover all of them. Returns the number of kernels.
std::size_t expect_assembled(std::size_t step) {
    const std::string assembler = find_assembler();
    if (assembler.empty())
        std::puts("No CUDA toolkit was found: the instrumented PTX was parsed, but not assembled.");
    const fs::path folder = fs::temp_directory_path() / ("warplens_assemble_" + std::to_string(::getpid()));
    fs::create_directories(folder);
    std::size_t turn = 0, kernels = 0;
    const std::vector<fs::path> files = all_ptx();
    for (std::size_t at = 0; at < files.size(); at += step) {
        const fs::path& path = files[at];
        const auto module = ptx::parse(read(path), path.string());
        EXPECT_TRUE(module.has_value()) << module.error().message;
        if (!module) continue;
        std::size_t of_file = 0;
        for (const ptx::Function* entry : module->entries()) {
            if (entry->is_declaration || tests::launches_grids(*module, entry->name) || ++of_file > 3)
                continue;
            InstrumentOptions options;
            options.mode = std::vector{RecordMode::light, RecordMode::full, RecordMode::proof}[turn % 3];
            options.narrow = turn % 2 == 0;
            options.shared_bytes = turn % 4 < 2 ? 4096 : 0x20000;
            if (turn % 5 < 2)
                options.launch =
                    KnownLaunch{.geometry = {{64, 4}, {16, 16}}, .selects_blocks = turn % 5 == 1};
            if (turn % 4 == 3) options.max_registers = 40;
            ++turn;
            const auto instrumented = instrument(*module, entry->name, options);
            EXPECT_TRUE(instrumented.has_value()) << path << ": " << instrumented.error().message;
            if (!instrumented) continue;
            const auto again = ptx::parse(instrumented->ptx, path.string());
            EXPECT_TRUE(again.has_value()) << again.error().message;
            ++kernels;
            if (assembler.empty()) continue;
            const fs::path file = folder / "kernel.ptx", log = folder / "log";
            std::ofstream(file, std::ios::binary) << instrumented->ptx;
            const std::string target = module->targets.empty() ? "sm_90" : module->targets.front();
            const std::string command = "\"" + assembler + "\" -arch=" + target + " \"" + file.string() +
                                        "\" -o \"" + (folder / "kernel.cubin").string() + "\" > \"" +
                                        log.string() + "\" 2>&1";
            EXPECT_EQ(std::system(command.c_str()), 0)
                << path << ", " << entry->name << ", mode " << static_cast<int>(options.mode) << ":\n"
                << read(log).substr(0, 600);
        }
    }
    fs::remove_all(folder);
    return kernels;
}

}  // namespace

TEST(rewrite, instrumented_ptx_is_taken_by_the_assembler) { EXPECT_GT(expect_assembled(8), 15u); }
TEST(rewrite_long, instrumented_ptx_is_taken_by_the_assembler) { EXPECT_GT(expect_assembled(1), 100u); }

}  // namespace warplens::instrumentation
